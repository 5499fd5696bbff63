// Keys of dicts and elements of sets. JavaScript's Map compares keys by identity (SameValueZero), the guest by
// equality; a normalised key makes the two agree: equal guest keys normalise to the identical JavaScript value.
//   str, None, int, non-integral float   themselves (most keys: free)
//   bool                                  itself; 0 or 1 where bools are numbers (Python)
//   Float box                             the int of the same value (1.0 and 1 are one key)
//   Big, tuple, bytes, frozenset          one canonical value per content, found through a trie
//   functions and other objects           themselves (identity), or the key of their protocol
//
// A key that prints differently from its normalised form is remembered beside the container as `original`.

import { type GuestError, guestError } from '../values/errors.js'
import { python } from '../values/mode.js'
import { protocolOf } from '../values/protocol.js'
import { asName, said } from '../values/said.js'
import {
  Big,
  ByteArray,
  Bytes,
  Float,
  FrozenSet,
  MAX_SAFE,
  Range,
  TUPLE,
  typeName,
  type Value,
} from '../values/values.js'

/** The normalised key of any hashable value; throws for the others. */
export function key(x: Value): Value {
  if (typeof x === 'object') return x === null ? x : objectKey(x)
  return python && typeof x === 'boolean' ? (x ? 1 : 0) : x
}

function objectKey(x: object): Value {
  if (Array.isArray(x)) {
    if (x[0] === TUPLE) return tupleKey(x)
    throw unhashable(x)
  }
  if (x instanceof Float) {
    const v = x.v
    return v <= MAX_SAFE && v >= -MAX_SAFE ? v + 0 : Number.isFinite(v) ? bigKey(new Big(BigInt(v))) : v
  }
  if (x instanceof Big) return bigKey(x)
  if (x instanceof Bytes) {
    if (x instanceof ByteArray) throw unhashable(x)
    return bytesKey(x)
  }
  if (x instanceof FrozenSet) return frozenSetKey(x)
  if (x instanceof Map || x instanceof Set) throw unhashable(x)
  if (x instanceof Range) {
    if (python) return tupleKey([TUPLE, 'range', x.length, x.length > 0 ? x.start : null, x.length > 1 ? x.step : null])
    throw unhashable(x)
  }
  const own = protocolOf(x)
  const said = own?.hashKey?.(x)
  if (said !== undefined) return key(said)
  const normal = own?.normalKey?.(x)
  if (normal !== undefined) return normal
  // In Python, other objects hash by identity. In Starlark, modules and similar values do not hash.
  if (!python || Object.getPrototypeOf(x) === Object.prototype) throw unhashable(x)
  return x
}

function unhashable(x: Value): GuestError {
  const type = typeName(x)
  return guestError(
    'TypeError',
    python ? said`unhashable type: '${asName(type)}'` : said`unhashable type: ${asName(type)}`,
    {
      ...(type === 'list' ? { hint: 'use a tuple as the key' } : {}),
    },
  )
}

// A node of a trie. The normalised key of the next element leads to the next node. `end` is the canonical value for the
// path to this node.
interface TrieNode {
  next: Map<Value, TrieNode> | undefined
  end: Value | undefined
}
const tupleTrie: TrieNode = { next: undefined, end: undefined }

function step(node: TrieNode, k: Value): TrieNode {
  const next = (node.next ??= new Map())
  let found = next.get(k)
  if (found === undefined) {
    found = { next: undefined, end: undefined }
    next.set(k, found)
  }
  return found
}

/** The normalised key of a tuple. */
export function tupleKey(t: readonly Value[]): Value {
  let node = tupleTrie
  for (let i = 1; i < t.length; i++) {
    const e = t[i] as Value
    // Most elements are their own keys. An entry found under the element itself is right.
    node = node.next?.get(e) ?? step(node, key(e))
  }
  return (node.end ??= canonicalTuple(t))
}

// A canonical tuple holds normalised elements, so it does not depend on which of several equal tuples came first.
function canonicalTuple(t: readonly Value[]): Value {
  const c: Value[] = [TUPLE]
  for (let i = 1; i < t.length; i++) c.push(key(t[i]!))
  return c
}

const bigKeys = new Map<bigint, Big>()
function bigKey(x: Big): Value {
  const found = bigKeys.get(x.n)
  if (found !== undefined) return found
  bigKeys.set(x.n, x)
  return x
}

const bytesKeys = new Map<string, Bytes>()
function bytesKey(x: Bytes): Value {
  let s = ''
  for (const b of x.b) s += String.fromCharCode(b)
  let found = bytesKeys.get(s)
  if (found === undefined) {
    found = x
    bytesKeys.set(s, x)
  }
  return found
}

const elementOrder = new Map<Value, number>()
const frozenSetTrie: TrieNode = { next: undefined, end: undefined }
function frozenSetKey(s: FrozenSet): Value {
  const order: number[] = []
  for (const k of s) {
    let n = elementOrder.get(k)
    if (n === undefined) {
      n = elementOrder.size
      elementOrder.set(k, n)
    }
    order.push(n)
  }
  order.sort((a, b) => a - b)
  let node = frozenSetTrie
  for (const n of order) node = step(node, n)
  return (node.end ??= s)
}

/** True if a value prints like its normalised key, which can then replace it. */
function isPlainKey(x: Value, k: Value): boolean {
  if (x === k) return true
  if (!Array.isArray(x)) return x instanceof Bytes || x instanceof Big
  // A tuple with named elements looks different from the plain one.
  if (protocolOf(x) !== undefined) return false
  for (let i = 1; i < x.length; i++) {
    const e = x[i] as Value
    if (typeof e !== 'string' && typeof e !== 'number' && e !== null && !isPlainKey(e, key(e))) return false
  }
  return true
}

/**
 * A Map or Set, with the originals of keys that print differently. Generated code reads a property as a key of a record
 * unless its name begins with `$`.
 */
export interface Keyed {
  $original?: Map<Value, Value>
}

/** Keeps the original of a key if that prints differently from its normalised form. */
export function remember(container: Keyed, x: Value, k: Value): void {
  if (!isPlainKey(x, k)) (container.$original ??= new Map()).set(k, x)
}

/** The key as the program wrote it. */
export function originalKey(container: Keyed, k: Value): Value {
  const original = container.$original
  if (original === undefined) return k
  const x = original.get(k)
  return x === undefined ? k : x
}
