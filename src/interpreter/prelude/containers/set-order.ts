// CPython's iteration order of sets. It follows the hash table. Numbers and tuples of numbers have fixed hashes, so
// programs always see the same order. Strings keep their insertion order, because CPython salts their hashes. The table
// is filled as CPython fills it when elements are added one by one. Removed elements leave no trace.

import { Big, Float, TUPLE, type Value } from '../values/values.js'
import { hash } from './hashing.js'

const LINEAR_PROBES = 9
const WORD = 1n << 64n

/** True if the hash of this value is the same in every process. */
function isSteady(x: Value): boolean {
  if (typeof x === 'number' || typeof x === 'boolean' || x instanceof Float || x instanceof Big) return true
  if (!Array.isArray(x) || x[0] !== TUPLE) return false
  for (let i = 1; i < x.length; i++) if (!isSteady(x[i] as Value)) return false
  return true
}

/**
 * The elements in the order of CPython's table. `added` has them in insertion order, and is returned itself if the
 * table's order is not fixed.
 */
export function inTableOrder(added: Value[]): Value[] {
  const n = added.length
  if (n < 2 || typeof added[0] === 'string') return added
  for (let i = 0; i < n; i++) if (typeof added[i] !== 'number' && !isSteady(added[i]!)) return added
  const size = finalSize(n)
  // Small numbers are at their own slots, in ascending order.
  if (areSmall(added, size)) return Array.from(new Int32Array(added as number[]).sort())
  return fill(added)
}

function areSmall(added: readonly Value[], size: number): boolean {
  for (let i = 0; i < added.length; i++) {
    const x = added[i] as number
    if ((x | 0) !== x || x < 0 || x >= size) return false
  }
  return true
}

/** The number of slots after `n` additions. */
function finalSize(n: number): number {
  let size = 8
  for (let used = 1; used <= n; used++) {
    if (used * 5 >= (size - 1) * 3) size = sizeFor(used)
    else {
      // The size stays the same until the table is three fifths full.
      used = Math.max(used, Math.min(n, Math.ceil(((size - 1) * 3) / 5) - 1))
    }
  }
  return size
}

function sizeFor(used: number): number {
  const least = used > 50_000 ? used * 2 : used * 4
  let size = 8
  while (size <= least) size *= 2
  return size
}

interface Table {
  /** The position of the element in each slot, plus one; 0 means a free slot. */
  slots: Int32Array
}

function fill(added: readonly Value[]): Value[] {
  const hashes = added.map((x) => {
    // An int is its own hash, except -1, which means an error in C.
    if (typeof x === 'number' && Number.isInteger(x)) return x === -1 ? -2 : x
    const h = hash(x)
    return h instanceof Big ? h.n : (h as number)
  })
  const table: Table = { slots: new Int32Array(8) }
  for (let i = 0; i < added.length; i++) {
    put(table.slots, hashes[i]!, i + 1)
    const used = i + 1
    if (used * 5 >= (table.slots.length - 1) * 3) {
      const slots = new Int32Array(sizeFor(used))
      for (const p of table.slots) if (p !== 0) put(slots, hashes[p - 1]!, p)
      table.slots = slots
    }
  }
  const out: Value[] = []
  for (const p of table.slots) if (p !== 0) out.push(added[p - 1]!)
  return out
}

/**
 * Puts a position into the first free slot to which the hash leads: first neighbours, then distant slots that use
 * further bits of the hash.
 */
function put(slots: Int32Array, h: number | bigint, position: number): void {
  const mask = slots.length - 1
  let at = lowBits(h, mask)
  let perturb: bigint | undefined
  for (;;) {
    const last = at + LINEAR_PROBES <= mask ? at + LINEAR_PROBES : at
    for (let i = at; i <= last; i++) {
      if (slots[i] === 0) {
        slots[i] = position
        return
      }
    }
    perturb ??= BigInt(h) < 0n ? BigInt(h) + WORD : BigInt(h)
    perturb >>= 5n
    at = Number((BigInt(at) * 5n + 1n + perturb) & BigInt(mask))
  }
}

function lowBits(h: number | bigint, mask: number): number {
  if (typeof h === 'number' && h >= -2147483648 && h <= 2147483647) return h & mask
  const m = BigInt(mask + 1)
  const r = BigInt(h) % m
  return Number(r < 0n ? r + m : r)
}
