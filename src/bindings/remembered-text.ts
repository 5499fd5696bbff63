// Arguments that are data with its text: an answer in JSON text that the program passes on. The guest sends both. A
// parameter that takes text but no data gets the text, every other one the data.
// Invariant: the result holds no such pair.

import { ExactInteger } from './exact-integers.js'
import { isObject } from './schema-object.js'
import { type Type, unnamed } from './type.js'

/** The only keys of such a pair. No program uses them by accident. */
const DATA = '\u0000data'
const TEXT = '\u0000text'

interface Pair {
  readonly data: unknown
  readonly text: string
}

function pairOf(value: unknown): Pair | undefined {
  if (!isObject(value) || typeof value[TEXT] !== 'string' || !Object.hasOwn(value, DATA)) return undefined
  return { data: value[DATA], text: value[TEXT] }
}

/** The data of a pair; every other value unchanged. */
export function dataOf(value: unknown): unknown {
  return pairOf(value)?.data ?? value
}

/** The value in the form that a parameter of the type takes. */
export function settleTexts(value: unknown, type: Type): unknown {
  if (typeof value !== 'object' || value === null || value instanceof ExactInteger) return value
  const pair = pairOf(value)
  if (pair !== undefined) return wantsText(type) ? pair.text : settleTexts(pair.data, type)
  if (Array.isArray(value)) return value.map((element) => settleTexts(element, itemOf(type)))
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, settleTexts(inner, fieldOf(type, key))]))
}

const ANYTHING: Type = { kind: 'any' }

/** True if the type allows text and no JSON data. */
export function wantsText(type: Type): boolean {
  if (type.kind === 'union') {
    const members = type.members.filter((member) => member.kind !== 'none')
    return members.some(wantsText) && !members.some(takesData)
  }
  const plain = unnamed(type)
  return plain.kind === 'str' || (plain.kind === 'literal' && plain.values.some((value) => typeof value === 'string'))
}

function takesData(type: Type): boolean {
  return ['any', 'list', 'tuple', 'dict', 'record', 'alias', 'union'].includes(unnamed(type).kind)
}

export function itemOf(type: Type): Type {
  if (type.kind === 'list') return type.item
  if (type.kind === 'union') return type.members.find((member) => member.kind === 'list')?.item ?? ANYTHING
  return ANYTHING
}

export function fieldOf(type: Type, key: string): Type {
  if (type.kind === 'dict') return type.value
  if (type.kind === 'union')
    return fieldOf(type.members.find((one) => one.kind === 'record' || one.kind === 'dict') ?? ANYTHING, key)
  if (type.kind !== 'record') return ANYTHING
  return type.fields.find((field) => field.key === key)?.type ?? type.extra ?? ANYTHING
}
