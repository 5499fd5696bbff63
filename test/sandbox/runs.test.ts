// Runs as callers see them: their ends, their counters, and crossing values.

import { afterAll, describe, expect, it } from 'vitest'
import { type GuestImage, openSandbox, type RunRequest } from '../../dist/sandbox/index.js'
import { gate } from './gate.js'
import { noWorkersLeft } from './leaks.js'

noWorkersLeft()
const sandbox = openSandbox({ maxWorkers: 2, spareWorkers: 0, limits: { wallMs: 600_000, cpuMs: 300_000 } })
afterAll(() => sandbox.close())

const image: GuestImage = {
  name: 'words',
  source: `
    {
    const [call, print] = [hostCall, hostPrint]
    delete globalThis.hostCall
    delete globalThis.hostPrint
    globalThis.ask = (word) => call(word)
    globalThis.say = (word) => print(word)
    globalThis.fail = function fail(word) { throw new RangeError(word) }
    }`,
}
const run = (code: string, more: Partial<RunRequest> = {}) => sandbox.run({ image, code, onCall: () => '', ...more })

describe('a run', () => {
  it('ends with the last value of its program', async () => {
    expect(await run('const words = ["a", "b"]; words.join("-")')).toMatchObject({ kind: 'completed', payload: 'a-b' })
    expect(await run('Promise.resolve("later")')).toMatchObject({ kind: 'completed', payload: 'later' })
  })

  it('uses its image, and sees nothing else', async () => {
    const code = '[typeof ask, typeof say, typeof hostCall, typeof hostPrint, typeof call].join()'
    expect(await run(code)).toMatchObject({ payload: 'function,function,undefined,undefined,undefined' })
  })

  it('reports a thrown value and its place, with the whole stack', async () => {
    const code = 'function inner(n) {\n  return n ? inner(n - 1) : fail("no")\n}\ninner(30)'
    const end = await run(code)
    expect(end).toMatchObject({ kind: 'threw', name: 'RangeError', message: 'no' })
    const frames = (end as { stack: string }).stack.trimEnd().split('\n')
    expect(frames[0]).toMatch(/^ {4}at fail \(prelude\.js:8:\d+\)$/)
    expect(frames.slice(1, -1)).toHaveLength(31)
    expect(new Set(frames.slice(2, -1))).toEqual(new Set(['    at inner (program.js:2:19)']))
    expect(frames.at(-1)).toMatch(/^ {4}at <eval> \(program\.js:4:\d+\)$/)
  })

  it('reports the place of a syntax error', async () => {
    expect(await run('let ok = 1\nlet 2')).toMatchObject({
      kind: 'threw',
      name: 'SyntaxError',
      stack: expect.stringContaining('program.js:2:5'),
    })
  })

  it('asks its host in order, one call after the other', async () => {
    const seen: unknown[] = []
    const onCall: RunRequest['onCall'] = async (call) => {
      seen.push({ ...call })
      await new Promise((done) => setImmediate(done))
      return call.payload.toUpperCase()
    }
    expect(await run('["a", "b", "c"].map(ask).join("")', { onCall })).toMatchObject({ payload: 'ABC' })
    expect(seen).toEqual([
      { id: 1, payload: 'a', waits: true },
      { id: 2, payload: 'b', waits: true },
      { id: 3, payload: 'c', waits: true },
    ])
  })

  it('passes on output before the next call and before the end', async () => {
    const heard: string[] = []
    const onCall = () => `${heard.length}`
    const end = await run('say("1"); say("2"); const n = ask(""); say("3\\n4"); say(""); n', {
      onCall,
      onPrint: (text) => heard.push(text),
    })
    expect(end).toMatchObject({ kind: 'completed', payload: '2' })
    expect(heard).toEqual(['1', '2', '3\n4', ''])
  })

  it('counts its time and its memory', async () => {
    const code =
      'ask(""); for (let i = 0; i < 1e6; i++); ask(""); const a = []; for (let i = 0; i < 1e5; i++) a.push({ i }); ""'
    // A guest that the machine stops just before it waits, waits less: the longest wait of some runs is looked at.
    const onCall = () => new Promise<string>((done) => setTimeout(done, 60, ''))
    let { stats } = await run(code, { onCall })
    for (let i = 0; i < 20 && stats.callWaitMs <= 100; i++) stats = (await run(code, { onCall })).stats
    expect(stats.callWaitMs).toBeGreaterThan(100)
    expect(stats.runMs).toBeGreaterThan(stats.callWaitMs)
    expect(stats.wallMs).toBeGreaterThanOrEqual(stats.runMs)
    expect(stats.queueMs).toBeLessThan(stats.wallMs)
    expect(stats.memoryBytes).toBeGreaterThan(2 * 1024 * 1024)
    expect(stats.memoryBytes % 4096).toBe(0)
    expect((await run('""')).stats.memoryBytes).toBe(0)
  })

  it.each([4, 8, 16, 32, 64])('has room again when small objects in cycles become garbage: %i MiB', async (mib) => {
    const code = 'for (let i = 0; i < 400000; i++) { const d = {}; d.self = d } "done"'
    const end = await run(code, { limits: { memoryBytes: mib * 1024 * 1024 } })
    expect(end).toMatchObject({ kind: 'completed', payload: 'done' })
  })

  it('has room again when large objects in cycles become garbage', async () => {
    const code = 'for (let i = 0; i < 20000; i++) { const a = Array(2000).fill(0); a[0] = a } "done"'
    expect(await run(code)).toMatchObject({ kind: 'completed', payload: 'done' })
  })

  it('uses one worker while another uses the other', async () => {
    const { open, arrival, onCall } = gate()
    const slow = run('ask("slow")', { onCall })
    await arrival
    expect(await run('"quick"')).toMatchObject({ kind: 'completed', payload: 'quick' })
    open()
    expect(await slow).toMatchObject({ kind: 'completed', payload: 'slow' })
  })
})

describe('images', () => {
  it('are separate, even on the same worker', async () => {
    const small = openSandbox({ maxWorkers: 1, spareWorkers: 0 })
    const named = (name: string) => ({ name, source: `globalThis.me = ${JSON.stringify(name)}` })
    const who = async (name: string) => {
      const end = await small.run({ image: named(name), code: 'me + (globalThis.seen ?? "")', onCall: () => '' })
      return end.kind === 'completed' ? end.payload : end
    }
    expect(await who('a')).toBe('a')
    expect(await who('b')).toBe('b')
    expect(await small.run({ image: named('a'), code: 'globalThis.seen = "!"; ""', onCall: () => '' })).toMatchObject({
      kind: 'completed',
    })
    expect([await who('b'), await who('a'), await who('c'), await who('a')]).toEqual(['b', 'a', 'c', 'a'])
    await small.close()
  })

  it('that cannot be evaluated fail their own runs and no others', async () => {
    const broken = { name: 'broken', source: 'throw new Error("never")' }
    const message = expect.stringMatching(/^the guest image broken can't be evaluated: Error: never\n/)
    expect(
      await Promise.all([run('"fine"'), sandbox.run({ image: broken, code: '""', onCall: () => '' })]),
    ).toMatchObject([
      { kind: 'completed', payload: 'fine' },
      { kind: 'fault', message },
    ])
    await expect(sandbox.warm(broken, 2)).rejects.toThrow(message.sample)
    expect(await run('"fine"')).toMatchObject({ kind: 'completed' })
  })
})
