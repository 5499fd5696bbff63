// The modules `hashlib` and `hmac`, and the checksums of `zlib`.

import { blake2b, blake2s } from '@noble/hashes/blake2.js'
import { md5, sha1 } from '@noble/hashes/legacy.js'
import { sha224, sha256, sha384, sha512 } from '@noble/hashes/sha2.js'
import { sha3_224, sha3_256, sha3_384, sha3_512 } from '@noble/hashes/sha3.js'
import { optionalInt, wantString } from '../calls/expect.js'
import { boundMethod, method } from '../calls/method-tables.js'
import { builtin } from '../calls/signature.js'
import { setOf } from '../containers/set.js'
import { equal } from '../operators/comparison.js'
import { typeError, valueError } from '../values/errors.js'
import { PROTOCOL, type Protocol } from '../values/protocol.js'
import { asName, said, spelled } from '../values/said.js'
import { Bytes, nameClass, typeOf, type Value } from '../values/values.js'
import { type Module, module } from './module.js'

interface Algorithm {
  readonly name: string
  readonly size: number
  readonly block: number
  readonly digest: (message: Uint8Array) => Uint8Array
}

const algorithms: readonly Algorithm[] = Object.entries({
  md5,
  sha1,
  sha224,
  sha256,
  sha384,
  sha512,
  sha3_224,
  sha3_256,
  sha3_384,
  sha3_512,
  blake2b,
  blake2s,
}).map(([name, digest]) => ({
  name,
  size: digest.outputLen,
  block: digest.blockLen,
  digest: (message) => digest(message),
}))

/** Collects the data. The digest is computed on demand. */
class Hash {
  readonly $algorithm: Algorithm
  $data: Uint8Array
  constructor(algorithm: Algorithm, data: Uint8Array) {
    this.$algorithm = algorithm
    this.$data = data
  }
}

function bytesOf(x: Value | undefined): Uint8Array {
  if (x === undefined) return new Uint8Array(0)
  if (x instanceof Bytes) return x.b
  return typeof x === 'string'
    ? typeError('Strings must be encoded before hashing', 'encode it first: text.encode()')
    : typeError(said`object supporting the buffer API required, not '${typeOf(x)}'`)
}

function hex(b: Uint8Array): string {
  let text = ''
  for (let i = 0; i < b.length; i++) text += b[i]!.toString(16).padStart(2, '0')
  return text
}

function define(name: string, parameters: string, fn: (h: Hash, x?: Value) => Value): void {
  method('_hashlib.HASH', Hash.prototype, name, parameters, function (this: Hash, x?: Value) {
    return fn(this, x)
  } as never)
}
define('update', 'data, /', (h, x) => {
  const more = bytesOf(x)
  const all = new Uint8Array(h.$data.length + more.length)
  all.set(h.$data)
  all.set(more, h.$data.length)
  h.$data = all
  return null
})
define('digest', '/', (h) => new Bytes(h.$algorithm.digest(h.$data)))
define('hexdigest', '/', (h) => hex(h.$algorithm.digest(h.$data)))
define('copy', '/', (h) => new Hash(h.$algorithm, h.$data))

const protocol: Protocol = {
  truth: () => true,
  getAttribute(x, name) {
    const { $algorithm } = x as Hash
    if (name === 'name') return $algorithm.name
    if (name === 'digest_size') return $algorithm.size
    return name === 'block_size' ? $algorithm.block : boundMethod(x, name)
  },
  repr: (x) => `<${(x as Hash).$algorithm.name} _hashlib.HASH object>`,
}
Object.defineProperty(Hash.prototype, PROTOCOL, { value: protocol })
nameClass((x) => x instanceof Hash, '_hashlib.HASH')

