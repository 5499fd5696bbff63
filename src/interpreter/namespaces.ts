// The members of namespaces by name. The tables are cached: with hundreds of functions they cost more than a small
// program. Invariant: a namespace does not change.

import type { ForeignFunction, ForeignNamespace } from './foreign.js'

const known = new WeakMap<ForeignNamespace, ReadonlyMap<string, ForeignFunction>>()
const names = new WeakMap<ForeignNamespace, readonly string[]>()

/** The functions of a namespace by every name that reaches them. */
function functionsOf(namespace: ForeignNamespace): ReadonlyMap<string, ForeignFunction> {
  let functions = known.get(namespace)
  if (functions === undefined) {
    functions = new Map(namespace.members.flatMap((fn) => [fn.name, ...(fn.aliases ?? [])].map((name) => [name, fn])))
    known.set(namespace, functions)
  }
  return functions
}

/** Functions by namespace and by every name that reaches them. */
export type Foreign = ReadonlyMap<string, ReadonlyMap<string, ForeignFunction>>

export function foreignOf(namespaces: readonly ForeignNamespace[]): Foreign {
  return new Map(namespaces.map((namespace) => [namespace.name, functionsOf(namespace)]))
}

/** All names that reach a function of a namespace. */
export function namesOf(namespace: ForeignNamespace): readonly string[] {
  let all = names.get(namespace)
  if (all === undefined) {
    all = [...functionsOf(namespace).keys()]
    names.set(namespace, all)
  }
  return all
}

/**
 * The guest name for a text that may be the original name of a server or tool: `my-server` is `my_server`. Undefined if
 * nothing has that name, or more than one thing has it.
 */
export function guestNameOf(text: string | undefined, all: ReadonlyMap<string, unknown>): string | undefined {
  if (text === undefined || all.has(text)) return text
  const like = [...all.keys()].filter((name) => folded(name) === folded(text))
  return like.length === 1 ? like[0] : undefined
}

function folded(name: string): string {
  return name.toLowerCase().replace(/[-. ]/g, '_')
}
