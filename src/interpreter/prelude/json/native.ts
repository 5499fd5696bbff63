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

// Two noncharacters. Texts never contain them.
const MARK = '\ufdd0\ufdd1'

/** Stands for a value that the engine can't serialise. */
const REFUSED = Symbol('refused')
type Native = Value | undefined | typeof REFUSED

const DEEPEST = 200
let marks = false
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
  marks = false
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
  if (!isSpaced && !ascii && !marks) return text
  if (!isRewritable(text)) return undefined
  return rewritten(`${isSpaced ? 's' : 'c'}${ascii ? 'a' : 'w'}`, text) ?? text
}

/** The value itself if the engine writes it correctly, otherwise a replacement. */
function convert(x: Value, depth: number): Native {
  if (x === null) return x
  const kind: unknown = x.constructor
  if (kind === String || kind === Boolean) return x
  if (kind === Number) return convertNumber(x as number)
  if (depth > DEEPEST) return REFUSED
  if (kind === Array) return convertArray(x as Value[], depth)
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
  if ((x | 0) === x) return x
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
    // For speed, strings are not looked at more closely.
    const c = e !== null && e.constructor === String ? e : convert(e, depth + 1)
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
  if (sorting) noteKeys(objectKeys(x))
  const values = objectValues(x)
  let copy: RecordDict | undefined
  let keys: readonly string[] = []
  for (let i = 0; i < values.length; i++) {
    const e = values[i]!
    const c = e !== null && e.constructor === String ? e : convert(e, depth + 1)
    if (c === e) continue
    if (c === REFUSED) return c
    if (copy === undefined) {
      copy = Object.assign({}, x)
      keys = objectKeys(x)
    }
    copy[keys[i]!] = c as Value
  }
  return copy ?? x
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
  return refused ? REFUSED : convertRecord(record, depth)
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
