// Idle threads of closed owners: the next owner takes them over, without anything of the one before, and they end soon.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Worker } from 'node:worker_threads'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { HostWorkers, Lesson, Sandbox, SandboxOptions } from '../../dist/sandbox/index.js'
import * as sandboxes from '../../dist/sandbox/index.js'
import { gate } from './gate.js'
import { endParkedWorkers, noWorkersLeft, workersAlive, workersParked } from './leaks.js'

noWorkersLeft()

const started: Worker[] = []
const note = (worker: Worker): void => void started.push(worker)
process.on('worker', note)
afterAll(() => void process.off('worker', note))

beforeEach(async () => {
  await endParkedWorkers()
  started.length = 0
})

const opened: { close(): Promise<void> }[] = []
afterEach(() => Promise.all(opened.splice(0).map((one) => one.close())))

function openHostWorkers(options: Parameters<typeof sandboxes.openHostWorkers>[0]): HostWorkers {
  const workers = sandboxes.openHostWorkers(options)
  opened.push(workers)
  return workers
}

function openSandbox(options: SandboxOptions): Sandbox {
  const sandbox = sandboxes.openSandbox(options)
  opened.push(sandbox)
  return sandbox
}

const threads = () => ({ alive: workersAlive(), parked: workersParked(), started: started.length })
const module = new URL('./host-work.mjs', import.meta.url).href
const enough = { withinMs: 300_000, workMs: 300_000 }
const options = { module, handsOn: true }
const work = (workers: HostWorkers, input: object, lessons: readonly Lesson[] = []) =>
  workers.run({ input, lessons, ...enough })
const done = (value: unknown) => ({ kind: 'done', value, workMs: expect.any(Number) })

describe('host workers', () => {
  it('hand an idle thread on, which knows nothing of its former owner', async () => {
    const first = openHostWorkers(options)
    const lesson: Lesson = { id: 1, pieces: () => ['secret'] }
    expect(await work(first, { act: 'learnt', value: [1] }, [lesson])).toEqual(done([['secret']]))
    await first.close()
    expect(threads()).toEqual({ alive: 1, parked: 1, started: 1 })
    const second = openHostWorkers(options)
    expect(await work(second, { act: 'learnt', value: [1] })).toEqual(done([undefined]))
    expect(await work(second, { act: 'learnt', value: [1] }, [lesson])).toEqual(done([['secret']]))
    await first.close()
    expect(threads()).toEqual({ alive: 1, parked: 0, started: 1 })
    expect(await work(second, { act: 'echo', value: 'mine' })).toEqual(done('mine'))
  })

  it('hand a thread on that is only starting', async () => {
    const first = openHostWorkers(options)
    first.warm()
    await first.close()
    const second = openHostWorkers(options)
    expect(await work(second, { act: 'echo', value: 1 })).toEqual(done(1))
    expect(threads()).toEqual({ alive: 1, parked: 0, started: 1 })
  })

  it('end a thread that is at work, and wait until it has ended', async () => {
    const workers = openHostWorkers(options)
    await work(workers, { act: 'echo' })
    const end = work(workers, { act: 'endless' })
    await workers.close()
    expect(await end).toEqual({ kind: 'cancelled' })
    expect(threads()).toEqual({ alive: 0, parked: 0, started: 1 })
  })

  it.each(['throw', 'deep', 'function', 'exit'])('hand no thread on whose work failed: %s', async (act) => {
    const workers = openHostWorkers(options)
    await work(workers, { act, value: 'failed' })
    await workers.close()
    expect(threads()).toEqual({ alive: 0, parked: 0, started: 1 })
  })

  it('hand no thread on that was killed while it was parked', async () => {
    const first = openHostWorkers(options)
    await work(first, { act: 'echo' })
    await first.close()
    await started[0]!.terminate()
    expect(threads()).toEqual({ alive: 0, parked: 0, started: 1 })
    const second = openHostWorkers(options)
    expect(await work(second, { act: 'echo', value: 1 })).toEqual(done(1))
    expect(threads()).toEqual({ alive: 1, parked: 0, started: 2 })
  })

  it('take no thread with other options', async () => {
    const first = openHostWorkers(options)
    await work(first, { act: 'echo' })
    await first.close()
    const others = [{ module }, { module, handsOn: true, heapMb: 64 }].map(openHostWorkers)
    await Promise.all(others.map((workers) => work(workers, { act: 'echo' })))
    expect(threads()).toEqual({ alive: 3, parked: 1, started: 3 })
    await Promise.all(others.map((workers) => workers.close()))
    expect(threads()).toEqual({ alive: 2, parked: 2, started: 3 })
  })
})

