// A thread's processor time and its priority. Node 23.9 and newer report the time of the thread that asks, on every
// system; of other threads only Linux reports it. Where nobody does, waiting for a processor counts as computing. Only
// on Linux have threads priorities of their own.

import { closeSync, openSync, readlinkSync, readSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { Later } from './later.js'

/** The system's number of the current thread. */
export function ownThread(): number | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    const number = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    return Number.isSafeInteger(number) ? number : undefined
  } catch {
    return undefined
  }
}

/** Processor time of a thread. */
export interface Clock {
  /**
   * Milliseconds of processor time since the thread began, a few late; undefined where the system does not tell, or no
   * more.
   */
  read(): number | undefined
}

/** The clock of the current thread, which no other thread can read. */
export function ownClock(): Clock {
  const { threadCpuUsage } = process as {
    readonly threadCpuUsage?: () => { readonly user: number; readonly system: number }
  }
  if (threadCpuUsage === undefined) return new ThreadClock(ownThread())
  return {
    read: () => {
      const { user, system } = threadCpuUsage()
      return (user + system) / 1000
    },
  }
}

/** The clock of any thread. */
export class ThreadClock implements Clock {
  readonly #text = Buffer.alloc(64)
  #file: number | undefined

  constructor(thread: number | undefined) {
    if (thread === undefined) return
    try {
      this.#file = openSync(`/proc/self/task/${thread}/schedstat`, 'r')
    } catch {
      // The clock stays unknown.
    }
  }

  read(): number | undefined {
    if (this.#file === undefined) return undefined
    try {
      const length = readSync(this.#file, this.#text, 0, this.#text.length, 0)
      const nanoseconds = Number(this.#text.toString('latin1', 0, length).split(' ')[0])
      return nanoseconds > 0 ? nanoseconds / 1e6 : undefined
    } catch {
      return undefined
    }
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
  }
}

/** Processor time after which work is long. */
const LONG_MS = 20
const LOOK_MS = 10
/** The checking interval for a waiting thread. */
const SELDOM_MS = 160
/** In steps of niceness; the thread then gets a tenth of the share that others have. */
const LOWER_BY = 10

/**
 * The work of a thread, seen from another thread. The system shares processors evenly among threads, so a few long
 * pieces of work would delay every short one. A thread that has worked on one piece for long gets only the time that
 * the others leave.
 * Invariant: after `end` the thread has its usual priority, or `end` has returned false.
 */
export class WatchedWork {
  readonly #thread: number | undefined
  readonly #clock: ThreadClock
  #begunAt: number | undefined
  #look: NodeJS.Timeout | undefined
  #usual: number | undefined
  /** Most work is over before the first look, and a reading of the clock takes as long as some of it. */
  readonly #unread = new Later(LOOK_MS)

  constructor(thread: number | undefined) {
    this.#thread = thread
    this.#clock = new ThreadClock(thread)
  }

  /** The processor time of this piece, up to LOOK_MS less than it was; undefined if unknown. */
  get computedMs(): number | undefined {
    const now = this.#clock.read()
    return now === undefined ? undefined : now - (this.#begunAt ?? now)
  }

  begin(): void {
    this.#begunAt = undefined
    this.#unread.enter(this.#firstLook)
  }

  readonly #firstLook = (): void => {
    this.#begunAt = this.#clock.read()
    if (this.#begunAt !== undefined) this.#lookAfter(LOOK_MS, 0)
  }

  #lookAfter(ms: number, computedThen: number): void {
    this.#look = setTimeout(() => {
      const computed = this.computedMs ?? LONG_MS
      if (computed >= LONG_MS) this.#lower()
      else this.#lookAfter(computed - computedThen < 1 ? Math.min(2 * ms, SELDOM_MS) : LOOK_MS, computed)
    }, ms)
    this.#look.unref()
  }

  /** False: the system does not let the thread have its usual share again, so another should take its place. */
  end(): boolean {
    this.#lookAway()
    if (this.#usual === undefined) return true
    try {
      setPriority(this.#thread!, this.#usual)
      this.#usual = undefined
      return true
    } catch {
      return false
    }
  }

  /** The thread has ended. */
  close(): void {
    this.#lookAway()
    this.#clock.close()
    // The system may have reused the thread's number.
    this.#usual = undefined
  }

  #lookAway(): void {
    this.#unread.withdraw(this.#firstLook)
    clearTimeout(this.#look)
  }

  #lower(): void {
    try {
      const usual = getPriority(this.#thread)
      setPriority(this.#thread!, Math.min(19, usual + LOWER_BY))
      this.#usual = usual
    } catch {
      // It has ended, or the system doesn't let us.
    }
  }
}
