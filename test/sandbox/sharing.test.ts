// Runs that share a worker, in runtimes that can suspend guests while they wait: they don't block or notice each other,
// and if one ruins the worker, all others that can continue elsewhere survive.

import { afterAll, describe, expect, it } from 'vitest'
import { openSandbox, type RunRequest } from '../../dist/sandbox/index.js'
import { hasSuspension } from '../../dist/sandbox/suspension.js'
import { withoutPlace } from '../attack/harness.js'
import { gate } from './gate.js'
import { noWorkersLeft, workersAlive } from './leaks.js'

noWorkersLeft()
const opened: { close(): Promise<void> }[] = []
afterAll(() => Promise.all(opened.map((sandbox) => sandbox.close())))

const image = { name: 'plain', source: 'globalThis.image = { seen: 0 }' }

/** A sandbox of one worker, where runs have all the time there is. */
function shared() {
  const limits = { wallMs: 600_000, cpuMs: 300_000 }
  const sandbox = openSandbox({ maxWorkers: 1, spareWorkers: 0, limits })
  opened.push(sandbox)
  const run = async (code: string, more: Partial<RunRequest> = {}) => {
    const { stats, ...end } = await sandbox.run({ image, code, onCall: () => '', ...more })
    return withoutPlace(end)
  }
  return { sandbox, run }
}

// Loops in native code that do not poll, for longer than any run here may compute.
const NATIVE = 'hostPrint("holding"); for (;;) Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)'

describe.skipIf(!hasSuspension())('runs of one worker', () => {
  it('wait at the same time, each in a world of its own', async () => {
    const code = (i: number) =>
      `image.seen += ${i}; globalThis.mine = ${i}; [1].map(() => hostCall('')); image.seen + ',' + mine`
    /** How many workers sixty runs have that wait at the same time. */
    const workersOfSixty = async () => {
      const { run, sandbox } = shared()
      const before = workersAlive()
      const { open, onCall } = gate()
      let waiting = 0
      const runs = Array.from({ length: 60 }, (_, i) =>
        run(code(i), {
          onCall: (call) => {
            if (++waiting === 60) open()
            return onCall(call)
          },
        }),
      )
      const ends = await Promise.all(runs)
      expect(ends).toEqual(ends.map((_, i) => ({ kind: 'completed', payload: `${i},${i}` })))
      const workers = workersAlive() - before
      await sandbox.close()
      return workers
    }
    // A worker that the machine stops looks like one that a run holds up, and gets another beside it: the fewest of
    // some attempts count.
    let workers = await workersOfSixty()
    for (let i = 0; i < 20 && workers > 1; i++) workers = await workersOfSixty()
    expect(workers).toBe(1)
  })

  it('are not blamed for the run before, which outlived its limit in native code and ended by itself', async () => {
    const { run, sandbox } = shared()
    const native = (steps: number) => `Array.prototype.indexOf.call({ length: ${steps} }, 1); '${steps}'`
    await sandbox.warm(image)
    // The speed of the machine decides which of these end in the time between the limit and the end of the thread.
    for (const steps of [2e6, 3.4e6, 5.8e6, 9.8e6, 16.7e6]) {
      await run(`${native(steps)}; for (;;) {}`, { limits: { wallMs: 1 } })
      // Its seat becomes free meanwhile.
      await run(native(1))
      expect(await run(native(25e6))).toEqual({ kind: 'completed', payload: '25000000' })
    }
  })

  it('get their turns while others compute, and each has its own computing time', async () => {
    const { run, sandbox } = shared()
    await sandbox.warm(image)
    const abort = new AbortController()
    let over = 0
    const long = ['a', 'b'].map((name) => {
      const code = `hostCall("${name}"); for (;;) {}`
      const begun = gate()
      begun.open()
      const end = run(code, { onCall: begun.onCall, signal: abort.signal }).finally(() => over++)
      return { begun: begun.arrival, end }
    })
    await Promise.all(long.map(({ begun }) => begun))
    const short = 'for (let i = 0; i < 1e5; i++); hostCall("")'
    for (let i = 0; i < 3; i++) expect(await run(short)).toEqual({ kind: 'completed', payload: '' })
    expect(over).toBe(0)
    abort.abort()
    for (const { end } of long) expect(await end).toEqual({ kind: 'cancelled' })
    const limited = [100, 200].map((cpuMs) => run('for (;;) {}', { limits: { cpuMs } }))
    expect(await Promise.all(limited)).toEqual(
      [100, 200].map((allowed) => ({ kind: 'limit', limit: 'cpuMs', allowed })),
    )
  })

  it('do not keep a new image waiting, nor a broken one from failing alone', async () => {
    const { run } = shared()
    const { open, arrival, onCall } = gate()
    const patient = run('hostCall("patient")', { onCall })
    await arrival
    const other = { name: 'other', source: 'globalThis.me = "other"' }
    expect(await run('me', { image: other })).toEqual({ kind: 'completed', payload: 'other' })
    const broken = { name: 'broken', source: 'throw new Error("never")' }
    expect(await run('me', { image: broken })).toMatchObject({ kind: 'fault' })
    open()
    expect(await patient).toEqual({ kind: 'completed', payload: 'patient' })
  })

  it('end by their own limits, and are cancelled, while others go on', async () => {
    const { run } = shared()
    const { open, arrival, onCall } = gate()
    const patient = run('hostCall("patient")', { onCall })
    await arrival
    const abort = new AbortController()
    const never = () => new Promise<string>(() => undefined)
    const cancelled = run('hostCall("")', { onCall: never, signal: abort.signal })
    expect(await run('hostCall("")', { onCall: never, limits: { wallMs: 50 } })).toMatchObject({ limit: 'wallMs' })
    expect(await run('for (;;) {}', { limits: { cpuMs: 50 } })).toMatchObject({ limit: 'cpuMs' })
    expect(await run('const a = []; for (;;) a.push({})')).toMatchObject({ limit: 'memoryBytes' })
    expect(await run('function f() { f() } f()')).toMatchObject({ limit: 'stackBytes' })
    abort.abort()
    expect(await cancelled).toEqual({ kind: 'cancelled' })
    open()
    expect(await patient).toEqual({ kind: 'completed', payload: 'patient' })
  })
})

