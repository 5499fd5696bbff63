// The methods of `bytearray` that change it. bytes-methods.ts has the methods that it shares with bytes.

import { asIndex, given, wantInt } from '../calls/expect.js'
import { method } from '../calls/method-tables.js'
import { splice } from '../containers/byte-arrays.js'
import { items } from '../containers/iterate.js'
import { Slice } from '../operators/slices.js'
import { sliceBounds } from '../operators/subscript.js'
import { raise, typeError, valueError } from '../values/errors.js'
import { python } from '../values/mode.js'
import { PROTOCOL, type Protocol } from '../values/protocol.js'
import { said, word } from '../values/said.js'
import { Big, ByteArray, Bytes, isInt, toNumber, typeOf, unbool, type Value } from '../values/values.js'

function byte(x0: Value): number {
  const x = unbool(asIndex(x0))
  if (!isInt(x)) return typeError(said`'${typeOf(x0)}' object cannot be interpreted as an integer`)
  const n = toNumber(x)
  return n < 0 || n > 255 ? valueError('byte must be in range(0, 256)') : n
}

function bytesOf(x: Value, name: string): Uint8Array {
  if (x instanceof Bytes) return x.b
  if (isInt(unbool(x))) return typeError(said`can't ${word(name)} bytearray with ${typeOf(x)}`)
  return Uint8Array.from(items(x), byte)
}

function place(x: ByteArray, i: Value, what: string): number {
  if (!isInt(unbool(asIndex(i)))) return typeError(said`bytearray indices must be integers or slices, not ${typeOf(i)}`)
  const n = i instanceof Big ? x.b.length : wantInt(i, what, 'i')
  const at = n < 0 ? n + x.b.length : n
  return at < 0 || at >= x.b.length ? raise('IndexError', said`${word(what)} index out of range`) : at
}

function setPart(x: ByteArray, part: Slice, value: Value): void {
  const { start, stop, step, count } = sliceBounds(x.b.length, part.$start, part.$stop, part.$step)
  if (typeof value === 'string' || isInt(unbool(value)))
    typeError('can assign only bytes, buffers, or iterables of ints in range(0, 256)')
  const bytes = bytesOf(value, 'extend')
  if (step === 1) return splice(x, start, Math.max(start, stop), bytes)
  if (bytes.length !== count)
    valueError(said`attempt to assign bytes of size ${bytes.length} to extended slice of size ${count}`)
  for (let i = 0, at = start; i < count; i++, at += step) x.b[at] = bytes[i]!
}

function deletePart(x: ByteArray, part: Slice): void {
  const { start, step, count } = sliceBounds(x.b.length, part.$start, part.$stop, part.$step)
  const gone = new Set<number>()
  for (let i = 0, at = start; i < count; i++, at += step) gone.add(at)
  x.b = x.b.filter((_, i) => !gone.has(i))
}

const protocol: Protocol = {
  length: (x) => (x as ByteArray).b.length,
  setItem(x0, i, value) {
    const x = x0 as ByteArray
    if (i instanceof Slice) setPart(x, i, value)
    else {
      const at = place(x, i, 'bytearray')
      x.b[at] = byte(value)
    }
    return true
  },
  deleteItem(x0, i) {
    const x = x0 as ByteArray
    if (i instanceof Slice) deletePart(x, i)
    else {
      const at = place(x, i, 'bytearray')
      splice(x, at, at + 1, new Uint8Array(0))
    }
    return true
  },
}

function define(name: string, parameters: string, fn: (x: ByteArray, ...args: (Value | undefined)[]) => Value): void {
  method('bytearray', ByteArray.prototype, name, parameters, function (
    this: ByteArray,
    ...args: (Value | undefined)[]
  ) {
    return fn(this, ...args)
  } as never)
}

function defineChanges(): void {
  Object.defineProperty(ByteArray.prototype, PROTOCOL, { value: protocol })
  define('append', 'item, /', (x, item) => {
    given(item, 'bytearray', 'append')
    splice(x, x.b.length, x.b.length, Uint8Array.of(byte(item)))
    return null
  })
  define('extend', 'iterable_of_ints, /', (x, more) => {
    given(more, 'bytearray', 'extend')
    splice(x, x.b.length, x.b.length, bytesOf(more, 'extend'))
    return null
  })
  define('insert', 'index, item, /', (x, i, item) => {
    given(item, 'bytearray', 'insert', 2)
    const n = wantInt(i!, 'insert', 'index')
    const at = n < 0 ? Math.max(0, n + x.b.length) : Math.min(n, x.b.length)
    splice(x, at, at, Uint8Array.of(byte(item)))
    return null
  })
  define('pop', 'index=, /', (x, i) => {
    if (x.b.length === 0) raise('IndexError', 'pop from empty bytearray')
    const at = i === undefined ? x.b.length - 1 : place(x, i, 'pop')
    const popped = x.b[at]!
    splice(x, at, at + 1, new Uint8Array(0))
    return popped
  })
  define('remove', 'value, /', (x, value) => {
    given(value, 'bytearray', 'remove')
    const at = x.b.indexOf(byte(value))
    if (at < 0) valueError('value not found in bytearray')
    splice(x, at, at + 1, new Uint8Array(0))
    return null
  })
  define('reverse', '/', (x) => {
    x.b.reverse()
    return null
  })
  define('clear', '/', (x) => {
    x.b = new Uint8Array(0)
    return null
  })
  define('copy', '/', (x) => new ByteArray(x.b.slice()))
}

if (python) defineChanges()
