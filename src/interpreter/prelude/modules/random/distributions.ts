// Converts random numbers between 0 and 1 to those of a distribution. Draws in CPython's order.

import { acos, cos, log, power, sin } from '../../numbers/precise-functions.js'

const { exp, sqrt, PI } = Math
const TAU = 2 * PI

/** A float from 0 (inclusive) to 1 (exclusive). */
type Draw = () => number

const KINDERMAN = (4 * exp(-0.5)) / sqrt(2)

/** A normal deviate, by Kinderman and Monahan's method of the ratio of uniform deviates. */
export function normal(draw: Draw, mean: number, deviation: number): number {
  for (;;) {
    const u1 = draw()
    const u2 = 1 - draw()
    const z = (KINDERMAN * (u1 - 0.5)) / u2
    if ((z * z) / 4 <= -log(u2)) return mean + z * deviation
  }
}

/** Two independent normal deviates. */
export function normalPair(draw: Draw): readonly [number, number] {
  const angle = draw() * TAU
  const radius = sqrt(-2 * log(1 - draw()))
  return [cos(angle) * radius, sin(angle) * radius]
}

export function triangular(draw: Draw, low: number, high: number, mode: number | undefined): number {
  let u = draw()
  if (mode !== undefined && high === low) return low
  let c = mode === undefined ? 0.5 : (mode - low) / (high - low)
  let [from, to] = [low, high]
  if (u > c) {
    u = 1 - u
    c = 1 - c
    ;[from, to] = [high, low]
  }
  return from + (to - from) * sqrt(u * c)
}

export function exponential(draw: Draw, rate: number): number {
  return -log(1 - draw()) / rate
}

export function pareto(draw: Draw, alpha: number): number {
  return power(1 - draw(), -1 / alpha)
}

export function weibull(draw: Draw, alpha: number, beta: number): number {
  return alpha * power(-log(1 - draw()), 1 / beta)
}

export function vonMises(draw: Draw, mean: number, kappa: number): number {
  if (kappa <= 1e-6) return TAU * draw()
  const s = 0.5 / kappa
  const r = s + sqrt(1 + s * s)
  let z: number
  for (;;) {
    z = cos(PI * draw())
    const d = z / (r + z)
    const u = draw()
    if (u < 1 - d * d || u <= (1 - d) * exp(d)) break
  }
  const q = 1 / r
  const turn = acos((q + z) / (1 + q * z))
  const angle = (draw() > 0.5 ? mean + turn : mean - turn) % TAU
  return angle < 0 ? angle + TAU : angle
}

/** A gamma deviate. `alpha` and `beta` must be positive. */
export function gamma(draw: Draw, alpha: number, beta: number): number {
  if (alpha > 1) return chengGamma(draw, alpha) * beta
  if (alpha === 1) return -log(1 - draw()) * beta
  const b = (Math.E + alpha) / Math.E
  for (;;) {
    const p = b * draw()
    const x = p <= 1 ? power(p, 1 / alpha) : -log((b - p) / alpha)
    const u = draw()
    if (p > 1 ? u <= power(x, alpha - 1) : u <= exp(-x)) return x * beta
  }
}

function chengGamma(draw: Draw, alpha: number): number {
  const root = sqrt(2 * alpha - 1)
  const b = alpha - log(4)
  const c = alpha + root
  for (;;) {
    const u1 = draw()
    if (!(u1 > 1e-7 && u1 < 0.9999999)) continue
    const u2 = 1 - draw()
    const v = log(u1 / (1 - u1)) / root
    const x = alpha * exp(v)
    const z = u1 * u1 * u2
    const r = b + c * v - x
    if (r + (1 + log(4.5)) - 4.5 * z >= 0 || r >= log(z)) return x
  }
}

export function beta(draw: Draw, alpha: number, b: number): number {
  const y = gamma(draw, alpha, 1)
  return y === 0 ? 0 : y / (y + gamma(draw, b, 1))
}
