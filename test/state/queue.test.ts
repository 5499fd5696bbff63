// The queue in a real redis-server: whose run is next, how many go on at once, and what becomes of those whose worker is
// gone.

import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Deployment, openRedis, type QueueWorker, type RunTurn, type TurnEnd } from '../../dist/state/index.js'
import { timing } from '../../dist/state/redis/timing.js'
import { type RedisFixture, redisServer, startRedis, whyNoRedis } from '../fixtures/redis.js'

const over: TurnEnd = { kind: 'over' }
const until = (isSo: () => void | Promise<void>) => vi.waitFor(isSo, { timeout: 20_000, interval: 10 })
const noting =
  (turns: string[]) =>
  async ({ runId }: RunTurn) => {
    turns.push(runId)
    return over
  }

describe.skipIf(redisServer === undefined)(`the queue of runs (${redisServer ?? whyNoRedis})`, () => {
  const { leaseMs } = timing
  let redis: RedisFixture
  const open: Deployment[] = []
  const workers: QueueWorker[] = []
  let prefixes = 0
  /** Processes with a queue of their own; each call is another queue. */
  const opened = async (count = 1, bounds = {}) => {
    const prefix = `queue${++prefixes}`
    const address = { url: redis.url, prefix }
    const deployments = await Promise.all(Array.from({ length: count }, () => openRedis(address, bounds)))
    open.push(...deployments)
    return deployments.map(({ queue }) => queue)
  }
  const working = (worker: QueueWorker) => {
    workers.push(worker)
    return worker
  }
  beforeAll(async () => {
    timing.leaseMs = 300
    redis = await startRedis()
  })
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.close()))
    await Promise.all(open.splice(0).map((deployment) => deployment.close()))
  })
  afterAll(async () => {
    timing.leaseMs = leaseMs
    await redis[Symbol.asyncDispose]()
  })

  it('lets callers take turns, whoever came first', async () => {
    const [queue] = await opened()
    for (let i = 1; i <= 40; i++) await queue!.add({ runId: `many-${i}`, owner: 'many' })
    for (let i = 1; i <= 3; i++) await queue!.add({ runId: `few-${i}`, owner: 'few' })
    const order: string[] = []
    working(queue!.work(1, { carryOut: noting(order) }))
    await until(() => expect(order.length).toBe(43))
    expect(order.slice(0, 6)).toEqual(['many-1', 'few-1', 'many-2', 'few-2', 'many-3', 'few-3'])
    expect(order.slice(6)).toEqual(Array.from({ length: 37 }, (_, i) => `many-${i + 4}`))
    expect(await queue!.counts()).toEqual({ waiting: 0, delayed: 0, active: 0, oldestMs: 0 })
  })

  it('carries out no more runs of a caller at once than the bound, over all workers', async () => {
    const [here, there] = await opened(2, { runsAtOnce: 3 })
    const [underway, done]: [Set<string>, string[]] = [new Set(), []]
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const carryOut = async ({ runId }: RunTurn) => {
      underway.add(runId)
      if (runId !== 'other') await released
      underway.delete(runId)
      done.push(runId)
      return over
    }
    for (let i = 0; i < 6; i++) await here!.add({ runId: `run-${i}`, owner: 'ann' })
    for (const queue of [here!, there!]) working(queue.work(4, { carryOut }))
    await until(() => expect(underway.size).toBe(3))
    // A fourth run would have had its turn before this one.
    await there!.add({ runId: 'other', owner: 'bob' })
    await until(() => expect(done).toEqual(['other']))
    expect(underway).toEqual(new Set(['run-0', 'run-1', 'run-2']))
    release()
    await until(() => expect(done.length).toBe(7))
  })

  it('refuses a new run of a caller of which too many wait, and takes all others', async () => {
    const [queue] = await opened(1, { runsWaiting: 2 })
    for (const runId of ['a', 'b']) await queue!.add({ runId, owner: 'ann' }, { isNew: true })
    await expect(queue!.add({ runId: 'c', owner: 'ann' }, { isNew: true })).rejects.toThrow(
      'limit [queue-full] ann already has 2 runs that wait for a worker; no more may wait',
    )
    await queue!.add({ runId: 'd', owner: 'bob' }, { isNew: true })
    await queue!.add({ runId: 'answered', owner: 'ann' })
    expect((await queue!.counts()).waiting).toBe(4)
  })

  it('orders the runs of one caller by priority, and starts a delayed one later', async () => {
    const [queue] = await opened()
    const order: string[] = []
    const began = performance.now()
    let lateMs = 0
    await queue!.add({ runId: 'late', owner: 'ann', priority: 'high', delayMs: 150 })
    // The first is offered at once.
    await queue!.add({ runId: 'first', owner: 'ann', priority: 'low' })
    for (const priority of ['low', 'normal', 'high'] as const)
      await queue!.add({ runId: priority, owner: 'ann', priority })
    const carryOut = async ({ runId }: RunTurn) => {
      if (runId === 'late') lateMs = performance.now() - began
      else order.push(runId)
      return over
    }
    working(queue!.work(1, { carryOut }))
    await until(() => expect([order.length, lateMs > 0]).toEqual([4, true]))
    expect(order).toEqual(['first', 'high', 'normal', 'low'])
    expect(lateMs).toBeGreaterThanOrEqual(150)
  })

  it('gives a run another turn that is added while it has one', async () => {
    const [queue] = await opened()
    let turns = 0
    const run = { runId: 'run', owner: 'ann' }
    working(
      queue!.work(2, {
        carryOut: async () => {
          if (++turns === 1) for (const _ of [1, 2]) await queue!.add(run)
          return over
        },
      }),
    )
    await queue!.add(run)
    await until(async () => expect([turns, await queue!.known(['run'])]).toEqual([2, new Set()]))
  })

  it('gives a turn to a run whose process ended before it could add it', async () => {
    const [queue] = await opened()
    const turns: string[] = []
    working(queue!.work(1, { carryOut: noting(turns) }))
    const killed = queue!.addAfter({ runId: 'run', owner: 'ann' }, () => Promise.reject(new Error('killed')))
    await expect(killed).rejects.toThrow('killed')
    expect(turns).toEqual([])
    await until(() => expect(turns).toEqual(['run']))
  })

  it('names the server that workers lacked, when none has come that has it', async () => {
    const [queue] = await opened()
    let isThere = false
    working(queue!.work(1, { carryOut: async () => (isThere ? over : { kind: 'again', lacks: 'shop' }) }))
    await queue!.add({ runId: 'run', owner: 'ann' })
    await until(async () => expect(await queue!.lacks('run')).toBe('shop'))
    isThere = true
    await until(async () => expect(await queue!.known(['run'])).toEqual(new Set()))
    expect(await queue!.lacks('run')).toBeUndefined()
  })

  it('leaves nothing in the store when all runs are over', async () => {
    const [queue] = await opened()
    const done: string[] = []
    working(queue!.work(2, { carryOut: noting(done) }))
    for (let i = 0; i < 5; i++) await queue!.add({ runId: `run-${i}`, owner: 'ann' })
    await until(() => expect(done.length).toBe(5))
    await workers[0]!.close()
    const client = new Redis(redis.url)
    const keys = (await client.keys(`queue${prefixes}:*`)).map((key) => key.replace(/^queue\d+:/, ''))
    client.disconnect()
    expect(
      keys.filter(
        (key) =>
          !/^(form|process:.+|queue:runs:(events|id|meta|marker|stalled-check)|turns:(looked|rescued))$/.test(key),
      ),
    ).toEqual(['turns:places'])
  })
})
