// The methods of ints, bools and floats, which only Python has. Ints and floats share Number.prototype, so methods test
// which of the two their receiver is.

import { asIndex, wantInt, wantString } from '../calls/expect.js'
import { method, noAttribute, onType } from '../calls/method-tables.js'
import { builtin, type Callable } from '../calls/signature.js'
import { items } from '../containers/iterate.js'
import { decompose } from '../numbers/float-text.js'
import { bitLength } from '../numbers/integers.js'
import { truth } from '../operators/membership.js'
import { excessiveRepeat, MOST_REPEATED } from '../text/fill.js'
import { textInside } from '../values/contents.js'
import { raise, typeError, valueError } from '../values/errors.js'
import { python } from '../values/mode.js'
import {
  Big,
  Bytes,
  big,
  Float,
  float,
  type Int,
  isInt,
  normal,
  primitive,
  TUPLE,
  type Value,
} from '../values/values.js'

type Absent = undefined
type Receiver = Int | boolean | Float

function onInts(name: string, parameters: string, fn: (x: Int, ...args: (Value | Absent)[]) => Value): void {
  const any = function (this: Receiver, ...args: (Value | Absent)[]): Value {
    const x = typeof this === 'boolean' ? (this ? 1 : 0) : this
    if (isInt(x)) return fn(x, ...args)
    const own = floatMethods[name]
    if (own === undefined) throw noAttribute(this, name)
    return own(x instanceof Float ? x.v : (x as number))
  }
  method('int', Number.prototype, name, parameters, any as never)
  method('int', Big.prototype, name, parameters, any as never)
  method('bool', Boolean.prototype, name, parameters, any as never)
}

const floatMethods: Record<string, (v: number) => Value> = {
  is_integer: (v) => Number.isInteger(v),
  as_integer_ratio: ratio,
  conjugate: (v) => float(v),
  hex: hexText,
  __floor__: (v) => intOf(Math.floor(v), v),
  __ceil__: (v) => intOf(Math.ceil(v), v),
  __trunc__: (v) => intOf(Math.trunc(v), v),
}

function intOf(whole: number, v: number): Value {
  if (Number.isNaN(v)) valueError('cannot convert float NaN to integer')
  if (!Number.isFinite(v)) raise('OverflowError', 'cannot convert float infinity to integer')
  return normal(BigInt(whole))
}

function ratio(v: number): Value {
  if (!Number.isFinite(v)) {
    if (Number.isNaN(v)) valueError('cannot convert NaN to integer ratio')
    raise('OverflowError', 'cannot convert Infinity to integer ratio')
  }
  let { mantissa, exponent } = decompose(Math.abs(v))
  while (exponent < 0 && mantissa % 2n === 0n) {
    mantissa /= 2n
    exponent++
  }
  const top = exponent > 0 ? mantissa << BigInt(exponent) : mantissa
  return [TUPLE, normal(v < 0 ? -top : top), normal(exponent < 0 && mantissa !== 0n ? 1n << BigInt(-exponent) : 1n)]
}

function hexText(v: number): string {
  if (!Number.isFinite(v)) return Number.isNaN(v) ? 'nan' : v < 0 ? '-inf' : 'inf'
  const sign = v < 0 || (v === 0 && 1 / v < 0) ? '-' : ''
  if (v === 0) return `${sign}0x0.0p+0`
  const { mantissa, exponent } = decompose(Math.abs(v))
  const normalised = mantissa >= 1n << 52n
  const e = normalised ? exponent + 52 : -1022
  const digits = (mantissa & ((1n << 52n) - 1n)).toString(16).padStart(13, '0')
  return `${sign}0x${normalised ? 1 : 0}.${digits}p${e < 0 ? '-' : '+'}${Math.abs(e)}`
}

function byteLength(x: Value | Absent): number {
  if (x === undefined) return 1
  const n = wantInt(x, 'to_bytes', 'length')
  if (n > MOST_REPEATED) throw excessiveRepeat(1, BigInt(n))
  return n < 0 ? valueError('length argument must be non-negative') : n
}

function isLittle(order: Value | Absent): boolean {
  const name = order === undefined ? 'big' : wantString(order, 'to_bytes', 'byteorder')
  if (name !== 'little' && name !== 'big') valueError("byteorder must be either 'little' or 'big'")
  return name === 'little'
}

