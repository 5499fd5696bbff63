// Sorting, and the least and greatest of many. `sorted` is stable in both directions and calls a key function once per element.
//
// QuickJS sorts numbers in a Float64Array and plain strings in C; a comparison function in JavaScript costs ten times as much. So keys of the common
// kinds are turned into ranks, numbers that are ordered as the keys are, and what is sorted is rank × count + position: one number per element
// that carries its position along and so keeps equal ones in order. Tuples of such keys become one rank by multiplying their columns' ranks.
// Everything else is merged with the language's own comparison.
// Invariant: the ranks of `n` elements stay below 2**53 / n.

import { GuestError } from './errors.js'
import { items } from './iterate.js'
import { python } from './mode.js'
import { compare, greater, less } from './operators.js'
import { protocolOf } from './protocol.js'
import { call, isCallable, type Native } from './signature.js'
import { TUPLE, typeName, type Value } from './values.js'

/** A function of the program as a JavaScript function of one argument. */
export function unary(f: Value): (x: Value) => Value {
  if (isCallable(f) && f.sig.n === 1) return f as unknown as (x: Value) => Value
  return (x) => call(f, [x])
}

/** The key function of `sorted`, `min` or `max`; strict mode refuses None. */
export function keyFunction(key: Value | undefined, fn: string): Value | undefined {
  if (key === undefined || (python && key === null)) return undefined
  if (!python && !isCallable(key))
    throw new GuestError('TypeError', `${fn}: for parameter key: got ${typeName(key)}, want callable`)
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
    for (let i = 0; i < n; i++) own.push(f(source[i]!))
    keys = own
  }
  if (n < 2) {
    for (let i = 0; i < n; i++) out[i] = source[i]!
    return
  }
  const kind = kindOf(keys)
  if (keys === source && kind === 'strings') sortStrings(out, source as readonly string[], reverse)
  else if (keys !== source || kind !== 'numbers' || !sortNumbers(out, source as readonly number[], reverse)) {
    const ranks =
      kind === 'others' ? undefined : kind === 'tuples' ? rankTuples(keys as readonly Value[][]) : rankColumn(keys)
    if (ranks === undefined) merge(out, source, keys, reverse)
    else place(out, source, ranks, reverse)
  }
}

type Kind = 'numbers' | 'strings' | 'tuples' | 'others'

function kindOf(keys: readonly Value[]): Kind {
  const first = keys[0]
  if (typeof first === 'number') {
    for (let i = 0; i < keys.length; i++) if (typeof keys[i] !== 'number') return 'others'
    return 'numbers'
  }
  if (typeof first === 'string') {
    for (let i = 0; i < keys.length; i++) if (typeof keys[i] !== 'string') return 'others'
    return isByUnit(keys as readonly string[]) ? 'strings' : 'others'
  }
  if (!Array.isArray(first) || first[0] !== TUPLE) return 'others'
  for (let i = 0; i < keys.length; i++) {
    const k = keys[i]
    if (!Array.isArray(k) || k[0] !== TUPLE || k.length !== first.length) return 'others'
  }
  return 'tuples'
}

const surrogate = /[\ud800-\udfff]/

/** Does the order by UTF-16 unit hold? Python orders by code point, which differs only where there are surrogates. */
function isByUnit(strings: readonly string[]): boolean {
  return !python || !surrogate.test(strings.join(''))
}

/** NaN comes last, as Starlark orders it. Python does not order it: then nothing is sorted. */
function sortNumbers(out: Value[], source: readonly number[], reverse: boolean): boolean {
  const numbers = new Float64Array(source).sort()
  const n = numbers.length
  if (python && Number.isNaN(numbers[n - 1])) return false
  if (reverse) for (let i = 0, k = n; i < n; i++) out[i] = numbers[--k]!
  else for (let i = 0; i < n; i++) out[i] = numbers[i]!
  return true
}

function sortStrings(out: Value[], source: readonly string[], reverse: boolean): void {
  const strings = source.slice().sort()
  if (reverse) strings.reverse()
  for (let i = 0; i < strings.length; i++) out[i] = strings[i]!
}

interface Ranks {
  readonly ranks: Float64Array
  /** All ranks are less. */
  readonly limit: number
}

/** The ranks of keys that are all numbers or all strings. */
function rankColumn(keys: readonly Value[]): Ranks | undefined {
  const n = keys.length
  if (typeof keys[0] === 'number') {
    const numbers = new Float64Array(keys as readonly number[])
    let least = numbers[0]!
    let most = least
    let integral = true
    for (let i = 0; i < n; i++) {
      const v = numbers[i]!
      if (v < least) least = v
      else if (v > most) most = v
      if (v % 1 !== 0) integral = false
    }
    const span = most - least + 1
    if (integral && span * n <= 9007199254740991) {
      for (let i = 0; i < n; i++) numbers[i] = numbers[i]! - least
      return { ranks: numbers, limit: span }
    }
    return rankNumbers(numbers)
  }
  return rankBy(keys, (distinct) => (distinct as string[]).sort())
}

