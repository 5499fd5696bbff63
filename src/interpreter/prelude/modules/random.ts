// The module `random`: CPython's generator, with a seed of the program, or of the run if a person allows that. Without
// a seed every draw is an error, because programs are deterministic.

import { sha512 } from '@noble/hashes/sha2.js'
import { asIndex, wantInt } from '../calls/expect.js'
import { call } from '../calls/signature.js'
import { attribute } from '../classes/attributes.js'
import { builtinClass } from '../classes/known-classes.js'
import { moduleClass } from '../classes/module-class.js'
import { hash } from '../containers/hashing.js'
import { items, length } from '../containers/iterate.js'
import { chanceBits } from '../host/chance.js'
import { MersenneTwister } from '../numbers/mersenne-twister.js'
import { add } from '../operators/arithmetic.js'
import { isNumber, realOf } from '../operators/operands.js'
import { index, setIndex } from '../operators/subscript.js'
import { encodeText } from '../text/codecs.js'
import { boundCount } from '../text/fill.js'
import { contentOf } from '../values/contents.js'
import { raise, typeError, valueError } from '../values/errors.js'
import { said, spelled, word } from '../values/said.js'
import {
  Bytes,
  big,
  float,
  floatValue,
  type Int,
  isFloat,
  isInt,
  isTuple,
  normal,
  Range,
  type Tuple,
  toNumber,
  tuple,
  typeName,
  typeOf,
  unbool,
  type Value,
} from '../values/values.js'
import { type Module, module } from './module.js'
import * as distributions from './random/distributions.js'

interface Generator {
  twister: MersenneTwister | undefined
  /** The second of a pair of normal deviates, if it has not been returned yet. */
  spare: number | undefined
}

const generators = new WeakMap<object, Generator>()

function generatorOf(self: Value): Generator {
  let g = generators.get(self as object)
  if (g === undefined) {
    g = { twister: undefined, spare: undefined }
    generators.set(self as object, g)
  }
  return g
}

function twisterOf(self: Value): MersenneTwister {
  const g = generatorOf(self)
  if (g.twister === undefined) {
    const seed = chanceBits(128)
    if (seed === undefined)
      return raise('RuntimeError', 'random numbers need a seed here: programs are deterministic', {
        code: 'no-seed',
        hint: 'call random.seed(…) with a number first, or use random.Random(…) with one',
      })
    g.twister = new MersenneTwister(keyOf(seed))
  }
  return g.twister
}

// ---- seeds -----------------------------------------------------------------------------------------------------

function fromBigEndian(b: Uint8Array): bigint {
  let n = 0n
  for (let i = 0; i < b.length; i++) n = (n << 8n) | BigInt(b[i]!)
  return n
}

/** The seed as a number that is not negative. Undefined for None. */
function seedNumber(x0: Value): bigint | undefined {
  const x = unbool(x0)
  if (x === null) return undefined
  if (isInt(x)) return big(x) < 0n ? -big(x) : big(x)
  if (floatValue(x) !== undefined) return big(hash(x) as Int) & ((1n << 64n) - 1n)
  const held = contentOf(x)
  if (held !== undefined) return seedNumber(held)
  if (typeof x !== 'string' && !(x instanceof Bytes))
    return typeError('The only supported seed types are: None,\nint, float, str, bytes, and bytearray.')
  const own = x instanceof Bytes ? x.b : encodeText(x, 'utf-8', 'strict').b
  const all = new Uint8Array(own.length + 64)
  all.set(own)
  all.set(sha512(own), own.length)
  return fromBigEndian(all)
}

function keyOf(seed: bigint): number[] {
  const words: number[] = []
  for (let n = seed; n > 0n; n >>= 32n) words.push(Number(n & 0xffffffffn))
  return words.length === 0 ? [0] : words
}

function plant(self: Value, x: Value | undefined): void {
  const seed = seedNumber(x ?? null)
  const g = generatorOf(self)
  g.twister = seed === undefined ? undefined : new MersenneTwister(keyOf(seed))
  g.spare = undefined
}

