// The builtins of every program (specification: Built-in constants and functions), and Python's in the default dialect.
// Each is declared with its parameters. Absent arguments arrive as `undefined`. ordering.ts has sorting,
// number-builtins.ts conversions, and iteration-builtins.ts iteration.

import { asIndex, wantFlag, wantInt, wantString, wrongType } from '../calls/expect.js'
import { builtin, isCallable, type Native } from '../calls/signature.js'
import {
  attribute,
  attributeNames,
  attributeOrAbsent,
  callAttribute,
  deleteAttribute,
  setAttribute,
} from '../classes/attributes.js'
import { isKind } from '../classes/instances.js'
import { classOf } from '../classes/known-classes.js'
import { dictCopy, dictOf, dictUpdate } from '../containers/dict.js'
import { hash } from '../containers/hashing.js'
import { collect, items, length } from '../containers/iterate.js'
import { frozenSetOf, type GuestSet, setCopy, setOf } from '../containers/set.js'
import { printText } from '../host/output.js'
import { addPairs } from '../methods/dict-methods.js'
import { isFinished, stepper } from '../operators/iterators.js'
import { truth } from '../operators/membership.js'
import { extreme, keyFunction, sortedArray } from '../operators/ordering.js'
import { decodeBytes, encodeText } from '../text/codecs.js'
import { excessiveRepeat, MOST_REPEATED } from '../text/fill.js'
import { formatValue } from '../text/format-spec.js'
import { asciiText, repr, str } from '../text/repr.js'
import { encodeUtf8 } from '../text/utf8.js'
import { textInside } from '../values/contents.js'
import { GuestError, guestError, ownError, raise, typeError, valueError } from '../values/errors.js'
import { python } from '../values/mode.js'
import { protocolOf } from '../values/protocol.js'
import { said, spelled, word } from '../values/said.js'
import {
  ByteArray,
  Bytes,
  FrozenSet,
  isDict,
  isInt,
  nameClass,
  primitive,
  Range,
  sign,
  TUPLE,
  type Tuple,
  toNumber,
  tuple,
  typeName,
  typeOf,
  unbool,
  type Value,
} from '../values/values.js'

type Absent = undefined

const table: Record<string, Value> = {}

function define(name: string, parameters: string, fn: Native): void {
  table[name] = builtin(name, parameters, fn)
}

// ---- text and output -------------------------------------------------------------------------------------------

define('str', python ? 'object=, encoding=, errors=' : 'x, /', (x, encoding, errors) => {
  if (x === undefined) return ''
  if (encoding === undefined && errors === undefined) return str(x)
  if (!(x instanceof Bytes))
    return typeError(
      typeof x === 'string'
        ? 'decoding str is not supported'
        : said`decoding to str: need a bytes-like object, ${typeOf(x)} found`,
    )
  return decodeBytes(
    x.b,
    encoding === undefined ? 'utf-8' : wantString(encoding, 'str', 'encoding'),
    errors === undefined ? 'strict' : wantString(errors, 'str', 'errors'),
  )
})
define('repr', 'x, /', (x) => repr(x!))

define('print', python ? '*args, sep=, end=, file=, flush=' : '*args, sep=', (args, sep, end, file) => {
  const text = joined(args as Tuple, separator(sep, ' ', 'sep'))
  const last = separator(end, '\n', 'end')
  if (file === undefined || file === null) printText(text, last)
  else callAttribute(file, 'write', [text + last])
  return null
})

function separator(x: Value | Absent, usual: string, name: string): string {
  if (x === undefined || (python && x === null)) return usual
  const text = typeof x === 'string' ? x : textInside(x)
  if (text !== undefined) return text
  throw wrongType('print', name, x, 'string', said`${word(name)} must be None or a string, not ${typeOf(x)}`)
}

function joined(args: Tuple, sep: string): string {
  if (args.length === 2) return str(args[1]!)
  let text = ''
  for (let i = 1; i < args.length; i++) text += i === 1 ? str(args[i]!) : sep + str(args[i]!)
  return text
}

define('fail', '*args, sep=', (args, sep) => {
  const text = joined(args as Tuple, sep === undefined ? ' ' : wantString(sep, 'fail', 'sep'))
  throw ownError('RuntimeError', [python ? text : `fail: ${text}`], 'fail')
})

// ---- questions -------------------------------------------------------------------------------------------------

define('len', 'x, /', (x) => length(x!))

define('type', 'x, /', (x) => typeName(x!))
nameClass((x) => isCallable(x) && x.sig.builtin, 'builtin_function_or_method')
nameClass((x) => typeof x === 'function' && '$function' in x, 'method')

