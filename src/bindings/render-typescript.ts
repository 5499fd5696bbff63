// Renders types in TypeScript's notation. Records have the same names as in Python's.
// Invariant: the text parses as TypeScript and means the same type, `any` where the type is unknown.

import { commentText } from './quoting.js'
import { type NamedType, resolveAlias } from './render-python.js'
import type { Field, Type } from './type.js'

export type NameOf = (type: NamedType) => string

const MOST_PARTS = 5_000

/** A type as an expression. */
export function renderScriptType(type: Type, nameOf: NameOf, parts = { left: MOST_PARTS }): string {
  if (--parts.left < 0) return 'any'
  const inner = (part: Type): string => renderScriptType(part, nameOf, parts)
  switch (type.kind) {
    case 'any':
    case 'never':
      return type.kind
    case 'none':
      return 'null'
    case 'bool':
      return 'boolean'
    case 'int':
    case 'float':
      return 'number'
    case 'str':
      return 'string'
    case 'literal':
      return type.values.map(scriptLiteral).join(' | ')
    case 'list': {
      const item = inner(type.item)
      return / \| /.test(item) ? `(${item})[]` : `${item}[]`
    }
    case 'tuple':
      return `[${type.items.map(inner).join(', ')}]`
    case 'dict':
      return `{ [key: string]: ${inner(type.value)} }`
    case 'record':
      return nameOf(type)
    case 'alias': {
      const named = resolveAlias(type)
      return named.kind === 'record' || named.kind === 'alias' ? nameOf(named) : inner(named)
    }
    case 'union': {
      const parts = [...new Set(type.members.map(inner))]
      return parts.includes('any') ? 'any' : parts.join(' | ')
    }
  }
}

/** The block that declares a record or an alias. */
export function renderInterface(
  type: NamedType,
  nameOf: NameOf,
  wordsFor: (field: Field) => string = ({ remark }) => scriptComment(remark ?? ''),
): string {
  const name = nameOf(type)
  if (type.kind === 'alias') return `type ${name} = ${renderScriptType(type.target, nameOf)}`
  const extra = type.extra === undefined ? [] : [`  // any other key: ${renderScriptType(type.extra, nameOf)}`]
  const lines = [...type.fields.map((field) => `  ${fieldText(field, nameOf, wordsFor(field))}`), ...extra]
  return lines.length === 0 ? `interface ${name} {}` : `interface ${name} {\n${lines.join('\n')}\n}`
}

function fieldText(field: Field, nameOf: NameOf, words: string): string {
  const remark = words === '' ? '' : `  // ${words}`
  return `${scriptKey(field.key)}${field.required ? '' : '?'}: ${renderScriptType(field.type, nameOf)}${remark}`
}

/** A key of an object type. */
export function scriptKey(key: string): string {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(key) ? key : scriptString(key)
}

/** One line for the inside of a comment: also no directive to a type checker. */
export function scriptComment(text: string): string {
  return commentText(text)
    .replace(/@ts-/gi, '@ ts-')
    .replace(/#\s*source(?=MappingURL)/gi, 'source ')
}

function scriptLiteral(value: string | number | boolean): string {
  return typeof value === 'string'
    ? scriptString(value)
    : Number.isFinite(value) || typeof value === 'boolean'
      ? `${value}`
      : 'number'
}

/** A JavaScript string literal for any text, in printable characters of ASCII and plain letters. */
export function scriptString(text: string): string {
  return JSON.stringify(text).replace(/[^\x20-\x7e\p{L}\p{N}]/gu, (char) => {
    const code = char.codePointAt(0)!
    return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`
  })
}

/** A JSON value as an expression. */
export function scriptValue(value: unknown): string {
  if (typeof value === 'string') return scriptString(value)
  if (Array.isArray(value)) return `[${value.map(scriptValue).join(', ')}]`
  if (typeof value !== 'object' || value === null) return `${value ?? null}`
  const entries = Object.entries(value).map(([key, inner]) => `${scriptKey(key)}: ${scriptValue(inner)}`)
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`
}
