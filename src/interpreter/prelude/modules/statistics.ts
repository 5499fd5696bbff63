// The module `statistics`. Sums are exact fractions, so results are the floats nearest to the true values, as in
// Python. A mean or variance of ints stays an int if it is whole.

import { wantInt } from '../calls/expect.js'
import { builtin, call, type Native } from '../calls/signature.js'
import { attributeOrAbsent, callAttribute } from '../classes/attributes.js'
import { exceptionClasses } from '../classes/exceptions.js'
import { tupleClass } from '../classes/tuple-class.js'
import { dictFlat, dictGet, dictOf, dictSet } from '../containers/dict.js'
import { items } from '../containers/iterate.js'
import { log } from '../numbers/precise-functions.js'
import { exactly, nearestFloat, nearestRoot, type Rational, reduced, sum } from '../numbers/rationals.js'
import { add, mul, sub, trueDiv } from '../operators/arithmetic.js'
import { equal, less } from '../operators/comparison.js'
import { toDouble } from '../operators/operands.js'
import { sortedArray } from '../operators/ordering.js'
import { quoted } from '../text/repr.js'
import { guestError, typeError } from '../values/errors.js'
import { type Literal, type Said, said, word } from '../values/said.js'
import {
  big,
  float,
  floatValue,
  type Int,
  isInt,
  normal,
  type Tuple,
  typeName,
  typeOf,
  unbool,
  type Value,
} from '../values/values.js'
import { decimalQuotient } from './decimal.js'
import { fractionMaker } from './fractions.js'
import { exactSum } from './math-functions.js'
import { type Module, module } from './module.js'

type Absent = undefined

const members: Record<string, Value> = { StatisticsError: exceptionClasses.StatisticsError! }

function define(name: string, parameters: string, fn: Native): void {
  members[name] = builtin(name, parameters, fn)
}

function failure<M extends string>(message: Said | Literal<M>): never {
  throw guestError('StatisticsError', message)
}

/** Converts a result to the type of the data. If there is a type other than int among the data, it is that one. */
type Give = (r: Rational) => Value

const asFloat: Give = (r) => {
  const v = nearestFloat(r)
  if (!Number.isFinite(v)) throw guestError('OverflowError', 'integer division result too large for a float')
  return float(v)
}
const asInt: Give = (r) => (r.bottom === 1n ? normal(r.top) : asFloat(r))

/** Numbers as exact fractions. A NaN or an infinity among them becomes the result of every sum. */
interface Sample {
  readonly values: readonly Rational[]
  readonly give: Give
  readonly notFinite: number | undefined
}

function sample(x: Value): Sample {
  const values: Rational[] = []
  let give = asInt
  let notFinite: number | undefined
  for (const e0 of items(x)) {
    const e = unbool(e0)
    const f = floatValue(e)
    if (f !== undefined) {
      give = asFloat
      if (Number.isFinite(f)) values.push(exactly(f))
      else {
        notFinite = (notFinite ?? 0) + f
        values.push({ top: 0n, bottom: 1n })
      }
    } else if (isInt(e)) values.push({ top: big(e), bottom: 1n })
    else {
      give = decimalQuotient(e0) ?? fractionMaker(e0) ?? give
      values.push(fraction(e0))
    }
  }
  return { values, give, notFinite }
}

/** A Fraction or a Decimal, as an exact fraction. */
function fraction(x: Value): Rational {
  const pair = typeof x === 'object' ? attributeOrAbsent(x, 'as_integer_ratio') : undefined
  if (pair !== undefined) {
    const [, top, bottom] = call(pair, []) as Tuple
    return { top: big(top as Int), bottom: big(bottom as Int) }
  }
  return typeError(said`can't convert type '${typeOf(x)}' to numerator/denominator`)
}

function total(values: readonly Rational[]): Rational {
  let t: Rational = { top: 0n, bottom: 1n }
  for (const v of values) t = sum(t, v)
  return t
}

function converted(r: Rational, give: Give): Value {
  return give(reduced(r.top, r.bottom))
}

define('mean', 'data', (data) => {
  const s = sample(data!)
  const n = s.values.length
  if (n === 0) failure('mean requires at least one data point')
  if (s.notFinite !== undefined) return float(s.notFinite / n)
  const t = total(s.values)
  return converted({ top: t.top, bottom: t.bottom * BigInt(n) }, s.give)
})

define('fmean', 'data, weights=', (data, weights) => {
  const all = items(data!).map(real)
  if (weights === undefined || weights === null) {
    if (all.length === 0) failure('fmean requires at least one data point')
    return float(exactSum(all) / all.length)
  }
  const w = items(weights).map(real)
  if (w.length !== all.length) failure('data and weights must be the same length')
  const sumOfWeights = exactSum(w)
  if (sumOfWeights === 0) failure('sum of weights must be non-zero')
  return float(exactSum(all.map((x, i) => x * w[i]!)) / sumOfWeights)
})

