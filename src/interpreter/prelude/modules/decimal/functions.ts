// Exponentials and logarithms of decimal numbers to any number of digits, in integers scaled by a power of ten.

import { adjusted, type DecimalNumber, digitsOf, finite, roundTo, tenTo } from './number.js'

/** A number as an integer in units of 10**-places. */
function scaled(x: DecimalNumber, places: number): bigint {
  const by = x.$exponent + places
  const size = by >= 0 ? x.$coefficient * tenTo(by) : x.$coefficient / tenTo(-by)
  return x.$negative ? -size : size
}

/** Twice the area tangent of top/bottom, which is at most a half: ln((bottom + top) / (bottom - top)). */
function twiceAreaTangent(top: bigint, bottom: bigint, unit: bigint): bigint {
  const t = (top * unit) / bottom
  const square = (t * t) / unit
  let sum = 0n
  let term = t
  for (let n = 1n; term !== 0n; n += 2n) {
    sum += term / n
    term = (term * square) / unit
  }
  return 2n * sum
}

const tens = new Map<number, bigint>()

/** ln 10 in units of 10**-places. */
function logarithmOfTen(places: number): bigint {
  let known = tens.get(places)
  if (known === undefined) {
    const unit = tenTo(places + 5)
    // 10 = 2**3 * 1.25
    known = (3n * twiceAreaTangent(1n, 3n, unit) + twiceAreaTangent(1n, 9n, unit)) / 100000n
    tens.set(places, known)
  }
  return known
}

/** ln x of a number greater than 0, correct to about `digits` digits. */
export function logarithm(x: DecimalNumber, digits: number): DecimalNumber {
  // Near 1 the logarithm is small. Its first digit has about the exponent of the difference from 1.
  const far = adjusted(finite(false, distanceFromOne(x), x.$exponent))
  const places = digits + 10 + Math.max(0, -far) + Math.max(0, adjusted(x).toString().length)
  const unit = tenTo(places)
  const size = digitsOf(x.$coefficient).length
  // The number is m * 10**k with m between 0.4 and 4.
  let k = adjusted(x)
  if (BigInt(digitsOf(x.$coefficient)[0]!) >= 4n) k++
  const m = scaled(finite(false, x.$coefficient, x.$exponent - k), Math.max(places, size + 2))
  const one = tenTo(Math.max(places, size + 2))
  const value = twiceAreaTangent(m - one, m + one, unit) + BigInt(k) * logarithmOfTen(places)
  return roundTo(finite(value < 0n, value < 0n ? -value : value, -places), digits, 'ROUND_HALF_EVEN')
}

function distanceFromOne(x: DecimalNumber): bigint {
  if (x.$exponent > 0 || adjusted(x) < -1) return x.$coefficient
  const d = x.$coefficient - tenTo(-x.$exponent)
  return d < 0n ? -d : d
}

/** e**x, correct to about `digits` digits. */
export function exponential(x: DecimalNumber, digits: number): DecimalNumber {
  const places = digits + 12 + Math.max(0, adjusted(x))
  const unit = tenTo(places)
  const ten = logarithmOfTen(places)
  const value = scaled(x, places)
  let k = value / ten
  if (value < 0n && value % ten !== 0n) k--
  // The rest is between 0 and ln 10. For a 1024th of it few terms suffice.
  const rest = (value - k * ten) / 1024n
  let sum = unit
  let term = unit
  for (let n = 1n; term !== 0n; n++) {
    term = (term * rest) / unit / n
    sum += term
  }
  for (let i = 0; i < 10; i++) sum = (sum * sum) / unit
  return roundTo(finite(false, sum, Number(k) - places), digits, 'ROUND_HALF_EVEN')
}
