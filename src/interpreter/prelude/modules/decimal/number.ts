// Decimal numbers: parsing, writing, rounding and comparing. A number is a sign, a coefficient of any size and an
// exponent (so 1.10 and 1.1 are equal but different), or an infinity, or a NaN. Knows no contexts and no values of
// programs. Invariant: the coefficient is at least 0, and 0 if the number is not finite.

import { exactly, type Rational } from '../../numbers/rationals.js'
import { fill } from '../../text/fill.js'

export type Rounding =
  | 'ROUND_HALF_EVEN'
  | 'ROUND_HALF_UP'
  | 'ROUND_HALF_DOWN'
  | 'ROUND_UP'
  | 'ROUND_DOWN'
  | 'ROUND_CEILING'
  | 'ROUND_FLOOR'
  | 'ROUND_05UP'

export const roundings: readonly Rounding[] = [
  'ROUND_CEILING',
  'ROUND_DOWN',
  'ROUND_FLOOR',
  'ROUND_HALF_DOWN',
  'ROUND_HALF_EVEN',
  'ROUND_HALF_UP',
  'ROUND_UP',
  'ROUND_05UP',
]

export class DecimalNumber {
  readonly $negative: boolean
  readonly $coefficient: bigint
  readonly $exponent: number
  readonly $kind: 'finite' | 'infinite' | 'nan'

  constructor(
    negative: boolean,
    coefficient: bigint,
    exponent: number,
    kind: 'finite' | 'infinite' | 'nan' = 'finite',
  ) {
    this.$negative = negative
    this.$coefficient = coefficient
    this.$exponent = exponent
    this.$kind = kind
  }
}

export function finite(negative: boolean, coefficient: bigint, exponent: number): DecimalNumber {
  return new DecimalNumber(negative, coefficient, exponent)
}

export function infinite(negative: boolean): DecimalNumber {
  return new DecimalNumber(negative, 0n, 0, 'infinite')
}

export const NAN: DecimalNumber = new DecimalNumber(false, 0n, 0, 'nan')

export function isZero(x: DecimalNumber): boolean {
  return x.$kind === 'finite' && x.$coefficient === 0n
}

export function withSign(x: DecimalNumber, negative: boolean): DecimalNumber {
  return new DecimalNumber(negative, x.$coefficient, x.$exponent, x.$kind)
}

export function digitsOf(coefficient: bigint): string {
  return coefficient.toString()
}

export function tenTo(n: number): bigint {
  return 10n ** BigInt(n)
}

/** The exponent of the first digit. */
export function adjusted(x: DecimalNumber): number {
  return x.$kind === 'finite' ? x.$exponent + digitsOf(x.$coefficient).length - 1 : 0
}

// ---- reading and writing ---------------------------------------------------------------------------------------

const NUMBER = /^([-+])?(?=\d|\.\d)(\d*)(?:\.(\d*))?(?:e([-+]?\d+))?$/i
const WORD = /^([-+])?(?:(inf(?:inity)?)|s?nan(\d*))$/i

/** The exact number of a text. Undefined if the text is not a number. */
export function readDecimalNumber(text: string): DecimalNumber | undefined {
  const trimmed = text.trim().replace(/_/g, '')
  const m = NUMBER.exec(trimmed)
  if (m !== null) {
    const whole = m[2] ?? ''
    const fraction = m[3] ?? ''
    return finite(m[1] === '-', BigInt(whole + fraction || '0'), Number(m[4] ?? 0) - fraction.length)
  }
  const word = WORD.exec(trimmed)
  if (word === null) return undefined
  return word[2] === undefined ? NAN : infinite(word[1] === '-')
}

export function ofInteger(n: bigint): DecimalNumber {
  return finite(n < 0n, n < 0n ? -n : n, 0)
}

/** The exact value of a float. */
export function ofFloat(v: number): DecimalNumber {
  if (Number.isNaN(v)) return NAN
  if (!Number.isFinite(v)) return infinite(v < 0)
  const negative = v < 0 || Object.is(v, -0)
  const { top, bottom } = exactly(Math.abs(v))
  // The denominator is a power of two. As many decimal places as it has bits are exact.
  const places = bottom.toString(2).length - 1
  const lowest = reduce2(top, places)
  return finite(negative, lowest.top * 5n ** BigInt(lowest.places), -lowest.places)
}

function reduce2(top0: bigint, places0: number): { readonly top: bigint; readonly places: number } {
  let top = top0
  let places = places0
  while (places > 0 && top % 2n === 0n) {
    top /= 2n
    places--
  }
  return { top, places }
}

