// The module `decimal`: decimal numbers and their contexts as values of programs. The folder of this name has the
// numbers and the arithmetic.

import { builtin } from '../calls/signature.js'
import { objectClass } from '../classes/known-classes.js'
import { tupleClass } from '../classes/tuple-class.js'
import { hashOfFraction } from '../containers/hashing.js'
import { items } from '../containers/iterate.js'
import { nearest } from '../numbers/float-text.js'
import { type Rational, rationalKey, reduced } from '../numbers/rationals.js'
import { contentOf } from '../values/contents.js'
import { raise, typeError, valueError } from '../values/errors.js'
import type { Protocol } from '../values/protocol.js'
import { said } from '../values/said.js'
import {
  big,
  float,
  floatValue,
  isInt,
  normal,
  TUPLE,
  toNumber,
  tuple,
  typeOf,
  unbool,
  type Value,
} from '../values/values.js'
import * as arithmetic from './decimal/arithmetic.js'
import {
  configure,
  context,
  contextMethods,
  copyOf,
  DecimalContext,
  MAX_EXPONENT,
  setContext,
  settled,
  signal,
  signalClasses,
  wantRounding,
} from './decimal/context.js'
import { formatDecimal } from './decimal/format.js'
import {
  adjusted,
  compareNumbers,
  DecimalNumber,
  decimalText,
  digitsOf,
  dropDigits,
  finite,
  infinite,
  isZero,
  NAN,
  ofFloat,
  ofInteger,
  type Rounding,
  rationalOf,
  readDecimalNumber,
  rescale,
  roundings,
  stripped,
  tenTo,
  withSign,
} from './decimal/number.js'
import { fractionParts } from './fractions.js'
import { answer, register } from './kinds.js'
import { type Module, module } from './module.js'
import { Thing } from './things.js'

// ---- making ----------------------------------------------------------------------------------------------------

function decimalOf(given: Value): DecimalNumber {
  const x0 = contentOf(given) ?? given
  if (x0 instanceof DecimalNumber) return x0
  if (typeof x0 === 'string') return readDecimalNumber(x0) ?? signal('InvalidOperation', NAN, 'ConversionSyntax')
  if (Array.isArray(x0)) return fromParts(items(x0))
  const x = operand(x0) ?? (floatValue(x0) === undefined ? undefined : ofFloat(floatValue(x0)!))
  return x ?? typeError(said`conversion from ${typeOf(x0)} to Decimal is not supported`)
}

function fromParts(parts: readonly Value[]): DecimalNumber {
  if (parts.length !== 3) return valueError('argument must be a sequence of length 3')
  const [sign, digits, exponent] = parts
  if (sign !== 0 && sign !== 1) return valueError('sign must be an integer with the value 0 or 1')
  const negative = sign === 1
  if (exponent === 'F') return infinite(negative)
  if (exponent === 'n' || exponent === 'N') return NAN
  if (!isInt(exponent!)) return valueError("string argument in the third position must be 'F', 'n' or 'N'")
  const all = items(digits!)
  if (!all.every((d) => typeof d === 'number' && d >= 0 && d <= 9 && Number.isInteger(d)))
    return valueError('coefficient must be a tuple of digits')
  return finite(negative, BigInt(all.join('') || '0'), toNumber(exponent))
}

/** The decimal number of a value that may take part in arithmetic. Undefined for other values. */
function operand(x0: Value): DecimalNumber | undefined {
  if (x0 instanceof DecimalNumber) return x0
  const x = unbool(contentOf(x0) ?? x0)
  return isInt(x) ? ofInteger(big(x)) : undefined
}

function wantOperand(x: Value | undefined): DecimalNumber {
  return operand(x!) ?? typeError(said`conversion from ${typeOf(x!)} to Decimal is not supported`)
}

