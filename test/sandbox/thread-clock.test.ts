// Long computations go on with what the others leave of the processors, and waiting for a processor is not computing.

import { readdirSync } from 'node:fs'
import { getPriority } from 'node:os'
import { afterAll, describe, expect, it } from 'vitest'
import { CodeMode } from '../../dist/index.js'
import { openHostWorkers } from '../../dist/sandbox/index.js'
import { defaultLimits } from '../../dist/sandbox/limits.js'
import { Meter } from '../../dist/sandbox/meter.js'
import { ownThread, ThreadClock } from '../../dist/sandbox/thread-clock.js'
import { canWatchLoop } from '../fixtures/loop-watch.js'
import { noWorkersLeft } from './leaks.js'

noWorkersLeft()
const workers = openHostWorkers({ module: new URL('./host-work.mjs', import.meta.url).href, maxThreads: 1 })
afterAll(() => workers.close())

/** How many threads of this process have less than the usual share. */
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
    // Where guests share a thread, they take turns instead.
    if (process.versions.node.startsWith('20.') || process.versions.node.startsWith('22.'))
      await expect.poll(lowered).toBe(1)
    stop.abort()
    expect((await run).error).toMatchObject({ code: 'cancelled' })
    await codeMode.run('1')
    // A thread that was stopped takes a moment to end.
    await expect.poll(lowered).toBe(0)
  })

  it('knows for how long', () => {
    const clock = new ThreadClock(ownThread())
    const before = clock.read()!
    for (const end = performance.now() + 100; performance.now() < end; );
    expect(clock.read()!).toBeGreaterThan(before)
    clock.close()
    expect(clock.read()).toBe(undefined)
  })
})

describe('the time that a run may compute', () => {
  const limits = { ...defaultLimits, cpuMs: 100, wallMs: 10_000 }
  const clockAt = (times: number[]) =>
    Object.assign(new ThreadClock(undefined), { read: () => times.shift() }) as ThreadClock
  const outcome = (meter: Meter, now: number): string => meter.timeOver(now) ?? 'goes on'

  it('is that of its processor, where the system tells', () => {
    const meter = new Meter(limits, 0, { clock: clockAt([1000, 1040, 1070, 1100]) })
    expect([99, 150, 209].map((now) => outcome(meter, now))).toEqual(['goes on', 'goes on', 'goes on'])
    expect(meter.awayMs).toBe(110)
    expect(outcome(meter, 210)).toBe('goes on')
    expect(meter.awayMs).toBe(140)
    expect(outcome(meter, 240)).toBe('cpuMs')
  })

  it('is that of the clock elsewhere', () => {
    const meter = new Meter(limits, 0, { clock: new ThreadClock(undefined) })
    expect(outcome(meter, 99)).toBe('goes on')
    expect(outcome(meter, 100)).toBe('cpuMs')
  })
})
