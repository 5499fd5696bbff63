// Operators (specification: Unary operators, Binary operators, Comparisons). Generated code inlines the cases where both operands are small ints
// and calls these functions for all others. Each function tests its commonest case first, because in QuickJS every test costs.
// Bools are numbers in the default dialect only.

import { textInside } from './contents.js'
import { dictCopy, dictEquals, dictHas, dictUpdate } from './dict.js'
import { GuestError } from './errors.js'
import { isIterable, items } from './iterate.js'
import { key } from './keys.js'
import { mutable } from './locks.js'
import { python } from './mode.js'
import { protocolOf } from './protocol.js'
import { type GuestSet, setAdd, setCopy, setDelete, setElements, setHas, setOf } from './set.js'
import { rememberedText } from './tool-data.js'
import {
  Big,
  Bytes,
  big,
  bigInt,
  boxes,
  Float,
  FrozenSet,
  float,
  floatValue,
  type Int,
  isDict,
  isInt,
  isList,
  isTuple,
  MAX_SAFE,
  MOST,
  normal,
  Range,
  sign,
  smallBig,
  smallBigs,
  TUPLE,
  toNumber,
  typeName,
  unbool,
  type Value,
} from './values.js'

/** CPython's words where one operand is a sequence. */
function ofSequences(operator: string, a: Value, b: Value): string | undefined {
  const isSequenceLike = (x: Value): boolean => typeof x === 'string' || Array.isArray(x) || x instanceof Bytes
  if (operator === '+') {
    if (Array.isArray(a)) return `can only concatenate ${typeName(a)} (not "${typeName(b)}") to ${typeName(a)}`
    return a instanceof Bytes ? `can't concat ${typeName(b)} to bytes` : undefined
  }
  if (operator !== '*') return undefined
  if (isSequenceLike(a)) return `can't multiply sequence by non-int of type '${typeName(b)}'`
  return isSequenceLike(b) ? `can't multiply sequence by non-int of type '${typeName(a)}'` : undefined
}

function badOperands(operator: string, a: Value, b: Value): GuestError {
  if (python) {
    const sequences = ofSequences(operator, a, b)
    if (sequences !== undefined) return new GuestError('TypeError', sequences)
    const shown = operator === '**' ? '** or pow()' : operator
    return new GuestError(
      'TypeError',
      `unsupported operand type(s) for ${shown}: '${typeName(a)}' and '${typeName(b)}'`,
    )
  }
  return new GuestError('TypeError', `unknown binary op: ${typeName(a)} ${operator} ${typeName(b)}`)
}

/** Asks objects with a protocol; throws when neither operand can. */
function custom(operator: string, a: Value, b: Value): Value {
  const left = protocolOf(a)?.binary?.(operator, a as object, b, false)
  if (left !== undefined) return left
  const right = protocolOf(b)?.binary?.(operator, b as object, a, true)
  if (right !== undefined) return right
  throw badOperands(operator, a, b)
}

/** The JavaScript number of an int as a float operand. */
export function toDouble(x: Int): number {
  if (typeof x === 'number') return x
  const n = Number(x.n)
  if (n === Infinity || n === -Infinity) throw new GuestError('OverflowError', 'int too large to convert to float')
  return n
}

type IntOperation = (a: bigint, b: bigint) => bigint
type FloatOperation = (a: number, b: number) => number

/** Arithmetic on any two numbers; undefined when one of the operands is none. */
function arithmetic(a0: Value, b0: Value, onInts: IntOperation, onFloats: FloatOperation): Value | undefined {
  const a = unbool(a0)
  const b = unbool(b0)
  const fa = floatValue(a)
  const fb = floatValue(b)
  if (fa === undefined && fb === undefined) {
    return isInt(a) && isInt(b) ? normal(onInts(big(a), big(b))) : undefined
  }
  if (fa === undefined && !isInt(a)) return undefined
  if (fb === undefined && !isInt(b)) return undefined
  return float(onFloats(fa ?? toDouble(a as Int), fb ?? toDouble(b as Int)))
}

