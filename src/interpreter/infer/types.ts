// What the compiler can prove about a value: a set of kinds and, for ints, an interval. A small lattice: `join` is the
// least upper bound.
// Knows no syntax. Invariant: a type is never narrower than the values it stands for.

import { ABSENT, BOOL, DICT, FLOAT, FUNCTION, INT, LIST, MAP, NONE, SET, STR, TUPLE } from './kinds.js'

const EVERYTHING = 2047 | MAP

export const MAX_SAFE = Number.MAX_SAFE_INTEGER

export interface Type {
  readonly kinds: number
  /** Bounds of the value where it is an int; infinite bounds mean that it may be a big integer. */
  readonly lo: number
  readonly hi: number
  /**
   * What is inside: the element of a list, the key and the value of a dict, each component of a tuple. A list or dict
   * has parts only while nothing but the expression or the one variable at hand can reach it, so nobody else can change
   * it.
   */
  readonly parts?: readonly Type[]
}

export const ANY: Type = { kinds: EVERYTHING, lo: -Infinity, hi: Infinity }
export const ANY_OR_ABSENT: Type = { kinds: EVERYTHING | ABSENT, lo: -Infinity, hi: Infinity }
export const UNASSIGNED: Type = { kinds: ABSENT, lo: Infinity, hi: -Infinity }
export const NOTHING: Type = { kinds: 0, lo: Infinity, hi: -Infinity }

/** A type without ints. */
export function of(kinds: number): Type {
  return { kinds, lo: Infinity, hi: -Infinity }
}

export const BOOLEAN = of(BOOL)
export const STRING = of(STR)
export const FLOATING = of(FLOAT)

/** Ints between two bounds; bounds beyond the safe integers become infinite. */
export function ints(lo: number, hi: number): Type {
  return {
    kinds: INT,
    lo: lo < -MAX_SAFE || Number.isNaN(lo) ? -Infinity : lo,
    hi: hi > MAX_SAFE || Number.isNaN(hi) ? Infinity : hi,
  }
}

export const ANY_INT: Type = { kinds: INT, lo: -Infinity, hi: Infinity }
/** No text, list or dict that fits into a guest's memory is longer. */
export const LENGTH: Type = ints(0, 2 ** 31 - 1)

export function join(a: Type, b: Type): Type {
  if (a === b) return a
  const kinds = a.kinds | b.kinds
  const lo = Math.min(a.lo, b.lo)
  const hi = Math.max(a.hi, b.hi)
  if (a.parts === undefined && b.parts === undefined) {
    // Most joins change nothing, and what stays the same object need not be compared again.
    if (kinds === a.kinds && lo === a.lo && hi === a.hi) return a
    return kinds === b.kinds && lo === b.lo && hi === b.hi ? b : { kinds, lo, hi }
  }
  const parts = joinParts(a, b)
  return parts === undefined ? { kinds, lo, hi } : { kinds, lo, hi, parts }
}

const CONTAINERS = LIST | TUPLE | DICT | SET | MAP

function joinParts(a: Type, b: Type): readonly Type[] | undefined {
  if ((a.kinds & CONTAINERS) === 0) return b.parts
  if ((b.kinds & CONTAINERS) === 0) return a.parts
  if (a.parts === undefined || b.parts === undefined || (a.kinds & CONTAINERS) !== (b.kinds & CONTAINERS))
    return undefined
  if (a.parts.length !== b.parts.length) return undefined
  return a.parts.map((p, i) => join(p, b.parts![i]!))
}

export function same(a: Type, b: Type): boolean {
  if (a === b) return true
  if (a.kinds !== b.kinds || a.lo !== b.lo || a.hi !== b.hi) return false
  if (a.parts === undefined || b.parts === undefined) return a.parts === b.parts
  return a.parts.length === b.parts.length && a.parts.every((p, i) => same(p, b.parts![i]!))
}

/** A container of one kind with what is inside it. */
export function holding(kind: number, ...parts: readonly Type[]): Type {
  return { kinds: kind, lo: Infinity, hi: -Infinity, parts: parts.map(shared) }
}

/** A type as it is known where others can reach the value too: what is inside a list or dict may change at any time. */
export function shared(t: Type): Type {
  if (t.parts === undefined || is(t, TUPLE | INT | FLOAT | BOOL | STR | NONE | FUNCTION | ABSENT)) return t
  return { kinds: t.kinds, lo: t.lo, hi: t.hi }
}

/** Is this for sure a list or dict that only the expression or variable at hand can reach? */
export function isOwn(t: Type, kinds: number): boolean {
  return t.parts !== undefined && is(t, kinds & (LIST | DICT | MAP))
}

