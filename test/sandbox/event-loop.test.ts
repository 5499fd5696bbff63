// The host's event loop goes on while guests misbehave: twenty hostile runs end by their limits, and nothing blocks it
// for long.

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'
import { afterAll, expect, it } from 'vitest'
import { openSandbox } from '../../dist/sandbox/index.js'
import { noWorkersLeft } from './leaks.js'

noWorkersLeft()
const WORKERS = 2
const sandbox = openSandbox({ maxWorkers: WORKERS, spareWorkers: 0 })
afterAll(() => sandbox.close())

const MIB = 1024 * 1024
const hostile: [code: string, limits: object][] = [
  ['for (;;) {}', { wallMs: 60 }],
  ['for (;;) {}', { cpuMs: 60 }],
  ['const a = []; a.length = 2 ** 32 - 1; a.lastIndexOf(1)', { wallMs: 60 }],
  ['/(a*)*b/.test("a".repeat(50))', { wallMs: 60 }],
  ['const a = []; for (;;) a.push({})', { memoryBytes: 32 * MIB }],
  ['function f() { f() } f()', {}],
  ['for (let i = 0; ; i++) hostPrint("line " + i)', { printedLines: 20_000 }],
  ['hostPrint("x".repeat(1e6)); hostPrint("x".repeat(1e6))', {}],
  ['for (;;) hostCall("x")', { toolCalls: 300 }],
  ['hostCall("x".repeat(1e6)); "x".repeat(5e6)', {}],
]

/** The longest delay of the event loop while `act` goes on, in milliseconds. */
async function longestDelay(act: () => Promise<unknown>): Promise<number> {
  const monitor = monitorEventLoopDelay({ resolution: 5 })
  monitor.enable()
  await act()
  monitor.disable()
  return monitor.max / 1e6 - 5
}

async function hostileRuns(): Promise<void> {
  const runs = [...hostile, ...hostile].map(([code, limits]) => {
    return sandbox.run({ image: { name: 'plain', source: '' }, code, limits, onCall: () => 'y'.repeat(1000) })
  })
  const kinds = (await Promise.all(runs)).map((end) => end.kind)
  expect(kinds).toEqual(kinds.map(() => 'limit'))
}

/** As many threads that compute, without any sandbox: what this machine does to an event loop at this moment. */
async function machineAlone(): Promise<void> {
  const spin = 'const end = Date.now() + 2000; while (Date.now() < end);'
  const ended = Array.from(
    { length: WORKERS },
    () => new Promise((done) => new Worker(spin, { eval: true }).once('exit', done)),
  )
  await Promise.all(ended)
}

it('hostile programs block the event loop for at most 50 ms', { timeout: 600_000 }, async () => {
  await sandbox.warm({ name: 'plain', source: '' }, WORKERS)
  // A machine that is shared with others may stall by itself; then it does so without the sandbox too. What the sandbox
  // does to the event loop, it does every time: the best of many attempts counts.
  let least = Number.POSITIVE_INFINITY
  let allowed = 50
  for (let attempt = 0; attempt < 30 && least >= allowed; attempt++) {
    least = Math.min(least, await longestDelay(hostileRuns))
    if (least >= allowed) allowed = Math.max(allowed, 1.5 * (await longestDelay(machineAlone)))
  }
  expect(least).toBeLessThan(allowed)
})
