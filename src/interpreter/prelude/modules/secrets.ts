// The module `secrets`, if a person allows random numbers. Its numbers follow from the seed of the run, so whoever
// knows the seed can predict them.

import { asIndex, wantInt } from '../calls/expect.js'
import { builtin } from '../calls/signature.js'
import { length } from '../containers/iterate.js'
import { chanceBits } from '../host/chance.js'
import { equal } from '../operators/comparison.js'
import { index } from '../operators/subscript.js'
import { raise, valueError } from '../values/errors.js'
import { said, word } from '../values/said.js'
import { Bytes, big, type Int, isInt, normal, type Value } from '../values/values.js'
import { encodeBits } from './base64.js'
import { type Module, module } from './module.js'
import { randomModule } from './random.js'

const DEFAULT_ENTROPY = 32
const MOST_BYTES = 1_000_000
const URL_SAFE = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

function bits(count: number, what: string): bigint {
  return (
    chanceBits(count) ??
    raise('RuntimeError', said`${word(what)} is not available: programs are deterministic`, { code: 'no-randomness' })
  )
}

/** Random bytes. If there is no randomness, the failure names `what`, the function that needs them. */
export function chanceBytes(n: number, what: string): Bytes {
  if (n < 0) valueError('negative argument not allowed')
  if (n > MOST_BYTES) raise('OverflowError', 'Python int too large to convert to C int')
  let hex = bits(n * 8, what).toString(16)
  hex = hex.padStart(2 * n, '0')
  return new Bytes(Uint8Array.from({ length: n }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16)))
}

function below(n: bigint, what: string): bigint {
  if (n <= 0n) valueError('Upper bound must be positive.')
  const count = n.toString(2).length
  let drawn = bits(count, what)
  while (drawn >= n) drawn = bits(count, what)
  return drawn
}

const token = (name: string, write: (b: Uint8Array) => Value): Value =>
  builtin(name, 'nbytes=', (n) => {
    const size = n === undefined || n === null ? DEFAULT_ENTROPY : wantInt(n, name, 'nbytes')
    return write(chanceBytes(size, `secrets.${name}()`).b)
  })

export const secrets: Module = module('secrets', {
  DEFAULT_ENTROPY,
  SystemRandom: randomModule.$members.SystemRandom!,
  choice: builtin('choice', 'seq', (seq) => {
    const n = length(seq!)
    if (n === 0) raise('IndexError', 'Cannot choose from an empty sequence')
    return index(seq!, Number(below(BigInt(n), 'secrets.choice()')))
  }),
  compare_digest: builtin('compare_digest', 'a, b, /', (a, b) => equal(a!, b!)),
  randbelow: builtin('randbelow', 'exclusive_upper_bound', (n) => {
    const bound = asIndex(n!)
    if (!isInt(bound)) wantInt(bound, 'randbelow', 'exclusive_upper_bound')
    return normal(below(big(bound as Int), 'secrets.randbelow()'))
  }),
  randbits: builtin('randbits', 'k', (k) => {
    const count = wantInt(k!, 'randbits', 'k')
    return count < 0 ? valueError('number of bits must be non-negative') : normal(bits(count, 'secrets.randbits()'))
  }),
  token_bytes: token('token_bytes', (b) => new Bytes(b)),
  token_hex: token('token_hex', (b) => Array.from(b, (byte) => byte.toString(16).padStart(2, '0')).join('')),
  token_urlsafe: token('token_urlsafe', (b) => encodeBits(b, URL_SAFE, 6, 1)),
})
