// The module `pprint`: values on several lines if they do not fit on one.

import { wantInt } from '../calls/expect.js'
import { builtin } from '../calls/signature.js'
import { callAttribute } from '../classes/attributes.js'
import { dictFlat } from '../containers/dict.js'
import { items } from '../containers/iterate.js'
import { printText } from '../host/output.js'
import { DictView } from '../methods/dict-views.js'
import { less } from '../operators/comparison.js'
import { truth } from '../operators/membership.js'
import { fill } from '../text/fill.js'
import { repr } from '../text/repr.js'
import { GuestError } from '../values/errors.js'
import { protocolOf } from '../values/protocol.js'
import { quote } from '../values/string-literals.js'
import { FrozenSet, isDict, TUPLE, typeName, type Value } from '../values/values.js'
import { type Module, module } from './module.js'

interface Style {
  readonly indent: number
  readonly width: number
  readonly depth: number
  readonly compact: boolean
  readonly sorts: boolean
}

/** The order of keys: by value, or by name of the type if values can't be compared. */
function before(a: Value, b: Value): boolean {
  try {
    return less(a, b)
  } catch (e) {
    if (!(e instanceof GuestError)) throw e
    return typeName(a) < typeName(b)
  }
}

function ordered<T>(all: T[], keyOf: (x: T) => Value): T[] {
  return all.sort((x, y) => (before(keyOf(x), keyOf(y)) ? -1 : before(keyOf(y), keyOf(x)) ? 1 : 0))
}

type Entry = readonly [Value, Value]

function entriesOf(d: object, style: Style): Entry[] {
  const flat = dictFlat(d)
  const all: Entry[] = []
  for (let i = 0; i < flat.length; i += 2) all.push([flat[i]!, flat[i + 1]!])
  return style.sorts ? ordered(all, (e) => e[0]) : all
}

const isPlainDict = (x: Value): x is object => isDict(x) && protocolOf(x) === undefined
const isPlainArray = (x: Value): x is Value[] => Array.isArray(x) && protocolOf(x) === undefined

/** `repr` with sorted dicts and without parts that are nested too deeply. */
function line(x: Value, style: Style, level: number): string {
  if (isPlainDict(x)) {
    const entries = entriesOf(x, style)
    if (level >= style.depth && entries.length > 0) return '{...}'
    return `{${entries.map(([k, v]) => `${line(k, style, level + 1)}: ${line(v, style, level + 1)}`).join(', ')}}`
  }
  if (!isPlainArray(x)) return repr(x)
  const isTuple = x[0] === TUPLE
  const all = items(x)
  if (level >= style.depth && all.length > 0) return isTuple ? '(...)' : '[...]'
  const text = all.map((e) => line(e, style, level + 1)).join(', ')
  return isTuple ? `(${text}${all.length === 1 ? ',' : ''})` : `[${text}]`
}

function write(x: Value, style: Style, indent: number, allowance: number, level: number): string {
  const text = line(x, style, level)
  if (text.length <= style.width - indent - allowance) return text
  const first = fill(' ', style.indent - 1)
  if (isPlainDict(x) && level < style.depth) {
    const entries = entriesOf(x, style)
    if (entries.length === 0) return text
    const inner = indent + style.indent
    const parts = entries.map(([k, v], i) => {
      const name = line(k, style, level + 1)
      return `${name}: ${write(v, style, inner + name.length + 2, i === entries.length - 1 ? allowance + 1 : 1, level + 1)}`
    })
    return `{${first}${parts.join(`,\n${fill(' ', inner)}`)}}`
  }
  if (isPlainArray(x) && level < style.depth) {
    const all = items(x)
    if (x[0] !== TUPLE) return `[${writeItems(all, style, indent, allowance + 1, level)}]`
    const end = all.length === 1 ? ',)' : ')'
    return `(${writeItems(all, style, indent, allowance + end.length, level)}${end}`
  }
  if (x instanceof Set && x.size > 0) return writeSet(x as Set<Value>, style, indent, allowance, level)
  return typeof x === 'string' ? writeText(x, style, indent, allowance, level) : text
}

