// The `%` operator on strings. Strict mode has the specification's conversions, and starlark-go's `%c` and `%(name)s`,
// without flags, width or precision. The default dialect has Python's printf-style formatting.

import { asIndex, wantInt } from '../calls/expect.js'
import { dictGet } from '../containers/dict.js'
import { exponential, fixed, general, isNegative, nonFiniteText, shortGeneral } from '../numbers/float-text.js'
import { truncate } from '../numbers/rounding.js'
import { fill } from '../text/fill.js'
import { width } from '../text/format-spec.js'
import { asciiText, repr, str } from '../text/repr.js'
import { contentOf, textInside } from '../values/contents.js'
import { guestError, raise, typeError, valueError } from '../values/errors.js'
import { python } from '../values/mode.js'
import { protocolOf } from '../values/protocol.js'
import { said, spelled, word } from '../values/said.js'
import {
  Big,
  Bytes,
  floatValue,
  type Int,
  isDict,
  isInt,
  isTuple,
  primitive,
  Range,
  TUPLE,
  toNumber,
  typeName,
  typeOf,
  unbool,
  type Value,
} from '../values/values.js'
import { missingKey } from './subscript.js'

interface Conversion {
  /** The text before the conversion. */
  readonly before: string
  /** The letter of the conversion; '%' for a literal percent sign. */
  readonly type: string
  /** The key in parentheses. */
  readonly name: string | undefined
  readonly flags: string
  /** The width; -1 if absent, -2 for `*`. */
  readonly width: number
  readonly precision: number
  /** The offset of the letter. */
  readonly at: number
}

interface Format {
  readonly conversions: readonly Conversion[]
  readonly tail: string
  /** The number of operands, if all conversions are plain `%s`, `%d` and the like, which need no padding. */
  readonly operands: number
}

const formats = new Map<string, Format>()

/** `%d` alone. */
export function percentD(x: Value): string {
  return ((x as number) | 0) === x ? `${x as number}` : formatPercent('%d', [TUPLE, x])
}

/** `format % args`. */
export function formatPercent(format: string, args: Value): string {
  const f = formats.get(format) ?? parse(format)
  return python ? formatInPython(f, args) : formatStrictly(f, args)
}

/** `format % args` of bytes, computed on text with one character per byte. */
export function formatPercentBytes(format: Uint8Array, args: Value): Uint8Array {
  const f = parse(String.fromCharCode(...format), true)
  return Uint8Array.from(formatInPython(f, args instanceof Bytes ? [TUPLE, args] : args), (c) => {
    const byte = c.codePointAt(0)!
    return byte < 256 ? byte : raise('OverflowError', '%c arg not in range(256)')
  })
}

function parse(format: string, ofBytes = false): Format {
  const conversions: Conversion[] = []
  let operands = 0
  let from = 0
  for (let at = format.indexOf('%'); at >= 0; at = format.indexOf('%', from)) {
    const c = python ? scanConversion(format, from, at, ofBytes) : scanStrictly(format, from, at)
    conversions.push(c)
    if (c.type !== '%') operands += 1 + (c.width === -2 ? 1 : 0) + (c.precision === -2 ? 1 : 0)
    from = c.at + 1
  }
  const f = { conversions, tail: format.slice(from), operands }
  if (formats.size < 1000 && !ofBytes) formats.set(format, f)
  return f
}

function scanStrictly(format: string, from: number, percent: number): Conversion {
  let at = percent + 1
  let name: string | undefined
  if (format[at] === '(') {
    const close = format.indexOf(')', at)
    if (close < 0) valueError('incomplete format key')
    name = format.slice(at + 1, close)
    at = close + 1
  }
  const type = format[at]
  if (type === undefined) valueError('incomplete format')
  if ('srdioxXeEfFgGc%'.indexOf(type) < 0) valueError(said`unknown conversion %${spelled(type)}`)
  return { before: format.slice(from, percent), type, name, flags: '', width: -1, precision: -1, at }
}

