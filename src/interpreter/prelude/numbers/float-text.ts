// Converts floats to text and text to floats. JavaScript writes the shortest digits and rounds correctly, but it rounds
// exact ties upwards and stops at 100 digits and 1e21. Here ties go to the even digit, as in C and Python, and every
// digit is exact. Invariant: all functions take and return JavaScript numbers, never a Float.

import { python, strict } from '../values/mode.js'

// From this size on `str` writes an exponent: Python's limit, or that of the Java implementation of Starlark.
const PLAIN_LIMIT = python ? 1e16 : 1e17

/**
 * The text of `str` and `repr`: the shortest digits that parse to the same float, always with a point or an exponent.
 */
export function floatText(v: number): string {
  const size = v < 0 ? -v : v
  if (size < PLAIN_LIMIT && (size >= 1e-4 || size === 0)) {
    if (!Number.isInteger(v)) return `${v}`
    return v === 0 && 1 / v < 0 ? '-0.0' : `${v}.0`
  }
  return size < Infinity ? shortest(v) : nonFiniteText(v)
}

/** The shortest digits that parse to the same float, with an exponent. */
function shortest(v: number): string {
  const usual = v.toExponential()
  if (usual.length < 20 || !isPowerOfTwo(v)) return padExponent(usual)
  // Below a power of two, numbers are closer together than above it. QuickJS ignores this and writes too many digits.
  const size = Math.abs(v)
  const sign = v < 0 ? '-' : ''
  for (let digits = 12; digits < 16; digits++) {
    const near = size.toExponential(digits)
    if (Number(near) === size) return padExponent(sign + near)
    const above = `${BigInt(near.slice(0, digits + 2).replace('.', '')) + 1n}`
    const next = `${above.slice(0, 1)}.${above.slice(1)}${near.slice(digits + 2)}`
    if (Number(next) === size) return padExponent(sign + next)
  }
  return padExponent(usual)
}

function isPowerOfTwo(v: number): boolean {
  bits[0] = v
  return words[0] === 0 && (words[1]! & 0xfffff) === 0
}

/** `nan`, `inf` or `-inf`. Strict mode also writes the plus sign. */
export function nonFiniteText(v: number): string {
  if (Number.isNaN(v)) return 'nan'
  if (v < 0) return '-inf'
  return strict ? '+inf' : 'inf'
}

/** Converts JavaScript's `1e+5` to `1e+05`. */
function padExponent(s: string): string {
  const at = s.indexOf('e')
  return s.length - at < 4 ? `${s.slice(0, at + 2)}0${s.slice(at + 2)}` : s
}

/** `%.{digits}f` of a finite number. */
export function fixed(v: number, digits: number): string {
  const size = v < 0 ? -v : v
  const sign = isNegative(v) ? '-' : ''
  return sign + (digits <= 100 && size < 1e21 && !isTie(size, digits) ? size.toFixed(digits) : exactFixed(size, digits))
}

/** `%.{digits}e` of a finite number. */
export function exponential(v: number, digits: number): string {
  const size = v < 0 ? -v : v
  const sign = isNegative(v) ? '-' : ''
  if (digits < 100) {
    const more = size.toExponential(digits + 1)
    const at = more.indexOf('e')
    if (more.charCodeAt(at - 1) !== 53 || Number(more) !== size) return sign + padExponent(size.toExponential(digits))
  }
  return sign + padExponent(exactExponential(size, digits))
}

interface GeneralStyle {
  /** Keeps trailing zeros, as `#` requests. */
  readonly alternate?: boolean
  /** Writes `.0` if there would be neither a point nor an exponent. */
  readonly point?: boolean
}

/** `%.{precision}g` of a finite number. */
export function general(v: number, precision: number, style: GeneralStyle = {}): string {
  const p = precision === 0 ? 1 : precision
  const e = exponential(v, p - 1)
  const at = e.indexOf('e')
  const x = Number(e.slice(at + 1))
  const withExponent = x < -4 || x >= (style.point ? p - 1 : p)
  let mantissa = withExponent ? e.slice(0, at) : fixed(v, Math.max(0, p - 1 - x))
  if (!style.alternate) mantissa = dropZeros(mantissa)
  else if (mantissa.indexOf('.') < 0) mantissa += '.'
  if (withExponent) return mantissa + e.slice(at)
  return style.point && mantissa.indexOf('.') < 0 ? `${mantissa}.0` : mantissa
}

