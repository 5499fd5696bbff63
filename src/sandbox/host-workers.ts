// Worker threads for host work on untrusted input, which must not run on the event loop: parsing, checking, explaining.
// A worker loads one module, which maps plain data to plain data. A task that exceeds its deadline or heap ends with
// its thread.
//
// Data that many tasks need (the tools of a server) is sent to a thread once, in pieces between turns of the event
// loop, and dropped after a long time without use.
//
// Where the module can forget its owner, closing hands idle threads on: see parked-threads.ts.
//
// Invariant: each task ends exactly once, and a terminated thread never works again.

import { Worker } from 'node:worker_threads'
import { FairQueue } from './fair-queue.js'
import { ParkedThreads } from './parked-threads.js'
import { WatchedWork } from './thread-clock.js'

export interface HostWorkersOptions {
  /** The URL of a module that exports the functions of `HostWork`. */
  readonly module: string
  /** The most threads at once. Default 4. */
  readonly maxThreads?: number
  /** The most pieces of work that wait. Default 256. */
  readonly maxWaiting?: number
  /** The heap of a thread. Default 512. */
  readonly heapMb?: number
  /** The module has `forgetAll`, so an idle thread may be handed to the next owner that has this very object. */
  readonly handsOn?: boolean
}

/** The exports of the workers' module. Everything that crosses is plain data. */
export interface HostWork {
  /** Takes one piece of a lesson. */
  learn(lesson: number, piece: unknown): void
  forget(lesson: number): void
  /** Forgets everything that it was told, and everything that followed from it. */
  forgetAll?(): void
  work(input: unknown): unknown
}

/** Something that threads are taught once. The same object is the same lesson. */
export interface Lesson {
  readonly id: number
  /** Pieces that are small enough to be copied quickly. */
  pieces(): Iterable<unknown>
}

export interface WorkRequest {
  readonly input: unknown
  /** The lessons that the thread needs. */
  readonly lessons?: readonly Lesson[]
  /** The deadline, from now. */
  readonly withinMs: number
  /** The maximum processor time, if the system reports it. */
  readonly workMs: number
  readonly signal?: AbortSignal
  /**
   * Groups take turns, and none holds more than half of the threads. The empty name means no particular caller and may
   * use all.
   */
  readonly group?: string
}

/**
 * How a piece of work ended. `late`: it was not done in time. `memory`: it needed more heap or stack than a thread has.
 * `lost`: its process has ended.
 */
export type WorkEnd =
  | { readonly kind: 'done'; readonly value: unknown; readonly workMs: number }
  | { readonly kind: 'late'; readonly limit: 'withinMs' | 'workMs' }
  | { readonly kind: 'memory' | 'cancelled' | 'busy' | 'lost' }
  | { readonly kind: 'fault'; readonly message: string }

export interface HostWorkers {
  run(request: WorkRequest): Promise<WorkEnd>
  /** Starts a thread ahead of need. */
  warm(): void
  /**
   * A thread that has not worked yet does this work for nobody, so that its code is compiled when the first task comes.
   * Resolves with what it made; undefined: there was none, or it failed.
   */
  practise(input: unknown): Promise<unknown>
  close(): Promise<void>
}

/** Threads start with the first piece of work, or with `warm`. */
export function openHostWorkers(options: HostWorkersOptions): HostWorkers {
  return new Threads(options)
}

/** The number of unused lessons that a thread keeps. */
const KEPT_LESSONS = 64
/** The longest time that sending lessons may block the event loop. */
const TEACHING_MS = 5
/** How long a thread beyond the first stays idle. */
const IDLE_MS = 5_000

export const parkedHostWorkers = new ParkedThreads<Thread>()

class Threads implements HostWorkers {
  readonly #options: HostWorkersOptions
  readonly #maxThreads: number
  readonly #threads = new Set<Thread>()
  readonly #queue = new FairQueue<Job>()
  readonly #held = new Map<string, number>()
  #closed = false

  constructor(options: HostWorkersOptions) {
    this.#options = options
    this.#maxThreads = options.maxThreads ?? 4
  }

