// Powers, exponentials, logarithms and circular functions. They are rounded once, from a value with about twice the
// digits of a float. CPython's C library is as exact in all but rare cases. The engine's own functions are sometimes
// off by one in the last digit, and programs print last digits. A Double is the unevaluated sum of two floats, the
// first of which is the rounded sum. Tables hold exact constants, which are computed with integers when the prelude is
// evaluated. Invariant: a Double in a table or a result has a relative error below 2**-64.

type Double = readonly [high: number, low: number]

// ---- exact sums and products -----------------------------------------------------------------------------------

/**
 * The rounding error of the last sum, in a variable because returning an array would cost more than the computation.
 */
let rest = 0

function sum(a: number, b: number): number {
  const s = a + b
  const t = s - a
  rest = a - (s - t) + (b - t)
  return s
}

/** The rounding error of a product. Its size must be far from both ends of the range of floats. */
function productRest(a: number, b: number, product: number): number {
  const c = 134217729 * a
  const d = 134217729 * b
  const aHigh = c - (c - a)
  const bHigh = d - (d - b)
  const aLow = a - aHigh
  const bLow = b - bHigh
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow)
}

// ---- constants -------------------------------------------------------------------------------------------------

const BITS = 160n
const ONE = 1n << BITS

/** A fixed-point number as a sum of floats. Each float except the last has at most the given number of digits. */
function parts(n: bigint, digits: readonly number[]): number[] {
  let left = n
  return digits.map((size) => {
    const length = (left < 0n ? -left : left).toString(2).length
    const cut = BigInt(Math.max(0, length - size))
    const kept = size >= 53 ? left : (left >> cut) << cut
    const value = Number(kept) / 2 ** 160
    left -= BigInt(Number(kept))
    return value
  })
}

function double(n: bigint): Double {
  return parts(n, [53, 53]) as unknown as Double
}

/** The sum of a series of fixed-point terms, up to the first that is zero. */
function series(first: bigint, next: (term: bigint, i: bigint) => bigint): bigint {
  let all = 0n
  let i = 0n
  for (let term = first; term !== 0n; term = next(term, ++i)) all += term
  return all
}

/** The logarithm of a fraction between 1/2 and 2. */
function fixedLog(top: bigint, bottom: bigint): bigint {
  const x = ((top - bottom) * ONE) / (top + bottom)
  const square = (x * x) >> BITS
  let power = x
  let all = 0n
  for (let i = 1n; power !== 0n && power !== -1n; i += 2n) {
    all += power / i
    power = (power * square) >> BITS
  }
  return 2n * all
}

const LN2 = fixedLog(2n, 1n)
const LN10 = 3n * LN2 + fixedLog(10n, 8n)
/** By Machin's formula. */
const PI = 4n * (4n * fixedArctangent(5n) - fixedArctangent(239n))
function fixedArctangent(inverse: bigint): bigint {
  let power = ONE / inverse
  let all = 0n
  for (let i = 1n; power !== 0n; i += 2n) {
    all += i % 4n === 1n ? power / i : -(power / i)
    power /= inverse * inverse
  }
  return all
}
const fixedExp = (x: bigint): bigint => series(ONE, (term, i) => (term * x) / (ONE * i))
const fixedSin = (x: bigint): bigint =>
  series(x, (term, i) => (-((term * x) >> BITS) * x) / (ONE * 2n * i * (2n * i + 1n)))
const fixedCos = (x: bigint): bigint =>
  series(ONE, (term, i) => (-((term * x) >> BITS) * x) / (ONE * (2n * i - 1n) * 2n * i))

const [LN2_HIGH, LN2_LOW] = parts(LN2, [36, 53]) as [number, number]
const [STEP_HIGH, STEP_LOW] = parts(LN2 / 64n, [34, 53]) as [number, number]
const [HALF_PI_1, HALF_PI_2, HALF_PI_3] = parts(PI / 2n, [33, 33, 53]) as [number, number, number]
const INVERSE_LN10 = Number((ONE * ONE) / LN10) / 2 ** 160
const [LOG10_2_HIGH, LOG10_2_LOW] = parts((LN2 * ONE) / LN10, [41, 53]) as [number, number]