/**
 * The double of a small int or a float; undefined for everything else. Reading a field costs QuickJS the least of all tests: a quarter of `typeof`,
 * and a seventh of `+x === x` on an object. A dict may have a field of that name, too.
 */
function double(x: Value): number | undefined {
  if (x === null) return undefined
  const v = (x as Float).v
  if (v !== undefined) return x.constructor === Float ? v : undefined
  return typeof x === 'number' ? x : undefined
}

// Sums, differences and products come in the order of what they meet most: two numbers (of which `+x === x` is the cheapest test, that only NaN
// fails), a float in its box on either side, and all others.

export function add(a: Value, b: Value): Value {
  if (+(a as number) === a) {
    if (+(b as number) === b) {
      const r = a + b
      if (r % 1 !== 0) return r
      if (a % 1 !== 0 || b % 1 !== 0) return { __proto__: boxes, v: r } as unknown as Float
      return r <= MAX_SAFE && r >= -MAX_SAFE ? r : new Big(BigInt(a) + BigInt(b))
    }
    if (b !== null && b.constructor === Float) {
      const r = a + (b as Float).v
      return r % 1 !== 0 ? r : ({ __proto__: boxes, v: r } as unknown as Float)
    }
  } else if (a !== null && a.constructor === Float) {
    const y = double(b)
    if (y !== undefined) {
      const r = (a as Float).v + y
      return r % 1 !== 0 ? r : ({ __proto__: boxes, v: r } as unknown as Float)
    }
  } else if (typeof a === 'string' && typeof b === 'string') return a + b
  return addOthers(a, b)
}

function addOthers(a: Value, b: Value): Value {
  const x = double(a)
  const y = double(b)
  if (x !== undefined && y !== undefined) return float(x + y)
  const n = arithmetic(
    a,
    b,
    (x, y) => x + y,
    (x, y) => x + y,
  )
  if (n !== undefined) return n
  if (Array.isArray(a) && Array.isArray(b)) {
    if (isTuple(a) && isTuple(b)) return a.concat(b.slice(1))
    if (isList(a) && isList(b)) return a.concat(b)
  }
  if (a instanceof Bytes && b instanceof Bytes) return new Bytes(joinBytes(a.b, b.b))
  const text = typeof a === 'string' ? a : rememberedText(a)
  const more = typeof b === 'string' ? b : rememberedText(b)
  if (text !== undefined && more !== undefined) return text + more
  if (python && typeof a === 'string' && protocolOf(b) === undefined) {
    throw new GuestError('TypeError', `can only concatenate str (not "${typeName(b)}") to str`, {
      hint: 'convert with str(x) or use an f-string',
    })
  }
  return custom('+', a, b)
}

function joinBytes(a: Uint8Array, b: Uint8Array): Uint8Array {
  const out = new Uint8Array(a.length + b.length)
  out.set(a)
  out.set(b, a.length)
  return out
}

export function sub(a: Value, b: Value): Value {
  if (+(a as number) === a) {
    if (+(b as number) === b) {
      const r = a - b
      if (r % 1 !== 0) return r
      if (a % 1 !== 0 || b % 1 !== 0) return { __proto__: boxes, v: r } as unknown as Float
      return r <= MAX_SAFE && r >= -MAX_SAFE ? r : new Big(BigInt(a) - BigInt(b))
    }
    if (b !== null && b.constructor === Float) {
      const r = a - (b as Float).v
      return r % 1 !== 0 ? r : ({ __proto__: boxes, v: r } as unknown as Float)
    }
  } else if (a !== null && a.constructor === Float) {
    const y = double(b)
    if (y !== undefined) {
      const r = (a as Float).v - y
      return r % 1 !== 0 ? r : ({ __proto__: boxes, v: r } as unknown as Float)
    }
  }
  return subOthers(a, b)
}

