// Arithmetic of decimal numbers in the current context, by the General Decimal Arithmetic specification. An exact
// result keeps the exponent that follows from its operands. Any other result is rounded once.

import { integerRoot } from '../../numbers/integers.js'
import { context, MAX_EXPONENT, settled, signal } from './context.js'
import { exponential, logarithm } from './functions.js'
import {
  adjusted,
  compareNumbers,
  type DecimalNumber,
  digitsOf,
  finite,
  infinite,
  isZero,
  NAN,
  ofInteger,
  rescale,
  roundTo,
  stripped,
  tenTo,
  withSign,
} from './number.js'

function anyNaN(a: DecimalNumber, b: DecimalNumber): boolean {
  return a.$kind === 'nan' || b.$kind === 'nan'
}

export function plus(a: DecimalNumber, b: DecimalNumber): DecimalNumber {
  if (anyNaN(a, b)) return NAN
  if (a.$kind === 'infinite') {
    return b.$kind === 'infinite' && a.$negative !== b.$negative ? signal('InvalidOperation') : a
  }
  if (b.$kind === 'infinite') return b
  const { $precision, $rounding } = context()
  const lowest = Math.min(a.$exponent, b.$exponent)
  if (isZero(a) && isZero(b)) {
    const negative = a.$negative === b.$negative ? a.$negative : $rounding === 'ROUND_FLOOR'
    return settled(finite(negative, 0n, lowest))
  }
  if (isZero(a) || isZero(b)) {
    const [x, zero] = isZero(a) ? [b, a] : [a, b]
    const exponent = Math.max(Math.min(x.$exponent, zero.$exponent), x.$exponent - $precision - 1)
    return settled(rescale(x, exponent, $rounding))
  }
  const [x, y] = aligned(a, b, $precision)
  const exponent = Math.min(x.$exponent, y.$exponent)
  const units = (n: DecimalNumber): bigint => {
    const size = n.$coefficient * tenTo(n.$exponent - exponent)
    return n.$negative ? -size : size
  }
  const sum = units(x) + units(y)
  const negative = sum < 0n || (sum === 0n && $rounding === 'ROUND_FLOOR')
  return settled(finite(negative, sum < 0n ? -sum : sum, exponent))
}

/**
 * Brings two numbers to one exponent. If one is far below the last digit of the other, a one below that digit replaces
 * it.
 */
function aligned(a: DecimalNumber, b: DecimalNumber, precision: number): [DecimalNumber, DecimalNumber] {
  const [high, low] = a.$exponent < b.$exponent ? [b, a] : [a, b]
  const reach = high.$exponent + Math.min(-1, digitsOf(high.$coefficient).length - precision - 2)
  return adjusted(low) < reach ? [high, finite(low.$negative, 1n, reach)] : [high, low]
}

export function minus(a: DecimalNumber, b: DecimalNumber): DecimalNumber {
  return plus(a, b.$kind === 'nan' ? b : withSign(b, !b.$negative))
}

export function times(a: DecimalNumber, b: DecimalNumber): DecimalNumber {
  if (anyNaN(a, b)) return NAN
  const negative = a.$negative !== b.$negative
  if (a.$kind === 'infinite' || b.$kind === 'infinite')
    return isZero(a) || isZero(b) ? signal('InvalidOperation') : infinite(negative)
  return settled(finite(negative, a.$coefficient * b.$coefficient, a.$exponent + b.$exponent))
}

export function divided(a: DecimalNumber, b: DecimalNumber): DecimalNumber {
  if (anyNaN(a, b)) return NAN
  const negative = a.$negative !== b.$negative
  if (a.$kind === 'infinite') return b.$kind === 'infinite' ? signal('InvalidOperation') : infinite(negative)
  if (b.$kind === 'infinite') return finite(negative, 0n, -MAX_EXPONENT - context().$precision + 1)
  if (isZero(b)) {
    return isZero(a)
      ? signal('InvalidOperation', NAN, 'DivisionUndefined')
      : signal('DivisionByZero', infinite(negative))
  }
  return settled(quotient(a, b, context().$precision))
}

