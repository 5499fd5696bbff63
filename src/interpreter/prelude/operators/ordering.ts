// Sorting, and the minimum and maximum of many elements. `sorted` is stable in both directions and calls a key function
// once for each element.
//
// QuickJS sorts numbers in a Float64Array and plain strings in C. A comparison function in JavaScript costs ten times
// as much. So keys of the common kinds are turned into ranks, which are integers in the order of the keys. A small
// number of ranks is sorted by counting. For many, rank × 2**k + position is sorted: one number for each element, which
// carries its position and so keeps equal elements in order. Tuples of such keys are sorted column by column. All other
// keys are merged with the language's own comparison. Invariant: a rank times the next power of two above the number of
// elements stays within 2**53.

import { call, isCallable, type Native } from '../calls/signature.js'
import { items } from '../containers/iterate.js'
import { guestError } from '../values/errors.js'
import { python } from '../values/mode.js'
import { protocolOf } from '../values/protocol.js'
import { asName, said } from '../values/said.js'
import { Float, TUPLE, typeOf, type Value } from '../values/values.js'
import { compare, greater, less } from './comparison.js'

/** A function of the program as a JavaScript function of one argument. */
export function unary(f: Value): (x: Value) => Value {
  if (isCallable(f) && f.sig.n === 1) return f as unknown as (x: Value) => Value
  return (x) => call(f, [x])
}

/** The key function of `sorted`, `min` or `max`. Strict mode refuses None. */
export function keyFunction(key: Value | undefined, fn: string): Value | undefined {
  if (key === undefined || (python && key === null)) return undefined
  if (!python && !isCallable(key))
    throw guestError('TypeError', said`${asName(fn)}: for parameter key: got ${typeOf(key)}, want callable`)
  return key
}

/** The elements in order, as a new array. */
export function sortedArray(x: Value, key: Value | undefined, reverse: boolean): Value[] {
  const source = items(x)
  const out: Value[] = []
  sortInto(out, source, key, reverse)
  return out
}

/** Sorts `source` into `out`, which may not be `source` itself. */
export function sortInto(out: Value[], source: readonly Value[], key: Value | undefined, reverse: boolean): void {
  const n = source.length
  let keys = source
  if (key !== undefined) {
    const f = unary(key)
    const own: Value[] = []
    for (let i = 0; i < n; i++) own[i] = f(source[i]!)
    keys = own
  }
  if (n < 2) {
    for (let i = 0; i < n; i++) out[i] = source[i]!
    return
  }
  let kind = kindOf(keys)
  if (kind === 'floats') {
    keys = unboxed(keys)
    kind = 'numbers'
  }
  if (keys === source && kind === 'strings' && sortStrings(out, source as readonly string[], reverse)) return
  if (keys === source && kind === 'numbers' && sortNumbers(out, source as readonly number[], reverse)) return
  const order = orderOf(keys, kind, reverse)
  if (order === undefined) merge(out, source, keys, reverse)
  else for (let i = 0; i < n; i++) out[i] = source[order[i]!]!
}

function orderOf(keys: readonly Value[], kind: Kind, reverse: boolean): Int32Array | undefined {
  if (kind === 'others') return undefined
  if (kind === 'tuples') return orderTuples(keys as readonly Value[][], 1, reverse)
  const ranks = rankColumn(keys)
  return ranks === undefined ? undefined : orderByRank(ranks, undefined, reverse)
}

/** `floats`: numbers, some of which are boxed. */
type Kind = 'numbers' | 'floats' | 'strings' | 'tuples' | 'others'

function kindOf(keys: readonly Value[]): Kind {
  const first = keys[0]
  if (typeof first === 'number' || first instanceof Float) {
    let kind: Kind = 'numbers'
    for (let i = 0; i < keys.length; i++) {
      const k = keys[i]
      if (typeof k === 'number') continue
      if (!(k instanceof Float)) return 'others'
      kind = 'floats'
    }
    return kind
  }
  if (typeof first === 'string') {
    for (let i = 0; i < keys.length; i++) if (typeof keys[i] !== 'string') return 'others'
    return 'strings'
  }
  if (!Array.isArray(first) || first[0] !== TUPLE) return 'others'
  for (let i = 0; i < keys.length; i++) {
    const k = keys[i]
    if (!Array.isArray(k) || k[0] !== TUPLE || k.length !== first.length) return 'others'
  }
  return 'tuples'
}

