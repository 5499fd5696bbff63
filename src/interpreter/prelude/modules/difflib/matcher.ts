// Longest matching blocks of two sequences of keys, found as in CPython's `difflib`. As there, popular elements of long
// sequences are ignored. Invariant: a matcher does not change.

import type { Value } from '../../values/values.js'

export interface Block {
  readonly a: number
  readonly b: number
  readonly size: number
}

export interface Opcode {
  readonly tag: 'equal' | 'replace' | 'delete' | 'insert'
  readonly a: readonly [number, number]
  readonly b: readonly [number, number]
}

/** Two sequences of normalised keys. */
export class Matcher {
  readonly a: readonly Value[]
  readonly b: readonly Value[]
  readonly #places = new Map<Value, number[]>()
  readonly #junk = new Set<Value>()
  #blocks: readonly Block[] | undefined

  constructor(
    a: readonly Value[],
    b: readonly Value[],
    isJunk: ((x: Value) => boolean) | undefined,
    automatic: boolean,
  ) {
    this.a = a
    this.b = b
    b.forEach((x, i) => {
      const known = this.#places.get(x)
      if (known === undefined) this.#places.set(x, [i])
      else known.push(i)
    })
    if (isJunk !== undefined) {
      for (const x of [...this.#places.keys()]) {
        if (!isJunk(x)) continue
        this.#junk.add(x)
        this.#places.delete(x)
      }
    }
    if (!automatic || b.length < 200) return
    const most = Math.floor(b.length / 100) + 1
    for (const [x, all] of [...this.#places]) if (all.length > most) this.#places.delete(x)
  }

  longest(alo: number, ahi: number, blo: number, bhi: number): Block {
    let best: Block = { a: alo, b: blo, size: 0 }
    let lengths = new Map<number, number>()
    for (let i = alo; i < ahi; i++) {
      const next = new Map<number, number>()
      for (const j of this.#places.get(this.a[i]!) ?? []) {
        if (j < blo) continue
        if (j >= bhi) break
        const k = (lengths.get(j - 1) ?? 0) + 1
        next.set(j, k)
        if (k > best.size) best = { a: i - k + 1, b: j - k + 1, size: k }
      }
      lengths = next
    }
    best = this.#grown(best, alo, ahi, blo, bhi, false)
    return this.#grown(best, alo, ahi, blo, bhi, true)
  }

  /** Extends a block by equal neighbours: first by elements that count, then by junk. */
  #grown(block: Block, alo: number, ahi: number, blo: number, bhi: number, junk: boolean): Block {
    let { a, b, size } = block
    const fits = (i: number, j: number): boolean => this.#junk.has(this.b[j]!) === junk && this.a[i] === this.b[j]
    while (a > alo && b > blo && fits(a - 1, b - 1)) {
      a--
      b--
      size++
    }
    while (a + size < ahi && b + size < bhi && fits(a + size, b + size)) size++
    return { a, b, size }
  }

  blocks(): readonly Block[] {
    if (this.#blocks !== undefined) return this.#blocks
    const found: Block[] = []
    const queue: [number, number, number, number][] = [[0, this.a.length, 0, this.b.length]]
    while (queue.length > 0) {
      const [alo, ahi, blo, bhi] = queue.pop()!
      const m = this.longest(alo, ahi, blo, bhi)
      if (m.size === 0) continue
      found.push(m)
      if (alo < m.a && blo < m.b) queue.push([alo, m.a, blo, m.b])
      if (m.a + m.size < ahi && m.b + m.size < bhi) queue.push([m.a + m.size, ahi, m.b + m.size, bhi])
    }
    found.sort((x, y) => x.a - y.a || x.b - y.b)
    const joined: Block[] = []
    for (const m of found) {
      const last = joined.at(-1)
      if (last !== undefined && last.a + last.size === m.a && last.b + last.size === m.b)
        joined[joined.length - 1] = { ...last, size: last.size + m.size }
      else joined.push(m)
    }
    joined.push({ a: this.a.length, b: this.b.length, size: 0 })
    this.#blocks = joined
    return joined
  }

  ratio(): number {
    const matches = this.blocks().reduce((n, m) => n + m.size, 0)
    return share(matches, this.a.length + this.b.length)
  }

  /** An upper bound of the ratio, from the number of common elements. */
  quickRatio(): number {
    const counts = new Map<Value, number>()
    for (const x of this.b) counts.set(x, (counts.get(x) ?? 0) + 1)
    let matches = 0
    for (const x of this.a) {
      const left = counts.get(x) ?? 0
      counts.set(x, left - 1)
      if (left > 0) matches++
    }
    return share(matches, this.a.length + this.b.length)
  }

  boundRatio(): number {
    return share(Math.min(this.a.length, this.b.length), this.a.length + this.b.length)
  }

  opcodes(): Opcode[] {
    const out: Opcode[] = []
    let i = 0
    let j = 0
    for (const { a, b, size } of this.blocks()) {
      const tag = i < a && j < b ? 'replace' : i < a ? 'delete' : j < b ? 'insert' : undefined
      if (tag !== undefined) out.push({ tag, a: [i, a], b: [j, b] })
      i = a + size
      j = b + size
      if (size > 0) out.push({ tag: 'equal', a: [a, i], b: [b, j] })
    }
    return out
  }

  /** The changes with up to `n` equal elements around them. */
  groups(n: number): Opcode[][] {
    let codes = this.opcodes()
    if (codes.length === 0) codes = [{ tag: 'equal', a: [0, 1], b: [0, 1] }]
    const first = codes[0]!
    if (first.tag === 'equal')
      codes[0] = {
        tag: 'equal',
        a: [Math.max(first.a[0], first.a[1] - n), first.a[1]],
        b: [Math.max(first.b[0], first.b[1] - n), first.b[1]],
      }
    const last = codes.at(-1)!
    if (last.tag === 'equal')
      codes[codes.length - 1] = {
        tag: 'equal',
        a: [last.a[0], Math.min(last.a[1], last.a[0] + n)],
        b: [last.b[0], Math.min(last.b[1], last.b[0] + n)],
      }
    const groups: Opcode[][] = []
    let group: Opcode[] = []
    for (const c of codes) {
      let [alo, blo] = [c.a[0], c.b[0]]
      if (c.tag === 'equal' && c.a[1] - alo > 2 * n) {
        group.push({ tag: 'equal', a: [alo, Math.min(c.a[1], alo + n)], b: [blo, Math.min(c.b[1], blo + n)] })
        groups.push(group)
        group = []
        alo = Math.max(alo, c.a[1] - n)
        blo = Math.max(blo, c.b[1] - n)
      }
      group.push({ tag: c.tag, a: [alo, c.a[1]], b: [blo, c.b[1]] })
    }
    if (group.length > 0 && !(group.length === 1 && group[0]!.tag === 'equal')) groups.push(group)
    return groups
  }
}

function share(matches: number, length: number): number {
  return length === 0 ? 1 : (2 * matches) / length
}