function scanConversion(format: string, from: number, percent: number, ofBytes: boolean): Conversion {
  let at = percent + 1
  let name: string | undefined
  if (format[at] === '(') {
    const open = at + 1
    let depth = 1
    while (depth > 0) {
      at++
      if (at >= format.length) valueError('incomplete format key')
      if (format[at] === '(') depth++
      else if (format[at] === ')') depth--
    }
    name = format.slice(open, at)
    at++
  }
  const m = /^([-+ #0]*)(\d+|\*)?(?:\.(\d+|\*)?)?[hlL]?/.exec(format.slice(at, at + 40))!
  at += m[0].length
  const type = format[at]
  if (type === undefined) valueError('incomplete format')
  if (type === '%' ? at > percent + 1 : (ofBytes ? 'diouxXeEfFgGcrsab' : 'diouxXeEfFgGcrsa').indexOf(type) < 0) {
    const code = format.codePointAt(at)!
    valueError(
      said`unsupported format character '${code > 31 && code < 127 ? spelled(type) : '?'}' (0x${spelled(code.toString(16))}) at index ${at}`,
    )
  }
  const precision = m[3] !== undefined ? number(m[3]) : m[0].indexOf('.') >= 0 ? 0 : -1
  return {
    before: format.slice(from, percent),
    type: ofBytes ? (ofBytesType[type] ?? type) : type,
    name,
    flags: m[1]!,
    width: m[2] === undefined ? -1 : number(m[2]),
    precision,
    at,
  }
}

/** The conversions in the formatting of bytes: those of text take bytes, and the texts of other values are ASCII. */
const ofBytesType: Readonly<Record<string, string>> = { s: 'b', r: 'a' }

function number(text: string): number {
  if (text === '*') return -2
  const n = Number(text)
  if (n > 100_000_000) valueError('width too big')
  return n
}

// ---- strict ----------------------------------------------------------------------------------------------------

function formatStrictly(f: Format, args: Value): string {
  // A list means its elements only if the format has more than one operand.
  const operands: readonly Value[] =
    Array.isArray(args) && (args[0] === TUPLE || f.operands > 1) ? (args[0] === TUPLE ? args.slice(1) : args) : [args]
  const mapping = isDict(args)
  let used = 0
  let text = ''
  for (const c of f.conversions) {
    text += c.before
    if (c.type === '%') {
      text += '%'
      continue
    }
    let operand: Value | undefined
    if (c.name !== undefined) {
      if (!mapping) typeError('format requires a mapping')
      operand = dictGet(args, c.name)
      if (operand === undefined)
        throw guestError('KeyError', said`key not found: ${spelled(c.name)}`, { args: [c.name] })
    } else {
      operand = operands[used++]
      if (operand === undefined) typeError('not enough arguments for format string')
    }
    text += convertStrictly(c.type, operand)
  }
  if (!mapping && used < operands.length) typeError('too many arguments for format string')
  return text + f.tail
}

function convertStrictly(type: string, x: Value): string {
  switch (type) {
    case 's':
      return str(x)
    case 'r':
      return repr(x)
    case 'd':
    case 'i':
      return typeof x === 'number' && Number.isInteger(x) ? `${x}` : integerOperand(x).toString()
    case 'o':
      return integerOperand(x).toString(8)
    case 'x':
      return integerOperand(x).toString(16)
    case 'X':
      return integerOperand(x).toString(16).toUpperCase()
    case 'c':
      return characterStrictly(x)
    default:
      return floatStrictly(type, x)
  }
}

function integerOperand(x: Value): number | bigint {
  const f = floatValue(x)
  const n = f === undefined ? x : truncate(f)
  if (typeof n === 'number') return n + 0
  if (n instanceof Big) return n.n
  return raise('TypeError', said`cannot convert ${typeOf(x)} to int`)
}

function floatStrictly(type: string, x: Value): string {
  const v = floatValue(x) ?? (isInt(x) ? toNumber(x) : undefined)
  if (v === undefined)
    typeError(said`%${word(type)} format requires float, not ${typeName(x) === 'string' ? 'str' : typeOf(x)}`)
  if (!Number.isFinite(v)) {
    if (x instanceof Big) raise('ValueError', 'int too large to convert to float')
    return nonFiniteText(v)
  }
  if (type === 'g' || type === 'G') return type === 'G' ? shortGeneral(v).toUpperCase() : shortGeneral(v)
  const text = type === 'e' || type === 'E' ? exponential(v, 6) : fixed(v, 6)
  return type === 'E' ? text.toUpperCase() : text
}

function characterStrictly(x: Value): string {
  if (typeof x === 'string') {
    if (width(x) !== 1) typeError('%c format requires a single-character string')
    return x
  }
  if (!isInt(x)) {
    typeError(said`%c format requires int or single-character string, not ${typeOf(x)}`)
  }
  const code = toNumber(x)
  if (code < 0 || code > 0x10ffff)
    valueError(said`%c format requires a valid Unicode code point, got ${spelled(primitive(x))}`)
  return String.fromCodePoint(code)
}

// ---- Python ----------------------------------------------------------------------------------------------------

/**
 * Formats as Python does. The operands are the elements of a tuple, or a single value. A conversion with a key takes
 * the value under the key, and uses up the single value.
 */
function formatInPython(f: Format, args0: Value): string {
  const held = contentOf(args0)
  const args = held !== undefined && (isTuple(held) || isDict(held)) ? held : args0
  const operands: readonly Value[] = isTuple(args) ? args : [TUPLE, args]
  let used = 1
  let left = operands.length
  let text = ''
  const next = (): Value => {
    if (used >= left) typeError('not enough arguments for format string')
    return operands[used++]!
  }
  for (const c of f.conversions) {
    text += c.before
    if (c.type === '%') {
      text += '%'
      continue
    }
    if (c.name !== undefined) {
      if (!isDict(args)) typeError('format requires a mapping')
      const operand = dictGet(args, c.name)
      if (operand === undefined) throw missingKey(args, c.name)
      left = 0
      if (c.width === -2 || c.precision === -2) next()
      text += convert(c, operand, c.flags, c.width, c.precision)
      continue
    }
    let flags = c.flags
    let w = c.width
    if (w === -2) {
      w = starOperand(next())
      if (w < 0) {
        flags += '-'
        w = -w
      }
    }
    const p = c.precision === -2 ? Math.max(0, starOperand(next())) : c.precision
    text += convert(c, next(), flags, w, p)
  }
  if (used < left && !isMapping(args)) typeError('not all arguments converted during string formatting')
  return text + f.tail
}

/**
 * In Python everything that can be indexed counts as a mapping, except tuples and strings. Unused values of a mapping
 * are no mistake.
 */
function isMapping(x: Value): boolean {
  return (
    typeof x === 'object' &&
    x !== null &&
    !isTuple(x) &&
    (Array.isArray(contentOf(x) ?? x) || isDict(x) || x instanceof Bytes || x instanceof Range)
  )
}

function starOperand(x: Value): number {
  const n = unbool(contentOf(x) ?? x)
  return isInt(n) ? wantInt(n, '%', '*') : typeError('* wants int')
}

function convert(c: Conversion, x: Value, flags: string, w: number, p: number): string {
  switch (c.type) {
    case 's':
      return padText(p >= 0 ? str(x).slice(0, p) : str(x), flags, w)
    case 'r':
      return padText(p >= 0 ? repr(x).slice(0, p) : repr(x), flags, w)
    case 'a':
      return padText(p >= 0 ? asciiText(x).slice(0, p) : asciiText(x), flags, w)
    case 'b': {
      const text = byteText(x)
      return padText(p >= 0 ? text.slice(0, p) : text, flags, w)
    }
    case 'c':
      return padText(character(x), flags, w)
    case 'd':
    case 'i':
    case 'u':
      if (w < 0 && p < 0 && flags === '' && typeof x === 'number' && Number.isInteger(x)) return `${x}`
      return integer(c, x, flags, w, p)
    case 'o':
    case 'x':
    case 'X':
      return integer(c, x, flags, w, p)
    default:
      return float(c.type, x, flags, w, p)
  }
}

function byteText(x: Value): string {
  const bytes = contentOf(x) ?? x
  if (bytes instanceof Bytes) return String.fromCharCode(...bytes.b)
  return typeError(said`%b requires a bytes-like object, or an object that implements __bytes__, not '${typeOf(x)}'`)
}

function padText(s: string, flags: string, w: number): string {
  const missing = w - width(s)
  if (missing <= 0) return s
  return flags.indexOf('-') >= 0 ? s + fill(' ', missing) : fill(' ', missing) + s
}

function character(x: Value): string {
  const c = textInside(x) ?? x
  if (typeof c === 'string' && width(c) === 1) return c
  const n = unbool(asIndex(x))
  if (isInt(n)) {
    const code = toNumber(n)
    if (code < 0 || code > 0x10ffff) raise('OverflowError', '%c arg not in range(0x110000)')
    return String.fromCodePoint(code)
  }
  return typeError('%c requires int or char')
}

/** A number, or that of an object with `__int__`, `__index__` or `__float__`. */
function numberOf(x0: Value, as: 'int' | 'index' | 'float'): Value {
  const x = unbool(x0)
  return protocolOf(x)?.unary?.(as, x as object) ?? x
}

function integer(c: Conversion, x: Value, flags: string, w: number, p: number): string {
  const n = integerOf(c.type, x)
  const base = c.type === 'o' ? 8 : c.type === 'x' || c.type === 'X' ? 16 : 10
  let digits = (n < 0 ? -n : n).toString(base)
  if (digits.length < p) digits = fill('0', p - digits.length) + digits
  if (c.type === 'X') digits = digits.toUpperCase()
  const prefix = base === 10 || flags.indexOf('#') < 0 ? '' : `0${c.type}`
  return padNumber(n < 0, prefix, digits, flags, w)
}

function integerOf(type: string, x0: Value): number | bigint {
  const isDecimal = type === 'd' || type === 'i' || type === 'u'
  const x = numberOf(x0, isDecimal ? 'int' : 'index')
  const f = floatValue(x)
  if (isInt(x)) return primitive(x)
  if (f !== undefined && isDecimal) return primitive(truncate(f) as Int)
  const wanted = isDecimal ? 'a real number' : 'an integer'
  return typeError(said`%${word(type)} format: ${wanted} is required, not ${typeOf(x0)}`)
}

function float(type: string, x0: Value, flags: string, w: number, p: number): string {
  const x = numberOf(x0, 'float')
  const v = floatValue(x) ?? (isInt(x) ? toNumber(x) : undefined)
  if (v === undefined) typeError(said`must be real number, not ${typeOf(x0)}`)
  if (!Number.isFinite(v) && x instanceof Big) raise('OverflowError', 'int too large to convert to float')
  const alternate = flags.indexOf('#') >= 0
  const precision = p < 0 ? 6 : p
  const size = Math.abs(v)
  let text: string
  if (!Number.isFinite(v)) text = nonFiniteText(size)
  else if (type === 'e' || type === 'E') text = exponential(size, precision)
  else if (type === 'f' || type === 'F') text = fixed(size, precision)
  else text = general(size, precision, { alternate })
  if (alternate && text.indexOf('.') < 0 && Number.isFinite(v)) text = text.replace(/(?=e|$)/, '.')
  if (type === 'E' || type === 'F' || type === 'G') text = text.toUpperCase()
  return padNumber(isNegative(v), '', text, flags, w)
}

function padNumber(negative: boolean, prefix: string, digits: string, flags: string, w: number): string {
  const sign = negative ? '-' : flags.indexOf('+') >= 0 ? '+' : flags.indexOf(' ') >= 0 ? ' ' : ''
  const lead = sign + prefix
  const missing = w - lead.length - digits.length
  if (missing <= 0) return lead + digits
  if (flags.indexOf('-') >= 0) return lead + digits + fill(' ', missing)
  return flags.indexOf('0') >= 0 ? lead + fill('0', missing) + digits : fill(' ', missing) + lead + digits
}
