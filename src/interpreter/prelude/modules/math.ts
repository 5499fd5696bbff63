// The module `math`. In strict mode it is that of starlark-go, which returns NaN if there is no result. In the default
// dialect it is Python's, which raises.

import { asIndex, wrongType } from '../calls/expect.js'
import { builtin } from '../calls/signature.js'
import { items } from '../containers/iterate.js'
import { bitLength, integerRoot } from '../numbers/integers.js'
import * as precise from '../numbers/precise-functions.js'
import { truncate } from '../numbers/rounding.js'
import { mul } from '../operators/arithmetic.js'
import { realOf } from '../operators/operands.js'
import { contentOf } from '../values/contents.js'
import { guestError, raise, typeError, valueError } from '../values/errors.js'
import { python } from '../values/mode.js'
import { protocolOf } from '../values/protocol.js'
import { asName, said } from '../values/said.js'
import {
  Big,
  big,
  float,
  floatValue,
  isInt,
  normal,
  sign,
  TUPLE,
  type Tuple,
  typeOf,
  unbool,
  type Value,
} from '../values/values.js'
import * as functions from './math-functions.js'
import { type Module, module } from './module.js'

const members: Record<string, Value> = {}

/** An argument as a JavaScript number. */
function real(x0: Value | undefined, fn: string, parameter = 'x'): number {
  const x = realOf(x0!)
  if (x !== undefined) return x
  throw wrongType(fn, parameter, x0!, 'float or int', said`must be real number, not ${typeOf(x0!)}`)
}

/** Checks a result as Python does. An infinity from finite arguments is a range error, a NaN a domain error. */
function checked(r: number, finite: boolean, notANumber: boolean): Value {
  if (python && Number.isNaN(r) && !notANumber) valueError('math domain error')
  if (python && (r === Infinity || r === -Infinity) && finite) raise('OverflowError', 'math range error')
  return float(r)
}

function define1(name: string, f: (x: number) => number): void {
  members[name] = builtin(name, 'x, /', (x) => {
    const v = real(x, name)
    return checked(f(v), Number.isFinite(v), Number.isNaN(v))
  })
}

function define2(name: string, f: (x: number, y: number) => number): void {
  members[name] = builtin(name, 'x, y, /', (x, y) => {
    const v = real(x, name, 'x')
    const w = real(y, name, 'y')
    return checked(f(v, w), Number.isFinite(v) && Number.isFinite(w), Number.isNaN(v) || Number.isNaN(w))
  })
}

function toInteger(name: string, f: (x: number) => number): void {
  members[name] = builtin(name, 'x, /', (x0) => {
    const x = unbool(x0!)
    if (isInt(x)) return x
    const own = protocolOf(x)?.unary?.(name, x as object)
    if (own !== undefined) return own
    const v = name === 'trunc' ? floatValue(x) : real(x0, name)
    if (v === undefined) return typeError(said`type ${typeOf(x0!)} doesn't define __trunc__ method`)
    return truncate(Number.isFinite(v) ? f(v) : v)
  })
}

const { PI } = Math
members.e = Math.E
members.pi = PI
toInteger('ceil', Math.ceil)
toInteger('floor', Math.floor)
define1('fabs', Math.abs)
define1('exp', Math.exp)
define1('sqrt', Math.sqrt)
define1('acos', precise.acos)
define1('asin', precise.asin)
define1('atan', precise.atan)
define1('cos', precise.cos)
define1('sin', precise.sin)
define1('tan', precise.tan)
define1('acosh', (x) => (x < 1 ? Number.NaN : Math.acosh(x)))
define1('asinh', Math.asinh)
define1('cosh', Math.cosh)
define1('sinh', Math.sinh)
define1('tanh', Math.tanh)
define1('degrees', (x) => x * (180 / PI))
define1('radians', (x) => x * (PI / 180))
define2('copysign', (x, y) => (y < 0 || Object.is(y, -0) ? -Math.abs(x) : Math.abs(x)))
define2('atan2', precise.atan2)
define2('remainder', functions.ieeeRemainder)

