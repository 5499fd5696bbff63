// Assigns runs to seats in worker threads, and starts and ends threads.
//
// A run goes to the thread that serves the fewest runs, preferably to one that has had a guest of its image. A thread
// in which one guest blocks all others counts as gone: another replaces it, up to STALLED of them, and its displaced
// runs are served first. The pool starts with one thread for each core. More threads help only where runs hold threads
// while they wait for calls, and where the queue does not move.
//
// Invariant: there are never more threads than `maxWorkers`, one that builds an image, and STALLED ones, including
// those that are ending; a run waits only while no seat is allowed for it.

import { availableParallelism } from 'node:os'
import { FairQueue } from './fair-queue.js'
import { GuestThread, parkedGuestThreads, type Return, type ThreadOptions } from './guest-thread.js'
import type { HostedRun, RunPlace } from './hosted-run.js'
import type { ImageEntry } from './image-library.js'
import type { Practice } from './protocol.js'

interface PoolOptions extends ThreadOptions {
  readonly compiled: Promise<WebAssembly.Module>
  readonly maxWorkers: number
  readonly spareWorkers: number
  readonly maxWaiting: number
}

/** A run that waits for a seat. */
export interface PoolJob {
  readonly entry: ImageEntry
  /** The empty name means no particular caller and may use every seat. */
  readonly group: string
  /** Starts or continues the run in a seat. Undefined if it has ended meanwhile. */
  start(place: RunPlace, number: number): HostedRun | undefined
  /** No thread could be started. */
  failed(error: Error): void
  /** The queue is full. */
  refused(): void
}

/** The time after which a surplus thread that is idle ends. */
const IDLE_MS = 5_000
/** The time after which a thread ends that keeps the memory of a large run. Another large run may come sooner. */
const GROWN_MS = 3_000
/** The share of all seats that one named group may hold. */
const GROUP_SHARE = 3 / 4
/** The maximum number of blocked threads, in addition to those that work. */
const STALLED = 16
/** The queue is watched for this time before more threads than cores are started. */
const WATCHED_MS = 20
/** A run waits if the queue moves fast enough to give it a seat within this time. */
const PATIENCE_MS = 1_000

export class Pool {
  readonly #options: PoolOptions
  readonly #threads = new Set<GuestThread>()
  /** Threads that can take runs, with the time at which they last had nothing to do. */
  readonly #begun = new Map<GuestThread, number>()
  readonly #queue = new FairQueue<PoolJob>()
  /** Threads that have grown and will end. */
  readonly #ending = new Set<GuestThread>()
  /** The number of seats that each group holds. */
  readonly #held = new Map<string, number>()
  #starting = 0
  #seatsPerThread: number
  #keep: number
  #lastEntry: ImageEntry | undefined
  #reaper: NodeJS.Timeout | undefined
  #watch: NodeJS.Timeout | undefined
  /** The number of seats that became free since the queue is watched. */
  #freed = 0
  #closed = false

  constructor(options: PoolOptions) {
    this.#options = options
    this.#keep = options.spareWorkers
    this.#seatsPerThread = options.suspends ? options.runsPerWorker : 1
  }

