// The module `struct`: values as the bytes of C's structures, and back. Native sizes and alignment (`@`, or no prefix)
// are those of 64-bit little-endian machines, for which most programs were written.

import { asIndex, wantInt } from '../calls/expect.js'
import { builtin } from '../calls/signature.js'
import { exceptionClass } from '../classes/known-classes.js'
import { moduleClass } from '../classes/module-class.js'
import { fieldsOf } from '../classes/object-attributes.js'
import { Iterator } from '../operators/iterators.js'
import { truth } from '../operators/membership.js'
import { toDouble } from '../operators/operands.js'
import { guestError, typeError } from '../values/errors.js'
import { type Literal, type Said, said, word } from '../values/said.js'
import {
  Bytes,
  big,
  float,
  floatValue,
  isInt,
  normal,
  type Tuple,
  tuple,
  typeOf,
  unbool,
  type Value,
} from '../values/values.js'
import { type Module, module } from './module.js'

interface Field {
  readonly code: string
  /** The offset of the value. */
  readonly at: number
  /** The number of bytes of one value; for `s` and `p`, of the whole text. */
  readonly size: number
}

interface Layout {
  readonly text: string
  readonly little: boolean
  readonly size: number
  readonly fields: readonly Field[]
}

const standard: Readonly<Record<string, number>> = {
  ...{ x: 1, c: 1, b: 1, B: 1, '?': 1, h: 2, H: 2, i: 4, I: 4, l: 4, L: 4, q: 8, Q: 8, f: 4, d: 8, s: 1, p: 1 },
}
const native: Readonly<Record<string, number>> = { ...standard, l: 8, L: 8, n: 8, N: 8, P: 8 }

const signed = 'bhilqn'

function failure<M extends string>(message: Said | Literal<M>): never {
  throw guestError('error', message)
}

function readLayout(format: Value): Layout {
  const text = format instanceof Bytes ? String.fromCharCode(...format.b) : format
  if (typeof text !== 'string')
    return typeError(said`Struct() argument 1 must be a str or bytes object, not ${typeOf(format)}`)
  const mark = /^[@=<>!]/.exec(text)?.[0]
  const aligned = mark === undefined || mark === '@'
  const sizes = aligned ? native : standard
  const fields: Field[] = []
  let size = 0
  const body = text.slice(mark === undefined ? 0 : 1)
  if (/\d\s*$/.test(body)) failure('repeat count given without format specifier')
  for (const [, count, code] of body.matchAll(/(\d*)(\D)/g)) {
    if (/\s/.test(code!)) continue
    const one = sizes[code!]
    if (one === undefined) return failure('bad char in struct format')
    const times = count === '' ? 1 : Number(count)
    if (aligned) size = Math.ceil(size / one) * one
    if (size + one * times > 0x7fffffff) failure('total struct size too long')
    if (code === 's' || code === 'p') fields.push({ code, at: size, size: times })
    else if (code !== 'x') for (let i = 0; i < times; i++) fields.push({ code: code!, at: size + i * one, size: one })
    size += one * times
  }
  return { text, little: aligned || mark === '<' || mark === '=', size, fields }
}

// ---- packing ---------------------------------------------------------------------------------------------------

const shortNames: Readonly<Record<string, string>> = { b: 'byte', B: 'ubyte', h: 'short', H: 'ushort' }

/** CPython's message, which depends on the C type of the number. */
function outOfRange(layout: Layout, code: string, size: number, n: bigint, range: string): Said {
  if (shortNames[code] !== undefined) return said`${word(shortNames[code])} format requires ${word(range)}`
  if (size === 8) return layout.little ? said`argument out of range` : said`int too large to convert`
  return n < 0n && !signed.includes(code)
    ? said`argument out of range`
    : said`'${word(code)}' format requires ${word(range)}`
}

function packInt(view: DataView, layout: Layout, { code, at, size }: Field, x0: Value): void {
  const x = unbool(asIndex(x0))
  if (!isInt(x)) return failure('required argument is not an integer')
  const n = big(x)
  const bits = BigInt(8 * size)
  const isSigned = signed.includes(code)
  const low = isSigned ? -(1n << (bits - 1n)) : 0n
  const high = (1n << (isSigned ? bits - 1n : bits)) - 1n
  if (n < low || n > high) return failure(outOfRange(layout, code, size, n, `${low} <= number <= ${high}`))
  for (let i = 0; i < size; i++) {
    const place = layout.little ? i : size - 1 - i
    view.setUint8(at + place, Number((n >> BigInt(8 * i)) & 255n))
  }
}

function packFloat(view: DataView, layout: Layout, { code, at }: Field, x0: Value): void {
  const x = unbool(x0)
  const v = floatValue(x) ?? (isInt(x) ? toDouble(x) : failure('required argument is not a float'))
  if (code === 'd') {
    view.setFloat64(at, v, layout.little)
    return
  }
  if (Number.isFinite(v) && !Number.isFinite(Math.fround(v)))
    throw guestError('OverflowError', 'float too large to pack with f format')
  view.setFloat32(at, v, layout.little)
}

function packText(b: Uint8Array, { code, at, size }: Field, x: Value): void {
  if (!(x instanceof Bytes)) return failure(said`argument for '${word(code)}' must be a bytes object`)
  if (code === 's') b.set(x.b.subarray(0, size), at)
  else if (size > 0) {
    const kept = x.b.subarray(0, Math.min(size - 1, 255))
    b[at] = kept.length
    b.set(kept, at + 1)
  }
}

