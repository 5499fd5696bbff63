// Reading names.

import { ABSENT } from '../infer/kinds.js'
import { quote } from '../quote.js'
import { type Binding, frameOf } from '../resolve/index.js'
import type { Identifier } from '../syntax/nodes.js'
import type { Generation } from './context.js'

/** The value of a name; a variable that may not have been assigned yet is tested. */
export function readVariable(g: Generation, id: Identifier): string {
  const binding = g.bindingOf(id)!
  switch (binding.kind) {
    case 'universal':
      return readUniversal(g, binding.name)
    case 'predeclared':
      return g.constant(`$.predeclared(${quote(binding.name)})`)
    default: {
      if ((g.typeOf(id).kinds & ABSENT) === 0) return binding.js
      if (binding.shadowed !== undefined && binding.shadowed.kind === 'universal') {
        return `(${binding.js} === undefined ? ${readUniversal(g, binding.name)} : ${binding.js})`
      }
      const kind = binding.kind === 'global' ? 'global' : standsInside(g, id, binding) ? 'free' : 'local'
      return `(${binding.js} === undefined ? ${g.helper('unassigned')}${g.mark(id)}(${quote(binding.name)}, "${kind}") : ${binding.js})`
    }
  }
}

/** Does a name stand in a function inside the one that owns its variable? */
function standsInside(g: Generation, id: Identifier, binding: Binding): boolean {
  if (!binding.captured || binding.scope === undefined) return false
  const owner = frameOf(binding.scope).node
  for (const { kind, node } of g.facts.resolution.scopeOf.values()) {
    if (kind === 'function' && node.start > owner.start && node.start <= id.start && id.end <= node.end) return true
  }
  return false
}

export function readUniversal(g: Generation, name: string): string {
  switch (name) {
    case 'True':
      return 'true'
    case 'False':
      return 'false'
    case 'None':
      return 'null'
    default:
      return g.facts.universe.modules.has(name) ? g.module(name) : g.builtin(name)
  }
}