  run(request: WorkRequest): Promise<WorkEnd> {
    return new Promise((resolve) => {
      const job = new Job(request, resolve, (waiting) => this.#queue.remove(request.group ?? '', waiting))
      if (this.#closed) return job.end({ kind: 'fault', message: 'the host workers are closed' })
      if (job.over) return
      if (this.#queue.size >= (this.#options.maxWaiting ?? 256)) {
        const displaced = this.#queue.displace(job.group)
        ;(displaced ?? job).end({ kind: 'busy' })
        if (displaced === undefined) return
      }
      this.#queue.add(job.group, job)
      this.#dispatch()
    })
  }

  warm(): void {
    if (!this.#closed && this.#threads.size === 0) this.#start()
  }

  async practise(input: unknown): Promise<unknown> {
    const [thread] = this.#threads
    return thread?.practise(input)
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const job of this.#queue.drain()) job.end({ kind: 'cancelled' })
    for (const thread of this.#threads) {
      if (!thread.leave()) continue
      this.#threads.delete(thread)
      parkedHostWorkers.park(thread)
    }
    await Promise.all([...this.#threads].map((thread) => thread.end()))
  }

  readonly #may = (group: string): boolean =>
    group === '' || (this.#held.get(group) ?? 0) < Math.max(1, this.#maxThreads >> 1)

  #dispatch(): void {
    for (let job = this.#queue.peek(this.#may); job !== undefined; job = this.#queue.peek(this.#may)) {
      const thread = this.#pick(job)
      if (thread === undefined) return
      this.#queue.take(this.#may)
      void this.#serve(thread, job)
    }
  }

  /** An idle thread, the one with most of the job's lessons; else a new one, if there may be one more. */
  #pick(job: Job): Thread | undefined {
    let best: Thread | undefined
    for (const thread of this.#threads)
      if (thread.idle && (best === undefined || thread.knows(job.lessons) > best.knows(job.lessons))) best = thread
    return best ?? (this.#threads.size < this.#maxThreads ? this.#start() : undefined)
  }

  #start(): Thread {
    const parked = parkedHostWorkers.take((thread) => thread.idle && thread.options === this.#options)
    const thread = parked ?? new Thread(this.#options)
    thread.onGone = () => {
      this.#threads.delete(thread)
      if (!this.#closed) this.#dispatch()
    }
    this.#threads.add(thread)
    return thread
  }

  async #serve(thread: Thread, job: Job): Promise<void> {
    this.#held.set(job.group, (this.#held.get(job.group) ?? 0) + 1)
    await thread.serve(job)
    const left = this.#held.get(job.group)! - 1
    if (left > 0) this.#held.set(job.group, left)
    else this.#held.delete(job.group)
    this.#dispatch()
    if (this.#threads.has(thread) && thread.idle && this.#threads.size > 1) thread.retireAfter(IDLE_MS)
  }
}

/** A piece of work on its way. */
class Job {
  readonly group: string
  readonly input: unknown
  readonly workMs: number
  readonly lessons: readonly Lesson[]
  readonly #signal: AbortSignal | undefined
  readonly #resolve: (end: WorkEnd) => void
  readonly #withdraw: (job: Job) => boolean
  readonly #timer: NodeJS.Timeout
  #over = false
  /** Terminates the thread that works on the job. */
  #stop: (() => void) | undefined

  constructor(request: WorkRequest, resolve: (end: WorkEnd) => void, withdraw: (job: Job) => boolean) {
    const { input, lessons = [], withinMs, workMs, signal, group = '' } = request
    this.group = group
    this.input = input
    this.workMs = workMs
    this.lessons = lessons
    this.#signal = signal
    this.#resolve = resolve
    this.#withdraw = withdraw
    this.#timer = setTimeout(() => this.cut({ kind: 'late', limit: 'withinMs' }), Math.max(0, withinMs))
    signal?.addEventListener('abort', this.#onAbort)
    if (signal?.aborted) this.#onAbort()
    if (withinMs <= 0) this.cut({ kind: 'late', limit: 'withinMs' })
  }

  get over(): boolean {
    return this.#over
  }

  begun(stop: () => void): void {
    this.#stop = stop
  }

  /** Ends the job, waiting or running. */
  cut(end: WorkEnd): void {
    if (this.#over) return
    this.#withdraw(this)
    this.end(end)
    this.#stop?.()
  }

  end(end: WorkEnd): void {
    if (this.#over) return
    this.#over = true
    clearTimeout(this.#timer)
    this.#signal?.removeEventListener('abort', this.#onAbort)
    this.#resolve(end)
  }

  readonly #onAbort = (): void => this.cut({ kind: 'cancelled' })
}

/** Messages to a thread. */
export type WorkMessage =
  | { readonly kind: 'learn'; readonly lesson: number; readonly piece: unknown }
  | { readonly kind: 'forget'; readonly lesson: number }
  | { readonly kind: 'forget-all' }
  | { readonly kind: 'work' | 'practise'; readonly input: unknown }

/** Messages of a thread. */
export type WorkReply =
  | { readonly kind: 'ready'; readonly thread: number | undefined }
  /** `value`: undefined if the work failed. */
  | { readonly kind: 'practised'; readonly value: unknown }
  | { readonly kind: 'done'; readonly value: unknown; readonly workMs: number }
  | { readonly kind: 'failed'; readonly message: string; readonly isStack: boolean }

class Thread {
  onGone = (): void => {}
  readonly options: HostWorkersOptions
  readonly #worker: Worker
  readonly #gone: Promise<void>
  /** Its lessons, the most recently used last. */
  readonly #lessons = new Set<number>()
  #job: Job | undefined
  #settle: (() => void) | undefined
  #deadline: NodeJS.Timeout | undefined
  #retirement: NodeJS.Timeout | undefined
  #alive = true
  #ready = false
  #failed = false
  /** The thread has been sent its job. */
  #isTold = false
  /** The thread has worked, or was told to practise. */
  #isUsed = false
  /** Present while the thread practises. */
  #practised: ((value: unknown) => void) | undefined
  #work: WatchedWork | undefined

  constructor(options: HostWorkersOptions) {
    const { module, heapMb = 512 } = options
    this.options = options
    this.#worker = new Worker(new URL('./host-worker.js', import.meta.url), {
      name: 'starbind host worker',
      workerData: module,
      // Nothing of this process is passed on: no environment, no arguments, no options, no streams.
      env: {},
      argv: [],
      execArgv: [],
      stdin: false,
      stdout: true,
      stderr: true,
      resourceLimits: { stackSizeMb: 8, maxOldGenerationSizeMb: heapMb },
    })
    this.#worker.on('message', (reply: WorkReply) => this.#received(reply))
    // A listener for messages keeps the process alive, so this comes after it.
    this.#worker.unref()
    this.#worker.on('messageerror', () => void this.terminate({ kind: 'fault', message: 'a reply could not be read' }))
    this.#worker.on('error', (error: Error & { readonly code?: string }) =>
      this.#lost(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? { kind: 'memory' } : { kind: 'fault', message: error.message },
      ),
    )
    this.#gone = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        this.#lost({ kind: 'fault', message: 'a host worker ended' })
        resolve()
        this.onGone()
      })
    })
  }

  get idle(): boolean {
    return this.#alive && this.#job === undefined
  }

  /** The number of these lessons that the thread has. */
  knows(lessons: readonly Lesson[]): number {
    let known = 0
    for (const { id } of lessons) if (this.#lessons.has(id)) known++
    return known
  }

  /** Resolves when the thread is free again or has ended. */
  async serve(job: Job): Promise<void> {
    clearTimeout(this.#retirement)
    this.#job = job
    this.#isUsed = true
    this.#worker.ref()
    job.begun(() => void this.end())
    const settled = new Promise<void>((resolve) => {
      this.#settle = resolve
    })
    try {
      await this.#teach(job)
      if (!job.over) {
        this.#tell({ kind: 'work', input: job.input })
        this.#isTold = true
        this.#watch(job)
      }
    } catch (error) {
      // A part of the message can't be copied.
      job.end({ kind: 'fault', message: error instanceof Error ? error.message : String(error) })
      this.#free()
    }
    await settled
    if (!this.#alive) await this.#gone
  }

  /** See `HostWorkers.practise`. A task that comes meanwhile waits, and its time begins afterwards. */
  practise(input: unknown): Promise<unknown> {
    if (this.#isUsed || !this.#alive) return Promise.resolve(undefined)
    this.#isUsed = true
    return new Promise((resolve) => {
      this.#practised = resolve
      this.#tell({ kind: 'practise', input })
    })
  }

  /** Forgets its owner. False: it is at work, or has failed, and no other owner may have it. */
  leave(): boolean {
    if (this.options.handsOn !== true || !this.idle || this.#failed) return false
    clearTimeout(this.#retirement)
    this.#lessons.clear()
    this.#tell({ kind: 'forget-all' })
    return true
  }

  retireAfter(ms: number): void {
    this.#retirement = setTimeout(() => void this.end(), ms)
    this.#retirement.unref()
  }

  end(): Promise<void> {
    return this.terminate({ kind: 'cancelled' })
  }

  async terminate(end: WorkEnd): Promise<void> {
    this.#lost(end)
    await this.#worker.terminate()
    await this.#gone
  }

  async #teach({ lessons }: Job): Promise<void> {
    let turned = performance.now()
    for (const lesson of lessons) {
      const { id } = lesson
      if (this.#lessons.delete(id)) this.#lessons.add(id)
      else {
        for (const piece of lesson.pieces()) {
          this.#tell({ kind: 'learn', lesson: id, piece })
          if (performance.now() - turned > TEACHING_MS) {
            await new Promise((resolve) => setImmediate(resolve))
            turned = performance.now()
          }
        }
        this.#lessons.add(id)
      }
    }
    for (const id of this.#lessons) {
      if (this.#lessons.size <= Math.max(KEPT_LESSONS, lessons.length)) break
      this.#lessons.delete(id)
      this.#tell({ kind: 'forget', lesson: id })
    }
  }

  // A thread that is only now starting, practises, or is still learning, has not begun to work.
  #watch(job: Job): void {
    if (!this.#ready || !this.#isTold || this.#practised !== undefined) return
    this.#work?.begin()
    this.#deadline = setTimeout(() => this.#checkTime(job, job.workMs), job.workMs)
  }

  #checkTime(job: Job, passedMs: number): void {
    const leftMs = job.workMs - (this.#work?.computedMs ?? passedMs)
    if (leftMs <= 0) job.cut({ kind: 'late', limit: 'workMs' })
    else this.#deadline = setTimeout(() => this.#checkTime(job, passedMs + leftMs), leftMs + 1)
  }

  #tell(message: WorkMessage): void {
    if (this.#alive) this.#worker.postMessage(message)
  }

  #received(reply: WorkReply): void {
    const job = this.#job
    if (reply.kind === 'ready') {
      this.#ready = true
      this.#work = new WatchedWork(reply.thread)
    } else if (reply.kind === 'practised') this.#endPractice(reply.value)
    if (job === undefined) return
    switch (reply.kind) {
      case 'ready':
      case 'practised':
        return this.#watch(job)
      case 'done':
        job.end(reply)
        return this.#free()
      case 'failed':
        this.#failed = true
        job.end(reply.isStack ? { kind: 'memory' } : { kind: 'fault', message: reply.message })
        return this.#free()
    }
  }

  #endPractice(value: unknown): void {
    this.#practised?.(value)
    this.#practised = undefined
  }

  #free(): void {
    clearTimeout(this.#deadline)
    this.#job = undefined
    this.#isTold = false
    if (this.#work?.end() === false) void this.end()
    this.#worker.unref()
    this.#settle?.()
  }

  #lost(end: WorkEnd): void {
    if (!this.#alive) return
    this.#alive = false
    clearTimeout(this.#retirement)
    this.#endPractice(undefined)
    this.#job?.end(end)
    this.#free()
    this.#work?.close()
  }
}
