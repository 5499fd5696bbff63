// What a value may be, as far as mistakes are concerned: the types of the host's signatures and a few more for what
// programs make themselves.
// Knows no syntax. Invariant: a type is never narrower than the values it stands for, and ANY is always right.

import type { ForeignFunction, ForeignRecord } from '../foreign.js'
import type { Knowledge } from '../resolve/index.js'

export type Type =
  | {
      readonly kind:
        | 'any'
        | 'never'
        | 'none'
        | 'bool'
        | 'int'
        | 'float'
        | 'str'
        | 'bytes'
        | 'set'
        | 'range'
        | 'function'
    }
  | { readonly kind: 'literal'; readonly values: readonly (string | number | boolean)[] }
  /** `made` by the program: any part of it may have put something else in. */
  | { readonly kind: 'list'; readonly item: Type; readonly made?: true }
  | { readonly kind: 'tuple'; readonly items: readonly Type[] }
  | { readonly kind: 'dict'; readonly key: Type; readonly value: Type; readonly made?: true }
  | ForeignRecord
  | { readonly kind: 'alias'; readonly target: Type }
  | { readonly kind: 'union'; readonly members: readonly Type[] }
  | { readonly kind: 'namespace'; readonly name: string }
  | { readonly kind: 'tool'; readonly path: string; readonly fn: ForeignFunction }

export const ANY: Type = { kind: 'any' }
export const NONE: Type = { kind: 'none' }
export const BOOL: Type = { kind: 'bool' }
export const INT: Type = { kind: 'int' }
export const FLOAT: Type = { kind: 'float' }
export const STR: Type = { kind: 'str' }
export const BYTES: Type = { kind: 'bytes' }
export const SET: Type = { kind: 'set' }
export const RANGE: Type = { kind: 'range' }
export const FUNCTION: Type = { kind: 'function' }
export const NEVER: Type = { kind: 'never' }
export const NUMBER: Type = { kind: 'union', members: [INT, FLOAT] }
export const LIST: Type = { kind: 'list', item: ANY, made: true }
export const DICT: Type = { kind: 'dict', key: ANY, value: ANY, made: true }

/**
 * Types by variable at one point of the program; undefined where the program can't get to. A variable that is not in it
 * may be anything.
 */
export type State = Knowledge<Type> | undefined

const MOST_MEMBERS = 12

/** What is one or the other. */
export function join(a: Type, b: Type): Type {
  if (a === b) return a
  if (a.kind === 'any' || b.kind === 'any') return ANY
  if (a.kind === 'never') return b
  if (b.kind === 'never') return a
  const members = [...alternatives(a)]
  for (const one of alternatives(b)) if (!members.some((other) => same(one, other))) members.push(one)
  if (members.length > MOST_MEMBERS || members.some((one) => one.kind === 'any')) return ANY
  return members.length === 1 ? members[0]! : { kind: 'union', members }
}

/** The types that a value may be one of, without unions and aliases; ANY alone when there are too many. */
export function alternatives(type: Type): readonly Type[] {
  if (type.kind !== 'union' && type.kind !== 'alias') return type.kind === 'never' ? [ANY] : [type]
  const out: Type[] = []
  const open: Type[] = [type]
  for (let steps = 0; open.length > 0; steps++) {
    if (steps > 64) return [ANY]
    const one = open.pop()!
    if (one.kind === 'alias') open.push(one.target)
    else if (one.kind === 'union') open.push(...[...one.members].reverse())
    else out.push(one.kind === 'never' ? ANY : one)
  }
  return out.length === 0 ? [ANY] : out
}

/** Surely equal: false says nothing. */
export function same(a: Type, b: Type, depth = 0): boolean {
  if (a === b) return true
  if (a.kind !== b.kind || depth > 4) return false
  switch (a.kind) {
    case 'literal': {
      const { values } = b as typeof a
      return a.values.length === values.length && a.values.every((value, i) => value === values[i])
    }
    case 'list':
      return a.made === (b as typeof a).made && same(a.item, (b as typeof a).item, depth + 1)
    case 'dict': {
      const other = b as typeof a
      return a.made === other.made && same(a.key, other.key, depth + 1) && same(a.value, other.value, depth + 1)
    }
    case 'tuple': {
      const { items } = b as typeof a
      return a.items.length === items.length && a.items.every((item, i) => same(item, items[i]!, depth + 1))
    }
    case 'union': {
      const { members } = b as typeof a
      return a.members.length === members.length && a.members.every((one, i) => same(one, members[i]!, depth + 1))
    }
    case 'record':
    case 'alias':
      return false
    case 'namespace':
      return a.name === (b as typeof a).name
    case 'tool':
      return a.path === (b as typeof a).path
    default:
      return true
  }
}

/**
 * A value once it has a name. What is inside of a dict that the program made can change from then on; for lists see
 * Changes.
 */
