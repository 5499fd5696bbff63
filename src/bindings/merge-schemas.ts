// Merges two schemas: branches of `allOf`, or a reference and its siblings.
// Invariant: the merged schema allows what both allow.

import { isObject, own, type SchemaObject, strings, typesOf } from './schema-object.js'
import { REFERENCES } from './schema-references.js'

/** Keywords without constraints. */
export const REMARKS = 'title description default examples example $comment deprecated readOnly writeOnly'.split(' ')
const DOCUMENT_WORDS = '$schema $id id $anchor $dynamicAnchor $recursiveAnchor $defs definitions $vocabulary'.split(' ')

/** True if a keyword beside the reference affects the type. */
export function hasCompany(schema: SchemaObject): boolean {
  const idle = [...REFERENCES, ...REMARKS, ...DOCUMENT_WORDS]
  return Object.keys(schema).some((key) => !idle.includes(key) && !key.startsWith('x-'))
}

/** One schema for values that satisfy both. Descriptions of `b` override those of `a`. */
export function merge(a: unknown, b: unknown): unknown {
  if (a === false || b === false) return false
  if (!isObject(a)) return isObject(b) ? b : true
  if (!isObject(b)) return a
  const merged: Record<string, unknown> = { ...a, ...b }
  const both = (word: string): boolean => own(a, word) && own(b, word)
  if (isObject(a.properties) && isObject(b.properties)) {
    const properties = new Map(Object.entries(a.properties))
    for (const [key, schema] of Object.entries(b.properties))
      properties.set(key, properties.has(key) ? { allOf: [properties.get(key), schema] } : schema)
    merged.properties = Object.fromEntries(properties)
  }
  if (both('required')) merged.required = [...new Set([...strings(a.required), ...strings(b.required)])]
  if (both('type')) {
    const types = commonTypes(a.type, b.type)
    if (types.length === 0) return false
    merged.type = types.length === 1 ? types[0] : types
  }
  if (Array.isArray(a.enum) && Array.isArray(b.enum)) {
    const texts = new Set(a.enum.map((value) => JSON.stringify(value)))
    merged.enum = b.enum.filter((value) => texts.has(JSON.stringify(value)))
  }
  if (isObject(a.items) && isObject(b.items)) merged.items = { allOf: [a.items, b.items] }
  if (a.additionalProperties === false) merged.additionalProperties = false
  for (const word of ['anyOf', 'oneOf'])
    if (Array.isArray(a[word]) && Array.isArray(b[word])) {
      const others = { [word]: b[word] }
      merged[word] = a[word].map((branch) => ({ allOf: [others, branch] }))
    }
  return merged
}

/**
 * `target` with the descriptive keywords of `beside`: the meaning of a reference with siblings before draft 2019-09.
 */
export function withWords(target: unknown, beside: unknown): unknown {
  if (!isObject(target) || !isObject(beside)) return target
  return { ...target, ...Object.fromEntries(Object.entries(beside).filter(([key]) => REMARKS.includes(key))) }
}

function commonTypes(a: unknown, b: unknown): unknown[] {
  const left = typesOf(a)
  const right = typesOf(b)
  const common = left.flatMap((type) => {
    if (right.includes(type)) return [type]
    if (type === 'number' && right.includes('integer')) return ['integer']
    return type === 'integer' && right.includes('number') ? ['integer'] : []
  })
  return [...new Set(common)]
}
