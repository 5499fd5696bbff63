// Decides which values belong to a type: `isinstance` and `issubclass`. Does not know annotations. Invariant: a value
// that is not a type is refused with the reason.

import { isCallable } from '../calls/signature.js'
import { guestError } from '../values/errors.js'
import { type Literal, said } from '../values/said.js'
import { isTuple, typeName, type Value } from '../values/values.js'
import { type Class, classIn, inheritsFrom } from './classes.js'
import { GenericType, Union } from './generic-types.js'
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
  if (isTuple(type)) {
    for (let i = 1; i < type.length; i++) if (matchesType(x, type[i]!, fits, message)) return true
    return false
  }
  if (type instanceof Union) return type.$types.some((t) => matchesType(x, t, fits, message))
  const isGeneric = type instanceof GenericType
  const cls = classIn(isGeneric && type.$args === undefined ? type.$origin : type)
  if (cls !== undefined) return fits(cls)
  // A callable of a module that creates values of the type of its name.
  if (isCallable(type) && type.sig.builtin) return typeName(x) === type.sig.name
  throw guestError(
    'TypeError',
    isGeneric ? said`isinstance() argument 2 cannot be a parameterized generic` : message,
    typeof type === 'string' ? { hint: 'give the type itself, not its name' } : undefined,
  )
}
