// The module `binascii`: bytes as hexadecimal digits or base64, and their checksum, built on `bytes`, base64 and zlib.

import { builtin, call, type Native } from '../calls/signature.js'
import { attribute } from '../classes/attributes.js'
import { exceptionClasses } from '../classes/exceptions.js'
import { fromhex, fromLatin, latin } from '../methods/bytes-methods.js'
import { truth } from '../operators/membership.js'
import { guestError } from '../values/errors.js'
import { Bytes, type Value } from '../values/values.js'
import { base64 } from './base64.js'
import { zlib } from './hashlib.js'
import { type Module, module } from './module.js'

function hexlify(name: string): Value {
  return builtin(name, 'data, sep=, bytes_per_sep=', (data, sep, size) => {
    const rest = sep === undefined ? [] : size === undefined ? [sep] : [sep, size]
    return fromLatin(call(attribute(data!, 'hex'), rest) as string)
  })
}

function unhexlify(name: string): Value {
  return builtin(name, 'hexstr, /', (given) => {
    const digits = given instanceof Bytes ? latin(given.b) : (given as string)
    if (digits.length % 2 === 1) throw guestError('Error', 'Odd-length string')
    if (/[^0-9a-fA-F]/.test(digits)) throw guestError('Error', 'Non-hexadecimal digit found')
    return (fromhex as unknown as Native)(digits)
  })
}

export const binascii: Module = module('binascii', {
  hexlify: hexlify('hexlify'),
  b2a_hex: hexlify('b2a_hex'),
  unhexlify: unhexlify('unhexlify'),
  a2b_hex: unhexlify('a2b_hex'),
  b2a_base64: builtin('b2a_base64', 'data, /, *, newline=', (data, newline) => {
    const text = call(attribute(base64, 'b64encode'), [data!]) as Bytes
    return newline === undefined || truth(newline) ? fromLatin(`${latin(text.b)}\n`) : text
  }),
  a2b_base64: builtin('a2b_base64', 'data, /', (data) => call(attribute(base64, 'b64decode'), [data!])),
  crc32: attribute(zlib, 'crc32'),
  Error: exceptionClasses.Error!,
})
