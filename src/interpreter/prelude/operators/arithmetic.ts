// The arithmetic operators, some of which also join, repeat and format sequences (specification: Unary operators,
// Binary operators). Generated code inlines the cases where both operands are small ints, and calls these functions for
// all others. Each function tests its commonest case first, because in QuickJS every test has a cost. Invariant: no
// operand is changed.

import { asIndex, MOST_INDEX } from '../calls/expect.js'
import { setCopy, setDelete, setElements } from '../containers/set.js'
import { power as precisePower } from '../numbers/precise-functions.js'
import { excessiveRepeat, MOST_REPEATED } from '../text/fill.js'
import { type GuestError, guestError } from '../values/errors.js'
import { python } from '../values/mode.js'
import { protocolOf } from '../values/protocol.js'
import { said, word } from '../values/said.js'
import { decideBoth, rememberedText } from '../values/tool-data.js'
import {
  Big,
  Bytes,
  big,
  bigInt,
  boxes,
  bytesLike,
  Float,
  float,
  floatValue,
  type Int,
  isInt,
  isList,
  isTuple,
  MAX_SAFE,
  normal,
  sign,
  smallBig,
  smallBigs,
  TUPLE,
  toNumber,
  typeOf,
  unbool,
  type Value,
} from '../values/values.js'
import { arithmetic, custom, double, isNumber, toDouble, unary } from './operands.js'
import { formatPercent, formatPercentBytes } from './percent-format.js'

