// Indexing and slicing (specification: Index expressions, Slice expressions), reading and writing.

import { dictDelete, dictGet, dictSet } from '../containers/dict.js'
import { items } from '../containers/iterate.js'
import { key } from '../containers/keys.js'
import { locks, mutable } from '../containers/locks.js'
import { quoted } from '../text/repr.js'
import { type GuestError, guestError } from '../values/errors.js'
import { python } from '../values/mode.js'
import { protocolOf } from '../values/protocol.js'
import { Alternative, joined, type Said, said, spelled, word } from '../values/said.js'
import { rememberedText } from '../values/tool-data.js'
import {
  Bytes,
  big,
  bytesLike,
  isDict,
  isInt,
  isTuple,
  MAX_SAFE,
  Range,
  type RecordDict,
  TUPLE,
  toNumber,
  typeName,
  typeOf,
  unbool,
  type Value,
} from '../values/values.js'
import { Slice } from './slices.js'

/** `x[i]`. */
export function index(x: Value, i: Value): Value {
  const kind = x === null ? undefined : x.constructor
  if (kind === Array) {
    if (((i as number) | 0) === i) {
      const all = x as Value[]
      const v =
        all[(i as number) < 0 ? all.length + (i as number) : all[0] === TUPLE ? (i as number) + 1 : (i as number)]
      if (v !== undefined && v !== TUPLE) return v
    }
    return indexArray(x as Value[], i)
  }
  if (kind === Map) {
    const v = (x as Map<Value, Value>).get(typeof i === 'object' ? key(i) : i)
    if (v !== undefined) return v
  } else if (kind === Object && typeof i === 'string' && i !== 'constructor') {
    const v = (x as RecordDict)[i]
    if (v !== undefined) return v
  }
  if (kind === String && ((i as number) | 0) === i) {
    const v = (x as string)[(i as number) < 0 ? (x as string).length + (i as number) : (i as number)]
    if (v !== undefined) return v
  }
  if (typeof i === 'string' && x instanceof Map) {
    const v = (x as Map<Value, Value>).get(i)
    if (v !== undefined) return v
  }
  return indexSlow(x, i)
}

function indexArray(x: Value[], i: Value): Value {
  if (i instanceof Slice) return slice(x, i.$start, i.$stop, i.$step)
  const base = x[0] === TUPLE ? 1 : 0
  return x[base + position(x, i, x.length - base)] as Value
}

/** The position of an index in a sequence of `length` elements. Throws if it is out of range or not an int. */
function position(x: Value, i0: Value, length: number, what = ''): number {
  const i = unbool(protocolOf(i0)?.unary?.('index', i0 as object) ?? i0)
  if (!isInt(i)) {
    const type = typeName(x)
    if (python) {
      throw guestError(
        'TypeError',
        type === 'str'
          ? said`string indices must be integers, not '${typeOf(i0)}'`
          : said`${type === 'bytes' ? 'byte' : typeOf(x)} indices must be integers or slices, not ${typeOf(i0)}`,
        {
          ...(typeof i0 === 'string' ? { hint: notADict(x) } : {}),
        },
      )
    }
    throw guestError('TypeError', said`got ${typeOf(i0)} for ${typeOf(x)} index, want int`)
  }
  const n = toNumber(i)
  const at = n < 0 ? n + length : n
  if (at >= 0 && at < length) return at
  const type = typeName(x)
  throw guestError(
    'IndexError',
    python
      ? said`${type === 'str' ? 'string' : type === 'range' ? 'range object' : typeOf(x)} ${word(what)}index out of range`
      : said`${typeOf(x)} index ${spelled(big(i))} out of range ${length === 0 ? said`[empty ${typeOf(x)}]` : said`[${-length}:${length - 1}]`}`,
    { code: 'index-error' },
  )
}

