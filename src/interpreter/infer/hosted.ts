// Converts the types in the host's signatures to types of values. Their graphs may have cycles through records and
// aliases, so the contents of a list or dict are converted on demand.

import type { ForeignRecord, ForeignType } from '../foreign.js'
import { DICT, LIST, NONE, TUPLE } from './kinds.js'
import {
  ANY,
  ANY_INT,
  about,
  alternatives,
  BOOLEAN,
  FLOATING,
  isBare,
  isUnknown,
  join,
  literals,
  NOTHING,
  NUMBER,
  of,
  STRING,
  same,
  type Type,
} from './types.js'

/**
 * The type of the values that arrive for a type of the host. An array arrives as a list, and a number without a
 * fraction as an int.
 */
export function hosted(type: ForeignType): Type {
  return oneOf(flattened(type).map((one) => (one.kind === 'float' ? NUMBER : typeOf(one))))
}

/** The type of the values that the host accepts for one of its types. */
export function wanted(type: ForeignType): Type {
  return oneOf(flattened(type).map((one) => (one.kind === 'tuple' ? of(TUPLE) : typeOf(one))))
}

/** The type of the elements of a list of the host. */
export function hostedItem(type: ForeignType): Type {
  if (type.kind === 'tuple') return type.items.map(hosted).reduce(join, NOTHING)
  return type.kind === 'list' ? hosted(type.item) : ANY
}

/** The host's record that the check assumes for a value. */
export function recordOf(one: Type): ForeignRecord | undefined {
  return one.about?.kind === 'host' && one.about.type.kind === 'record' ? one.about.type : undefined
}

/** True if the host declares a field of this name. */
export function hasField(one: Type, name: string): boolean {
  return recordOf(one)?.fields.some((field) => field.key === name) ?? false
}

type Single = Exclude<ForeignType, { kind: 'alias' | 'union' }>

const MOST_STEPS = 64

/** The alternatives of a type, without unions and aliases. `any` if they do not end. */
function flattened(type: ForeignType): readonly Single[] {
  const out: Single[] = []
  const open = [type]
  for (let steps = 0; open.length > 0; steps++) {
    if (steps > MOST_STEPS) return [{ kind: 'any' }]
    const one = open.pop()!
    if (one.kind === 'alias') open.push(one.target)
    else if (one.kind === 'union') open.push(...one.members.toReversed())
    else out.push(one)
  }
  return out
}

/** A union in the order of the host, for messages. */
function oneOf(all: readonly Type[]): Type {
  const joined = all.reduce(join, NOTHING)
  const types = all.flatMap(alternatives).filter((one, i, list) => list.findIndex((other) => same(one, other)) === i)
  if (isUnknown(joined)) return ANY
  if (types.every((one, i) => isBare(one) && (i === 0 || one.kinds > types[i - 1]!.kinds))) return joined
  const { kinds, lo, hi } = joined
  return types.length === 1 ? types[0]! : { kinds, lo, hi, about: { kind: 'one-of', types } }
}

function typeOf(one: Single): Type {
  switch (one.kind) {
    case 'any':
    case 'never':
      return ANY
    case 'none':
      return of(NONE)
    case 'bool':
      return BOOLEAN
    case 'int':
      return ANY_INT
    case 'float':
      return FLOATING
    case 'str':
      return STRING
    case 'literal':
      return literals(one.values)
    case 'list':
    case 'tuple':
      return about(LIST, { kind: 'host', type: one })
    case 'dict':
    case 'record':
      return about(DICT, { kind: 'host', type: one })
  }
}
