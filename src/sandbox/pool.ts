// Which run gets which worker thread, and when threads start and end. Knows nothing of what runs do.
// Invariant: never more threads than `maxWorkers`, those that are ending included; a run waits only while all of them are taken.

import { FairQueue } from './fair-queue.js'
import { GuestThread, type ThreadOptions } from './guest-thread.js'
import type { HostedRun } from './hosted-run.js'
import type { ImageEntry } from './image-library.js'

export interface PoolOptions extends ThreadOptions {
  readonly compiled: Promise<WebAssembly.Module>
  readonly maxWorkers: number
  readonly spareWorkers: number
  readonly maxWaiting: number
}

/** A run that wants a thread. */
export interface PoolJob {
  readonly entry: ImageEntry
  readonly group: string
  /** Begins the run on a thread that is its guest. */
  start(thread: GuestThread, number: number): HostedRun
  /** No thread could be had. */
  failed(error: Error): void
}

/** How long a thread beyond those to keep may stay idle. */
const IDLE_MS = 60_000

export class Pool {
  readonly #options: PoolOptions
  readonly #threads = new Set<GuestThread>()
  readonly #idle = new Map<GuestThread, number>()
  readonly #queue = new FairQueue<PoolJob>()
  #starting = 0
  #keep: number
  #lastEntry: ImageEntry | undefined
  #reaper: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: PoolOptions) {
    this.#options = options
    this.#keep = options.spareWorkers
  }

  /** Queues a job. False when too many wait. */
  submit(job: PoolJob): boolean {
    const free = this.#idle.size + this.#options.maxWorkers - this.#threads.size
    if (this.#queue.size >= this.#options.maxWaiting + Math.max(0, free)) return false
    this.#lastEntry = job.entry
    this.#queue.add(job.group, job)
    this.#dispatch()
    return true
  }

  /** Takes a job back that has not begun. */
  withdraw(job: PoolJob): boolean {
    return this.#queue.remove(job.group, job)
  }

  /** Has this many threads idle or at work, as guests of the image, and keeps so many. */
  async warm(entry: ImageEntry, workers: number): Promise<void> {
    const wanted = Math.min(workers, this.#options.maxWorkers)
    this.#keep = Math.max(this.#keep, wanted)
    this.#lastEntry = entry
    const begun: Promise<void>[] = []
    for (const thread of [...this.#idle.keys()]) if (thread.entry !== entry) begun.push(this.#prepare(thread, entry))
    while (this.#threads.size < wanted) begun.push(this.#begin(entry))
    await Promise.all(begun)
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#reaper)
    for (const job of this.#queue.drain()) job.failed(new Error('the sandbox was closed'))
    await Promise.all([...this.#threads].map((thread) => thread.terminate()))
    await Promise.all([...this.#threads].map((thread) => thread.gone))
  }

  #dispatch(): void {
    for (let job = this.#queue.peek(); job !== undefined; job = this.#queue.peek()) {
      const thread = this.#pick(job.entry)
      if (thread === undefined) break
      this.#queue.take()
      this.#idle.delete(thread)
      void this.#serve(thread, job)
    }
    const wanting = this.#queue.size - this.#starting
    for (let i = 0; i < wanting && this.#mayStart(); i++) this.#begin(this.#queue.peek()!.entry).catch(() => undefined)
    // Idle threads that suit nobody make room.
    if (wanting > 0 && this.#starting === 0 && this.#idle.size > 0) void this.#retire(this.#idle.keys().next().value!)
  }

  /** An idle thread for a guest of this image. A thread in which a program has run builds no images: others would be made from what it built. */
  #pick(entry: ImageEntry): GuestThread | undefined {
    let other: GuestThread | undefined
    for (const thread of this.#idle.keys()) {
      if (thread.entry === entry) return thread
      if (entry.ready || !thread.used) other = thread
    }
    return other
  }

  async #serve(thread: GuestThread, job: PoolJob): Promise<void> {
    thread.reference(true)
    try {
      await thread.become(job.entry)
    } catch (error) {
      job.failed(error as Error)
      await this.#retire(thread)
      return
    }
    try {
      await thread.lend((lent, number) => job.start(lent, number))
    } catch {
      // The run has been told; the thread is lost.
    }
    if (thread.alive) this.#rest(thread)
    else await this.#retire(thread)
    this.#topUp()
  }

  #rest(thread: GuestThread): void {
    thread.reference(false)
    this.#idle.set(thread, performance.now())
    this.#dispatch()
    this.#reap()
  }

  async #retire(thread: GuestThread): Promise<void> {
    this.#idle.delete(thread)
    await thread.terminate()
    await thread.gone
    this.#threads.delete(thread)
    this.#dispatch()
  }

  /** Starts a thread and makes it a guest of the image. */
  async #begin(entry: ImageEntry): Promise<void> {
    const thread = new GuestThread(this.#options.compiled, this.#options)
    this.#threads.add(thread)
    thread.gone.then(() => this.#retire(thread)).catch(() => undefined)
    this.#starting++
    try {
      await thread.become(entry)
    } catch (error) {
      this.#starting--
      const job = this.#queue.peek()
      if (job?.entry === entry) this.#queue.take()!.failed(error as Error)
      await this.#retire(thread)
      throw error
    }
    this.#starting--
    this.#rest(thread)
  }

  async #prepare(thread: GuestThread, entry: ImageEntry): Promise<void> {
    this.#idle.delete(thread)
    await thread.become(entry)
    this.#rest(thread)
  }

  #mayStart(): boolean {
    return !this.#closed && this.#threads.size < this.#options.maxWorkers
  }

  #topUp(): void {
    const entry = this.#lastEntry
    if (entry === undefined) return
    while (this.#idle.size + this.#starting < this.#options.spareWorkers && this.#mayStart())
      this.#begin(entry).catch(() => undefined)
  }

  /** Ends threads that have been idle for long, down to the number to keep. */
  #reap(): void {
    if (this.#reaper !== undefined || this.#closed) return
    if (this.#threads.size <= this.#keep) return
    this.#reaper = setTimeout(() => {
      this.#reaper = undefined
      const now = performance.now()
      for (const [thread, since] of this.#idle) {
        if (this.#threads.size <= this.#keep) return
        if (now - since >= IDLE_MS) void this.#retire(thread)
      }
      this.#reap()
    }, IDLE_MS)
    this.#reaper.unref()
  }
}
