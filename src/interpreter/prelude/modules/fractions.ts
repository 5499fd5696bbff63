// The module `fractions`: exact fractions.

import { boundMethod, method } from '../calls/method-tables.js'
import { builtin, call } from '../calls/signature.js'
import { attributeOrAbsent } from '../classes/attributes.js'
import { attachClass, Class, classIn } from '../classes/classes.js'
import { builtinClass } from '../classes/known-classes.js'
import { hashOfFraction } from '../containers/hashing.js'
import { nearest } from '../numbers/float-text.js'
import { exactly, gcd, nearestFloat, type Rational, rationalKey, reduced } from '../numbers/rationals.js'
import { floorDiv, mod, power } from '../operators/arithmetic.js'
import { quoted } from '../text/repr.js'
import { contentOf, textInside } from '../values/contents.js'
import { raise, typeError, valueError } from '../values/errors.js'
import { PROTOCOL, type Protocol } from '../values/protocol.js'
import { said, spelled, word } from '../values/said.js'
import {
  big,
  float,
  floatValue,
  type Int,
  isFloat,
  isInt,
  nameClass,
  normal,
  TUPLE,
  toNumber,
  typeName,
  typeOf,
  unbool,
  type Value,
} from '../values/values.js'
import { answer } from './kinds.js'
import { type Module, module } from './module.js'

/** A fraction in lowest terms with a positive denominator. */
class Fraction {
  readonly $top: bigint
  readonly $bottom: bigint
  constructor({ top, bottom }: Rational) {
    const r = reduced(top, bottom)
    this.$top = r.top
    this.$bottom = r.bottom
  }
}

function fraction(top: bigint, bottom: bigint): Fraction {
  if (bottom === 0n) raise('ZeroDivisionError', said`Fraction(${spelled(top)}, 0)`)
  return new Fraction({ top, bottom })
}

const TEXT =
  /^\s*([-+]?)(?=\d|\.\d)(\d*|\d+(?:_\d+)*)(?:(?:\/(\d+(?:_\d+)*))?|(?:\.(\d*|\d+(?:_\d+)*))?(?:[eE]([-+]?\d+))?)\s*$/

function parsed(text: string): Fraction {
  const m = TEXT.exec(text)
  if (m === null) return valueError(said`Invalid literal for Fraction: ${quoted(text)}`)
  const digits = (s: string | undefined): string => (s ?? '').replace(/_/g, '')
  const decimals = digits(m[4])
  let top = BigInt(digits(m[2]) + decimals || '0')
  let bottom = m[3] === undefined ? 10n ** BigInt(decimals.length) : BigInt(digits(m[3]))
  const exponent = BigInt(m[5] ?? 0)
  if (exponent > 0n) top *= 10n ** exponent
  else bottom *= 10n ** -exponent
  return fraction(m[1] === '-' ? -top : top, bottom)
}

/** The numerator and denominator of a fraction. Undefined for other values. */
export function fractionParts(x: Value): Rational | undefined {
  return x instanceof Fraction ? { top: x.$top, bottom: x.$bottom } : undefined
}

/** A function that creates fractions, if `x` is a fraction: results are then fractions, too. */
export function fractionMaker(x: Value): ((r: Rational) => Value) | undefined {
  return x instanceof Fraction ? (r) => new Fraction(r) : undefined
}

/** The exact value of a rational number of any kind. Undefined for other values. */
function rationalOf(x0: Value): Rational | undefined {
  const x = unbool(contentOf(x0) ?? x0)
  if (x instanceof Fraction) return { top: x.$top, bottom: x.$bottom }
  return isInt(x) ? { top: big(x), bottom: 1n } : undefined
}

function exactRational(x0: Value): Rational {
  const x = contentOf(x0) ?? x0
  const r = rationalOf(x)
  if (r !== undefined) return r
  const f = floatValue(x)
  if (f !== undefined) {
    if (Number.isNaN(f)) valueError('cannot convert NaN to integer ratio')
    if (!Number.isFinite(f)) raise('OverflowError', 'cannot convert Infinity to integer ratio')
    return exactly(f)
  }
  const pair = classIn(x) === undefined ? attributeOrAbsent(x, 'as_integer_ratio') : undefined
  if (pair !== undefined && typeof x !== 'string') {
    const [, top, bottom] = call(pair, []) as [Value, Int, Int]
    return { top: big(top), bottom: big(bottom) }
  }
  return typeError('argument should be a string or a Rational instance')
}

