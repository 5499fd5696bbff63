// Values to JSON text by the engine's own serialiser, which is ten times as fast as one written in the guest. It takes
// most values as they are. Tuples and dicts in Map form are first copied into arrays and objects. Numbers that it would
// write differently (integral floats, long ints, very small floats) become marked strings. The host then puts spaces
// and escapes into the text and removes the marks (rewrite.ts of the host). encode.ts handles everything else (options,
// other types, cycles, errors).
//
// A list of keys makes the serialiser write them in that order, in every object. If the values have few keys, the list
// of all of them sorts each dict, at no cost. Otherwise dicts are copied with their keys sorted.

import { floatText } from '../numbers/float-text.js'
import { isRewritable, rewritten } from '../text/rewriting.js'
import { python } from '../values/mode.js'
import { Big, Float, MAX_SAFE, type RecordDict, TUPLE, type Value } from '../values/values.js'

const stringify = JSON.stringify
const objectKeys = Object.keys
const objectValues = Object.values
// Constructors as variables of this file, because reading a global costs more than a comparison.
const [TEXT, NUMBER, BOOL, LIST, RECORD] = [String, Number, Boolean, Array, Object]

// Texts hardly ever contain this. The host counts marks, so it notices if one does.
const MARK = '\x9f\x9e'

/** Stands for a value that the engine can't serialise. */
const REFUSED = Symbol('refused')
type Native = Value | undefined | typeof REFUSED

const DEEPEST = 200
let marks = 0
let sorting = false

/** The layout of the text. */
export interface Layout {
  /** On one line, without or with spaces, or indented. */
  readonly lines: 'compact' | 'spaced' | { readonly indent: string }
  readonly sortKeys: boolean
  readonly ascii: boolean
}

/** The JSON text of a value. Undefined if the engine might write it wrongly. */
export function nativeText(x: Value, { lines, sortKeys, ascii }: Layout): string | undefined {
  marks = 0
  sorting = sortKeys
  allKeys.clear()
  lastKeys.length = 0
  dicts = entries = 0
  let plain = convert(x, 0)
  let order: string[] | null = null
  if (sorting && plain !== REFUSED && dicts > 0) {
    order = commonOrder()
    if (order === null) plain = inOrder(plain as Value)
  }
  if (plain === REFUSED || (python && sorting && SURROGATE.test([...allKeys].join('')))) return undefined
  const isSpaced = lines === 'spaced'
  const text = stringify(plain, order, lines === 'compact' ? undefined : isSpaced ? '\u0001' : lines.indent)
  if (!isSpaced && !ascii && marks === 0) return text
  if (!isRewritable(text)) return undefined
  const written = rewritten(`d${isSpaced ? 's' : 'c'}${ascii ? 'a' : 'w'}${marks}\n`, text) ?? text
  return written === '!' ? undefined : written
}

/** The value itself if the engine writes it correctly, otherwise a replacement. */
function convert(x: Value, depth: number): Native {
  if (x === null) return x
  const kind: unknown = x.constructor
  if (kind === TEXT || kind === BOOL) return x
  if (kind === NUMBER) return convertNumber(x as number)
  if (depth > DEEPEST) return REFUSED
  if (kind === LIST) return convertElements(x as Value[], x as Value[], depth)
  if (kind === RECORD) {
    if (sorting) noteKeys(objectKeys(x))
    return convertElements(x as RecordDict, objectValues(x), depth)
  }
  if (kind === Map) return convertMap(x as Map<Value, Value> & { $original?: object }, depth)
  if (x instanceof Float) return Number.isFinite(x.v) ? mark(floatText(x.v)) : REFUSED
  return x instanceof Big ? mark(x.n.toString()) : REFUSED
}

function mark(text: string): string {
  marks++
  return MARK + text
}

function convertNumber(x: number): Native {
  if ((x | 0) === x) return x
  const size = x < 0 ? -x : x
  if (Number.isInteger(x)) return size <= MAX_SAFE ? x : REFUSED
  if (size >= 1e-4) return size < Infinity ? x : REFUSED
  return Number.isNaN(x) ? REFUSED : mark(floatText(x))
}

/** `all`: the elements of the list, the tuple or the record. */
function convertElements(x: Value[] | RecordDict, all: Value[], depth: number): Native {
  const from = all[0] === TUPLE ? 1 : 0
  const n = all.length
  let copy: Value[] | undefined = from === 1 ? [] : undefined
  for (let i = from; i < n; i++) {
    const e = all[i] as Value
    // Most elements are written as they are. They are recognised here, because calls cost as much as everything else.
    const kind: unknown = e === null ? TEXT : e.constructor
    const isPlain = kind === TEXT || (kind === NUMBER && ((e as number) | 0) === e)
    const c = isPlain ? e : convert(e, depth + 1)
    if (copy !== undefined) copy[i - from] = c as Value
    else if (c !== e) {
      copy = all.slice(0, i)
      copy[i] = c as Value
    }
    if (c === REFUSED) return c
  }
  return copy === undefined ? x : all === x ? copy : recordOf(objectKeys(x), copy)
}

function recordOf(keys: readonly string[], values: readonly Value[]): RecordDict {
  const record: RecordDict = {}
  for (let i = 0; i < keys.length; i++) record[keys[i]!] = values[i]!
  return record
}

// JavaScript always puts such keys first, unless it is given a list of keys.
const OWN_ORDER = /^\d/

function convertMap(x: Map<Value, Value> & { $original?: object }, depth: number): Native {
  if (x.$original !== undefined) return REFUSED
  const record: RecordDict = {}
  let refused = false
  x.forEach((v, k) => {
    if (typeof k !== 'string' || k === '__proto__' || (!sorting && OWN_ORDER.test(k))) refused = true
    else record[k] = v
  })
  return refused ? REFUSED : convert(record, depth)
}

// ---- sorted keys -------------------------------------------------------------------------------------------------

const SURROGATE = /[\ud800-\udfff]/
/** The engine compares each key of a list with all before it. */
const LONGEST_ORDER = 200

const allKeys = new Set<string>()
/** The keys of the last dict of each size. Most are like the one before. */
const lastKeys: (readonly string[])[] = []
let dicts = 0
let entries = 0

function noteKeys(keys: readonly string[]): void {
  const n = keys.length
  dicts++
  entries += n
  const last = lastKeys[n]
  let i = 0
  if (last !== undefined) while (i < n && keys[i] === last[i]) i++
  if (i === n && n > 0) return
  for (; i < n; i++) allKeys.add(keys[i]!)
  lastKeys[n] = keys
}

/** All keys in order. Null if the engine had better not look for all of them in every dict. */
function commonOrder(): string[] | null {
  if (allKeys.size > LONGEST_ORDER || allKeys.size * dicts > 4 * entries || allKeys.has('__proto__')) return null
  return [...allKeys].sort()
}

/** The same arrays and objects, with the keys of objects in order. */
function inOrder(x: Value): Native {
  if (typeof x !== 'object' || x === null) return x
  const isList = Array.isArray(x)
  const copy: Value[] | RecordDict = isList ? [] : {}
  for (const k of isList ? x.keys() : objectKeys(x).sort()) {
    if (!isList && (OWN_ORDER.test(k as string) || k === '__proto__')) return REFUSED
    const c = inOrder((x as RecordDict)[k]!)
    if (c === REFUSED) return c
    ;(copy as RecordDict)[k] = c as Value
  }
  return copy
}