/** Hints for values that are not dicts and are indexed with a key. */
export function notADict(x: Value): Said {
  if (typeof x === 'string') {
    if (/^\s*[{[]/.test(x)) return said`this is a str of ${x.length} characters: json.loads(…) gives its data`
    if (x.includes('\n')) return said`this is a str of ${x.split('\n').length} lines: splitlines() gives them`
    return said`this str is not a dict; a loop over a dict gives its keys`
  }
  const first = Array.isArray(x) && x[0] !== TUPLE ? x[0] : undefined
  if (first === undefined || !isDict(first)) return said`this ${typeOf(x)} is not a dict: index it with an int first`
  const { length } = x as readonly Value[]
  const dicts = length === 1 ? said`one dict` : said`${length} dicts`
  const keys = items(first)
  const named = areFew(keys) ? said`${dicts} with the keys ${joined(keys.map(quoted), ', ')}` : dicts
  const of = (what: Said): Said => said`this is a list of ${what}: index it with an int first, or loop over it`
  return said`${new Alternative(
    () => of(named),
    () => of(dicts),
  )}`
}

function indexSlow(x: Value, i: Value): Value {
  if (i instanceof Slice && (Array.isArray(x) || typeof x === 'string' || x instanceof Range || x instanceof Bytes)) {
    return slice(x, i.$start, i.$stop, i.$step)
  }
  if (typeof x === 'string') return x[position(x, i, x.length)]!
  if (typeof x === 'object' && x !== null) {
    if (isDict(x)) {
      const v = dictGet(x, i)
      if (v !== undefined) return v
      const text = i instanceof Slice || typeof i === 'number' ? rememberedText(x) : undefined
      if (text !== undefined) return index(text, i)
      const made = protocolOf(x)?.missing?.(x, i)
      if (made !== undefined) return made
      throw missingKey(x, i)
    }
    if (x instanceof Range) return x.start + position(x, i, x.length) * x.step
    if (x instanceof Bytes) return x.b[position(x, i, x.b.length)]!
  }
  const own = protocolOf(x)?.getItem?.(x as object, i)
  if (own !== undefined) return own
  throw guestError(
    'TypeError',
    python
      ? said`'${typeOf(x)}' object is not subscriptable`
      : said`unhandled index operation ${typeOf(x)}[${typeOf(i)}]`,
  )
}

/** The failure of reading a missing key. It names the nearest keys. */
export function missingKey(d: object, k: Value): GuestError {
  const keys = items(d)
  const shown = quoted(k)
  const near =
    typeof k === 'string' ? keys.filter((x) => typeof x === 'string' && x.toLowerCase() === k.toLowerCase()) : []
  const hint =
    near.length > 0
      ? said`${new Alternative(
          () => said`did you mean ${quoted(near[0]!)}?`,
          () => keyCount(keys),
        )}`
      : keysHint(keys)
  return guestError('KeyError', python ? said`${shown}` : said`key ${shown} not in dict`, {
    args: [k],
    ...(hint === undefined ? {} : { hint }),
  })
}

function keyCount(keys: readonly Value[]): Said {
  return said`the dict has ${keys.length} key${keys.length === 1 ? '' : 's'}: print(list(…)) shows them`
}

function areFew(keys: readonly Value[]): boolean {
  return keys.length > 0 && keys.length <= 12 && keys.every((x) => typeof x === 'string' && x.length <= 40)
}

/** A hint that lists the keys of a dict, if they are few and short. */
export function keysHint(keys: readonly Value[]): Said | undefined {
  if (!areFew(keys)) return undefined
  return said`${new Alternative(
    () => said`the dict has the keys ${joined(keys.map(quoted), ', ')}`,
    () => keyCount(keys),
  )}`
}

/** `x[i] = v`. */
export function setIndex(x: Value, i: Value, v: Value): void {
  const isPlain = typeof i === 'string' || typeof i === 'number'
  if (isPlain && x !== null && (x.constructor === Map || (typeof i === 'string' && x instanceof Map))) {
    if (!locks.dictsIdle) mutable(x)
    ;(x as Map<Value, Value>).set(i, v)
    return
  }
  if (typeof x === 'object' && x !== null) {
    if (Array.isArray(x) && x[0] !== TUPLE) {
      if (i instanceof Slice) return setSlice(x, i.$start, i.$stop, i.$step, v)
      if (!locks.idle) mutable(x)
      if (((i as number) | 0) === i && i >= 0 && i < x.length) x[i] = v
      else x[position(x, i, x.length, 'assignment ')] = v
      return
    }
    if (isDict(x)) return dictSet(x, i, v)
    if (protocolOf(x)?.setItem?.(x, i, v) === true) return
  }
  throw guestError(
    'TypeError',
    python
      ? said`'${typeOf(x)}' object does not support item assignment`
      : said`${typeOf(x)} value does not support item assignment`,
    isTuple(x) ? { hint: 'tuples cannot change: make a list' } : undefined,
  )
}

/**
 * `x["name"] = v` for a constant key that a record can hold. While nothing is locked, generated code sets the keys of
 * records itself.
 */
export function setField(x: Value, name: string, v: Value): void {
  if (x !== null && x.constructor === Object) {
    if (!locks.dictsIdle) mutable(x)
    ;(x as RecordDict)[name] = v
  } else setIndex(x, name, v)
}

/** `del x[i]`. */
export function deleteIndex(x: Value, i: Value): void {
  if (typeof x === 'object' && x !== null) {
    if (Array.isArray(x) && x[0] !== TUPLE) {
      if (i instanceof Slice) return deleteSlice(x, i.$start, i.$stop, i.$step)
      mutable(x)
      x.splice(position(x, i, x.length, 'assignment '), 1)
      return
    }
    if (isDict(x)) {
      if (dictDelete(x, i) === undefined && protocolOf(x)?.deleteItem?.(x, i) !== true) throw missingKey(x, i)
      return
    }
    if (protocolOf(x)?.deleteItem?.(x, i) === true) return
  }
  throw guestError('TypeError', said`'${typeOf(x)}' object doesn't support item deletion`)
}

interface Bounds {
  readonly start: number
  readonly stop: number
  readonly step: number
  readonly count: number
}

function bound(x: Value | undefined, length: number, ifAbsent: number, step: number, what: string): number {
  if (x === undefined || x === null) return ifAbsent
  const i = unbool(protocolOf(x)?.unary?.('index', x as object) ?? x)
  if (!isInt(i)) {
    throw guestError(
      'TypeError',
      python
        ? 'slice indices must be integers or None or have an __index__ method'
        : said`invalid ${word(what)} index: got ${typeOf(x)}, want int`,
    )
  }
  const n = toNumber(i)
  const at = n < 0 ? n + length : n
  const least = step > 0 ? 0 : -1
  const most = step > 0 ? length : length - 1
  return Math.max(least, Math.min(most, at))
}

/** The positions of the elements that a slice takes from a sequence of `length` elements. */
export function sliceBounds(
  length: number,
  lower: Value | undefined,
  upper: Value | undefined,
  stride: Value | undefined,
): Bounds {
  let step = 1
  if (stride !== undefined && stride !== null) {
    const s = unbool(protocolOf(stride)?.unary?.('index', stride as object) ?? stride)
    if (!isInt(s))
      throw guestError(
        'TypeError',
        python
          ? 'slice indices must be integers or None or have an __index__ method'
          : said`invalid slice step: got ${typeOf(stride)}, want int`,
      )
    if (s === 0) throw guestError('ValueError', python ? 'slice step cannot be zero' : 'zero is not a valid slice step')
    step = Math.max(-MAX_SAFE, Math.min(MAX_SAFE, toNumber(s)))
  }
  const start = bound(lower, length, step > 0 ? 0 : length - 1, step, 'start')
  const stop = bound(upper, length, step > 0 ? length : -1, step, 'end')
  const count = Math.max(0, Math.ceil((stop - start) / step))
  return { start, stop, step, count }
}

function isPlainBound(x: Value | undefined): x is number | undefined {
  return x === undefined || ((x as number) | 0) === x
}

/** `x[lower:upper:step]`. */
export function slice(x: Value, lower?: Value, upper?: Value, stride?: Value): Value {
  // With small ints as bounds, JavaScript's slices return the same elements.
  if (stride === undefined && isPlainBound(lower) && isPlainBound(upper)) {
    if (typeof x === 'string') return x.slice(lower, upper)
    if (Array.isArray(x) && x[0] !== TUPLE) return x.slice(lower, upper)
  }
  if (Array.isArray(x)) {
    const base = x[0] === TUPLE ? 1 : 0
    const b = sliceBounds(x.length - base, lower, upper, stride)
    if (b.step === 1) {
      const part = x.slice(base + b.start, base + Math.max(b.start, b.stop)) as Value[]
      if (base === 1) part.unshift(TUPLE)
      return part
    }
    const out: Value[] = base === 1 ? [TUPLE] : []
    for (let i = 0, at = base + b.start; i < b.count; i++, at += b.step) out.push(x[at] as Value)
    return out
  }
  if (typeof x === 'string') {
    const b = sliceBounds(x.length, lower, upper, stride)
    if (b.step === 1) return x.slice(b.start, Math.max(b.start, b.stop))
    let out = ''
    for (let i = 0, at = b.start; i < b.count; i++, at += b.step) out += x[at]
    return out
  }
  if (x instanceof Range) {
    const b = sliceBounds(x.length, lower, upper, stride)
    return new Range(x.start + b.start * x.step, x.start + b.stop * x.step, x.step * b.step)
  }
  if (x instanceof Bytes) {
    const b = sliceBounds(x.b.length, lower, upper, stride)
    const out = new Uint8Array(b.count)
    for (let i = 0, at = b.start; i < b.count; i++, at += b.step) out[i] = x.b[at]!
    return bytesLike(x, out)
  }
  const text = rememberedText(x)
  if (text !== undefined) return slice(text, lower, upper, stride)
  const own = python
    ? protocolOf(x)?.getItem?.(x as object, new Slice(lower ?? null, upper ?? null, stride ?? null))
    : undefined
  if (own !== undefined) return own
  throw guestError(
    'TypeError',
    python ? said`'${typeOf(x)}' object is not subscriptable` : said`invalid slice operand ${typeOf(x)}`,
  )
}

/** `x[lower:upper:step] = values` (Python). */
export function setSlice(
  x: Value,
  lower: Value | undefined,
  upper: Value | undefined,
  stride: Value | undefined,
  values: Value,
): void {
  if (!Array.isArray(x) || x[0] === TUPLE) {
    const part = new Slice(lower ?? null, upper ?? null, stride ?? null)
    if (protocolOf(x)?.setItem?.(x as object, part, values) === true) return
    throw guestError('TypeError', said`'${typeOf(x)}' object does not support item assignment`)
  }
  mutable(x)
  const b = sliceBounds(x.length, lower, upper, stride)
  const replacement = items(values).slice()
  if (b.step === 1) {
    const tail = x.slice(Math.max(b.start, b.stop))
    x.length = b.start
    for (const v of replacement) x.push(v)
    for (const v of tail) x.push(v)
    return
  }
  if (replacement.length !== b.count) {
    throw guestError(
      'ValueError',
      said`attempt to assign sequence of size ${replacement.length} to extended slice of size ${b.count}`,
    )
  }
  for (let i = 0, at = b.start; i < b.count; i++, at += b.step) x[at] = replacement[i]
}

/** `del x[lower:upper:step]` (Python). */
export function deleteSlice(
  x: Value,
  lower: Value | undefined,
  upper: Value | undefined,
  stride: Value | undefined,
): void {
  if (!Array.isArray(x) || x[0] === TUPLE) {
    const part = new Slice(lower ?? null, upper ?? null, stride ?? null)
    if (protocolOf(x)?.deleteItem?.(x as object, part) === true) return
    throw guestError('TypeError', said`'${typeOf(x)}' object doesn't support item deletion`)
  }
  mutable(x)
  const b = sliceBounds(x.length, lower, upper, stride)
  const gone = new Set<number>()
  for (let i = 0, at = b.start; i < b.count; i++, at += b.step) gone.add(at)
  let kept = 0
  for (let i = 0; i < x.length; i++) if (!gone.has(i)) x[kept++] = x[i]
  x.length = kept
}
