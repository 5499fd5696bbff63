// The two forms of dicts. Most dicts are a `Map` from normalised key to value. A *record* is a plain JavaScript object,
// made by displays with constant string keys and by JSON.parse. Reading a constant field of a record costs a third of
// `Map.get`, and large tool results need no conversion.
//
// JavaScript enumerates keys that look like array indices first, so a record never has such a key. When a record gets a
// key that it can't hold, or loses a key, it becomes a *shell*: the same object without entries, with a Map under a
// symbol. The inlined tests for records fail for a shell because of its own property `constructor`.
// Invariant: other files use the Map of a dict, a record or a shell only after a test which of them it is.

import { type RecordDict, Shell, TUPLE, type Value } from '../values/values.js'
import { type Keyed, key, originalKey, remember } from './keys.js'
import { locks, mutable } from './locks.js'

type Dict = object
type MapDict = Map<Value, Value> & Keyed

const ENTRIES = Symbol('entries')
const hasOwn = Object.hasOwn
const objectKeys = Object.keys
/** What every record inherits. No value of a program is one of these. */
const inherited = Object.prototype as unknown as RecordDict

// Without a constructor of its own, a function would inherit that of records and pass the tests for them.
Object.defineProperty(Object.getPrototypeOf(hasOwn), 'constructor', { value: undefined })

/** The Map of a dict in Map or shell form; undefined for a record. */
function mapOf(d: Dict): MapDict | undefined {
  if (d instanceof Map) return d as MapDict
  return d.constructor === Shell ? (d as unknown as { [ENTRIES]: MapDict })[ENTRIES] : undefined
}

/** True if a record can hold this key without changing the order of its keys. */
function isRecordKey(k: Value): k is string {
  if (typeof k !== 'string') return false
  const c = k.charCodeAt(0)
  return !(c >= 48 && c <= 57)
}

/** Turns a record into a shell, in place, and returns its Map. */
function toShell(d: Dict): MapDict {
  const record = d as RecordDict
  const map: MapDict = new Map()
  for (const k of objectKeys(record)) {
    map.set(k, record[k]!)
    delete record[k]
  }
  Object.defineProperty(record, 'constructor', { value: Shell, enumerable: false, writable: true, configurable: true })
  Object.defineProperty(record, ENTRIES, { value: map, enumerable: false, writable: true, configurable: true })
  return map
}

function writableMap(d: Dict): MapDict {
  mutable(d)
  return mapOf(d) ?? toShell(d)
}

/** The value under a key, or undefined. Throws for an unhashable key. */
export function dictGet(d: Dict, k: Value): Value | undefined {
  if (d.constructor === Object && typeof k === 'string' && k !== '__proto__') {
    const v = (d as RecordDict)[k]
    return v === inherited[k] ? undefined : v
  }
  const map = mapOf(d)
  if (map !== undefined) return map.get(typeof k === 'string' || typeof k === 'number' ? k : key(k))
  if (typeof k !== 'string') {
    // An object of the program can be equal to a string.
    const n = key(k)
    return typeof n === 'string' && hasOwn(d, n) ? (d as RecordDict)[n] : undefined
  }
  return hasOwn(d, k) ? (d as RecordDict)[k] : undefined
}

export function dictHas(d: Dict, k: Value): boolean {
  return dictGet(d, k) !== undefined
}

export function dictSet(d: Dict, k: Value, v: Value): void {
  if (!locks.dictsIdle) mutable(d)
  if (d.constructor === Map && (typeof k === 'string' || typeof k === 'number')) {
    ;(d as MapDict).set(k, v)
    return
  }
  let map = mapOf(d)
  if (map === undefined) {
    if (typeof k === 'string' && (isRecordKey(k) ? k !== '__proto__' && k !== 'constructor' : false)) {
      ;(d as RecordDict)[k] = v
      return
    }
    if (typeof k === 'string' && hasOwn(d, k)) {
      Object.defineProperty(d, k, { value: v, enumerable: true, writable: true, configurable: true })
      return
    }
    map = toShell(d)
  }
  mapSet(map, k, v)
}

function mapSet(map: MapDict, k: Value, v: Value): void {
  // If an equal int or string key exists, it keeps its spelling. If it is new, it prints like its normalised form.
  if (typeof k === 'string' || typeof k === 'number') {
    map.set(k, v)
    return
  }
  const n = key(k)
  if (!map.has(n)) remember(map, k, n)
  map.set(n, v)
}

/** Replaces the value `old` by `v` if the dict still has it under the key. Checks no locks. */
export function dictReplace(d: Dict, k: Value, old: Value, v: Value): void {
  if (dictGet(d, k) !== old) return
  const map = mapOf(d)
  if (map === undefined) (d as RecordDict)[k as string] = v
  else map.set(key(k), v)
}

