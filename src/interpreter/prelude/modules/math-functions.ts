// Functions of real numbers that JavaScript lacks: gamma and error functions, exact sums, the parts of a float. They
// take and return JavaScript numbers. Their callers decide which results are errors.

import { decompose } from '../numbers/float-text.js'

// Coefficients of Lanczos' approximation for N = 13 and the G below, rounded to floats, with the highest power last.
const G = 6.02468004077673
const G_LESS_HALF = 5.52468004077673
const TOP = [
  23531376880.41076, 42919803642.6491, 35711959237.35567, 17921034426.03721, 6039542586.352028, 1439720407.3117216,
  248874557.86205417, 31426415.585400194, 2876370.6289353725, 186056.26539522348, 8071.672002365816, 210.82427775157936,
  2.5066282746310002,
]
const BOTTOM = [0, 39916800, 120543840, 150917976, 105258076, 45995730, 13339535, 2637558, 357423, 32670, 1925, 66, 1]

function lanczosSum(x: number): number {
  let top = 0
  let bottom = 0
  if (x < 5) {
    for (let i = 12; i >= 0; i--) {
      top = top * x + TOP[i]!
      bottom = bottom * x + BOTTOM[i]!
    }
  } else {
    for (let i = 0; i < 13; i++) {
      top = top / x + TOP[i]!
      bottom = bottom / x + BOTTOM[i]!
    }
  }
  return top / bottom
}

/** sin(πx), exact if it is 0 or ±1. */
function sinPi(x: number): number {
  const y = Math.abs(x) % 2
  const sign = x < 0 ? -1 : 1
  switch (Math.round(2 * y)) {
    case 0:
      return sign * Math.sin(Math.PI * y)
    case 1:
      return sign * Math.cos(Math.PI * (y - 0.5))
    case 2:
      return sign * Math.sin(Math.PI * (1 - y))
    case 3:
      return -sign * Math.cos(Math.PI * (y - 1.5))
    default:
      return sign * Math.sin(Math.PI * (y - 2))
  }
}

/** The gamma function; NaN at its poles, except at 0, where it is infinite. */
export function gamma(x: number): number {
  if (!Number.isFinite(x)) return x === -Infinity ? Number.NaN : x
  if (x === 0) return 1 / x
  if (Number.isInteger(x)) {
    if (x < 0) return Number.NaN
    if (x <= 23) {
      let product = 1
      for (let i = 2; i < x; i++) product *= i
      return product
    }
  }
  const size = Math.abs(x)
  if (size < 1e-20) return 1 / x
  if (size > 200) return x < 0 ? 0 / sinPi(x) : Infinity
  const y = size + G_LESS_HALF
  // The relative rounding error of adding g.
  const lost = size > G_LESS_HALF ? y - size - G_LESS_HALF : y - G_LESS_HALF - size
  const z = (lost * G) / y
  const half = y ** (size / 2 - 0.25)
  if (x < 0) {
    const r = ((-Math.PI / sinPi(size) / size) * Math.exp(y)) / lanczosSum(size)
    const corrected = r - z * r
    return size < 140 ? corrected / y ** (size - 0.5) : corrected / half / half
  }
  const r = lanczosSum(size) / Math.exp(y)
  const corrected = r + z * r
  return size < 140 ? corrected * y ** (size - 0.5) : corrected * half * half
}

/** The logarithm of the gamma function's magnitude. */
export function logGamma(x: number): number {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? x : Infinity
  if (Number.isInteger(x) && x <= 2) return x <= 0 ? Infinity : 0
  const size = Math.abs(x)
  if (size < 1e-20) return -Math.log(size)
  const r = Math.log(lanczosSum(size)) - G + (size - 0.5) * (Math.log(size + G_LESS_HALF) - 1)
  return x < 0 ? Math.log(Math.PI) - Math.log(Math.abs(sinPi(size))) - Math.log(size) - r : r
}

/** The error function: a series near 0, a continued fraction elsewhere. */
export function erf(x: number): number {
  const size = Math.abs(x)
  if (Number.isNaN(size)) return x
  if (size < 1.5) return errorSeries(x)
  const rest = errorFraction(size)
  return x > 0 ? 1 - rest : rest - 1
}

/** 1 - erf(x), without a loss of digits if the result is small. */
export function erfc(x: number): number {
  const size = Math.abs(x)
  if (Number.isNaN(size)) return x
  if (size < 1.5) return 1 - errorSeries(x)
  const rest = errorFraction(size)
  return x > 0 ? rest : 2 - rest
}

