// The builtins that convert, split and round numbers.

import { asDigits, asIndex, wantInt, wantShortInt, wrongType } from '../calls/expect.js'
import { builtin, type Native } from '../calls/signature.js'
import { items } from '../containers/iterate.js'
import { latin } from '../methods/bytes-methods.js'
import { namesInfinity, readFloat } from '../numbers/float-text.js'
import { asciiDigits, powerModulo, readDecimal, readInteger, withPrefix } from '../numbers/integers.js'
import { rounded, truncate } from '../numbers/rounding.js'
import { add, floorDiv, mod, power } from '../operators/arithmetic.js'
import { realOf, toDouble } from '../operators/operands.js'
import { quoted } from '../text/repr.js'
import { contentOf, textInside } from '../values/contents.js'
import { raise, typeError, valueError } from '../values/errors.js'
import { python } from '../values/mode.js'
import { protocolOf } from '../values/protocol.js'
import { said, spelled } from '../values/said.js'
import {
  Big,
  Bytes,
  big,
  Float,
  float,
  floatValue,
  type Int,
  isInt,
  MAX_SAFE,
  normal,
  TUPLE,
  typeOf,
  unbool,
  type Value,
} from '../values/values.js'

const table: Record<string, Value> = {}

function isNumber(x: Value): boolean {
  return floatValue(x) !== undefined || isInt(unbool(x))
}

function define(name: string, parameters: string, fn: Native): void {
  table[name] = builtin(name, parameters, fn)
}

define('int', python ? 'x=, /, base=' : 'x, base=', (x, base) => {
  if (x === undefined) return base === undefined ? 0 : typeError('int() missing string argument')
  if (base === undefined) return toInt(x)
  const from = intBase(base)
  if (x instanceof Bytes && python) return readInteger(latin(x.b), from)
  const text = typeof x === 'string' ? x : textInside(x)
  if (text !== undefined) return readInteger(text, from)
  const problem = "can't convert non-string with explicit base"
  return typeError(python ? said`int() ${problem}` : said`int: ${problem}`)
})

function intBase(x: Value): number {
  const base = x instanceof Big ? -1 : wantInt(x, 'int', 'base')
  if (base === 0 || (base >= 2 && base <= 36)) return base
  return valueError(
    python
      ? 'int() base must be >= 2 and <= 36, or 0'
      : said`int: invalid base ${spelled(base)} (want 2 <= base <= 36): int base must be an integer >= 2 && <= 36`,
  )
}

function toInt(x: Value): Value {
  if (typeof x === 'string') return readDecimal(x)
  if (typeof x === 'boolean') return x ? 1 : 0
  const f = floatValue(x)
  if (f !== undefined) return truncate(f)
  if (isInt(x)) return typeof x === 'number' ? x + 0 : x
  const own = protocolOf(x)?.unary?.('int', x as object)
  if (own !== undefined) return own
  if (python && x instanceof Bytes) return readDecimal(latin(x.b))
  const text = textInside(x)
  if (text !== undefined) return readDecimal(text)
  throw wrongType(
    'int',
    'x',
    x,
    'string, int, float, or bool',
    said`int() argument must be a string, a bytes-like object or a real number, not '${typeOf(x)}'`,
  )
}

define('float', 'x=, /', (x) => {
  if (x === undefined) return new Float(0)
  if (typeof x === 'string') return floatFrom(x)
  if (python && x instanceof Bytes) return floatFrom(latin(x.b))
  if (typeof x === 'boolean') return new Float(x ? 1 : 0)
  if (floatValue(x) !== undefined) return x
  if (isInt(x)) return float(toDouble(x))
  const own = realOf(x)
  if (own !== undefined) return float(own)
  const text = textInside(x)
  if (text !== undefined) return floatFrom(text)
  throw wrongType(
    'float',
    'x',
    x,
    'number or string',
    said`float() argument must be a string or a real number, not '${typeOf(x)}'`,
  )
})

function floatFrom(text: string): Value {
  const trimmed = python ? asciiDigits(text).trim() : text
  const v = readFloat(trimmed)
  if (v === undefined)
    return valueError(
      python ? said`could not convert string to float: ${quoted(text)}` : said`invalid float literal: ${spelled(text)}`,
    )
  if (!python && (v === Infinity || v === -Infinity) && !namesInfinity(trimmed))
    valueError(said`floating-point number too large: ${spelled(text)}`)
  return float(v)
}

define('abs', 'x, /', (x0) => {
  const x = unbool(x0!)
  if (typeof x === 'number') return x < 0 ? -x : x
  if (x instanceof Big) return x.n < 0n ? new Big(-x.n) : x
  if (x instanceof Float) return new Float(Math.abs(x.v))
  const own = protocolOf(x)?.unary?.('abs', x as object)
  if (own !== undefined) return own
  throw wrongType('abs', 'x', x0!, 'int or float', said`bad operand type for abs(): '${typeOf(x0!)}'`)
})