/** The quotient with more digits than will be kept. Its last digit is not zero if there is a remainder. */
function quotient(a: DecimalNumber, b: DecimalNumber, precision: number): DecimalNumber {
  const negative = a.$negative !== b.$negative
  const ideal = a.$exponent - b.$exponent
  if (isZero(a)) return finite(negative, 0n, ideal)
  const shift = digitsOf(b.$coefficient).length - digitsOf(a.$coefficient).length + precision + 1
  const top = shift >= 0 ? a.$coefficient * tenTo(shift) : a.$coefficient
  const bottom = shift >= 0 ? b.$coefficient : b.$coefficient * tenTo(-shift)
  let q = top / bottom
  let exponent = ideal - shift
  if (q * bottom !== top) return finite(negative, q % 5n === 0n ? q + 1n : q, exponent)
  while (exponent < ideal && q % 10n === 0n) {
    q /= 10n
    exponent++
  }
  return finite(negative, q, exponent)
}

interface Division {
  readonly quotient: DecimalNumber
  readonly remainder: DecimalNumber
}

/** `a // b` and `a % b`. The quotient is truncated towards zero, and the remainder has the sign of `a`. */
export function dividedWhole(a: DecimalNumber, b: DecimalNumber, wanted: '//' | '%' | 'divmod'): Division {
  const both = (x: DecimalNumber): Division => ({ quotient: x, remainder: x })
  if (anyNaN(a, b)) return both(NAN)
  const negative = a.$negative !== b.$negative
  if (a.$kind === 'infinite') {
    if (b.$kind === 'infinite' || wanted !== '//') return both(signal('InvalidOperation'))
    return both(infinite(negative))
  }
  if (isZero(b)) {
    if (isZero(a)) return both(signal('InvalidOperation', NAN, 'DivisionUndefined'))
    return wanted === '%' ? both(signal('InvalidOperation')) : both(signal('DivisionByZero', infinite(negative)))
  }
  const { $precision, $rounding } = context()
  const ideal = b.$kind === 'infinite' ? a.$exponent : Math.min(a.$exponent, b.$exponent)
  const far = adjusted(a) - adjusted(b)
  if (isZero(a) || b.$kind === 'infinite' || far <= -2)
    return { quotient: finite(negative, 0n, 0), remainder: settled(rescale(a, ideal, $rounding)) }
  if (far <= $precision) {
    const top = a.$coefficient * tenTo(Math.max(0, a.$exponent - b.$exponent))
    const bottom = b.$coefficient * tenTo(Math.max(0, b.$exponent - a.$exponent))
    const q = top / bottom
    if (q < tenTo($precision)) {
      const rest = finite(a.$negative, top - q * bottom, ideal)
      return { quotient: finite(negative, q, 0), remainder: settled(rest) }
    }
  }
  return both(signal('InvalidOperation', NAN, 'DivisionImpossible'))
}

// ---- powers ----------------------------------------------------------------------------------------------------

export function power(a: DecimalNumber, b: DecimalNumber): DecimalNumber {
  if (anyNaN(a, b)) return NAN
  if (isZero(b)) return isZero(a) ? signal('InvalidOperation') : ofInteger(1n)
  const exponent = wholeValue(b)
  const odd = exponent !== undefined && exponent % 2n !== 0n
  if (a.$negative && !isZero(a) && exponent === undefined && b.$kind === 'finite') return signal('InvalidOperation')
  const negative = a.$negative && odd
  if (isZero(a)) return b.$negative ? infinite(negative) : finite(negative, 0n, 0)
  if (a.$kind === 'infinite') return b.$negative ? finite(negative, 0n, 0) : infinite(negative)
  if (b.$kind === 'infinite') {
    const side = compareNumbers(withSign(a, false), ofInteger(1n))
    if (side === 0) return ofInteger(1n)
    return side > 0 === b.$negative ? finite(false, 0n, 0) : infinite(false)
  }
  if (exponent !== undefined && exponent < 100_000_000n && exponent > -100_000_000n)
    return wholePower(a, Number(exponent))
  return realPower(a, b)
}

/** The value of an integral number. Undefined for others. */
function wholeValue(x: DecimalNumber): bigint | undefined {
  const s = stripped(x)
  if (x.$kind !== 'finite' || s.$exponent < 0 || s.$exponent > 20) return undefined
  const n = s.$coefficient * tenTo(s.$exponent)
  return x.$negative ? -n : n
}