function subOthers(a: Value, b: Value): Value {
  const x = double(a)
  const y = double(b)
  if (x !== undefined && y !== undefined) return float(x - y)
  const n = arithmetic(
    a,
    b,
    (x, y) => x - y,
    (x, y) => x - y,
  )
  if (n !== undefined) return n
  if (a instanceof Set && b instanceof Set) {
    const out = setCopy(a)
    for (const x of setElements(b)) setDelete(out, x)
    return out
  }
  return custom('-', a, b)
}

/** `a & b` of an int of any size and a small one that is not negative. */
export function andInt(a: Int, b: number): Int {
  return a.constructor === Big ? Number((a as Big).n & (smallBigs[b] ?? BigInt(b))) : (bitAnd(a, b) as Int)
}

/** `a >> b` of an int of any size by a small number of bits. */
export function shiftInt(a: Int, b: number): Value {
  if (a.constructor !== Big) return ((a as number) | 0) === a ? (a as number) >> b : shiftRight(a, b)
  const n = (a as Big).n >> (smallBigs[b] ?? BigInt(b))
  return n > MOST ? bigInt(n) : normal(n)
}

/** `a * b` of an int of any size and a small one. */
export function mulInt(a: Int, b: number): Int {
  if (a.constructor === Big) return b === 0 ? 0 : bigInt((a as Big).n * (smallBigs[b] ?? BigInt(b)))
  const r = (a as number) * b
  return r <= MAX_SAFE && r >= -MAX_SAFE ? r + 0 : bigInt(BigInt(a as number) * BigInt(b))
}

export function mul(a: Value, b: Value): Value {
  if (+(a as number) === a) {
    if (+(b as number) === b) {
      const r = a * b
      if (r % 1 !== 0) return r
      if (a % 1 !== 0 || b % 1 !== 0) return { __proto__: boxes, v: r } as unknown as Float
      return r <= MAX_SAFE && r >= -MAX_SAFE ? r + 0 : new Big(BigInt(a) * BigInt(b))
    }
    if (b !== null && b.constructor === Float) {
      const r = a * (b as Float).v
      return r % 1 !== 0 ? r : ({ __proto__: boxes, v: r } as unknown as Float)
    }
  } else if (a !== null && a.constructor === Float) {
    const y = double(b)
    if (y !== undefined) {
      const r = (a as Float).v * y
      return r % 1 !== 0 ? r : ({ __proto__: boxes, v: r } as unknown as Float)
    }
  }
  return mulOthers(a, b)
}

function mulOthers(a: Value, b: Value): Value {
  const x = double(a)
  const y = double(b)
  if (x !== undefined && y !== undefined) return float(x * y)
  // A big int times another than 0 stays big.
  if (a instanceof Big && typeof b === 'number' && b % 1 === 0) return b === 0 ? 0 : bigInt(a.n * smallBig(b))
  const n = arithmetic(
    a,
    b,
    (x, y) => x * y,
    (x, y) => x * y,
  )
  if (n !== undefined) return n
  const right = unbool(b)
  if (isInt(right) && isSequence(a)) return repeat(a, right)
  const left = unbool(a)
  if (isInt(left) && isSequence(b)) return repeat(b, left)
  return custom('*', a, b)
}

function isSequence(x: Value): x is string | Value[] | Bytes {
  return typeof x === 'string' || Array.isArray(x) || x instanceof Bytes
}

const REPEAT_MOST = 2 ** 27

