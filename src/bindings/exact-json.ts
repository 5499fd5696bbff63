// Structured content as JSON text whose numbers have the intended kind. Parsing makes `120.0` and `120` one number; the
// intended kind comes from, in this order:
//
// 1. the text of the structured content, where the transport kept it;
// 2. a text block that repeats the structured content, as MCP recommends;
// 3. one text block for each element of a list, as some servers send them;
// 4. the output schema: a whole number is a float where it wants `number` and an int where it wants `integer`.
//
// The first three are exact. The last is a guess that agrees with the stub.
// Invariant: the text parses to the value it was made from.

import { isDeepStrictEqual } from 'node:util'
import { type Type, unnamed } from './type.js'
import { valueFits } from './value-fits.js'

interface Wrapping {
  /** The whole structured content. */
  readonly whole: unknown
  /** The value of its only key, if the result is unwrapped. */
  readonly value: unknown
  readonly unwrapped: boolean
}

/** The server's own spelling of the value, if a text block contains it. */
export function spelling({ whole, value, unwrapped }: Wrapping, texts: readonly string[]): string | undefined {
  if (texts.length === 1) {
    const text = texts[0]!
    if (JSON.stringify(value) === text) return text
    const parsed = parseJson(text)
    if (parsed !== undefined && isDeepStrictEqual(parsed.value, value)) return text
    const inner = unwrapped ? /^\s*\{\s*"result"\s*:([\s\S]*)\}\s*$/.exec(text)?.[1] : undefined
    if (parsed !== undefined && inner !== undefined && isDeepStrictEqual(parsed.value, whole)) return inner.trim()
  }
  if (!Array.isArray(value) || value.length !== texts.length || value.length === 0) return undefined
  const elements = value.map((element: unknown, i) => spelledElement(element, texts[i]!))
  return elements.includes(undefined) ? undefined : `[${elements.join(',')}]`
}

function spelledElement(element: unknown, text: string): string | undefined {
  if (typeof element === 'string') return element === text ? JSON.stringify(text) : undefined
  const parsed = parseJson(text)
  return parsed !== undefined && isDeepStrictEqual(parsed.value, element) ? text : undefined
}

export function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

export interface WrittenJson {
  readonly text: string
  /** An integer may have lost its last digits. */
  readonly inexact: boolean
}

/** The text of a value of a type. */
export function writeByType(value: unknown, type: Type): WrittenJson {
  let inexact = false
  const write = (inner: unknown, of: Type, depth: number): string => {
    if (depth > 200) return JSON.stringify(inner) ?? 'null'
    if (typeof inner === 'number') {
      if (!Number.isInteger(inner)) return JSON.stringify(inner)
      if (isFloat(of)) return wholeFloat(inner)
      if (!Number.isSafeInteger(inner)) inexact = true
      return JSON.stringify(inner)
    }
    if (typeof inner !== 'object' || inner === null) return JSON.stringify(inner) ?? 'null'
    const chosen = structureOf(inner, of)
    if (Array.isArray(inner))
      return `[${inner.map((element, i) => write(element, itemType(chosen, i), depth + 1)).join(',')}]`
    const entries = Object.entries(inner)
    return `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${write(one, fieldType(chosen, key), depth + 1)}`).join(',')}}`
  }
  const text = write(value, type, 0)
  return { text, inexact }
}

const ANYTHING: Type = { kind: 'any' }

function wholeFloat(value: number): string {
  const text = JSON.stringify(value)
  return /[.e]/.test(text) ? text : `${text}.0`
}

/** True if a whole number is certainly a float. */
function isFloat(type: Type): boolean {
  if (type.kind === 'alias') return isFloat(type.target)
  if (type.kind !== 'union') return type.kind === 'float'
  return (
    type.members.some((member) => member.kind === 'float') &&
    !type.members.some((member) => ['int', 'literal'].includes(unnamed(member).kind))
  )
}

/** The one member of a type that describes a list or an object. */
function structureOf(value: object, type: Type): Type {
  if (type.kind === 'alias') return structureOf(value, type.target)
  if (type.kind !== 'union') return type
  const kinds = Array.isArray(value) ? ['list', 'tuple'] : ['dict', 'record']
  const members = type.members
    .map((member) => (member.kind === 'alias' ? member.target : member))
    .filter((member) => kinds.includes(member.kind))
  if (members.length === 1) return members[0]!
  return members.find((member) => valueFits(value, member)) ?? ANYTHING
}

function itemType(type: Type, i: number): Type {
  if (type.kind === 'list') return type.item
  return type.kind === 'tuple' ? (type.items[i] ?? ANYTHING) : ANYTHING
}

function fieldType(type: Type, key: string): Type {
  if (type.kind === 'dict') return type.value
  if (type.kind !== 'record') return ANYTHING
  return type.fields.find((field) => field.key === key)?.type ?? type.extra ?? ANYTHING
}