/** `%g` in strict Starlark: the shortest digits, with an exponent from 1e6 on, and never the text of an integer. */
export function shortGeneral(v: number): string {
  const size = v < 0 ? -v : v
  if (size < 1e6 || size === Infinity || Number.isNaN(v)) return floatText(v)
  return shortest(v)
}

function dropZeros(s: string): string {
  if (s.indexOf('.') < 0) return s
  let end = s.length
  while (s.charCodeAt(end - 1) === 48) end--
  if (s.charCodeAt(end - 1) === 46) end--
  return s.slice(0, end)
}

export function isNegative(v: number): boolean {
  return v < 0 || (v === 0 && 1 / v < 0)
}

// For a tie, size × 10**digits must be an odd multiple of one half, and therefore also size × 2**digits.
function isTie(size: number, digits: number): boolean {
  const scaled = size * 2 ** digits
  return !Number.isInteger(scaled) && Number.isInteger(scaled * 2)
}

const bits = new Float64Array(1)
const words = new Uint32Array(bits.buffer)

/** A finite number of at least 0 as `mantissa × 2**exponent`, exactly. */
export function decompose(size: number): { readonly mantissa: bigint; readonly exponent: number } {
  bits[0] = size
  const high = words[1]!
  const biased = (high >>> 20) & 0x7ff
  const fraction = (BigInt(high & 0xfffff) << 32n) | BigInt(words[0]!)
  return biased === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | (1n << 52n), exponent: biased - 1075 }
}

/** The integer nearest to `size × 10**power`, with ties to the even one. */
export function scaledInteger(size: number, power: number): bigint {
  const { mantissa, exponent } = decompose(size)
  let top = mantissa
  let bottom = 1n
  if (exponent >= 0) top <<= BigInt(exponent)
  else bottom <<= BigInt(-exponent)
  if (power >= 0) top *= 10n ** BigInt(power)
  else bottom *= 10n ** BigInt(-power)
  return nearest(top, bottom)
}

/** top / bottom, rounded to the nearest integer, with ties to the even one. Both must be at least 0. */
export function nearest(top: bigint, bottom: bigint): bigint {
  const quotient = top / bottom
  const twice = (top - quotient * bottom) * 2n
  return twice > bottom || (twice === bottom && quotient % 2n === 1n) ? quotient + 1n : quotient
}

function exactFixed(size: number, digits: number): string {
  const all = scaledInteger(size, digits)
    .toString()
    .padStart(digits + 1, '0')
  return digits === 0 ? all : `${all.slice(0, -digits)}.${all.slice(-digits)}`
}

function exactExponential(size: number, digits: number): string {
  let x = size === 0 ? 0 : Number(size.toExponential(20).split('e')[1])
  let all = scaledInteger(size, digits - x).toString()
  if (all.length > digits + 1) {
    x++
    all = scaledInteger(size, digits - x).toString()
  }
  all = all.padEnd(digits + 1, '0')
  return `${all.slice(0, 1)}${digits === 0 ? '' : `.${all.slice(1)}`}e${x < 0 ? '-' : '+'}${Math.abs(x)}`
}

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/
const DECIMAL_GROUPED = /^[+-]?(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+(?:_\d+)*)?$/
const WORD = /^([+-]?)(?:(inf|infinity)|nan)$/i

/**
 * The float that a text denotes; undefined if it denotes none. Strict mode accepts neither white space nor underscores.
 * In both dialects an overflow gives an infinity.
 */
export function readFloat(text: string): number | undefined {
  if (DECIMAL.test(text)) return Number(text)
  const word = WORD.exec(text)
  if (word) return word[2] === undefined ? NaN : word[1] === '-' ? -Infinity : Infinity
  return python && DECIMAL_GROUPED.test(text) ? Number(text.replace(/_/g, '')) : undefined
}

/** True if the text spells out an infinity. */
export function namesInfinity(text: string): boolean {
  return WORD.test(text)
}
