// Decides whether a value can have the type that the host requires.
// Invariant: an unknown type excludes nothing.

import { wanted } from '../infer/hosted.js'
import * as Kind from '../infer/kinds.js'
import { alternatives, isUnknown, kindOfLiteral, type Literal, of, type Type, takenOf } from '../infer/types.js'
import { kindsOf } from './kinds.js'

/**
 * True if no value of the type fits the required type. Ints fit floats, tuples fit lists, and a float may be integral.
 */
export function excludes(type: Type, want: Type): boolean {
  const wants = alternatives(want)
  return alternatives(takenOf(type)).every((one) => wants.every((other) => excludesOne(one, other)))
}

function excludesOne(one: Type, want: Type): boolean {
  if (isUnknown(one) || isUnknown(want)) return false
  if (one.about?.kind === 'values') return one.about.values.every((value) => excludesLiteral(value, want))
  const does = DOES[kindsOf(one)]
  if (does === undefined || (want.kinds & does) === 0) return does !== undefined
  return one.kinds === Kind.TUPLE && want.kinds === Kind.LIST && holdsExcluded(one, want)
}

/** For each known kind, the kinds that fit it. Kinds without an entry exclude nothing. */
const DOES: Readonly<Record<number, number>> = {
  [Kind.NONE]: Kind.NONE,
  [Kind.BOOL]: Kind.BOOL,
  [Kind.INT]: Kind.INT | Kind.FLOAT,
  [Kind.FLOAT]: Kind.INT | Kind.FLOAT,
  [Kind.STR]: Kind.STR,
  [Kind.LIST]: Kind.LIST | Kind.TUPLE,
  [Kind.TUPLE]: Kind.LIST | Kind.TUPLE,
  [Kind.DICT]: Kind.DICT,
  [Kind.NAMESPACE]: 0,
  [Kind.TOOL]: 0,
  [Kind.FUNCTION]: 0,
}

function holdsExcluded(tuple: Type, want: Type): boolean {
  const list = want.about?.kind === 'host' ? want.about.type : undefined
  if (list?.kind !== 'list') return false
  const item = wanted(list.item)
  return tuple.parts?.some((part) => excludes(part, item)) ?? false
}

function excludesLiteral(value: Literal, want: Type): boolean {
  if (want.about?.kind === 'values') return !want.about.values.includes(value)
  return excludesOne(of(kindOfLiteral(value)), want)
}
