// `statistics.NormalDist`: a normal distribution as a value that adds, scales and answers questions. It draws no
// samples.

import { builtin, call, type Native } from '../calls/signature.js'
import { asMethod, attachClass, Class, setMember } from '../classes/classes.js'
import { classCallable, construct } from '../classes/construct.js'
import { ClassMethod } from '../classes/descriptors.js'
import { NOT_IMPLEMENTED, settleClass } from '../classes/instances.js'
import { objectClass } from '../classes/known-classes.js'
import { fieldsOf } from '../classes/object-attributes.js'
import { hash } from '../containers/hashing.js'
import { items } from '../containers/iterate.js'
import { log } from '../numbers/precise-functions.js'
import { realOf } from '../operators/operands.js'
import { repr } from '../text/repr.js'
import { contentOf } from '../values/contents.js'
import { guestError } from '../values/errors.js'
import { type Literal, type Said, said } from '../values/said.js'
import { float, floatValue, isInt, tuple, typeName, typeOf, unbool, type Value } from '../values/values.js'
import { erf, erfc } from './math-functions.js'

interface Normal {
  readonly mu: number
  readonly sigma: number
}

function failure<M extends string>(message: Said | Literal<M>): never {
  throw guestError('StatisticsError', message)
}

function real(x0: Value | undefined, otherwise: number): number {
  if (x0 === undefined) return otherwise
  const v = realOf(x0)
  if (v === undefined) throw guestError('TypeError', said`must be real number, not ${typeOf(x0)}`)
  return v
}

/** A polynomial's value, the highest power's factor first. */
const polynomial = (factors: readonly number[], x: number): number => factors.reduce((sum, f) => sum * x + f, 0)

/** Wichura's rational approximations (AS 241): near the middle, on the flanks, and far out. */
const middle = {
  top: [
    2509.0809287301227, 33430.57558358813, 67265.7709270087, 45921.95393154987, 13731.69376550946, 1971.5909503065513,
    133.14166789178438, 3.3871328727963665,
  ],
  bottom: [
    5226.495278852854, 28729.085735721943, 39307.89580009271, 21213.794301586597, 5394.196021424751, 687.1870074920579,
    42.31333070160091, 1,
  ],
}
const flank = {
  top: [
    0.0007745450142783414, 0.022723844989269184, 0.2417807251774506, 1.2704582524523684, 3.6478483247632045,
    5.769497221460691, 4.630337846156546, 1.4234371107496835,
  ],
  bottom: [
    1.0507500716444169e-9, 0.0005475938084995345, 0.015198666563616457, 0.14810397642748008, 0.6897673349851,
    1.6763848301838038, 2.053191626637759, 1,
  ],
}
const far = {
  top: [
    2.0103343992922881e-7, 2.7115555687434876e-5, 0.0012426609473880784, 0.026532189526576124, 0.29656057182850487,
    1.7848265399172913, 5.463784911164114, 6.657904643501103,
  ],
  bottom: [
    2.0442631033899397e-15, 1.421511758316446e-7, 1.8463183175100548e-5, 0.0007868691311456133, 0.014875361290850615,
    0.1369298809227358, 0.599832206555888, 1,
  ],
}

function inverse({ mu, sigma }: Normal, p: number): number {
  const q = p - 0.5
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q
    return mu + ((polynomial(middle.top, r) * q) / polynomial(middle.bottom, r)) * sigma
  }
  const r = Math.sqrt(-log(q <= 0 ? p : 1 - p))
  const part = r <= 5 ? flank : far
  const at = r - (r <= 5 ? 1.6 : 5)
  const x = polynomial(part.top, at) / polynomial(part.bottom, at)
  return mu + (q < 0 ? -x : x) * sigma
}

function below({ mu, sigma }: Normal, x: number): number {
  if (sigma === 0) failure('cdf() not defined when sigma is zero')
  return 0.5 * (1 + erf((x - mu) / (sigma * Math.SQRT2)))
}

function density({ mu, sigma }: Normal, x: number): number {
  const variance = sigma * sigma
  if (variance === 0) failure('pdf() not defined when sigma is zero')
  const difference = x - mu
  return Math.exp((difference * difference) / (-2 * variance)) / Math.sqrt(2 * Math.PI * variance)
}

function overlap(a: Normal, b: Normal): number {
  const [x, y] = b.sigma < a.sigma || (b.sigma === a.sigma && b.mu < a.mu) ? [b, a] : [a, b]
  const [xv, yv] = [x.sigma * x.sigma, y.sigma * y.sigma]
  if (xv === 0 || yv === 0) failure('overlap() not defined when sigma is zero')
  const dv = yv - xv
  const dm = Math.abs(y.mu - x.mu)
  if (dv === 0) return erfc(dm / (2 * x.sigma * Math.SQRT2))
  const centre = x.mu * yv - y.mu * xv
  const width = x.sigma * y.sigma * Math.sqrt(dm * dm + dv * log(yv / xv))
  const [left, right] = [(centre + width) / dv, (centre - width) / dv]
  return 1 - (Math.abs(below(y, left) - below(x, left)) + Math.abs(below(y, right) - below(x, right)))
}

