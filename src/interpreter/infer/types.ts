// The type of a value: a set of kinds; for ints also an interval; for others the types of the contents and the host's
// declaration. `join` is the least upper bound.
//
// A type is proved: its expression has no value outside it, and generated code relies on that. The check looks for
// mistakes in the type that a value is *taken for*. That type is in the same lattice and mostly the same. It differs in
// two cases. The host declares the results of its functions but may break its word: such a value may be anything and is
// taken for the declared type. And behind a test, a variable that the test names is taken for anything, because the
// test may have narrowed it further than is followed here. Knows no syntax.
// Invariant: a type is never narrower than the values it describes; the type that a value is taken for has no `taken`
// itself.

import type { ForeignFunction, ForeignType } from '../foreign.js'
import {
  ABSENT,
  BOOL,
  BYTES,
  DICT,
  FLOAT,
  FUNCTION,
  INT,
  LIST,
  MAP,
  NAMESPACE,
  NONE,
  OTHER,
  RANGE,
  SET,
  STR,
  TOOL,
  TUPLE,
} from './kinds.js'

const EVERYTHING = 2047 | MAP | TOOL | NAMESPACE | BYTES | RANGE

export const MAX_SAFE = Number.MAX_SAFE_INTEGER

export interface Type {
  readonly kinds: number
  /** Bounds of the value where it is an int; infinite bounds mean that it may be a big integer. */
  readonly lo: number
  readonly hi: number
  /**
   * The types of the contents: the element of a list, the key and the value of a dict, each component of a tuple. A
   * list or dict has parts only while a single expression or variable can reach it, so that nothing else can change it.
   */
  readonly parts?: readonly Type[]
  readonly about?: About
  /** The type that the check takes the value for, if it is not the proved one. */
  readonly taken?: Type
}

export type Literal = string | number | boolean

/** Further facts about some values of a type. Values of other kinds are not restricted. */
export type About =
  /** A value of the same kind as one of these is one of these. */
  | { readonly kind: 'values'; readonly values: readonly Literal[] }
  /** A list that others can reach, and the element that it had when it appeared; see Stored. */
  | { readonly kind: 'item'; readonly item: Type }
  /** The host's declaration of a list or dict. */
  | { readonly kind: 'host'; readonly type: ForeignType }
  | { readonly kind: 'tool'; readonly path: string; readonly fn: ForeignFunction }
  | { readonly kind: 'namespace'; readonly name: string }
  /** The value has one of these types, more than one of which has further facts. */
  | { readonly kind: 'one-of'; readonly types: readonly Type[] }

export const ANY: Type = { kinds: EVERYTHING, lo: -Infinity, hi: Infinity }
export const ANY_OR_ABSENT: Type = { kinds: EVERYTHING | ABSENT, lo: -Infinity, hi: Infinity }
export const UNASSIGNED: Type = { kinds: ABSENT, lo: Infinity, hi: -Infinity }
export const NOTHING: Type = { kinds: 0, lo: Infinity, hi: -Infinity }

/** A type without ints. */
export function of(kinds: number): Type {
  return { kinds, lo: Infinity, hi: -Infinity }
}

export const NULL = of(NONE)
export const BOOLEAN = of(BOOL)
export const STRING = of(STR)
export const FLOATING = of(FLOAT)
export const CALLABLE = of(FUNCTION)
export const NUMBER: Type = { kinds: INT | FLOAT, lo: -Infinity, hi: Infinity }

/**
 * Ints between two bounds. Bounds beyond the safe integers become infinite, or, where that would leave no int between
 * them, the next that computes exactly.
 */
export function ints(lo: number, hi: number): Type {
  return {
    kinds: INT,
    lo: lo < -MAX_SAFE || Number.isNaN(lo) ? -Infinity : Math.min(lo, MAX_SAFE + 1),
    hi: hi > MAX_SAFE || Number.isNaN(hi) ? Infinity : Math.max(hi, -MAX_SAFE - 1),
  }
}

export const ANY_INT: Type = { kinds: INT, lo: -Infinity, hi: Infinity }
/** The length of a container. No text, list or dict that fits into a guest's memory is longer. */
export const LENGTH: Type = ints(0, 2 ** 31 - 1)

