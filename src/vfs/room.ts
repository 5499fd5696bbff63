/** A holder of temporary data, within its own bounds. */
export interface Keeper {
  /** In bytes. */
  readonly held: number
  /** Deletes the oldest item. */
  dropOldest(): void
}

/**
 * A quota that several holders share. The largest holder is evicted first, so a small one loses nothing because of a
 * large one.
 */
export class Room {
  readonly #maxBytes: number
  /** A holder need not unregister: once collected, it holds nothing. */
  readonly #keepers = new Set<WeakRef<Keeper>>()
  /** With so many, those that were collected are looked for: twice as many as there were then. */
  #most = 64

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Registers a holder. */
  enter(keeper: Keeper): void {
    if (this.#keepers.size >= this.#most) this.#most = Math.max(64, 2 * this.#present().length)
    this.#keepers.add(new WeakRef(keeper))
  }

  /** Call this after a holder has grown. */
  settle(): void {
    const keepers = this.#present()
    let held = keepers.reduce((sum, keeper) => sum + keeper.held, 0)
    while (held > this.#maxBytes) {
      const largest = keepers.reduce((a, b) => (b.held > a.held ? b : a))
      held -= largest.held
      largest.dropOldest()
      held += largest.held
    }
  }

  #present(): Keeper[] {
    const present: Keeper[] = []
    for (const reference of this.#keepers) {
      const keeper = reference.deref()
      if (keeper === undefined) this.#keepers.delete(reference)
      else present.push(keeper)
    }
    return present
  }
}
