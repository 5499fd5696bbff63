// The words of a tool's schemas that a model reads in its stub: names of parameters and fields, and their literal
// values. Bounded for any schema.

import type { Tool } from './tool.js'

const MOST_WORDS = 5_000
const DEEPEST = 40

const known = new WeakMap<Tool, ReadonlySet<string>>()

/** Read once per tool object. */
export function schemaWords(tool: Tool): ReadonlySet<string> {
  let words = known.get(tool)
  if (words === undefined) {
    const found = new Set<string>()
    gather(tool.inputSchema, found, 0)
    gather(tool.outputSchema, found, 0)
    words = found
    known.set(tool, words)
  }
  return words
}

function gather(schema: unknown, into: Set<string>, depth: number): void {
  if (typeof schema !== 'object' || schema === null || depth > DEEPEST || into.size > MOST_WORDS) return
  for (const [word, inner] of Object.entries(schema)) {
    if (word === 'properties' && typeof inner === 'object' && inner !== null)
      for (const name of Object.keys(inner)) into.add(name)
    if (word === 'enum' || word === 'const' || word === 'required')
      for (const one of [inner].flat()) if (typeof one === 'string') into.add(one)
    gather(inner, into, depth + 1)
  }
}
