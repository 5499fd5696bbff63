// The methods of sets and frozensets. Both are JavaScript Sets. A frozenset has only the methods that do not change it.

import { given, wrongCount } from '../calls/expect.js'
import { method, noAttribute } from '../calls/method-tables.js'
import { items } from '../containers/iterate.js'
import { originalKey } from '../containers/keys.js'
import { mutable } from '../containers/locks.js'
import {
  frozenSetOf,
  type GuestSet,
  setAdd,
  setClear,
  setCopy,
  setDelete,
  setElements,
  setHas,
  setOf,
} from '../containers/set.js'
import { quoted } from '../text/repr.js'
import { raise } from '../values/errors.js'
import { python } from '../values/mode.js'
import { said } from '../values/said.js'
import { FrozenSet, typeName, type Value } from '../values/values.js'

type Absent = undefined

const MANY = 500

function define(
  name: string,
  parameters: string,
  fn: (this: GuestSet, ...args: never[]) => Value,
  types = ['set'],
): void {
  for (const type of types) method(type, Set.prototype, name, parameters, fn as never)
}

/** Declares a method that does not change its set. */
function reading(name: string, parameters: string, fn: (this: GuestSet, ...args: never[]) => Value): void {
  define(name, parameters, fn, python ? ['set', 'frozenset'] : ['set'])
}

function changing(
  name: string,
  parameters: string,
  fn: (s: GuestSet, x: Value | Absent, extra: Value | Absent) => Value,
): void {
  define(name, parameters, function (this: GuestSet, x?: Value, extra?: Value) {
    if (this instanceof FrozenSet) throw noAttribute(this, name)
    return fn(this, x, extra)
  } as never)
}

function others(tuple: Value | Absent): readonly Value[] {
  return tuple === undefined ? [] : (tuple as Value[]).slice(1)
}

function like(s: GuestSet, values: readonly Value[]): GuestSet {
  return s instanceof FrozenSet ? frozenSetOf(values) : setOf(values)
}

function asSet(x: Value): GuestSet {
  return x instanceof Set ? (x as GuestSet) : setOf(items(x))
}

changing('add', 'x, /', (s, x) => {
  given(x, 'set', 'add')
  setAdd(s, x)
  return null
})

// The `clear`, `pop` and `remove` of lists and dicts take up to two arguments.
changing('clear', '/', (s, extra) => {
  if (extra !== undefined) throw wrongCount('set', 'clear', 1, 0, 0)
  setClear(s)
  return null
})

changing('discard', 'x, /', (s, x) => {
  given(x, 'set', 'discard')
  setDelete(s, x)
  return null
})

changing('remove', 'x, /', (s, x) => {
  given(x, 'set', 'remove')
  if (setDelete(s, x)) return null
  return raise('KeyError', python ? said`${quoted(x)}` : said`remove: missing key: ${quoted(x)}`, { args: [x] })
})

changing('pop', '/', (s, extra) => {
  if (extra !== undefined) throw wrongCount('set', 'pop', 1, 0, 0)
  mutable(s)
  // Taking elements out of a large set one by one would sort all of it each time.
  for (const k of s.size > MANY ? s : setElements(s)) {
    const x = originalKey(s, k)
    setDelete(s, k)
    return x
  }
  return raise('KeyError', python ? "'pop from an empty set'" : 'pop: empty set', { args: ['pop from an empty set'] })
})

function addAll(s: GuestSet, all: readonly Value[]): void {
  for (const x of all) setAdd(s, x)
}

function updating(name: string, fn: (s: GuestSet, other: Value) => void): void {
  changing(name, '*others', (s, tuple) => {
    mutable(s)
    for (const other of others(tuple)) fn(s, other)
    return null
  })
}

updating('update', (s, other) => addAll(s, items(other).slice()))
updating('difference_update', (s, other) => {
  for (const x of items(other).slice()) setDelete(s, x)
})
updating('intersection_update', (s, other) => {
  const kept = asSet(other)
  for (const x of setElements(s)) if (!setHas(kept, x)) setDelete(s, x)
})

changing('symmetric_difference_update', 'other, /', (s, other) => {
  given(other, 'set', 'symmetric_difference_update')
  mutable(s)
  for (const x of setElements(asSet(other))) if (!setDelete(s, x)) setAdd(s, x)
  return null
})

reading('union', '*others', function (tuple: Value | Absent) {
  const all = setElements(this)
  for (const other of others(tuple)) for (const x of items(other)) all.push(x)
  return like(this, all)
})

reading('intersection', '*others', function (tuple: Value | Absent) {
  let left = setElements(this)
  for (const other of others(tuple)) {
    const kept = asSet(other)
    left = left.filter((x) => setHas(kept, x))
  }
  return like(this, left)
})

reading('difference', '*others', function (tuple: Value | Absent) {
  let left = setElements(this)
  for (const other of others(tuple)) {
    const gone = asSet(other)
    left = left.filter((x) => !setHas(gone, x))
  }
  return like(this, left)
})

reading('symmetric_difference', 'other, /', function (other: Value | Absent) {
  given(other, typeName(this), 'symmetric_difference')
  const b = asSet(other)
  const left = setElements(this).filter((x) => !setHas(b, x))
  return like(this, left.concat(setElements(b).filter((x) => !setHas(this, x))))
})

reading('isdisjoint', 'other, /', function (other: Value | Absent) {
  given(other, typeName(this), 'isdisjoint')
  for (const x of items(other)) if (setHas(this, x)) return false
  return true
})

reading('issubset', 'other, /', function (other: Value | Absent) {
  given(other, typeName(this), 'issubset')
  const b = asSet(other)
  for (const x of setElements(this)) if (!setHas(b, x)) return false
  return true
})

reading('issuperset', 'other, /', function (other: Value | Absent) {
  given(other, typeName(this), 'issuperset')
  for (const x of items(other)) if (!setHas(this, x)) return false
  return true
})

if (python) {
  reading('copy', '/', function (extra?: Value) {
    if (extra !== undefined) throw wrongCount('set', 'copy', 1, 0, 0)
    return this instanceof FrozenSet ? this : setCopy(this)
  })
}