/** `str(x)`: plain digits, or an exponent if the point would be far from the digits. */
export function decimalText(x: DecimalNumber, engineering = false): string {
  const sign = x.$negative ? '-' : ''
  if (x.$kind !== 'finite') return x.$kind === 'nan' ? 'NaN' : `${sign}Infinity`
  const digits = digitsOf(x.$coefficient)
  const left = x.$exponent + digits.length
  const point = pointPlace(x, left, engineering)
  const [whole, fraction] =
    point <= 0
      ? ['0', `.${fill('0', -point)}${digits}`]
      : point >= digits.length
        ? [digits + fill('0', point - digits.length), '']
        : [digits.slice(0, point), `.${digits.slice(point)}`]
  const exponent = left === point ? '' : `E${left - point > 0 ? '+' : ''}${left - point}`
  return sign + whole + fraction + exponent
}

/** The number of digits before the point. */
function pointPlace(x: DecimalNumber, left: number, engineering: boolean): number {
  if (x.$exponent <= 0 && left > -6) return left
  if (!engineering) return 1
  const within = (n: number): number => ((n % 3) + 3) % 3
  return x.$coefficient === 0n ? within(left + 1) - 1 : within(left - 1) + 1
}

// ---- exact values ----------------------------------------------------------------------------------------------

/** The exact value of a finite number. */
export function rationalOf(x: DecimalNumber): Rational {
  const top = x.$negative ? -x.$coefficient : x.$coefficient
  return x.$exponent >= 0 ? { top: top * tenTo(x.$exponent), bottom: 1n } : { top, bottom: tenTo(-x.$exponent) }
}

/** Negative, zero or positive, or NaN if one of the numbers is NaN. */
export function compareNumbers(a: DecimalNumber, b: DecimalNumber): number {
  if (a.$kind === 'nan' || b.$kind === 'nan') return Number.NaN
  const side = (x: DecimalNumber): number => (isZero(x) ? 0 : x.$negative ? -1 : 1)
  if (side(a) !== side(b) || side(a) === 0) return side(a) - side(b)
  if (a.$kind === 'infinite' || b.$kind === 'infinite') {
    return a.$kind === b.$kind ? 0 : a.$kind === 'infinite' ? side(a) : -side(a)
  }
  const far = adjusted(a) - adjusted(b)
  if (far !== 0) return far * side(a)
  const lowest = Math.min(a.$exponent, b.$exponent)
  const x = a.$coefficient * tenTo(a.$exponent - lowest)
  const y = b.$coefficient * tenTo(b.$exponent - lowest)
  return x === y ? 0 : x < y ? -side(a) : side(a)
}

// ---- rounding --------------------------------------------------------------------------------------------------

/** A coefficient without its last digits, rounded. */
export function dropDigits(coefficient: bigint, digits: number, negative: boolean, rounding: Rounding): bigint {
  if (digits <= 0) return coefficient
  // Digits far below the last one matter only if they are not all zero.
  const unit = tenTo(Math.min(digits, digitsOf(coefficient).length + 2))
  const kept = coefficient / unit
  const rest = coefficient - kept * unit
  return rest === 0n || !roundsUp(kept, rest * 2n, unit, negative, rounding) ? kept : kept + 1n
}

function roundsUp(kept: bigint, twice: bigint, unit: bigint, negative: boolean, rounding: Rounding): boolean {
  switch (rounding) {
    case 'ROUND_HALF_EVEN':
      return twice > unit || (twice === unit && kept % 2n === 1n)
    case 'ROUND_HALF_UP':
      return twice >= unit
    case 'ROUND_HALF_DOWN':
      return twice > unit
    case 'ROUND_UP':
      return true
    case 'ROUND_DOWN':
      return false
    case 'ROUND_CEILING':
      return !negative
    case 'ROUND_FLOOR':
      return negative
    case 'ROUND_05UP':
      return kept % 5n === 0n
  }
}

/** The number with this exponent. Zeros are appended, or digits are rounded away. */
export function rescale(x: DecimalNumber, exponent: number, rounding: Rounding): DecimalNumber {
  const by = x.$exponent - exponent
  if (x.$coefficient === 0n) return finite(x.$negative, 0n, exponent)
  const coefficient = by >= 0 ? x.$coefficient * tenTo(by) : dropDigits(x.$coefficient, -by, x.$negative, rounding)
  return finite(x.$negative, coefficient, exponent)
}

/** A finite number, rounded to at most `digits` digits. */
export function roundTo(x: DecimalNumber, digits: number, rounding: Rounding): DecimalNumber {
  const tooMany = digitsOf(x.$coefficient).length - digits
  if (tooMany <= 0) return x
  const coefficient = dropDigits(x.$coefficient, tooMany, x.$negative, rounding)
  return digitsOf(coefficient).length > digits
    ? finite(x.$negative, coefficient / 10n, x.$exponent + tooMany + 1)
    : finite(x.$negative, coefficient, x.$exponent + tooMany)
}

/** The number without trailing zeros. */
export function stripped(x: DecimalNumber): DecimalNumber {
  if (x.$kind !== 'finite') return x
  if (x.$coefficient === 0n) return finite(x.$negative, 0n, 0)
  const digits = digitsOf(x.$coefficient)
  const zeros = digits.length - digits.replace(/0+$/, '').length
  return finite(x.$negative, x.$coefficient / tenTo(zeros), x.$exponent + zeros)
}
