// Look-ups of guests in the host's tables: they count as computing, not as calls, they are recorded, and a repeated run
// gets the same answers. Rewritings of texts by the same module are not recorded.

import { afterAll, describe, expect, it } from 'vitest'
import { openSandbox, type RunRequest } from '../../dist/sandbox/index.js'
import { noWorkersLeft } from './leaks.js'

noWorkersLeft()
const sandbox = openSandbox({ maxWorkers: 1, spareWorkers: 0, limits: { wallMs: 600_000, cpuMs: 300_000 } })
afterAll(() => sandbox.close())

/** Answers with the question in capitals, and the number of earlier questions. */
const lookUp = `data:text/javascript,${encodeURIComponent(
  'let asked = 0; export const lookUp = (question) => question.toUpperCase() + asked++; ' +
    'export const rewrite = (order) => (order === "as it is" ? undefined : order.toUpperCase())',
)}`
const image = { name: 'asking', source: '', lookUp }

async function run(code: string, more: Partial<RunRequest> = {}) {
  const { stats, ...end } = await sandbox.run({ image, code, onCall: () => '', ...more })
  return end
}

describe('a look-up', () => {
  it('is not a call, and is recorded', async () => {
    const first = await run('hostLookUp("a") + hostLookUp("ü☃") + hostLookUp("a")', { limits: { toolCalls: 0 } })
    expect(first).toEqual({ kind: 'completed', payload: 'A0Ü☃1A0', lookups: { a: 'A0', 'ü☃': 'Ü☃1' } })
  })

  it('gives the recorded answer in a repeated run', async () => {
    const { lookups } = await run('hostLookUp("b")')
    const again = await run('hostLookUp("b") + hostLookUp("c")', { lookups: { b: 'as before', d: 'unasked' } })
    expect(lookups).toEqual({ b: expect.stringMatching(/^B\d$/) })
    expect(again).toEqual({
      kind: 'completed',
      payload: expect.stringMatching(/^as beforeC\d$/),
      lookups: { b: 'as before', d: 'unasked', c: expect.stringMatching(/^C\d$/) },
    })
  })

  it('is recorded up to a million characters', async () => {
    const { lookups } = await run('for (let i = 0; i < 40; i++) hostLookUp("x".repeat(20_000) + i); ""')
    const recorded = Object.entries(lookups ?? {})
    expect([
      recorded.length,
      recorded.every(([question, answer]) => answer.startsWith(question.toUpperCase())),
    ]).toEqual([24, true])
  })

  it('counts as computing', async () => {
    const endless = 'for (let i = 0; ; i++) hostLookUp("x".repeat(50_000) + i)'
    expect(await run(endless, { limits: { cpuMs: 200 } })).toMatchObject({ kind: 'limit', limit: 'cpuMs' })
  })

  it('takes a text of bounded length only', async () => {
    expect(await run('try { hostLookUp(3) } catch (e) { e.message }')).toMatchObject({
      payload: 'hostLookUp takes a string',
    })
    expect(await run('hostLookUp("x".repeat(100_001))')).toMatchObject({
      kind: 'fault',
      message: 'the guest broke: a guest asked for too much at once',
    })
  })

  it('does not exist in a guest without tables', async () => {
    expect(
      await run('try { hostLookUp("a") } catch (e) { e.message }', { image: { name: 'plain', source: '' } }),
    ).toEqual({ kind: 'completed', payload: 'there is nothing to look up' })
  })
})

describe('a rewriting', () => {
  it('is no call, and is not recorded', async () => {
    const code = '[hostRewrite("a" + "ü☃"), hostRewrite("as it is"), hostRewrite("x".repeat(200_000)).length].join()'
    expect(await run(code, { limits: { toolCalls: 0 } })).toEqual({ kind: 'completed', payload: 'AÜ☃,,200000' })
  })

  it('counts as computing, and its answer as memory', async () => {
    const endless = 'const text = "x".repeat(100_000); for (;;) hostRewrite(text)'
    expect(await run(endless, { limits: { cpuMs: 200 } })).toMatchObject({ kind: 'limit', limit: 'cpuMs' })
    const kept = 'const all = []; const text = "x".repeat(1_000_000); for (;;) all.push(hostRewrite(text))'
    expect(await run(kept, { limits: { memoryBytes: 32 * 1024 * 1024 } })).toMatchObject({
      kind: 'limit',
      limit: 'memoryBytes',
    })
  })

  it('takes a text of bounded length only', async () => {
    expect(await run('try { hostRewrite(3) } catch (e) { e.message }')).toMatchObject({
      payload: 'hostRewrite takes a string',
    })
    expect(
      await run('hostRewrite("x".repeat(65 * 1024 * 1024))', { limits: { memoryBytes: 400_000_000 } }),
    ).toMatchObject({ kind: 'fault', message: 'the guest broke: a guest asked for too much at once' })
  })

  it('is absent in a guest without tables', async () => {
    expect(await run('typeof hostRewrite', { image: { name: 'plain', source: '' } })).toEqual({
      kind: 'completed',
      payload: 'undefined',
    })
  })
})