// Uses repeated squaring with a few guard digits, as CPython's library does.
function wholePower(a: DecimalNumber, n: number): DecimalNumber {
  const { $precision } = context()
  const digits = $precision + 4 + String(Math.abs(n)).length
  const cut = (x: DecimalNumber): DecimalNumber => roundTo(x, digits, 'ROUND_HALF_EVEN')
  const multiply = (x: DecimalNumber, y: DecimalNumber): DecimalNumber =>
    cut(finite(x.$negative !== y.$negative, x.$coefficient * y.$coefficient, x.$exponent + y.$exponent))
  let base = n < 0 ? cut(quotient(ofInteger(1n), a, digits)) : a
  let result = ofInteger(1n)
  for (let left = Math.abs(n); left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = multiply(result, base)
    if (left > 1) base = multiply(base, base)
    if (Math.abs(adjusted(result)) > MAX_EXPONENT * 4) break
  }
  return settled(result)
}

function realPower(a: DecimalNumber, b: DecimalNumber): DecimalNumber {
  const { $precision } = context()
  const digits = $precision + 24 + Math.max(0, adjusted(b) + 2)
  const log = logarithm(a, digits)
  const product = finite(log.$negative !== b.$negative, log.$coefficient * b.$coefficient, log.$exponent + b.$exponent)
  if (adjusted(product) > 8) return product.$negative ? finite(false, 0n, 0) : signal('Overflow', infinite(false))
  const result = exponential(product, $precision + 12)
  // A result that is exact except for the last guard digits is exact, and keeps all its zeros.
  return settled(roundTo(result, $precision + 6, 'ROUND_HALF_EVEN'))
}

// ---- roots and functions ---------------------------------------------------------------------------------------

export function squareRoot(x: DecimalNumber): DecimalNumber {
  if (x.$kind === 'nan' || (x.$kind === 'infinite' && !x.$negative)) return x
  if (isZero(x)) return finite(x.$negative, 0n, Math.floor(x.$exponent / 2))
  if (x.$negative) return signal('InvalidOperation')
  const odd = x.$exponent % 2 !== 0
  const c0 = odd ? x.$coefficient * 10n : x.$coefficient
  const length = digitsOf(x.$coefficient).length
  const shift = context().$precision + 1 - (odd ? (length >> 1) + 1 : (length + 1) >> 1)
  const c = shift >= 0 ? c0 * tenTo(2 * shift) : c0 / tenTo(-2 * shift)
  const n = integerRoot(c)
  const exact = n * n === c && (shift >= 0 || c * tenTo(-2 * shift) === c0)
  const exponent = Math.floor(x.$exponent / 2)
  if (exact) return settled(finite(false, shift >= 0 ? n / tenTo(shift) : n * tenTo(-shift), exponent))
  const sticky = finite(false, n % 5n === 0n ? n + 1n : n, exponent - shift)
  return settled(roundTo(sticky, context().$precision, 'ROUND_HALF_EVEN'))
}

export function naturalLogarithm(x: DecimalNumber): DecimalNumber {
  if (x.$kind === 'nan' || (x.$kind === 'infinite' && !x.$negative)) return x
  if (isZero(x)) return infinite(true)
  if (x.$negative) return signal('InvalidOperation')
  if (compareNumbers(x, ofInteger(1n)) === 0) return ofInteger(0n)
  return settled(logarithm(x, context().$precision + 12))
}

export function commonLogarithm(x: DecimalNumber): DecimalNumber {
  if (x.$kind === 'nan' || (x.$kind === 'infinite' && !x.$negative)) return x
  if (isZero(x)) return infinite(true)
  if (x.$negative) return signal('InvalidOperation')
  const s = stripped(x)
  if (s.$coefficient === 1n) return settled(ofInteger(BigInt(s.$exponent)))
  const digits = context().$precision + 12
  return settled(quotient(logarithm(x, digits), logarithm(ofInteger(10n), digits), digits))
}

export function naturalExponential(x: DecimalNumber): DecimalNumber {
  if (x.$kind === 'nan') return x
  if (x.$kind === 'infinite') return x.$negative ? finite(false, 0n, 0) : x
  if (isZero(x)) return ofInteger(1n)
  if (adjusted(x) > 6) return x.$negative ? finite(false, 0n, 0) : signal('Overflow', infinite(false))
  return settled(exponential(x, context().$precision + 12))
}
