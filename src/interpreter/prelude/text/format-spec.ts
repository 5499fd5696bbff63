// Python's format-spec mini-language: `[[fill]align][sign][z][#][0][width][grouping][.precision][type]`, for f-strings,
// `format` and `str.format`. A spec is parsed once and kept, because programs use the same few specs over and over.

import { exponential, fixed, floatText, general, isNegative, nonFiniteText } from '../numbers/float-text.js'
import { guestError, raise, valueError } from '../values/errors.js'
import { python } from '../values/mode.js'
import { protocolOf } from '../values/protocol.js'
import { inQuotes, said, word } from '../values/said.js'
import { Big, floatValue, primitive, typeName, typeOf, unbool, type Value } from '../values/values.js'
import { excessiveRepeat, fill } from './fill.js'
import { str } from './repr.js'

export interface FormatSpec {
  readonly fill: string
  /** `<`, `>`, `^`, `=`, or '' for the alignment of the type. */
  readonly align: string
  /** `+`, `-` or a space; '' if absent. */
  readonly sign: string
  /** Writes a negative zero as a positive one. */
  readonly positiveZero: boolean
  readonly alternate: boolean
  /** Fills numbers with zeros after the sign. */
  readonly zero: boolean
  readonly width: number
  /** `,`, `_` or ''. */
  readonly grouping: string
  /** -1 if absent. */
  readonly precision: number
  /** One letter, `%`, or ''. */
  readonly type: string
}