/** Undefined where Python has no order: among NaNs. */
function rankNumbers(numbers: Float64Array): Ranks | undefined {
  return rankBy(Array.from(numbers), (distinct) => {
    const sorted = new Float64Array(distinct as number[]).sort()
    return python && Number.isNaN(sorted[sorted.length - 1]) ? undefined : Array.from(sorted)
  })
}

/** Ranks by sorting the distinct keys. */
function rankBy(keys: readonly Value[], sort: (distinct: Value[]) => Value[] | undefined): Ranks | undefined {
  const n = keys.length
  const groups = new Map<Value, number>()
  const group = new Float64Array(n)
  for (let i = 0; i < n; i++) {
    const k = keys[i]!
    let g = groups.get(k)
    if (g === undefined) {
      g = groups.size
      groups.set(k, g)
    }
    group[i] = g
  }
  const distinct: Value[] = []
  groups.forEach((_, k) => {
    distinct.push(k)
  })
  const sorted = sort(distinct)
  if (sorted === undefined) return undefined
  const rankOfGroup = new Float64Array(sorted.length)
  for (let r = 0; r < sorted.length; r++) rankOfGroup[groups.get(sorted[r]!)!] = r
  for (let i = 0; i < n; i++) group[i] = rankOfGroup[group[i]!]!
  return { ranks: group, limit: sorted.length }
}

function rankTuples(tuples: readonly Value[][]): Ranks | undefined {
  const n = tuples.length
  const most = 9007199254740991 / n
  let all: Ranks = { ranks: new Float64Array(n), limit: 1 }
  for (let c = 1; c < tuples[0]!.length; c++) {
    const column: Value[] = []
    for (let i = 0; i < n; i++) column.push(tuples[i]![c]!)
    const kind = kindOf(column)
    if (kind !== 'numbers' && kind !== 'strings') return undefined
    let next = rankColumn(column)
    if (next === undefined) return undefined
    if (all.limit * next.limit > most) {
      if (all.limit > n) all = rankNumbers(all.ranks)!
      if (next.limit > n) next = rankNumbers(next.ranks)!
      if (all.limit * next.limit > most) return undefined
    }
    const ranks = all.ranks
    for (let i = 0; i < n; i++) ranks[i] = ranks[i]! * next.limit + next.ranks[i]!
    all = { ranks, limit: all.limit * next.limit }
  }
  return all
}

function place(out: Value[], source: readonly Value[], { ranks, limit }: Ranks, reverse: boolean): void {
  const n = source.length
  for (let i = 0; i < n; i++) ranks[i] = (reverse ? limit - 1 - ranks[i]! : ranks[i]!) * n + i
  ranks.sort()
  for (let i = 0; i < n; i++) out[i] = source[ranks[i]! % n]!
}

/** Merges from the bottom up, by the language's own comparison. */
function merge(out: Value[], source: readonly Value[], keys: readonly Value[], reverse: boolean): void {
  const n = source.length
  let order: number[] = []
  // The reverse of a stable sort of the reverse keeps equal elements in order.
  for (let i = 0; i < n; i++) order.push(reverse ? n - 1 - i : i)
  const own = keys.some((k) => protocolOf(k) !== undefined)
  const before = own ? less : (a: Value, b: Value): boolean => compare(a, b) < 0
  let next: number[] = order.slice()
  for (let run = 1; run < n; run *= 2) {
    for (let from = 0; from < n; from += 2 * run) {
      const middle = Math.min(from + run, n)
      const to = Math.min(from + 2 * run, n)
      let a = from
      let b = middle
      for (let at = from; at < to; at++) {
        const fromRight = b < to && (a >= middle || before(keys[order[b]!]!, keys[order[a]!]!))
        next[at] = fromRight ? order[b++]! : order[a++]!
      }
    }
    const last = order
    order = next
    next = last
  }
  for (let i = 0; i < n; i++) out[i] = source[order[reverse ? n - 1 - i : i]!]!
}

/** The first of the greatest (or least) elements by their keys, or undefined when there are none. */
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
  if (typeof a === 'number' && typeof b === 'number' && !Number.isNaN(a) && !Number.isNaN(b)) return a > b
  return greater(a, b)
}

function precedes(a: Value, b: Value): boolean {
  if (typeof a === 'number' && typeof b === 'number' && !Number.isNaN(a) && !Number.isNaN(b)) return a < b
  return less(a, b)
}

/** Calls a function of the program with two arguments. */
export function binary(f: Value): (x: Value, y: Value) => Value {
  if (isCallable(f) && f.sig.n === 2) return f as unknown as Native as (x: Value, y: Value) => Value
  return (x, y) => call(f, [x, y])
}