function pack(layout: Layout, values: readonly Value[]): Value {
  const { fields, size } = layout
  if (values.length !== fields.length)
    return failure(said`pack expected ${fields.length} items for packing (got ${values.length})`)
  const b = new Uint8Array(size)
  const view = new DataView(b.buffer)
  fields.forEach((field, i) => {
    const x = values[i]!
    switch (field.code) {
      case 'c':
        if (!(x instanceof Bytes) || x.b.length !== 1) failure('char format requires a bytes object of length 1')
        else b[field.at] = x.b[0]!
        break
      case '?':
        b[field.at] = truth(x) ? 1 : 0
        break
      case 'f':
      case 'd':
        packFloat(view, layout, field, x)
        break
      case 's':
      case 'p':
        packText(b, field, x)
        break
      default:
        packInt(view, layout, field, x)
    }
  })
  return new Bytes(b)
}

// ---- unpacking -------------------------------------------------------------------------------------------------

function unpackInt(b: Uint8Array, layout: Layout, { code, at, size }: Field): Value {
  let n = 0n
  for (let i = 0; i < size; i++) n = (n << 8n) | BigInt(b[at + (layout.little ? size - 1 - i : i)]!)
  return normal(signed.includes(code) ? BigInt.asIntN(8 * size, n) : n)
}

function unpackAt(layout: Layout, all: Uint8Array, offset: number): Tuple {
  const b = all.slice(offset, offset + layout.size)
  const view = new DataView(b.buffer)
  return tuple(
    layout.fields.map((field) => {
      const { code, at, size } = field
      switch (code) {
        case 'c':
        case 's':
          return new Bytes(b.slice(at, at + size))
        case 'p':
          return new Bytes(size === 0 ? new Uint8Array(0) : b.slice(at + 1, at + 1 + Math.min(b[at]!, size - 1)))
        case '?':
          return b[at] !== 0
        case 'f':
          return float(view.getFloat32(at, layout.little))
        case 'd':
          return float(view.getFloat64(at, layout.little))
        default:
          return unpackInt(b, layout, field)
      }
    }),
  )
}

function bytesOf(x: Value): Uint8Array {
  return x instanceof Bytes ? x.b : typeError(said`a bytes-like object is required, not '${typeOf(x)}'`)
}

function unpack(layout: Layout, buffer: Value): Value {
  const b = bytesOf(buffer)
  if (b.length !== layout.size) return failure(said`unpack requires a buffer of ${layout.size} bytes`)
  return unpackAt(layout, b, 0)
}

function unpackFrom(layout: Layout, buffer: Value, offset: Value | undefined): Value {
  const b = bytesOf(buffer)
  const given = offset === undefined ? 0 : wantInt(offset, 'unpack_from', 'offset')
  const at = given < 0 ? given + b.length : given
  if (at < 0) return failure(said`offset ${given} out of range for ${b.length}-byte buffer`)
  if (b.length - at < layout.size)
    return failure(
      said`unpack_from requires a buffer of at least ${at + layout.size} bytes for unpacking ${layout.size} bytes at offset ${at} (actual buffer size is ${b.length})`,
    )
  return unpackAt(layout, b, at)
}

function iterUnpack(layout: Layout, buffer: Value): Value {
  const b = bytesOf(buffer)
  if (layout.size === 0) return failure('cannot iteratively unpack with a struct of length 0')
  if (b.length % layout.size !== 0)
    return failure(said`iterative unpacking requires a buffer of a multiple of ${layout.size} bytes`)
  let at = 0
  return new Iterator('unpack_iterator', () => {
    if (at >= b.length) return undefined
    at += layout.size
    return unpackAt(layout, b, at - layout.size)
  })
}

// ---- the class and the functions -------------------------------------------------------------------------------

const errorType = exceptionClass('error')
const layouts = new WeakMap<object, Layout>()
const layoutOf = (x: Value | undefined): Layout => layouts.get(x as object)!

const { cls, define } = moduleClass('Struct', '_struct')
define('__init__', 'self, format', (self, format) => {
  const layout = readLayout(format!)
  layouts.set(self as object, layout)
  Object.assign(fieldsOf(self!), { format: layout.text, size: layout.size })
  return null
})
define('pack', 'self, *values', (self, values) => pack(layoutOf(self), (values as Tuple).slice(1)))
define('unpack', 'self, buffer, /', (self, buffer) => unpack(layoutOf(self), buffer!))
define('unpack_from', 'self, /, buffer, offset=', (self, buffer, offset) => unpackFrom(layoutOf(self), buffer!, offset))
define('iter_unpack', 'self, buffer, /', (self, buffer) => iterUnpack(layoutOf(self), buffer!))

export const struct: Module = module('struct', {
  Struct: cls.$value,
  error: errorType.$value,
  calcsize: builtin('calcsize', 'format, /', (format) => readLayout(format!).size),
  pack: builtin('pack', 'format, /, *values', (format, values) =>
    pack(readLayout(format!), (values as Tuple).slice(1)),
  ),
  unpack: builtin('unpack', 'format, buffer, /', (format, buffer) => unpack(readLayout(format!), buffer!)),
  unpack_from: builtin('unpack_from', 'format, /, buffer, offset=', (format, buffer, offset) =>
    unpackFrom(readLayout(format!), buffer!, offset),
  ),
  iter_unpack: builtin('iter_unpack', 'format, buffer, /', (format, buffer) =>
    iterUnpack(readLayout(format!), buffer!),
  ),
})