function repeat(x: string | Value[] | Bytes, times: Int): Value {
  const unit = typeof x === 'string' ? x.length : x instanceof Bytes ? x.b.length : x.length - (x[0] === TUPLE ? 1 : 0)
  const n = unit === 0 || sign(times) <= 0 ? 0 : toNumber(times)
  if (unit * n > REPEAT_MOST) {
    throw new GuestError(python ? 'MemoryError' : 'ValueError', `excessive repeat (${unit} * ${big(times)} elements)`, {
      code: 'excessive-repeat',
    })
  }
  if (typeof x === 'string') return x.repeat(n)
  if (x instanceof Bytes) {
    const out = new Uint8Array(unit * n)
    for (let i = 0; i < n; i++) out.set(x.b, i * unit)
    return new Bytes(out)
  }
  const base = isTuple(x) ? 1 : 0
  const out: Value[] = base === 1 ? [TUPLE] : []
  if (unit === 1) {
    const v = x[base]!
    for (let i = 0; i < n; i++) out[base + i] = v
    return out
  }
  for (let i = 0; i < n; i++) for (let j = base; j < unit + base; j++) out.push(x[j]!)
  return out
}

function byZero(what: string, pythonText: string): GuestError {
  return new GuestError('ZeroDivisionError', python ? pythonText : `${what} by zero`)
}

export function trueDiv(a0: Value, b0: Value): Value {
  const p = double(a0)
  const q = double(b0)
  if (p !== undefined && q !== undefined && q !== 0) return float((typeof a0 === 'number' ? p + 0 : p) / q)
  const a = unbool(a0)
  const b = unbool(b0)
  const x = floatValue(a) ?? (isInt(a) ? a : undefined)
  const y = floatValue(b) ?? (isInt(b) ? b : undefined)
  if (x === undefined || y === undefined) return custom('/', a0, b0)
  if (y === 0) {
    throw byZero('floating-point division', isInt(a) && isInt(b) ? 'division by zero' : 'float division by zero')
  }
  if (typeof x !== 'number' || typeof y !== 'number') {
    if (isInt(a) && isInt(b)) return float(divideBig(big(a), big(b)))
    return float(toDouble(x) / toDouble(y))
  }
  return float((isInt(a) ? x + 0 : x) / y)
}

/** The double nearest to a quotient of two big integers. */
function divideBig(a: bigint, b: bigint): number {
  const negative = a < 0n !== b < 0n
  const x = a < 0n ? -a : a
  const y = b < 0n ? -b : b
  // Scale so that the integer quotient has 64 to 66 bits, keep a sticky bit, and let Number() round to nearest even.
  const shift = BigInt(66 - (x.toString(2).length - y.toString(2).length))
  const scaled = shift >= 0n ? x << shift : x
  const divisor = shift >= 0n ? y : y << -shift
  let q = scaled / divisor
  if (q * divisor !== scaled) q |= 1n
  const n = scale(Number(q), -Number(shift))
  if (n === Infinity) throw new GuestError('OverflowError', 'integer division result too large for a float')
  return negative ? -n : n
}

function scale(x: number, exponent: number): number {
  let e = exponent
  let v = x
  while (e > 1000) {
    v *= 2 ** 1000
    e -= 1000
  }
  while (e < -1000) {
    v *= 2 ** -1000
    e += 1000
  }
  return v * 2 ** e
}

function floorBig(a: bigint, b: bigint): bigint {
  const q = a / b
  return a % b !== 0n && a < 0n !== b < 0n ? q - 1n : q
}

function modBig(a: bigint, b: bigint): bigint {
  const r = a % b
  return r !== 0n && r < 0n !== b < 0n ? r + b : r
}

export function floorDiv(a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number' && Number.isInteger(a) && Number.isInteger(b)) {
    if (b === 0) throw byZero('floored division', 'integer division or modulo by zero')
    // A quotient of safe integers can round up to the next integer; the remainder tells.
    const r = a % b
    const q = (a - r) / b
    return (r !== 0 && r < 0 !== b < 0 ? q - 1 : q) + 0
  }
  const divisor = unbool(b)
  if (
    (isInt(divisor) || floatValue(divisor) !== undefined) &&
    Number(floatValue(divisor) ?? (divisor as number)) === 0 &&
    isNumber(a)
  ) {
    throw byZero(
      'floored division',
      isInt(unbool(a)) && isInt(divisor) ? 'integer division or modulo by zero' : 'float floor division by zero',
    )
  }
  return arithmetic(a, b, floorBig, (x, y) => floorFloat(x, y)) ?? custom('//', a, b)
}

