// Values to JSON text. Starlark's `json.encode` sorts keys and refuses keys that are not strings. Python's `dumps`
// keeps their order, converts number keys and has options. Text for the host keeps the order and refuses other keys.
// Floats always have a point or an exponent.

import { attributeOrAbsent } from '../classes/attributes.js'
import { dictFlat } from '../containers/dict.js'
import { items } from '../containers/iterate.js'
import { DictView } from '../methods/dict-views.js'
import { Elems } from '../methods/elems.js'
import { floatText } from '../numbers/float-text.js'
import { sortedArray } from '../operators/ordering.js'
import { repr, str } from '../text/repr.js'
import { contentOf } from '../values/contents.js'
import { GuestError, guestError } from '../values/errors.js'
import { strict } from '../values/mode.js'
import { protocolOf } from '../values/protocol.js'
import { asName, said, spelled, word } from '../values/said.js'
import { Big, Float, floatValue, isDict, Range, TUPLE, typeName, typeOf, type Value } from '../values/values.js'
import { type Layout, nativeText } from './native.js'

export interface Style {
  /** The separator between elements, and below, the one between a key and its value. */
  readonly comma: string
  readonly colon: string
  /** One level of indentation. Undefined for a text on one line. */
  readonly indent?: string
  readonly prefix?: string
  readonly sortKeys?: boolean
  readonly ascii?: boolean
  readonly skipKeys?: boolean
  /** Python's rules: numbers, bools and None may be keys, and only lists, tuples and dicts are containers. */
  readonly python?: boolean
  readonly refuseNaN?: boolean
  /** The text of an object that has a special form. Undefined for others. */
  readonly form?: (x: object, usual: () => string) => string | undefined
  /** The replacement of a value without a JSON form. */
  readonly instead?: (x: Value, isKey?: boolean) => Value
  /** The replacement of an object, which is tried first. Undefined for others. */
  readonly as?: (x: object) => Value | undefined
  /** The text of a float for which JSON has no number. */
  readonly nonFinite?: (v: number) => string
  /** The path of keys and indices to the current value. */
  readonly path?: (string | number)[]
}

const COMPACT: Style = { comma: ',', colon: ':' }

/** JSON text for the host: compact, with keys in order. Throws a GuestError for a value without a JSON form. */
export function encodeJson(x: Value): string {
  return encode(x, COMPACT)
}

export function encode(x: Value, style: Style): string {
  const { sortKeys = false, ascii = false } = style
  const lines = linesOf(style)
  const native = lines === undefined ? undefined : nativeText(x, { lines, sortKeys, ascii })
  if (native !== undefined) return native
  const before = open.length
  try {
    return write(x, style, style.indent === undefined ? '' : `\n${style.prefix ?? ''}`)
  } finally {
    open.length = before
  }
}

/** The engine's lines for the style. Undefined if it has none. */
function linesOf(style: Style): Layout['lines'] | undefined {
  if (style.form !== undefined || style.instead !== undefined || style.as !== undefined || style.prefix)
    return undefined
  if (style.indent !== undefined) {
    return style.comma === ',' && style.colon === ': ' && /^[\x20-\x7e\t\n]{1,10}$/.test(style.indent)
      ? { indent: style.indent }
      : undefined
  }
  if (style.comma === ',' && style.colon === ':') return 'compact'
  return style.comma === ', ' && style.colon === ': ' ? 'spaced' : undefined
}

const stringify = JSON.stringify
const open: object[] = []
const DEEPEST = 1000

/** The text of a value. `line` is the line break of the enclosing container, or '' for a text on one line. */
function write(x: Value, style: Style, line: string): string {
  switch (typeof x) {
    case 'string':
      return quoted(x, style)
    case 'number':
      if (Number.isInteger(x)) return `${x}`
      return Number.isFinite(x) ? floatText(x) : nonFinite(x, style)
    case 'boolean':
      return x ? 'true' : 'false'
    case 'function':
      if (style.instead !== undefined) return write(style.instead(x), style, line)
      throw noForm(x, style)
    default:
      return x === null ? 'null' : writeObject(x as object, style, line)
  }
}

const OUTSIDE = /[\x7f-\uffff]/
const OUTSIDE_ALL = /[\x7f-\uffff]/g

function quoted(s: string, style: Style): string {
  const text = stringify(s)
  return style.ascii && OUTSIDE.test(text) ? text.replace(OUTSIDE_ALL, escapeUnit) : text
}