/** Registers the methods. */
function defineNumberMethods(): void {
  for (const name of ['__floor__', '__ceil__', '__trunc__', '__index__', '__int__']) onInts(name, '/', (x) => x)
  onInts('bit_length', '/', (x) => bitLength(primitive(x)))
  onInts('bit_count', '/', (x) => primitive(x).toString(2).replace(/[0-]/g, '').length)
  onInts('conjugate', '/', (x) => x)
  onInts('is_integer', '/', () => true)
  onInts('as_integer_ratio', '/', (x) => [TUPLE, x, 1])
  onInts('hex', '/', (x) => {
    throw noAttribute(x, 'hex')
  })
  onInts('to_bytes', 'length=, byteorder=, *, signed=', (x, length, order, signed) => {
    const n = byteLength(length)
    const isSigned = signed !== undefined && truth(signed)
    let v = big(x)
    if (v < 0n && !isSigned) raise('OverflowError', "can't convert negative int to unsigned")
    const bits = BigInt(8 * n)
    const top = isSigned ? 1n << (bits === 0n ? 0n : bits - 1n) : 1n << bits
    if (v >= top || (isSigned && v < -top) || (n === 0 && v !== 0n)) raise('OverflowError', 'int too big to convert')
    if (v < 0n) v += 1n << bits
    const b = new Uint8Array(n)
    const little = isLittle(order)
    for (let i = 0; i < n; i++) {
      b[little ? i : n - 1 - i] = Number(v & 255n)
      v >>= 8n
    }
    return new Bytes(b)
  })
  for (const name of Object.keys(floatMethods)) {
    const fn = function (this: Receiver): Value {
      return floatMethods[name]!(this instanceof Float ? this.v : (this as number))
    }
    method('float', Float.prototype, name, '/', fn as never)
  }
}

function byte(x: Value): number {
  const n = wantInt(asIndex(x), 'from_bytes', 'bytes')
  return n < 0 || n > 255 ? valueError('bytes must be in range(0, 256)') : n
}

/** `int.from_bytes`. */
const fromBytes: Callable = builtin('from_bytes', 'bytes, byteorder=, *, signed=', (source, order, signed) => {
  if (typeof source === 'string' || textInside(source) !== undefined) typeError("cannot convert 'str' object to bytes")
  const b = source instanceof Bytes ? source.b : Uint8Array.from(items(source!), byte)
  const little = isLittle(order)
  let v = 0n
  for (let i = 0; i < b.length; i++) v = (v << 8n) | BigInt(b[little ? b.length - 1 - i : i]!)
  if (signed !== undefined && truth(signed) && b.length > 0 && v >> BigInt(8 * b.length - 1))
    v -= 1n << BigInt(8 * b.length)
  return normal(v)
})

const floatFromhex: Callable = builtin('fromhex', 'string, /', (text0) => {
  const text = wantString(text0, 'fromhex', 'string')
  const m = /^\s*([+-]?)(?:0x)?([0-9a-f]*)\.?([0-9a-f]*)(?:p([+-]?\d+))?\s*$/i.exec(text)
  if (m === null || (m[2] === '' && m[3] === '')) {
    const word = /^\s*([+-]?)(inf(?:inity)?|nan)\s*$/i.exec(text)
    if (word === null) return valueError('invalid hexadecimal floating-point string')
    return float(word[2]!.toLowerCase() === 'nan' ? Number.NaN : word[1] === '-' ? -Infinity : Infinity)
  }
  const digits = BigInt(`0x${m[2]}${m[3]}`)
  const exponent = Number(m[4] ?? 0) - 4 * m[3]!.length
  const size = exponent >= 0 ? Number(digits << BigInt(Math.min(exponent, 5000))) : scaledDown(digits, -exponent)
  if (size === Infinity) raise('OverflowError', 'hexadecimal value too large to represent as a float')
  return float(m[1] === '-' ? -size : size)
})

/** digits / 2**shift, correctly rounded. */
function scaledDown(digits: bigint, shift: number): number {
  const excess = digits.toString(2).length - 64
  if (shift <= 1000 || excess <= 0) return Number(digits) / 2 ** Math.min(shift, 1000) / 2 ** Math.max(0, shift - 1000)
  return (Number(digits >> BigInt(excess)) / 2 ** 1000) * 2 ** (excess - shift + 1000)
}
if (python) defineNumberMethods()
onType('int', 'from_bytes', fromBytes)
onType('float', 'fromhex', floatFromhex)