function unboxed(keys: readonly Value[]): Value[] {
  const out: Value[] = []
  for (let i = 0; i < keys.length; i++) {
    const k = keys[i]!
    out[i] = k instanceof Float ? k.v : k
  }
  return out
}

const surrogate = /[\ud800-\udfff]/

/** True if strings can be ordered by UTF-16 unit. Python orders by code point, which differs only for surrogates. */
function isByUnit(strings: readonly string[]): boolean {
  return !python || !surrogate.test(strings.join(''))
}

/**
 * Sorts numbers. In Starlark NaN comes last. Python does not order NaN: then nothing is sorted, and the result is
 * false.
 */
function sortNumbers(out: Value[], source: readonly number[], reverse: boolean): boolean {
  const numbers = new Float64Array(source).sort()
  const n = numbers.length
  if (python && Number.isNaN(numbers[n - 1])) return false
  if (reverse) for (let i = 0, k = n; i < n; i++) out[i] = numbers[--k]!
  else for (let i = 0; i < n; i++) out[i] = numbers[i]!
  return true
}

/** Sorts strings; false if their order is not that of their units. */
function sortStrings(out: Value[], source: readonly string[], reverse: boolean): boolean {
  if (!isByUnit(source)) return false
  const strings = source.slice().sort()
  if (reverse) strings.reverse()
  for (let i = 0; i < strings.length; i++) out[i] = strings[i]!
  return true
}

/** Numbers in the order of the keys. */
interface Ranks {
  readonly ranks: Float64Array
  /** All ranks are integers from 0 (inclusive) to this (exclusive). */
  readonly limit: number
}

/** The least power of two that is greater than all positions. */
function positions(n: number): number {
  let m = 1
  while (m < n) m *= 2
  return m
}

/**
 * The ranks of keys that are all numbers or all strings. Undefined if there is a NaN, which Python does not order, or if
 * strings are not ordered by unit.
 */
function rankColumn(keys: readonly Value[]): Ranks | undefined {
  return typeof keys[0] === 'number' ? rankNumbers(keys as readonly number[]) : rankStrings(keys as readonly string[])
}

function rankNumbers(keys: readonly number[]): Ranks | undefined {
  const n = keys.length
  const ranks = new Float64Array(keys)
  let least = ranks[0]!
  let most = least
  let integral = true
  for (let i = 0; i < n; i++) {
    const v = ranks[i]!
    if (v < least) least = v
    else if (v > most) most = v
    if ((v | 0) !== v && integral && !Number.isInteger(v)) integral = false
  }
  const limit = most - least + 1
  if (integral && limit * positions(n) <= 9007199254740992) {
    if (least !== 0) for (let i = 0; i < n; i++) ranks[i] = ranks[i]! - least
    return { ranks, limit }
  }
  const sorted = ranks.slice().sort()
  if (python && Number.isNaN(sorted[n - 1])) return undefined
  const found = new Map<number, number>()
  let last: number | undefined
  let rank = 0
  for (let i = 0; i < n; i++) {
    const v = sorted[i]!
    if (v === last) continue
    found.set(v, rank++)
    last = v
  }
  for (let i = 0; i < n; i++) ranks[i] = found.get(ranks[i]!)!
  return { ranks, limit: rank }
}

function rankStrings(keys: readonly string[]): Ranks | undefined {
  const n = keys.length
  const groups = new Map<string, number>()
  const ranks = new Float64Array(n)
  const distinct: string[] = []
  for (let i = 0; i < n; i++) {
    const k = keys[i]!
    let g = groups.get(k)
    if (g === undefined) {
      g = distinct.length
      groups.set(k, g)
      distinct[g] = k
    }
    ranks[i] = g
  }
  if (!isByUnit(distinct)) return undefined
  distinct.sort()
  const rankOf = new Int32Array(distinct.length)
  for (let r = 0; r < distinct.length; r++) rankOf[groups.get(distinct[r]!)!] = r
  for (let i = 0; i < n; i++) ranks[i] = rankOf[ranks[i]!]!
  return { ranks, limit: distinct.length }
}