/** The logarithms of fractions i/256, from FIRST_LOG on. */
const FIRST_LOG = 180
const logs = Array.from({ length: 184 }, (_, i) => double(fixedLog(BigInt(FIRST_LOG + i), 256n)))
/** 2 to the power of i/64. */
const roots = Array.from({ length: 64 }, (_, i) => double(fixedExp((LN2 * BigInt(i)) / 64n)))
/** Sines and cosines of i/64. */
const sines = Array.from({ length: 52 }, (_, i) => double(fixedSin((ONE * BigInt(i)) / 64n)))
const cosines = Array.from({ length: 52 }, (_, i) => double(fixedCos((ONE * BigInt(i)) / 64n)))

// ---- logarithms ------------------------------------------------------------------------------------------------

const view = new DataView(new ArrayBuffer(8))

/** The logarithm of a positive normal number. */
function logarithm(x: number): Double {
  view.setFloat64(0, x)
  const word = view.getUint32(0)
  let exponent = (word >>> 20) - 1023
  view.setUint32(0, (word & 0xfffff) | 0x3ff00000)
  let m = view.getFloat64(0)
  if (m > 1.4140625) {
    m /= 2
    exponent++
  }
  const place = Math.round(m * 256)
  const base = place / 256
  const [logHigh, logLow] = logs[place - FIRST_LOG]!
  const difference = m - base
  const r = difference / base
  const p = r * base
  const rLow = (difference - p - productRest(r, base, p)) / base
  const square = r * r
  const tail = square * r * (1 / 3 - r * (1 / 4 - r * (1 / 5 - r * (1 / 6 - r * (1 / 7 - r / 8)))))
  const a = sum(exponent * LN2_HIGH, logHigh)
  const aRest = rest
  const b = sum(a, r)
  const bRest = rest
  const c = sum(b, -square / 2)
  const low =
    aRest + bRest + rest + exponent * LN2_LOW + logLow + rLow - r * rLow - productRest(r, r, square) / 2 + tail
  const high = c + low
  return [high, low - (high - c)]
}

function isNormal(x: number): boolean {
  return x >= 2.2250738585072014e-308 && x < Infinity
}

export function log(x: number): number {
  return isNormal(x) && x !== 1 ? logarithm(x)[0] : Math.log(x)
}

/** log10 is rounded in the same steps as in C's library, so more than once. */
export function log10(x: number): number {
  if (!isNormal(x)) return Math.log10(x)
  view.setFloat64(0, x)
  const word = view.getUint32(0)
  const exponent = (word >>> 20) - 1023
  const up = exponent < 0 ? 1 : 0
  view.setUint32(0, (word & 0xfffff) | ((1023 - up) << 20))
  const y = exponent + up
  const z = y * LOG10_2_LOW + INVERSE_LN10 * log(view.getFloat64(0))
  return z + y * LOG10_2_HIGH
}

// ---- powers ----------------------------------------------------------------------------------------------------

/** e to the power of a Double whose size is below 700. */
function exponential(high: number, low: number): number {
  const n = Math.round(high * (64 / Math.LN2))
  const a = sum(high, -n * STEP_HIGH)
  const aRest = rest
  const r = sum(a, -n * STEP_LOW)
  const rLow = rest + aRest + low
  const series = r * r * (0.5 + r * (1 / 6 + r * (1 / 24 + r * (1 / 120 + r * (1 / 720 + r / 5040)))))
  const tail = rLow + r * rLow + series
  const exponent = Math.floor(n / 64)
  const [root, rootLow] = roots[n - exponent * 64]!
  const p = root * r
  const s = sum(root, p)
  return (s + (rest + productRest(root, r, p) + rootLow + root * tail + rootLow * r)) * 2 ** exponent
}

/** `x ** y` as C's pow computes it. */
export function power(x: number, y: number): number {
  if (y === 2) return x * x
  const size = Math.abs(x)
  if (!isNormal(size) || size === 1 || y === 0 || y === 1 || !Number.isFinite(y)) return native(x, y)
  if (x < 0 && y % 1 !== 0) return Number.NaN
  const [high, low] = logarithm(size)
  const p = high * y
  if (!(p > -700 && p < 700) || Math.abs(p) < 1e-290) return native(x, y)
  const result = exponential(p, productRest(high, y, p) + low * y)
  return x < 0 && Math.abs(y % 2) === 1 ? -result : result
}

