// Shares one quota among several holders.
// Invariant: whoever holds most is evicted first, so nobody loses a few things because somebody else keeps many.

/** Keeps things for a while, within bounds of its own. */
export interface Keeper {
  /** In bytes. */
  readonly held: number
  /** Lets go of the oldest thing. */
  dropOldest(): void
}

export class Room {
  readonly #maxBytes: number
  /** Who is gone holds nothing, and need not say so. */
  readonly #keepers = new Set<WeakRef<Keeper>>()

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** From now on what the keeper holds counts. */
  enter(keeper: Keeper): void {
    this.#keepers.add(new WeakRef(keeper))
  }

  /** Makes room where somebody has kept something more. */
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