define('chr', 'i, /', (i) => {
  const n = python ? wantShortInt(i!, 'chr', 'i') : wantInt(i!, 'chr', 'i')
  if (n < 0 || n > 0x10ffff) {
    valueError(
      python
        ? 'chr() arg not in range(0x110000)'
        : said`chr: Unicode code point ${n < 0 ? said`${spelled(n)} out of range (<0)` : said`U+${spelled(n.toString(16).toUpperCase(), n)} out of range (>0x10FFFF)`}`,
    )
  }
  return String.fromCodePoint(n)
})

define('ord', 'c, /', (c0) => {
  const c = textInside(c0) ?? c0
  if (typeof c === 'string') {
    const code = c.codePointAt(0)
    if (code !== undefined && c.length === (code > 0xffff ? 2 : 1)) return code
    const n = Array.from(c).length
    return python
      ? typeError(said`ord() expected a character, but string of length ${n} found`)
      : valueError(said`ord: string encodes ${n} Unicode code points, want 1`)
  }
  if (c instanceof Bytes) {
    if (c.b.length === 1) return c.b[0]!
    return python
      ? typeError(said`ord() expected a character, but string of length ${c.b.length} found`)
      : valueError(said`ord: bytes has length ${c.b.length}, want 1`)
  }
  throw wrongType('ord', 'c', c!, 'string or bytes', said`ord() expected string of length 1, but ${typeOf(c!)} found`)
})

function definePython(): void {
  for (const [name, base] of [
    ['bin', 2],
    ['oct', 8],
    ['hex', 16],
  ] as const) {
    define(name, 'number, /', (x) => withPrefix(integer(x!), base))
  }
  define('divmod', 'x, y, /', (x, y) => {
    const isZero = y === 0 || (y instanceof Float && y.v === 0) || y === false
    if (isZero && isNumber(x!) && (floatValue(x!) !== undefined || floatValue(y) !== undefined))
      raise('ZeroDivisionError', 'float divmod()')
    if (!isNumber(x!) || !isNumber(y!)) {
      const own =
        protocolOf(x!)?.binary?.('divmod', x as object, y!, false) ??
        protocolOf(y!)?.binary?.('divmod', y as object, x!, true)
      return own ?? typeError(said`unsupported operand type(s) for divmod(): '${typeOf(x!)}' and '${typeOf(y!)}'`)
    }
    return [TUPLE, floorDiv(x!, y!), mod(x!, y!)]
  })
  define('pow', 'base, exp, mod=', (base, exp, modulus) => {
    if (modulus === undefined || modulus === null) return power(base!, exp!)
    const all = [base!, exp!, modulus].map((x) => unbool(contentOf(x) ?? x))
    if (!all.every(isInt)) return typeError('pow() 3rd argument not allowed unless all arguments are integers')
    const [b, e, m] = all as Int[]
    return normal(powerModulo(big(b!), big(e!), big(m!)))
  })
  define('round', 'number, ndigits=', (x0, digits0) => {
    const x = x0!
    const digits = asDigits(digits0)
    const plain = rounded(x, digits)
    if (plain !== undefined) return plain
    const own = protocolOf(x)?.binary?.('round', x as object, digits === undefined ? null : digits, false)
    if (own !== undefined) return own
    return typeError(said`type ${typeOf(x0!)} doesn't define __round__ method`)
  })
  define('sum', 'iterable, /, start=', (iterable, start) => sum(items(iterable!), start === undefined ? 0 : start))
}

function integer(x0: Value): Int {
  const x = unbool(asIndex(x0))
  return isInt(x) ? x : typeError(said`'${typeOf(x0)}' object cannot be interpreted as an integer`)
}

/** Adds from the left. Small ints and floats need no call for each element. */
function sum(all: readonly Value[], start: Value): Value {
  if (typeof start === 'string') typeError("sum() can't sum strings [use ''.join(seq) instead]")
  if (start instanceof Bytes) typeError("sum() can't sum bytes [use b''.join(seq) instead]")
  let i = 0
  let total: Value = start
  if (typeof start === 'number' && Number.isInteger(start)) {
    let n = start
    for (; i < all.length; i++) {
      const x = all[i] as number
      if (typeof x === 'number' ? (x | 0) !== x && !Number.isInteger(x) : typeof x !== 'boolean') break
      const next = n + x
      if (next > MAX_SAFE || next < -MAX_SAFE) break
      n = next
    }
    total = n
  }
  const v = floatValue(total) ?? (typeof total === 'number' ? total : undefined)
  const isFloating =
    i < all.length && v !== undefined && (floatValue(total) !== undefined || floatValue(all[i]!) !== undefined)
  if (isFloating) {
    let n = v
    for (; i < all.length; i++) {
      const x = all[i]!
      if (typeof x === 'number') n += x
      else if (x instanceof Float) n += x.v
      else if (typeof x === 'boolean') n += x ? 1 : 0
      else break
    }
    total = float(n)
  }
  for (; i < all.length; i++) total = add(total, all[i]!)
  return total
}

if (python) definePython()

/** All functions of this file by name. */
export const numberBuiltins: Readonly<Record<string, Value>> = table