/**
 * The order of tuples of numbers and strings by their columns from `c` on. Later columns matter only for tuples that
 * are equal up to this one. These are sorted first, and keep their order when all are sorted by this column.
 */
function orderTuples(tuples: readonly Value[][], c: number, reverse: boolean): Int32Array | undefined {
  const n = tuples.length
  const width = tuples[0]!.length
  if (c >= width) return orderByRank({ ranks: new Float64Array(n), limit: 1 }, undefined, false)
  const column: Value[] = []
  for (let i = 0; i < n; i++) column[i] = tuples[i]![c]!
  const kind = kindOf(column)
  const plain = kind === 'floats' ? unboxed(column) : kind === 'numbers' || kind === 'strings' ? column : undefined
  const ranks = plain === undefined ? undefined : rankColumn(plain)
  if (ranks === undefined) return undefined
  if (ranks.limit === 1) return orderTuples(tuples, c + 1, reverse)
  const tied = c + 1 < width ? tiedIn(ranks) : []
  if (tied?.length === 0) return orderByRank(ranks, undefined, reverse)
  if (tied === undefined) {
    const before = orderTuples(tuples, c + 1, reverse)
    return before === undefined ? undefined : orderByRank(ranks, before, reverse)
  }
  const some: Value[][] = []
  for (let i = 0; i < tied.length; i++) some[i] = tuples[tied[i]!]!
  const order = orderTuples(some, c + 1, reverse)
  if (order === undefined) return undefined
  const before = new Int32Array(n)
  const isTied = new Uint8Array(n)
  let at = 0
  for (; at < order.length; at++) {
    before[at] = tied[order[at]!]!
    isTied[tied[at]!] = 1
  }
  for (let i = 0; i < n; i++) if (isTied[i] === 0) before[at++] = i
  return orderByRank(ranks, before, reverse)
}

/**
 * The positions whose rank others share. Undefined if these are most positions, or if ranks are too far apart to count.
 */
function tiedIn({ ranks, limit }: Ranks): number[] | undefined {
  const n = ranks.length
  if (limit > 4 * n || limit < n / 4) return undefined
  const counts = new Int32Array(limit)
  for (let i = 0; i < n; i++) counts[ranks[i]!]!++
  const tied: number[] = []
  for (let i = 0; i < n; i++) if (counts[ranks[i]!]! > 1) tied.push(i)
  return tied
}

/** Positions in the order of their ranks. Equal ones stay in the order of `before`. */
function orderByRank({ ranks, limit }: Ranks, before: Int32Array | undefined, reverse: boolean): Int32Array {
  const n = ranks.length
  if (reverse) for (let i = 0; i < n; i++) ranks[i] = limit - 1 - ranks[i]!
  return limit <= 2 * n ? orderByCounting(ranks, limit, before) : orderBySorting(ranks, before)
}

function orderByCounting(ranks: Float64Array, limit: number, before: Int32Array | undefined): Int32Array {
  const n = ranks.length
  const starts = new Int32Array(limit + 1)
  for (let i = 0; i < n; i++) starts[ranks[i]! + 1]!++
  for (let r = 1; r < limit; r++) starts[r] = starts[r]! + starts[r - 1]!
  const order = new Int32Array(n)
  if (before === undefined) for (let i = 0; i < n; i++) order[starts[ranks[i]!]!++] = i
  else {
    for (let i = 0; i < n; i++) {
      const at = before[i]!
      order[starts[ranks[at]!]!++] = at
    }
  }
  return order
}

function orderBySorting(ranks: Float64Array, before: Int32Array | undefined): Int32Array {
  const n = ranks.length
  const m = positions(n)
  const coded = new Float64Array(n)
  if (before === undefined) for (let i = 0; i < n; i++) coded[i] = ranks[i]! * m + i
  else for (let i = 0; i < n; i++) coded[i] = ranks[before[i]!]! * m + i
  coded.sort()
  const order = new Int32Array(n)
  // The low bits of an exact integer are those of its conversion to 32 bits, which is cheaper than a remainder.
  if (before === undefined) for (let i = 0; i < n; i++) order[i] = coded[i]! & (m - 1)
  else for (let i = 0; i < n; i++) order[i] = before[coded[i]! & (m - 1)]!
  return order
}

