// A run's consumption, on the guest's side.
// Invariant: the first exceeded limit wins and is thrown as a RunStopped, which no guest code can catch.

import type { LimitName, Limits } from './limits.js'
import { lineFeeds, type Text, utf8Bytes } from './text.js'
import type { Clock } from './thread-clock.js'

/** Unwinds the guest. `outside`: the host asked. */
export class RunStopped {
  readonly reason: LimitName | 'outside'
  constructor(reason: LimitName | 'outside') {
    this.reason = reason
  }
}

/** Shorter slices count with their wall time, because reading the processor clock takes too long for them. */
const SLICE_MIN_MS = 1

interface MeterOptions {
  readonly lateMs?: number
  readonly clock?: Clock | undefined
  readonly sharesThread?: boolean
}

/** A moment of the run, with its counters. */
interface Mark {
  readonly at: number
  /** The time away for other reasons than a busy processor. */
  readonly otherMs: number
  readonly starvedMs: number
  readonly clock: number | undefined
}

export class Meter {
  readonly #limits: Limits
  readonly #startedAt: number
  readonly #clock: Clock | undefined
  readonly #sharesThread: boolean
  /**
   * The thread's clock counts for the run since this mark: the start of the run, or of its slice in a shared thread.
   */
  #since: Mark
  /** Waiting for calls. */
  #waitedMs = 0
  /** Not computing for other reasons: the run had not begun, or others had their turn. */
  #parkedMs: number
  /** Others had the processor. A late clock catches up at its next reading, so this may decrease. */
  #starvedMs = 0
  #leftAt: number | undefined
  #calls = 0
  #printedBytes = 0
  #printedLines = 0

  /**
   * `lateMs`: the run's age at its start here, without computing. `clock`: of the thread. `sharesThread`: others
   * compute there, too, while this run is away. Default false.
   */
  constructor(limits: Limits, now: number, { lateMs = 0, clock, sharesThread = false }: MeterOptions = {}) {
    this.#limits = limits
    this.#clock = clock
    this.#sharesThread = sharesThread
    this.#startedAt = now - lateMs
    this.#parkedMs = lateMs
    this.#since = this.#mark(now)
  }

  /** The time that the run did not compute, up to its last resumption. */
  get awayMs(): number {
    return this.#waitedMs + this.#parkedMs + Math.max(0, this.#starvedMs)
  }

  get waitedMs(): number {
    return this.#waitedMs
  }

  /** The end of the wall time. */
  get deadline(): number {
    return this.#startedAt + this.#limits.wallMs
  }

  runMs(now: number): number {
    return now - this.#startedAt
  }

  /** The limit on time that is met. */
  timeOver(now: number): 'wallMs' | 'cpuMs' | undefined {
    if (now - this.#startedAt >= this.#limits.wallMs) return 'wallMs'
    const computedMs = () => (this.#leftAt ?? now) - this.#startedAt - this.awayMs
    if (computedMs() < this.#limits.cpuMs) return undefined
    if (this.#leftAt === undefined || !this.#sharesThread) this.#countStarved(this.#leftAt ?? now)
    return computedMs() >= this.#limits.cpuMs ? 'cpuMs' : undefined
  }

  #mark(now: number): Mark {
    const otherMs = this.#waitedMs + this.#parkedMs
    return { at: now, otherMs, starvedMs: this.#starvedMs, clock: this.#clock?.read() }
  }

  #countStarved(now: number): void {
    const { at, otherMs, starvedMs, clock } = this.#since
    const read = clock === undefined ? undefined : this.#clock?.read()
    if (clock === undefined || read === undefined) return
    const presentMs = now - at - (this.#waitedMs + this.#parkedMs - otherMs)
    this.#starvedMs = starvedMs + presentMs - (read - clock)
  }

  /** Counts a call about to be made and returns its id. */
  beginCall(payload: Text): number {
    if (this.#calls >= this.#limits.toolCalls) throw new RunStopped('toolCalls')
    this.#within('argumentBytes', payload)
    this.#calls++
    return this.#calls
  }

  checkResult(payload: Text): void {
    this.#within('resultBytes', payload)
  }

  /** The run stops computing; returns since when, in milliseconds of the run. */
  leave(now: number): number {
    if (this.#sharesThread && now - this.#since.at >= SLICE_MIN_MS) this.#countStarved(now)
    this.#leftAt = now
    return now - this.#startedAt
  }

  comeBack(now: number, from: 'calls' | 'parked'): void {
    const ms = now - (this.#leftAt ?? now)
    if (from === 'calls') this.#waitedMs += ms
    else this.#parkedMs += ms
    this.#leftAt = undefined
    if (this.#sharesThread) this.#since = this.#mark(now)
  }

  /** A piece of output counts as a line, and so does each line feed within it. */
  countPrinted(piece: Text): void {
    this.#printedBytes += utf8Bytes(piece, this.#limits.printedBytes)
    if (this.#printedBytes > this.#limits.printedBytes) throw new RunStopped('printedBytes')
    this.#printedLines += lineFeeds(piece) + (endsLine(piece) ? 0 : 1)
    if (this.#printedLines > this.#limits.printedLines) throw new RunStopped('printedLines')
  }

  #within(limit: 'argumentBytes' | 'resultBytes', text: Text): void {
    const allowed = this.#limits[limit]
    // In UTF-8 a text is at most twice as long.
    if (2 * text.bytes.length <= allowed) return
    if (utf8Bytes(text, allowed) > allowed) throw new RunStopped(limit)
  }
}

function endsLine({ bytes, wide }: Text): boolean {
  const last = bytes.length - (wide ? 2 : 1)
  return last >= 0 && bytes[last] === 10 && (!wide || bytes[last + 1] === 0)
}
