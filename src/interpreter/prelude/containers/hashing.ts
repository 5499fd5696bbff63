// `hash(x)`. Strict mode hashes only strings, like java.lang.String.hashCode, and bytes, by 32-bit FNV-1a
// (specification: hash). The default dialect hashes every hashable value: numbers as CPython does, strings without a
// salt.

import { wrongType } from '../calls/expect.js'
import { decompose } from '../numbers/float-text.js'
import { python } from '../values/mode.js'
import { protocolOf } from '../values/protocol.js'
import {
  Bytes,
  big,
  FrozenSet,
  floatValue,
  type Int,
  isInt,
  isTuple,
  normal,
  unbool,
  type Value,
} from '../values/values.js'
import { key } from './keys.js'

export function hash(x: Value): Value {
  if (typeof x === 'string') return hashText(x)
  if (x instanceof Bytes) return hashBytes((key(x) as Bytes).b)
  if (!python) throw wrongType('hash', 'x', x, 'string or bytes')
  return hashInPython(x)
}

function hashText(s: string): number {
  let h = 0
  for (let i = 0; i < s.length; i++) h = (Math.imul(h, 31) + s.charCodeAt(i)) | 0
  return h
}

function hashBytes(b: Uint8Array): number {
  let h = 0x811c9dc5
  for (let i = 0; i < b.length; i++) h = Math.imul(h ^ b[i]!, 0x01000193)
  return h >>> 0
}

const MODULUS = (1n << 61n) - 1n

function hashInPython(x0: Value): Value {
  const x = unbool(x0)
  if (x === null) return 0xfca86420
  const f = floatValue(x)
  if (f !== undefined) return hashFloat(f)
  if (isInt(x)) return signed(big(x))
  const k = key(x)
  if (isTuple(x)) return hashTuple(x)
  if (x instanceof FrozenSet) {
    let h = 0
    for (const e of x) h = (h + Number(big(hash(e) as Int) & 0x3fffffffn)) | 0
    return h
  }
  // Different objects that are equal share one key.
  return protocolOf(x)?.hash?.(x as object) ?? (k === x ? identity(x as object) : hash(k))
}

function signed(n: bigint): Value {
  const h = n < 0n ? -(-n % MODULUS) : n % MODULUS
  return h === -1n ? -2 : normal(h)
}

function hashFloat(v: number): Value {
  if (Number.isNaN(v)) return 0
  if (v === Infinity) return 314159
  if (v === -Infinity) return -314159
  const { mantissa, exponent } = decompose(Math.abs(v))
  // 2**61 is 1 modulo 2**61 - 1, so dividing by 2**k is multiplying by 2**(61 - k).
  const shift = ((exponent % 61) + 61) % 61
  const h = (mantissa << BigInt(shift)) % MODULUS
  return v < 0 ? signed(-h) : signed(h)
}

/** The hash of an exact fraction. An equal int or float has the same hash. */
export function hashOfFraction(top: bigint, bottom: bigint): Value {
  const size = top < 0n ? -top : top
  const inverse = modularPower(bottom % MODULUS, MODULUS - 2n)
  const h = inverse === 0n ? 314159n : ((size % MODULUS) * inverse) % MODULUS
  return signed(top < 0n ? -h : h)
}

function modularPower(base: bigint, exponent: bigint): bigint {
  let result = 1n
  let b = base
  for (let n = exponent; n > 0n; n >>= 1n) {
    if (n & 1n) result = (result * b) % MODULUS
    b = (b * b) % MODULUS
  }
  return result
}

const WORD = (1n << 64n) - 1n

// CPython hashes tuples by xxHash.
function hashTuple(t: readonly Value[]): Value {
  const prime1 = 11400714785074694791n
  let h = 2870177450012600261n
  for (let i = 1; i < t.length; i++) {
    h = (h + (big(hash(t[i]!) as Int) & WORD) * 14029467366897019727n) & WORD
    h = ((h << 31n) | (h >> 33n)) & WORD
    h = (h * prime1) & WORD
  }
  h = (h + (BigInt(t.length - 1) ^ (2870177450012600261n ^ 3527539n))) & WORD
  if (h === WORD) return 1546275796
  return normal(h >> 63n ? h - (1n << 64n) : h)
}

const identities = new Map<object, number>()
let counted = 0

/**
 * The hash of an object without equality of its own. Such objects are numbered in the order in which they are first
 * hashed.
 */
function identity(x: object): number {
  let n = identities.get(x)
  if (n === undefined) {
    n = ++counted * 16
    identities.set(x, n)
  }
  return n
}
