// The queue in Redis: BullMQ hands jobs to workers, holds a lock on each while its worker lives, and hands it out again
// when the worker is gone. queue-scripts.ts decides which run has its turn next.

import { createRequire } from 'node:module'
import type { Job, Queue, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import { DiagnosticError } from '../../diagnostics/index.js'
import { clientUnavailable, queueFull } from '../messages.js'
import type {
  QueueBounds,
  QueueCounts,
  QueuedRun,
  QueuedWork,
  QueueWorker,
  RunPriority,
  RunQueue,
  TurnEnd,
} from '../run-queue.js'
import type { RedisConnection } from './connection.js'
import { queueScripts } from './queue-scripts.js'
import { timing } from './timing.js'

type Argument = string | number

const NAME = 'runs'
const RANKS: Readonly<Record<RunPriority, number>> = { high: 0, normal: 1, low: 2 }
/** BullMQ's events have no reader. */
const streams = { events: { maxLen: 100 } }

export class RedisQueue implements RunQueue {
  readonly #connection: RedisConnection
  readonly #bounds: QueueBounds
  readonly #scripts: Readonly<Record<keyof typeof queueScripts, (given: readonly Argument[]) => Promise<unknown>>>
  #jobs: Queue | undefined

  /** Throws a DiagnosticError if BullMQ is not installed. It is loaded when it is needed. */
  constructor(connection: RedisConnection, bounds: QueueBounds) {
    this.#connection = connection
    findBull(connection)
    this.#bounds = bounds
    const base = connection.key('turns', '')
    const scripts = Object.entries(queueScripts).map(([name, script]) => {
      const run = connection.script(script)
      return [name, (given: readonly Argument[]) => run([base, bounds.runsAtOnce, ...given])]
    })
    this.#scripts = Object.fromEntries(scripts)
  }

  async add({ runId, owner, priority = 'normal', delayMs = 0 }: QueuedRun, { isNew = false } = {}): Promise<void> {
    const { runsWaiting } = this.#bounds
    const job = await this.#scripts.put([runId, owner, RANKS[priority], delayMs, isNew ? runsWaiting : 0])
    if (job === 'full') throw new DiagnosticError(queueFull(owner, runsWaiting))
    await this.offer(job)
  }

  async addAfter<Changed>(
    run: QueuedRun,
    change: () => Promise<Changed | undefined>,
    options: { readonly isNew?: boolean } = {},
  ): Promise<Changed | undefined> {
    await this.add({ ...run, delayMs: Math.max(run.delayMs ?? 0, timing.leaseMs) }, options)
    const changed = await change()
    // It has a turn anyway, if a little later.
    if (changed !== undefined) await this.add(run).catch(() => {})
    return changed
  }

  async known(runIds: readonly string[]): Promise<ReadonlySet<string>> {
    const found = await this.#connection.transaction((commands) => {
      for (const runId of runIds) commands.exists(this.#runKey(runId))
    })
    return new Set(runIds.filter((_, i) => found[i] === 1))
  }

  async lacks(runId: string): Promise<string | undefined> {
    const [name, since] = await this.#connection.do((client) =>
      client.hmget(this.#runKey(runId), 'lacks', 'lacksSince'),
    )
    return name && Number(since) + timing.leaseMs < this.#connection.now() ? name : undefined
  }

  async counts(): Promise<QueueCounts> {
    const [waiting, delayed, active, oldest] = await this.#connection.transaction((commands) => {
      for (const state of ['waiting', 'due', 'active']) commands.zcard(this.#key(state))
      commands.zrange(this.#key('waiting'), 0, '0', 'WITHSCORES')
    })
    const [, since] = oldest as readonly string[]
    const oldestMs = since === undefined ? 0 : Math.max(0, this.#connection.now() - Number(since))
    return { waiting: Number(waiting), delayed: Number(delayed), active: Number(active), oldestMs }
  }

  work(count: number, work: QueuedWork): QueueWorker {
    return new RedisWorker({ connection: this.#connection, scripts: this.#scripts, queue: this }, { count, ...work })
  }

  /** Adds a job of the scripts. If that fails, the next worker that looks adds it. */
  async offer(job: unknown): Promise<void> {
    if (typeof job !== 'string') return
    const options = { jobId: job, removeOnComplete: true, removeOnFail: true }
    await this.#connection.do(() => this.jobs.add(NAME, null, options)).catch(() => {})
  }

  get jobs(): Queue {
    if (this.#jobs !== undefined) return this.#jobs
    const { Queue } = loadBull()
    const { client } = this.#connection
    this.#jobs = new Queue(NAME, { connection: client, prefix: prefixIn(this.#connection), streams })
    this.#jobs.on('error', () => {})
    return this.#jobs
  }

  #key(name: string): string {
    return this.#connection.key('turns', name)
  }

  #runKey(runId: string): string {
    return this.#connection.key('turns', 'run', runId)
  }
}

/** The beginning of the keys of BullMQ. */
function prefixIn(connection: RedisConnection): string {
  return connection.key('queue')
}

interface WorkerParts {
  readonly connection: RedisConnection
  readonly scripts: Readonly<Record<keyof typeof queueScripts, (given: readonly Argument[]) => Promise<unknown>>>
  readonly queue: RedisQueue
}

interface Work extends QueuedWork {
  readonly count: number
}

class RedisWorker implements QueueWorker {
  readonly #parts: WorkerParts
  readonly #work: Work
  readonly #own: Redis
  readonly #worker: Worker
  /** The runs that it carries out. */
  readonly #underway = new Set<string>()
  #looking: NodeJS.Timeout | undefined
  #closing: Promise<void> | undefined

  constructor(parts: WorkerParts, work: Work) {
    const { connection } = parts
    const { leaseMs } = timing
    this.#parts = parts
    this.#work = work
    // A worker waits for jobs, and for a store that is gone, as long as it takes.
    this.#own = connection.duplicate({ maxRetriesPerRequest: null, commandTimeout: undefined })
    const { Worker } = loadBull()
    this.#worker = new Worker(NAME, (job) => this.#turn(job), {
      connection: this.#own,
      prefix: prefixIn(connection),
      concurrency: work.count,
      lockDuration: leaseMs,
      stalledInterval: leaseMs / 5,
      // `losses` decides when a run is given up.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
      runRetryDelay: leaseMs / 15,
    })
    this.#worker.on('error', () => {})
    this.#look()
  }

  async drain(graceMs: number): Promise<void> {
    this.#closing ??= this.#worker.close()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs)
    })
    await Promise.race([this.#closing, late])
    clearTimeout(timer)
  }

  async close(): Promise<void> {
    await this.drain(CLOSING_MS)
    clearTimeout(this.#looking)
    this.#own.disconnect()
  }

  async #turn({ id: job = '', attemptsStarted }: Job): Promise<void> {
    const { scripts, queue } = this.#parts
    const runId = job.slice(0, job.lastIndexOf('.'))
    const taken = await scripts.take([runId, job, attemptsStarted, MOST_LEASES * timing.leaseMs])
    const [owner, losses, next] = taken as readonly string[]
    if (owner === undefined) return
    this.#underway.add(runId)
    try {
      await queue.offer(next)
      const end = await this.#work.carryOut({ runId, losses: Number(losses) }).catch((): TurnEnd => ({ kind: 'again' }))
      const delay = end.kind === 'over' ? '' : timing.leaseMs / 15
      const lacks = end.kind === 'over' ? '' : (end.lacks ?? '')
      await queue.offer(await scripts.leave([runId, job, owner, delay, lacks]))
    } finally {
      this.#underway.delete(runId)
    }
  }

  /** Looks after runs whose time has come, and those that nobody carries out any more. */
  #look(): void {
    const { connection, scripts, queue } = this.#parts
    const everyMs = timing.leaseMs / 15
    const rescuing = [connection.key('turns', 'rescued'), '', 'PX', Math.round(timing.leaseMs / 5), 'NX'] as const
    const look = async () => {
      const jobs = await scripts.look([
        queue.jobs.toKey(''),
        Math.round(everyMs / 2),
        MOST_LEASES * timing.leaseMs,
        ...this.#underway,
      ])
      for (const job of jobs as readonly string[]) await queue.offer(job)
      const isOurs = await connection.do((client) => client.set(...rescuing))
      if (isOurs === 'OK') await this.#work.rescue?.()
    }
    this.#looking = setTimeout(
      () =>
        void look()
          .catch(() => {})
          .then(() => this.#closing ?? this.#look()),
      everyMs,
    )
  }
}

/** BullMQ notices first that a worker is gone. Then the run keeps its place among those of its caller. */
const MOST_LEASES = 4
const CLOSING_MS = 5000

const load = createRequire(import.meta.url)

/** Finds BullMQ. Throws a DiagnosticError if it is not installed. */
function findBull({ shown }: RedisConnection): void {
  try {
    load.resolve('bullmq')
  } catch {
    throw new DiagnosticError(clientUnavailable(shown, 'bullmq'))
  }
}

/** Loaded with the first job. */
const loadBull = (): typeof import('bullmq') => load('bullmq')
