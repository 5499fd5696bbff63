// The module `hashlib`.

import { typeError, valueError } from '../errors.js'
import { wantString } from '../expect.js'
import { boundMethod, method } from '../methods.js'
import { PROTOCOL, type Protocol } from '../protocol.js'
import { setOf } from '../set.js'
import { builtin } from '../signature.js'
import { Bytes, nameClass, typeName, type Value } from '../values.js'
import { md5, sha1, sha224, sha256, sha384, sha512 } from './digests.js'
import { type Module, module } from './module.js'

interface Algorithm {
  readonly name: string
  readonly size: number
  readonly block: number
  readonly digest: (message: Uint8Array) => Uint8Array
}

const algorithms: readonly Algorithm[] = [
  { name: 'md5', size: 16, block: 64, digest: md5 },
  { name: 'sha1', size: 20, block: 64, digest: sha1 },
  { name: 'sha224', size: 28, block: 64, digest: sha224 },
  { name: 'sha256', size: 32, block: 64, digest: sha256 },
  { name: 'sha384', size: 48, block: 128, digest: sha384 },
  { name: 'sha512', size: 64, block: 128, digest: sha512 },
]

/** What has been given so far; the digest is computed when it is asked for. */
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
    : typeError(`object supporting the buffer API required, not '${typeName(x)}'`)
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
      ? valueError(`unsupported hash type ${name as string}`)
      : new Hash(algorithm, bytesOf(data))
  }),
}
for (const algorithm of algorithms) {
  members[algorithm.name] = builtin(
    algorithm.name,
    'string=, *, usedforsecurity=',
    (data) => new Hash(algorithm, bytesOf(data)),
  )
}

export const hashlib: Module = module('hashlib', members)
