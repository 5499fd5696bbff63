// The module `uuid`: UUIDs as values, UUIDs from names, and random ones if a person allows them. There are no UUIDs
// from the time.

import { md5, sha1 } from '@noble/hashes/legacy.js'
import { wantString } from '../calls/expect.js'
import { builtin } from '../calls/signature.js'
import { attachClass, Class } from '../classes/classes.js'
import { builtinClass } from '../classes/known-classes.js'
import { chanceBits } from '../host/chance.js'
import { encodeText } from '../text/codecs.js'
import { raise, typeError, valueError } from '../values/errors.js'
import { PROTOCOL, type Protocol } from '../values/protocol.js'
import { asName, inQuotes, said } from '../values/said.js'
import { Bytes, big, isInt, nameClass, normal, TUPLE, type Value } from '../values/values.js'
import { answer } from './kinds.js'
import { type Module, module } from './module.js'

class Uuid {
  readonly $n: bigint
  constructor(n: bigint) {
    this.$n = n
  }
}

function hex(u: Uuid): string {
  return u.$n.toString(16).padStart(32, '0')
}

function text(u: Uuid): string {
  const h = hex(u)
  return `${h.slice(0, 8)}-${h.slice(8, 12)}-${h.slice(12, 16)}-${h.slice(16, 20)}-${h.slice(20)}`
}

function bytesOf(u: Uuid): Uint8Array {
  return Uint8Array.from(hex(u).match(/../g)!, (pair) => Number.parseInt(pair, 16))
}

function fromBytes(b: Uint8Array): bigint {
  let n = 0n
  for (const byte of b) n = (n << 8n) | BigInt(byte)
  return n
}

/** The bytes with each of the first three fields reversed. */
function swapped(b: Uint8Array): Uint8Array {
  return Uint8Array.from([b[3]!, b[2]!, b[1]!, b[0]!, b[5]!, b[4]!, b[7]!, b[6]!, ...b.slice(8)])
}

function parsed(x: Value): bigint {
  if (typeof x !== 'string')
    return typeError('replace() argument 1 must be str: give the hexadecimal digits of the UUID')
  const digits = x
    .replace(/urn:|uuid:/g, '')
    .replace(/^[{}]+|[{}]+$/g, '')
    .replace(/-/g, '')
  if (digits.length !== 32) valueError('badly formed hexadecimal UUID string')
  if (!/^[0-9a-fA-F]+$/.test(digits)) valueError(said`invalid literal for int() with base 16: ${inQuotes(digits)}`)
  return BigInt(`0x${digits}`)
}

function sixteen(x: Value, name: string): Uint8Array {
  if (x instanceof Bytes && x.b.length === 16) return x.b
  return valueError(said`${asName(name)} is not a 16-char string`)
}

function withVersion(n: bigint, version: number): bigint {
  const variant = (n & ~(0xc000n << 48n)) | (0x8000n << 48n)
  return (variant & ~(0xf000n << 64n)) | (BigInt(version) << 76n)
}

const value = builtin(
  'UUID',
  'hex=, bytes=, bytes_le=, fields=, int=, version=',
  (digits, bytes, littleEndian, fields, int, version) => {
    const given = [digits, bytes, littleEndian, fields, int].filter((x) => x !== undefined && x !== null)
    if (given.length !== 1) typeError('one of the hex, bytes, bytes_le, fields, or int arguments must be given')
    let n: bigint
    if (digits !== undefined && digits !== null) n = parsed(digits)
    else if (bytes !== undefined && bytes !== null) n = fromBytes(sixteen(bytes, 'bytes'))
    else if (littleEndian !== undefined && littleEndian !== null)
      n = fromBytes(swapped(sixteen(littleEndian, 'bytes_le')))
    else if (int !== undefined && int !== null) n = isInt(int) ? big(int) : typeError('int must be an int')
    else return typeError('fields are not supported: use int or bytes')
    if (n < 0n || n >= 1n << 128n) valueError('int is out of range (need a 128-bit value)')
    return new Uuid(version === undefined || version === null ? n : withVersion(n, version as number))
  },
)
const cls = new Class('UUID', 'builtin', [builtinClass('object')])
attachClass(value, cls)