function writeSet(x: Set<Value>, style: Style, indent: number, allowance: number, level: number): string {
  const all = ordered(items(x).slice(), (e) => e)
  if (!(x instanceof FrozenSet)) return `{${writeItems(all, style, indent, allowance + 1, level)}}`
  return `frozenset({${writeItems(all, style, indent + 'frozenset('.length, allowance + 2, level)}})`
}

function writeItems(all: readonly Value[], style: Style, indent0: number, allowance: number, level: number): string {
  const indent = indent0 + style.indent
  const lineBreak = `,\n${fill(' ', indent)}`
  let text = fill(' ', style.indent - 1)
  let delimiter = ''
  let most = style.width - indent + 1
  let room = most
  all.forEach((x, i) => {
    const last = i === all.length - 1
    if (last) {
      most -= allowance
      room -= allowance
    }
    if (style.compact) {
      const one = line(x, style, level + 1)
      const w = one.length + 2
      if (room < w) {
        room = most
        if (delimiter !== '') delimiter = lineBreak
      }
      if (room >= w) {
        room -= w
        text += delimiter + one
        delimiter = ', '
        return
      }
    }
    text += delimiter + write(x, style, indent, last ? allowance : 1, level + 1)
    delimiter = lineBreak
  })
  return text
}

/** Writes a long text as several literals, split after spaces and line ends. */
function writeText(s: string, style: Style, indent0: number, allowance0: number, level: number): string {
  if (s === '') return quote(s)
  const top = level === 0
  const indent = top ? indent0 + 1 : indent0
  const allowance = top ? allowance0 + 1 : allowance0
  const width = style.width - indent
  const chunks: string[] = []
  const lines = s.match(/[^\n\r]*(?:\r\n|\n|\r)|[^\n\r]+$/g) ?? [s]
  lines.forEach((l, i) => {
    const lastLine = i === lines.length - 1
    if (quote(l).length <= width - (lastLine ? allowance : 0)) {
      chunks.push(quote(l))
      return
    }
    const parts = l.match(/\S*\s+|\S+$/g) ?? [l]
    let current = ''
    parts.forEach((part, j) => {
      const room = width - (lastLine && j === parts.length - 1 ? allowance : 0)
      if (quote(current + part).length > room) {
        if (current !== '') chunks.push(quote(current))
        current = part
      } else current += part
    })
    if (current !== '') chunks.push(quote(current))
  })
  if (chunks.length === 1) return chunks[0]!
  const text = chunks.join(`\n${fill(' ', indent)}`)
  return top ? `(${text})` : text
}

const OPTIONS = 'indent=, width=, depth=, *, compact=, sort_dicts=, underscore_numbers='

function styleOf(options: readonly (Value | undefined)[], sorts: boolean): Style {
  const [indent, width, depth, compact, sortDicts] = options
  return {
    indent: indent === undefined ? 1 : wantInt(indent, 'pprint', 'indent'),
    width: width === undefined ? 80 : wantInt(width, 'pprint', 'width'),
    depth: depth === undefined || depth === null ? Infinity : wantInt(depth, 'pprint', 'depth'),
    compact: compact !== undefined && truth(compact),
    sorts: sortDicts === undefined ? sorts : truth(sortDicts),
  }
}

function show(x: Value, style: Style): string {
  return write(x instanceof DictView ? items(x).slice() : x, { ...style, indent: Math.max(1, style.indent) }, 0, 0, 0)
}

function print(text: string, stream: Value | undefined): null {
  if (stream === undefined || stream === null) printText(text, '\n')
  else callAttribute(stream, 'write', [`${text}\n`])
  return null
}

export const pprint: Module = module('pprint', {
  pformat: builtin('pformat', `object, ${OPTIONS}`, (x, ...options) => show(x!, styleOf(options, true))),
  pprint: builtin('pprint', `object, stream=, ${OPTIONS}`, (x, stream, ...options) =>
    print(show(x!, styleOf(options, true)), stream),
  ),
  pp: builtin('pp', `object, stream=, ${OPTIONS}`, (x, stream, ...options) =>
    print(show(x!, styleOf(options, false)), stream),
  ),
})