/**
 * Merges runs by the language's own comparison. With fewer than 64 elements the comparisons are in CPython's order, so
 * a failure names the same elements.
 */
function merge(out: Value[], source: readonly Value[], keys: readonly Value[], reverse: boolean): void {
  const n = source.length
  let order: number[] = []
  // Reversing, sorting stably and reversing again keeps equal elements in order.
  for (let i = 0; i < n; i++) order.push(reverse ? n - 1 - i : i)
  const own = keys.some((k) => protocolOf(k) !== undefined)
  const before = own ? less : (a: Value, b: Value): boolean => compare(a, b) < 0
  const isBefore = (i: number, j: number): boolean => before(keys[i]!, keys[j]!)
  let starts: number[] = []
  for (let from = 0; from < n; ) {
    starts.push(from)
    from = makeRun(order, from, n < 64 ? n : Math.min(n, from + 32), isBefore)
  }
  while (starts.length > 1) {
    const merged: number[] = []
    const kept: number[] = []
    for (let r = 0; r < starts.length; r += 2) {
      kept.push(starts[r]!)
      mergeRuns(merged, order, starts[r]!, starts[r + 1] ?? n, starts[r + 2] ?? n, isBefore)
    }
    order = merged
    starts = kept
  }
  for (let i = 0; i < n; i++) out[i] = source[order[reverse ? n - 1 - i : i]!]!
}

type IsBefore = (i: number, j: number) => boolean

/** Sorts a part of `order` from `from` to at least `least`. Returns its end. */
function makeRun(order: number[], from: number, least: number, isBefore: IsBefore): number {
  const n = order.length
  let end = from + 1
  if (end < n && isBefore(order[end]!, order[end - 1]!)) {
    end++
    while (end < n && isBefore(order[end]!, order[end - 1]!)) end++
    for (let i = from, j = end - 1; i < j; i++, j--) {
      const x = order[i]!
      order[i] = order[j]!
      order[j] = x
    }
  } else while (end < n && !isBefore(order[end]!, order[end - 1]!)) end++
  for (; end < least; end++) {
    const pivot = order[end]!
    let left = from
    let right = end
    while (left < right) {
      const middle = (left + right) >> 1
      if (isBefore(pivot, order[middle]!)) right = middle
      else left = middle + 1
    }
    for (let i = end; i > left; i--) order[i] = order[i - 1]!
    order[left] = pivot
  }
  return end
}

function mergeRuns(
  out: number[],
  order: readonly number[],
  from: number,
  middle: number,
  to: number,
  isBefore: IsBefore,
): void {
  let a = from
  let b = middle
  while (a < middle && b < to) out.push(isBefore(order[b]!, order[a]!) ? order[b++]! : order[a++]!)
  while (a < middle) out.push(order[a++]!)
  while (b < to) out.push(order[b++]!)
}

/** The first of the greatest (or least) elements by their keys. Undefined if there are none. */
export function extreme(
  all: readonly Value[],
  from: number,
  key: Value | undefined,
  greatest: boolean,
): Value | undefined {
  const n = all.length
  if (from >= n) return undefined
  const f = key === undefined ? undefined : unary(key)
  let best = all[from]!
  let bestKey = f === undefined ? best : f(best)
  for (let i = from + 1; i < n; i++) {
    const x = all[i]!
    const k = f === undefined ? x : f(x)
    if (greatest ? exceeds(k, bestKey) : precedes(k, bestKey)) {
      best = x
      bestKey = k
    }
  }
  return best
}

function exceeds(a: Value, b: Value): boolean {
  if (typeof a === 'number' && typeof b === 'number') {
    if (a > b) return true
    if (a <= b) return false
  }
  return greater(a, b)
}

function precedes(a: Value, b: Value): boolean {
  if (typeof a === 'number' && typeof b === 'number') {
    if (a < b) return true
    if (a >= b) return false
  }
  return less(a, b)
}

/** A function of the program as a JavaScript function of two arguments. */
export function binary(f: Value): (x: Value, y: Value) => Value {
  if (isCallable(f) && f.sig.n === 2) return f as unknown as Native as (x: Value, y: Value) => Value
  return (x, y) => call(f, [x, y])
}