/** A function from fractions to decimal numbers, if `x` is a decimal: results are then decimals, too. */
export function decimalQuotient(x: Value): ((r: Rational) => Value) | undefined {
  return x instanceof DecimalNumber ? (r) => arithmetic.divided(ofInteger(r.top), ofInteger(r.bottom)) : undefined
}

// ---- operators -------------------------------------------------------------------------------------------------

function binary(operator: string, x: object, other: Value, reflected: boolean): Value | undefined {
  const d = x as DecimalNumber
  if (operator === 'round') return rounded(d, other)
  const o = operand(other)
  if (o === undefined) return undefined
  const [a, b] = reflected ? [o, d] : [d, o]
  switch (operator) {
    case '+':
      return arithmetic.plus(a, b)
    case '-':
      return arithmetic.minus(a, b)
    case '*':
      return arithmetic.times(a, b)
    case '/':
      return arithmetic.divided(a, b)
    case '//':
      return arithmetic.dividedWhole(a, b, '//').quotient
    case '%':
      return arithmetic.dividedWhole(a, b, '%').remainder
    case 'divmod': {
      const { quotient, remainder } = arithmetic.dividedWhole(a, b, 'divmod')
      return [TUPLE, quotient, remainder]
    }
    case '**':
      return arithmetic.power(a, b)
    default:
      return undefined
  }
}

/** `round(x)` is an int, with ties to even. `round(x, n)` has n places. */
function rounded(x: DecimalNumber, digits: Value): Value {
  if (digits === null) return whole(x, 'ROUND_HALF_EVEN')
  if (!isInt(digits)) return typeError('optional arg must be an integer')
  return quantized(x, -toNumber(digits), context().$rounding)
}

function whole(x: DecimalNumber, rounding: Rounding): Value {
  if (x.$kind === 'nan') return valueError('cannot convert NaN to integer')
  if (x.$kind === 'infinite') return raise('OverflowError', 'cannot convert Infinity to integer')
  const size =
    x.$exponent >= 0
      ? x.$coefficient * tenTo(x.$exponent)
      : dropDigits(x.$coefficient, -x.$exponent, x.$negative, rounding)
  return normal(x.$negative ? -size : size)
}

function quantized(x: DecimalNumber, exponent: number, rounding: Rounding): DecimalNumber {
  if (x.$kind === 'nan') return x
  if (x.$kind === 'infinite') return signal('InvalidOperation')
  if (adjusted(x) - exponent + 1 > context().$precision + 1 && !isZero(x)) return signal('InvalidOperation')
  const result = rescale(x, exponent, rounding)
  return digitsOf(result.$coefficient).length > context().$precision || Math.abs(exponent) > MAX_EXPONENT * 2
    ? signal('InvalidOperation')
    : result
}

function asFloat(x: DecimalNumber): number {
  if (x.$kind === 'nan') return Number.NaN
  if (x.$kind === 'infinite') return x.$negative ? -Infinity : Infinity
  return Number(decimalText(x))
}

function unary(operator: string, x0: object): Value | undefined {
  const x = x0 as DecimalNumber
  const positive = (n: DecimalNumber): DecimalNumber =>
    settled(isZero(n) ? withSign(n, context().$rounding === 'ROUND_FLOOR' && n.$negative) : n)
  switch (operator) {
    case '-':
      return positive(x.$kind === 'nan' ? x : withSign(x, !x.$negative))
    case '+':
      return positive(x)
    case 'abs':
      return settled(x.$kind === 'nan' ? x : withSign(x, false))
    case 'int':
    case 'trunc':
      return whole(x, 'ROUND_DOWN')
    case 'float':
      return float(asFloat(x))
    case 'floor':
      return whole(x, 'ROUND_FLOOR')
    case 'ceil':
      return whole(x, 'ROUND_CEILING')
    default:
      return undefined
  }
}