/** One of some texts, numbers and bools. */
export function literals(values: readonly Literal[]): Type {
  const numbers = values.filter((value) => kindOfLiteral(value) === INT) as number[]
  return {
    kinds: values.reduce((kinds: number, value) => kinds | kindOfLiteral(value), 0),
    lo: Math.min(...numbers),
    hi: Math.max(...numbers),
    about: { kind: 'values', values },
  }
}

export function kindOfLiteral(value: Literal): number {
  if (typeof value === 'string') return STR
  if (typeof value === 'boolean') return BOOL
  return Number.isInteger(value) ? INT : FLOAT
}

/** A list that others can reach. */
export function listOf(item: Type): Type {
  return about(LIST, { kind: 'item', item: loose(item) })
}

export function about(kinds: number, what: About): Type {
  return { kinds, lo: Infinity, hi: -Infinity, about: what }
}

// ---- types that values are taken for ---------------------------------------------------------------------------

/** A value with a proved type and another one that the check assumes. */
export function taking(proved: Type, taken: Type): Type {
  const says = takenOf(taken)
  return says === proved ? proved : { ...provedOf(proved), taken: says }
}

/** Applies a rule to the proved types, and to the types that the values are taken for. */
export function follow(rule: (...types: readonly Type[]) => Type, ...types: readonly Type[]): Type {
  const proved = rule(...types)
  return types.every((t) => t.taken === undefined) ? proved : taking(proved, rule(...types.map(takenOf)))
}

function provedOf(t: Type): Type {
  if (t.taken === undefined) return t
  const { taken: _, ...proved } = t
  return proved
}

export function takenOf(t: Type): Type {
  return t.taken ?? t
}

/** True if the check assumes nothing about the value. */
export function isUnknown({ kinds }: Type): boolean {
  return kinds === 0 || (kinds & (OTHER | ABSENT)) !== 0
}

// ---- join and same ---------------------------------------------------------------------------------------------

export function join(a: Type, b: Type): Type {
  if (a === b) return a
  const kinds = a.kinds | b.kinds
  const lo = Math.min(a.lo, b.lo)
  const hi = Math.max(a.hi, b.hi)
  if (isBare(a) && isBare(b)) {
    // Most joins change nothing, and a type that stays the same object need not be compared again.
    if (kinds === a.kinds && lo === a.lo && hi === a.hi) return a
    return kinds === b.kinds && lo === b.lo && hi === b.hi ? b : { kinds, lo, hi }
  }
  if (a.kinds === 0 || b.kinds === 0) return a.kinds === 0 ? b : a
  const joined: { -readonly [K in keyof Type]: Type[K] } = { kinds, lo, hi }
  const parts = a.parts === undefined && b.parts === undefined ? undefined : joinParts(a, b)
  if (parts !== undefined) joined.parts = parts
  // What `joinParts` has joined is not joined again, once for each level of a nested tuple.
  const areAlike = parts !== undefined && a.about === undefined && b.about === undefined && holdsOneKind(kinds)
  const what = areAlike ? undefined : joinAbout(a, b, kinds)
  if (what !== undefined) joined.about = what
  if (a.taken !== undefined || b.taken !== undefined) {
    const taken = join(takenOf(a), takenOf(b))
    if (!same(taken, joined)) joined.taken = taken
  }
  return same(joined, a) ? a : same(joined, b) ? b : joined
}

/** True if only kinds and bounds are known. */
export function isBare(t: Type): boolean {
  return t.parts === undefined && t.about === undefined && t.taken === undefined
}

const DICTS = DICT | MAP
const CONTAINERS = LIST | TUPLE | DICTS | SET

function joinParts(a: Type, b: Type): readonly Type[] | undefined {
  if ((a.kinds & CONTAINERS) === 0) return b.parts
  if ((b.kinds & CONTAINERS) === 0) return a.parts
  if (a.parts === undefined || b.parts === undefined || (a.kinds & CONTAINERS) !== (b.kinds & CONTAINERS))
    return undefined
  if (a.parts.length !== b.parts.length) return undefined
  return a.parts.map((p, i) => join(p, b.parts![i]!))
}

