// The abilities of objects that are neither built-in values nor plain functions: modules, namespaces, instances of the
// program's classes, values a test host provides. Each such object carries a Protocol under one symbol on its
// prototype; operators consult it last.

import type { Value } from './values.js'

export const PROTOCOL: unique symbol = Symbol('protocol') as never

/**
 * All parts are optional; absent ones mean "this kind of object can't". `undefined` as an answer means "not for these
 * operands".
 */
export interface Protocol {
  readonly getAttribute?: (x: object, name: string) => Value | undefined
  /** True if it surely has no such attribute, decided without running code of the program. */
  readonly lacks?: (x: object, name: string) => boolean
  readonly setAttribute?: (x: object, name: string, value: Value) => boolean
  readonly deleteAttribute?: (x: object, name: string) => boolean
  readonly attributeNames?: (x: object) => string[]
  /** `operator` is Starlark's; `reflected` is true when `x` is the right operand. */
  readonly binary?: (operator: string, x: object, other: Value, reflected: boolean) => Value | undefined
  /** `x += more`, if `x` itself grows. */
  readonly extend?: (x: object, more: Value) => void
  readonly unary?: (operator: string, x: object) => Value | undefined
  readonly equals?: (x: object, other: Value) => boolean | undefined
  /** Negative, zero or positive; NaN when unordered. */
  readonly order?: (x: object, other: Value, operator: string) => number | boolean | undefined
  /** A key that is equal for equal objects, for dicts and sets; objects without it are distinguished by identity. */
  readonly hashKey?: (x: object) => Value
  /** The normalised key itself (containers/keys.ts), for objects that know it; undefined means identity. */
  readonly normalKey?: (x: object) => Value | undefined
  readonly truth?: (x: object) => boolean | undefined
  readonly length?: (x: object) => number | undefined
  readonly contains?: (x: object, element: Value) => boolean | undefined
  readonly getItem?: (x: object, index: Value) => Value | undefined
  readonly setItem?: (x: object, index: Value, value: Value) => boolean
  readonly deleteItem?: (x: object, index: Value) => boolean
  /** The value of `x[key]` if a dict has no such key; undefined if that is an error. */
  readonly missing?: (x: object, key: Value) => Value | undefined
  /** `repr(x)`; the elements' texts come from `repr` in text/repr.ts. */
  readonly repr?: (x: object) => string
  /** `str(x)`, if it differs from `repr(x)`. */
  readonly str?: (x: object) => string | undefined
  /** `format(x, spec)` for a spec that is not empty. */
  readonly format?: (x: object, spec: string) => string | undefined
  /** `hash(x)`, for objects that do not hash by identity. */
  readonly hash?: (x: object) => Value | undefined
  /** The value's replacement in JSON. */
  readonly jsonForm?: (x: object) => Value
  /** The next element of an iterator, undefined at its end. An object with it yields its elements only once. */
  readonly next?: (x: object) => Value | undefined
  /** `iter(x)`: a new iterator, or `x` itself if it has `next`. */
  readonly iterate?: (x: object) => Value
  /** All elements at once; an object with it is iterable. */
  readonly items?: (x: object) => readonly Value[]
  /** Its contents, which are frozen with it. */
  readonly held?: (x: object) => readonly Value[]
  /** `x(…)`; `named` holds names and values alternating. */
  readonly call?: (x: object, args: readonly Value[], named: readonly Value[] | undefined) => Value
  /** `x.name(…)` without a function for the bound method; undefined if that is impossible. */
  readonly callMethod?: (
    x: object,
    name: string,
    args: readonly Value[],
    named: readonly Value[] | undefined,
  ) => Value | undefined
  /** `type(x)`, if the name of its type does not decide it. */
  readonly classValue?: (x: object) => Value
  /** True if only type checkers need it as a base of a class. */
  readonly isTypingOnly?: (x: object) => boolean
  /** The value of reading it as a class member from the object `self`. */
  readonly bindTo?: (x: object, self: Value) => Value
}

export function protocolOf(x: Value): Protocol | undefined {
  if (typeof x === 'object' ? x === null : typeof x !== 'function') return undefined
  return (x as { [PROTOCOL]?: Protocol })[PROTOCOL]
}
