// Checks of single arguments of builtins and methods. The messages have the form *got X, want Y* in strict mode and are
// CPython's otherwise.
// Invariant: `undefined` means that the argument is absent. Only `given` and the functions for optional arguments
// accept it.

import { textInside } from '../values/contents.js'
import { type GuestError, guestError } from '../values/errors.js'
import { python } from '../values/mode.js'
import { protocolOf } from '../values/protocol.js'
import { asName, type Literal, type Said, said, word } from '../values/said.js'
import { Big, MAX_SAFE, typeOf, type Value } from '../values/values.js'

/** The failure of an argument of the wrong type. `inPython` replaces the whole message of the default dialect. */
export function wrongType<M extends string>(
  fn: string,
  parameter: string,
  got: Value,
  want: string,
  inPython?: Said | Literal<M>,
): GuestError {
  const type = typeOf(got)
  if (!python)
    return guestError(
      'TypeError',
      said`${asName(fn)}: for parameter ${word(parameter)}: got ${type}, want ${word(want)}`,
    )
  return guestError(
    'TypeError',
    inPython ?? said`${asName(fn)}() argument '${word(parameter)}' must be ${word(want)}, not ${type}`,
  )
}

/** The failure of a method call with too few or too many arguments. `most` is the maximum. */
export function wrongCount(type: string, name: string, got: number, least: number, most: number): GuestError {
  if (!python) {
    const wanted = least === most ? said`${least}` : got < least ? said`at least ${least}` : said`at most ${most}`
    return guestError('TypeError', said`${asName(name)}: got ${got} argument${got === 1 ? '' : 's'}, want ${wanted}`)
  }
  if (most === 0)
    return guestError('TypeError', said`${asName(type)}.${asName(name)}() takes no arguments (${got} given)`)
  if (least === 1 && most === 1) {
    return guestError('TypeError', said`${asName(type)}.${asName(name)}() takes exactly one argument (${got} given)`)
  }
  const bound = least === most ? '' : got < least ? 'at least ' : 'at most '
  const n = got < least ? least : most
  return guestError('TypeError', said`${asName(name)} expected ${bound}${n} argument${n === 1 ? '' : 's'}, got ${got}`)
}

/** Throws if a required argument is absent. */
export function given(x: Value | undefined, type: string, name: string, least = 1, most = least): asserts x is Value {
  if (x === undefined) throw wrongCount(type, name, least - 1, least, most)
}

/** Returns a string, or fails with `must be str, not int`. */
export function wantString<M extends string>(
  x: Value | undefined,
  fn: string,
  parameter: string,
  inPython?: Said | Literal<M>,
): string {
  if (typeof x === 'string') return x
  if (x === undefined) throw wrongCount('str', fn, 0, 1, 1)
  const text = textInside(x)
  if (text !== undefined) return text
  throw wrongType(fn, parameter, x, python ? 'str' : 'string', inPython ?? said`must be str, not ${typeOf(x)}`)
}

/**
 * An index or a size as a JavaScript number, clamped to the exactly representable ones. In the default dialect, numbers
 * beyond CPython's indices are refused as too large.
 */
export function wantInt(x: Value, fn: string, parameter: string): number {
  if (typeof x === 'number' && Number.isInteger(x)) return x
  if (x instanceof Big) {
    if (python && (x.n > MOST_INDEX || x.n < -MOST_INDEX - 1n))
      throw guestError('OverflowError', 'Python int too large to convert to C ssize_t')
    return nearestSafe(x)
  }
  if (python && typeof x === 'boolean') return x ? 1 : 0
  const own = asIndex(x)
  if (!Object.is(own, x)) return wantInt(own, fn, parameter)
  throw wrongType(fn, parameter, x, 'int', said`'${typeOf(x)}' object cannot be interpreted as an integer`)
}

/** The greatest index and size in CPython. */
export const MOST_INDEX = 2n ** 63n - 1n

function nearestSafe(x: Big): number {
  return x.n > 0n ? MAX_SAFE : -MAX_SAFE
}

/** An int that CPython stores in 32 bits. */
export function wantShortInt(x: Value, fn: string, parameter: string): number {
  const n = wantInt(x, fn, parameter)
  if ((n | 0) !== n) throw guestError('OverflowError', 'Python int too large to convert to C int')
  return n
}

/** A flag that CPython takes as an int. False if absent. */
export function wantFlag(x: Value | undefined, fn: string, parameter: string): boolean {
  return x === undefined || typeof x === 'boolean' ? x === true : wantShortInt(x, fn, parameter) !== 0
}

/** The int of an object with `__index__`; every other value unchanged. */
export function asIndex(x: Value): Value {
  const own = protocolOf(x)?.unary?.('index', x as object)
  if (own === undefined || typeof own === 'number' || typeof own === 'boolean' || own instanceof Big) return own ?? x
  throw guestError('TypeError', said`__index__ returned non-int (type ${typeOf(own)})`)
}

/** An optional int. `fallback` if absent. */
export function optionalInt(x: Value | undefined, fallback: number, fn: string, parameter: string): number {
  return x === undefined ? fallback : wantInt(x, fn, parameter)
}

const SLICE = 'slice indices must be integers or None or have an __index__ method'

/** The first index of an optional `start` bound, clamped to 0…length. A negative bound counts from the end. */
export function startBound(x: Value | undefined, length: number, fn: string): number {
  if (x === undefined || x === null) return 0
  const i = typeof x === 'number' && Number.isInteger(x) ? x : bound(x, fn, 'start')
  return i < 0 ? Math.max(0, i + length) : i
}

/** The index after the last of an optional `end` bound, clamped to 0…length. */
export function endBound(x: Value | undefined, length: number, fn: string): number {
  if (x === undefined || x === null) return length
  const i = typeof x === 'number' && Number.isInteger(x) ? x : bound(x, fn, 'end')
  return i < 0 ? Math.max(0, i + length) : Math.min(i, length)
}

function bound(x: Value, fn: string, parameter: string): number {
  if (x instanceof Big) return nearestSafe(x)
  if (python && typeof x === 'boolean') return x ? 1 : 0
  const own = asIndex(x)
  if (!Object.is(own, x)) return typeof own === 'number' ? own : bound(own, fn, parameter)
  throw wrongType(fn, parameter, x, 'int', SLICE)
}

/** The number of decimal digits to round to. Undefined if absent or None, which mean rounding to an integer. */
export function asDigits(x: Value | undefined): number | undefined {
  return x === undefined || x === null ? undefined : x instanceof Big ? nearestSafe(x) : wantInt(x, 'round', 'ndigits')
}
