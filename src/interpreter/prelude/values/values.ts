// The type of guest values. Knows the representations in README.md, but no operations.
// Invariant: `undefined` and a `bigint` are never guest values. An integral `number` is never beyond ±(2**53 - 1), and
// a Big never within.

import { python } from './mode.js'
import { asName, type Shown, type Word, word } from './said.js'

/** Any guest value. Functions and containers are objects to TypeScript. */
export type Value = null | boolean | number | string | object

/** The first element of every tuple, and of nothing else. */
export const TUPLE: object = Object.freeze(Object.create(null))

type List = Value[]
/** Element 0 is the mark. */
export type Tuple = Value[]
export type RecordDict = Record<string, Value>

export const MAX_SAFE = 9007199254740991

/**
 * An int beyond the safe integers. It is boxed, because generated code tests for small ints with `(x | 0) === x`, which
 * would throw for a `bigint`.
 */
export class Big {
  // Only declared, because defining the field first would double the cost.
  declare readonly n: bigint
  constructor(n: bigint) {
    this.n = n
  }
}

/** An int in either form. */
export type Int = number | Big

/** A float that is integral, or `-0.0`. Every other float is a plain number. */
export class Float {
  declare readonly v: number
  constructor(v: number) {
    this.v = v
  }
}

/**
 * The prototype of Float. A literal with this `__proto__` and a `v` is a Float, and takes QuickJS two thirds of the
 * time of `new`.
 */
export const boxes: object = Float.prototype

export class Bytes {
  declare readonly b: Uint8Array
  constructor(b: Uint8Array) {
    this.b = b
  }
}

/** Python's `bytearray`: mutable bytes. Whatever accepts bytes accepts it, too. */
export class ByteArray extends Bytes {
  declare b: Uint8Array
}

/** Bytes of the same kind as `x`. */
export function bytesLike(x: Bytes, b: Uint8Array): Bytes {
  return x instanceof ByteArray ? new ByteArray(b) : new Bytes(b)
}

/** A lazy, immutable arithmetic sequence. All fields are small integers. */
export class Range {
  readonly start: number
  readonly stop: number
  readonly step: number
  readonly length: number
  constructor(start: number, stop: number, step: number) {
    this.start = start
    this.stop = stop
    this.step = step
    this.length =
      step > 0 ? Math.max(0, Math.ceil((stop - start) / step)) : Math.max(0, Math.ceil((start - stop) / -step))
  }
}

/** A frozenset. A set is a plain `Set` of normalised keys (containers/keys.ts). */
export class FrozenSet extends Set<Value> {}

/** Holds the entries of a dict that began as a record and can no longer be one (containers/dict.ts). */
export class Shell {}

// ---- making ----------------------------------------------------------------------------------------------------

/** The float of a JavaScript number. */
export function float(v: number): Value {
  return v % 1 === 0 ? ({ __proto__: boxes, v } as unknown as Float) : v
}

/** The int of an integral JavaScript number of any size. */
export function int(v: number): Value {
  return v <= MAX_SAFE && v >= -MAX_SAFE ? v + 0 : new Big(BigInt(v))
}

/** The int of a bigint of any size. */
export function normal(v: bigint): Value {
  return v > MOST ? bigInt(v) : v >= LEAST ? Number(v) : bigInt(v)
}

export const MOST = 9007199254740991n
const LEAST = -9007199254740991n
const bigPrototype = Big.prototype

/** The Big of a bigint beyond the safe integers. A literal with a prototype costs two thirds of `new`. */
export function bigInt(n: bigint): Big {
  return { __proto__: bigPrototype, n } as unknown as Big
}

/** The bigint of an int. */
export function big(x: Int): bigint {
  return typeof x === 'number' ? smallBig(x) : x.n
}

export const smallBigs: bigint[] = []
for (let i = 0; i < 1024; i++) smallBigs[i] = BigInt(i)

/**
 * The bigint of a small int. In QuickJS BigInt(x) costs as much as five additions, so those of the commonest ints are
 * cached.
 */
export function smallBig(x: number): bigint {
  return smallBigs[x] ?? BigInt(x)
}

