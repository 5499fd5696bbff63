// Rounds numbers to a number of decimal digits as CPython's `round` does: by the exact value, with ties to the even
// digit. Also truncates floats.

import { guestError } from '../values/errors.js'
import { strict } from '../values/mode.js'
import { float, floatValue, int, isInt, normal, primitive, unbool, type Value } from '../values/values.js'
import { fixed, nearest, scaledInteger } from './float-text.js'

/** The integral part of a float, towards zero. */
export function truncate(v: number): Value {
  if (Number.isNaN(v)) throw guestError('ValueError', 'cannot convert float NaN to integer')
  if (v === Infinity || v === -Infinity) {
    throw guestError(strict ? 'ValueError' : 'OverflowError', 'cannot convert float infinity to integer')
  }
  return int(Math.trunc(v))
}

/** `round(v)`: the nearest integer, and of two equally near ones the even one. */
function roundHalfEven(v: number): Value {
  const down = Math.floor(v)
  const rest = v - down
  if (!(rest >= 0)) return truncate(v)
  return int(rest > 0.5 || (rest === 0.5 && down % 2 !== 0) ? down + 1 : down)
}

/** `round(v, digits)` of a float. */
function roundFloat(v: number, digits: number): Value {
  if (!Number.isFinite(v) || v === 0 || digits > 323) return float(v)
  if (digits < -308) return float(v < 0 ? -0 : 0)
  if (digits >= 0) return float(Number(fixed(v, digits)))
  const size = Number(`${scaledInteger(Math.abs(v), digits)}e${-digits}`)
  if (size === Infinity) throw guestError('OverflowError', 'rounded value too large to represent')
  return float(v < 0 ? -size : size)
}

/** `round(x, digits)` of an int, for negative digits. */
function roundInt(x: number | bigint, digits: number): Value {
  const big = BigInt(x)
  // A number with fewer digits becomes 0.
  if (-digits > big.toString().length) return 0
  const power = 10n ** BigInt(-digits)
  const size = nearest(big < 0n ? -big : big, power) * power
  return normal(big < 0n ? -size : size)
}

/** A number rounded to a number of digits, or to an integer. Undefined if it is not a number. */
export function rounded(x0: Value, digits: number | undefined): Value | undefined {
  const x = unbool(x0)
  const f = floatValue(x)
  if (f !== undefined) return digits === undefined ? roundHalfEven(f) : roundFloat(f, digits)
  if (!isInt(x)) return undefined
  return digits === undefined || digits >= 0 ? x : roundInt(primitive(x), digits)
}