// ---- the class -------------------------------------------------------------------------------------------------

const { cls: random, define: method } = moduleClass('Random', 'random')
const drawing: string[] = []

/** Declares a method that draws from the generator. Its first argument is `self`. */
function draws(
  name: string,
  parameters: string,
  fn: (t: MersenneTwister, ...args: (Value | undefined)[]) => Value,
): void {
  drawing.push(name)
  method(name, parameters === '' ? 'self' : `self, ${parameters}`, (self, ...args) => fn(twisterOf(self!), ...args))
}

method('__init__', 'self, x=', (self, x) => {
  plant(self!, x)
  return null
})
method('seed', 'self, a=, version=', (self, a, version) => {
  if (version !== undefined && version !== 2) valueError('seeds of version 1 are not supported: leave version out')
  plant(self!, a)
  return null
})
method('getstate', 'self', (self) => {
  const { words, used } = twisterOf(self!).state
  const { spare } = generatorOf(self!)
  return tuple([3, tuple([...words, used]), spare === undefined ? null : float(spare)])
})
method('setstate', 'self, state', (self, state) => {
  const [, , inner, spare] = state as Tuple
  if (!isTuple(inner!) || inner.length !== 626) return valueError('state vector is the wrong size')
  const g = generatorOf(self!)
  g.twister ??= new MersenneTwister([0])
  g.twister.state = { words: inner.slice(1, -1) as number[], used: inner.at(-1) as number }
  g.spare = spare === null ? undefined : real(spare)
  return null
})

// ---- ints ------------------------------------------------------------------------------------------------------

function below(t: MersenneTwister, n: bigint): bigint {
  return n < 0x80000000n ? BigInt(t.below(Number(n))) : t.belowBig(n)
}

function integer(x0: Value, what: string): bigint {
  const x = unbool(asIndex(x0))
  if (isInt(x)) return big(x)
  const n = call(builtinClass('int').$value, [x]) as Int
  return isFloat(x) && Number.isInteger(floatValue(x))
    ? big(n)
    : valueError(said`non-integer ${word(what)} for randrange()`)
}

function range(t: MersenneTwister, start: bigint, stop: bigint, step: bigint): Value {
  const width = stop - start
  if (step === 1n) {
    if (width <= 0n)
      valueError(said`empty range for randrange() (${spelled(start)}, ${spelled(stop)}, ${spelled(width)})`)
    return normal(start + below(t, width))
  }
  if (step === 0n) valueError('zero step for randrange()')
  const n = step > 0n ? (width + step - 1n) / step : (width + step + 1n) / step
  if (n <= 0n || width > 0n !== step > 0n) valueError('empty range for randrange()')
  return normal(start + step * below(t, n))
}

draws('randrange', 'start, stop=, step=', (t, start, stop, step) => {
  const from = integer(start!, 'arg 1')
  if (stop === undefined || stop === null) {
    if (step !== undefined) typeError('Missing a non-None stop argument')
    return from > 0n ? normal(below(t, from)) : valueError('empty range for randrange()')
  }
  return range(t, from, integer(stop, 'stop'), step === undefined ? 1n : integer(step, 'step'))
})
draws('randint', 'a, b', (t, a, b) => range(t, integer(a!, 'arg 1'), integer(add(b!, 1), 'stop'), 1n))
draws('getrandbits', 'k, /', (t, k) => {
  const n = wantInt(k!, 'getrandbits', 'k')
  return n < 0 ? valueError('number of bits must be non-negative') : normal(t.bits(boundCount(n)))
})
draws('randbytes', 'n', (t, n) => {
  const size = wantInt(n!, 'randbytes', 'n')
  if (size < 0) valueError('number of bits must be non-negative')
  let all = t.bits(boundCount(size * 8))
  const b = new Uint8Array(size)
  for (let i = 0; i < size; i++, all >>= 8n) b[i] = Number(all & 0xffn)
  return new Bytes(b)
})

