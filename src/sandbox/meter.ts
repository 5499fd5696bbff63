// A run's consumption, on the guest's side.
// Invariant: the first exceeded limit wins and is thrown as a RunStopped, which no guest code can catch.

import type { LimitName, Limits } from './limits.js'
import { lineFeeds, type Text, utf8Bytes } from './text.js'
import type { ThreadClock } from './thread-clock.js'

/** Unwinds the guest. `outside`: the host asked. */
export class RunStopped {
  readonly reason: LimitName | 'outside'
  constructor(reason: LimitName | 'outside') {
    this.reason = reason
  }
}

export class Meter {
  readonly #limits: Limits
  readonly #startedAt: number
  readonly #clock: ThreadClock | undefined
  readonly #clockAtStart: number
  /** Waiting for calls. */
  #waitedMs = 0
  /** Not computing for another reason: it had not begun, or others had their turn, or the processor. */
  #parkedMs: number
  #leftAt: number | undefined
  #calls = 0
  #printedBytes = 0
  #printedLines = 0

  /**
   * `lateMs`: the run's age at its start here, without computing. `clock`: of a thread that computes for this run
   * alone.
   */
  constructor(
    limits: Limits,
    now: number,
    { lateMs = 0, clock }: { readonly lateMs?: number; readonly clock?: ThreadClock | undefined } = {},
  ) {
    this.#limits = limits
    this.#clock = clock
    this.#clockAtStart = clock?.read() ?? 0
    this.#startedAt = now - lateMs
    this.#parkedMs = lateMs
  }

  /** The time that the run did not compute, up to its last resumption. */
  get awayMs(): number {
    return this.#waitedMs + this.#parkedMs
  }

  get waitedMs(): number {
    return this.#waitedMs
  }

  /** When the wall time is over. */
  get deadline(): number {
    return this.#startedAt + this.#limits.wallMs
  }

  runMs(now: number): number {
    return now - this.#startedAt
  }

  /** The limit on time that is met. */
  timeOver(now: number): 'wallMs' | 'cpuMs' | undefined {
    if (now - this.#startedAt >= this.#limits.wallMs) return 'wallMs'
    const computedMs = (this.#leftAt ?? now) - this.#startedAt - this.awayMs
    if (computedMs < this.#limits.cpuMs) return undefined
    const clock = this.#clock?.read()
    const starvedMs = clock === undefined ? 0 : computedMs - (clock - this.#clockAtStart)
    if (computedMs - starvedMs >= this.#limits.cpuMs) return 'cpuMs'
    this.#parkedMs += starvedMs
    return undefined
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
    this.#leftAt = now
    return now - this.#startedAt
  }

  comeBack(now: number, from: 'calls' | 'parked'): void {
    const ms = now - (this.#leftAt ?? now)
    if (from === 'calls') this.#waitedMs += ms
    else this.#parkedMs += ms
    this.#leftAt = undefined
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
    if (utf8Bytes(text, allowed) > allowed) throw new RunStopped(limit)
  }
}

function endsLine({ bytes, wide }: Text): boolean {
  const last = bytes.length - (wide ? 2 : 1)
  return last >= 0 && bytes[last] === 10 && (!wide || bytes[last + 1] === 0)
}
