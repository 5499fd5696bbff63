// Augmented assignment. `a += b` and similar statements change lists, dicts and sets in place. For all other values
// they use the plain operator.
// Invariant: a value that is frozen or being iterated over does not change.

import { asIndex } from '../calls/expect.js'
import { splice } from '../containers/byte-arrays.js'
import { dictClear, dictSet, dictUpdate } from '../containers/dict.js'
import { isIterable, items } from '../containers/iterate.js'
import { mutable } from '../containers/locks.js'
import { type GuestSet, setAdd, setElements } from '../containers/set.js'
import { contentOf } from '../values/contents.js'
import { valueError } from '../values/errors.js'
import { python } from '../values/mode.js'
import { protocolOf } from '../values/protocol.js'
import { said } from '../values/said.js'
import {
  ByteArray,
  Bytes,
  Float,
  FrozenSet,
  type Int,
  isDict,
  isInt,
  isList,
  TUPLE,
  unbool,
  type Value,
} from '../values/values.js'
import { add, mul, repeat, sub } from './arithmetic.js'
import { bitAnd, bitOr, bitXor } from './bits.js'

/** `a += b`. A list is extended in place by any iterable. */
export function addInPlace(a: Value, b: Value): Value {
  const made = a === null ? undefined : a.constructor
  if (made === Number || made === Float || made === String) return add(a, b)
  if (a instanceof ByteArray && b instanceof Bytes) {
    splice(a, a.b.length, a.b.length, b.b)
    return a
  }
  if (made !== Array || (a as Value[])[0] === TUPLE) {
    const extend = protocolOf(a)?.extend
    if (extend === undefined) return add(a, b)
    extend(a as object, b)
    return a
  }
  mutable(a)
  // In Starlark, a right operand that is not iterable is added as by `+`.
  if (!python && !isIterable(b)) return add(a, b)
  const more = items(b)
  const n = more.length
  for (let i = 0; i < n; i++) (a as Value[]).push(more[i]!)
  return a
}

/** `a |= b`. Dicts and sets are extended in place. */
export function orInPlace(a: Value, b0: Value): Value {
  const b = isDict(a) ? (contentOf(b0) ?? b0) : b0
  if (python && isDict(a) && !isDict(b) && isIterable(b)) {
    mutable(a)
    for (const entry of items(b)) {
      const pair = items(entry)
      if (pair.length !== 2)
        valueError(said`dictionary update sequence element has length ${pair.length}; 2 is required`)
      dictSet(a, pair[0]!, pair[1]!)
    }
    return a
  }
  if (isDict(a) && isDict(b)) {
    mutable(a)
    // Some dicts define their own union.
    const all = protocolOf(a)?.binary === undefined ? b : bitOr(a, b)
    if (all !== b) dictClear(a)
    dictUpdate(a, all as object)
    return a
  }
  if (a instanceof Set && !(a instanceof FrozenSet) && b instanceof Set) {
    mutable(a)
    for (const e of setElements(b)) setAdd(a, e)
    return a
  }
  return bitOr(a, b)
}

function setInPlace(a: GuestSet, result: Value): Value {
  mutable(a)
  const kept = setElements(result as GuestSet)
  a.clear()
  for (const e of kept) setAdd(a, e)
  return a
}

export function andInPlace(a: Value, b: Value): Value {
  return a instanceof Set && !(a instanceof FrozenSet) && b instanceof Set
    ? setInPlace(a, bitAnd(a, b))
    : (bitAnd(a, b) as Int)
}

export function xorInPlace(a: Value, b: Value): Value {
  return a instanceof Set && !(a instanceof FrozenSet) && b instanceof Set ? setInPlace(a, bitXor(a, b)) : bitXor(a, b)
}

export function subInPlace(a: Value, b: Value): Value {
  return a instanceof Set && !(a instanceof FrozenSet) && b instanceof Set ? setInPlace(a, sub(a, b)) : sub(a, b)
}

export function mulInPlace(a: Value, b: Value): Value {
  const times = python && isList(a) ? unbool(asIndex(b)) : b
  if (!python || !isList(a) || !isInt(times)) return mul(a, b)
  const out = repeat(a, times) as Value[]
  a.length = 0
  for (let i = 0; i < out.length; i++) a.push(out[i]!)
  return a
}