function floorFloat(x: number, y: number): number {
  if (!python) return Math.floor(x / y)
  // CPython derives the quotient from the exact remainder.
  const r = x % y
  const q = (x - r) / y - (r !== 0 && r < 0 !== y < 0 ? 1 : 0)
  if (q === 0) return x / y < 0 || Object.is(x / y, -0) ? -0 : 0
  const floored = Math.floor(q)
  return q - floored > 0.5 ? floored + 1 : floored
}

function isNumber(x: Value): boolean {
  const n = unbool(x)
  return isInt(n) || floatValue(n) !== undefined
}

function modFloat(x: number, y: number): number {
  if (y === Infinity || y === -Infinity) {
    if (x === 0 || x !== x || x === Infinity || x === -Infinity) return x === 0 ? (y < 0 ? -0 : 0) : Number.NaN
    return x < 0 === y < 0 ? x : y
  }
  const r = x % y
  if (r !== 0 && r < 0 !== y < 0) return r + y
  return r === 0 ? (y < 0 ? -0 : 0) : r
}

let format: (text: string, values: Value) => string = () => ''

/** `text % values` formats: percent-format.ts says how. */
export function formatBy(f: (text: string, values: Value) => string): void {
  format = f
}

export function mod(a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number' && Number.isInteger(a) && Number.isInteger(b)) {
    if (b === 0) throw byZero('integer modulo', 'integer modulo by zero')
    const r = a % b
    return (r !== 0 && r < 0 !== b < 0 ? r + b : r) + 0
  }
  if (typeof a === 'string') return format(a, b)
  const divisor = unbool(b)
  if (isNumber(a) && isNumber(divisor) && Number(floatValue(divisor) ?? (divisor as number)) === 0) {
    const ints = isInt(unbool(a)) && isInt(divisor)
    throw byZero(ints ? 'integer modulo' : 'floating-point modulo', ints ? 'integer modulo by zero' : 'float modulo')
  }
  return arithmetic(a, b, modBig, modFloat) ?? custom('%', a, b)
}

const POWER_BITS_MOST = 1 << 25

export function power(a0: Value, b0: Value): Value {
  const a = unbool(a0)
  const b = unbool(b0)
  if (isInt(a) && isInt(b)) {
    if (sign(b) >= 0) {
      const bits = typeof a === 'number' ? Math.log2(Math.abs(a) + 1) : a.n.toString(16).length * 4
      if (bits * toNumber(b) > POWER_BITS_MOST) {
        throw new GuestError('OverflowError', 'the result of ** has too many digits', { code: 'excessive-power' })
      }
      return normal(big(a) ** big(b))
    }
    if (a === 0) throw new GuestError('ZeroDivisionError', '0.0 cannot be raised to a negative power')
    return float(toDouble(a) ** toDouble(b))
  }
  const x = floatValue(a) ?? (isInt(a) ? toDouble(a) : undefined)
  const y = floatValue(b) ?? (isInt(b) ? toDouble(b) : undefined)
  if (x === undefined || y === undefined) return custom('**', a0, b0)
  if (x === 0 && y < 0) throw new GuestError('ZeroDivisionError', '0.0 cannot be raised to a negative power')
  if (x === 1 || (x === -1 && (y === Infinity || y === -Infinity))) return float(1)
  if (x < 0 && !Number.isInteger(y) && Number.isFinite(x) && Number.isFinite(y)) {
    throw new GuestError(
      'ValueError',
      'a negative number cannot be raised to a fractional power: complex numbers are not supported',
    )
  }
  const r = x ** y
  if ((r === Infinity || r === -Infinity) && Number.isFinite(x) && Number.isFinite(y)) {
    throw new GuestError('OverflowError', "(34, 'Numerical result out of range')")
  }
  return float(r)
}

