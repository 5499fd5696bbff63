// A queue of groups: groups take turns, and a group's own entries are first in, first out. A group that floods the
// queue delays only itself.

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

  /** Puts an item before all others of its group. */
  addFirst(group: string, item: Item): void {
    const line = this.#groups.get(group)
    if (line === undefined) this.#groups.set(group, [item])
    else line.unshift(item)
    this.#size++
  }

  /** The next item of the groups that may run. Does not take it. */
  peek(may: (group: string) => boolean): Item | undefined {
    for (const [group, line] of this.#groups) if (may(group)) return line[0]
    return undefined
  }

  take(may: (group: string) => boolean): Item | undefined {
    for (const [group, line] of this.#groups) {
      if (!may(group)) continue
      const item = line.shift()
      this.#size--
      this.#groups.delete(group)
      if (line.length > 0) this.#groups.set(group, line)
      return item
    }
    return undefined
  }

  /**
   * Makes room for an item of this group at the cost of the longest line: takes that line's last item, unless the
   * group's own is as long.
   */
  displace(group: string): Item | undefined {
    const own = this.#groups.get(group)?.length ?? 0
    let longest: [string, Item[]] | undefined
    for (const entry of this.#groups) if (longest === undefined || entry[1].length > longest[1].length) longest = entry
    if (longest === undefined || longest[1].length <= own + 1) return undefined
    this.#size--
    return longest[1].pop()
  }

  /** Removes an item. False: it is not in the queue. */
  remove(group: string, item: Item): boolean {
    const line = this.#groups.get(group)
    const at = line?.indexOf(item) ?? -1
    if (line === undefined || at < 0) return false
    line.splice(at, 1)
    this.#size--
    if (line.length === 0) this.#groups.delete(group)
    return true
  }

  /** Removes all items. */
  drain(): Item[] {
    const all = [...this.#groups.values()].flat()
    this.#groups.clear()
    this.#size = 0
    return all
  }
}