function native(x: number, y: number): number {
  // C returns 1 where JavaScript returns NaN.
  return x === 1 || (x === -1 && (y === Infinity || y === -Infinity)) ? 1 : x ** y
}

// ---- circular functions ----------------------------------------------------------------------------------------

interface Circular {
  readonly sine: Double
  readonly cosine: Double
}

/** The sine and cosine of an angle below 2**19. */
function circular(x: number): Circular {
  const n = Math.round(x * 0.6366197723675814)
  const a = sum(x, -n * HALF_PI_1)
  const aRest = rest
  const b = sum(a, -n * HALF_PI_2)
  const r = sum(b, aRest + rest - n * HALF_PI_3)
  const { sine, cosine } = r < 0 ? mirrored(firstOctant(-r, -rest)) : firstOctant(r, rest)
  switch (n & 3) {
    case 0:
      return { sine, cosine }
    case 1:
      return { sine: cosine, cosine: negative(sine) }
    case 2:
      return { sine: negative(sine), cosine: negative(cosine) }
    default:
      return { sine: negative(cosine), cosine: sine }
  }
}

const negative = ([high, low]: Double): Double => [-high, -low]
const mirrored = ({ sine, cosine }: Circular): Circular => ({ sine: negative(sine), cosine })

/** The sine and cosine of an angle from 0 to π/4. */
function firstOctant(r: number, rLow: number): Circular {
  const place = Math.round(r * 64)
  const d = r - place / 64
  const square = d * d
  const sineTail = rLow + d * square * (-1 / 6 + square * (1 / 120 - square / 5040))
  const cosineLess = -square / 2 + square * square * (1 / 24 - square / 720) - d * rLow
  const [s, sLow] = sines[place]!
  const [c, cLow] = cosines[place]!
  const turned = (base: number, baseLow: number, other: number, otherLow: number): Double => {
    const p = other * d
    const high = sum(base, p)
    const low = rest + productRest(other, d, p) + baseLow + other * sineTail + otherLow * d + base * cosineLess
    const all = high + low
    return [all, low - (all - high)]
  }
  return { sine: turned(s, sLow, c, cLow), cosine: turned(c, cLow, -s, -sLow) }
}

const isModerate = (x: number): boolean => x < 524288 && x > -524288 && (x > 1e-8 || x < -1e-8)

export function sin(x: number): number {
  return isModerate(x) ? circular(x).sine[0] : Math.sin(x)
}

export function cos(x: number): number {
  return isModerate(x) ? circular(x).cosine[0] : Math.cos(x)
}

export function tan(x: number): number {
  if (!isModerate(x)) return Math.tan(x)
  const { sine, cosine } = circular(x)
  const q = sine[0] / cosine[0]
  const p = q * cosine[0]
  return q + (sine[0] - p - productRest(q, cosine[0], p) + sine[1] - q * cosine[1]) / cosine[0]
}

// The engine's result is slightly wrong. The error of its sine and cosine gives the correction.

export function asin(x: number): number {
  const angle = Math.asin(x)
  if (!isModerate(angle) || x === 1 || x === -1) return angle
  const { sine, cosine } = circular(angle)
  return angle + (x - sine[0] - sine[1]) / cosine[0]
}

export function acos(x: number): number {
  const angle = Math.acos(x)
  if (!isModerate(angle) || x === -1) return angle
  const { sine, cosine } = circular(angle)
  return angle + (cosine[0] - x + cosine[1]) / sine[0]
}

export function atan(x: number): number {
  return atan2(x, 1)
}

const isOrdinary = (x: number): boolean => (x < 1e100 && x > 1e-100) || (x > -1e100 && x < -1e-100)

export function atan2(y: number, x: number): number {
  const angle = Math.atan2(y, x)
  if (!isOrdinary(y) || !isOrdinary(x) || !isModerate(angle)) return angle
  const { sine, cosine } = circular(angle)
  const p = y * cosine[0]
  const q = x * sine[0]
  const off = p - q + (productRest(y, cosine[0], p) - productRest(x, sine[0], q)) + (y * cosine[1] - x * sine[1])
  return angle + off / (x * cosine[0] + y * sine[0])
}