function bits(
  operator: string,
  a0: Value,
  b0: Value,
  onInts: IntOperation,
  onSets: ((a: GuestSet, b: GuestSet) => Value) | undefined,
): Value {
  if (python && typeof a0 === 'boolean' && typeof b0 === 'boolean') return onInts(a0 ? 1n : 0n, b0 ? 1n : 0n) === 1n
  const a = unbool(a0)
  const b = unbool(b0)
  if (isInt(a) && isInt(b)) return normal(onInts(big(a), big(b)))
  if (onSets && a instanceof Set && b instanceof Set) return onSets(a, b)
  return custom(operator, a0, b0)
}

export function bitAnd(a: Value, b: Value): Value {
  if (a instanceof Big && typeof b === 'number' && b >= 0 && b % 1 === 0) return Number(a.n & smallBig(b))
  if (((a as number) | 0) === a && ((b as number) | 0) === b) return (a as number) & (b as number)
  return bits(
    '&',
    a,
    b,
    (x, y) => x & y,
    (x, y) => {
      const out = setElements(x).filter((e) => setHas(y, e))
      return like(x, out)
    },
  )
}

export function bitOr(a: Value, b: Value): Value {
  if (((a as number) | 0) === a && ((b as number) | 0) === b) return (a as number) | (b as number)
  if (isDict(a) && isDict(b) && protocolOf(a)?.binary === undefined) {
    const out = dictCopy(a)
    dictUpdate(out, b)
    return out
  }
  return bits(
    '|',
    a,
    b,
    (x, y) => x | y,
    (x, y) => {
      const out = setCopy(x)
      for (const e of setElements(y)) setInsert(out, e)
      return out
    },
  )
}

export function bitXor(a: Value, b: Value): Value {
  if (((a as number) | 0) === a && ((b as number) | 0) === b) return (a as number) ^ (b as number)
  return bits(
    '^',
    a,
    b,
    (x, y) => x ^ y,
    (x, y) => {
      const left = setElements(x).filter((e) => !setHas(y, e))
      const right = setElements(y).filter((e) => !setHas(x, e))
      return like(x, left.concat(right))
    },
  )
}

function like(s: GuestSet, values: Value[]): GuestSet {
  const out: GuestSet = s instanceof FrozenSet ? new FrozenSet() : new Set()
  for (const v of values) setInsert(out, v)
  return out
}

function setInsert(s: GuestSet, x: Value): void {
  setAdd(s, x)
}

const SHIFT_MOST = 1 << 25

// Starlark in Go and in Java shifts by less than 512 bits, so that programs can't grow integers without work.
const SHIFT_LEFT_MOST = python ? SHIFT_MOST : 511

export function shiftLeft(a: Value, b: Value): Value {
  return shift('<<', a, b, (x, n) => {
    if (x === 0n && python) return 0n
    if (n > SHIFT_LEFT_MOST)
      throw new GuestError(python ? 'OverflowError' : 'ValueError', `shift count too large: ${n}`, {
        code: 'excessive-shift',
      })
    return x << n
  })
}

export function shiftRight(a: Value, b: Value): Value {
  if (a instanceof Big && typeof b === 'number' && b >= 0 && b <= SHIFT_MOST && b % 1 === 0)
    return normal(a.n >> smallBig(b))
  return shift('>>', a, b, (x, n) => (n > SHIFT_MOST ? (x < 0n ? -1n : 0n) : x >> n))
}

function shift(operator: string, a0: Value, b0: Value, onInts: IntOperation): Value {
  const a = unbool(a0)
  const b = unbool(b0)
  if (!isInt(a) || !isInt(b)) return custom(operator, a0, b0)
  if (sign(b) < 0)
    throw new GuestError('ValueError', python ? 'negative shift count' : `negative shift count: ${big(b)}`)
  return normal(onInts(big(a), big(b)))
}