function real(x0: Value): number {
  const x = unbool(x0)
  const f = floatValue(x)
  if (f !== undefined) return f
  return isInt(x) ? toDouble(x) : nearestFloat(fraction(x0))
}

define('geometric_mean', 'data', (data) => {
  const all = items(data!).map(real)
  if (all.length === 0) failure('geometric mean requires a non-empty dataset containing positive numbers')
  if (all.some((x) => x <= 0)) failure('geometric mean requires a non-empty dataset containing positive numbers')
  return float(Math.exp(exactSum(all.map((x) => log(x))) / all.length))
})

define('harmonic_mean', 'data, weights=', (data, weights) => {
  const all = items(data!)
  if (all.length === 0) failure('harmonic_mean requires at least one data point')
  if (all.some((x) => less(x, 0))) failure('harmonic mean does not support negative values')
  if (all.length === 1 && (weights === undefined || weights === null)) return all[0]!
  const w: readonly Value[] = weights === undefined || weights === null ? all.map(() => 1) : items(weights)
  if (all.some((x) => equal(x, 0))) return 0
  // Each quotient of ints is a float. Their sum is exact.
  const quotients = sample(all.map((x, i) => trueDiv(w[i]!, x)))
  const t = total(quotients.values)
  const weight = total(sample(w as Value[]).values)
  if (quotients.notFinite !== undefined) return float(nearestFloat(weight) / quotients.notFinite)
  return float(nearestFloat(reduced(weight.top * t.bottom, weight.bottom * t.top)))
})

// ---- spread ----------------------------------------------------------------------------------------------------

interface Spread {
  /** The sum of squared distances from the mean. */
  readonly squares: Rational
  readonly count: number
  readonly give: Give
  readonly notFinite: number | undefined
}

function spread(data: Value, center: Value | Absent, least: number, name: string): Spread {
  const hasCenter = center !== undefined && center !== null
  const s = sample(hasCenter ? items(data).map((x) => squared(sub(x, center))) : data)
  const n = s.values.length
  if (n < least) failure(said`${word(name)} requires at least ${least === 1 ? 'one data point' : 'two data points'}`)
  if (hasCenter) return { squares: total(s.values), count: n, give: s.give, notFinite: s.notFinite }
  if (s.notFinite !== undefined) failure(said`${word(name)} of values that are not finite`)
  const t = total(s.values)
  const mean = reduced(t.top, t.bottom * BigInt(n))
  let squares: Rational = { top: 0n, bottom: 1n }
  for (const v of s.values) {
    const d = sum(v, { top: -mean.top, bottom: mean.bottom })
    squares = sum(squares, { top: d.top * d.top, bottom: d.bottom * d.bottom })
  }
  return { squares, count: n, give: s.give, notFinite: undefined }
}

const squared = (d: Value): Value => mul(d, d)

function defineSpread(suffix: string, center: string, least: number): void {
  const over = (s: Spread): Rational => ({ top: s.squares.top, bottom: s.squares.bottom * BigInt(s.count - least + 1) })
  const variance = suffix === 'p' ? 'pvariance' : 'variance'
  const deviation = suffix === 'p' ? 'pstdev' : 'stdev'
  define(variance, `data, ${center}=`, (data, c) => {
    const s = spread(data!, c, least, variance)
    return s.notFinite === undefined ? converted(over(s), s.give) : float(s.notFinite)
  })
  define(deviation, `data, ${center}=`, (data, c) => {
    const s = spread(data!, c, least, deviation)
    if (s.notFinite !== undefined) return float(Math.sqrt(s.notFinite))
    const square = s.give === asInt || s.give === asFloat ? null : converted(over(s), s.give)
    if (typeof square === 'object' && square !== null && typeName(square) === 'decimal.Decimal')
      return callAttribute(square, 'sqrt', [])
    const root = nearestRoot(over(s))
    if (root === Infinity) throw guestError('OverflowError', 'int too large to convert to float')
    return float(root)
  })
}
defineSpread('', 'xbar', 2)
defineSpread('p', 'mu', 1)

// ---- the middle ------------------------------------------------------------------------------------------------

function sorted(data: Value | Absent, name: string): Value[] {
  const all = sortedArray(data!, undefined, false)
  return all.length === 0 ? failure(word(name === '' ? 'no median for empty data' : name)) : all
}