const value = builtin('Fraction', 'numerator=, denominator=', (top, bottom) => {
  if (top === undefined) return fraction(0n, 1n)
  if (bottom === undefined || bottom === null) {
    const text = textInside(top) ?? top
    if (typeof text === 'string') return parsed(text)
    return new Fraction(exactRational(top))
  }
  const a = rationalOf(top)
  const b = rationalOf(bottom)
  if (a === undefined || b === undefined) return typeError('both arguments should be Rational instances')
  if (b.top === 0n) raise('ZeroDivisionError', said`Fraction(${spelled(a.top)}, 0)`)
  return fraction(a.top * b.bottom, b.top * a.bottom)
})
const cls = new Class('Fraction', 'builtin', [builtinClass('object')])
attachClass(value, cls)
cls.$extras.module = 'fractions'

function floorOf(top: bigint, bottom: bigint): bigint {
  const q = top / bottom
  return top % bottom !== 0n && top < 0n !== bottom < 0n ? q - 1n : q
}

function exactPower(a: Rational, n: bigint): Value {
  if (n >= 0n) return fraction(a.top ** n, a.bottom ** n)
  if (a.top === 0n) raise('ZeroDivisionError', said`Fraction(${spelled(a.bottom ** -n)}, 0)`)
  return fraction(a.bottom ** -n, a.top ** -n)
}

/** CPython's message has the quotient in lowest terms. */
function byZero(a: Rational, b: Rational): never {
  const side = a.top > 0n ? 1n : a.top < 0n ? -1n : 0n
  return raise('ZeroDivisionError', said`Fraction(${spelled(side * (b.bottom / gcd(b.bottom, a.bottom)))}, 0)`)
}

function exact(operator: string, a: Rational, b: Rational): Value | undefined {
  switch (operator) {
    case '+':
      return fraction(a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom)
    case '-':
      return fraction(a.top * b.bottom - b.top * a.bottom, a.bottom * b.bottom)
    case '*':
      return fraction(a.top * b.top, a.bottom * b.bottom)
    case '/':
      return b.top === 0n ? byZero(a, b) : fraction(a.top * b.bottom, a.bottom * b.top)
    case '//':
    case '%':
    case 'divmod': {
      if (b.top === 0n)
        raise('ZeroDivisionError', operator === '%' ? 'integer modulo by zero' : 'integer division or modulo by zero')
      const q = floorOf(a.top * b.bottom, a.bottom * b.top)
      if (operator === '//') return normal(q)
      const r = fraction(a.top * b.bottom - q * b.top * a.bottom, a.bottom * b.bottom)
      return operator === '%' ? r : [TUPLE, normal(q), r]
    }
    case '**':
      return b.bottom === 1n ? exactPower(a, b.top) : power(float(nearestFloat(a)), float(nearestFloat(b)))
    default:
      return undefined
  }
}

function inFloats(operator: string, a: number, b: number): Value | undefined {
  if ((operator === '/' || operator === '//' || operator === '%') && b === 0)
    raise('ZeroDivisionError', 'float division by zero')
  switch (operator) {
    case '+':
      return float(a + b)
    case '-':
      return float(a - b)
    case '*':
      return float(a * b)
    case '/':
      return float(a / b)
    case '//':
      return floorDiv(float(a), float(b))
    case '%':
      return mod(float(a), float(b))
    case 'divmod':
      return [TUPLE, floorDiv(float(a), float(b)), mod(float(a), float(b))]
    case '**':
      return power(float(a), float(b))
    default:
      return undefined
  }
}

/** The nearest integer, or the nearest multiple of a power of ten, with ties to even. */
function rounded(f: Fraction, digits: Value): Value {
  const by = (top: bigint, bottom: bigint): bigint => (top < 0n ? -nearest(-top, bottom) : nearest(top, bottom))
  if (digits === null) return normal(by(f.$top, f.$bottom))
  const n = toNumber(digits as Int)
  const shift = 10n ** BigInt(Math.abs(n))
  return n > 0 ? fraction(by(f.$top * shift, f.$bottom), shift) : fraction(by(f.$top, f.$bottom * shift) * shift, 1n)
}

function binary(operator: string, x: object, other: Value, reflected: boolean): Value | undefined {
  const f = x as Fraction
  if (operator === 'round') return rounded(f, other)
  const a: Rational = { top: f.$top, bottom: f.$bottom }
  const b = rationalOf(other)
  if (b !== undefined) return reflected ? exact(operator, b, a) : exact(operator, a, b)
  const v = floatValue(other)
  if (v === undefined) return undefined
  return reflected ? inFloats(operator, v, nearestFloat(a)) : inFloats(operator, nearestFloat(a), v)
}

function difference(f: Fraction, other: Value): number | undefined {
  const v = floatValue(other)
  if (v !== undefined && !Number.isFinite(v)) return Number.isNaN(v) ? v : v > 0 ? -1 : 1
  const b = rationalOf(other) ?? (v === undefined ? undefined : exactly(v))
  if (b === undefined) return undefined
  const d = f.$top * b.bottom - b.top * f.$bottom
  return d < 0n ? -1 : d > 0n ? 1 : 0
}

