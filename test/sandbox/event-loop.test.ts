// The host's event loop goes on while guests misbehave: fifty hostile runs end by their limits, and nothing blocks it for long.

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

async function fiftyHostileRuns(): Promise<void> {
  const runs = Array.from({ length: 50 }, (_, i) => {
    const [code, limits] = hostile[i % hostile.length]!
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

it('no block is longer than 50 ms', async () => {
  await sandbox.warm({ name: 'plain', source: '' }, WORKERS)
  const delays: number[] = []
  for (let attempt = 0; attempt < 3 && !delays.some((ms) => ms < 50); attempt++)
    delays.push(await longestDelay(fiftyHostileRuns))
  const least = Math.min(...delays)
  // A machine that is shared with others may stall by itself; then it does so without the sandbox too.
  const allowed = least < 50 ? 50 : Math.max(50, 1.5 * (await longestDelay(machineAlone)))
  expect(least).toBeLessThan(allowed)
})
