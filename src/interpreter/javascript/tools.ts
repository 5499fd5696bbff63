// Finds the expressions that mean servers and tools. A server is its name, or a variable that is initialised with it
// and never written again. A tool is a member of a server, or such a variable. Knows names only. Invariant: an
// expression that means a tool here means it in every run.

import type { Identifier } from 'acorn'
import type { ForeignFunction, ForeignNamespace } from '../foreign.js'
import type { Binding, Scopes } from './scopes.js'
import { keyName, memberName, type Node, type Tree } from './tree.js'

export interface NamedTool {
  readonly namespace: ForeignNamespace
  readonly fn: ForeignFunction
}

export class Tools {
  /** The namespaces that the program names, by the names that it uses. */
  readonly named = new Map<string, ForeignNamespace>()
  readonly #scopes: Scopes
  readonly #mentions = new Map<Node, ForeignNamespace>()
  readonly #origins = new Map<Node, Node>()
  readonly #destructured = new Map<Binding, NamedTool>()

  /** `globals`: names that belong to the language even if a server has one of them. */
  constructor(tree: Tree, scopes: Scopes, foreign: readonly ForeignNamespace[], globals: ReadonlySet<string>) {
    this.#scopes = scopes
    for (const { id } of scopes.free) {
      const namespace = globals.has(id.name) || id.name === 'eval' ? undefined : findByName(foreign, id.name)
      if (namespace === undefined) continue
      this.#mentions.set(id, namespace)
      this.named.set(id.name, namespace)
    }
    if (this.named.size > 0) for (const node of tree.nodes) this.#takeApart(node)
  }

  namespaceOf(node: Node): ForeignNamespace | undefined {
    const named = this.#origin(node)
    return named.type === 'Identifier' ? this.#mentions.get(named as Identifier) : undefined
  }

  toolOf(node: Node): NamedTool | undefined {
    const named = this.#origin(node)
    if (named.type === 'MemberExpression') {
      const namespace = this.namespaceOf(named.object)
      const name = memberName(named)
      const fn = namespace === undefined || name === undefined ? undefined : findByName(namespace.members, name)
      return fn === undefined ? undefined : { namespace: namespace!, fn }
    }
    const binding = this.#scopes.bindingOf.get(named)
    return binding === undefined ? undefined : this.#destructured.get(binding)
  }

  /** The initializer of a variable that is never assigned again. */
  fixedValue(node: Node): Node | undefined {
    const binding = this.#scopes.bindingOf.get(node)
    return binding?.writes.length === 0 ? binding.value : undefined
  }

  /** The expression that an identifier means, through all aliases. */
  #origin(node: Node): Node {
    const passed = new Set<Node>()
    let at = node
    for (let known = this.#origins.get(at); at.type === 'Identifier'; known = this.#origins.get(at)) {
      const value = known ?? this.fixedValue(at)
      if (value === undefined || passed.has(value)) break
      passed.add(at)
      at = value
    }
    for (const one of passed) this.#origins.set(one, at)
    return at
  }

  /** Handles `const { list_issues, get: other } = github`. */
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

interface Named {
  readonly name: string
  readonly aliases?: readonly string[]
}

const indexes = new WeakMap<readonly Named[], ReadonlyMap<string, Named | undefined>>()

/** Finds by name, or else by the name in the other style if only one matches: `listIssues` finds `list_issues`. */
export function findByName<T extends Named>(all: readonly T[], name: string): T | undefined {
  const index = indexes.get(all) ?? indexOf(all)
  return (index.get(name) ?? index.get(`~${fold(name)}`)) as T | undefined
}

/** An index by exact name, and by folded name after a character that no name contains. */
function indexOf(all: readonly Named[]): ReadonlyMap<string, Named | undefined> {
  const index = new Map<string, Named | undefined>()
  for (const one of all) {
    for (const name of [one.name, ...(one.aliases ?? [])]) if (!index.has(name)) index.set(name, one)
    const folded = `~${fold(one.name)}`
    index.set(folded, index.has(folded) ? undefined : one)
  }
  indexes.set(all, index)
  return index
}

function fold(name: string): string {
  return name.replaceAll('_', '').toLowerCase()
}
