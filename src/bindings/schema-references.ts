// Resolves references within one JSON Schema document.
// Invariant: nothing outside the document is opened.

import { isObject, own, type SchemaObject } from './schema-object.js'
import type { JsonSchema } from './tool.js'

export const REFERENCES = ['$ref', '$recursiveRef', '$dynamicRef']
/** The maximum depth of the search for anchors. */
const DEEPEST_ANCHOR = 40
const LONGEST_REFERENCE = 1_000

export function referenceOf(schema: SchemaObject): string | undefined {
  for (const word of REFERENCES) if (typeof schema[word] === 'string') return schema[word]
  return undefined
}

/** A place in a document: the root, a JSON pointer, or an anchor. Other references are not resolved. */
export function resolveReference(root: JsonSchema, reference: string): unknown {
  if (reference.length > LONGEST_REFERENCE) return undefined
  if (!isObject(root)) return reference === '#' ? root : undefined
  const id = root.$id
  const local = typeof id === 'string' && id !== '' && reference.startsWith(id) ? reference.slice(id.length) : reference
  if (local === '' || local === '#') return root
  if (!local.startsWith('#')) return undefined
  if (!local.startsWith('#/')) return anchorsOf(root).get(local.slice(1))
  let place: unknown = root
  for (const step of local.slice(2).split('/')) {
    const key = decodeURIComponentSafely(step).replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(place)) place = place[Number(key)]
    else if (isObject(place) && own(place, key)) place = place[key]
    else return undefined
  }
  return place
}

/** The name of a reference's target. */
export function lastStep(reference: string): string {
  return decodeURIComponentSafely(reference.split('/').at(-1) ?? '')
}

const anchors = new WeakMap<SchemaObject, ReadonlyMap<string, unknown>>()

/** Every anchor of a document. The first of a name counts. */
function anchorsOf(root: SchemaObject): ReadonlyMap<string, unknown> {
  let known = anchors.get(root)
  if (known === undefined) {
    const found = new Map<string, unknown>()
    findAnchors(root, found, 0)
    anchors.set(root, found)
    known = found
  }
  return known
}

function findAnchors(schema: unknown, found: Map<string, unknown>, depth: number): void {
  if (typeof schema !== 'object' || schema === null || depth > DEEPEST_ANCHOR) return
  if (isObject(schema)) {
    const id = typeof schema.$id === 'string' && schema.$id.startsWith('#') ? schema.$id.slice(1) : undefined
    for (const name of [schema.$anchor, schema.$dynamicAnchor, id])
      if (typeof name === 'string' && !found.has(name)) found.set(name, schema)
  }
  for (const inner of Object.values(schema)) findAnchors(inner, found, depth + 1)
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