function errorSeries(x: number): number {
  const square = x * x
  let sum = 0
  let k = 25.5
  for (let i = 0; i < 25; i++) {
    sum = 2 + (square * sum) / k
    k -= 1
  }
  return (sum * x * Math.exp(-square)) / Math.sqrt(Math.PI)
}

function errorFraction(x: number): number {
  if (x >= 30) return 0
  const square = x * x
  let a = 0
  let step = 0.5
  let p = 1
  let q = 0.5 + square
  let lastP = 0
  let lastQ = 1
  for (let i = 0; i < 50; i++) {
    a += step
    step += 2
    const b = step + square
    const nextP = b * p - a * lastP
    const nextQ = b * q - a * lastQ
    lastP = p
    lastQ = q
    p = nextP
    q = nextQ
  }
  return ((p / q) * x * Math.exp(-square)) / Math.sqrt(Math.PI)
}

/** The exactly rounded sum. It keeps partial sums that do not overlap, so no digit is lost before the end. */
export function exactSum(all: readonly number[]): number {
  const partials: number[] = []
  let special = 0
  for (const v of all) {
    if (!Number.isFinite(v)) {
      special += v
      continue
    }
    let x = v
    let kept = 0
    for (let y of partials) {
      if (Math.abs(x) < Math.abs(y)) [x, y] = [y, x]
      const high = x + y
      const low = y - (high - x)
      if (low !== 0) partials[kept++] = low
      x = high
    }
    partials.length = kept
    partials.push(x)
  }
  if (special !== 0 || Number.isNaN(special)) return special
  return roundedTotal(partials)
}

function roundedTotal(partials: readonly number[]): number {
  let n = partials.length
  if (n === 0) return 0
  let high = partials[--n]!
  let low = 0
  while (n > 0) {
    const x = high
    const y = partials[--n]!
    high = x + y
    low = y - (high - x)
    if (low !== 0) break
  }
  // A tie is rounded in the direction of the remaining parts.
  if (n > 0 && ((low < 0 && partials[n - 1]! < 0) || (low > 0 && partials[n - 1]! > 0))) {
    const y = low * 2
    const x = high + y
    if (y === x - high) high = x
  }
  return high
}

/** x = mantissa × 2**exponent with 0.5 ≤ |mantissa| < 1. */
export function frexp(x: number): readonly [number, number] {
  if (x === 0 || !Number.isFinite(x)) return [x, 0]
  const { mantissa, exponent } = decompose(Math.abs(x))
  const bits = mantissa.toString(2).length
  const m = Number(mantissa) / 2 ** bits
  return [x < 0 ? -m : m, exponent + bits]
}

/** x × 2**exponent, rounded once. */
export function ldexp(x: number, exponent: number): number {
  if (x === 0 || !Number.isFinite(x)) return x
  if (exponent > 4000) return x > 0 ? Infinity : -Infinity
  if (exponent < -4000) return x > 0 ? 0 : -0
  let v = x
  let e = exponent
  for (; e > 1000; e -= 1000) v *= 2 ** 1000
  if (e >= -1000) return v * 2 ** e
  // Subnormal numbers: scales up first, so that only the last step rounds.
  const [m, k] = frexp(v)
  const total = k + e
  return total < -1022 + 1
    ? total < -1080
      ? m * 0
      : m * 2 ** 53 * 2 ** -537 * 2 ** (total - 53 + 537)
    : m * 2 ** total
}

/** The float next to `x` towards `y`. */
export function nextAfter(x: number, y: number): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN
  if (x === y) return y
  if (x === 0) return y > 0 ? 5e-324 : -5e-324
  const bits = new Float64Array([x])
  const words = new BigInt64Array(bits.buffer)
  words[0] = words[0]! + (x < y === x > 0 ? 1n : -1n)
  return bits[0]!
}

/** The remainder of x / y with the quotient rounded to the nearest integer, ties to even. */
export function ieeeRemainder(x: number, y: number): number {
  if (Number.isNaN(x) || Number.isNaN(y) || !Number.isFinite(x) || y === 0) return Number.NaN
  if (!Number.isFinite(y)) return x
  const size = Math.abs(x)
  const by = Math.abs(y)
  const m = size % by
  const c = by - m
  const r = m < c ? m : m > c ? -c : m - 2 * ((0.5 * (size - m)) % by)
  return x < 0 || Object.is(x, -0) ? -r : r
}
