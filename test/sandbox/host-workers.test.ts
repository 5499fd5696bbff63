// Host workers: work on hostile input ends in time and affects only its own caller.

import { afterAll, describe, expect, it } from 'vitest'
import {
  type HostWorkers,
  type Lesson,
  openHostWorkers,
  openWorkerProcess,
  type WorkEnd,
} from '../../dist/sandbox/index.js'
import { noWorkersLeft, workersAlive } from './leaks.js'

noWorkersLeft()
const module = new URL('./host-work.mjs', import.meta.url).href
const opened: HostWorkers[] = []
afterAll(() => Promise.all(opened.map((workers) => workers.close())))

function open(options: { maxThreads?: number; maxWaiting?: number; heapMb?: number } = {}): HostWorkers {
  const workers = openHostWorkers({ module, ...options })
  opened.push(workers)
  return workers
}

const enough = { withinMs: 300_000, workMs: 300_000 }
const done = (value: unknown) => ({ kind: 'done', value, workMs: expect.any(Number) })
const echo = (workers: HostWorkers, value: unknown, group?: string): Promise<WorkEnd> =>
  workers.run({ input: { act: 'echo', value }, ...enough, ...(group === undefined ? {} : { group }) })

describe('a piece of work', () => {
  const workers = open({ maxThreads: 1, heapMb: 32 })

  it('is done with plain data', async () => {
    expect(await echo(workers, { a: [1, 'b', null] })).toEqual(done({ a: [1, 'b', null] }))
  })

  it.each<[string, string, object, object]>([
    ['takes longer than it may', 'endless', { workMs: 20 }, { kind: 'late', limit: 'workMs' }],
    ['is not done in time', 'endless', { withinMs: 20 }, { kind: 'late', limit: 'withinMs' }],
    ['runs out of stack', 'deep', {}, { kind: 'memory' }],
    ['runs out of heap', 'huge', {}, { kind: 'memory' }],
    ['throws', 'throw', {}, { kind: 'fault', message: 'what it threw' }],
    ['ends its thread', 'exit', {}, { kind: 'fault', message: 'a host worker ended' }],
    [
      'gives what is no data',
      'function',
      {},
      { kind: 'fault', message: expect.stringContaining('could not be cloned') },
    ],
  ])('that %s reports this, and the next one is done', async (_, act, bounds, end) => {
    const input = { act, value: 'what it threw' }
    expect(await workers.run({ input, ...enough, ...bounds })).toEqual(end)
    expect(await echo(workers, 'next')).toEqual(done('next'))
  })

  it('that cannot be sent reports this, and the next one is done', async () => {
    expect(await echo(workers, () => 0)).toEqual({ kind: 'fault', message: '() => 0 could not be cloned.' })
    expect(await echo(workers, 'next')).toEqual(done('next'))
  })

  it('is cancelled before it begins and while it runs', async () => {
    const first = new AbortController()
    const second = new AbortController()
    const busy = workers.run({ input: { act: 'endless' }, ...enough, signal: first.signal })
    const waiting = workers.run({ input: { act: 'echo' }, ...enough, signal: second.signal })
    second.abort()
    expect(await waiting).toEqual({ kind: 'cancelled' })
    first.abort()
    expect(await busy).toEqual({ kind: 'cancelled' })
    expect(await workers.run({ input: { act: 'echo' }, ...enough, signal: AbortSignal.abort() })).toEqual({
      kind: 'cancelled',
    })
  })

  it('waits no longer than permitted', async () => {
    const stop = new AbortController()
    const busy = workers.run({ input: { act: 'endless' }, ...enough, signal: stop.signal })
    expect(await workers.run({ input: { act: 'echo' }, ...enough, withinMs: 5 })).toEqual({
      kind: 'late',
      limit: 'withinMs',
    })
    stop.abort()
    await busy
  })
})