define('median', 'data', (data) => {
  const all = sorted(data, '')
  const n = all.length
  return n % 2 === 1 ? all[n >> 1]! : trueDiv(add(all[n / 2 - 1]!, all[n / 2]!), 2)
})
define('median_low', 'data', (data) => {
  const all = sorted(data, '')
  return all[(all.length - 1) >> 1]!
})
define('median_high', 'data', (data) => {
  const all = sorted(data, '')
  return all[all.length >> 1]!
})
define('median_grouped', 'data, interval=', (data, interval) => {
  const all = sorted(data, '')
  const n = all.length
  const x = all[n >> 1]!
  const before = all.findIndex((e) => equal(e, x))
  const same = all.filter((e) => equal(e, x)).length
  const width = interval === undefined ? 1 : real(interval)
  return float(real(x) - width / 2 + (width * (n / 2 - before)) / same)
})

function counts(data: Value): object {
  const seen = dictOf([])
  for (const x of items(data)) dictSet(seen, x, ((dictGet(seen, x) as number | undefined) ?? 0) + 1)
  return seen
}

define('mode', 'data', (data) => {
  const flat = dictFlat(counts(data!))
  if (flat.length === 0) failure('no mode for empty data')
  let best = 0
  for (let i = 2; i < flat.length; i += 2) if ((flat[i + 1] as number) > (flat[best + 1] as number)) best = i
  return flat[best]!
})
define('multimode', 'data', (data) => {
  const flat = dictFlat(counts(data!))
  let most = 0
  for (let i = 1; i < flat.length; i += 2) most = Math.max(most, flat[i] as number)
  return flat.filter((_, i) => i % 2 === 0 && flat[i + 1] === most)
})

define('quantiles', 'data, *, n=, method=', (data, n0, method) => {
  const n = n0 === undefined ? 4 : wantInt(n0, 'quantiles', 'n')
  if (n < 1) failure('n must be at least 1')
  const all = sortedArray(data!, undefined, false)
  const count = all.length
  if (count < 2) failure('must have at least two data points')
  if (method !== undefined && method !== 'exclusive' && method !== 'inclusive') {
    throw guestError('ValueError', said`Unknown method: ${quoted(method)}`)
  }
  const inclusive = method === 'inclusive'
  const m = inclusive ? count - 1 : count + 1
  const out: Value[] = []
  for (let i = 1; i < n; i++) {
    const at = Math.floor((i * m) / n)
    const j = inclusive ? at : Math.min(Math.max(at, 1), count - 1)
    const delta = i * m - j * n
    const low = inclusive ? all[j]! : all[j - 1]!
    const high = inclusive ? all[j + 1]! : all[j]!
    out.push(
      delta === 0 && inclusive ? trueDiv(mul(low, n), n) : trueDiv(add(mul(low, n - delta), mul(high, delta)), n),
    )
  }
  return out
})

// ---- two variables ---------------------------------------------------------------------------------------------

interface Pairs {
  readonly x: readonly number[]
  readonly y: readonly number[]
  readonly xMean: number
  readonly yMean: number
}

function paired(x0: Value, y0: Value, name: string): Pairs {
  const x = items(x0).map(real)
  const y = items(y0).map(real)
  if (x.length !== y.length) failure(said`${word(name)} requires that both inputs have same number of data points`)
  if (x.length < 2) failure(said`${word(name)} requires at least two data points`)
  return { x, y, xMean: exactSum(x) / x.length, yMean: exactSum(y) / y.length }
}

const products = (p: Pairs): number => exactSum(p.x.map((x, i) => (x - p.xMean) * (p.y[i]! - p.yMean)))
const squaresOf = (all: readonly number[], mean: number): number => exactSum(all.map((x) => (x - mean) ** 2))

define('covariance', 'x, y, /', (x, y) => {
  const p = paired(x!, y!, 'covariance')
  return float(products(p) / (p.x.length - 1))
})
define('correlation', 'x, y, /', (x, y) => {
  const p = paired(x!, y!, 'correlation')
  const scale = Math.sqrt(squaresOf(p.x, p.xMean) * squaresOf(p.y, p.yMean))
  if (scale === 0) failure('at least one of the inputs is constant')
  return float(products(p) / scale)
})

const lineOf = tupleClass('LinearRegression', ['slope', 'intercept'])
define('linear_regression', 'x, y, /, *, proportional=', (x, y, proportional) => {
  const p = paired(x!, y!, 'linear regression')
  if (proportional === true) {
    const slope = exactSum(p.x.map((v, i) => v * p.y[i]!)) / exactSum(p.x.map((v) => v * v))
    return lineOf.make([float(slope), float(0)])
  }
  const squares = squaresOf(p.x, p.xMean)
  if (squares === 0) failure('x is constant')
  const slope = products(p) / squares
  return lineOf.make([float(slope), float(p.yMean - slope * p.xMean)])
})

export const statistics: Module = module('statistics', members)
