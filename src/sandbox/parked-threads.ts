// Idle threads whose owners have closed. The next owner in this process that needs the same kind of thread takes one
// over, because starting a thread takes 30 to 60 ms of processor time.
// Invariant: a parked thread has forgotten its owner, is alive, keeps no process alive, and ends soon.

/** A thread that can change its owner. */
export interface Parkable {
  /** Called when the thread has ended. */
  onGone: () => void
  /** Ends the thread. Resolves when it has ended. */
  end(): Promise<void>
}

const MOST_PARKED = 2
/** How long a thread waits for another owner. */
const PARKED_MS = 5_000

export class ParkedThreads<T extends Parkable> {
  /** With the timers of their ends, the one that was parked last at the end. */
  readonly #parked = new Map<T, NodeJS.Timeout>()

  get size(): number {
    return this.#parked.size
  }

  /** Takes over a thread that has forgotten its owner. The oldest one ends if there are too many. */
  park(thread: T): void {
    const end = setTimeout(() => void this.#end(thread), PARKED_MS)
    end.unref()
    this.#parked.set(thread, end)
    thread.onGone = () => this.#remove(thread)
    const [oldest] = this.#parked.keys()
    if (this.#parked.size > MOST_PARKED) void this.#end(oldest!)
  }

  /** Hands a suitable thread to a new owner, who sets `onGone`. */
  take(suits: (thread: T) => boolean): T | undefined {
    const thread = [...this.#parked.keys()].findLast(suits)
    if (thread !== undefined) this.#remove(thread)
    return thread
  }

  /** Ends all parked threads. */
  async endAll(): Promise<void> {
    await Promise.all([...this.#parked.keys()].map((thread) => this.#end(thread)))
  }

  #end(thread: T): Promise<void> {
    this.#remove(thread)
    return thread.end()
  }

  #remove(thread: T): void {
    clearTimeout(this.#parked.get(thread))
    this.#parked.delete(thread)
  }
}
