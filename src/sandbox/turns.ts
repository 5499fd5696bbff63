// Time slices among the guests of one thread. Each slice is one turn of the event loop, so that messages are received
// in between. Guests that have computed little go first; the others still get every eighth slice, so that long runs
// make progress.
//
// The host detects a hanging thread through shared memory, which holds the number of slices and the current guest.
//
// Invariant: at most one guest has the slice, until it gives it up.

const TURN_COUNT = 0
const CURRENT = 1
/** A guest that has computed longer than this gives way to the others. */
const SHORT_MS = 25
const LONG_SHARE = 8
const SLICE_MS = 5

export function newTurnMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(8)
}

/** The host's view of a thread's turns. */
export function turnNow(memory: SharedArrayBuffer): { readonly count: number; readonly seat: number | undefined } {
  const words = new Int32Array(memory)
  const current = Atomics.load(words, CURRENT)
  return { count: Atomics.load(words, TURN_COUNT), seat: current > 0 ? current - 1 : undefined }
}

export class Turns {
  readonly #words: Int32Array
  readonly #short: (() => void)[] = []
  readonly #long: (() => void)[] = []
  #scheduled = false
  #granted = 0

  constructor(memory: SharedArrayBuffer) {
    this.#words = new Int32Array(memory)
  }

  /** True when a guest waits for its turn. */
  get wanted(): boolean {
    return this.#short.length + this.#long.length > 0
  }

  enter(seat: number, usedMs: number): Promise<void> {
    return new Promise((resolve) => {
      const begin = (): void => {
        Atomics.store(this.#words, CURRENT, seat + 1)
        resolve()
      }
      ;(usedMs < SHORT_MS ? this.#short : this.#long).push(begin)
      this.#schedule()
    })
  }

  leave(): void {
    Atomics.add(this.#words, TURN_COUNT, 1)
    Atomics.store(this.#words, CURRENT, 0)
  }

  #schedule(): void {
    if (this.#scheduled || !this.wanted) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      this.#granted++
      const longFirst = this.#granted % LONG_SHARE === 0
      const begin = longFirst
        ? (this.#long.shift() ?? this.#short.shift())
        : (this.#short.shift() ?? this.#long.shift())
      // The guest continues when this function has returned, before the next turn.
      this.#schedule()
      begin?.()
    })
  }
}

/** The turns of one guest. */
export class Pace {
  readonly #turns: Turns
  readonly #seat: number
  #usedMs = 0
  #since = 0

  constructor(turns: Turns, seat: number) {
    this.#turns = turns
    this.#seat = seat
  }

  /** A new run begins. */
  reset(): void {
    this.#usedMs = 0
  }

  /** Resolves when it is this guest's turn. */
  async enter(): Promise<void> {
    await this.#turns.enter(this.#seat, this.#usedMs)
    this.#since = performance.now()
  }

  leave(): void {
    this.#usedMs += performance.now() - this.#since
    this.#turns.leave()
  }

  /** True when the guest has computed long enough for now. */
  due(now: number): boolean {
    return now - this.#since >= SLICE_MS
  }

  /** True when no other guest is ready to compute. */
  get alone(): boolean {
    return !this.#turns.wanted
  }
}
