// Membership tests and truth values (specification: Membership tests, Booleans). The commonest containers are tested
// first, because in QuickJS every test has a cost.

import { asIndex } from '../calls/expect.js'
import { dictHas } from '../containers/dict.js'
import { isIterable, items } from '../containers/iterate.js'
import { key } from '../containers/keys.js'
import { setHas } from '../containers/set.js'
import { textInside } from '../values/contents.js'
import { guestError } from '../values/errors.js'
import { python } from '../values/mode.js'
import { protocolOf } from '../values/protocol.js'
import { said, spelled } from '../values/said.js'
import {
  Bytes,
  big,
  Float,
  floatValue,
  isDict,
  isInt,
  Range,
  TUPLE,
  toNumber,
  typeOf,
  unbool,
  type Value,
} from '../values/values.js'
import { equal } from './comparison.js'

/** `element in container`. */
export function contains(container: Value, element: Value): boolean {
  if (container instanceof Map)
    return container.has(typeof element === 'object' || typeof element === 'boolean' ? key(element) : element)
  if (Array.isArray(container)) {
    const start = container[0] === TUPLE ? 1 : 0
    if (typeof element === 'string') return container.indexOf(element, start) >= 0
    const small = ((element as number) | 0) === element
    for (let i = start; i < container.length; i++) {
      const e = container[i] as Value
      if (e === element) return true
      // Two small ints that are not identical are not equal.
      if (!(small && ((e as number) | 0) === e) && equal(e, element)) return true
    }
    return false
  }
  if (typeof container === 'string') {
    if (typeof element === 'string') return container.includes(element)
    const text = textInside(element)
    if (text !== undefined) return container.includes(text)
    throw guestError(
      'TypeError',
      python
        ? said`'in <string>' requires string as left operand, not ${typeOf(element)}`
        : said`'in <string>' requires string as left operand, not ${typeOf(element)}`,
    )
  }
  if (typeof container === 'object' && container !== null) {
    if (container instanceof Set) return setHas(container, element)
    if (isDict(container)) return dictHas(container, element)
    if (container instanceof Range) return rangeContains(container, element)
    if (container instanceof Bytes) return bytesContain(container, element)
  }
  const p = protocolOf(container)
  const own = p?.contains?.(container as object, element)
  if (own !== undefined) return own
  if (python && p !== undefined && (typeof container !== 'function' || p.iterate !== undefined)) {
    if (p.iterate === undefined && p.next === undefined && p.getItem === undefined && !isIterable(container))
      throw guestError('TypeError', said`argument of type '${typeOf(container)}' is not iterable`)
    return items(container).some((x) => x === element || equal(x, element))
  }
  throw python
    ? guestError('TypeError', said`argument of type '${typeOf(container)}' is not iterable`)
    : guestError('TypeError', said`unknown binary op: ${typeOf(element)} in ${typeOf(container)}`)
}

/** `element in container`, with the operands in the order of generated code. */
export function isIn(element: Value, container: Value): boolean {
  return contains(container, element)
}

function rangeContains(r: Range, x: Value): boolean {
  return rangeIndex(r, x) >= 0
}

/** The position of a value in a range, or -1. */
export function rangeIndex(r: Range, x0: Value): number {
  const x = unbool(x0)
  const n = floatValue(x) ?? (isInt(x) ? toNumber(x) : undefined)
  if (n === undefined) {
    if (python) return protocolOf(x)?.equals === undefined ? -1 : items(r).findIndex((e) => equal(e, x))
    throw guestError('TypeError', said`'in <range>' requires integer as left operand, not ${typeOf(x)}`)
  }
  const i = (n - r.start) / r.step
  return Number.isInteger(i) && i >= 0 && i < r.length ? i : -1
}

function bytesContain(haystack: Bytes, x0: Value): boolean {
  const x = unbool(asIndex(x0))
  if (isInt(x)) {
    const byte = toNumber(x)
    if (byte < 0 || byte > 255)
      throw guestError(
        'ValueError',
        python ? 'byte must be in range(0, 256)' : said`int in bytes: ${spelled(big(x))} out of range`,
      )
    return haystack.b.includes(byte)
  }
  if (x instanceof Bytes) return findBytes(haystack.b, x.b) >= 0
  throw guestError(
    'TypeError',
    python ? said`a bytes-like object is required, not '${typeOf(x)}'` : said`unknown binary op: ${typeOf(x)} in bytes`,
  )
}

function findBytes(haystack: Uint8Array, needle: Uint8Array): number {
  outer: for (let i = 0; i + needle.length <= haystack.length; i++) {
    for (let j = 0; j < needle.length; j++) if (haystack[i + j] !== needle[j]) continue outer
    return i
  }
  return -1
}

export function truth(x: Value): boolean {
  if (x === true) return true
  if (x === null || x === false || x === 0 || x === '') return false
  switch (typeof x) {
    case 'object':
      break
    default:
      return true
  }
  if (Array.isArray(x)) return x[0] === TUPLE ? x.length > 1 : x.length > 0
  if (x instanceof Map || x instanceof Set) return x.size > 0
  if (x instanceof Float) return x.v !== 0
  if (x instanceof Bytes) return x.b.length > 0
  if (x instanceof Range) return x.length > 0
  const p = protocolOf(x)
  if (p !== undefined) return p.truth?.(x) ?? (p.length?.(x) ?? 1) > 0
  if (isDict(x)) {
    for (const _ in x) return true
    return x.constructor !== Object && dictNotEmpty(x)
  }
  return true
}

function dictNotEmpty(x: object): boolean {
  return items(x).length > 0
}
