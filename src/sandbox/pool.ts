// Which run gets which worker thread, and when threads start and end. Knows nothing of what runs do.
// Invariant: never more threads than `maxWorkers`, those that are ending included; a run waits only while it may have none of them.

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
  /** The empty name stands for nobody in particular and may use every thread. */
  readonly group: string
  /** Begins the run on a thread that is its guest. */
  start(thread: GuestThread, number: number): HostedRun
  /** No thread could be had. */
  failed(error: Error): void
  /** Too many wait. */
  refused(): void
}

/** How long a thread beyond those to keep may stay idle. */
const IDLE_MS = 60_000
/** The share of all threads that one named group may hold. */
const GROUP_SHARE = 3 / 4

export class Pool {
  readonly #options: PoolOptions
  readonly #threads = new Set<GuestThread>()
  readonly #idle = new Map<GuestThread, number>()
  readonly #queue = new FairQueue<PoolJob>()
  /** How many threads each group holds. */
  readonly #held = new Map<string, number>()
  #starting = 0
  #keep: number
  #lastEntry: ImageEntry | undefined
  #reaper: NodeJS.Timeout | undefined
  #closed = false

  constructor(options: PoolOptions) {
    this.#options = options
    this.#keep = options.spareWorkers
  }

  /** Starts a job as soon as its turn comes. */
  submit(job: PoolJob): void {
    this.#lastEntry = job.entry
    // Those that have a thread coming to them do not count as waiting.
    const served = this.#idle.size + this.#starting + Math.max(0, this.#options.maxWorkers - this.#threads.size)
    if (this.#queue.size >= this.#options.maxWaiting + served) {
      const displaced = this.#queue.displace(job.group)
      ;(displaced ?? job).refused()
      if (displaced === undefined) return
    }
    this.#queue.add(job.group, job)
    this.#dispatch()
  }

  /** Takes a job back that has not begun. */
  withdraw(job: PoolJob): boolean {
    return this.#queue.remove(job.group, job)
  }

  /** Has at least this many threads, those without work as guests of the image, and keeps so many. */
  async warm(entry: ImageEntry, workers: number): Promise<void> {
    const wanted = Math.min(workers, this.#options.maxWorkers)
    this.#keep = Math.max(this.#keep, wanted)
    this.#lastEntry = entry
    // Threads that are ending make room.
    await Promise.all([...this.#threads].filter((thread) => !thread.alive).map((thread) => this.#retire(thread)))
    const begun = [...this.#idle.keys()]
      .filter((thread) => thread.entry !== entry && suits(thread, entry))
      .map((thread) => this.#prepare(thread, entry))
    while (this.#threads.size < wanted && !this.#closed) begun.push(this.#begin(entry))
    if (begun.length === 0 && !entry.ready) {
      // All threads have run programs, and those build no images: one that is idle is replaced.
      const unfit = this.#idle.keys().next().value
      if (unfit !== undefined) {
        await this.#retire(unfit)
        if (this.#mayStart()) begun.push(this.#begin(entry))
      }
    }
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
    for (let job = this.#next(); job !== undefined; job = this.#next()) {
      const thread = this.#pick(job.entry)
      if (thread === undefined) break
      this.#queue.take(this.#may)
      this.#idle.delete(thread)
      void this.#serve(thread, job)
    }
    const next = this.#next()
    if (next === undefined) return
    const wanting = this.#queue.size - this.#starting
    for (let i = 0; i < wanting && this.#mayStart(); i++) this.#begin(next.entry).catch(() => undefined)
    // Idle threads that suit nobody make room.
    if (wanting > 0 && this.#starting === 0 && this.#idle.size > 0) void this.#retire(this.#idle.keys().next().value!)
  }

  #next(): PoolJob | undefined {
    return this.#queue.peek(this.#may)
  }

  /** True when the group may have another thread. */
  readonly #may = (group: string): boolean =>
    group === '' || (this.#held.get(group) ?? 0) < Math.ceil(this.#options.maxWorkers * GROUP_SHARE)

  /** An idle thread for a guest of this image. */
  #pick(entry: ImageEntry): GuestThread | undefined {
    let other: GuestThread | undefined
    for (const thread of this.#idle.keys()) {
      if (thread.entry === entry) return thread
      if (suits(thread, entry)) other = thread
    }
    return other
  }

  async #serve(thread: GuestThread, job: PoolJob): Promise<void> {
    this.#hold(job.group, 1)
    thread.reference(true)
    try {
      await thread.become(job.entry)
      // A run whose thread is lost is told by the thread.
      await thread.lend((lent, number) => job.start(lent, number)).catch(() => undefined)
    } catch (error) {
      job.failed(error as Error)
      await thread.terminate()
    }
    this.#hold(job.group, -1)
    // Ending a thread that holds on to much memory is the quickest way to give it back; when others wait, they come first.
    if (thread.alive && !(thread.swollen && this.#queue.size === 0)) this.#rest(thread)
    else await this.#retire(thread)
    this.#topUp()
  }

  #hold(group: string, change: number): void {
    const held = (this.#held.get(group) ?? 0) + change
    if (held > 0) this.#held.set(group, held)
    else this.#held.delete(group)
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
      const job = this.#next()
      if (job?.entry === entry && this.#queue.remove(job.group, job)) job.failed(error as Error)
      await this.#retire(thread)
      throw error
    }
    this.#starting--
    this.#rest(thread)
  }

  async #prepare(thread: GuestThread, entry: ImageEntry): Promise<void> {
    this.#idle.delete(thread)
    try {
      await thread.become(entry)
    } catch (error) {
      await this.#retire(thread)
      throw error
    }
    this.#rest(thread)
  }

  #mayStart(): boolean {
    return !this.#closed && this.#threads.size < this.#options.maxWorkers
  }

  /** Starts the spare threads ahead of the runs that will want them. */
  #topUp(): void {
    const entry = this.#lastEntry
    if (entry === undefined) return
    while (this.#idle.size + this.#starting < this.#options.spareWorkers && this.#mayStart())
      this.#begin(entry).catch(() => undefined)
  }

  /** Ends threads that have been idle for long, down to the number to keep. */
  #reap(): void {
    if (this.#reaper !== undefined || this.#closed || this.#threads.size <= this.#keep) return
    this.#reaper = setTimeout(() => {
      this.#reaper = undefined
      const now = performance.now()
      const spare = this.#threads.size - this.#keep
      const old = [...this.#idle].filter(([, since]) => now - since >= IDLE_MS).slice(0, Math.max(0, spare))
      for (const [thread] of old) void this.#retire(thread)
      this.#reap()
    }, IDLE_MS)
    this.#reaper.unref()
  }
}

/** True when the thread may become a guest of the image. One in which a program has run builds no images: others would be made from what it built. */
function suits(thread: GuestThread, entry: ImageEntry): boolean {
  return entry.ready || !thread.used
}