// ---- sequences -------------------------------------------------------------------------------------------------

draws('choice', 'seq', (t, seq) => {
  const n = length(seq!)
  return n === 0 ? raise('IndexError', 'Cannot choose from an empty sequence') : index(seq!, t.below(n))
})
draws('shuffle', 'x', (t, x) => {
  for (let i = length(x!) - 1; i > 0; i--) {
    const j = t.below(i + 1)
    const held = index(x!, i)
    setIndex(x!, i, index(x!, j))
    setIndex(x!, j, held)
  }
  return null
})

const TOO_MANY = 'Sample larger than population or is negative'

/**
 * The positions of a sample of `k` out of `n`, drawn as in CPython: from a pool, or with a set if that takes less
 * space.
 */
function sampled(t: MersenneTwister, n: number, k: number): number[] {
  if (k < 0 || k > n) valueError(TOO_MANY)
  const out: number[] = []
  const space = 21 + (k > 5 ? 4 ** Math.ceil(Math.log(k * 3) / Math.log(4)) : 0)
  if (n <= space) {
    const pool = Array.from({ length: n }, (_, i) => i)
    for (let i = 0; i < k; i++) {
      const j = t.below(n - i)
      out.push(pool[j]!)
      pool[j] = pool[n - i - 1]!
    }
    return out
  }
  const chosen = new Set<number>()
  while (out.length < k) {
    const j = t.below(n)
    if (chosen.has(j)) continue
    chosen.add(j)
    out.push(j)
  }
  return out
}

draws('sample', 'population, k, *, counts=', (t, population, k, counts) => {
  const p = population!
  if (!Array.isArray(p) && typeof p !== 'string' && !(p instanceof Range) && !(p instanceof Bytes) && !isSequence(p))
    typeError('Population must be a sequence.  For dicts or sets, use sorted(d).')
  const v = realOf(k!)
  if (v !== undefined && !(v >= 0 && v <= Number.MAX_SAFE_INTEGER)) valueError(TOO_MANY)
  const size = wantInt(k!, 'sample', 'k')
  if (counts === undefined || counts === null) return sampled(t, length(p), size).map((at) => index(p, at))
  const sums = accumulated(items(counts))
  if (sums.length !== length(p)) valueError('The number of counts does not match the population')
  const total = sums.at(-1) ?? 0
  if (total <= 0) valueError('Total of counts must be greater than zero')
  return sampled(t, total, size).map((at) => index(p, place(sums, at, sums.length)))
})

function isSequence(x: Value): boolean {
  const held = contentOf(x)
  return typeName(x) === 'collections.deque' || Array.isArray(held) || typeof held === 'string'
}

function accumulated(all: readonly Value[]): number[] {
  let sum = 0
  return all.map((x) => {
    sum += real(x)
    return sum
  })
}

/** The first position whose sum is greater than `x`, or `most` if there is none. */
function place(sums: readonly number[], x: number, most: number): number {
  let [low, high] = [0, most]
  while (low < high) {
    const middle = (low + high) >> 1
    if (x < sums[middle]!) high = middle
    else low = middle + 1
  }
  return low
}

draws('choices', 'population, weights=, *, cum_weights=, k=', (t, population, weights, cumulative, k) => {
  const n = length(population!)
  const count = k === undefined ? 1 : boundCount(wantInt(k, 'choices', 'k'))
  const out: Value[] = []
  const hasWeights = weights !== undefined && weights !== null
  if (cumulative === undefined || cumulative === null) {
    if (!hasWeights) {
      if (n === 0 && count > 0) raise('IndexError', 'list index out of range')
      while (out.length < count) out.push(index(population!, Math.floor(t.fraction() * n)))
      return out
    }
    if (isInt(weights))
      typeError(said`The number of choices must be a keyword argument: k=${spelled(toNumber(weights))}`)
  } else if (hasWeights) typeError('Cannot specify both weights and cumulative weights')
  const sums = hasWeights ? accumulated(items(weights)) : items(cumulative!).map(real)
  if (sums.length !== n) valueError('The number of weights does not match the population')
  const total = sums.at(-1) ?? raise('IndexError', 'list index out of range')
  if (total <= 0) valueError('Total of weights must be greater than zero')
  if (!Number.isFinite(total)) valueError('Total of weights must be finite')
  while (out.length < count) out.push(index(population!, place(sums, t.fraction() * total, n - 1)))
  return out
})