define('bool', 'x=, /', (x) => x !== undefined && truth(x))
define('any', 'x, /', (x) => {
  if (!isFinished(x!)) {
    const next = stepper(x!)
    for (let e = next(); e !== undefined; e = next()) if (e === true || truth(e)) return true
    return false
  }
  const all = items(x!)
  for (let i = 0; i < all.length; i++) if (truth(all[i]!)) return true
  return false
})
define('all', 'x, /', (x) => {
  if (!isFinished(x!)) {
    const next = stepper(x!)
    for (let e = next(); e !== undefined; e = next()) if (e !== true && !truth(e)) return false
    return true
  }
  const all = items(x!)
  for (let i = 0; i < all.length; i++) if (!truth(all[i]!)) return false
  return true
})
define('hash', 'x, /', (x) => hash(x!))
define('dir', 'x, /', (x) => {
  const own = python && protocolOf(x!) !== undefined && typeof x === 'object' && '__dir__' in classOf(x!).$members
  return own ? sortedArray(callAttribute(x!, '__dir__', []), undefined, false) : attributeNames(x!)
})
/**
 * The value of an attribute. Undefined if there is none, or if a method or property of a class raises AttributeError.
 */
function presentAttribute(x: Value, name: string): Value | undefined {
  try {
    return attributeOrAbsent(x, name)
  } catch (e) {
    if (isKind(e, 'AttributeError')) return undefined
    throw e
  }
}
define(
  'hasattr',
  'x, name, /',
  (x, name) =>
    presentAttribute(
      x!,
      wantString(name, 'hasattr', 'name', said`attribute name must be string, not '${typeOf(name!)}'`),
    ) !== undefined,
)
define('getattr', 'x, name, default=, /', (x, name, ifAbsent) => {
  const wanted = wantString(name, 'getattr', 'name', said`attribute name must be string, not '${typeOf(name!)}'`)
  if (ifAbsent === undefined) return attribute(x!, wanted)
  const found = presentAttribute(x!, wanted)
  return found === undefined ? ifAbsent : found
})

// ---- making containers -----------------------------------------------------------------------------------------

define('list', python ? 'iterable=, /' : 'x=, /', (x) => (x === undefined ? [] : collect(x)))
define('tuple', python ? 'iterable=, /' : 'x=, /', (x) => {
  if (x === undefined) return [TUPLE]
  return Array.isArray(x) && x[0] === TUPLE && (!python || protocolOf(x) === undefined) ? x : tuple(items(x))
})
define('dict', 'pairs=, /, **kwargs', (pairs, kwargs) => {
  let d: object
  if (pairs === undefined) d = dictOf([])
  else if (isDict(pairs)) d = dictCopy(pairs)
  else {
    d = dictOf([])
    addPairs(d, pairs, 'dict')
  }
  if (kwargs !== undefined) dictUpdate(d, kwargs as object)
  return d
})
define('set', python ? 'iterable=, /' : 'x=, /', (x) => {
  if (x === undefined) return setOf([])
  return x instanceof Set && !(x instanceof FrozenSet) ? setCopy(x as GuestSet) : setOf(items(x))
})

define('range', 'start, stop=, step=, /', (start, stop, step) => {
  const from = stop === undefined ? 0 : rangeBound(start!, 'start')
  const to = rangeBound(stop === undefined ? start! : stop, 'stop')
  const by = step === undefined ? 1 : rangeBound(step, 'step')
  if (by === 0) valueError(python ? 'range() arg 3 must not be zero' : 'range: step argument must not be zero')
  return new Range(from, to, by)
})

/** A bound or step of a range. */
function rangeBound(x0: Value, name: string): number {
  const x = unbool(asIndex(x0))
  if (typeof x === 'number' && Number.isInteger(x)) return x
  if (!isInt(x))
    throw wrongType('range', name, x0, 'int', said`'${typeOf(x0)}' object cannot be interpreted as an integer`)
  if (python) return raise('OverflowError', 'Python int too large to convert to C ssize_t')
  return valueError(
    said`range: ${word(name)} ${spelled(primitive(x))} out of range (want value in signed 54-bit range)`,
  )
}

