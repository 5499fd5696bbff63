// Threads change their desks: what a thread knows of one desk is gone when another one has it.

import { beforeEach, expect, it } from 'vitest'
import { bindServers } from '../../dist/bindings/index.js'
import { serverPieces } from '../../dist/bindings/taught-servers.js'
import * as thread from '../../dist/meta-tools/desk-work.js'
import { Desk } from '../../dist/meta-tools/index.js'
import { endParkedWorkers, noWorkersLeft, workersAlive, workersParked } from '../sandbox/leaks.js'

noWorkersLeft()

const schema = { type: 'object', properties: { code: { type: 'string', pattern: '^s+ecret$' } }, required: ['code'] }
const [vault] = bindServers([{ name: 'vault', tools: [{ name: 'open', inputSchema: schema }] }]).servers

const prepare = (number: number, text: string) => ({
  kind: 'prepare',
  number,
  program: { text, language: 'starlark' },
  dialect: {},
  servers: [7],
  distrusted: [],
  unavailable: {},
  reads: [],
})

/** The line of the program for the first place of the generated code that has one. */
function firstLine(task: ReturnType<typeof prepare>, code: string): unknown {
  const rows = code.split('\n')
  const places = rows.flatMap((row, i) => [...row].map((_, column) => ({ line: i + 1, column: column + 1 })))
  for (const place of places) {
    const line = thread.work({ kind: 'line', prepare: task, place })
    if (line !== undefined) return line
  }
  return undefined
}

beforeEach(async () => {
  await endParkedWorkers()
  thread.forgetAll()
  for (const piece of serverPieces(vault!)) thread.learn(7, piece)
})

it('a program is compiled with the tools of its own desk alone', () => {
  const task = prepare(1, 'vault.open(code="secret")')
  expect(thread.work(task)).toMatchObject({ ok: true, reach: { tools: [{ namespace: 'vault', member: 'open' }] } })
  thread.forgetAll()
  expect(thread.work(task)).toMatchObject({
    ok: false,
    diagnostics: [{ code: 'undefined-name', message: 'undefined: vault' }],
  })
})

it('the number of a program names nothing any more', () => {
  const { code } = thread.work(prepare(1, '\n\n\nvault.open(code="secret")')) as { readonly code: string }
  const other = prepare(1, 'vault.open(code="secret")')
  const known = firstLine(other, code)
  thread.forgetAll()
  for (const piece of serverPieces(vault!)) thread.learn(7, piece)
  expect([known, firstLine(other, code)]).toEqual([4, 1])
})

const bindings = bindServers([])
const options = { dialect: {}, unavailable: {}, limits: { wallMs: 300_000, cpuMs: 300_000 }, elapsedMs: 0 }

it('a desk that closes while it compiles hands nothing on, and the next one compiles', async () => {
  const first = new Desk()
  await first.prepare({ text: 'result = 1', language: 'starlark' }, bindings, options)
  const text = 'x = [1, 2, 3]\n'.repeat(3_000)
  const underway = first.prepare({ text, language: 'starlark' }, bindings, options)
  await first.close()
  expect((await underway).compilation).toMatchObject({ ok: false, diagnostics: [{ code: 'cancelled' }] })
  expect([workersAlive(), workersParked()]).toEqual([0, 0])
  const second = new Desk()
  const prepared = await second.prepare({ text: 'result = 2', language: 'starlark' }, bindings, options)
  expect(prepared.compilation.ok).toBe(true)
  await second.close()
  expect([workersAlive(), workersParked()]).toEqual([1, 1])
})