const members: Record<string, Value> = {
  algorithms_available: setOf(algorithms.map((a) => a.name)),
  algorithms_guaranteed: setOf(algorithms.map((a) => a.name)),
  new: builtin('new', 'name, data=, *, usedforsecurity=', (name, data) => {
    const wanted = wantString(name, 'new', 'name').toLowerCase().replace('-', '')
    const algorithm = algorithms.find((a) => a.name === wanted)
    return algorithm === undefined
      ? valueError(said`unsupported hash type ${spelled(name as string)}`)
      : new Hash(algorithm, bytesOf(data))
  }),
}
for (const algorithm of algorithms) {
  const { name } = algorithm
  const blake = { blake2b, blake2s }[name]
  members[name] =
    blake === undefined
      ? builtin(name, 'string=, *, usedforsecurity=', (data) => new Hash(algorithm, bytesOf(data)))
      : builtin(name, 'data=, /, *, digest_size=, key=, usedforsecurity=', (data, digestSize, key) => {
          const size = optionalInt(digestSize, algorithm.size, name, 'digest_size')
          if (size < 1 || size > algorithm.size)
            valueError(
              said`digest_size for ${asName(name)} must be between 1 and ${algorithm.size} bytes, here it is ${size}`,
            )
          const options = { dkLen: size, ...(key === undefined ? {} : { key: bytesOf(key) }) }
          return new Hash({ ...algorithm, size, digest: (message) => blake(message, options) }, bytesOf(data))
        })
}

// ---- hmac ------------------------------------------------------------------------------------------------------

/** A keyed hash. The inner hash is incremental, and the outer one is computed at the end. */
function keyed(key: Uint8Array, algorithm: Algorithm, message: Uint8Array): Hash {
  const padded = new Uint8Array(algorithm.block)
  padded.set(key.length > algorithm.block ? algorithm.digest(key) : key)
  const inner = padded.map((b) => b ^ 0x36)
  const outer = padded.map((b) => b ^ 0x5c)
  const join = (a: Uint8Array, b: Uint8Array): Uint8Array => {
    const all = new Uint8Array(a.length + b.length)
    all.set(a)
    all.set(b, a.length)
    return all
  }
  const digest = (data: Uint8Array): Uint8Array => algorithm.digest(join(outer, algorithm.digest(join(inner, data))))
  return new Hash({ ...algorithm, name: `hmac-${algorithm.name}`, digest }, message)
}

/** The algorithm for a name or a constructor. */
function algorithmOf(x: Value | undefined): Algorithm {
  const found = algorithms.find((a) => a.name === x || members[a.name] === x)
  return found ?? typeError("Missing required argument 'digestmod'.")
}

export const hmac: Module = module('hmac', {
  new: builtin('new', 'key, msg=, digestmod=', (key, message, digest) =>
    keyed(bytesOf(key), algorithmOf(digest), bytesOf(message === null ? undefined : message)),
  ),
  digest: builtin('digest', 'key, msg, digest', (key, message, digest) => {
    const h = keyed(bytesOf(key), algorithmOf(digest), bytesOf(message))
    return new Bytes(h.$algorithm.digest(h.$data))
  }),
  compare_digest: builtin('compare_digest', 'a, b, /', (a, b) => equal(a!, b!)),
})

// ---- zlib ------------------------------------------------------------------------------------------------------

let table: Uint32Array | undefined

function crc32(data: Uint8Array, start: number): number {
  table ??= Uint32Array.from({ length: 256 }, (_, n) => {
    let c = n
    for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
    return c
  })
  let c = ~start
  for (const b of data) c = table[(c ^ b) & 0xff]! ^ (c >>> 8)
  return ~c >>> 0
}

function adler32(data: Uint8Array, start: number): number {
  let a = start & 0xffff
  let b = start >>> 16
  for (const x of data) {
    a = (a + x) % 65521
    b = (b + a) % 65521
  }
  return b * 65536 + a
}

export const zlib: Module = module('zlib', {
  crc32: builtin('crc32', 'data, value=, /', (data, start) =>
    crc32(bytesOf(data), optionalInt(start, 0, 'crc32', 'value')),
  ),
  adler32: builtin('adler32', 'data, value=, /', (data, start) =>
    adler32(bytesOf(data), optionalInt(start, 1, 'adler32', 'value')),
  ),
})

export const hashlib: Module = module('hashlib', members)