function holdsOneKind(kinds: number): boolean {
  const containers = kinds & CONTAINERS
  return (containers & (containers - 1)) === 0 || (containers & ~DICTS) === 0
}

/** The maximum number of alternatives of a value. */
const MOST_ALTERNATIVES = 12

function joinAbout(a: Type, b: Type, kinds: number): About | undefined {
  if ((kinds & (OTHER | ABSENT)) !== 0) return undefined
  if (a.about === b.about && a.parts === undefined && b.parts === undefined) return a.about
  if (isScalar(a) && isScalar(b)) return joinValues(a, b)
  const types: Type[] = [...alternatives(a)]
  for (const one of alternatives(b)) addAlternative(types, one)
  const known = types.filter((one) => !isBare(one))
  if (known.length === 0 || types.length > MOST_ALTERNATIVES) return undefined
  return known.length > 1 ? { kind: 'one-of', types } : known[0]!.about
}

function isScalar(t: Type): boolean {
  return t.parts === undefined && (t.about === undefined || t.about.kind === 'values')
}

function joinValues(a: Type, b: Type): About | undefined {
  const x = valuesOf(a)
  const y = valuesOf(b)
  const open = openKinds(a, x) | openKinds(b, y)
  const values = [...new Set([...x, ...y])].filter((value) => (kindOfLiteral(value) & open) === 0)
  return values.length === 0 || values.length > MOST_ALTERNATIVES ? undefined : { kind: 'values', values }
}

function valuesOf({ about: what }: Type): readonly Literal[] {
  return what?.kind === 'values' ? what.values : []
}

/** The kinds among those of `t` that `values` do not restrict. */
function openKinds(t: Type, values: readonly Literal[]): number {
  return values.reduce((kinds: number, value) => kinds & ~kindOfLiteral(value), t.kinds)
}

function addAlternative(types: Type[], one: Type): void {
  for (const [i, other] of types.entries()) {
    const merged = mergeAlternatives(other, one)
    if (merged === undefined) continue
    types[i] = merged
    return
  }
  types.push(one)
}

/** One type in place of two that need not be distinguished; undefined if they must be. */
function mergeAlternatives(a: Type, b: Type): Type | undefined {
  if (a.kinds !== b.kinds && ((a.kinds | b.kinds) & ~DICTS) !== 0) return undefined
  if (same(a, b)) return a
  const kinds = a.kinds | b.kinds
  if (isBare(a) || isBare(b)) return { kinds, lo: Math.min(a.lo, b.lo), hi: Math.max(a.hi, b.hi) }
  if (isScalar(a)) return join(a, b)
  if (a.parts !== undefined && a.parts.length === b.parts?.length)
    return { ...of(kinds), parts: a.parts.map((p, i) => join(p, b.parts![i]!)) }
  return isListing(a) && isListing(b) ? listOf(join(listedItem(a), listedItem(b))) : undefined
}

function isListing(t: Type): boolean {
  return t.kinds === LIST && (t.parts !== undefined || t.about?.kind === 'item')
}

/** The element that a list of the program had when it appeared. */
export function listedItem(list: Type): Type {
  return list.parts?.[0] ?? (list.about?.kind === 'item' ? list.about.item : ANY)
}

export function same(a: Type, b: Type): boolean {
  if (a === b) return true
  if (a.kinds !== b.kinds || a.lo !== b.lo || a.hi !== b.hi) return false
  return sameParts(a.parts, b.parts) && sameAbout(a.about, b.about) && sameTaken(a.taken, b.taken)
}

function sameTaken(a: Type | undefined, b: Type | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && same(a, b))
}

function sameParts(a: readonly Type[] | undefined, b: readonly Type[] | undefined): boolean {
  if (a === undefined || b === undefined) return a === b
  return a.length === b.length && a.every((p, i) => same(p, b[i]!))
}

function sameAbout(a: About | undefined, b: About | undefined): boolean {
  if (a === b) return true
  if (a === undefined || b === undefined || a.kind !== b.kind) return false
  switch (a.kind) {
    case 'values': {
      const { values } = b as typeof a
      return a.values.length === values.length && a.values.every((value, i) => value === values[i])
    }
    case 'item':
      return same(a.item, (b as typeof a).item)
    case 'host':
      return a.type === (b as typeof a).type
    case 'tool':
      return a.path === (b as typeof a).path
    case 'namespace':
      return a.name === (b as typeof a).name
    case 'one-of':
      return sameParts(a.types, (b as typeof a).types)
  }
}

