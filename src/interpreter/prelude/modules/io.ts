// The module `io`: `StringIO` and `BytesIO`, files in memory. `open` does not exist.

import { wantInt } from '../calls/expect.js'
import { boundMethod, method } from '../calls/method-tables.js'
import { builtin } from '../calls/signature.js'
import { attachClass, Class } from '../classes/classes.js'
import { builtinClass } from '../classes/known-classes.js'
import { items } from '../containers/iterate.js'
import { fromLatin, latin } from '../methods/bytes-methods.js'
import { allOf } from '../operators/iterators.js'
import { fill } from '../text/fill.js'
import { typeError, valueError } from '../values/errors.js'
import { PROTOCOL, type Protocol } from '../values/protocol.js'
import { said, spelled } from '../values/said.js'
import { Bytes, nameClass, typeOf, type Value } from '../values/values.js'
import { type Module, module } from './module.js'

/** A text with a position. A `BytesIO` has one character for each byte. */
class MemoryFile {
  readonly $bytes: boolean
  $text: string
  $at = 0
  $closed = false
  readonly $type: string
  constructor(bytes: boolean, text: string, type = '_io.StringIO') {
    this.$type = type
    this.$bytes = bytes
    this.$text = text
  }
}

/** A stream that holds a text. */
export function textStream(text: string): MemoryFile {
  return new MemoryFile(false, text, 'TextIOWrapper')
}

function open(f: MemoryFile): void {
  if (f.$closed) valueError('I/O operation on closed file.')
}

function given(f: MemoryFile, x: Value | undefined): string {
  if (f.$bytes)
    return x instanceof Bytes ? latin(x.b) : typeError(said`a bytes-like object is required, not '${typeOf(x!)}'`)
  return typeof x === 'string' ? x : typeError(said`string argument expected, got '${typeOf(x!)}'`)
}

function result(f: MemoryFile, text: string): Value {
  return f.$bytes ? fromLatin(text) : text
}

function read(f: MemoryFile, size: Value | undefined): string {
  const n = size === undefined || size === null ? -1 : wantInt(size, 'read', 'size')
  const end = n < 0 ? f.$text.length : Math.min(f.$text.length, f.$at + n)
  const text = f.$text.slice(f.$at, end)
  f.$at = Math.max(f.$at, end)
  return text
}

function readLine(f: MemoryFile, size?: Value): string {
  const at = f.$text.indexOf('\n', f.$at)
  const end = at < 0 ? f.$text.length : at + 1
  const n = size === undefined || size === null ? -1 : wantInt(size, 'readline', 'size')
  const text = f.$text.slice(f.$at, n < 0 ? end : Math.min(end, f.$at + n))
  f.$at += text.length
  return text
}

function write(f: MemoryFile, text: string): number {
  if (f.$at > f.$text.length) f.$text += fill('\0', f.$at - f.$text.length)
  f.$text =
    f.$at === f.$text.length ? f.$text + text : f.$text.slice(0, f.$at) + text + f.$text.slice(f.$at + text.length)
  f.$at += text.length
  return text.length
}

function seek(f: MemoryFile, offset: number, whence: number): number {
  if (whence === 0 && offset < 0) valueError(said`Negative seek position ${spelled(offset)}`)
  if (whence !== 0 && !f.$bytes && offset !== 0) valueError("Can't do nonzero cur-relative seeks")
  f.$at = Math.max(0, offset + (whence === 0 ? 0 : whence === 1 ? f.$at : f.$text.length))
  return f.$at
}

function classFor(name: string, isBytes: boolean): Value {
  const value = builtin(name, isBytes ? 'initial_bytes=' : 'initial_value=, newline=', (x) => {
    const f = new MemoryFile(isBytes, '')
    if (x !== undefined && x !== null) f.$text = given(f, x)
    return f
  })
  classes[name] = new Class(name, 'builtin', [builtinClass('object')])
  attachClass(value, classes[name]!)
  return value
}
const classes: Record<string, Class> = {}

const protocol: Protocol = {
  truth: () => true,
  items: allOf,
  classValue: (x) => classes[(x as MemoryFile).$bytes ? 'BytesIO' : 'StringIO']!.$value,
  getAttribute: (x, name) => (name === 'closed' ? (x as MemoryFile).$closed : boundMethod(x, name)),
  next(x) {
    const line = readLine(x as MemoryFile)
    return line === '' ? undefined : result(x as MemoryFile, line)
  },
  repr: (x) => `<_io.${(x as MemoryFile).$bytes ? 'BytesIO' : 'StringIO'} object>`,
}
Object.defineProperty(MemoryFile.prototype, PROTOCOL, { value: protocol })
nameClass(
  (x) => x instanceof MemoryFile,
  (x) => (x as MemoryFile).$type,
)

function define(name: string, parameters: string, fn: (f: MemoryFile, a?: Value, b?: Value) => Value): void {
  method('_io.StringIO', MemoryFile.prototype, name, parameters, function (this: MemoryFile, a?: Value, b?: Value) {
    open(this)
    return fn(this, a, b)
  } as never)
}

define('write', 's, /', (f, s) => write(f, given(f, s)))
define('writelines', 'lines, /', (f, lines) => {
  for (const l of items(lines!)) write(f, given(f, l))
  return null
})
define('read', 'size=, /', (f, size) => result(f, read(f, size)))
define('readline', 'size=, /', (f, size) => result(f, readLine(f, size)))
define('readlines', 'hint=, /', (f) => {
  return allOf(f)
})
define('getvalue', '/', (f) => result(f, f.$text))
define('seek', 'offset, whence=, /', (f, offset, whence) =>
  seek(f, wantInt(offset!, 'seek', 'offset'), whence === undefined ? 0 : wantInt(whence, 'seek', 'whence')),
)
define('tell', '/', (f) => f.$at)
define('truncate', 'size=, /', (f, size) => {
  const n = size === undefined || size === null ? f.$at : wantInt(size, 'truncate', 'size')
  f.$text = f.$text.slice(0, n)
  return n
})
define('flush', '/', () => null)
define('isatty', '/', () => false)
for (const name of ['readable', 'writable', 'seekable']) define(name, '/', () => true)
define('__enter__', '/', (f) => f)
method('_io.StringIO', MemoryFile.prototype, '__exit__', '*args', function (this: MemoryFile) {
  this.$closed = true
  return null
} as never)
method('_io.StringIO', MemoryFile.prototype, 'close', '/', function (this: MemoryFile) {
  this.$closed = true
  return null
} as never)

export const io: Module = module('io', {
  StringIO: classFor('StringIO', false),
  BytesIO: classFor('BytesIO', true),
  SEEK_SET: 0,
  SEEK_CUR: 1,
  SEEK_END: 2,
})
