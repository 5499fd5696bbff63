// Which values a type admits: `isinstance`, `issubclass` and unions of types as values. Knows nothing of annotations.
// Invariant: what is no type is refused with the reason, not answered.

import { isCallable } from '../calls/signature.js'
import { guestError } from '../values/errors.js'
import { PROTOCOL, type Protocol } from '../values/protocol.js'
import type { Literal } from '../values/said.js'
import { isTuple, nameClass, typeName, type Value } from '../values/values.js'
import { type Class, classIn, inheritsFrom } from './classes.js'
import { isInstanceOf } from './known-classes.js'

export function isInstance(x: Value, type: Value): boolean {
  const cls = classIn(type)
  if (cls !== undefined) return isInstanceOf(x, cls)
  return matchesType(
    x,
    type,
    (c) => isInstanceOf(x, c),
    'isinstance() arg 2 must be a type, a tuple of types, or a union',
  )
}

export function isSubclass(x: Value, type: Value): boolean {
  const cls = classIn(x)
  if (cls === undefined) throw guestError('TypeError', 'issubclass() arg 1 must be a class')
  return matchesType(
    x,
    type,
    (c) => inheritsFrom(cls, c),
    'issubclass() arg 2 must be a class, a tuple of classes, or a union',
  )
}

function matchesType<M extends string>(
  x: Value,
  type: Value,
  fits: (cls: Class) => boolean,
  message: Literal<M>,
): boolean {
  if (isTuple(type)) return type.slice(1).some((t) => matchesType(x, t, fits, message))
  if (type instanceof Union)
    return type.$types.some((t) => (t === null ? x === null : matchesType(x, t, fits, message)))
  const cls = classIn(type)
  if (cls !== undefined) return fits(cls)
  // A callable of a module that makes values of its own name.
  if (isCallable(type) && type.sig.builtin) return typeName(x) === type.sig.name
  throw guestError(
    'TypeError',
    message,
    typeof type === 'string' ? { hint: 'give the type itself, not its name' } : undefined,
  )
}

/** `int | str` as a value. */
export class Union {
  readonly $types: readonly Value[]
  constructor(types: readonly Value[]) {
    this.$types = types
  }
}

export function united(a: Value, b: Value): Value | undefined {
  const parts = (x: Value): readonly Value[] | undefined =>
    x instanceof Union ? x.$types : x === null || classIn(x) !== undefined ? [x] : undefined
  const left = parts(a)
  const right = parts(b)
  return left === undefined || right === undefined
    ? undefined
    : new Union([...left, ...right.filter((t) => !left.includes(t))])
}

const unionProtocol: Protocol = {
  binary: (operator, x, other, reflected) =>
    operator === '|' ? united(reflected ? other : (x as Union), reflected ? (x as Union) : other) : undefined,
  repr: (x) => (x as Union).$types.map((t) => (t === null ? 'None' : (classIn(t)?.$name ?? typeName(t)))).join(' | '),
  truth: () => true,
}

Object.defineProperty(Union.prototype, PROTOCOL, { value: unionProtocol })

nameClass((x) => x instanceof Union, 'UnionType')