// ---- floats ----------------------------------------------------------------------------------------------------

function real(x: Value | undefined): number {
  const n = contentOf(x) ?? x!
  return (
    (isNumber(n) || typeName(n) === 'Fraction' ? realOf(n) : undefined) ??
    typeError(said`must be real number, not ${typeOf(x!)}`)
  )
}

/** A divisor. Fails if it is zero. */
function divisor(x: Value | undefined): number {
  const v = real(x)
  return v === 0 ? raise('ZeroDivisionError', 'float division by zero') : v
}

function optional(x: Value | undefined, ifAbsent: number): number {
  return x === undefined ? ifAbsent : real(x)
}

function exponential(v: number): Value {
  const r = Math.exp(v)
  return r === Infinity && v !== Infinity ? raise('OverflowError', 'math range error') : float(r)
}

draws('random', '', (t) => float(t.fraction()))
draws('uniform', 'a, b', (t, a, b) => {
  const low = real(a)
  return float(low + (real(b) - low) * t.fraction())
})
draws('triangular', 'low=, high=, mode=', (t, low, high, mode) =>
  float(
    distributions.triangular(
      () => t.fraction(),
      optional(low, 0),
      optional(high, 1),
      mode === undefined || mode === null ? undefined : real(mode),
    ),
  ),
)
draws('normalvariate', 'mu=, sigma=', (t, mu, sigma) =>
  float(distributions.normal(() => t.fraction(), optional(mu, 0), optional(sigma, 1))),
)
draws('lognormvariate', 'mu, sigma', (t, mu, sigma) =>
  exponential(distributions.normal(() => t.fraction(), real(mu), real(sigma))),
)
draws('vonmisesvariate', 'mu, kappa', (t, mu, kappa) =>
  float(distributions.vonMises(() => t.fraction(), real(mu), real(kappa))),
)
draws('expovariate', 'lambd', (t, rate) => float(distributions.exponential(() => t.fraction(), divisor(rate))))
draws('gammavariate', 'alpha, beta', (t, alpha, beta) => {
  const [a, b] = [real(alpha), real(beta)]
  if (a <= 0 || b <= 0) valueError('gammavariate: alpha and beta must be > 0.0')
  return float(distributions.gamma(() => t.fraction(), a, b))
})
draws('betavariate', 'alpha, beta', (t, alpha, beta) => {
  const [a, b] = [real(alpha), real(beta)]
  if (a <= 0 || b <= 0) valueError('gammavariate: alpha and beta must be > 0.0')
  return float(distributions.beta(() => t.fraction(), a, b))
})
draws('paretovariate', 'alpha', (t, alpha) => float(distributions.pareto(() => t.fraction(), divisor(alpha))))
draws('weibullvariate', 'alpha, beta', (t, alpha, beta) =>
  float(distributions.weibull(() => t.fraction(), real(alpha), divisor(beta))),
)
method('gauss', 'self, mu=, sigma=', (self, mu, sigma) => {
  const t = twisterOf(self!)
  const g = generatorOf(self!)
  let z = g.spare
  g.spare = undefined
  if (z === undefined) [z, g.spare] = distributions.normalPair(() => t.fraction())
  return float(optional(mu, 0) + z * optional(sigma, 1))
})
drawing.push('gauss')

/** The generator that the functions of the module use. */
const shared = call(random.$value, [])

export const randomModule: Module = module('random', {
  Random: random.$value,
  SystemRandom: random.$value,
  ...Object.fromEntries([...drawing, 'seed', 'getstate', 'setstate'].map((name) => [name, attribute(shared, name)])),
})