/** The types of one kind that a value may have; ANY alone if nothing is known. */
export function alternatives(t: Type): readonly Type[] {
  if (isUnknown(t)) return UNKNOWN
  if (t.about?.kind === 'one-of') return t.about.types
  if ((t.kinds & (t.kinds - 1)) === 0 || (t.kinds & ~DICTS) === 0) return [provedOf(t)]
  const out: Type[] = []
  for (let kind = INT; kind <= t.kinds; kind <<= 1) {
    if ((t.kinds & kind) === 0 || (kind === MAP && (t.kinds & DICT) !== 0)) continue
    out.push(alternative(t, kind === DICT ? t.kinds & DICTS : kind))
  }
  return out
}

const UNKNOWN: readonly Type[] = [ANY]

function alternative(t: Type, kind: number): Type {
  const bare = kind === INT ? ints(t.lo, t.hi) : of(kind)
  if (t.parts !== undefined && (kind & CONTAINERS) !== 0) return { ...bare, parts: t.parts }
  if (t.about?.kind === 'values') {
    const values = t.about.values.filter((value) => kindOfLiteral(value) === kind)
    return values.length === 0 ? bare : { ...bare, about: { kind: 'values', values } }
  }
  return t.about !== undefined && (kindOfAbout(t.about) & kind) !== 0 ? { ...bare, about: t.about } : bare
}

function kindOfAbout(what: About): number {
  switch (what.kind) {
    case 'item':
      return LIST
    case 'host':
      return what.type.kind === 'list' || what.type.kind === 'tuple' ? LIST : DICTS
    case 'tool':
      return TOOL
    case 'namespace':
      return NAMESPACE
    default:
      return 0
  }
}

// ---- containers ------------------------------------------------------------------------------------------------

/** A container of one kind with its contents. */
export function holding(kind: number, ...parts: readonly Type[]): Type {
  return { kinds: kind, lo: Infinity, hi: -Infinity, parts: parts.map((p) => limited(shared(p))) }
}

/** The levels of contents that are known of a part, and the number of types in it beyond which only one level is. */
const MOST_LEVELS = 3
const MOST_TYPES = 200

/** A part of a container. Each turn of a loop may put a tuple into a new one, so a part must not grow without end. */
function limited(t: Type): Type {
  if (isBare(t)) return t
  const cut = shallow(t, MOST_LEVELS)
  return counted(cut, MOST_TYPES) < 0 ? shallow(cut, 1) : cut
}

/** `most` less the number of types in a type; negative, without counting on, where there are more. */
function counted(t: Type, most: number): number {
  return inside(t).reduce((left, one) => (left < 0 ? left : counted(one, left)), most - 1)
}

function inside({ parts = [], about: what, taken }: Type): readonly Type[] {
  const others = what?.kind === 'item' ? [what.item] : what?.kind === 'one-of' ? what.types : []
  return taken === undefined ? [...parts, ...others] : [...parts, ...others, taken]
}

/** The type with some levels of contents. Below them only kinds and bounds are known. */
function shallow(t: Type, levels: number): Type {
  const { parts, about: what, taken } = t
  if (taken !== undefined) {
    const proved = shallow(provedOf(t), levels)
    return taking(proved, shallow(taken, levels))
  }
  const isDeep = parts !== undefined || what?.kind === 'item' || what?.kind === 'one-of'
  if (!isDeep) return t
  if (levels === 0) return { kinds: t.kinds, lo: t.lo, hi: t.hi }
  const inner = (x: Type): Type => shallow(x, levels - 1)
  const cut: { -readonly [K in keyof Type]: Type[K] } = { ...t }
  if (parts !== undefined) cut.parts = mapped(parts, inner)
  if (what?.kind === 'item') {
    const item = inner(what.item)
    if (item !== what.item) cut.about = { kind: 'item', item }
  } else if (what?.kind === 'one-of') {
    const types = mapped(what.types, (one) => shallow(one, levels))
    if (types !== what.types) cut.about = { kind: 'one-of', types }
  }
  return cut.parts === parts && cut.about === what ? t : cut
}

