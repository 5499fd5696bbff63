// Long computations get the processor time that others leave, and waiting for a processor does not count as computing.

import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { availableParallelism, getPriority } from 'node:os'
import { afterAll, describe, expect, it } from 'vitest'
import { CodeMode } from '../../dist/index.js'
import { openHostWorkers } from '../../dist/sandbox/index.js'
import { defaultLimits } from '../../dist/sandbox/limits.js'
import { Meter } from '../../dist/sandbox/meter.js'
import { ownClock, ownThread, ThreadClock } from '../../dist/sandbox/thread-clock.js'
import { canWatchLoop } from '../fixtures/loop-watch.js'
import { noWorkersLeft } from './leaks.js'

noWorkersLeft()
const workers = openHostWorkers({ module: new URL('./host-work.mjs', import.meta.url).href, maxThreads: 1 })
afterAll(() => workers.close())

/** The number of threads of this process with less than the usual share. */
function lowered(): number {
  const usual = getPriority()
  let count = 0
  for (const thread of readdirSync('/proc/self/task')) {
    try {
      if (getPriority(Number(thread)) > usual) count++
    } catch {
      // It has just ended.
    }
  }
  return count
}

describe.skipIf(!canWatchLoop)('a thread that computes for long', () => {
  it('gives way while it works for the host, and not when the next piece is done', async () => {
    const flag = new Int32Array(new SharedArrayBuffer(4))
    const work = (act: string, value: unknown) =>
      workers.run({ input: { act, value }, withinMs: 300_000, workMs: 300_000 })
    const long = work('until', flag)
    await expect.poll(lowered).toBe(1)
    Atomics.store(flag, 0, 1)
    expect(await long).toEqual({ kind: 'done', value: 'told', workMs: expect.any(Number) })
    expect(await work('echo', 1)).toEqual({ kind: 'done', value: 1, workMs: expect.any(Number) })
    expect(lowered()).toBe(0)
  })

  it('gives way while it runs a program, and not when it has ended', async () => {
    const stop = new AbortController()
    await using codeMode = await CodeMode.open({ servers: {} })
    const run = codeMode.run('while True: pass', { signal: stop.signal })
    // Guests that share a thread take turns instead.
    if (process.versions.node.startsWith('20.') || process.versions.node.startsWith('22.'))
      await expect.poll(lowered).toBe(1)
    stop.abort()
    expect((await run).error).toMatchObject({ code: 'cancelled' })
    await codeMode.run('1')
    // A stopped thread takes a moment to end.
    await expect.poll(lowered).toBe(0)
  })

  it('knows its computing time', () => {
    const clocks = [new ThreadClock(ownThread()), ownClock()] as const
    const before = clocks.map((clock) => clock.read()!)
    for (const end = performance.now() + 100; performance.now() < end; );
    for (const [i, clock] of clocks.entries()) expect(clock.read()!).toBeGreaterThan(before[i]!)
    clocks[0].close()
    expect(clocks[0].read()).toBe(undefined)
  })

  it('is ended when its computing time is used up, however busy the processors are', async () => {
    await using codeMode = await CodeMode.open({ servers: {}, limits: { cpuMs: 150, wallMs: 300_000 } })
    await codeMode.run('1')
    // Each has a share of the processors; the program has the rest.
    const busy = Array.from({ length: 2 * availableParallelism() }, () =>
      spawn('sh', ['-c', 'while :; do :; done'], { stdio: 'ignore' }),
    )
    try {
      const before = process.cpuUsage()
      const { error } = await codeMode.run('while True: pass')
      const { user, system } = process.cpuUsage(before)
      expect(error).toMatchObject({ code: 'limit-cpu-ms' })
      // The clocks are a few milliseconds late. In wall time it would have had a fifth of this.
      expect((user + system) / 1000).toBeGreaterThan(112)
    } finally {
      for (const neighbour of busy) neighbour.kill('SIGKILL')
    }
  })
})

describe('the computing time of a run', () => {
  const limits = { ...defaultLimits, cpuMs: 100, wallMs: 10_000 }
  const clockAt = (times: number[]) =>
    Object.assign(new ThreadClock(undefined), { read: () => times.shift() }) as ThreadClock
  const outcome = (meter: Meter, now: number): string => meter.timeOver(now) ?? 'goes on'

  it('is its processor time, if the system reports it', () => {
    const meter = new Meter(limits, 0, { clock: clockAt([1000, 1040, 1070, 1100]) })
    expect([99, 150, 209].map((now) => outcome(meter, now))).toEqual(['goes on', 'goes on', 'goes on'])
    expect(meter.awayMs).toBe(110)
    expect(outcome(meter, 210)).toBe('goes on')
    expect(meter.awayMs).toBe(140)
    expect(outcome(meter, 240)).toBe('cpuMs')
  })

  it('is that of its slices, if it shares a thread', () => {
    const meter = new Meter(limits, 0, {
      clock: clockAt([1000, 1030, 5000, 5020, 9000, 9040, 9050]),
      sharesThread: true,
    })
    meter.leave(60)
    expect([meter.awayMs, outcome(meter, 1000)]).toEqual([30, 'goes on'])
    meter.comeBack(1000, 'parked')
    meter.leave(1060)
    expect([meter.awayMs, meter.waitedMs]).toEqual([30 + 940 + 40, 0])
    meter.comeBack(2000, 'calls')
    expect([meter.awayMs, meter.waitedMs]).toEqual([30 + 940 + 40 + 940, 940])
    expect([2049, 2050, 2059].map((now) => outcome(meter, now))).toEqual(['goes on', 'goes on', 'goes on'])
    expect(outcome(meter, 2060)).toBe('cpuMs')
  })

  it('is wall time elsewhere', () => {
    const meter = new Meter(limits, 0, { clock: new ThreadClock(undefined) })
    expect(outcome(meter, 99)).toBe('goes on')
    expect(outcome(meter, 100)).toBe('cpuMs')
  })
})
