// Special methods of plain values as attributes: `hasattr(x, '__iter__')`, `max(d, key=d.__getitem__)`.
// Invariant: a value has `__iter__`, `__next__`, `__len__` and `__call__` exactly if `for`, `next`, `len` and a call
// accept it.

import { bindFunction } from '../calls/bound-functions.js'
import { builtin, call, isCallable } from '../calls/signature.js'
import { length } from '../containers/iterate.js'
import { Iterator, stepper, stopIteration } from '../operators/iterators.js'
import { contains } from '../operators/membership.js'
import { repr, str } from '../text/repr.js'
import { protocolOf } from '../values/protocol.js'
import { Range, type Value } from '../values/values.js'
import { specialMembersOf } from './class-protocol.js'
import { classOf } from './known-classes.js'

/** `x.__name__` for a value of a built-in type, or undefined. */
export function specialMember(x: Value, name: string): Value | undefined {
  for (const cls of classOf(x).$order) {
    const member = specialMembersOf(cls)?.[name]
    if (member !== undefined && member !== null) return isCallable(member) ? bindFunction(member, x) : undefined
  }
  return others[name]?.(x)
}

const isSized = (x: Value): boolean =>
  x instanceof Range || (protocolOf(x)?.length !== undefined && protocolOf(x)?.next === undefined)

/** A method that applies a unary operator, for values that have the operator. */
const unary = (operator: string, name: string) => (x: Value) => {
  const given = protocolOf(x)?.unary?.(operator, x as object)
  return given === undefined ? undefined : builtin(name, '', () => given)
}

const others: Readonly<Record<string, (x: Value) => Value | undefined>> = {
  __iter__: (x) => {
    const p = protocolOf(x)
    if (p?.next !== undefined) return builtin('__iter__', '', () => x)
    if (p?.iterate === undefined && p?.items === undefined && !(x instanceof Range)) return undefined
    return builtin('__iter__', '', () => new Iterator('iterator', stepper(x)))
  },
  __next__: (x) => {
    const next = protocolOf(x)?.next
    if (next === undefined) return undefined
    return builtin('__next__', '', () => {
      const e = next(x as object)
      if (e === undefined) throw stopIteration()
      return e
    })
  },
  __len__: (x) => (isSized(x) ? builtin('__len__', '', () => length(x)) : undefined),
  __contains__: (x) => (isSized(x) ? builtin('__contains__', 'key, /', (element) => contains(x, element!)) : undefined),
  __floor__: unary('floor', '__floor__'),
  __ceil__: unary('ceil', '__ceil__'),
  __trunc__: unary('trunc', '__trunc__'),
  __str__: (x) => builtin('__str__', '', () => str(x)),
  __repr__: (x) => builtin('__repr__', '', () => repr(x)),
  __call__: (x) =>
    isCallable(x) ? builtin('__call__', '*args', (args) => call(x, (args as Value[]).slice(1))) : undefined,
}