/** The comparison with numbers of every kind, by exact value. */
function difference(x: DecimalNumber, other: Value): number | undefined {
  const v = floatValue(other)
  const o = operand(other) ?? (v === undefined ? undefined : ofFloat(v))
  if (o !== undefined) return compareNumbers(x, o)
  const f = fractionParts(other)
  if (f === undefined || x.$kind !== 'finite') return undefined
  const r = rationalOf(x)
  const d = r.top * f.bottom - f.top * r.bottom
  return d < 0n ? -1 : d > 0n ? 1 : 0
}

const protocol: Protocol = {
  truth: (x) => !isZero(x as DecimalNumber),
  binary,
  unary,
  equals: (x, other) => {
    const d = difference(x as DecimalNumber, other)
    return d === undefined ? undefined : d === 0
  },
  order(x, other, operator) {
    const d = difference(x as DecimalNumber, other)
    if (d === undefined) return undefined
    if (Number.isNaN(d)) signal('InvalidOperation')
    return answer(d, operator)
  },
  hashKey: (x) => keyOf(x as DecimalNumber),
  hash: (x) => {
    const d = x as DecimalNumber
    if (d.$kind !== 'finite') return d.$kind === 'nan' ? 0 : d.$negative ? -314159 : 314159
    const { top, bottom } = rationalOf(d)
    return hashOfFraction(top, bottom)
  },
  str: (x) => decimalText(x as DecimalNumber),
  repr: (x) => `Decimal('${decimalText(x as DecimalNumber)}')`,
  format: (x, spec) => (spec === '' ? decimalText(x as DecimalNumber) : formatDecimal(x as DecimalNumber, spec)),
}

function keyOf(x: DecimalNumber): Value {
  if (x.$kind !== 'finite') return float(asFloat(x))
  const { top, bottom } = rationalOf(x)
  return rationalKey(reduced(top, bottom))
}

const kind = register<DecimalNumber>({
  name: 'Decimal',
  type: 'decimal.Decimal',
  of: DecimalNumber,
  base: objectClass,
  parameters: 'value=, context=',
  make: (value) => (value === undefined ? ofInteger(0n) : decimalOf(value)),
  attributes: { real: (x) => x, imag: () => ofInteger(0n) },
  protocol,
})
kind.onClass(
  'from_float',
  builtin('from_float', 'f, /', (x0) => {
    const x = unbool(contentOf(x0) ?? x0!)
    return isInt(x) || floatValue(x) !== undefined ? decimalOf(x) : typeError('argument must be int or float')
  }),
)

// ---- methods ---------------------------------------------------------------------------------------------------

const roundingOr = (x: Value | undefined): Rounding =>
  x === undefined || x === null ? context().$rounding : wantRounding(x)

kind.method('quantize', 'exp, rounding=, context=', (x, exp, rounding) => {
  const e = wantOperand(exp)
  if (x.$kind === 'infinite' && e.$kind === 'infinite') return x
  if (e.$kind !== 'finite') return e.$kind === 'nan' ? e : signal('InvalidOperation')
  return quantized(x, e.$exponent, roundingOr(rounding))
})
for (const name of ['to_integral_value', 'to_integral', 'to_integral_exact']) {
  kind.method(name, 'rounding=, context=', (x, rounding) =>
    x.$kind !== 'finite' || x.$exponent >= 0 ? x : rescale(x, 0, roundingOr(rounding)),
  )
}

const simple: Readonly<Record<string, (x: DecimalNumber) => Value>> = {
  normalize: (x) => stripped(settled(x)),
  sqrt: arithmetic.squareRoot,
  ln: arithmetic.naturalLogarithm,
  log10: arithmetic.commonLogarithm,
  exp: arithmetic.naturalExponential,
}
for (const [name, f] of Object.entries(simple))
  kind.method(name, 'context=', (x, c) => (c === undefined || c === null ? f(x) : within(wantContext(c), () => f(x))))