describe('groups', () => {
  it('use at most half of the threads, so that no group waits for another one', async () => {
    const workers = open({ maxThreads: 2 })
    const stop = new AbortController()
    const endless = () => workers.run({ input: { act: 'endless' }, ...enough, signal: stop.signal, group: 'greedy' })
    const greedy = [endless(), endless(), endless()]
    expect(await echo(workers, 'honest', 'modest')).toEqual(done('honest'))
    stop.abort()
    expect(await Promise.all(greedy)).toEqual(greedy.map(() => ({ kind: 'cancelled' })))
  })

  it('that flood the queue displace only themselves', async () => {
    const workers = open({ maxThreads: 1, maxWaiting: 3 })
    const stop = new AbortController()
    const busy = workers.run({ input: { act: 'endless' }, ...enough, signal: stop.signal })
    const flood = ['a', 'b', 'c', 'd'].map((value) => echo(workers, value, 'flood'))
    const honest = echo(workers, 'honest', 'modest')
    stop.abort()
    await busy
    expect(await Promise.all(flood)).toEqual([done('a'), done('b'), { kind: 'busy' }, { kind: 'busy' }])
    expect(await honest).toEqual(done('honest'))
  })
})

describe('a lesson', () => {
  const lesson = (id: number, ...all: unknown[]): Lesson & { taught: number } => ({
    id,
    taught: 0,
    pieces() {
      this.taught++
      return all
    },
  })

  it('is taught to a thread once, and again to its replacement', async () => {
    const workers = open({ maxThreads: 1 })
    const one = lesson(1, 'a', 'b')
    const two = lesson(2, 'c')
    const learnt = () => workers.run({ input: { act: 'learnt', value: [1, 2] }, lessons: [one, two], ...enough })
    expect(await learnt()).toEqual(done([['a', 'b'], ['c']]))
    expect(await learnt()).toEqual(done([['a', 'b'], ['c']]))
    expect([one.taught, two.taught]).toEqual([1, 1])
    await workers.run({ input: { act: 'exit' }, ...enough })
    expect(await learnt()).toEqual(done([['a', 'b'], ['c']]))
    expect([one.taught, two.taught]).toEqual([2, 2])
  })

  it('is forgotten after many others were used', async () => {
    const workers = open({ maxThreads: 1 })
    const first = lesson(0, 'first')
    for (const each of [first, ...Array.from({ length: 70 }, (_, i) => lesson(i + 1, i))])
      await workers.run({ input: { act: 'echo' }, lessons: [each], ...enough })
    expect(await workers.run({ input: { act: 'learnt', value: [0] }, ...enough })).toEqual(done([undefined]))
  })
})

it('closing ends running and waiting work, and every thread', async () => {
  const before = workersAlive()
  const workers = openHostWorkers({ module, maxThreads: 1 })
  const ends = [workers.run({ input: { act: 'endless' }, ...enough }), echo(workers, 1)]
  await workers.close()
  expect(await Promise.all(ends)).toEqual([{ kind: 'cancelled' }, { kind: 'cancelled' }])
  expect(await echo(workers, 1)).toEqual({ kind: 'fault', message: 'the host workers are closed' })
  expect(workersAlive()).toBe(before)
})

describe('in a process of their own', () => {
  it('work is done and taught as in threads, and a killed process fails only its own work', async () => {
    const process = await openWorkerProcess({}, { module })
    const { workers } = process
    opened.push(workers)
    expect(await echo(workers, 'a')).toEqual(done('a'))
    const lesson: Lesson = { id: 7, pieces: () => ['x', 'y'] }
    const learnt = () => workers.run({ input: { act: 'learnt', value: [7] }, lessons: [lesson], ...enough })
    expect(await learnt()).toEqual(done([['x', 'y']]))
    expect(await workers.run({ input: { act: 'kill' }, ...enough })).toEqual({ kind: 'lost' })
    expect(await learnt()).toEqual(done([['x', 'y']]))
  })

  it('runs end as lost with the process, and later ones succeed', async () => {
    const { workers, sandbox } = await openWorkerProcess({}, { module })
    opened.push(workers)
    const image = { name: 'plain', source: '' }
    const run = sandbox.run({
      image,
      code: 'hostCall("a") + hostCall("b")',
      onCall: async ({ payload }) => {
        if (payload === 'a') return 'one'
        await workers.run({ input: { act: 'kill' }, ...enough })
        return 'never read'
      },
    })
    expect(await run).toMatchObject({ kind: 'lost' })
    const prints: string[] = []
    const again = await sandbox.run({
      image,
      code: 'hostPrint("p"); hostCall("a")',
      onCall: () => 'one',
      onPrint: (text) => prints.push(text),
    })
    expect([again, prints]).toMatchObject([{ kind: 'completed', payload: 'one' }, ['p']])
  })
})