function logarithm(x: Value, fn: string): number {
  const n = unbool(x)
  if (!(n instanceof Big) || n.n <= 0n) return precise.log(real(x, fn))
  const shift = Math.max(0, bitLength(n.n) - 1000)
  return Math.log(Number(n.n >> BigInt(shift))) + shift * Math.LN2
}

function defineStarlark(): void {
  define2('mod', (x, y) => x % y)
  define2('pow', precise.power)
  define2('hypot', hypotenuse)
  define1('atanh', Math.atanh)
  define1('gamma', functions.gamma)
  define1('round', (x) =>
    Number.isFinite(x) ? Math.sign(x) * Math.floor(Math.abs(x) + (Math.abs(x) === 0.49999999999999994 ? 0 : 0.5)) : x,
  )
  members.log = builtin('log', 'x, base=, /', (x, base) => {
    const top = logarithm(x!, 'log')
    if (base === undefined) return float(top)
    if (real(base, 'log', 'base') === 1) valueError('log: division by zero')
    return float(top / logarithm(base, 'log'))
  })
}

function hypotenuse(x: number, y: number): number {
  if (!Number.isFinite(x) || !Number.isFinite(y))
    return Math.abs(x) === Infinity || Math.abs(y) === Infinity ? Infinity : Number.NaN
  return Math.hypot(x, y)
}

// ---- Python ----------------------------------------------------------------------------------------------------

function integer(x0: Value | undefined): bigint {
  const x = unbool(asIndex(x0!))
  return isInt(x) ? big(x) : typeError(said`'${typeOf(x0!)}' object cannot be interpreted as an integer`)
}

function notNegative(x: bigint, fn: string): bigint {
  return x < 0n ? valueError(said`${asName(fn)}() not defined for negative values`) : x
}

function definePython(): void {
  members.tau = 2 * PI
  members.inf = Infinity
  members.nan = Number.NaN
  defineLogarithms()
  defineReals()
  defineTests()
  defineParts()
  defineIntegers()
  defineOverMany()
}

function defineLogarithms(): void {
  const guarded = (name: string, f: (x: Value) => number): void => {
    members[name] = builtin(name, 'x, /', (x) => {
      const v = unbool(x!)
      if (isInt(v) ? sign(v) <= 0 : real(x, name) <= 0) valueError('math domain error')
      return float(f(x!))
    })
  }
  guarded('log2', (x) => logBase(x, 'log2', Math.log2, Math.LN2))
  guarded('log10', (x) => logBase(x, 'log10', precise.log10, Math.LN10))
  members.log = builtin('log', 'x, base=, /', (x, base) => {
    const part = (n: Value): number => {
      const v = unbool(n)
      if (isInt(v) ? sign(v) <= 0 : real(n, 'log') <= 0) valueError('math domain error')
      return logarithm(n, 'log')
    }
    const top = part(x!)
    if (base === undefined) return float(top)
    const bottom = part(base)
    if (bottom === 0) raise('ZeroDivisionError', 'float division by zero')
    return float(top / bottom)
  })
  define1('log1p', (x) => (x === -1 ? Number.NaN : Math.log1p(x)))
}

function logBase(x: Value, fn: string, f: (v: number) => number, natural: number): number {
  const n = unbool(x)
  if (!(n instanceof Big)) return f(real(x, fn))
  const v = Number(n.n)
  return Number.isFinite(v) ? f(v) : logarithm(n, fn) / natural
}

function defineReals(): void {
  toInteger('trunc', Math.trunc)
  define1('expm1', Math.expm1)
  define1('exp2', (x) => precise.power(2, x))
  define1('cbrt', Math.cbrt)
  define1('atanh', (x) => (Math.abs(x) >= 1 ? Number.NaN : Math.atanh(x)))
  define1('erf', functions.erf)
  define1('erfc', functions.erfc)
  define1('gamma', (x) => (x === 0 ? Number.NaN : functions.gamma(x)))
  define1('lgamma', (x) => {
    if (x <= 0 && Number.isInteger(x)) valueError('math domain error')
    return functions.logGamma(x)
  })
  define2('fmod', (x, y) => x % y)
  define2('nextafter', functions.nextAfter)
  define1('ulp', (x) => {
    if (Number.isNaN(x)) return x
    const size = Math.abs(x)
    const next = functions.nextAfter(size, Infinity)
    // The greatest float has no neighbour above it.
    return next === Infinity && size !== Infinity
      ? size - functions.nextAfter(size, 0)
      : next === Infinity
        ? next
        : next - size
  })
  members.pow = builtin('pow', 'x, y, /', (x, y) => {
    const v = real(x, 'pow')
    const w = real(y, 'pow', 'y')
    if (v === 0 && w < 0) valueError('math domain error')
    return checked(precise.power(v, w), Number.isFinite(v) && Number.isFinite(w), Number.isNaN(v) || Number.isNaN(w))
  })
}

