// Values to JSON text by the engine's own serialiser, which is ten times as fast as one written in the guest. It takes
// most values as they are. Tuples and dicts in Map form are first copied into arrays and objects. Numbers that it would
// write differently (integral floats, long ints, very small floats) become marked strings. encode.ts handles everything
// else (options, other types, cycles, errors).

import { floatText } from '../numbers/float-text.js'
import { Big, Float, MAX_SAFE, type RecordDict, TUPLE, type Value } from '../values/values.js'

const stringify = JSON.stringify

// Two noncharacters. Texts never contain them.
const MARK = '\ufdd0\ufdd1'
const MARKED = /"\ufdd0\ufdd1([^"]*)"/g

/** Stands for a value that the engine can't serialise. */
const REFUSED = Symbol('refused')
type Native = Value | undefined | typeof REFUSED

const DEEPEST = 200
let marks = false
let sorting = false

/** The layout of the text: on one line, without or with spaces, or indented. */
export type Layout = 'compact' | 'spaced' | { readonly indent: string }

/** The JSON text of a value. Undefined if the engine might write it wrongly. */
export function nativeText(x: Value, layout: Layout, sortKeys: boolean): string | undefined {
  marks = false
  sorting = sortKeys
  const plain = convert(x, 0)
  if (plain === REFUSED) return undefined
  const indent = layout === 'compact' ? undefined : layout === 'spaced' ? '\u0001' : layout.indent
  let text = stringify(plain, null, indent)
  // In strings, line breaks and control characters are escaped, so they occur only between values. Regular expressions
  // would take four times as long.
  if (layout === 'spaced') text = text.replaceAll('\u0001', '').replaceAll(',\n', ', ').replaceAll('\n', '')
  return marks ? text.replace(MARKED, '$1') : text
}

/** The value itself if the engine writes it correctly, otherwise a replacement. */
function convert(x: Value, depth: number): Native {
  switch (typeof x) {
    case 'string':
    case 'boolean':
      return x
    case 'number':
      return (x | 0) === x ? x : convertNumber(x)
    case 'object':
      if (x === null) return x
      break
    default:
      return REFUSED
  }
  if (depth > DEEPEST) return REFUSED
  if (Array.isArray(x)) return convertArray(x as Value[], depth)
  const kind = x.constructor
  if (kind === Object) return convertRecord(x as RecordDict, depth)
  if (kind === Map) return convertMap(x as Map<Value, Value> & { $original?: object }, depth)
  if (x instanceof Float) return Number.isFinite(x.v) ? mark(floatText(x.v)) : REFUSED
  return x instanceof Big ? mark(x.n.toString()) : REFUSED
}

function mark(text: string): string {
  marks = true
  return MARK + text
}

function convertNumber(x: number): Native {
  const size = x < 0 ? -x : x
  if (Number.isInteger(x)) return size <= MAX_SAFE ? x : REFUSED
  if (size >= 1e-4) return size < Infinity ? x : REFUSED
  return Number.isNaN(x) ? REFUSED : mark(floatText(x))
}

function convertArray(x: Value[], depth: number): Native {
  const from = x[0] === TUPLE ? 1 : 0
  let copy: Value[] | undefined = from === 1 ? [] : undefined
  for (let i = from; i < x.length; i++) {
    const e = x[i] as Value
    const c = typeof e === 'string' ? e : convert(e, depth + 1)
    if (c === REFUSED) return c
    if (copy !== undefined) copy[i - from] = c as Value
    else if (c !== e) {
      copy = x.slice(0, i)
      copy[i] = c as Value
    }
  }
  return copy ?? x
}

function convertRecord(x: RecordDict, depth: number): Native {
  let copy: RecordDict | undefined
  let last = ''
  for (const k in x) {
    if (sorting) {
      if (k < last) return convertEntries(Object.keys(x).sort(), x, depth)
      last = k
    }
    const e = x[k]!
    const c = typeof e === 'string' ? e : convert(e, depth + 1)
    if (c === REFUSED) return c
    if (c !== e) {
      copy ??= Object.assign({}, x)
      copy[k] = c as Value
    }
  }
  return copy ?? x
}

// JavaScript always puts such keys first.
const OWN_ORDER = /^\d/

function convertEntries(keys: readonly string[], x: RecordDict, depth: number): Native {
  const copy: RecordDict = {}
  for (const k of keys) {
    if (OWN_ORDER.test(k) || k === '__proto__') return REFUSED
    const c = convert(x[k]!, depth + 1)
    if (c === REFUSED) return c
    copy[k] = c as Value
  }
  return copy
}

function convertMap(x: Map<Value, Value> & { $original?: object }, depth: number): Native {
  if (x.$original !== undefined) return REFUSED
  const entries: RecordDict = {}
  const keys: string[] = []
  let refused = false
  x.forEach((v, k) => {
    if (typeof k !== 'string' || k === '__proto__' || OWN_ORDER.test(k)) refused = true
    else {
      entries[k] = v
      keys.push(k)
    }
  })
  if (refused) return REFUSED
  return sorting ? convertEntries(keys.sort(), entries, depth) : convertRecord(entries, depth)
}
