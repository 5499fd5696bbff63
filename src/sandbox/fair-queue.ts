// Waiting in line when several groups wait at once: groups take turns, and within a group the first to come is the first to be served.

export class FairQueue<Item> {
  // The order of the map is the order of turns: a group that was served goes to the end.
  readonly #groups = new Map<string, Item[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  add(group: string, item: Item): void {
    const line = this.#groups.get(group)
    if (line === undefined) this.#groups.set(group, [item])
    else line.push(item)
    this.#size++
  }

  /** The item whose turn it is, left in place. */
  peek(): Item | undefined {
    return this.#groups.values().next().value?.[0]
  }

  take(): Item | undefined {
    const next = this.#groups.entries().next().value
    if (next === undefined) return undefined
    const [group, line] = next
    const item = line.shift()
    this.#size--
    this.#groups.delete(group)
    if (line.length > 0) this.#groups.set(group, line)
    return item
  }

  /** Takes an item out of turn; false when it does not wait. */
  remove(group: string, item: Item): boolean {
    const line = this.#groups.get(group)
    const at = line?.indexOf(item) ?? -1
    if (line === undefined || at < 0) return false
    line.splice(at, 1)
    this.#size--
    if (line.length === 0) this.#groups.delete(group)
    return true
  }

  /** Takes everything. */
  drain(): Item[] {
    const all = [...this.#groups.values()].flat()
    this.#groups.clear()
    this.#size = 0
    return all
  }
}