// ---- the class -------------------------------------------------------------------------------------------------

const normals = new WeakMap<object, Normal>()
const of = (x: Value | undefined): Normal => normals.get(x as object)!
const isNormal = (x: Value | undefined): boolean => typeof x === 'object' && x !== null && normals.has(x)

const cls = new Class('NormalDist', 'builtin', [objectClass])
attachClass(classCallable(cls), cls)
Object.assign(cls.$extras, { inheritable: true, module: 'statistics' })
const define = (name: string, parameters: string, f: Native): void =>
  setMember(cls, name, asMethod(builtin(name, parameters, f)))
const make = (mu: number, sigma: number): Value => construct(cls, [float(mu), float(sigma)], undefined)

define('__init__', 'self, mu=, sigma=', (self, m, s) => {
  const mu = real(m, 0)
  const sigma = real(s, 1)
  if (sigma < 0) failure('sigma must be non-negative')
  normals.set(self as object, { mu, sigma })
  Object.assign(fieldsOf(self!), {
    mean: float(mu),
    median: float(mu),
    mode: float(mu),
    stdev: float(sigma),
    variance: float(sigma * sigma),
  })
  return null
})
define('pdf', 'self, x', (self, x) => float(density(of(self), real(x, 0))))
define('cdf', 'self, x', (self, x) => float(below(of(self), real(x, 0))))
define('inv_cdf', 'self, p', (self, p0) => {
  const p = real(p0, 0)
  if (p <= 0 || p >= 1) failure('p must be in the range 0.0 < p < 1.0')
  return float(inverse(of(self), p))
})
define('quantiles', 'self, n=', (self, n0) => {
  const n = real(n0, 4)
  return Array.from({ length: n - 1 }, (_, i) => float(inverse(of(self), (i + 1) / n)))
})
define('zscore', 'self, x', (self, x) => {
  const { mu, sigma } = of(self)
  if (sigma === 0) failure('zscore() not defined when sigma is zero')
  return float((real(x, 0) - mu) / sigma)
})
define('overlap', 'self, other', (self, other) => {
  if (!isNormal(other)) throw guestError('TypeError', 'Expected another NormalDist instance')
  return float(overlap(of(self), of(other)))
})

const isNumber = (x: Value | undefined): boolean => {
  const v = unbool(contentOf(x) ?? x!)
  return isInt(v) || floatValue(v) !== undefined || typeName(v) === 'Fraction'
}

const plus = (self: Value | undefined, other: Value | undefined, direction: 1 | -1): Value => {
  const a = of(self)
  if (isNormal(other)) return make(a.mu + direction * of(other).mu, Math.hypot(a.sigma, of(other).sigma))
  return isNumber(other) ? make(a.mu + direction * real(other, 0), a.sigma) : (NOT_IMPLEMENTED as Value)
}
const scaled = (self: Value | undefined, other: Value | undefined, scale: (x: number, by: number) => number): Value => {
  const a = of(self)
  if (!isNumber(other)) return NOT_IMPLEMENTED as Value
  const by = real(other, 1)
  if (by === 0 && scale(1, 0) !== 0) throw guestError('ZeroDivisionError', 'float division by zero')
  return make(scale(a.mu, by), scale(a.sigma, Math.abs(by)))
}
const times = (x: number, by: number): number => x * by
define('__add__', 'self, other', (self, other) => plus(self, other, 1))
define('__radd__', 'self, other', (self, other) => plus(self, other, 1))
define('__sub__', 'self, other', (self, other) => plus(self, other, -1))
define('__rsub__', 'self, other', (self, other) =>
  isNumber(other) ? make(real(other, 0) - of(self).mu, of(self).sigma) : (NOT_IMPLEMENTED as Value),
)
define('__mul__', 'self, other', (self, other) => scaled(self, other, times))
define('__rmul__', 'self, other', (self, other) => scaled(self, other, times))
define('__truediv__', 'self, other', (self, other) => scaled(self, other, (x, by) => x / by))
define('__pos__', 'self', (self) => make(of(self).mu, of(self).sigma))
define('__neg__', 'self', (self) => make(-of(self).mu, of(self).sigma))
define('__eq__', 'self, other', (self, other) =>
  isNormal(other) ? of(self).mu === of(other).mu && of(self).sigma === of(other).sigma : (NOT_IMPLEMENTED as Value),
)
define('__hash__', 'self', (self) => {
  const { mu, sigma } = of(self)
  return hash(tuple([float(mu), float(sigma)]))
})
define('__repr__', 'self', (self) => {
  const { mu, sigma } = of(self)
  return `NormalDist(mu=${repr(float(mu))}, sigma=${repr(float(sigma))})`
})

/** The class, which takes samples apart by the functions that are given: the mean of floats and their deviation. */
export function normalDist(mean: Value, stdev: Value): Value {
  setMember(
    cls,
    'from_samples',
    new ClassMethod(
      asMethod(
        builtin('from_samples', 'cls, data', (made, data) => {
          const all = items(data!)
          return call(made!, [call(mean, [all as Value]), call(stdev, [all as Value])])
        }),
      ),
    ) as Value,
  )
  settleClass(cls)
  return cls.$value
}