const isRfc = (u: Uuid): boolean => (u.$n >> 62n) % 4n === 2n

const attributes: Readonly<Record<string, (u: Uuid) => Value>> = {
  hex,
  int: (u) => normal(u.$n),
  bytes: (u) => new Bytes(bytesOf(u)),
  bytes_le: (u) => new Bytes(swapped(bytesOf(u))),
  urn: (u) => `urn:uuid:${text(u)}`,
  version: (u) => (isRfc(u) ? Number((u.$n >> 76n) & 15n) : null),
  variant: (u) =>
    isRfc(u)
      ? 'specified in RFC 4122'
      : (u.$n >> 63n) % 2n === 0n
        ? 'reserved for NCS compatibility'
        : 'reserved for Microsoft compatibility',
  time_low: (u) => normal(u.$n >> 96n),
  time_mid: (u) => normal((u.$n >> 80n) & 0xffffn),
  time_hi_version: (u) => normal((u.$n >> 64n) & 0xffffn),
  node: (u) => normal(u.$n & 0xffffffffffffn),
}

const protocol: Protocol = {
  truth: () => true,
  classValue: () => cls.$value,
  getAttribute: (x, name) => (Object.hasOwn(attributes, name) ? attributes[name]!(x as Uuid) : undefined),
  attributeNames: () => Object.keys(attributes),
  equals: (x, other) => (other instanceof Uuid ? (x as Uuid).$n === other.$n : undefined),
  order: (x, other, operator) =>
    other instanceof Uuid
      ? answer((x as Uuid).$n < other.$n ? -1 : (x as Uuid).$n > other.$n ? 1 : 0, operator)
      : undefined,
  hashKey: (x) => [TUPLE, 'uuid', hex(x as Uuid)],
  unary: (operator, x) => (operator === 'int' ? normal((x as Uuid).$n) : undefined),
  str: (x) => text(x as Uuid),
  repr: (x) => `UUID('${text(x as Uuid)}')`,
}
Object.defineProperty(Uuid.prototype, PROTOCOL, { value: protocol })
nameClass((x) => x instanceof Uuid, 'UUID')

/** The UUID of a name within a namespace. */
function fromName(name: string, version: number, digest: (b: Uint8Array) => Uint8Array): Value {
  return builtin(name, 'namespace, name', (space, text) => {
    if (!(space instanceof Uuid)) return typeError('namespace must be a UUID')
    const own = text instanceof Bytes ? text.b : encodeText(wantString(text, name, 'name'), 'utf-8', 'strict').b
    const all = new Uint8Array(16 + own.length)
    all.set(bytesOf(space))
    all.set(own, 16)
    return new Uuid(withVersion(fromBytes(digest(all).slice(0, 16)), version))
  })
}

function random(name: string, make: () => Uuid | undefined = () => undefined): Value {
  return builtin(
    name,
    '*args',
    () =>
      make() ??
      raise('RuntimeError', said`uuid.${asName(name)}() is not available: programs are deterministic`, {
        code: 'no-randomness',
        hint: 'compute one from a name: uuid.uuid5(uuid.NAMESPACE_URL, name)',
      }),
  )
}

const namespace = (digits: string): Value => new Uuid(parsed(digits))

export const uuid: Module = module('uuid', {
  UUID: value,
  uuid1: random('uuid1'),
  uuid3: fromName('uuid3', 3, md5),
  uuid4: random('uuid4', () => {
    const bits = chanceBits(128)
    return bits === undefined ? undefined : new Uuid(withVersion(bits, 4))
  }),
  uuid5: fromName('uuid5', 5, sha1),
  NAMESPACE_DNS: namespace('6ba7b810-9dad-11d1-80b4-00c04fd430c8'),
  NAMESPACE_URL: namespace('6ba7b811-9dad-11d1-80b4-00c04fd430c8'),
  NAMESPACE_OID: namespace('6ba7b812-9dad-11d1-80b4-00c04fd430c8'),
  NAMESPACE_X500: namespace('6ba7b814-9dad-11d1-80b4-00c04fd430c8'),
})