function defineTests(): void {
  members.isnan = builtin('isnan', 'x, /', (x) => Number.isNaN(real(x, 'isnan')))
  members.isinf = builtin('isinf', 'x, /', (x) => Math.abs(real(x, 'isinf')) === Infinity)
  members.isfinite = builtin('isfinite', 'x, /', (x) => Number.isFinite(real(x, 'isfinite')))
  members.isclose = builtin('isclose', 'a, b, *, rel_tol=, abs_tol=', (a, b, relative, absolute) => {
    const [x, y] = [real(a, 'isclose', 'a'), real(b, 'isclose', 'b')]
    const r = relative === undefined ? 1e-9 : real(relative, 'isclose')
    const t = absolute === undefined ? 0 : real(absolute, 'isclose')
    if (r < 0 || t < 0) valueError('tolerances must be non-negative')
    if (x === y) return true
    const d = Math.abs(x - y)
    return Number.isFinite(d) && (d <= Math.abs(r * y) || d <= Math.abs(r * x) || d <= t)
  })
}

function defineParts(): void {
  members.modf = builtin('modf', 'x, /', (x) => {
    const v = real(x, 'modf')
    const whole = Math.trunc(v)
    const rest = Number.isFinite(v) ? v - whole : Number.isNaN(v) ? v : 0
    return [TUPLE, float(rest === 0 && (v < 0 || Object.is(v, -0)) ? -0 : rest), float(whole)]
  })
  members.frexp = builtin('frexp', 'x, /', (x) => {
    const [m, e] = functions.frexp(real(x, 'frexp'))
    return [TUPLE, float(m), e]
  })
  members.ldexp = builtin('ldexp', 'x, i, /', (x, i) => {
    const v = real(x, 'ldexp')
    const by = unbool(contentOf(i) ?? i!)
    if (!isInt(by)) return typeError('Expected an int as second argument to ldexp.')
    if (v === 0 || !Number.isFinite(v)) return float(v)
    const n = by instanceof Big ? Number(by.n) : by
    return checked(functions.ldexp(v, Math.max(-5000, Math.min(5000, n))), true, false)
  })
}

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b]
  while (y !== 0n) [x, y] = [y, x % y]
  return x
}

/** from × (from + 1) × … × to. The range is split in halves, so that factors have similar sizes. */
function product(from: bigint, to: bigint): bigint {
  if (to < from) return 1n
  if (to - from < 8n) {
    let p = from
    for (let i = from + 1n; i <= to; i++) p *= i
    return p
  }
  const middle = (from + to) / 2n
  return product(from, middle) * product(middle + 1n, to)
}

function defineIntegers(): void {
  members.factorial = builtin('factorial', 'x, /', (x) => {
    if (floatValue(x!) !== undefined) typeError(`'float' object cannot be interpreted as an integer`)
    const n = notNegative(integer(x), 'factorial')
    if (n > 100_000n) raise('OverflowError', 'factorial() argument is too large here (more than 100000)')
    return normal(product(1n, n))
  })
  members.gcd = builtin('gcd', '*integers', (all) => normal((all as Tuple).slice(1).map(integer).reduce(gcd, 0n)))
  members.lcm = builtin('lcm', '*integers', (all) =>
    normal(
      (all as Tuple)
        .slice(1)
        .map(integer)
        .reduce((a, b) => (a === 0n || b === 0n ? 0n : (a / gcd(a, b)) * (b < 0n ? -b : b)), 1n),
    ),
  )
  members.isqrt = builtin('isqrt', 'n, /', (n) => {
    const v = integer(n)
    return v < 0n ? valueError('isqrt() argument must be nonnegative') : normal(integerRoot(v))
  })
  members.comb = builtin('comb', 'n, k, /', (n0, k0) => {
    const n = integer(n0)
    let k = integer(k0)
    if (n < 0n) valueError('n must be a non-negative integer')
    if (k < 0n) valueError('k must be a non-negative integer')
    if (k > n) return 0
    if (k > n - k) k = n - k
    return normal(product(n - k + 1n, n) / product(1n, k))
  })
  members.perm = builtin('perm', 'n, k=, /', (n0, k0) => {
    const n = integer(n0)
    const k = k0 === undefined || k0 === null ? n : integer(k0)
    if (n < 0n)
      valueError(
        k0 === undefined || k0 === null
          ? 'factorial() not defined for negative values'
          : 'n must be a non-negative integer',
      )
    if (k < 0n) valueError('k must be a non-negative integer')
    return k > n ? 0 : normal(product(n - k + 1n, n))
  })
}