const asked: Readonly<Record<string, (x: DecimalNumber) => Value>> = {
  adjusted,
  logb: (x) => (x.$kind === 'finite' && !isZero(x) ? ofInteger(BigInt(adjusted(x))) : signal('DivisionByZero')),
  number_class: (x) =>
    x.$kind === 'nan'
      ? 'NaN'
      : `${x.$negative ? '-' : '+'}${x.$kind === 'infinite' ? 'Infinity' : isZero(x) ? 'Zero' : 'Normal'}`,
  is_zero: isZero,
  is_nan: (x) => x.$kind === 'nan',
  is_qnan: (x) => x.$kind === 'nan',
  is_snan: () => false,
  is_infinite: (x) => x.$kind === 'infinite',
  is_finite: (x) => x.$kind === 'finite',
  is_signed: (x) => x.$negative,
  is_canonical: () => true,
  canonical: (x) => x,
  conjugate: (x) => x,
  copy_abs: (x) => withSign(x, false),
  copy_negate: (x) => withSign(x, !x.$negative),
  to_eng_string: (x) => decimalText(x, true),
  as_integer_ratio: (x) => {
    if (x.$kind === 'nan') return valueError('cannot convert NaN to integer ratio')
    if (x.$kind === 'infinite') return raise('OverflowError', 'cannot convert Infinity to integer ratio')
    const { top, bottom } = rationalOf(x)
    const r = reduced(top, bottom)
    return [TUPLE, normal(r.top), normal(r.bottom)]
  },
  as_tuple: (x) =>
    parts.make([
      x.$negative ? 1 : 0,
      x.$kind === 'finite'
        ? tuple([...digitsOf(x.$coefficient)].map(Number))
        : x.$kind === 'nan'
          ? [TUPLE]
          : [TUPLE, 0],
      x.$kind === 'finite' ? x.$exponent : x.$kind === 'nan' ? 'n' : 'F',
    ]),
}
for (const [name, f] of Object.entries(asked)) kind.method(name, '', (x) => f(x))
const parts = tupleClass('DecimalTuple', ['sign', 'digits', 'exponent'])

const withOther: Readonly<Record<string, (x: DecimalNumber, y: DecimalNumber) => Value>> = {
  compare: (x, y) => {
    const d = compareNumbers(x, y)
    return Number.isNaN(d) ? NAN : ofInteger(BigInt(Math.sign(d)))
  },
  max: (x, y) => settled(compareNumbers(x, y) < 0 ? y : x),
  min: (x, y) => settled(compareNumbers(x, y) > 0 ? y : x),
  copy_sign: (x, y) => withSign(x, y.$negative),
  same_quantum: (x, y) => x.$kind === y.$kind && (x.$kind !== 'finite' || x.$exponent === y.$exponent),
  scaleb: (x, y) => {
    const n = y.$kind === 'finite' && y.$exponent === 0 ? rationalOf(y).top : undefined
    const most = BigInt(2 * (MAX_EXPONENT + context().$precision))
    if (n === undefined || n > most || n < -most) return signal('InvalidOperation')
    return settled(finite(x.$negative, x.$coefficient, x.$exponent + Number(n)))
  },
  remainder_near: (x, y) => {
    if (isZero(y)) return signal('InvalidOperation')
    // The quotient to the nearest integer, ties to even, in exact fractions.
    const [a, b] = [rationalOf(x), rationalOf(y)]
    const [top, bottom] = [a.top * b.bottom, a.bottom * b.top]
    const negative = top < 0n !== bottom < 0n
    const size = nearest(top < 0n ? -top : top, bottom < 0n ? -bottom : bottom)
    return arithmetic.minus(x, arithmetic.times(ofInteger(negative ? -size : size), y))
  },
}
for (const [name, f] of Object.entries(withOther))
  kind.method(name, 'other, context=', (x, other) => f(x, wantOperand(other)))
kind.method('fma', 'other, third, context=', (x, other, third) => {
  const o = wantOperand(other)
  const exact = finite(x.$negative !== o.$negative, x.$coefficient * o.$coefficient, x.$exponent + o.$exponent)
  return arithmetic.plus(exact, wantOperand(third))
})