function escapeUnit(c: string): string {
  return `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function nonFinite(v: number, style: Style): string {
  if (style.nonFinite !== undefined) return style.nonFinite(v)
  if (style.python && !style.refuseNaN) return Number.isNaN(v) ? 'NaN' : v < 0 ? '-Infinity' : 'Infinity'
  throw guestError(
    'ValueError',
    style.python
      ? 'Out of range float values are not JSON compliant'
      : said`cannot encode non-finite float ${spelled(floatText(v), v)}`,
  )
}

export function noForm(x: Value, style: Style): GuestError {
  const name = typeName(x)
  const type =
    word(name) === typeOf(x)
      ? word(name.slice(name.lastIndexOf('.') + 1))
      : asName(name.slice(name.lastIndexOf('.') + 1))
  return style.python
    ? guestError('TypeError', said`Object of type ${type} is not JSON serializable`, {
        ...(x instanceof Set ? { hint: 'convert it first: sorted(s) or list(s)' } : {}),
      })
    : guestError('TypeError', said`cannot encode ${typeOf(x)} as JSON`)
}

function writeObject(x: object, style: Style, line: string): string {
  if (x instanceof Big) return x.n.toString()
  if (x instanceof Float) return Number.isFinite(x.v) ? floatText(x.v) : nonFinite(x.v, style)
  if (open.indexOf(x) >= 0)
    throw guestError('ValueError', style.python ? 'Circular reference detected' : 'cycle in JSON structure')
  if (open.length >= DEEPEST)
    throw guestError('RecursionError', said`value is nested too deeply for JSON (more than ${DEEPEST} levels)`)
  open.push(x)
  const text = writeContainer(x, style, line)
  open.pop()
  return text
}

function writeContainer(x: object, style: Style, line: string): string {
  return style.form?.(x, () => writeUsual(x, style, line)) ?? writeUsual(x, style, line)
}

function writeUsual(x: object, style: Style, line: string): string {
  const other = style.as?.(x)
  if (other !== undefined) return write(other, style, line)
  if (Array.isArray(x))
    return writeElements(x as Value[], x[0] === TUPLE ? 1 : 0, style, line, x[0] === TUPLE ? 'tuple' : 'list')
  const dict: boolean = isDict(x)
  if (dict) return writeEntries(entriesOf(x, style), style, line, 'dict key')
  const own = protocolOf(x)
  if (own?.jsonForm !== undefined) return write(own.jsonForm(x), style, line)
  if (style.instead !== undefined) return write(style.instead(x as Value), style, line)
  if (!style.python) {
    if (x instanceof Range || x instanceof Set || x instanceof DictView || x instanceof Elems)
      return writeElements(items(x), 0, style, line, typeName(x))
    if (own?.attributeNames !== undefined && strict)
      return writeEntries(fieldsOf(x, own.attributeNames(x)), style, line, 'field')
  }
  throw noForm(x as Value, style)
}

function fieldsOf(x: object, names: readonly string[]): Value[] {
  const flat: Value[] = []
  for (const name of names.slice().sort()) flat.push(name, attributeOrAbsent(x, name)!)
  return flat
}

/** Alternating keys, as strings, and values. */
function entriesOf(d: object, style: Style): readonly Value[] {
  const flat = dictFlat(d)
  if (!style.python) {
    for (let i = 0; i < flat.length; i += 2) {
      if (typeof flat[i] !== 'string')
        throw guestError('TypeError', said`dict has ${typeOf(flat[i]!)} key, want string`)
    }
    return style.sortKeys ? sortedEntries(flat) : flat
  }
  const ordered = style.sortKeys ? sortedEntries(flat) : flat
  const out: Value[] = []
  for (let i = 0; i < ordered.length; i += 2) {
    const k = keyText(ordered[i]!, style)
    if (k !== undefined) out.push(k, ordered[i + 1]!)
  }
  return out
}

function sortedEntries(flat: readonly Value[]): Value[] {
  const keys: Value[] = []
  for (let i = 0; i < flat.length; i += 2) keys.push(flat[i]!)
  const at = new Map<Value, number>()
  for (let i = 0; i < keys.length; i++) at.set(keys[i]!, 2 * i + 1)
  const out: Value[] = []
  for (const k of sortedArray(keys, undefined, false)) out.push(k, flat[at.get(k)!]!)
  return out
}

function keyText(k: Value, style: Style): string | undefined {
  if (typeof k === 'string') return k
  const inner = contentOf(k)
  if (inner !== undefined) return keyText(inner, style)
  if (k === null) return 'null'
  if (typeof k === 'boolean') return k ? 'true' : 'false'
  if (typeof k === 'number' || k instanceof Big || k instanceof Float) {
    const v = floatValue(k)
    return v !== undefined && !Number.isFinite(v) ? nonFinite(v, style) : repr(k)
  }
  if (style.skipKeys) return undefined
  const other = typeof k === 'object' ? style.as?.(k) : undefined
  if (other !== undefined) return keyText(other, style)
  if (style.path !== undefined && style.instead !== undefined) return str(style.instead(k, true))
  throw guestError('TypeError', said`keys must be str, int, float, bool or None, not ${typeOf(k)}`)
}

function writeElements(all: readonly Value[], from: number, style: Style, line: string, type: string): string {
  if (all.length === from) return '[]'
  const inner = style.indent === undefined ? '' : line + style.indent
  let text = '['
  for (let i = from; i < all.length; i++) {
    text += (i > from ? style.comma : '') + inner + place(all[i]!, style, inner, 'index', type, i - from)
  }
  return `${text}${style.indent === undefined ? '' : line}]`
}

function writeEntries(flat: readonly Value[], style: Style, line: string, what: string): string {
  if (flat.length === 0) return '{}'
  const inner = style.indent === undefined ? '' : line + style.indent
  let text = '{'
  for (let i = 0; i < flat.length; i += 2) {
    const k = flat[i] as string
    text += `${(i > 0 ? style.comma : '') + inner + quoted(k, style)}${style.colon}${place(flat[i + 1]!, style, inner, what, k, i)}`
  }
  return `${text}${style.indent === undefined ? '' : line}}`
}

/** Writes a part of a value. Starlark's failures name its place in the value. */
function place(x: Value, style: Style, line: string, what: string, name: string, i: number): string {
  if (style.path !== undefined) {
    style.path.push(what === 'index' ? i : name)
    const text = write(x, style, line)
    style.path.pop()
    return text
  }
  if (style.python) return write(x, style, line)
  try {
    return write(x, style, line)
  } catch (e) {
    if (!(e instanceof GuestError)) throw e
    const where =
      what === 'index'
        ? said`at ${word(name)} index ${i}`
        : what === 'field'
          ? said`in field .${asName(name)}`
          : said`in dict key ${spelled(stringify(name), name)}`
    throw guestError(e.kind, said`${where}: ${e.said}`)
  }
}
