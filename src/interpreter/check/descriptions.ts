// The names of types in messages.

import { hostedItem, wanted } from '../infer/hosted.js'
import * as Kind from '../infer/kinds.js'
import { alternatives, isBare, listedItem, type Type, takenOf, unvalued } from '../infer/types.js'
import { kindsOf } from './kinds.js'

type Word = (python: string) => string

const names: Readonly<Record<number, string>> = {
  [Kind.NONE]: 'None',
  [Kind.BOOL]: 'bool',
  [Kind.INT]: 'int',
  [Kind.FLOAT]: 'float',
  [Kind.STR]: 'str',
  [Kind.LIST]: 'list',
  [Kind.TUPLE]: 'tuple',
  [Kind.DICT]: 'dict',
  [Kind.SET]: 'set',
  [Kind.BYTES]: 'bytes',
  [Kind.RANGE]: 'range',
  [Kind.FUNCTION]: 'function',
}

/** The built-in types that have methods. */
const METHODS = Kind.SCALARS | Kind.STR | Kind.LIST | Kind.TUPLE | Kind.DICT | Kind.SET | Kind.BYTES

/** The built-in type that all values of `one` have, by its name in the table of methods. */
export function builtinName(one: Type): string | undefined {
  const kind = kindsOf(one)
  if (kind === Kind.NONE) return 'NoneType'
  return (kind & METHODS) === 0 ? undefined : names[kind]
}

/** The short name of a type, in Python's words or in those that `word` gives. */
export function shown(type: Type, word: Word = (python) => python): string {
  const all = alternatives(takenOf(type)).map((one) => shownOne(one, word))
  return [...new Set(all)].join(' or ')
}

/** The short name of a type without its known literals. */
export function shownKinds(type: Type): string {
  const all = alternatives(takenOf(type)).map((one) => shownOne(unvalued(one), (python) => python))
  return [...new Set(all)].join(' or ')
}

function shownOne(one: Type, word: Word): string {
  if (one.about?.kind === 'values')
    return one.about.values
      .map((value) => (typeof value === 'boolean' ? word(value ? 'True' : 'False') : JSON.stringify(value)))
      .join(' or ')
  const kind = kindsOf(one)
  if (kind === Kind.NAMESPACE) return 'server'
  if (kind === Kind.TOOL) return 'function'
  const name = word(names[kind] ?? 'any')
  const item = kind === Kind.LIST ? alternatives(takenOf(itemOf(one))) : []
  const isPlain = item.length === 1 && isBare(item[0]!) && (item[0]!.kinds & PLAIN) !== 0
  return isPlain && item[0]!.kinds in names ? `${name} of ${word(names[item[0]!.kinds]!)}` : name
}

const PLAIN = Kind.INT | Kind.FLOAT | Kind.STR | Kind.BOOL

function itemOf(list: Type): Type {
  if (list.about?.kind !== 'host') return listedItem(list)
  const { type } = list.about
  return type.kind === 'list' ? wanted(type.item) : hostedItem(type)
}