export function negate(x0: Value): Value {
  if (+(x0 as number) === x0) return x0 % 1 === 0 ? 0 - x0 : -x0
  if (x0 !== null && x0.constructor === Float) return { __proto__: boxes, v: -(x0 as Float).v } as unknown as Float
  const x = unbool(x0)
  const f = floatValue(x)
  if (f !== undefined) return float(-f)
  if (isInt(x)) return typeof x === 'number' ? 0 - x : normal(-x.n)
  return unary('-', x0)
}

export function positive(x0: Value): Value {
  const x = unbool(x0)
  return isNumber(x) ? x : unary('+', x0)
}

export function invert(x0: Value): Value {
  const x = unbool(x0)
  return isInt(x) ? normal(~big(x)) : unary('~', x0)
}

function unary(operator: string, x: Value): Value {
  const own = protocolOf(x)?.unary?.(operator, x as object)
  if (own !== undefined) return own
  throw new GuestError(
    'TypeError',
    python ? `bad operand type for unary ${operator}: '${typeName(x)}'` : `unknown unary op: ${operator}${typeName(x)}`,
  )
}

/** `a @ b`: only objects of the program know what it is. */
export function matrixProduct(a: Value, b: Value): Value {
  return custom('@', a, b)
}

// ---- in place --------------------------------------------------------------------------------------------------

/** `a += b`: a list grows in place by any iterable. */
export function addInPlace(a: Value, b: Value): Value {
  if (a === null || a.constructor !== Array || (a as Value[])[0] === TUPLE) return add(a, b)
  mutable(a)
  // Starlark adds as `+` does what is not iterable.
  if (!python && !isIterable(b)) return add(a, b)
  const more = items(b)
  const n = more.length
  for (let i = 0; i < n; i++) (a as Value[]).push(more[i]!)
  return a
}

/** `a |= b`: dicts and sets grow in place. */
export function orInPlace(a: Value, b: Value): Value {
  if (isDict(a) && isDict(b) && protocolOf(a)?.binary === undefined) {
    mutable(a)
    dictUpdate(a, b)
    return a
  }
  if (a instanceof Set && !(a instanceof FrozenSet) && b instanceof Set) {
    mutable(a)
    for (const e of setElements(b)) setAdd(a, e)
    return a
  }
  return bitOr(a, b)
}

function setInPlace(a: GuestSet, result: Value): Value {
  mutable(a)
  const kept = setElements(result as GuestSet)
  a.clear()
  for (const e of kept) setAdd(a, e)
  return a
}

export function andInPlace(a: Value, b: Value): Value {
  return a instanceof Set && !(a instanceof FrozenSet) && b instanceof Set
    ? setInPlace(a, bitAnd(a, b))
    : (bitAnd(a, b) as Int)
}

export function xorInPlace(a: Value, b: Value): Value {
  return a instanceof Set && !(a instanceof FrozenSet) && b instanceof Set ? setInPlace(a, bitXor(a, b)) : bitXor(a, b)
}

export function subInPlace(a: Value, b: Value): Value {
  return a instanceof Set && !(a instanceof FrozenSet) && b instanceof Set ? setInPlace(a, sub(a, b)) : sub(a, b)
}

export function mulInPlace(a: Value, b: Value): Value {
  const times = unbool(b)
  if (!python || !isList(a) || !isInt(times)) return mul(a, b)
  const out = repeat(a, times) as Value[]
  a.length = 0
  for (let i = 0; i < out.length; i++) a.push(out[i]!)
  return a
}

// ---- comparison ------------------------------------------------------------------------------------------------

const DEEPEST = 400
let comparisonDepth = 0

export function equal(a: Value, b: Value): boolean {
  if (a === b) return true
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
      // Functions; a class equals its name.
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
    throw new GuestError(
      python ? 'RecursionError' : 'ValueError',
      'comparison is nested too deeply or follows a cycle',
      { code: 'comparison-too-deep' },
    )
  }
  comparisonDepth++
  const result = equalContainers(a, b)
  comparisonDepth--
  return result
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

