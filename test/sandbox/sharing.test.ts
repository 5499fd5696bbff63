// Runs that share a worker because their guests are suspended while they wait, where the runtime can do that: they don't hold each other up, they
// don't notice each other, and one that ruins the worker takes nobody with it who could go on elsewhere.

import { afterAll, describe, expect, it } from 'vitest'
import { openSandbox, type RunRequest, type SandboxOptions } from '../../dist/sandbox/index.js'
import { hasSuspension } from '../../dist/sandbox/suspension.js'
import { noWorkersLeft, workersAlive } from './leaks.js'

noWorkersLeft()
const opened: { close(): Promise<void> }[] = []
afterAll(() => Promise.all(opened.map((sandbox) => sandbox.close())))

const image = { name: 'plain', source: 'globalThis.image = { seen: 0 }' }

/** A sandbox of one worker. */
function shared(options: SandboxOptions = {}) {
  const sandbox = openSandbox({ maxWorkers: 1, spareWorkers: 0, ...options })
  opened.push(sandbox)
  const run = async (code: string, more: Partial<RunRequest> = {}) => {
    const { stats, ...end } = await sandbox.run({ image, code, onCall: () => '', ...more })
    return end
  }
  return { sandbox, run }
}

/** Calls that are answered when they are told to be. */
function gate() {
  let open: () => void = () => undefined
  const opening = new Promise<void>((done) => {
    open = done
  })
  let came: () => void = () => undefined
  const arrival = new Promise<void>((done) => {
    came = done
  })
  const onCall = (call: { readonly payload: string }) => {
    came()
    return opening.then(() => call.payload)
  }
  return { open: () => open(), arrival, onCall }
}

// A loop in native code that does not poll: for about as long as a run here may compute.
const NATIVE = 'hostPrint("holding"); const a = []; a.length = 2 ** 32 - 1; a.lastIndexOf(1); ""'

describe.skipIf(!hasSuspension())('runs of one worker', () => {
  it('wait at the same time, each in a world of its own', async () => {
    const { run } = shared()
    const before = workersAlive()
    const { open, onCall } = gate()
    let waiting = 0
    const code = (i: number) =>
      `image.seen += ${i}; globalThis.mine = ${i}; [1].map(() => hostCall('')); image.seen + ',' + mine`
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
    expect(workersAlive() - before).toBe(1)
  })

  it('get their turns while others compute, and each has its own time to compute', async () => {
    const { run, sandbox } = shared({ limits: { cpuMs: 600 } })
    await sandbox.warm(image)
    const order: string[] = []
    const long = ['a', 'b'].map((name) => run('for (;;) {}').then((end) => order.push(`${name} ${end.kind}`)))
    await run('hostCall("")')
    const { stats } = await sandbox.run({
      image,
      code: 'for (let i = 0; i < 1e5; i++); hostCall("")',
      onCall: () => '',
    })
    order.push('short')
    await Promise.all(long)
    expect(order[0]).toBe('short')
    expect(order.slice(1).sort()).toEqual(['a limit', 'b limit'])
    expect(stats.runMs).toBeGreaterThan(0)
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
  it('lets the others go on elsewhere, without a call or a line too many', async () => {
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
    const holder = run(NATIVE, { limits: { cpuMs: 20_000 }, signal: abort.signal })
    // Only elsewhere can it get so far while the worker is held.
    setTimeout(open, 300)
    const first = await Promise.race([innocent, holder])
    expect(first).toEqual({ kind: 'completed', payload: 'FIRST,held,2 SENT' })
    expect([calls, printed]).toEqual([
      ['first', 'sent', 'held'],
      ['one', 'two', 'three'],
    ])
    abort.abort()
    expect(await holder).toEqual({ kind: 'cancelled' })
  })

  it('is ended at the limit of the run that holds it, and nobody else notices', async () => {
    const { run } = shared()
    const { open, arrival, onCall } = gate()
    const innocent = run('hostCall("went on")', { onCall })
    await arrival
    let holding: () => void = () => undefined
    const held = new Promise<void>((done) => {
      holding = done
    })
    const holder = run(NATIVE, { limits: { cpuMs: 100 }, onPrint: () => holding() })
    await held
    expect(await holder).toEqual({ kind: 'limit', limit: 'cpuMs', allowed: 100 })
    open()
    expect(await innocent).toEqual({ kind: 'completed', payload: 'went on' })
  })

  it('takes those with it who have received too much to be run again, and they are told', async () => {
    const { run } = shared()
    const { open, arrival, onCall } = gate()
    const large = (call: { readonly payload: string }) =>
      call.payload === 'large' ? 'x'.repeat(1_000_000) : onCall(call)
    const rich = run('hostCall("large"); hostCall("wait")', { onCall: large })
    await arrival
    expect(await run(NATIVE, { limits: { cpuMs: 100 } })).toMatchObject({ limit: 'cpuMs' })
    expect(await rich).toEqual({
      kind: 'fault',
      message: 'another run ended the worker that it shared, and what it has received is too much to run it again',
    })
    open()
    expect(await run('"fine"')).toEqual({ kind: 'completed', payload: 'fine' })
  })
})
