// Exact fractions of integers of any size, and the float nearest to one.

import { float, normal, type Value } from '../values/values.js'
import { decompose } from './float-text.js'
import { bitLength, integerRoot } from './integers.js'

export interface Rational {
  readonly top: bigint
  /** Always positive. */
  readonly bottom: bigint
}

/** The exact value of a finite float. */
export function exactly(v: number): Rational {
  const { mantissa, exponent } = decompose(Math.abs(v))
  const top = exponent > 0 ? mantissa << BigInt(exponent) : mantissa
  return { top: v < 0 ? -top : top, bottom: exponent < 0 ? 1n << BigInt(-exponent) : 1n }
}

export function gcd(a: bigint, b: bigint): bigint {
  let x = a < 0n ? -a : a
  let y = b < 0n ? -b : b
  while (y !== 0n) {
    const r = x % y
    x = y
    y = r
  }
  return x
}

/** In lowest terms, with a positive denominator. */
export function reduced(top: bigint, bottom: bigint): Rational {
  const d = gcd(top, bottom)
  const sign = bottom < 0n ? -1n : 1n
  return d === 0n ? { top: 0n, bottom: 1n } : { top: (sign * top) / d, bottom: (sign * bottom) / d }
}

export function sum(a: Rational, b: Rational): Rational {
  if (a.bottom === b.bottom) return { top: a.top + b.top, bottom: a.bottom }
  return reduced(a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom)
}

/** The key in dicts of a number that equals no int and no float. There is one for each value. */
class ExactKey {}
const exactKeys = new Map<string, ExactKey>()

/** A key that is identical for equal numbers of all kinds. The fraction must be in lowest terms. */
export function rationalKey(r: Rational): Value {
  if (r.bottom === 1n) return normal(r.top)
  const v = nearestFloat(r)
  const back = Number.isFinite(v) ? exactly(v) : undefined
  if (back !== undefined && back.top * r.bottom === r.top * back.bottom) return float(v)
  const name = `${r.top}/${r.bottom}`
  let found = exactKeys.get(name)
  if (found === undefined) exactKeys.set(name, (found = new ExactKey()))
  return found
}

/** The nearest float, with ties to even. Infinite if there is none. */
export function nearestFloat({ top, bottom }: Rational): number {
  if (top === 0n) return 0
  const size = top < 0n ? -top : top
  // A quotient of 66 bits. The last bit is set if there is a remainder.
  const shift = 66 - (bitLength(size) - bitLength(bottom))
  const [n, d] = shift >= 0 ? [size << BigInt(shift), bottom] : [size, bottom << BigInt(-shift)]
  const q = n / d
  const v = scaled(q | (q * d === n ? 0n : 1n), -shift)
  return top < 0n ? -v : v
}

/** The float nearest to the square root of a fraction of at least 0. */
export function nearestRoot({ top, bottom }: Rational): number {
  if (top === 0n) return 0
  let shift = 132 - (bitLength(top) - bitLength(bottom))
  if (shift % 2 !== 0) shift++
  const [n, d] = shift >= 0 ? [top << BigInt(shift), bottom] : [top, bottom << BigInt(-shift)]
  const whole = n / d
  const root = integerRoot(whole)
  return scaled(root | (root * root === whole && whole * d === n ? 0n : 1n), -shift / 2)
}

/** q × 2**exponent, rounded once. q must have at least 64 bits. */
function scaled(q: bigint, exponent: number): number {
  const top = bitLength(q) + exponent
  if (top > 1024) return Infinity
  if (top > -1021) return Number(q) * 2 ** Math.max(exponent, -1000) * 2 ** Math.min(0, exponent + 1000)
  // A subnormal number has fewer bits. The rest is cut off first, and a sticky bit records whether it is zero.
  const cut = BigInt(-1074 - exponent)
  if (cut > BigInt(bitLength(q) + 2)) return 0
  const kept = q >> cut
  const rest = q - (kept << cut)
  const half = 1n << (cut - 1n)
  const rounded = rest > half || (rest === half && kept % 2n === 1n) ? kept + 1n : kept
  return Number(rounded) * 2 ** -537 * 2 ** -537
}