// Sums, differences and products test the commonest operands first: two numbers (`+x === x` is the cheapest test and
// fails only for NaN), then a Float on either side, then all others.

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
    if (isList(a) && isList(b)) {
      decideBoth(a, b, (x, y) => `${x} + ${y}`)
      return a.concat(b)
    }
  }
  if (a instanceof Bytes && b instanceof Bytes) return bytesLike(a, joinBytes(a.b, b.b))
  const text = typeof a === 'string' ? a : rememberedText(a)
  const more = typeof b === 'string' ? b : rememberedText(b)
  if (text !== undefined && more !== undefined) return text + more
  if (python && typeof a === 'string' && protocolOf(b) === undefined) {
    throw guestError('TypeError', said`can only concatenate str (not "${typeOf(b)}") to str`, {
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
  // A big int times any int but 0 stays big.
  if (a instanceof Big && typeof b === 'number' && b % 1 === 0) return b === 0 ? 0 : bigInt(a.n * smallBig(b))
  const n = arithmetic(
    a,
    b,
    (x, y) => x * y,
    (x, y) => x * y,
  )
  if (n !== undefined) return n
  const right = isSequence(a) ? unbool(asIndex(b)) : b
  if (isInt(right) && isSequence(a)) return repeat(a, right)
  const left = isSequence(b) ? unbool(asIndex(a)) : a
  if (isInt(left) && isSequence(b)) return repeat(b, left)
  return custom('*', a, b)
}

function isSequence(x: Value): x is string | Value[] | Bytes {
  return typeof x === 'string' || Array.isArray(x) || x instanceof Bytes
}

export function repeat(x: string | Value[] | Bytes, times: Int): Value {
  const unit = typeof x === 'string' ? x.length : x instanceof Bytes ? x.b.length : x.length - (x[0] === TUPLE ? 1 : 0)
  const n = unit === 0 || sign(times) <= 0 ? 0 : toNumber(times)
  if (unit * n > MOST_REPEATED || (python && typeof times !== 'number' && times.n > MOST_INDEX))
    throw excessiveRepeat(unit, big(times))
  if (typeof x === 'string') return x.repeat(n)
  if (x instanceof Bytes) {
    const out = new Uint8Array(unit * n)
    for (let i = 0; i < n; i++) out.set(x.b, i * unit)
    return bytesLike(x, out)
  }
  decideBoth(x, x, (a) => `${a} * n`)
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
  return guestError('ZeroDivisionError', python ? word(pythonText) : said`${word(what)} by zero`)
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
  // Scales so that the integer quotient has 64 to 66 bits and keeps a sticky bit. Number() then rounds to the nearest
  // even.
  const shift = BigInt(66 - (x.toString(2).length - y.toString(2).length))
  const scaled = shift >= 0n ? x << shift : x
  const divisor = shift >= 0n ? y : y << -shift
  let q = scaled / divisor
  if (q * divisor !== scaled) q |= 1n
  const n = scale(Number(q), -Number(shift))
  if (n === Infinity) throw guestError('OverflowError', 'integer division result too large for a float')
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
    // A quotient of safe integers can be rounded up to the next integer. The remainder shows that.
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

function modFloat(x: number, y: number): number {
  if (y === Infinity || y === -Infinity) {
    if (x === 0 || x !== x || x === Infinity || x === -Infinity) return x === 0 ? (y < 0 ? -0 : 0) : Number.NaN
    return x < 0 === y < 0 ? x : y
  }
  const r = x % y
  if (r !== 0 && r < 0 !== y < 0) return r + y
  return r === 0 ? (y < 0 ? -0 : 0) : r
}

export function mod(a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number' && Number.isInteger(a) && Number.isInteger(b)) {
    if (b === 0) throw byZero('integer modulo', 'integer modulo by zero')
    const r = a % b
    return (r !== 0 && r < 0 !== b < 0 ? r + b : r) + 0
  }
  if (typeof a === 'string') return formatPercent(a, b)
  if (python && a instanceof Bytes) return bytesLike(a, formatPercentBytes(a.b, b))
  const divisor = unbool(b)
  if (isNumber(a) && isNumber(divisor) && Number(floatValue(divisor) ?? (divisor as number)) === 0) {
    const ints = isInt(unbool(a)) && isInt(divisor)
    throw byZero(ints ? 'integer modulo' : 'floating-point modulo', ints ? 'integer modulo by zero' : 'float modulo')
  }
  return arithmetic(a, b, modBig, modFloat) ?? custom('%', a, b)
}

function isOdd(x: Int): boolean {
  return typeof x === 'number' ? x % 2 !== 0 : (x.n & 1n) === 1n
}

const POWER_BITS_MOST = 1 << 25

export function power(a0: Value, b0: Value): Value {
  const a = unbool(a0)
  const b = unbool(b0)
  if (isInt(a) && isInt(b)) {
    if (sign(b) >= 0) {
      if (typeof a === 'number' && a >= -1 && a <= 1) return a === 0 && b === 0 ? 1 : isOdd(b) ? a : a * a
      const bits = typeof a === 'number' ? Math.log2(Math.abs(a) + 1) : a.n.toString(16).length * 4
      if (bits * toNumber(b) > POWER_BITS_MOST) {
        throw guestError('OverflowError', 'the result of ** has too many digits', { code: 'excessive-power' })
      }
      return normal(big(a) ** big(b))
    }
    if (a === 0) throw guestError('ZeroDivisionError', '0.0 cannot be raised to a negative power')
    return float(precisePower(toDouble(a), toDouble(b)))
  }
  const x = floatValue(a) ?? (isInt(a) ? toDouble(a) : undefined)
  const y = floatValue(b) ?? (isInt(b) ? toDouble(b) : undefined)
  if (x === undefined || y === undefined) return custom('**', a0, b0)
  if (x === 0 && y < 0 && y !== -Infinity)
    throw guestError('ZeroDivisionError', '0.0 cannot be raised to a negative power')
  if (x === 1 || (x === -1 && (y === Infinity || y === -Infinity))) return float(1)
  if (x < 0 && !Number.isInteger(y) && Number.isFinite(x) && Number.isFinite(y)) {
    throw guestError(
      'ValueError',
      'a negative number cannot be raised to a fractional power: complex numbers are not supported',
    )
  }
  const r = precisePower(x, y)
  if ((r === Infinity || r === -Infinity) && Number.isFinite(x) && Number.isFinite(y)) {
    throw guestError('OverflowError', "(34, 'Numerical result out of range')")
  }
  return float(r)
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

/** `a @ b`. Only objects of the program define it. */
export function matrixProduct(a: Value, b: Value): Value {
  return custom('@', a, b)
}
