// Equality and order of any two values (specification: Comparisons). Generated code inlines the cases where both
// operands are small ints. Invariant: a comparison that is nested too deeply or follows a cycle ends with an error and
// leaves no state behind.

import { dictEquals } from '../containers/dict.js'
import { type GuestSet, setElements, setHas } from '../containers/set.js'
import { type GuestError, guestError } from '../values/errors.js'
import { python } from '../values/mode.js'
import { protocolOf } from '../values/protocol.js'
import { said, word } from '../values/said.js'
import { decideBoth, rememberedText, sameText } from '../values/tool-data.js'
import {
  Big,
  Bytes,
  Float,
  floatValue,
  isDict,
  isInt,
  Range,
  TUPLE,
  typeOf,
  unbool,
  type Value,
} from '../values/values.js'
import { double } from './operands.js'

const DEEPEST = 400
let comparisonDepth = 0

export function equal(a: Value, b: Value): boolean {
  // An object that defines its own equality also decides whether it equals itself.
  if (a === b) return typeof a !== 'object' || (protocolOf(a)?.equals?.(a!, b) ?? true)
  switch (typeof a) {
    case 'string':
      return typeof b === 'object'
        ? equalObject(b, a)
        : typeof b === 'function' && protocolOf(b)?.equals?.(b, a) === true
    case 'number':
      if (typeof b === 'number') return !python && a !== a && b !== b
      if (typeof b === 'boolean') return python && a === (b ? 1 : 0)
      return typeof b === 'object' && equalObject(b, a)
    case 'boolean':
      if (!python) return false
      return typeof b === 'boolean' ? false : equal(b, a ? 1 : 0)
    case 'object':
      return equalObject(a, b)
    default:
      // Functions. A class equals its name.
      return (
        protocolOf(a)?.equals?.(a, b) ??
        (typeof b === 'object' && b !== null && protocolOf(b) !== undefined && equalObject(b, a))
      )
  }
}

function equalObject(a: object | null, b: Value): boolean {
  if (a === null) return protocolOf(b)?.equals?.(b as object, a) === true
  if (a instanceof Float) {
    if (b instanceof Float) return a.v === b.v
    if (typeof b === 'number') return a.v === b
    if (b instanceof Big) return Number.isFinite(a.v) && BigInt(a.v) === b.n
    if (typeof b === 'boolean') return python && a.v === (b ? 1 : 0)
    return protocolOf(b)?.equals?.(b as object, a) === true
  }
  if (a instanceof Big) {
    if (b instanceof Big) return a.n === b.n
    return b instanceof Float ? equalObject(b, a) : protocolOf(b)?.equals?.(b as object, a) === true
  }
  if (typeof b !== 'object' || b === null)
    return protocolOf(a)?.equals?.(a, b) === true || (typeof b === 'string' && rememberedText(a) === b)
  if (comparisonDepth > DEEPEST) {
    comparisonDepth = 0
    throw tooDeep()
  }
  comparisonDepth++
  const result = equalContainers(a, b)
  comparisonDepth--
  if (result && !sameText(a, b)) decideBoth(a, b, (x, y) => `${x} == ${y}`)
  return result
}

function tooDeep(): GuestError {
  return guestError(python ? 'RecursionError' : 'ValueError', 'comparison is nested too deeply or follows a cycle', {
    code: 'comparison-too-deep',
  })
}

function equalContainers(a: object, b: object): boolean {
  if (Array.isArray(a)) {
    if (!Array.isArray(b)) return protocolOf(b)?.equals?.(b, a) === true
    const n = a.length
    if (n !== b.length || (a[0] === TUPLE) !== (b[0] === TUPLE)) return false
    for (let i = 0; i < n; i++) if (a[i] !== b[i] && !equal(a[i], b[i])) return false
    return true
  }
  const own = protocolOf(a)?.equals?.(a, b) ?? protocolOf(b)?.equals?.(b, a)
  if (own !== undefined) return own
  if (isDict(a)) return isDict(b) && dictEquals(a, b, equal)
  if (a instanceof Set) {
    if (!(b instanceof Set) || a.size !== b.size) return false
    for (const k of a as Set<Value>) if (!b.has(k)) return false
    return true
  }
  if (a instanceof Bytes) return b instanceof Bytes && compareBytes(a.b, b.b) === 0
  if (a instanceof Range) {
    if (!(b instanceof Range) || a.length !== b.length) return false
    return a.length === 0 || (a.start === b.start && (a.length === 1 || a.step === b.step))
  }
  return false
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const n = Math.min(a.length, b.length)
  for (let i = 0; i < n; i++) if (a[i] !== b[i]) return a[i]! < b[i]! ? -1 : 1
  return a.length - b.length
}

const surrogate = /[\ud800-\udfff]/

/** Orders strings by UTF-16 unit in strict mode, and by code point in the default dialect, as Python does. */
function compareStrings(a: string, b: string): number {
  if (a === b) return 0
  if (python && (surrogate.test(a) || surrogate.test(b))) {
    const x = Array.from(a)
    const y = Array.from(b)
    const n = Math.min(x.length, y.length)
    for (let i = 0; i < n; i++) if (x[i] !== y[i]) return x[i]!.codePointAt(0)! - y[i]!.codePointAt(0)!
    return x.length - y.length
  }
  return a < b ? -1 : 1
}

function compareNumbers(x: number | bigint, y: number | bigint): number {
  if (typeof x !== typeof y)
    return typeof x === 'bigint' ? compareBig(x, y as number) : -compareBig(y as bigint, x as number)
  if (x < y) return -1
  if (x > y) return 1
  if (x == y) return 0
  // One of them is NaN. In Python it is unordered; in Starlark it equals itself and is the greatest.
  if (python) return Number.NaN
  const nanX = x !== x
  const nanY = y !== y
  return nanX && nanY ? 0 : nanX ? 1 : -1
}

