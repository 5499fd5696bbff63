// The module `base64`, and its functions in `binascii`.

import { wantFlag } from '../calls/expect.js'
import { builtin } from '../calls/signature.js'
import { fromLatin, latin } from '../methods/bytes-methods.js'
import { truth } from '../operators/membership.js'
import { textInside } from '../values/contents.js'
import { type GuestError, guestError, typeError } from '../values/errors.js'
import { type Literal, type Said, said, spelled } from '../values/said.js'
import { Bytes, typeOf, type Value } from '../values/values.js'
import { type Module, module } from './module.js'

const STANDARD = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const URL_SAFE = `${STANDARD.slice(0, 62)}-_`
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const BASE32_HEX = '0123456789ABCDEFGHIJKLMNOPQRSTUV'

function bytesOf(x: Value | undefined): Uint8Array {
  if (x instanceof Bytes) return x.b
  return typeError(
    said`a bytes-like object is required, not '${typeOf(x!)}'`,
    typeof x === 'string' ? 'encode it first: text.encode()' : undefined,
  )
}

/** The argument of a decoding function, which is bytes or text in ASCII. */
function textOf(x: Value | undefined): string {
  if (x instanceof Bytes) return latin(x.b)
  const text = textInside(x) ?? x
  if (typeof text !== 'string')
    return typeError(said`argument should be a bytes-like object or ASCII string, not '${typeOf(x!)}'`)
  if (/[^\0-\x7f]/.test(text)) throw guestError('ValueError', 'string argument should contain only ASCII characters')
  return text
}

/** Bits in groups of `bits`, padded to whole blocks of `block` characters. */
export function encodeBits(b: Uint8Array, alphabet: string, bits: number, block: number): string {
  let text = ''
  let held = 0
  let count = 0
  for (let i = 0; i < b.length; i++) {
    held = ((held << 8) | b[i]!) & 0xffff
    count += 8
    while (count >= bits) {
      count -= bits
      text += alphabet[(held >> count) & ((1 << bits) - 1)]
    }
  }
  if (count > 0) text += alphabet[(held << (bits - count)) & ((1 << bits) - 1)]
  return text + '='.repeat((block - (text.length % block)) % block)
}

function decodeBits(text: string, alphabet: string, bits: number): Bytes {
  const out: number[] = []
  let held = 0
  let count = 0
  for (const c of text) {
    held = ((held << bits) | alphabet.indexOf(c)) & 0xffff
    count += bits
    if (count >= 8) {
      count -= 8
      out.push((held >> count) & 255)
    }
  }
  return new Bytes(Uint8Array.from(out))
}

function binasciiError<M extends string>(message: Said | Literal<M>): GuestError {
  return guestError('Error', message, { code: 'binascii-error' })
}

function decode64(x: Value | undefined, alphabet: string, validate: boolean): Bytes {
  const given = textOf(x)
  if (validate && !/^[A-Za-z0-9+/]*={0,2}$/.test(given)) throw binasciiError('Only base64 data is allowed')
  const out: number[] = []
  let place = 0
  let left = 0
  let pads = 0
  for (const c of given) {
    if (c === '=') {
      // Padding ends the data if it completes a block of four. Elsewhere it is ignored.
      if (place >= 2 && place + ++pads >= 4) return new Bytes(Uint8Array.from(out))
      continue
    }
    const value = alphabet.indexOf(c)
    if (value < 0) continue
    pads = 0
    if (place > 0) out.push(((left << (2 * place)) | (value >> (6 - 2 * place))) & 255)
    left = value
    place = (place + 1) & 3
  }
  if (place === 1) {
    const count = Math.floor(out.length / 3) * 4 + 1
    throw binasciiError(
      said`Invalid base64-encoded string: number of data characters (${count}) cannot be 1 more than a multiple of 4`,
    )
  }
  if (place !== 0) throw binasciiError('Incorrect padding')
  return new Bytes(Uint8Array.from(out))
}

function decode32(x: Value | undefined, alphabet: string, fold: boolean): Bytes {
  const given = fold ? textOf(x).toUpperCase() : textOf(x)
  if (given.length % 8 !== 0) throw binasciiError('Incorrect padding')
  const data = given.replace(/=+$/, '')
  if ([...data].some((c) => !alphabet.includes(c))) throw binasciiError('Non-base32 digit found')
  if (![0, 1, 3, 4, 6].includes(given.length - data.length)) throw binasciiError('Incorrect padding')
  return decodeBits(data, alphabet, 5)
}

const encoder = (name: string, alphabet: string, bits: number, block: number): Value =>
  builtin(name, 's', (s) => fromLatin(encodeBits(bytesOf(s), alphabet, bits, block)))

function altered(x: Value | undefined): string {
  if (x === undefined || x === null) return STANDARD
  const chars = latin(bytesOf(x))
  if (chars.length !== 2) throw guestError('AssertionError', said`${spelled(chars.length)}`)
  return STANDARD.slice(0, 62) + chars
}

export const base64: Module = module('base64', {
  b64encode: builtin('b64encode', 's, altchars=', (s, alt) => fromLatin(encodeBits(bytesOf(s), altered(alt), 6, 4))),
  b64decode: builtin('b64decode', 's, altchars=, validate=', (s, alt, validate) =>
    decode64(
      s,
      altered(typeof alt === 'string' ? fromLatin(textOf(alt)) : alt),
      wantFlag(validate, 'b64decode', 'validate'),
    ),
  ),
  standard_b64encode: encoder('standard_b64encode', STANDARD, 6, 4),
  standard_b64decode: builtin('standard_b64decode', 's', (s) => decode64(s, STANDARD, false)),
  urlsafe_b64encode: encoder('urlsafe_b64encode', URL_SAFE, 6, 4),
  urlsafe_b64decode: builtin('urlsafe_b64decode', 's', (s) => decode64(s, URL_SAFE, false)),
  encodebytes: builtin('encodebytes', 's', (s) => {
    const text = encodeBits(bytesOf(s), STANDARD, 6, 4)
    return fromLatin((text.match(/.{1,76}/g) ?? []).map((l) => `${l}\n`).join(''))
  }),
  decodebytes: builtin('decodebytes', 's', (s) => decode64(fromLatin(latin(bytesOf(s))), STANDARD, false)),
  b32encode: encoder('b32encode', BASE32, 5, 8),
  b32decode: builtin('b32decode', 's, casefold=, map01=', (s, fold) =>
    decode32(s, BASE32, fold !== undefined && truth(fold)),
  ),
  b32hexencode: encoder('b32hexencode', BASE32_HEX, 5, 8),
  b32hexdecode: builtin('b32hexdecode', 's, casefold=', (s, fold) =>
    decode32(s, BASE32_HEX, fold !== undefined && truth(fold)),
  ),
  b16encode: builtin('b16encode', 's', (s) =>
    fromLatin([...bytesOf(s)].map((n) => n.toString(16).toUpperCase().padStart(2, '0')).join('')),
  ),
  b16decode: builtin('b16decode', 's, casefold=', (s, fold) => {
    const text = fold !== undefined && truth(fold) ? textOf(s).toUpperCase() : textOf(s)
    if (/[^0-9A-F]/.test(text)) throw binasciiError('Non-base16 digit found')
    if (text.length % 2 === 1) throw binasciiError('Odd-length string')
    return new Bytes(Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)))
  }),
})
