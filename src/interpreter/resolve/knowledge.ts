// The facts of an analysis about the variables at one point of a program. An analysis copies them at every branch and
// joins them where branches meet. Programs can have thousands of variables and branches, so the cost of both must
// depend on the number of changes in between, not on the number of facts. Therefore the facts form a tree over the
// numbers of the bindings, and copies share its parts: a copy costs nothing, the first change of a part copies that
// part, and a part that two trees share is equal without a comparison.
// Invariant: a branch is changed only through the knowledge that owns it.

import type { Binding } from './scope.js'

interface Entry<T> {
  readonly binding: Binding
  readonly value: T
}

interface Branch<T> {
  readonly owner: object
  readonly slots: (Branch<T> | Entry<T> | undefined)[]
}

type Slot<T> = Branch<T> | Entry<T> | undefined

const BITS = 4
const WIDTH = 1 << BITS
const MASK = WIDTH - 1

export class Knowledge<T extends object> {
  #owner: object = {}
  #root: Branch<T> | undefined
  /** The number of levels below the root. */
  #height = 0

  get(binding: Binding): T | undefined {
    const n = binding.number
    if (n >>> (BITS * (this.#height + 1)) !== 0) return undefined
    let branch = this.#root
    for (let shift = BITS * this.#height; shift > 0 && branch !== undefined; shift -= BITS)
      branch = branch.slots[(n >>> shift) & MASK] as Branch<T> | undefined
    return (branch?.slots[n & MASK] as Entry<T> | undefined)?.value
  }

  has(binding: Binding): boolean {
    return this.get(binding) !== undefined
  }

  set(binding: Binding, value: T): void {
    if (this.get(binding) !== value) this.#leafOf(binding.number).slots[binding.number & MASK] = { binding, value }
  }

  delete(binding: Binding): void {
    if (this.has(binding)) this.#leafOf(binding.number).slots[binding.number & MASK] = undefined
  }

  /** A copy that can be changed independently. */
  copy(): Knowledge<T> {
    const copy = new Knowledge<T>()
    copy.#root = this.#root
    copy.#height = this.#height
    // From now on neither copy may change the shared parts.
    this.#owner = {}
    return copy
  }

  /**
   * Joins the facts of two paths. `join` is called for values that are not identical; a value is undefined if its path
   * knows nothing. If `join` returns undefined, nothing is known about the variable.
   */
  static merge<T extends object>(
    a: Knowledge<T>,
    b: Knowledge<T>,
    join: (x: T | undefined, y: T | undefined) => T | undefined,
  ): Knowledge<T> {
    const merged = a.copy()
    b.#owner = {}
    while (merged.#height < b.#height) merged.#rise()
    let other = b.#root
    for (let h = b.#height; h < merged.#height; h++) other = wrap(b.#owner, other)
    merged.#root = mergeBranches(merged.#owner, merged.#root, other, merged.#height, join)
    return merged
  }

  /** Visits every variable whose facts differ; undefined where one side knows nothing. */
  static differences<T extends object>(
    a: Knowledge<T>,
    b: Knowledge<T>,
    visit: (binding: Binding, x: T | undefined, y: T | undefined) => void,
  ): void {
    const height = Math.max(a.#height, b.#height)
    let x = a.#root
    let y = b.#root
    for (let h = a.#height; h < height; h++) x = wrap(a.#owner, x)
    for (let h = b.#height; h < height; h++) y = wrap(b.#owner, y)
    visitDifferences(x, y, height, visit)
  }

  /** The same variables with other values. */
  mapped(change: (value: T) => T): Knowledge<T> {
    const changed = this.copy()
    if (changed.#root !== undefined) changed.#root = mapBranch(changed.#owner, changed.#root, changed.#height, change)
    return changed
  }

  /** The branch that holds an entry, after a copy of it if others share it. */
  #leafOf(n: number): Branch<T> {
    while (n >>> (BITS * (this.#height + 1)) !== 0) this.#rise()
    let branch = this.#own(this.#root)
    this.#root = branch
    for (let shift = BITS * this.#height; shift > 0; shift -= BITS) {
      const at = (n >>> shift) & MASK
      const inner = this.#own(branch.slots[at] as Branch<T> | undefined)
      branch.slots[at] = inner
      branch = inner
    }
    return branch
  }

  #rise(): void {
    this.#root = wrap(this.#owner, this.#root)
    this.#height++
  }

  #own(branch: Branch<T> | undefined): Branch<T> {
    if (branch === undefined) return { owner: this.#owner, slots: new Array(WIDTH).fill(undefined) }
    return branch.owner === this.#owner ? branch : { owner: this.#owner, slots: branch.slots.slice() }
  }
}

function wrap<T>(owner: object, branch: Branch<T> | undefined): Branch<T> | undefined {
  if (branch === undefined) return undefined
  const slots: Slot<T>[] = new Array(WIDTH).fill(undefined)
  slots[0] = branch
  return { owner, slots }
}

function mergeBranches<T extends object>(
  owner: object,
  a: Branch<T> | undefined,
  b: Branch<T> | undefined,
  height: number,
  join: (x: T | undefined, y: T | undefined) => T | undefined,
): Branch<T> | undefined {
  if (a === b) return a
  let slots = a?.slots
  for (let i = 0; i < WIDTH; i++) {
    const x = a?.slots[i]
    const y = b?.slots[i]
    if (x === y) continue
    const merged =
      height > 0
        ? mergeBranches(owner, x as Branch<T> | undefined, y as Branch<T> | undefined, height - 1, join)
        : mergeEntries(x as Entry<T> | undefined, y as Entry<T> | undefined, join)
    if (merged === x) continue
    if (slots === a?.slots) slots = a === undefined ? new Array(WIDTH).fill(undefined) : a.slots.slice()
    slots![i] = merged
  }
  return slots === a?.slots ? a : { owner, slots: slots! }
}

function mergeEntries<T>(
  x: Entry<T> | undefined,
  y: Entry<T> | undefined,
  join: (x: T | undefined, y: T | undefined) => T | undefined,
): Entry<T> | undefined {
  if (x !== undefined && x.value === y?.value) return x
  const value = join(x?.value, y?.value)
  if (value === undefined) return undefined
  return value === x?.value ? x : { binding: (x ?? y)!.binding, value }
}

function visitDifferences<T>(
  a: Branch<T> | undefined,
  b: Branch<T> | undefined,
  height: number,
  visit: (binding: Binding, x: T | undefined, y: T | undefined) => void,
): void {
  if (a === b) return
  for (let i = 0; i < WIDTH; i++) {
    const x = a?.slots[i]
    const y = b?.slots[i]
    if (x === y) continue
    if (height > 0) visitDifferences(x as Branch<T> | undefined, y as Branch<T> | undefined, height - 1, visit)
    else {
      const mine = x as Entry<T> | undefined
      const theirs = y as Entry<T> | undefined
      if (mine?.value !== theirs?.value) visit((mine ?? theirs)!.binding, mine?.value, theirs?.value)
    }
  }
}

function mapBranch<T>(owner: object, branch: Branch<T>, height: number, change: (value: T) => T): Branch<T> {
  let { slots } = branch
  for (let i = 0; i < WIDTH; i++) {
    const x = slots[i]
    if (x === undefined) continue
    const changed = height > 0 ? mapBranch(owner, x as Branch<T>, height - 1, change) : mapEntry(x as Entry<T>, change)
    if (changed === x) continue
    if (slots === branch.slots) slots = slots.slice()
    slots[i] = changed
  }
  return slots === branch.slots ? branch : { owner, slots }
}

function mapEntry<T>(entry: Entry<T>, change: (value: T) => T): Entry<T> {
  const value = change(entry.value)
  return value === entry.value ? entry : { binding: entry.binding, value }
}
