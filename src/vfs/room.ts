// Shares one quota among several holders.
// Invariant: the holder of the most is evicted first, so a small holder loses nothing because of a large one.

/** A holder of temporary data, within its own bounds. */
export interface Keeper {
  /** In bytes. */
  readonly held: number
  /** Lets go of the oldest thing. */
  dropOldest(): void
}

export class Room {
  readonly #maxBytes: number
  /** A collected holder holds nothing, and need not unregister. */
  readonly #keepers = new Set<WeakRef<Keeper>>()

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** From now on the holder counts. */
  enter(keeper: Keeper): void {
    this.#keepers.add(new WeakRef(keeper))
  }

  /** Makes room after a holder has grown. */
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