it('at most two are parked, the latest ones', async () => {
  const owners = [1, 2, 3].map(() => openHostWorkers(options))
  for (const owner of owners) await work(owner, { act: 'echo' })
  const ended = new Promise((resolve) => started[0]!.once('exit', resolve))
  for (const owner of owners) await owner.close()
  expect(workersParked()).toBe(2)
  await ended
  expect(threads()).toEqual({ alive: 2, parked: 2, started: 3 })
})

it('parked threads end after five seconds', async () => {
  const workers = openHostWorkers(options)
  await work(workers, { act: 'echo' })
  const ended = new Promise((resolve) => started[0]!.once('exit', resolve))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    await workers.close()
    vi.advanceTimersByTime(4_999)
    expect(workersParked()).toBe(1)
    vi.advanceTimersByTime(1)
    expect(workersParked()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
  await ended
  expect(threads()).toEqual({ alive: 0, parked: 0, started: 1 })
})

const image = { name: 'own', source: 'globalThis.own = 1', digest: 'of nothing stored' }

describe('a sandbox', () => {
  const run = (sandbox: Sandbox, code: string) =>
    sandbox.run({ image, code, onCall: ({ payload }) => `got ${payload}` })

  it('hands an idle thread on, with a pristine guest and the same image', async () => {
    const first = openSandbox({ handsOn: true })
    const spoil = 'own = 2; globalThis.left = "secret"; hostCall("first")'
    expect(await run(first, spoil)).toMatchObject({ kind: 'completed', payload: 'got first' })
    await first.close()
    expect(threads()).toEqual({ alive: 1, parked: 1, started: 1 })
    const second = openSandbox({ handsOn: true, limits: { wallMs: 9_000 } })
    const look = 'hostCall(`${own} ${typeof left}`)'
    expect(await run(second, look)).toMatchObject({ kind: 'completed', payload: 'got 1 undefined' })
    await first.close()
    expect(await run(second, look)).toMatchObject({ kind: 'completed', payload: 'got 1 undefined' })
    expect(threads()).toEqual({ alive: 1, parked: 0, started: 1 })
  })

  it.each([
    ['a smaller ceiling of memory', { handsOn: true, ceilings: { memoryBytes: 64_000_000 } }],
    ['a smaller ceiling of the stack', { handsOn: true, ceilings: { stackBytes: 300_000 } }],
    ['another channel', { handsOn: true, channel: 'blocking', runsPerWorker: 2 }],
    ['nothing to hand on', {}],
  ] as const)('takes no thread if it has %s', async (_, others) => {
    const first = openSandbox({ handsOn: true })
    await run(first, '""')
    await first.close()
    const second = openSandbox(others)
    expect(await run(second, '"ran"')).toMatchObject({ kind: 'completed', payload: 'ran' })
    expect(threads()).toEqual({ alive: 2, parked: 1, started: 2 })
  })

  it('ends a thread that has a run', async () => {
    const sandbox = openSandbox({ handsOn: true })
    const { arrival, onCall } = gate()
    const end = sandbox.run({ image, code: 'hostCall("")', onCall })
    await arrival
    await sandbox.close()
    expect(await end).toMatchObject({ kind: 'cancelled' })
    expect(threads()).toMatchObject({ alive: 0, parked: 0 })
  })

  it('ends a thread that has grown', async () => {
    const sandbox = openSandbox({ handsOn: true })
    const fill = 'const all = []; for (let i = 0; i < 5e5; i++) all.push({ i }); ""'
    expect(await run(sandbox, fill)).toMatchObject({ kind: 'completed' })
    await sandbox.close()
    expect(threads()).toMatchObject({ alive: 0, parked: 0 })
  })

  it('has the next large run in a thread that has grown, and ends it when none comes', async () => {
    const sandbox = openSandbox({ maxWorkers: 1, spareWorkers: 0 })
    const fill = 'const all = []; for (let i = 0; i < 2e5; i++) all.push({ i }); ""'
    for (let i = 0; i < 3; i++) expect(await run(sandbox, fill)).toMatchObject({ kind: 'completed' })
    expect(threads()).toMatchObject({ alive: 1, started: 1 })
    await vi.waitFor(() => expect(threads()).toMatchObject({ alive: 0 }), 60_000)
  })
})

it('a process ends while threads are parked', async () => {
  const elsewhere = process.env.TESTED_DIST ?? fileURLToPath(new URL('../../dist', import.meta.url))
  const text = `
    import { CodeMode } from ${JSON.stringify(`${elsewhere}/index.js`)}
    const codeMode = await CodeMode.open({})
    console.log((await codeMode.run('result = 1')).result)
    await codeMode.close()
    setTimeout(() => console.log('something kept the process alive'), 1_000).unref()`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', text])
  expect(stdout).toBe('1\n')
})
