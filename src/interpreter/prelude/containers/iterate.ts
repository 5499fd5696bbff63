// Iteration over any value. Lists are iterated in place, and their length is read at each step (Python sees appended
// elements). Dicts and sets are iterated over a copy of their keys. Other objects iterate through their protocol.

import type { Signature } from '../calls/signature.js'
import { GuestError, guestError } from '../values/errors.js'
import { python } from '../values/mode.js'
import { protocolOf } from '../values/protocol.js'
import { asName, inQuotes, type Said, said } from '../values/said.js'
import { Bytes, isDict, Range, TUPLE, typeOf, type Value } from '../values/values.js'
import { countedSize, dictHas, dictKeys, dictSize } from './dict.js'
import { setElements } from './set.js'

/**
 * The iterable of a loop. For a list or a tuple it is the array itself (element 0 of a tuple is the mark, so a loop
 * begins at 1), otherwise a new array.
 */
export function walk(x: Value): readonly Value[] {
  return Array.isArray(x) ? (x as Value[]) : items(x)
}

/**
 * The elements of any iterable, without a tuple's mark. The result may be the list itself, so callers must not change
 * it.
 */
export function items(x: Value): readonly Value[] {
  if (Array.isArray(x)) return x[0] === TUPLE ? x.slice(1) : (x as Value[])
  if (typeof x === 'object' ? x !== null : typeof x === 'function') {
    if (x instanceof Range) return rangeItems(x)
    if (isDict(x)) return dictKeys(x)
    if (x instanceof Set) return setElements(x)
    if (python && x instanceof Bytes) return Array.from(x.b)
    const all = protocolOf(x)?.items?.(x as object)
    if (all !== undefined) return all
  }
  if (python && typeof x === 'string') return Array.from(x)
  throw notIterable(x)
}

export function isIterable(x: Value): boolean {
  if (typeof x === 'string') return python
  if (typeof x !== 'object' || x === null) return false
  if (python && x instanceof Bytes) return true
  return Array.isArray(x) || x instanceof Range || x instanceof Set || isDict(x) || protocolOf(x)?.items !== undefined
}

/** The elements of any iterable as a new array. */
export function collect(x: Value): Value[] {
  const all = items(x)
  return all === (x as unknown) ? all.slice() : (all as Value[])
}

export function notIterable(x: Value): GuestError {
  if (python) return guestError('TypeError', said`'${typeOf(x)}' object is not iterable`, hiddenKey(x))
  return guestError('TypeError', said`got ${typeOf(x)}, want iterable`, {
    ...(typeof x === 'string' ? { hint: 'use s.elems() to iterate over the elements of a string' } : {}),
  })
}

/** The hint for `for x in d.items`, where a method hides the key of the same name. */
function hiddenKey(x: Value): { hint: Said } | undefined {
  const { name = '', receiver = null } = (x as { sig?: Partial<Signature> } | null)?.sig ?? {}
  const hides = typeof receiver === 'object' && receiver !== null && isDict(receiver) && dictHas(receiver, name)
  return hides ? { hint: said`write [${inQuotes(name, '"')}] for the key: .${asName(name)} is a method` } : undefined
}

function rangeItems(r: Range): Value[] {
  const out: Value[] = []
  for (let i = 0, v = r.start; i < r.length; i++, v += r.step) out[i] = v
  return out
}

/** The number of entries of a dict or set, which must not change during a loop over it; -1 for other iterables. */
export function sizeOf(x: Value): number {
  if (typeof x !== 'object' || x === null || Array.isArray(x)) return -1
  if (x instanceof Set) return x.size
  return isDict(x) ? countedSize(x) : -1
}

/** Fails if a dict or set has changed its size during a loop over it (Python). */
export function sameSize(x: Value, size: number): void {
  if (size >= 0 && sizeOf(x) !== size) {
    const type = x instanceof Set ? 'Set' : 'dictionary'
    throw guestError('RuntimeError', said`${type} changed size during iteration`, {
      code: 'changed-during-iteration',
      hint: said`iterate over list(${type === 'Set' ? 's' : 'd'}) instead`,
    })
  }
}

/**
 * The failure of an unpacking. A value that is not iterable has a message of its own. A failure during iteration is
 * passed on.
 */
function notUnpacked(x: Value, e: unknown): unknown {
  return e instanceof GuestError && e.message === notIterable(x).message
    ? guestError('TypeError', said`cannot unpack non-iterable ${typeOf(x)} object`)
    : e
}

/** The elements for an assignment to `n` targets: `a, b = x`. */
export function unpack(x: Value, n: number): readonly Value[] {
  if (typeof x === 'string' && !python) throw notIterable(x)
  let all: readonly Value[]
  try {
    all = items(x)
  } catch (e) {
    throw python ? notUnpacked(x, e) : e
  }
  if (all.length === n) return all
  if (python) {
    throw guestError(
      'ValueError',
      all.length > n
        ? said`too many values to unpack (expected ${n})`
        : said`not enough values to unpack (expected ${n}, got ${all.length})`,
    )
  }
  throw guestError(
    'ValueError',
    said`too ${all.length > n ? 'many' : 'few'} values to unpack (got ${all.length}, want ${n})`,
  )
}

/** The elements for `a, *b, c = x`: one for each target. The one for the starred target is a list. */
export function unpackStarred(x: Value, before: number, after: number): readonly Value[] {
  let all: readonly Value[]
  try {
    all = items(x)
  } catch (e) {
    throw notUnpacked(x, e)
  }
  if (all.length < before + after) {
    throw guestError(
      'ValueError',
      said`not enough values to unpack (expected at least ${before + after}, got ${all.length})`,
    )
  }
  return [...all.slice(0, before), all.slice(before, all.length - after), ...all.slice(all.length - after)]
}

/** `len(x)`. */
export function length(x: Value): number {
  if (typeof x === 'string') return x.length
  if (typeof x === 'object' && x !== null) {
    if (Array.isArray(x)) return x[0] === TUPLE ? x.length - 1 : x.length
    if (x instanceof Set) return (x as Set<Value>).size
    if (x instanceof Range) return (x as Range).length
    if (x instanceof Bytes) return (x as Bytes).b.length
    const own = protocolOf(x)?.length?.(x)
    if (own !== undefined) return own
    if (isDict(x)) return dictSize(x)
  } else if (typeof x === 'function') {
    const own = protocolOf(x)?.length?.(x)
    if (own !== undefined) return own
  }
  throw guestError(
    'TypeError',
    python ? said`object of type '${typeOf(x)}' has no len()` : said`value of type ${typeOf(x)} has no len`,
  )
}
