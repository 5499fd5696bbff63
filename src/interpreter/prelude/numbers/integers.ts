// Converts integers of any size to text and back, in any base. Computes powers modulo a number.

import { type GuestError, guestError } from '../values/errors.js'
import { python } from '../values/mode.js'
import { said, spelled } from '../values/said.js'
import { quote } from '../values/string-literals.js'
import { Big, type Int, MAX_SAFE, type Value } from '../values/values.js'

/** `int(text)`: a decimal integer. */
export function readDecimal(text: string): Value {
  if (text.length === 1) {
    const digit = text.charCodeAt(0) - 48
    if (digit >= 0 && digit <= 9) return digit
  }
  // Most texts are short plain decimals. A text that is as long as its number is one, or it has an exponent, and then
  // the number ends in two zeros.
  const n = +text
  if ((n | 0) === n && n >= TENS[text.length - 1]! && n < TENS[text.length]! && n % 100 !== 0) return n
  // Otherwise the number is converted back to text and compared.
  if ((n | 0) === n && `${n}` === text) return n
  return readInteger(text, 10)
}

const TENS = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10]

const SIGN = /^[+-]/

/** `int(text, base)`. Base 0 takes the base from the prefix. Throws if the text is not such a literal. */
export function readInteger(text: string, base: number): Value {
  let digits = python ? asciiDigits(text).trim() : text
  let negative = false
  if (SIGN.test(digits)) {
    negative = digits.charCodeAt(0) === 45
    digits = digits.slice(1)
  }
  const inPrefix = prefixBase(digits)
  let from = base
  let prefixed = false
  if (inPrefix > 0 && (base === 0 || base === inPrefix)) {
    digits = digits.slice(2)
    from = inPrefix
    prefixed = true
  } else if (base === 0) {
    from = 10
    if (/^0[\d_]*[1-9]/.test(digits)) throw notAnInteger(text, base)
  }
  if (python) digits = withoutUnderscores(digits, prefixed)
  if (digits === '' || !allDigits(digits, from)) throw notAnInteger(text, base)
  const size = magnitude(digits, from)
  return negative ? (typeof size === 'number' ? 0 - size : new Big(-size.n)) : size
}

function notAnInteger(text: string, base: number): GuestError {
  return guestError(
    'ValueError',
    python
      ? said`invalid literal for int() with base ${base}: ${spelled(quote(text), text)}`
      : said`int: invalid literal with base ${base}: ${spelled(text)}`,
  )
}

/** The base that the prefix of a literal stands for, or 0. */
function prefixBase(digits: string): number {
  if (digits.charCodeAt(0) !== 48) return 0
  const c = digits.charCodeAt(1) | 32
  return c === 120 ? 16 : c === 111 ? 8 : c === 98 ? 2 : 0
}

/**
 * Removes single underscores between digits and after a prefix. Any other underscore stays and makes the literal
 * invalid.
 */
function withoutUnderscores(digits: string, prefixed: boolean): string {
  if (digits.indexOf('_') < 0) return digits
  const body = prefixed && digits.charCodeAt(0) === 95 ? digits.slice(1) : digits
  return /^_|__|_$/.test(body) ? digits : body.replace(/_/g, '')
}

const DIGITS: (RegExp | undefined)[] = []

function allDigits(digits: string, base: number): boolean {
  let pattern = DIGITS[base]
  if (pattern === undefined) {
    const last = String.fromCharCode(base <= 10 ? 47 + base : 57)
    const letters = base > 10 ? `a-${String.fromCharCode(86 + base)}` : ''
    pattern = new RegExp(`^[0-${last}${letters}]+$`, 'i')
    DIGITS[base] = pattern
  }
  return pattern.test(digits)
}

function magnitude(digits: string, base: number): Int {
  const n = Number.parseInt(digits, base)
  if (n <= MAX_SAFE) return n
  if (base === 10) return new Big(BigInt(digits))
  if (base === 16) return new Big(BigInt(`0x${digits}`))
  if (base === 8) return new Big(BigInt(`0o${digits}`))
  if (base === 2) return new Big(BigInt(`0b${digits}`))
  return new Big(joined(digits, base))
}

/**
 * The value of digits. They are split in halves, so that the cost for many digits is near that of the multiplications.
 */
function joined(digits: string, base: number): bigint {
  if (digits.length <= 9) return BigInt(Number.parseInt(digits, base))
  const low = digits.length >> 1
  const split = digits.length - low
  return joined(digits.slice(0, split), base) * BigInt(base) ** BigInt(low) + joined(digits.slice(split), base)
}

/** The text with digits of other scripts replaced by 0 to 9, as Python reads them. */
export function asciiDigits(text: string): string {
  if (/^[\0-~]*$/.test(text)) return text
  return text.replace(/(?![0-9])\p{Nd}/gu, (c) => `${digitValue(c.codePointAt(0)!)}`)
}

/** The value of a decimal digit. Digits are in runs of ten that begin with 0. */
function digitValue(code: number): number {
  let first = code
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--
  return (code - first) % 10
}

/** `x` in base 2, 8 or 16 with its prefix, as `bin`, `oct` and `hex` write it. */
export function withPrefix(x: Int, base: 2 | 8 | 16): string {
  const prefix = base === 16 ? '0x' : base === 8 ? '0o' : '0b'
  const text = (typeof x === 'number' ? x : x.n).toString(base)
  return text.charCodeAt(0) === 45 ? `-${prefix}${text.slice(1)}` : prefix + text
}

/** `base ** exponent` modulo `modulus`. The result has the sign of the modulus. */
export function powerModulo(base: bigint, exponent: bigint, modulus: bigint): bigint {
  if (modulus === 0n) throw guestError('ValueError', 'pow() 3rd argument cannot be 0')
  const size = modulus < 0n ? -modulus : modulus
  let b = ((base % size) + size) % size
  let e = exponent
  if (e < 0n) {
    b = inverse(b, size)
    e = -e
  }
  let result = 1n % size
  while (e > 0n) {
    if (e & 1n) result = (result * b) % size
    b = (b * b) % size
    e >>= 1n
  }
  return modulus < 0n && result !== 0n ? result + modulus : result
}

function inverse(b: bigint, size: bigint): bigint {
  let [r0, r1] = [size, b]
  let [t0, t1] = [0n, 1n]
  while (r1 !== 0n) {
    const q = r0 / r1
    ;[r0, r1] = [r1, r0 - q * r1]
    ;[t0, t1] = [t1, t0 - q * t1]
  }
  if (r0 !== 1n) throw guestError('ValueError', 'base is not invertible for the given modulus')
  return ((t0 % size) + size) % size
}

/** The number of bits of the magnitude. */
export function bitLength(x: number | bigint): number {
  const size = x < 0 ? -x : x
  return size === 0 || size === 0n ? 0 : size.toString(2).length
}

/** The greatest integer whose square is at most `n`. */
export function integerRoot(n: bigint): bigint {
  if (n < 2n) return n
  let x = 1n << BigInt((bitLength(n) + 1) >> 1)
  for (;;) {
    const y = (x + n / x) >> 1n
    if (y >= x) return x
    x = y
  }
}
