// Generated code that reads names.

import { ABSENT } from '../infer/kinds.js'
import { type Binding, frameOf } from '../resolve/index.js'
import type { Identifier } from '../syntax/nodes.js'
import type { Code } from './code.js'
import * as js from './code.js'
import type { Generation } from './context.js'

/** The value of a name. A variable that may not have been assigned yet is tested first. */
export function readVariable(g: Generation, id: Identifier): Code {
  const binding = g.bindingOf(id)!
  switch (binding.kind) {
    case 'universal':
      return readUniversal(g, binding.name)
    case 'predeclared':
      return g.names.made('predeclared', js.literal(binding.name))
    default: {
      const variable = g.names.variable(binding)
      if ((g.typeOf(id).kinds & ABSENT) === 0) return variable
      return js.choice(js.same(variable, js.UNDEFINED), unassigned(g, id, binding), variable)
    }
  }
}

/** The placeholder of an unassigned variable. */
function unassigned(g: Generation, id: Identifier, binding: Binding): Code {
  if (binding.shadowed?.kind === 'universal') return readUniversal(g, binding.name)
  const kind = binding.kind === 'global' ? 'global' : standsInside(g, id, binding) ? 'free' : 'local'
  return g.help('unassigned', [js.literal(binding.name), js.literal(kind)], id)
}

/** True if a name is used in a function inside the one that owns its variable. */
function standsInside(g: Generation, id: Identifier, binding: Binding): boolean {
  if (!binding.captured || binding.scope === undefined) return false
  const owner = frameOf(binding.scope).node
  for (const { kind, node } of g.facts.resolution.scopeOf.values()) {
    if (kind === 'function' && node.start > owner.start && node.start <= id.start && id.end <= node.end) return true
  }
  return false
}

function readUniversal(g: Generation, name: string): Code {
  switch (name) {
    case 'True':
      return js.TRUE
    case 'False':
      return js.FALSE
    case 'None':
      return js.NULL
    default:
      return g.facts.universe.modules.has(name) ? g.names.module(name) : g.names.builtin(name)
  }
}