// ---- contexts --------------------------------------------------------------------------------------------------

/** Runs something in a context. */
function within<T>(c: DecimalContext, f: () => T): T {
  const before = context()
  setContext(c)
  try {
    return f()
  } finally {
    setContext(before)
  }
}

const named: Readonly<Record<string, (a: DecimalNumber, b: DecimalNumber) => Value>> = {
  add: arithmetic.plus,
  subtract: arithmetic.minus,
  multiply: arithmetic.times,
  divide: arithmetic.divided,
  power: arithmetic.power,
  divide_int: (a, b) => arithmetic.dividedWhole(a, b, '//').quotient,
  remainder: (a, b) => arithmetic.dividedWhole(a, b, '%').remainder,
  quantize: (a, b) => quantized(a, b.$exponent, context().$rounding),
  ...withOther,
}
for (const [name, f] of Object.entries(named)) {
  contextMethods[name] = (c) => builtin(name, 'a, b, /', (a, b) => within(c, () => f(wantOperand(a), wantOperand(b))))
}
for (const [name, f] of Object.entries(simple)) {
  contextMethods[name] = (c) => builtin(name, 'a, /', (a) => within(c, () => f(wantOperand(a))))
}
contextMethods.create_decimal = (c) =>
  builtin('create_decimal', 'num=, /', (x) => within(c, () => settled(x === undefined ? ofInteger(0n) : decimalOf(x))))
contextMethods.copy = (c) => builtin('copy', '', () => copyOf(c))
contextMethods.clear_flags = () => builtin('clear_flags', '', () => null)
contextMethods.clear_traps = (c) =>
  builtin('clear_traps', '', () => {
    configure(c, 'traps', [])
    return null
  })

const OPTIONS = ['prec', 'rounding', 'Emin', 'Emax', 'capitals', 'clamp', 'flags', 'traps']
const optional = OPTIONS.map((o) => `${o}=`).join(', ')

function configured(c: DecimalContext, values: readonly (Value | undefined)[]): DecimalContext {
  OPTIONS.forEach((name, i) => {
    const value = values[i]
    if (value !== undefined && value !== null) configure(c, name, value)
  })
  return c
}

function wantContext(x: Value | undefined): DecimalContext {
  return x instanceof DecimalContext ? x : typeError('optional argument must be a context')
}

const newContext = builtin('Context', optional, (...values) => configured(new DecimalContext(), values))

/** `with localcontext(prec=50) as ctx`. */
const localcontext = builtin('localcontext', `ctx=, *, ${optional}`, (given, ...values) => {
  const inside = configured(copyOf(given === undefined || given === null ? context() : wantContext(given)), values)
  let before = context()
  return new Thing('decimal.ContextManager', {
    __enter__: builtin('__enter__', '', () => {
      before = context()
      setContext(inside)
      return inside
    }),
    __exit__: builtin('__exit__', '*args', () => {
      setContext(before)
      return false
    }),
  })
})

export const decimal: Module = module('decimal', {
  Decimal: kind.value,
  Context: newContext,
  DecimalTuple: parts.value,
  getcontext: builtin('getcontext', '', () => context()),
  setcontext: builtin('setcontext', 'context, /', (c) => {
    setContext(copyOf(wantContext(c)))
    return null
  }),
  localcontext,
  DefaultContext: new DecimalContext(),
  BasicContext: configured(new DecimalContext(), [9, 'ROUND_HALF_UP']),
  ExtendedContext: configured(new DecimalContext(), [
    9,
    'ROUND_HALF_EVEN',
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    [],
  ]),
  MAX_PREC: normal(999999999999999999n),
  MAX_EMAX: normal(999999999999999999n),
  MIN_EMIN: normal(-999999999999999999n),
  ...Object.fromEntries(roundings.map((r) => [r, r])),
  ...signalClasses,
})
