// The module `_random`: CPython's generator, on which `random` stands, seeded by the program, or by the run where a
// person allows that. Without a seed every draw is an error, because programs are deterministic.

import { wantInt } from '../calls/expect.js'
import { builtin, type Native } from '../calls/signature.js'
import { asMethod, attachClass, Class, setMember } from '../classes/classes.js'
import { classCallable } from '../classes/construct.js'
import { settleClass } from '../classes/instances.js'
import { objectClass } from '../classes/known-classes.js'
import { hash } from '../containers/hashing.js'
import { chanceBits } from '../host/chance.js'
import { MersenneTwister } from '../numbers/mersenne-twister.js'
import { boundCount } from '../text/fill.js'
import { raise, typeError, valueError } from '../values/errors.js'
import { big, float, type Int, isInt, isTuple, normal, tuple, unbool, type Value } from '../values/values.js'
import { type Module, module } from './module.js'

const generators = new WeakMap<object, MersenneTwister>()

function twisterOf(self: Value | undefined): MersenneTwister {
  let twister = generators.get(self as object)
  if (twister === undefined) {
    const seed = chanceBits(128)
    if (seed === undefined)
      return raise('RuntimeError', 'random numbers need a seed here: programs are deterministic', {
        code: 'no-seed',
        hint: 'call random.seed(…) with a number first, or use random.Random(…) with one',
      })
    twister = new MersenneTwister(keyOf(seed))
    generators.set(self as object, twister)
  }
  return twister
}

function keyOf(seed: bigint): number[] {
  const words: number[] = []
  for (let n = seed; n > 0n; n >>= 32n) words.push(Number(n & 0xffffffffn))
  return words.length === 0 ? [0] : words
}

/** The seed as a number that is not negative. */
function seedNumber(x0: Value): bigint {
  const x = unbool(x0)
  if (!isInt(x)) return big(hash(x) as Int) & ((1n << 64n) - 1n)
  return big(x) < 0n ? -big(x) : big(x)
}

const cls = new Class('Random', 'builtin', [objectClass])
attachClass(classCallable(cls), cls)
Object.assign(cls.$extras, { inheritable: true, module: '_random' })
const define = (name: string, parameters: string, f: Native): void =>
  setMember(cls, name, asMethod(builtin(name, parameters, f)))

define('random', 'self, /', (self) => float(twisterOf(self).fraction()))
define('getrandbits', 'self, k, /', (self, k) => {
  const count = wantInt(k!, 'getrandbits', 'k')
  if (count < 0) valueError('number of bits must be non-negative')
  return normal(twisterOf(self).bits(boundCount(count)))
})
define('seed', 'self, n=, /', (self, n) => {
  if (n === undefined || n === null) generators.delete(self as object)
  else generators.set(self as object, new MersenneTwister(keyOf(seedNumber(n))))
  return null
})
define('getstate', 'self, /', (self) => {
  const { words, used } = twisterOf(self).state
  return tuple([...words, used])
})
define('setstate', 'self, state, /', (self, state) => {
  if (!isTuple(state!)) return typeError('state vector must be a tuple')
  if (state.length !== 626) return valueError('state vector is the wrong size')
  const twister = new MersenneTwister([0])
  twister.state = { words: state.slice(1, -1) as number[], used: state.at(-1) as number }
  generators.set(self as object, twister)
  return null
})
settleClass(cls)

export const randomGenerator: Module = module('_random', { Random: cls.$value })
