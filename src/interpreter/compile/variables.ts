// Reading names.

import type { Identifier } from '../syntax/nodes.js'
import type { Generation } from './context.js'
import { quote } from './quote.js'
import { ABSENT } from './types.js'

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
      const kind = binding.kind === 'global' ? 'global' : 'local'
      return `(${binding.js} === undefined ? ${g.helper('unassigned')}${g.mark(id)}(${quote(binding.name)}, "${kind}") : ${binding.js})`
    }
  }
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
      return g.universe.modules.has(name) ? g.module(name) : g.builtin(name)
  }
}
