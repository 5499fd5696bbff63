// Decides whether to poll for an event. Polling is faster than being woken, but takes a processor from others: where
// the event did not come in time, they needed it, or it takes longer.

/** The maximum number of events without polling, after one that did not come in time. */
const MOST_UNSOUGHT = 63

export class Patience {
  /** The number of events without polling: after the next one that does not come in time, and from now on. */
  #next = 1
  #unsought = 0

  /** Called once for each event. */
  isWorthPolling(): boolean {
    if (this.#unsought === 0) return true
    this.#unsought--
    return false
  }

  /** The event came while somebody polled for it. */
  met(): void {
    this.#next = 1
  }

  missed(): void {
    this.#unsought = this.#next
    this.#next = Math.min(MOST_UNSOUGHT, 2 * this.#next + 1)
  }
}