/** The same array where the rule changes nothing. */
function mapped(types: readonly Type[], rule: (t: Type) => Type): readonly Type[] {
  const out = types.map(rule)
  return out.every((t, i) => t === types[i]) ? types : out
}

const IMMUTABLE = TUPLE | INT | FLOAT | BOOL | STR | NONE | FUNCTION | BYTES | RANGE | ABSENT

/** The type of a value that others can reach too. The contents of its list or dict may change at any time. */
export function shared(t: Type): Type {
  const { taken, about: what } = t
  if (taken !== undefined) {
    const proved = isShared(t) ? t : shared(provedOf(t))
    return proved === t && isShared(taken) ? t : taking(proved, shared(taken))
  }
  if (isShared(t)) return t
  if (t.kinds === LIST && what === undefined) return listOf(part(t, 0))
  const bare = { kinds: t.kinds, lo: t.lo, hi: t.hi }
  if (what === undefined) return bare
  return { ...bare, about: what.kind === 'one-of' ? { kind: 'one-of', types: what.types.map(shared) } : what }
}

function isShared(t: Type): boolean {
  if (t.about?.kind === 'one-of' && !t.about.types.every(isShared)) return false
  return t.parts === undefined || is(t, IMMUTABLE)
}

/** The type without literals: further values of its kinds do not change it. */
export function unvalued(t: Type): Type {
  if (t.taken !== undefined) return taking(unvalued(provedOf(t)), unvalued(t.taken))
  if (t.about?.kind !== 'values') return t
  const { about: _, ...bare } = t
  return bare
}

/** The depth beyond which the contents of a value that is not followed are unknown. */
const DEEPEST = 2

/** The facts that remain about a value that is no longer followed: no literals, no bounds, no deep contents. */
export function loose(t: Type, depth = 0): Type {
  const plain = shared(unvalued(takenOf(t)))
  const { kinds, parts, about: what } = plain
  if ((kinds & (OTHER | ABSENT)) !== 0) return ANY
  if (isBare(plain) && (kinds & INT) === 0) return plain
  const inner = (x: Type): Type => (depth < DEEPEST ? loose(x, depth + 1) : ANY)
  const [lo, hi] = (kinds & INT) === 0 ? [Infinity, -Infinity] : [-Infinity, Infinity]
  const bare = parts === undefined ? { kinds, lo, hi } : { kinds, lo, hi, parts: parts.map(inner) }
  if (what === undefined) return bare
  if (what.kind === 'item') return { ...bare, about: { kind: 'item', item: inner(what.item) } }
  return {
    ...bare,
    about: what.kind === 'one-of' ? { kind: 'one-of', types: what.types.map((one) => loose(one, depth)) } : what,
  }
}

/** True if this is surely a list or dict that only the current expression or variable can reach. */
export function isOwn(t: Type, kinds: number): boolean {
  return t.parts !== undefined && is(t, kinds & (LIST | DICT | MAP))
}

/** One part, or ANY. */
export function part(t: Type, i: number): Type {
  return t.parts?.[i] ?? ANY
}

/**
 * The parts of a type whose bounds still change get the widest bounds, and parts that only now have contents lose them,
 * so that the walk of a loop ends.
 */
export function widened(old: Type, joined: Type): Type {
  if (joined.parts === undefined || same(old, joined)) return joined
  const parts = joined.parts.map((p, i) => {
    const before = old.parts?.[i]
    if (before !== undefined && same(before, p)) return p
    const hasDeepened = before !== undefined && before.parts === undefined && p.parts !== undefined
    const inner = before === undefined ? p : hasDeepened ? shallow(p, 0) : widened(before, p)
    return (inner.kinds & INT) === 0 ? inner : { ...inner, lo: -Infinity, hi: Infinity }
  })
  return { ...joined, parts }
}

// ---- questions -------------------------------------------------------------------------------------------------

/** The type without the possibility that the variable is unassigned. */
export function assigned(t: Type): Type {
  return (t.kinds & ABSENT) === 0 ? t : { ...t, kinds: t.kinds & ~ABSENT }
}

/** True if it is surely an int that is a JavaScript number. */
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