function defineOverMany(): void {
  members.fsum = builtin('fsum', 'seq, /', (seq) => {
    const all = items(seq!).map((x) => real(x, 'fsum'))
    const r = functions.exactSum(all)
    if (Number.isNaN(r) && !all.some((x) => Number.isNaN(x))) valueError('-inf + inf in fsum')
    if (!Number.isFinite(r) && all.every(Number.isFinite)) raise('OverflowError', 'intermediate overflow in fsum')
    return float(r)
  })
  members.prod = builtin('prod', 'iterable, /, *, start=', (iterable, start) => {
    let p: Value = start === undefined ? 1 : start
    for (const x of items(iterable!)) p = mul(p, x)
    return p
  })
  members.hypot = builtin('hypot', '*coordinates', (all) => {
    const parts = (all as Tuple).slice(1).map((x) => real(x, 'hypot'))
    return float(parts.some((x) => Math.abs(x) === Infinity) ? Infinity : length(parts))
  })
  members.dist = builtin('dist', 'p, q, /', (p, q) => {
    const a = items(p!).map((x) => real(x, 'dist'))
    const b = items(q!).map((x) => real(x, 'dist'))
    if (a.length !== b.length) valueError('both points must have the same number of dimensions')
    const parts = a.map((x, i) => x - b[i]!)
    return float(parts.some((x) => Math.abs(x) === Infinity) ? Infinity : length(parts))
  })
  members.sumprod = builtin('sumprod', 'p, q, /', (p, q) => {
    const a = items(p!)
    const b = items(q!)
    if (a.length !== b.length) throw guestError('ValueError', 'Inputs are not the same length')
    if (a.every((x) => isInt(unbool(x))) && b.every((x) => isInt(unbool(x)))) {
      return normal(a.reduce((sum: bigint, x, i) => sum + integer(x) * integer(b[i]!), 0n))
    }
    return float(functions.exactSum(a.map((x, i) => real(x, 'sumprod') * real(b[i]!, 'sumprod'))))
  })
}

/** The length of a vector, from exact squares if floats can hold them. */
function length(parts: readonly number[]): number {
  let most = 0
  for (const x of parts) {
    if (Number.isNaN(x)) return x
    if (Math.abs(x) > most) most = Math.abs(x)
  }
  if (most === 0) return 0
  if (parts.every((x) => Number.isInteger(x) && Math.abs(x) < 2 ** 25))
    return Math.sqrt(parts.reduce((sum, x) => sum + x * x, 0))
  return corrected(parts, most)
}

/** Scales by a power of two, adds squares exactly, and improves the root by one step of Newton's method. */
function corrected(parts: readonly number[], most: number): number {
  const [, exponent] = functions.frexp(most)
  const scaled = parts.map((x) => functions.ldexp(x, -exponent))
  const terms: number[] = []
  for (const x of scaled) {
    const high = Math.fround(x)
    const low = x - high
    terms.push(high * high, 2 * high * low, low * low)
  }
  const root = Math.sqrt(functions.exactSum(terms))
  const high = Math.fround(root)
  const low = root - high
  const rest = functions.exactSum([...terms, -high * high, -2 * high * low, -low * low])
  return functions.ldexp(root + rest / (2 * root), exponent)
}

if (python) definePython()
else defineStarlark()

export const math: Module = module('math', members)
