// Sets: a JavaScript Set of normalised keys, with the originals of those that print differently (keys.ts).

import { python } from '../values/mode.js'
import { FrozenSet, type Value } from '../values/values.js'
import { type Keyed, key, originalKey, remember } from './keys.js'
import { mutable } from './locks.js'
import { inTableOrder } from './set-order.js'

export type GuestSet = Set<Value> & Keyed

export function setOf(values: readonly Value[]): GuestSet {
  const s: GuestSet = new Set()
  for (const v of values) insert(s, v)
  return s
}

export function frozenSetOf(values: readonly Value[]): GuestSet {
  const s: GuestSet = new FrozenSet()
  for (const v of values) insert(s, v)
  return s
}

function insert(s: GuestSet, x: Value): void {
  const k = key(x)
  if (s.has(k)) return
  remember(s, x, k)
  s.add(k)
}

export function setAdd(s: GuestSet, x: Value): void {
  mutable(s)
  insert(s, x)
}

export function setHas(s: GuestSet, x: Value): boolean {
  return s.has(soughtKey(x))
}

/** The key of a value that is searched for. A set is searched for as a frozenset. */
function soughtKey(x: Value): Value {
  return python && x instanceof Set ? key(frozenSetOf(setElements(x))) : key(x)
}

/** Removes `x`; false if it was missing. */
export function setDelete(s: GuestSet, x: Value): boolean {
  mutable(s)
  const k = soughtKey(x)
  s.$original?.delete(k)
  return s.delete(k)
}

export function setClear(s: GuestSet): void {
  mutable(s)
  s.clear()
  delete s.$original
}

/**
 * The elements as a new array: in insertion order, or in the default dialect in CPython's order where that is fixed.
 */
export function setElements(s: GuestSet): Value[] {
  const out: Value[] = []
  s.forEach((k) => {
    out.push(originalKey(s, k))
  })
  return python ? inTableOrder(out) : out
}

export function setCopy(s: GuestSet): GuestSet {
  const copy: GuestSet = s instanceof FrozenSet ? new FrozenSet(s) : new Set(s)
  if (s.$original !== undefined) copy.$original = new Map(s.$original)
  return copy
}