const PATTERN = /^(?:([\s\S])?([<>=^]))?([ +-])?(z)?(#)?(0)?(\d+)?([,_])?([,_])?(?:\.(\d+))?([\s\S])?$/u

const parsed = new Map<string, FormatSpec>()

export function parseSpec(text: string): FormatSpec {
  const known = parsed.get(text)
  if (known !== undefined) return known
  const m = PATTERN.exec(text)
  if (m === null) {
    throw guestError(
      'ValueError',
      /\.(?!\d)/.test(text) ? 'Format specifier missing precision' : 'Invalid format specifier',
    )
  }
  const [, fill, align, sign, z, alternate, zero, width, grouping, again, precision, type] = m
  if (again !== undefined)
    valueError(
      again === grouping
        ? said`Cannot specify ${inQuotes(again)} with ${inQuotes(again)}.`
        : "Cannot specify both ',' and '_'.",
    )
  const spec: FormatSpec = {
    fill: fill ?? (zero === undefined ? ' ' : '0'),
    align: align ?? '',
    zero: zero !== undefined,
    sign: sign ?? '',
    positiveZero: z !== undefined,
    alternate: alternate !== undefined,
    width: size(width, 0),
    grouping: grouping ?? '',
    precision: size(precision, -1),
    type: type ?? '',
  }
  parsed.set(text, spec)
  return spec
}

function size(digits: string | undefined, ifAbsent: number): number {
  if (digits === undefined) return ifAbsent
  const n = Number(digits)
  if (n >= 2 ** 63) valueError('Too many decimal digits in format string')
  if (n > 100_000_000) throw excessiveRepeat(1, BigInt(n))
  return n
}

/** `format(value, spec)`. */
export function formatValue(value: Value, spec: string): string {
  if (spec === '')
    return (typeof value === 'object' ? protocolOf(value)?.format?.(value as object, '') : undefined) ?? str(value)
  if (typeof value === 'string') return formatString(value, parseSpec(spec))
  const f = floatValue(value)
  if (f !== undefined) return formatFloat(f, parseSpec(spec), 'float')
  const x = unbool(value)
  if (typeof x === 'number' || x instanceof Big) return formatInt(primitive(x), parseSpec(spec), typeName(value))
  const own = protocolOf(value)?.format?.(value as object, spec)
  if (own !== undefined) return own
  return raise('TypeError', said`unsupported format string passed to ${typeOf(value)}.__format__`, {
    hint: 'convert with str(x) first',
  })
}

function raiseUnknown(type: string, of: string): never {
  throw guestError(
    'ValueError',
    said`Unknown format code ${inQuotes(shownType(type))} for object of type '${word(of)}'`,
  )
}

function shownType(type: string): string {
  const code = type.codePointAt(0)!
  return code > 32 && code < 128 ? type : `\\x${code.toString(16)}`
}

/** Fails if the type does not accept a separator. This check precedes all others. */
function checkGrouping(spec: FormatSpec, type: string): void {
  if (spec.grouping === '' || type === '') return
  const takers = spec.grouping === ',' ? 'deEfFgG%' : 'deEfFgG%boxX'
  if (takers.indexOf(type) < 0)
    valueError(said`Cannot specify ${inQuotes(spec.grouping)} with ${inQuotes(shownType(type))}.`)
}

// ---- strings ---------------------------------------------------------------------------------------------------

function formatString(s: string, spec: FormatSpec): string {
  checkGrouping(spec, spec.type === '' ? 's' : spec.type)
  if (spec.type !== '' && spec.type !== 's') raiseUnknown(spec.type, python ? 'str' : 'string')
  if (spec.sign !== '')
    valueError(
      spec.sign === ' '
        ? 'Space not allowed in string format specifier'
        : 'Sign not allowed in string format specifier',
    )
  if (spec.positiveZero) valueError('Negative zero coercion (z) not allowed in string format specifier')
  if (spec.alternate) valueError('Alternate form (#) not allowed in string format specifier')
  if (spec.align === '=') valueError("'=' alignment not allowed in string format specifier")
  const text = spec.precision >= 0 ? cut(s, spec.precision) : s
  return pad(text, spec, '<')
}

function cut(s: string, length: number): string {
  if (s.length <= length) return s
  return /[\ud800-\udfff]/.test(s) ? Array.from(s).slice(0, length).join('') : s.slice(0, length)
}

/** The number of characters of a text. A surrogate pair counts as one. */
export function width(s: string): number {
  return /[\ud800-\udfff]/.test(s) ? Array.from(s).length : s.length
}

function pad(text: string, spec: FormatSpec, usual: string): string {
  if (spec.width === 0) return text
  const missing = spec.width - width(text)
  if (missing <= 0) return text
  const align = spec.align === '' ? usual : spec.align
  if (align === '<') return text + fill(spec.fill, missing)
  if (align === '^') return fill(spec.fill, Math.floor(missing / 2)) + text + fill(spec.fill, Math.ceil(missing / 2))
  return fill(spec.fill, missing) + text
}

// ---- numbers ---------------------------------------------------------------------------------------------------

function formatInt(x: number | bigint, spec: FormatSpec, typeOf: string): string {
  const type = spec.type
  checkGrouping(spec, type)
  switch (type) {
    case '':
    case 'd':
    case 'n':
      refusePrecision(spec)
      return formatNumber(x < 0, '', absoluteText(x, 10), '', spec, 3)
    case 'b':
    case 'o':
    case 'x':
    case 'X': {
      refusePrecision(spec)
      const base = type === 'b' ? 2 : type === 'o' ? 8 : 16
      const digits = absoluteText(x, base)
      const prefix = spec.alternate ? `0${type}` : ''
      return formatNumber(x < 0, prefix, type === 'X' ? digits.toUpperCase() : digits, '', spec, 4)
    }
    case 'c':
      refusePrecision(spec)
      if (spec.sign !== '') valueError("Sign not allowed with integer format specifier 'c'")
      if (spec.alternate) valueError("Alternate form (#) not allowed with integer format specifier 'c'")
      if (x >= 2 ** 63 || x < -(2 ** 63)) raise('OverflowError', 'Python int too large to convert to C long')
      if (x < 0 || x > 0x10ffff) raise('OverflowError', '%c arg not in range(0x110000)')
      return pad(String.fromCodePoint(Number(x)), spec, '>')
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case '%': {
      const v = Number(x)
      if (v === Infinity || v === -Infinity) raise('OverflowError', 'int too large to convert to float')
      return formatFloat(v, spec, typeOf)
    }
    default:
      return raiseUnknown(type, typeOf)
  }
}

function refusePrecision(spec: FormatSpec): void {
  if (spec.precision >= 0) valueError('Precision not allowed in integer format specifier')
  if (spec.positiveZero) valueError('Negative zero coercion (z) not allowed in integer format specifier')
}

function absoluteText(x: number | bigint, base: number): string {
  return (x < 0 ? -x : x).toString(base)
}

function formatFloat(v: number, spec: FormatSpec, typeOf: string): string {
  checkGrouping(spec, spec.type)
  if ('eEfFgGn%'.indexOf(spec.type) < 0) raiseUnknown(spec.type, typeOf)
  let text: string
  if (Number.isFinite(v)) text = finiteText(Math.abs(v), spec)
  else text = nonFiniteText(Math.abs(v)).replace('+', '') + (spec.type === '%' ? '%' : '')
  if (spec.type === 'E' || spec.type === 'F' || spec.type === 'G') text = text.toUpperCase()
  let negative = isNegative(v)
  if (spec.positiveZero && negative && !/[1-9]/.test(text.replace(/[eE].*/, '')) && Number.isFinite(v)) negative = false
  const at = endOfDigits(text)
  return formatNumber(negative, '', text.slice(0, at), text.slice(at), spec, 3)
}

/** The number of leading digits of a number's text. */
function endOfDigits(text: string): number {
  for (let i = 0; ; i++) {
    const c = text.charCodeAt(i)
    if (!(c >= 48 && c <= 57)) return i
  }
}

function finiteText(v: number, spec: FormatSpec): string {
  const p = spec.precision
  switch (spec.type) {
    case 'e':
    case 'E': {
      const text = exponential(v, p < 0 ? 6 : p)
      return spec.alternate && p === 0 ? text.replace('e', '.e') : text
    }
    case 'f':
    case 'F':
      return withPoint(fixed(v, p < 0 ? 6 : p), spec)
    case '%': {
      const hundredfold = v * 100
      if (hundredfold === Infinity) return 'inf%'
      return `${withPoint(fixed(hundredfold, p < 0 ? 6 : p), spec)}%`
    }
    case 'g':
    case 'G':
    case 'n':
      return general(v, p < 0 ? 6 : p, { alternate: spec.alternate })
    default:
      return p < 0 ? floatText(v) : general(v, p, { alternate: spec.alternate, point: true })
  }
}

function withPoint(text: string, spec: FormatSpec): string {
  return spec.alternate && text.indexOf('.') < 0 ? `${text}.` : text
}

/** Joins sign, prefix, grouped digits and the rest, and pads the result. */
export function formatNumber(
  negative: boolean,
  prefix: string,
  digits: string,
  rest: string,
  spec: FormatSpec,
  group: number,
): string {
  const sign = negative ? '-' : spec.sign === '-' ? '' : spec.sign
  const lead = sign + prefix
  if (spec.align === '=' || (spec.align === '' && spec.zero)) {
    const room = spec.width - lead.length - rest.length
    if (spec.fill === '0') return lead + groupDigits(digits, spec.grouping, group, room) + rest
    const body = groupDigits(digits, spec.grouping, group, 0)
    return lead + fill(spec.fill, room - body.length) + body + rest
  }
  return pad(lead + groupDigits(digits, spec.grouping, group, 0) + rest, spec, '>')
}

/** Digits in groups, with leading zeros up to the width `room`. A separator never comes first. */
function groupDigits(digits: string, separator: string, group: number, room: number): string {
  if (separator === '' || digits === '') return fill('0', room - digits.length) + digits
  let text = ''
  let left = digits.length
  let missing = room
  for (;;) {
    const n = Math.min(group, Math.max(left, missing, 1))
    const taken = Math.min(left, n)
    const part = '0'.repeat(n - taken) + digits.slice(left - taken, left)
    text = text === '' ? part : part + separator + text
    left -= taken
    missing -= n
    if (left <= 0 && missing <= 0) return text
    missing--
  }
}
