// `format(x, spec)` of decimal numbers: the same mini-language as for floats, computed exactly.

import { fill } from '../../text/fill.js'
import { type FormatSpec, formatNumber, parseSpec } from '../../text/format-spec.js'
import { raise, valueError } from '../../values/errors.js'
import { context } from './context.js'
import {
  type DecimalNumber,
  decimalText,
  digitsOf,
  finite,
  isZero,
  type Rounding,
  rescale,
  roundTo,
  withSign,
} from './number.js'

export function formatDecimal(x: DecimalNumber, text: string): string {
  const spec = parseSpec(text)
  const type = spec.type === '' ? 'G' : spec.type === 'n' ? 'g' : spec.type
  if ('eEfFgG%'.indexOf(type) < 0 || spec.grouping === '_' || spec.alternate) return valueError('invalid format string')
  if (spec.precision > 10_000_000) return raise('MemoryError', '')
  if (x.$kind !== 'finite') {
    const body = decimalText(withSign(x, false)) + (type === '%' ? '%' : '')
    return formatNumber(x.$negative, '', '', body, spec.zero ? { ...spec, zero: false, fill: ' ' } : spec, 3)
  }
  const rounded = roundedFor(x, type, spec)
  const { whole, fraction, exponent } = parts(rounded, type, spec)
  const point = fraction === '' ? '' : `.${fraction}`
  const letter = type === 'e' || type === 'g' ? 'e' : 'E'
  const power =
    exponent !== 0 || type === 'e' || type === 'E' ? `${letter}${exponent < 0 ? '-' : '+'}${Math.abs(exponent)}` : ''
  const negative = rounded.$negative && !(spec.positiveZero && isZero(rounded))
  return formatNumber(negative, '', whole, point + power + (type === '%' ? '%' : ''), spec, 3)
}

function roundedFor(x0: DecimalNumber, type: string, spec: FormatSpec): DecimalNumber {
  const { $rounding } = context()
  const p = spec.precision
  let x = type === '%' ? finite(x0.$negative, x0.$coefficient, x0.$exponent + 2) : x0
  if (p >= 0) {
    if (type === 'e' || type === 'E') x = withDigits(x, p + 1, $rounding)
    else if (type === 'g' || type === 'G') x = roundTo(x, Math.max(p, 1), $rounding)
    else x = rescale(x, -p, $rounding)
  }
  return isZero(x) && x.$exponent > 0 && 'fF%'.indexOf(type) >= 0 ? rescale(x, 0, $rounding) : x
}

/** The number with exactly `digits` digits. Zero is unchanged. */
function withDigits(x: DecimalNumber, digits: number, rounding: Rounding): DecimalNumber {
  const missing = digits - digitsOf(x.$coefficient).length
  return isZero(x) || missing <= 0 ? roundTo(x, digits, rounding) : rescale(x, x.$exponent - missing, rounding)
}

interface Parts {
  readonly whole: string
  readonly fraction: string
  readonly exponent: number
}

function parts(x: DecimalNumber, type: string, spec: FormatSpec): Parts {
  const digits = digitsOf(x.$coefficient)
  const left = x.$exponent + digits.length
  let place = 1
  if (type === 'e' || type === 'E') place = isZero(x) && spec.precision >= 0 ? 1 - spec.precision : 1
  else if (type === 'g' || type === 'G') place = x.$exponent <= 0 && left > -6 ? left : 1
  else place = left
  const exponent = left - place
  if (place < 0) return { whole: '0', fraction: fill('0', -place) + digits, exponent }
  if (place > digits.length) return { whole: digits + fill('0', place - digits.length), fraction: '', exponent }
  return { whole: digits.slice(0, place) || '0', fraction: digits.slice(place), exponent }
}
