// `Counter`: a dict that counts.

import { wantInt } from '../../calls/expect.js'
import { onType } from '../../calls/method-tables.js'
import { builtin } from '../../calls/signature.js'
import { dictEquals, dictFlat, dictGet, dictOf, dictSet } from '../../containers/dict.js'
import { items } from '../../containers/iterate.js'
import { key } from '../../containers/keys.js'
import { add, negate, sub } from '../../operators/arithmetic.js'
import { equal, less } from '../../operators/comparison.js'
import { Iterator } from '../../operators/iterators.js'
import { sortedArray } from '../../operators/ordering.js'
import { repr } from '../../text/repr.js'
import { GuestError, guestError, raise } from '../../values/errors.js'
import { Big, isDict, isInt, TUPLE, toNumber, type Value } from '../../values/values.js'
import { defineDictClass, dictMethod } from './dict-class.js'

class CounterMap extends Map<Value, Value> {}

type Absent = undefined

function counted(x: Value | Absent, named: Value | Absent): CounterMap {
  const c = new CounterMap()
  update(c, x, named, add)
  return c
}

/** Adds (or subtracts) the counts of a dict, or one for each element of anything else. */
function update(c: CounterMap, x: Value | Absent, named: Value | Absent, join: (a: Value, b: Value) => Value): void {
  if (x !== undefined && x !== null) {
    if (isDict(x)) joinAll(c, x, join)
    else {
      const all = items(x)
      const step = join === add ? 1 : -1
      for (let i = 0; i < all.length; i++) {
        const e = all[i]!
        const k = typeof e === 'string' || typeof e === 'number' ? e : key(e)
        const n = c.get(k)
        // A new key that is not its own normalised form goes through dictSet, which remembers how it was written.
        if (n === undefined) k === e ? c.set(k, step) : dictSet(c, e, step)
        else c.set(k, typeof n === 'number' && isInt(n) ? n + step : join(n, 1))
      }
    }
  }
  if (named !== undefined) joinAll(c, named as object, join)
}

function joinAll(c: CounterMap, from: object, join: (a: Value, b: Value) => Value): void {
  const flat = dictFlat(from)
  // An empty counter takes the counts over unchanged.
  const takes = join === add && c.size === 0
  for (let i = 0; i < flat.length; i += 2) {
    const n = dictGet(c, flat[i]!)
    dictSet(c, flat[i]!, takes ? flat[i + 1]! : join === add ? add(flat[i + 1]!, n ?? 0) : join(n ?? 0, flat[i + 1]!))
  }
}

/** The entries with the greatest counts first. Equal counts are in insertion order. */
function mostCommon(c: object): Value[] {
  const flat = dictFlat(c)
  const entries: Value[] = []
  for (let i = 0; i < flat.length; i += 2) entries.push([TUPLE, flat[i]!, flat[i + 1]!])
  return sortedArray(
    entries,
    builtin('count', 'entry, /', (e) => (e as Value[])[2]!),
    true,
  )
}

/** A counter of those keys whose combined count is positive. */
function combined(a: object, b: object, join: (x: Value, y: Value) => Value, keys: readonly Value[]): CounterMap {
  const c = new CounterMap()
  for (const k of keys) {
    const n = join(countOf(a, k), countOf(b, k))
    if (less(0, n) && dictGet(c, k) === undefined) dictSet(c, k, n)
  }
  return c
}

function countOf(c: object, k: Value): Value {
  const n = dictGet(c, k)
  return n === undefined ? 0 : n
}

function keysOf(...dicts: readonly object[]): Value[] {
  return dicts.flatMap((d) => dictFlat(d).filter((_, i) => i % 2 === 0))
}

const smaller = (x: Value, y: Value): Value => (less(y, x) ? y : x)
const greater = (x: Value, y: Value): Value => (less(x, y) ? y : x)

function binary(operator: string, x: object, other: Value, reflected: boolean): Value | undefined {
  if (!(other instanceof CounterMap)) return undefined
  const [a, b] = reflected ? [other, x] : [x, other]
  switch (operator) {
    case '+':
      return combined(a, b, add, keysOf(a, b))
    case '-':
      return combined(a, b, sub, keysOf(a, b))
    case '|':
      return combined(a, b, greater, keysOf(a, b))
    case '&':
      return combined(a, b, smaller, keysOf(a))
    default:
      return undefined
  }
}

export const Counter: Value = builtin('Counter', 'iterable=, /, **kwds', counted)

const cls = defineDictClass({
  name: 'Counter',
  map: CounterMap,
  callable: Counter as never,
  protocol: {
    missing: () => 0,
    // Deleting a missing element has no effect.
    deleteItem: () => true,
    binary,
    unary: (operator, x) =>
      operator === '+'
        ? combined(x, dictOf([]), (n) => n, keysOf(x))
        : operator === '-'
          ? combined(x, dictOf([]), (n) => negate(n), keysOf(x))
          : undefined,
    equals: (x, other) => {
      if (!(other instanceof CounterMap)) return isDict(other) ? dictEquals(x, other, equal) : undefined
      return keysOf(x, other).every((k) => equal(dictGet(x, k) ?? 0, dictGet(other, k) ?? 0))
    },
    repr: (x) =>
      (x as CounterMap).size === 0
        ? 'Counter()'
        : `Counter(${repr(dictOf(ordered(x).flatMap((e) => (e as Value[]).slice(1))))})`,
  },
})

/** The entries in the order of `repr`: by count, or in insertion order if counts can't be compared. */
function ordered(x: object): Value[] {
  try {
    return mostCommon(x)
  } catch (e) {
    if (!(e instanceof GuestError)) throw e
    const flat = dictFlat(x)
    return flat.flatMap((k, i) => (i % 2 === 0 ? [[TUPLE, k, flat[i + 1]!]] : []))
  }
}

onType(
  'Counter',
  'fromkeys',
  builtin('fromkeys', 'iterable, v=', () =>
    raise('NotImplementedError', 'Counter.fromkeys() is undefined.  Use Counter(iterable) instead.'),
  ),
)
dictMethod('Counter', CounterMap, 'most_common', 'n=', function (n) {
  const all = mostCommon(this)
  return n === undefined || n === null
    ? all
    : all.slice(0, Math.max(0, n instanceof Big ? toNumber(n) : wantInt(n, 'most_common', 'n')))
})
dictMethod('Counter', CounterMap, 'elements', '', function () {
  const flat = dictFlat(this)
  let i = 0
  let left = 0
  return new Iterator('itertools.chain', () => {
    while (left <= 0 && i < flat.length) {
      left = wantInt(flat[i + 1]!, 'elements', 'count')
      i += 2
    }
    return left-- > 0 ? flat[i - 2] : undefined
  })
})
dictMethod('Counter', CounterMap, 'total', '', function () {
  let sum: Value = 0
  const flat = dictFlat(this)
  for (let i = 1; i < flat.length; i += 2) sum = add(sum, flat[i]!)
  return sum
})
dictMethod('Counter', CounterMap, 'update', 'iterable=, /, **kwds', function (x, named) {
  update(this, x, named, add)
  return null
})
dictMethod('Counter', CounterMap, 'subtract', 'iterable=, /, **kwds', function (x, named) {
  update(this, x, named, sub)
  return null
})
dictMethod('Counter', CounterMap, 'copy', '', function () {
  return counted(this, undefined)
})
cls.$members.fromkeys = builtin('fromkeys', 'iterable, v=', () => {
  throw guestError('NotImplementedError', 'Counter.fromkeys() is undefined.  Use Counter(iterable) instead.')
})
