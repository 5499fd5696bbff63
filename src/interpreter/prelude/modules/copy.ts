// The module `copy`.

import { callBound } from '../calls/bound-functions.js'
import { boundMethod } from '../calls/method-tables.js'
import { builtin, type Callable, call } from '../calls/signature.js'
import { callAttribute } from '../classes/attributes.js'
import { Instance, newInstance } from '../classes/classes.js'
import { dictCopy, dictFlat, dictOf, dictSet } from '../containers/dict.js'
import { collect } from '../containers/iterate.js'
import { type GuestSet, setCopy, setElements, setOf } from '../containers/set.js'
import { contentOf, setContent } from '../values/contents.js'
import { protocolOf } from '../values/protocol.js'
import { FrozenSet, isDict, type RecordDict, TUPLE, type Value } from '../values/values.js'
import { type Module, module } from './module.js'

/** Copies dicts, lists and other mutable values. Returns every other value unchanged. */
function shallow(x: Value): Value {
  if (typeof x !== 'object' || x === null) return x
  if (x instanceof Instance) {
    const own = x.$class.$members.__copy__
    if (own !== undefined) return callBound(own as Callable, x, [])
    const copy = newInstance(x.$class)
    Object.assign(copy.$fields, x.$fields)
    const content = contentOf(x)
    if (content !== undefined) setContent(copy, shallow(content))
    return copy
  }
  if (Array.isArray(x)) return x[0] === TUPLE ? x : x.slice()
  const method = protocolOf(x) === undefined ? undefined : boundMethod(x, 'copy')
  if (method !== undefined) return call(method, [])
  if (isDict(x)) return dictCopy(x)
  return x instanceof Set && !(x instanceof FrozenSet) ? setCopy(x as GuestSet) : x
}

/**
 * Copies a value and everything inside. `seen` maps values to their copies, so shared parts stay shared and cycles stay
 * cycles.
 */
function deep(x: Value, seen: Map<object, Value>): Value {
  if (typeof x !== 'object' || x === null) return x
  const known = seen.get(x)
  if (known !== undefined) return known
  if (x instanceof Instance) return deepInstance(x, seen)
  if (Array.isArray(x)) return x[0] === TUPLE ? deepTuple(x as Value[], seen) : deepList(x as Value[], seen)
  if (isDict(x)) return deepDict(x, seen)
  if (x instanceof Set) {
    if (x instanceof FrozenSet) return x
    const copy = setOf(setElements(x as GuestSet).map((e) => deep(e, seen)))
    seen.set(x, copy)
    return copy
  }
  const p = protocolOf(x)
  if (p?.setItem === undefined || p.length === undefined || boundMethod(x, 'copy') === undefined) return x
  // A sequence type of a module. Copied elements replace the elements of its copy.
  const copy = callAttribute(x, 'copy', []) as object
  seen.set(x, copy)
  collect(copy as Value).forEach((e, i) => {
    protocolOf(copy as Value)!.setItem!(copy, i, deep(e, seen))
  })
  return copy
}

/** A copy that shares nothing mutable with `x`. */
export function deepCopy(x: Value): Value {
  return deep(x, new Map())
}

function deepInstance(x: Instance, seen: Map<object, Value>): Value {
  const own = x.$class.$members.__deepcopy__
  if (own !== undefined) return callBound(own as Callable, x, [dictOf([])])
  const copy = newInstance(x.$class)
  seen.set(x, copy)
  const content = contentOf(x)
  if (content !== undefined) setContent(copy, deep(content, seen))
  const fields = x.$fields as RecordDict
  const flat = dictFlat(fields)
  for (let i = 0; i < flat.length; i += 2) dictSet(copy.$fields, flat[i]!, deep(flat[i + 1]!, seen))
  return copy
}

function deepList(x: Value[], seen: Map<object, Value>): Value {
  const copy: Value[] = []
  seen.set(x, copy)
  for (let i = 0; i < x.length; i++) copy.push(deep(x[i]!, seen))
  return copy
}

/** A tuple whose elements are unchanged by copying is its own copy. */
function deepTuple(x: Value[], seen: Map<object, Value>): Value {
  const copy: Value[] = [TUPLE]
  let changed = false
  for (let i = 1; i < x.length; i++) {
    copy.push(deep(x[i]!, seen))
    if (copy[i] !== x[i]) changed = true
  }
  if (!changed) return x
  const prototype = Object.getPrototypeOf(x) as object
  if (prototype !== Array.prototype) Object.setPrototypeOf(copy, prototype)
  seen.set(x, copy)
  return copy
}

function deepDict(x: object, seen: Map<object, Value>): Value {
  const own = protocolOf(x) !== undefined
  const copy = (own ? callAttribute(x, 'copy', []) : dictOf([])) as object
  seen.set(x, copy)
  const flat = dictFlat(x)
  for (let i = 0; i < flat.length; i += 2) dictSet(copy, deep(flat[i]!, seen), deep(flat[i + 1]!, seen))
  return copy
}

export const copy: Module = module('copy', {
  copy: builtin('copy', 'x', (x) => shallow(x!)),
  deepcopy: builtin('deepcopy', 'x, memo=', (x) => deepCopy(x!)),
})