/** An int as a JavaScript number or bigint. */
export function primitive(x: Int): number | bigint {
  return typeof x === 'number' ? x : x.n
}

/** The JavaScript number nearest to an int. Infinite if the int is too large. */
export function toNumber(x: Int): number {
  return typeof x === 'number' ? x : Number(x.n)
}

/** The sign of an int: negative, zero or positive. */
export function sign(x: Int): number {
  return typeof x === 'number' ? x : x.n < 0n ? -1 : 1
}

/** A tuple with the elements of a JavaScript array, which is copied. */
export function tuple(elements: readonly Value[]): Tuple {
  const t: Value[] = [TUPLE]
  for (let i = 0; i < elements.length; i++) t[i + 1] = elements[i]!
  return t
}

// ---- asking ----------------------------------------------------------------------------------------------------

export function isTuple(x: Value): x is Tuple {
  return Array.isArray(x) && x[0] === TUPLE
}

export function isList(x: Value): x is List {
  return Array.isArray(x) && x[0] !== TUPLE
}

const objectPrototype = Object.prototype

export function isDict(x: Value): x is Map<Value, Value> | RecordDict {
  return typeof x === 'object' && x !== null && (x instanceof Map || Object.getPrototypeOf(x) === objectPrototype)
}

export function isInt(x: Value): x is Int {
  return typeof x === 'number' ? x % 1 === 0 : x instanceof Big
}

export function isFloat(x: Value): x is number | Float {
  return typeof x === 'number' ? !Number.isInteger(x) : x instanceof Float
}

/** The JavaScript number of a float. Undefined if `x` is not a float. */
export function floatValue(x: Value): number | undefined {
  if (typeof x === 'number') return x % 1 === 0 ? undefined : x
  return x instanceof Float ? x.v : undefined
}

/** A bool as the int 0 or 1 in the default dialect; every other value unchanged. */
export function unbool(x: Value): Value {
  return python && typeof x === 'boolean' ? (x ? 1 : 0) : x
}

/**
 * Further kinds of objects, which other files define, each with its type name. Filled when the prelude is evaluated.
 */
const namedClasses: { readonly type: (x: object) => boolean; readonly name: (x: object) => string }[] = []

/** Registers how to recognise a further kind of object, and its name. */
export function nameClass(type: (x: object) => boolean, name: string | ((x: object) => string)): void {
  namedClasses.push({ type, name: typeof name === 'string' ? () => name : name })
}

/** `...` as a value. */
class Ellipsis {}
export const ELLIPSIS: object = Object.freeze(new Ellipsis())
nameClass((x) => x === ELLIPSIS, 'ellipsis')

/** The name of a value's type. The string type is `str` in the default dialect, and `string` in strict mode. */
export function typeName(x: Value): string {
  switch (typeof x) {
    case 'string':
      return python ? 'str' : 'string'
    case 'number':
      return Number.isInteger(x) ? 'int' : 'float'
    case 'boolean':
      return 'bool'
    case 'function':
      break
    default:
      if (x === null) return 'NoneType'
      if (Array.isArray(x)) return x[0] === TUPLE ? 'tuple' : 'list'
      if (x instanceof Float) return 'float'
      if (x instanceof Big) return 'int'
      if (x instanceof Bytes) return x instanceof ByteArray ? 'bytearray' : 'bytes'
      if (x instanceof Range) return 'range'
      break
  }
  for (const c of namedClasses) if (c.type(x as object)) return c.name(x as object)
  if (typeof x === 'function') return 'function'
  if (x instanceof Map) return 'dict'
  if (x instanceof FrozenSet) return 'frozenset'
  if (x instanceof Set) return 'set'
  return 'dict'
}

/** The name of a value's type in a message. A name that is not ours may come from the program or a server. */
export function typeOf(x: Value): Word | Shown {
  const name = typeName(x)
  const isOurs = typeof x !== 'object' || x === null || Array.isArray(x) || !namedClasses.some((c) => c.type(x))
  return isOurs ? word(name) : asName(name)
}