function bytesFrom(x0?: Value, encoding?: Value, errors?: Value): Bytes {
  const x = textInside(x0) ?? x0
  if (x === undefined) return new Bytes(new Uint8Array(0))
  if (typeof x === 'string') {
    if (!python) return new Bytes(encodeUtf8(x))
    if (encoding === undefined) typeError('string argument without an encoding', 'use text.encode()')
    return encodeText(
      x,
      wantString(encoding, 'bytes', 'encoding'),
      errors === undefined ? 'strict' : wantString(errors, 'bytes', 'errors'),
    )
  }
  if (encoding !== undefined) typeError('encoding without a string argument')
  if (x instanceof Bytes) return x instanceof ByteArray ? new Bytes(x.b.slice()) : x
  if (python && isInt(unbool(asIndex(x)))) {
    const n = wantInt(x, 'bytes', 'source')
    if (n < 0) valueError('negative count')
    if (n > MOST_REPEATED) throw excessiveRepeat(1, BigInt(n))
    return new Bytes(new Uint8Array(n))
  }
  return new Bytes(Uint8Array.from(byteValues(x)))
}

define('bytes', python ? 'source=, encoding=, errors=' : 'x=, /', bytesFrom)
if (python) define('bytearray', 'source=, encoding=, errors=', (...args) => new ByteArray(bytesFrom(...args).b.slice()))

function byteValues(x: Value): number[] {
  let all: readonly Value[]
  try {
    all = items(x)
  } catch (e) {
    if (!(e instanceof GuestError)) throw e
    throw guestError(
      'TypeError',
      python
        ? said`cannot convert '${typeOf(x)}' object to bytes`
        : said`bytes: got ${typeOf(x)}, want string, bytes, or iterable of ints`,
    )
  }
  return all.map((e, i) => {
    const n = unbool(asIndex(e))
    if (!isInt(n))
      throw guestError(
        'TypeError',
        python
          ? said`'${typeOf(e)}' object cannot be interpreted as an integer`
          : said`bytes: at index ${i}, got ${typeOf(e)}, want int`,
      )
    if (sign(n) < 0 || toNumber(n) > 255)
      valueError(
        python
          ? 'bytes must be in range(0, 256)'
          : said`bytes: at index ${i}, ${spelled(primitive(n))} out of range (want value in unsigned 8-bit range)`,
      )
    return Number(n)
  })
}

// ---- order -----------------------------------------------------------------------------------------------------

define('sorted', 'iterable, /, *, key=, reverse=', (x, key, reverse) =>
  sortedArray(
    sortable(x!),
    keyFunction(key, 'sorted'),
    python ? wantFlag(reverse, 'sorted', 'reverse') : reverse !== undefined && truth(reverse),
  ),
)

function sortable(x: Value): Value {
  if (python) return x
  try {
    return items(x) as Value[]
  } catch (e) {
    if (!(e instanceof GuestError)) throw e
    throw guestError('TypeError', said`sorted: for parameter iterable: ${e.said}`)
  }
}

function defineExtreme(name: 'min' | 'max'): void {
  define(name, python ? '*args, key=, default=' : '*args, key=', (args0, key, ifEmpty) => {
    const args = args0 as Tuple
    const f = keyFunction(key, name)
    if (args.length > 2) {
      if (ifEmpty !== undefined)
        typeError(said`Cannot specify a default for ${name}() with multiple positional arguments`)
      return extreme(args, 1, f, name === 'max')!
    }
    if (args.length === 1)
      typeError(
        python
          ? said`${name} expected at least 1 argument, got 0`
          : said`${name} requires at least one positional argument`,
      )
    const best = extreme(items(args[1]!), 0, f, name === 'max')
    if (best !== undefined) return best
    return (
      ifEmpty ??
      (ifEmpty === null
        ? null
        : valueError(python ? said`${name}() arg is an empty sequence` : said`${name}: argument is an empty sequence`))
    )
  })
}
defineExtreme('min')
defineExtreme('max')

// ---- Python ----------------------------------------------------------------------------------------------------

function definePython(): void {
  define('frozenset', 'iterable=, /', (x) =>
    x === undefined ? frozenSetOf([]) : x instanceof FrozenSet ? x : frozenSetOf(items(x)),
  )
  define('callable', 'object, /', (x) => isCallable(x!) || protocolOf(x!)?.call !== undefined)
  define('format', 'value, format_spec=, /', (x, spec) =>
    formatValue(x!, spec === undefined ? '' : wantString(spec, 'format', 'format_spec')),
  )
  define('ascii', 'object, /', (x) => asciiText(x!))
  define('delattr', 'object, name, /', (x, name) => {
    deleteAttribute(
      x!,
      wantString(name, 'delattr', 'name', said`attribute name must be string, not '${typeOf(name!)}'`),
    )
    return null
  })
  define('setattr', 'object, name, value, /', (x, name, v) => {
    setAttribute(
      x!,
      wantString(name, 'setattr', 'name', said`attribute name must be string, not '${typeOf(name!)}'`),
      v!,
    )
    return null
  })
}

if (python) definePython()

/** All functions of this file by name. */
export const builtinFunctions: Readonly<Record<string, Value>> = table
