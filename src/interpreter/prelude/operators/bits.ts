// The bitwise operators of ints. Sets have them too, and dicts have `|` (specification: Binary operators). Invariant:
// no operand is changed, and no result is longer than the limit of shifts.

import { MOST_INDEX } from '../calls/expect.js'
import { dictCopy, dictUpdate } from '../containers/dict.js'
import { type GuestSet, setAdd, setCopy, setElements, setHas } from '../containers/set.js'
import { guestError } from '../values/errors.js'
import { python } from '../values/mode.js'
import { protocolOf } from '../values/protocol.js'
import { said, spelled } from '../values/said.js'
import {
  Big,
  big,
  bigInt,
  FrozenSet,
  type Int,
  isDict,
  isInt,
  MOST,
  normal,
  sign,
  smallBig,
  smallBigs,
  unbool,
  type Value,
} from '../values/values.js'
import { custom, type IntOperation, unary } from './operands.js'

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
      for (const e of setElements(y)) setAdd(out, e)
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

const SHIFT_MOST = 1 << 25

// Starlark in Go and in Java shifts by less than 512 bits, so that programs can't make large integers without work.
const SHIFT_LEFT_MOST = python ? SHIFT_MOST : 511

export function shiftLeft(a: Value, b: Value): Value {
  return shift('<<', a, b, (x, n) => {
    if (x === 0n && python) return 0n
    if (n > SHIFT_LEFT_MOST)
      throw guestError(
        python ? (n > MOST_INDEX ? 'OverflowError' : 'MemoryError') : 'ValueError',
        said`shift count too large: ${spelled(n)}`,
        {
          code: 'excessive-shift',
        },
      )
    return x << n
  })
}

export function shiftRight(a: Value, b: Value): Value {
  if (a instanceof Big && typeof b === 'number' && b >= 0 && b <= SHIFT_MOST && b % 1 === 0)
    return normal(a.n >> smallBig(b))
  return shift('>>', a, b, (x, n) => (n > SHIFT_MOST ? (x < 0n ? -1n : 0n) : x >> n))
}

export function invert(x0: Value): Value {
  const x = unbool(x0)
  return isInt(x) ? normal(~big(x)) : unary('~', x0)
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

function like(s: GuestSet, values: Value[]): GuestSet {
  const out: GuestSet = s instanceof FrozenSet ? new FrozenSet() : new Set()
  for (const v of values) setAdd(out, v)
  return out
}

function shift(operator: string, a0: Value, b0: Value, onInts: IntOperation): Value {
  const a = unbool(a0)
  const b = unbool(b0)
  if (!isInt(a) || !isInt(b)) return custom(operator, a0, b0)
  if (sign(b) < 0)
    throw guestError('ValueError', python ? 'negative shift count' : said`negative shift count: ${spelled(big(b))}`)
  return normal(onInts(big(a), big(b)))
}
