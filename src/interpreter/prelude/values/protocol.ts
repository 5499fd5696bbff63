// The abilities of objects that are neither built-in values nor plain functions: modules, namespaces, objects of the
// program's classes, values of a test host. Each such object has a Protocol under one symbol of its prototype.
// Operators look for it last.

import type { Value } from './values.js'

export const PROTOCOL: unique symbol = Symbol('protocol') as never

/**
 * All parts are optional. An absent part means that this kind of object does not have the ability. The result
 * `undefined` means that it does not have it for these operands.
 */
export interface Protocol {
  readonly getAttribute?: (x: object, name: string) => Value | undefined
  /** True if it surely has no such attribute. Runs no code of the program. */
  readonly lacks?: (x: object, name: string) => boolean
  readonly setAttribute?: (x: object, name: string, value: Value) => boolean
  readonly deleteAttribute?: (x: object, name: string) => boolean
  readonly attributeNames?: (x: object) => string[]
  /** `operator` is Starlark's. `reflected` is true if `x` is the right operand. */
  readonly binary?: (operator: string, x: object, other: Value, reflected: boolean) => Value | undefined
  /** `x += more`, for an `x` that changes in place. */
  readonly extend?: (x: object, more: Value) => void
  readonly unary?: (operator: string, x: object) => Value | undefined
  readonly equals?: (x: object, other: Value) => boolean | undefined
  /** Negative, zero or positive; NaN if the two are unordered. */
  readonly order?: (x: object, other: Value, operator: string) => number | boolean | undefined
  /** A key for dicts and sets that is equal for equal objects. Objects without it are distinguished by identity. */
  readonly hashKey?: (x: object) => Value
  /** The normalised key itself (containers/keys.ts), for objects that know it. Undefined means identity. */
  readonly normalKey?: (x: object) => Value | undefined
  readonly truth?: (x: object) => boolean | undefined
  readonly length?: (x: object) => number | undefined
  readonly contains?: (x: object, element: Value) => boolean | undefined
  readonly getItem?: (x: object, index: Value) => Value | undefined
  readonly setItem?: (x: object, index: Value, value: Value) => boolean
  readonly deleteItem?: (x: object, index: Value) => boolean
  /** The value of `x[key]` for a key that the dict lacks. Undefined if that is an error. */
  readonly missing?: (x: object, key: Value) => Value | undefined
  /** `repr(x)`. The texts of elements come from `repr` in text/repr.ts. */
  readonly repr?: (x: object) => string
  /** `str(x)`, if it differs from `repr(x)`. */
  readonly str?: (x: object) => string | undefined
  /** `format(x, spec)` for a spec that is not empty. */
  readonly format?: (x: object, spec: string) => string | undefined
  /** `hash(x)`, for objects that do not hash by identity. */
  readonly hash?: (x: object) => Value | undefined
  /** The replacement of the value in JSON. */
  readonly jsonForm?: (x: object) => Value
  /** The next element of an iterator; undefined at its end. An object with this part yields its elements only once. */
  readonly next?: (x: object) => Value | undefined
  /** `iter(x)`: a new iterator, or `x` itself if it has `next`. */
  readonly iterate?: (x: object) => Value
  /** All elements at once. An object with this part is iterable. */
  readonly items?: (x: object) => readonly Value[]
  /** The contents, which are frozen with the object. */
  readonly held?: (x: object) => readonly Value[]
  /** `x(…)`. `named` has alternating names and values. */
  readonly call?: (x: object, args: readonly Value[], named: readonly Value[] | undefined) => Value
  /** `x.name(…)` without a function for the bound method. Undefined if that is impossible. */
  readonly callMethod?: (
    x: object,
    name: string,
    args: readonly Value[],
    named: readonly Value[] | undefined,
  ) => Value | undefined
  /** `type(x)`, if the type's name does not determine it. */
  readonly classValue?: (x: object) => Value
  /** True if it has a meaning only for type checkers, as a base of a class. */
  readonly isTypingOnly?: (x: object) => boolean
  /** The value of a class member when it is read from the object `self`. */
  readonly bindTo?: (x: object, self: Value) => Value
}

export function protocolOf(x: Value): Protocol | undefined {
  if (typeof x === 'object' ? x === null : typeof x !== 'function') return undefined
  return (x as { [PROTOCOL]?: Protocol })[PROTOCOL]
}