  /** Starts a job as soon as its turn comes. */
  submit(job: PoolJob): void {
    this.#lastEntry = job.entry
    const free = this.#queue.size === 0 && this.#may(job.group) ? this.#pick(job.entry) : undefined
    if (free !== undefined) {
      void this.#serve(free, job)
      return
    }
    // Runs that will get a seat of a starting thread do not count as waiting.
    let served = (this.#starting + Math.max(0, this.#options.maxWorkers - this.#working)) * this.#seatsPerThread
    for (const thread of this.#begun.keys()) served += thread.room
    if (this.#queue.size >= this.#options.maxWaiting + served) {
      const displaced = this.#queue.displace(job.group)
      ;(displaced ?? job).refused()
      if (displaced === undefined) return
    }
    this.#queue.add(job.group, job)
    this.#dispatch()
  }

  /** Removes a job that has not begun. */
  withdraw(job: PoolJob): boolean {
    return this.#queue.remove(job.group, job)
  }

  /** Starts this many threads with idle guests of the image, and keeps them. */
  async warm(entry: ImageEntry, workers: number): Promise<void> {
    const wanted = Math.min(workers, this.#options.maxWorkers)
    this.#keep = Math.max(this.#keep, wanted)
    this.#lastEntry = entry
    // Threads that are ending make room.
    await Promise.all([...this.#threads].filter((thread) => !thread.alive).map((thread) => this.#retire(thread)))
    const begun = [...this.#begun.keys()]
      .filter((thread) => thread.load === 0 && !thread.knows(entry) && suits(thread, entry))
      .map((thread) => this.#prepare(thread, entry))
    while (this.#threads.size < wanted && !this.#closed) begun.push(this.#begin(entry))
    if (begun.length === 0 && !entry.ready) {
      // A thread that has run programs builds no images, so an idle one is replaced.
      const unfit = this.#idle().next().value
      if (unfit !== undefined) {
        await this.#retire(unfit)
        if (this.#mayStart()) begun.push(this.#begin(entry))
      }
    }
    await Promise.all(begun)
  }

  /** Lets the idle threads run code for practice. */
  practise(entry: ImageEntry, practice: Practice): void {
    for (const thread of this.#begun.keys()) void thread.practise(entry, practice).catch(() => {})
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#reaper)
    clearTimeout(this.#watch)
    for (const job of this.#queue.drain()) job.failed(new Error('the sandbox was closed'))
    for (const thread of this.#begun.keys()) {
      if (!thread.leave()) continue
      this.#threads.delete(thread)
      parkedGuestThreads.park(thread)
    }
    this.#begun.clear()
    await Promise.all([...this.#threads].map((thread) => thread.end()))
  }

  #dispatch(): void {
    for (let job = this.#next(); job !== undefined; job = this.#next()) {
      const thread = this.#pick(job.entry)
      if (thread === undefined) break
      this.#queue.take(this.#may)
      void this.#serve(thread, job)
    }
    const next = this.#next()
    if (next === undefined) return
    const wanting = this.#queue.size - this.#starting * this.#seatsPerThread
    this.#beginFor(next.entry, this.#useful)
    // Idle threads without a matching run make room.
    const idle = this.#starting === 0 ? this.#idle().next().value : undefined
    if (wanting > 0 && idle !== undefined) void this.#retire(idle)
    else this.#watchQueue()
  }

  /** Starts threads for waiting runs, up to a number. */
  #beginFor(entry: ImageEntry, most: number): void {
    let missing = this.#queue.size - this.#starting * this.#seatsPerThread
    for (; missing > 0 && this.#working < most && this.#mayStart(entry); missing -= this.#seatsPerThread)
      this.#begin(entry).catch(() => undefined)
  }

  /** The number of threads that the cores can use. */
  get #useful(): number {
    let useful = availableParallelism()
    for (const thread of this.#threads) if (thread.waits) useful++
    return useful
  }

  #watchQueue(): void {
    if (this.#watch !== undefined || this.#closed) return
    this.#freed = 0
    const since = performance.now()
    this.#watch = setTimeout(() => {
      this.#watch = undefined
      const next = this.#next()
      if (next === undefined) return
      // If the host's own thread was busy, the state of the queue is unknown.
      const wasBusy = performance.now() - since > 2 * WATCHED_MS
      const isSlow = !wasBusy && this.#queue.size * WATCHED_MS > this.#freed * PATIENCE_MS
      // One at a time: a starting thread takes time from the others.
      this.#beginFor(next.entry, isSlow && this.#starting === 0 ? this.#working + 1 : this.#useful)
      if (this.#mayStart(next.entry)) this.#watchQueue()
    }, WATCHED_MS)
  }

  #next(): PoolJob | undefined {
    return this.#queue.peek(this.#may)
  }

  /** True if the group may take another seat. */
  readonly #may = (group: string): boolean =>
    group === '' ||
    (this.#held.get(group) ?? 0) < Math.ceil(this.#options.maxWorkers * this.#seatsPerThread * GROUP_SHARE)

  /** The least busy thread that can have a guest of this image. */
  #pick(entry: ImageEntry): GuestThread | undefined {
    let best: GuestThread | undefined
    for (const thread of this.#begun.keys()) {
      if (thread.room === 0 || !(thread.knows(entry) || suits(thread, entry))) continue
      const better =
        best === undefined ||
        thread.load < best.load ||
        (thread.load === best.load && thread.knows(entry) && !best.knows(entry))
      if (better) best = thread
    }
    // A new thread comes too late for the waiting run, but later ones will have it.
    if (best !== undefined && best.load > 0 && this.#starting === 0 && this.#mayStart()) {
      this.#begin(entry).catch(() => undefined)
    }
    return best
  }

  async #serve(thread: GuestThread, job: PoolJob): Promise<void> {
    this.#hold(job.group, 1)
    thread.reference(true)
    let how: Return = 'over'
    try {
      how = await thread.lend(job.entry, (place, number) => job.start(place, number))
    } catch (error) {
      job.failed(error as Error)
      await thread.terminate()
    }
    // Another pool may have the thread by now.
    if (this.#closed) return
    this.#hold(job.group, -1)
    this.#freed++
    if (how === 'displaced') this.#queue.addFirst(job.group, job)
    if (thread.load > 0) this.#dispatch()
    // Ending a thread is the quickest way to free its memory; waiting runs come first.
    else if (thread.alive && !thread.stalled && !(this.#isDone(thread) && this.#queue.size === 0)) this.#rest(thread)
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
    this.#begun.set(thread, performance.now())
    this.#dispatch()
    this.#reap()
    if (thread.grewAt !== undefined) this.#endLater(thread)
  }

  /** True for a thread that is slow, or no longer needs the memory that it has. */
  #isDone(thread: GuestThread): boolean {
    return thread.isSlow || (thread.grewAt !== undefined && performance.now() - thread.grewAt >= GROWN_MS)
  }

  /** Ends a thread that has grown, unless large runs go on. */
  #endLater(thread: GuestThread): void {
    if (this.#ending.has(thread)) return
    this.#ending.add(thread)
    setTimeout(() => {
      this.#ending.delete(thread)
      if (!this.#begun.has(thread)) return
      if (thread.load > 0 || !this.#isDone(thread)) this.#endLater(thread)
      else void this.#retire(thread)
    }, GROWN_MS).unref()
  }

  async #retire(thread: GuestThread): Promise<void> {
    this.#begun.delete(thread)
    await thread.terminate()
    await thread.gone
    this.#threads.delete(thread)
    this.#dispatch()
  }

  /** Starts a thread with guests of the image. */
  async #begin(entry: ImageEntry): Promise<void> {
    const parked = parkedGuestThreads.take(
      (one) => one.alive && one.hasOptions(this.#options) && (one.knows(entry) || suits(one, entry)),
    )
    const thread = parked ?? new GuestThread(this.#options.compiled, this.#options)
    thread.reference(true)
    this.#threads.add(thread)
    thread.onGone = () => void this.#retire(thread)
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
    this.#seatsPerThread = thread.capacity
    this.#rest(thread)
  }

  async #prepare(thread: GuestThread, entry: ImageEntry): Promise<void> {
    this.#begun.delete(thread)
    try {
      await thread.become(entry)
    } catch (error) {
      await this.#retire(thread)
      throw error
    }
    this.#rest(thread)
  }

  *#idle(): Iterator<GuestThread, undefined> {
    for (const thread of this.#begun.keys()) if (thread.load === 0) yield thread
    return undefined
  }

  /** The number of threads that are not blocked. */
  get #working(): number {
    let stalled = 0
    for (const thread of this.#threads) if (thread.stalled) stalled++
    return this.#threads.size - Math.min(stalled, STALLED)
  }

  #mayStart(entry?: ImageEntry): boolean {
    // Shared threads may never be without work, so an image that must be built does not wait for one that is.
    const builders = this.#seatsPerThread > 1 && entry?.ready === false && this.#starting === 0 ? 1 : 0
    return !this.#closed && this.#working < this.#options.maxWorkers + builders
  }

  /** True while more than one run is at work. */
  get #overlap(): boolean {
    let load = 0
    for (const thread of this.#threads) load += thread.load
    return load > 1
  }

  /** Starts spare threads ahead of need. */
  #topUp(): void {
    const entry = this.#lastEntry
    // Runs that follow each other need no second thread.
    if (entry === undefined || !this.#overlap) return
    let spare = this.#starting
    for (const idle = this.#idle(); !idle.next().done; ) spare++
    for (; spare < this.#options.spareWorkers && this.#working < this.#useful && this.#mayStart(); spare++)
      this.#begin(entry).catch(() => undefined)
  }

  /** Ends threads that have been idle for long, except those to keep. */
  #reap(): void {
    if (this.#reaper !== undefined || this.#closed || this.#threads.size <= this.#keep) return
    this.#reaper = setTimeout(() => {
      this.#reaper = undefined
      const now = performance.now()
      const spare = this.#threads.size - this.#keep
      const old = [...this.#begun].filter(([thread, since]) => thread.load === 0 && now - since >= IDLE_MS)
      for (const [thread] of old.slice(0, Math.max(0, spare))) void this.#retire(thread)
      this.#reap()
    }, IDLE_MS)
    this.#reaper.unref()
  }
}

/**
 * True when the thread may have guests of the image. A thread that has run a program builds no images, because other
 * guests would be made from them.
 */
function suits(thread: GuestThread, entry: ImageEntry): boolean {
  return entry.ready || !thread.used
}