// QuickJS wrongly compares a bigint with a number that is not a 32-bit integer.
function compareBig(x: bigint, y: number): number {
  if (!Number.isFinite(y)) return Number.isNaN(y) ? (python ? y : -1) : y > 0 ? -1 : 1
  const whole = Math.trunc(y)
  const near = BigInt(whole)
  return x < near ? -1 : x > near ? 1 : whole - y
}

/**
 * Negative, zero or positive if `a` is less than, equal to or greater than `b`. NaN if none of these holds (Python's
 * NaN, incomparable sets).
 */
export function compare(a: Value, b: Value, operator = '<'): number {
  if (typeof a === 'number' && typeof b === 'number') return compareNumbers(a, b)
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b)
  return compareSlow(a, b, operator)
}

function compareSlow(a0: Value, b0: Value, operator: string): number {
  if (typeof a0 === 'boolean' && typeof b0 === 'boolean') return (a0 ? 1 : 0) - (b0 ? 1 : 0)
  const a = unbool(a0)
  const b = unbool(b0)
  const x = floatValue(a) ?? (isInt(a) ? (typeof a === 'number' ? a : a.n) : undefined)
  const y = floatValue(b) ?? (isInt(b) ? (typeof b === 'number' ? b : b.n) : undefined)
  if (x !== undefined && y !== undefined) return compareNumbers(x, y)
  if (Array.isArray(a) && Array.isArray(b) && (a[0] === TUPLE) === (b[0] === TUPLE)) {
    decideBoth(a, b, (x, y) => `${x} ${operator} ${y}`)
    return compareSequences(a, b, operator)
  }
  if (a instanceof Bytes && b instanceof Bytes) return compareBytes(a.b, b.b)
  if (python && a instanceof Set && b instanceof Set) return compareSets(a, b)
  const own = protocolOf(a)?.order?.(a as object, b, operator)
  if (own !== undefined) return own === true ? (operator[0] === '<' ? -1 : 1) : own === false ? Number.NaN : own
  throw guestError(
    'TypeError',
    python
      ? said`'${word(operator)}' not supported between instances of '${typeOf(a0)}' and '${typeOf(b0)}'`
      : said`${typeOf(a0)} ${word(operator)} ${typeOf(b0)} not implemented`,
  )
}

function compareSequences(a: readonly Value[], b: readonly Value[], operator: string): number {
  if (comparisonDepth > DEEPEST) {
    comparisonDepth = 0
    throw tooDeep()
  }
  comparisonDepth++
  const n = Math.min(a.length, b.length)
  let result = a.length - b.length
  for (let i = 0; i < n; i++) {
    const x = a[i] as Value
    const y = b[i] as Value
    if (x !== y && !equal(x, y)) {
      result = compare(x, y, operator)
      break
    }
  }
  comparisonDepth--
  return result
}

function compareSets(a: GuestSet, b: GuestSet): number {
  const aInB = setElements(a).every((e) => setHas(b, e))
  const bInA = setElements(b).every((e) => setHas(a, e))
  return aInB && bInA ? 0 : aInB ? -1 : bInA ? 1 : Number.NaN
}

/**
 * The result of an order operator. An object with an order of its own decides for this operator alone, without a
 * three-way comparison.
 */
function ordered(a: Value, b: Value, operator: '<' | '<=' | '>' | '>='): boolean | undefined {
  const p = protocolOf(a)
  if (p?.order !== undefined) {
    const own = p.order(a as object, b, operator)
    if (typeof own === 'boolean') return own
  }
  const q = protocolOf(b)
  if (q?.order !== undefined) {
    const mirrored = operator === '<' ? '>' : operator === '>' ? '<' : operator === '<=' ? '>=' : '<='
    const own = q.order(b as object, a, mirrored)
    if (typeof own === 'boolean') return own
  }
  return undefined
}

export function less(a: Value, b: Value): boolean {
  if (+(a as number) === a) {
    if (+(b as number) === b) return a < b
    if (b !== null && b.constructor === Float) return a < (b as Float).v
  } else if (a !== null && a.constructor === Float) {
    const y = double(b)
    if (y !== undefined && y === y) return (a as Float).v < y
  }
  return ordered(a, b, '<') ?? compare(a, b, '<') < 0
}

export function lessEqual(a: Value, b: Value): boolean {
  if (+(a as number) === a) {
    if (+(b as number) === b) return a <= b
    if (b !== null && b.constructor === Float) return a <= (b as Float).v
  } else if (a !== null && a.constructor === Float) {
    const y = double(b)
    if (y !== undefined && y === y) return (a as Float).v <= y
  }
  return ordered(a, b, '<=') ?? compare(a, b, '<=') <= 0
}

export function greater(a: Value, b: Value): boolean {
  if (+(a as number) === a) {
    if (+(b as number) === b) return a > b
    if (b !== null && b.constructor === Float) return a > (b as Float).v
  } else if (a !== null && a.constructor === Float) {
    const y = double(b)
    if (y !== undefined && y === y) return (a as Float).v > y
  }
  return ordered(a, b, '>') ?? compare(a, b, '>') > 0
}

export function greaterEqual(a: Value, b: Value): boolean {
  if (+(a as number) === a) {
    if (+(b as number) === b) return a >= b
    if (b !== null && b.constructor === Float) return a >= (b as Float).v
  } else if (a !== null && a.constructor === Float) {
    const y = double(b)
    if (y !== undefined && y === y) return (a as Float).v >= y
  }
  return ordered(a, b, '>=') ?? compare(a, b, '>=') >= 0
}