describe.skipIf(!hasSuspension())('a worker that one run holds', () => {
  it('lets the others continue elsewhere, without an extra call or line', async () => {
    const { run } = shared()
    const printed: string[] = []
    const calls: string[] = []
    const { open, arrival, onCall } = gate()
    const innocent = run(
      `hostPrint('one'); const a = hostCall('first'); hostSend('sent'); hostPrint('two'); const b = hostCall('held')
       hostPrint('three'); [a, b, hostReceiveAny()].join()`,
      {
        onCall: (call) => {
          calls.push(call.payload)
          return call.payload === 'held' ? onCall(call) : call.payload.toUpperCase()
        },
        onPrint: (text) => printed.push(text),
      },
    )
    await arrival
    const abort = new AbortController()
    // While the worker is blocked, it can continue only elsewhere.
    const holder = run(NATIVE, { signal: abort.signal, onPrint: open })
    const first = await Promise.race([innocent, holder])
    expect(first).toEqual({ kind: 'completed', payload: 'FIRST,held,2 SENT' })
    expect([calls, printed]).toEqual([
      ['first', 'sent', 'held'],
      ['one', 'two', 'three'],
    ])
    abort.abort()
    expect(await holder).toEqual({ kind: 'cancelled' })
  })

  it('is ended at the limit of the run that blocks it, and no other run notices', async () => {
    const { run } = shared()
    const { open, arrival, onCall } = gate()
    const innocent = run('hostCall("went on")', { onCall })
    await arrival
    expect(await run(NATIVE, { limits: { cpuMs: 100 } })).toEqual({ kind: 'limit', limit: 'cpuMs', allowed: 100 })
    open()
    expect(await innocent).toEqual({ kind: 'completed', payload: 'went on' })
  })

  it('ends the runs that have received too much to be replayed, and they report it', async () => {
    const { run } = shared()
    const { open, arrival, onCall } = gate()
    const large = (call: { readonly payload: string }) =>
      call.payload === 'large' ? 'x'.repeat(1_000_000) : onCall(call)
    const rich = run('hostCall("large"); hostCall("wait")', { onCall: large })
    await arrival
    let isOver = false
    rich.finally(() => {
      isOver = true
    })
    // A run to which the machine gives nothing for so long ends before it holds the worker.
    for (let i = 0; i < 20 && !isOver; i++)
      expect(await run(NATIVE, { limits: { cpuMs: 100 } })).toMatchObject({ limit: 'cpuMs' })
    expect(await rich).toEqual({
      kind: 'fault',
      message: 'another run ended the worker that it shared, and what it has received is too much to run it again',
    })
    open()
    expect(await run('"fine"')).toEqual({ kind: 'completed', payload: 'fine' })
  })
})
