// Which expressions of a program are servers and tools. A server is its name, or a variable that is declared as that and never written again; a tool is
// a member of a server, or such a variable. Knows names only.
// Invariant: what is called a tool here is that tool in every run.

import type { ForeignFunction, ForeignNamespace } from '../foreign.js'
import type { Binding, Scopes } from './scopes.js'
import { keyName, memberName, type Node, type Tree } from './tree.js'

export interface NamedTool {
  readonly namespace: ForeignNamespace
  readonly fn: ForeignFunction
}

export class Tools {
  /** The namespaces that the program names, by the names it gives them. */
  readonly named = new Map<string, ForeignNamespace>()
  readonly #scopes: Scopes
  readonly #mentions = new Map<Node, ForeignNamespace>()
  readonly #destructured = new Map<Binding, NamedTool>()

  constructor(tree: Tree, scopes: Scopes, foreign: readonly ForeignNamespace[]) {
    this.#scopes = scopes
    for (const { id } of scopes.free) {
      const namespace = findByName(foreign, id.name)
      if (namespace === undefined) continue
      this.#mentions.set(id, namespace)
      this.named.set(id.name, namespace)
    }
    if (this.named.size > 0) for (const node of tree.nodes) this.#takeApart(node)
  }

  namespaceOf(node: Node): ForeignNamespace | undefined {
    if (node.type !== 'Identifier') return undefined
    const mentioned = this.#mentions.get(node)
    if (mentioned !== undefined) return mentioned
    const value = this.fixedValue(node)
    return value?.type === 'Identifier' && value !== node ? this.namespaceOf(value) : undefined
  }

  toolOf(node: Node): NamedTool | undefined {
    if (node.type === 'MemberExpression') {
      const namespace = this.namespaceOf(node.object)
      const name = memberName(node)
      const fn = namespace === undefined || name === undefined ? undefined : findByName(namespace.members, name)
      return fn === undefined ? undefined : { namespace: namespace!, fn }
    }
    if (node.type !== 'Identifier') return undefined
    const binding = this.#scopes.bindingOf.get(node)
    const destructured = binding === undefined ? undefined : this.#destructured.get(binding)
    if (destructured !== undefined) return destructured
    const value = this.fixedValue(node)
    return value === undefined || value === node ? undefined : this.toolOf(value)
  }

  /** What a variable is declared with, if it is never anything else. */
  fixedValue(node: Node): Node | undefined {
    const binding = this.#scopes.bindingOf.get(node)
    return binding?.writes.length === 0 ? binding.value : undefined
  }

  /** `const { list_issues, get: other } = github`. */
  #takeApart(node: Node): void {
    if (node.type !== 'VariableDeclarator' || node.id.type !== 'ObjectPattern' || !node.init) return
    const namespace = this.namespaceOf(node.init)
    if (namespace === undefined) return
    for (const p of node.id.properties) {
      if (p.type !== 'Property' || p.value.type !== 'Identifier') continue
      const name = keyName(p)
      const fn = name === undefined ? undefined : findByName(namespace.members, name)
      const binding = this.#scopes.bindingOf.get(p.value)
      if (fn !== undefined && binding?.writes.length === 0) this.#destructured.set(binding, { namespace, fn })
    }
  }
}

/** By its name, else by the same name in the other style: `listIssues` is `list_issues`, where that is only one. */
export function findByName<T extends { readonly name: string; readonly aliases?: readonly string[] }>(
  all: readonly T[],
  name: string,
): T | undefined {
  const exact = all.find((one) => one.name === name || one.aliases?.includes(name))
  if (exact !== undefined) return exact
  const folded = fold(name)
  const like = all.filter((one) => fold(one.name) === folded)
  return like.length === 1 ? like[0] : undefined
}

function fold(name: string): string {
  return name.replaceAll('_', '').toLowerCase()
}