const protocol: Protocol = {
  classValue: () => cls.$value,
  truth: (x) => (x as Fraction).$top !== 0n,
  binary,
  unary(operator, x) {
    const { $top, $bottom } = x as Fraction
    switch (operator) {
      case '-':
        return fraction(-$top, $bottom)
      case '+':
        return x
      case 'abs':
        return fraction($top < 0n ? -$top : $top, $bottom)
      case 'int':
      case 'trunc':
        return normal($top / $bottom)
      case 'float':
        return float(nearestFloat({ top: $top, bottom: $bottom }))
      case 'floor':
        return normal(floorOf($top, $bottom))
      case 'ceil':
        return normal(-floorOf(-$top, $bottom))
      default:
        return undefined
    }
  },
  equals: (x, other) => {
    const d = difference(x as Fraction, other)
    return d === undefined ? undefined : d === 0
  },
  order: (x, other, operator) => {
    const d = difference(x as Fraction, other)
    return d === undefined ? undefined : answer(d, operator)
  },
  hashKey: (x) => rationalKey({ top: (x as Fraction).$top, bottom: (x as Fraction).$bottom }),
  hash: (x) => hashOfFraction((x as Fraction).$top, (x as Fraction).$bottom),
  getAttribute(x, name) {
    if (name === 'numerator') return normal((x as Fraction).$top)
    if (name === 'denominator') return normal((x as Fraction).$bottom)
    if (name === 'real') return x
    return name === 'imag' ? 0 : boundMethod(x, name)
  },
  str: (x) =>
    (x as Fraction).$bottom === 1n ? `${(x as Fraction).$top}` : `${(x as Fraction).$top}/${(x as Fraction).$bottom}`,
  repr: (x) => `Fraction(${(x as Fraction).$top}, ${(x as Fraction).$bottom})`,
}

Object.defineProperty(Fraction.prototype, PROTOCOL, { value: protocol })
nameClass((x) => x instanceof Fraction, 'Fraction')

method('Fraction', Fraction.prototype, 'as_integer_ratio', '', function (this: Fraction) {
  return [TUPLE, normal(this.$top), normal(this.$bottom)]
} as never)
method('Fraction', Fraction.prototype, 'limit_denominator', 'max_denominator=', function (
  this: Fraction,
  most0?: Value,
) {
  const limit = unbool(contentOf(most0) ?? most0 ?? 1_000_000)
  if (!isInt(limit)) return typeError(said`max_denominator must be an int, not ${typeOf(limit)}`)
  const most = big(limit)
  if (most < 1n) valueError('max_denominator should be at least 1')
  return limited(this, most)
} as never)
/** `Fraction.from_float` and `from_decimal`. Each takes ints and numbers of one other type. */
function madeFrom(name: string, isTaken: (x: Value) => boolean): Value {
  return builtin(name, 'x', (x0) => {
    const x = unbool(contentOf(x0) ?? x0!)
    if (!isInt(x) && !isTaken(x))
      typeError(said`Fraction.${word(name)}() does not take ${quoted(x0!)} (${typeOf(x0!)})`)
    return new Fraction(exactRational(x))
  })
}
cls.$members.from_float = madeFrom('from_float', isFloat)
cls.$members.from_decimal = madeFrom('from_decimal', (x) => typeName(x) === 'decimal.Decimal')

/** The nearest fraction with a denominator of at most `most`, by the continued fraction. */
function limited(f: Fraction, most: bigint): Fraction {
  if (f.$bottom <= most) return f
  let [p0, q0, p1, q1] = [0n, 1n, 1n, 0n]
  let [n, d] = [f.$top, f.$bottom]
  for (;;) {
    const a = floorOf(n, d)
    const q2 = q0 + a * q1
    if (q2 > most) break
    ;[p0, q0, p1, q1] = [p1, q1, p0 + a * p1, q2]
    ;[n, d] = [d, n - a * d]
  }
  const k = (most - q0) / q1
  const bound1 = fraction(p0 + k * p1, q0 + k * q1)
  const bound2 = fraction(p1, q1)
  const distance = (b: Fraction): Rational => {
    const top = b.$top * f.$bottom - f.$top * b.$bottom
    return { top: top < 0n ? -top : top, bottom: b.$bottom * f.$bottom }
  }
  const [d1, d2] = [distance(bound1), distance(bound2)]
  return d2.top * d1.bottom <= d1.top * d2.bottom ? bound2 : bound1
}

export const fractions: Module = module('fractions', { Fraction: value })
