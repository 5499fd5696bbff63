// Wall: cancellation. It ends a run at once, wherever it is, and cancels its calls.

import { expect, it } from 'vitest'
import { openSandbox } from '../../dist/sandbox/index.js'
import { arena, plain } from './harness.js'

const { attack } = arena()

it.each([
  ['in a loop', 'hostPrint("go"); for (;;) {}'],
  ['in a loop that catches everything', 'hostPrint("go"); for (;;) try { for (;;) {} } catch {} finally { continue }'],
  ['in a native loop', 'hostPrint("go"); const a = []; a.length = 2 ** 32 - 1; a.lastIndexOf(1)'],
  ['in a promise job', 'hostPrint("go"); (async () => { for (;;) await null })()'],
])('cancelling ends a run %s', async (_, code) => {
  const abort = new AbortController()
  const { end } = await attack(code, { signal: abort.signal, onPrint: () => abort.abort() })
  expect(end).toEqual({ kind: 'cancelled' })
})

it('cancelling a run aborts its call', async () => {
  const abort = new AbortController()
  let told = false
  const { end } = await attack('hostCall("")', {
    signal: abort.signal,
    onCall: (_, signal) => {
      signal.addEventListener('abort', () => (told = true))
      setImmediate(() => abort.abort())
      return new Promise(() => undefined)
    },
  })
  expect(end).toEqual({ kind: 'cancelled' })
  expect(told).toBe(true)
})

it('a run can be cancelled before it begins and while it waits', async () => {
  const sandbox = openSandbox({ maxWorkers: 1, runsPerWorker: 1, spareWorkers: 0 })
  const run = (signal: AbortSignal) => sandbox.run({ image: plain, code: 'hostCall("")', signal, onCall: () => '' })
  expect(await run(AbortSignal.abort())).toMatchObject({ kind: 'cancelled', stats: { runMs: 0 } })
  const abort = new AbortController()
  const first = sandbox.run({
    image: plain,
    code: 'hostCall("")',
    onCall: () => new Promise((done) => setTimeout(done, 50, 'x')),
  })
  const waiting = run(abort.signal)
  abort.abort()
  expect(await waiting).toMatchObject({ kind: 'cancelled', stats: { runMs: 0 } })
  expect(await first).toMatchObject({ kind: 'completed', payload: 'x' })
  await sandbox.close()
})