/** One part, or what nothing is known of. */
export function part(t: Type, i: number): Type {
  return t.parts?.[i] ?? ANY
}

/** Parts whose bounds still move get the widest: so that walking a loop comes to an end. */
export function widened(old: Type, joined: Type): Type {
  if (joined.parts === undefined || same(old, joined)) return joined
  const parts = joined.parts.map((p, i) => {
    const before = old.parts?.[i]
    if (before !== undefined && same(before, p)) return p
    const inner = before === undefined ? p : widened(before, p)
    return (inner.kinds & INT) === 0 ? inner : { ...inner, lo: -Infinity, hi: Infinity }
  })
  return { ...joined, parts }
}

/** Without the possibility of being unassigned. */
export function assigned(t: Type): Type {
  return (t.kinds & ABSENT) === 0 ? t : { ...t, kinds: t.kinds & ~ABSENT }
}

/** Surely an int that is a JavaScript number. */
export function isSmallInt(t: Type): boolean {
  return t.kinds === INT && t.lo >= -MAX_SAFE && t.hi <= MAX_SAFE
}

export function within(t: Type, lo: number, hi: number): boolean {
  return t.kinds === INT && t.lo >= lo && t.hi <= hi
}

export function isInt32(t: Type): boolean {
  return within(t, -2147483648, 2147483647)
}

export function is(t: Type, kinds: number): boolean {
  return t.kinds !== 0 && (t.kinds & ~kinds) === 0
}

export function mayBe(t: Type, kinds: number): boolean {
  return (t.kinds & kinds) !== 0
}

// ---- arithmetic on intervals -----------------------------------------------------------------------------------

function product(x: number, y: number): number {
  return x === 0 || y === 0 ? 0 : x * y
}

/** The type of `a operator b` where both are ints. */
export function intResult(operator: string, a: Type, b: Type): Type {
  switch (operator) {
    case '+':
      return ints(a.lo + b.lo, a.hi + b.hi)
    case '-':
      return ints(a.lo - b.hi, a.hi - b.lo)
    case '*': {
      const corners = [product(a.lo, b.lo), product(a.lo, b.hi), product(a.hi, b.lo), product(a.hi, b.hi)]
      return ints(Math.min(...corners), Math.max(...corners))
    }
    case '//':
      if (b.lo > 0) {
        const lo = a.lo >= 0 ? Math.floor(a.lo / b.hi) : Math.floor(a.lo / b.lo)
        const hi = a.hi >= 0 ? Math.floor(a.hi / b.lo) : Math.min(-1, Math.floor(a.hi / b.hi))
        return ints(lo, hi)
      }
      return isSmallInt(a) ? ints(-Math.max(-a.lo, a.hi) - 1, Math.max(-a.lo, a.hi) + 1) : ANY_INT
    case '%':
      if (b.lo > 0) return a.lo >= 0 ? ints(0, Math.min(a.hi, b.hi - 1)) : ints(0, b.hi - 1)
      if (b.hi < 0) return ints(b.lo + 1, 0)
      return Number.isFinite(b.lo) && Number.isFinite(b.hi) ? ints(Math.min(b.lo, 0), Math.max(b.hi, 0)) : ANY_INT
    case '&':
      if (a.lo >= 0 && b.lo >= 0) return ints(0, Math.min(a.hi, b.hi))
      if (a.lo >= 0) return ints(0, a.hi)
      if (b.lo >= 0) return ints(0, b.hi)
      return isInt32(a) && isInt32(b) ? ints(-2147483648, 2147483647) : ANY_INT
    case '|':
    case '^': {
      if (a.lo >= 0 && b.lo >= 0) {
        const most = Math.max(a.hi, b.hi)
        return ints(0, most > 2 ** 52 ? Infinity : 2 ** Math.ceil(Math.log2(most + 1)) - 1)
      }
      return isInt32(a) && isInt32(b) ? ints(-2147483648, 2147483647) : ANY_INT
    }
    case '<<':
      if (b.lo >= 0 && b.hi <= 52) return intResult('*', a, ints(2 ** b.lo, 2 ** b.hi))
      return ANY_INT
    case '>>':
      if (b.lo >= 0 && isSmallInt(a))
        return ints(Math.min(a.lo, Math.floor(a.lo / 2 ** Math.min(b.hi, 60))), Math.max(a.hi, 0))
      return ANY_INT
    case '/':
      return FLOATING
    default:
      return { kinds: INT | FLOAT, lo: -Infinity, hi: Infinity }
  }
}