/** Strings are ordered by UTF-16 unit in strict mode and by code point, as in Python, in the default dialect. */
export function compareStrings(a: string, b: string): number {
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
  // A NaN is among them: unordered in Python, equal to itself and greatest in Starlark.
  if (python) return Number.NaN
  const nanX = x !== x
  const nanY = y !== y
  return nanX && nanY ? 0 : nanX ? 1 : -1
}

// QuickJS compares a bigint with a number that is no 32-bit integer wrongly.
function compareBig(x: bigint, y: number): number {
  if (!Number.isFinite(y)) return Number.isNaN(y) ? (python ? y : -1) : y > 0 ? -1 : 1
  const whole = Math.trunc(y)
  const near = BigInt(whole)
  return x < near ? -1 : x > near ? 1 : whole - y
}

/** Negative, zero or positive as `a` is less than, equal to or greater than `b`; NaN when neither (Python's NaN, incomparable sets). */
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
  if (Array.isArray(a) && Array.isArray(b) && (a[0] === TUPLE) === (b[0] === TUPLE))
    return compareSequences(a, b, operator)
  if (a instanceof Bytes && b instanceof Bytes) return compareBytes(a.b, b.b)
  if (python && a instanceof Set && b instanceof Set) return compareSets(a, b)
  const own = protocolOf(a)?.order?.(a as object, b, operator)
  if (own !== undefined) return own === true ? (operator[0] === '<' ? -1 : 1) : own === false ? Number.NaN : own
  throw new GuestError(
    'TypeError',
    python
      ? `'${operator}' not supported between instances of '${typeName(a0)}' and '${typeName(b0)}'`
      : `${typeName(a0)} ${operator} ${typeName(b0)} not implemented`,
  )
}

function compareSequences(a: readonly Value[], b: readonly Value[], operator: string): number {
  if (comparisonDepth > DEEPEST) {
    comparisonDepth = 0
    throw new GuestError(
      python ? 'RecursionError' : 'ValueError',
      'comparison is nested too deeply or follows a cycle',
      { code: 'comparison-too-deep' },
    )
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

/** Answers of objects with an order of their own are for the operator asked, not a comparison. */
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

// ---- membership and truth --------------------------------------------------------------------------------------

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
    throw new GuestError(
      'TypeError',
      python
        ? `'in <string>' requires string as left operand, not ${typeName(element)}`
        : `'in <string>' requires string as left operand, not ${typeName(element)}`,
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
      throw new GuestError('TypeError', `argument of type '${typeName(container)}' is not iterable`)
    return items(container).some((x) => x === element || equal(x, element))
  }
  throw python
    ? new GuestError('TypeError', `argument of type '${typeName(container)}' is not iterable`)
    : new GuestError('TypeError', `unknown binary op: ${typeName(element)} in ${typeName(container)}`)
}

function rangeContains(r: Range, x0: Value): boolean {
  const x = unbool(x0)
  const n = floatValue(x) ?? (isInt(x) ? toNumber(x) : undefined)
  if (n === undefined) {
    if (python) return false
    throw new GuestError('TypeError', `'in <range>' requires integer as left operand, not ${typeName(x)}`)
  }
  const i = (n - r.start) / r.step
  return Number.isInteger(i) && i >= 0 && i < r.length
}

function bytesContain(haystack: Bytes, x0: Value): boolean {
  const x = unbool(x0)
  if (isInt(x)) {
    const byte = toNumber(x)
    if (byte < 0 || byte > 255)
      throw new GuestError(
        'ValueError',
        python ? 'byte must be in range(0, 256)' : `int in bytes: ${big(x)} out of range`,
      )
    return haystack.b.includes(byte)
  }
  if (x instanceof Bytes) return findBytes(haystack.b, x.b) >= 0
  throw new GuestError(
    'TypeError',
    python ? `a bytes-like object is required, not '${typeName(x)}'` : `unknown binary op: ${typeName(x)} in bytes`,
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

/** A set display. */
export function makeSet(values: readonly Value[]): Value {
  return setOf(values)
}