export function settled(type: Type): Type {
  switch (type.kind) {
    case 'list':
      return type.made ? { kind: 'list', item: settled(type.item), made: true } : type
    case 'dict':
      return type.made ? DICT : type
    case 'tuple':
      return { kind: 'tuple', items: type.items.map(settled) }
    case 'union':
      return type.members.map(settled).reduce(join)
    default:
      return type
  }
}

/** What arrives for a type of the host: an array is a list, and a number without a fraction an int. */
export function hosted(type: Type): Type {
  const all = alternatives(type)
  if (!all.some((one) => one.kind === 'tuple' || one.kind === 'float')) return type
  return all
    .map((one): Type => {
      if (one.kind === 'tuple') return { kind: 'list', item: one.items.reduce(join, NEVER) }
      return one.kind === 'float' ? NUMBER : one
    })
    .reduce(join)
}

/** A type with literals as the types they are of. */
export function plain(type: Type): Type {
  if (type.kind !== 'literal') return type
  return type.values.map(kindOfLiteral).reduce(join)
}

function kindOfLiteral(value: string | number | boolean): Type {
  if (typeof value === 'string') return STR
  if (typeof value === 'boolean') return BOOL
  return Number.isInteger(value) ? INT : FLOAT
}

const UNKNOWN: readonly Type[] = [ANY]
const SINGLE: Readonly<Partial<Record<string, readonly Type[]>>> = { string: [STR], boolean: [BOOL] }

/** The alternatives with literals as the types they are of. */
export function plainAlternatives(type: Type): readonly Type[] {
  // Most types are one thing: the general way costs twenty times as much.
  if (type.kind === 'any') return UNKNOWN
  if (type.kind === 'literal' && type.values.length === 1) return SINGLE[typeof type.values[0]] ?? [plain(type)]
  if (!['union', 'alias', 'literal', 'never'].includes(type.kind)) return [type]
  return alternatives(type).flatMap((one) => alternatives(plain(one)))
}

/** What is one of the plain alternatives. */
export function plainOf(type: Type): Type {
  return plainAlternatives(type).reduce(join, NEVER)
}

/** The name of the one built-in type that all values of the alternative have, as the table of methods calls it. */
export function builtinName(one: Type): string | undefined {
  switch (one.kind) {
    case 'none':
      return 'NoneType'
    case 'record':
      return 'dict'
    case 'bool':
    case 'int':
    case 'float':
    case 'str':
    case 'list':
    case 'tuple':
    case 'dict':
    case 'set':
    case 'bytes':
      return one.kind
    default:
      return undefined
  }
}

/** How messages name a type: short, in Python's words or those that `word` gives for them. */
export function shown(type: Type, word: (python: string) => string = (python) => python): string {
  const names = alternatives(type).map((one) => shownOne(one, word))
  return [...new Set(names)].join(' or ')
}

function shownOne(one: Type, word: (python: string) => string): string {
  switch (one.kind) {
    case 'none':
      return word('None')
    case 'record':
      return word('dict')
    case 'literal':
      return one.values
        .map((value) => (typeof value === 'boolean' ? word(value ? 'True' : 'False') : JSON.stringify(value)))
        .join(' or ')
    case 'list': {
      const inner = alternatives(one.item)
      return inner.length === 1 && ['int', 'float', 'str', 'bool'].includes(inner[0]!.kind)
        ? `${word('list')} of ${word(inner[0]!.kind)}`
        : word('list')
    }
    case 'namespace':
      return 'server'
    case 'tool':
      return 'function'
    default:
      return word(one.kind)
  }
}

/** Can no value of the type be what is wanted? Ints do as floats, tuples as lists, and a float may be integral. */
export function excludes(type: Type, want: Type): boolean {
  const wants = alternatives(want)
  return alternatives(type).every((one) => wants.every((other) => excludesOne(one, other)))
}

function excludesOne(one: Type, want: Type): boolean {
  if (want.kind === 'any' || one.kind === 'any') return false
  switch (one.kind) {
    case 'none':
      return want.kind !== 'none'
    case 'literal':
      return one.values.every((value) => excludesLiteral(value, want))
    case 'bool':
      return want.kind !== 'bool' && !holds(want, 'boolean')
    case 'int':
    case 'float':
      return want.kind !== 'int' && want.kind !== 'float' && !holds(want, 'number')
    case 'str':
      return want.kind !== 'str' && !holds(want, 'string')
    case 'list':
      return want.kind !== 'list' && want.kind !== 'tuple'
    case 'tuple':
      if (want.kind === 'list') return one.items.some((item) => excludes(item, want.item))
      return want.kind !== 'tuple'
    case 'dict':
    case 'record':
      return want.kind !== 'dict' && want.kind !== 'record'
    case 'namespace':
    case 'tool':
    case 'function':
      return true
    default:
      return false
  }
}

function holds(want: Type, kind: 'string' | 'number' | 'boolean'): boolean {
  return want.kind === 'literal' && want.values.some((value) => typeof value === kind)
}

function excludesLiteral(value: string | number | boolean, want: Type): boolean {
  if (want.kind === 'literal') return !want.values.includes(value)
  return excludesOne(kindOfLiteral(value), want)
}