/** Removes a key and returns its value; undefined if it was missing. */
export function dictDelete(d: Dict, k: Value): Value | undefined {
  const found = dictGet(d, k)
  if (found === undefined) {
    mutable(d)
    return undefined
  }
  const map = writableMap(d)
  const n = key(k)
  map.delete(n)
  map.$original?.delete(n)
  return found
}

export function dictClear(d: Dict): void {
  const map = writableMap(d)
  map.clear()
  delete map.$original
}

export function dictSize(d: Dict): number {
  const map = mapOf(d)
  return map !== undefined ? map.size : objectKeys(d).length
}

/** The number of keys up to which a record is counted again and again. */
const MOST_COUNTED = 32

/** The size of a dict that is asked for in every round of a loop. A large record becomes a shell, which knows it. */
export function countedSize(d: Dict): number {
  const map = mapOf(d)
  if (map !== undefined) return map.size
  const { length } = objectKeys(d)
  return length <= MOST_COUNTED ? length : toShell(d).size
}

export function dictIsEmpty(d: Dict): boolean {
  const map = mapOf(d)
  if (map !== undefined) return map.size === 0
  for (const _ in d) return false
  return true
}

/** The keys as the program wrote them, in insertion order: a new array. */
export function dictKeys(d: Dict): Value[] {
  const map = mapOf(d)
  if (map === undefined) return objectKeys(d)
  const out: Value[] = []
  let n = 0
  if (map.$original === undefined) {
    map.forEach((_, k) => {
      out[n++] = k
    })
  } else {
    map.forEach((_, k) => {
      out[n++] = originalKey(map, k)
    })
  }
  return out
}

export function dictValues(d: Dict): Value[] {
  const out: Value[] = []
  let n = 0
  const map = mapOf(d)
  if (map === undefined) {
    const keys = objectKeys(d)
    for (; n < keys.length; n++) out[n] = (d as RecordDict)[keys[n]!]!
  } else {
    map.forEach((v) => {
      out[n++] = v
    })
  }
  return out
}

/** Keys and values alternating, in insertion order: a new array. */
export function dictFlat(d: Dict): Value[] {
  const out: Value[] = []
  let n = 0
  const map = mapOf(d)
  if (map === undefined) {
    const keys = objectKeys(d)
    for (let i = 0; i < keys.length; i++) {
      const k = keys[i]!
      out[n++] = k
      out[n++] = (d as RecordDict)[k]!
    }
  } else if (map.$original === undefined) {
    map.forEach((v, k) => {
      out[n++] = k
      out[n++] = v
    })
  } else {
    map.forEach((v, k) => {
      out[n++] = originalKey(map, k)
      out[n++] = v
    })
  }
  return out
}

/** The entries as tuples: a new array. */
export function dictItems(d: Dict): Value[] {
  const out: Value[] = []
  if (d.constructor === Map && (d as MapDict).$original === undefined) {
    let n = 0
    ;(d as MapDict).forEach((v, k) => {
      out[n++] = [TUPLE, k, v]
    })
    return out
  }
  const flat = dictFlat(d)
  for (let i = 0; i < flat.length; i += 2) out.push([TUPLE, flat[i]!, flat[i + 1]!])
  return out
}

/** The oldest or newest entry, or undefined if the dict is empty. */
export function dictEnd(d: Dict, which: 'first' | 'last'): readonly [Value, Value] | undefined {
  const flat = dictFlat(d)
  if (flat.length === 0) return undefined
  return which === 'first' ? [flat[0]!, flat[1]!] : [flat[flat.length - 2]!, flat[flat.length - 1]!]
}

/** A new dict from alternating keys and values. Of equal keys the last one counts. */
export function dictOf(flat: readonly Value[]): Dict {
  const map: MapDict = new Map()
  for (let i = 0; i < flat.length; i += 2) mapSet(map, flat[i]!, flat[i + 1]!)
  return map
}

export function dictCopy(d: Dict): Dict {
  const map = mapOf(d)
  if (map === undefined) return Object.assign({}, d)
  const copy: MapDict = new Map(map)
  if (map.$original !== undefined) copy.$original = new Map(map.$original)
  return copy
}

/** Puts all entries of `from` into `into`. */
export function dictUpdate(into: Dict, from: Dict): void {
  const flat = dictFlat(from)
  for (let i = 0; i < flat.length; i += 2) dictSet(into, flat[i]!, flat[i + 1]!)
}

/** True if both dicts have the same keys with equal values, in any order. */
export function dictEquals(a: Dict, b: Dict, equal: (x: Value, y: Value) => boolean): boolean {
  if (dictSize(a) !== dictSize(b)) return false
  const flat = dictFlat(a)
  for (let i = 0; i < flat.length; i += 2) {
    const other = dictGet(b, flat[i]!)
    if (other === undefined || !equal(flat[i + 1]!, other)) return false
  }
  return true
}
