// The members of namespaces by name. Namespaces stay the same between programs and so do these tables, which cost more
// than a small program where there are hundreds of functions.
// Invariant: a namespace does not change.

import type { ForeignFunction, ForeignNamespace } from './foreign.js'

const known = new WeakMap<ForeignNamespace, ReadonlyMap<string, ForeignFunction>>()
const names = new WeakMap<ForeignNamespace, readonly string[]>()

/** The functions of a namespace by every name that reaches them. */
export function functionsOf(namespace: ForeignNamespace): ReadonlyMap<string, ForeignFunction> {
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
