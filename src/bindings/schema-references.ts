// References within one JSON Schema document: what a reference is, and the place that it names. Knows the keywords that refer and those that are
// referred to; knows no types. Invariant: nothing outside of the document is ever opened.

import { isObject, own, type SchemaObject } from './schema-object.js'
import type { JsonSchema } from './tool.js'

export const REFERENCES = ['$ref', '$recursiveRef', '$dynamicRef']
/** How deep anchors are looked for. */
const DEEPEST_ANCHOR = 40

export function referenceOf(schema: SchemaObject): string | undefined {
  for (const word of REFERENCES) if (typeof schema[word] === 'string') return schema[word]
  return undefined
}

/** A place in a document: the root, a JSON pointer, or an anchor. Nothing else is ever opened. */
export function resolveReference(root: JsonSchema, reference: string): unknown {
  if (!isObject(root)) return reference === '#' ? root : undefined
  const id = root.$id
  const local = typeof id === 'string' && id !== '' && reference.startsWith(id) ? reference.slice(id.length) : reference
  if (local === '' || local === '#') return root
  if (!local.startsWith('#')) return undefined
  if (!local.startsWith('#/')) return findAnchor(root, local.slice(1))
  let place: unknown = root
  for (const step of local.slice(2).split('/')) {
    const key = decodeURIComponentSafely(step).replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(place)) place = place[Number(key)]
    else if (isObject(place) && own(place, key)) place = place[key]
    else return undefined
  }
  return place
}

/** What the place that a reference names is called. */
export function lastStep(reference: string): string {
  return decodeURIComponentSafely(reference.split('/').at(-1) ?? '')
}

function findAnchor(schema: unknown, name: string, depth = 0): unknown {
  if (typeof schema !== 'object' || schema === null || depth > DEEPEST_ANCHOR) return undefined
  if (isObject(schema) && (schema.$anchor === name || schema.$dynamicAnchor === name || schema.$id === `#${name}`))
    return schema
  for (const inner of Object.values(schema)) {
    const found = findAnchor(inner, name, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
