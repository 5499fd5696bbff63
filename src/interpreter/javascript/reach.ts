// Finds the tools that a program can call. Every mention of a server counts. A named tool is reachable. If a server is
// used in any other way, all its tools are, even if a builtin only looks at it, because the program may have replaced
// that builtin. Knows names, not values. Invariant: every tool that a run can call is in the result, or its server is.
// The host refuses a call of any other tool.

import { type Foreign, guestNameOf } from '../namespaces.js'
import type { Reach } from '../program.js'
import type { Scopes } from './scopes.js'
import { findByName, type Tools } from './tools.js'
import { keyName, memberName, type Node, type Tree } from './tree.js'

export function reachOf(
  tree: Tree,
  { scopes, tools, foreign }: { scopes: Scopes; tools: Tools; foreign: Foreign },
): Reach {
  const reached = new Map<string, { namespace: string; member: string }>()
  const widened = new Set<string>()
  for (const { id } of scopes.free) {
    if (id.name !== 'runtime') continue
    const named = namedAt(id, tree, foreign)
    if (named === 'all') return { tools: [], widened: 'all' }
    if (named?.member !== undefined)
      reached.set(`${named.namespace}.${named.member}`, { ...named, member: named.member })
    else if (named !== undefined) widened.add(named.namespace)
  }
  for (const node of tree.nodes) {
    const namespace = node.type === 'Identifier' ? tools.namespaceOf(node) : undefined
    if (namespace === undefined || isDeclared(node, scopes)) continue
    const names = namesTaken(node, tree, scopes)
    const named = names?.map((name) => findByName(namespace.members, name))
    if (named === undefined || named.includes(undefined)) widened.add(namespace.name)
    for (const fn of named ?? [])
      if (fn !== undefined) reached.set(`${namespace.name}.${fn.name}`, { namespace: namespace.name, member: fn.name })
  }
  return {
    tools: [...reached.values()].filter(({ namespace }) => !widened.has(namespace)),
    widened: [...widened].sort(),
  }
}

/**
 * The tool or server that a mention of `runtime` calls by name. Undefined if it calls none, `all` if it may call any.
 */
function namedAt(
  id: Node,
  tree: Tree,
  foreign: Foreign,
): { readonly namespace: string; readonly member: string | undefined } | 'all' | undefined {
  const member = tree.parentOf(id)
  if (member?.type !== 'MemberExpression' || member.object !== id) return 'all'
  const asked = memberName(member)
  if (asked !== undefined && asked !== 'call') return undefined
  const call = tree.parentOf(member)
  if (asked === undefined || call?.type !== 'CallExpression' || call.callee !== member) return 'all'
  const [server, tool] = call.arguments.slice(0, 2).map((one) => (one.type === 'Literal' ? one.value : undefined))
  const namespace = typeof server === 'string' ? guestNameOf(server, foreign) : undefined
  if (namespace === undefined) return 'all'
  const functions = foreign.get(namespace)!
  const name = typeof tool === 'string' ? guestNameOf(tool, functions) : undefined
  return { namespace, member: functions.get(name ?? '')?.name }
}

function isDeclared(node: Node, scopes: Scopes): boolean {
  return scopes.bindingOf.get(node)?.declared === node
}

/** The members that a mention of a server names; undefined if they are unknown. */
function namesTaken(node: Node, tree: Tree, scopes: Scopes): readonly string[] | undefined {
  const parent = tree.parentOf(node)
  switch (parent?.type) {
    case 'MemberExpression': {
      const name = parent.object === node ? memberName(parent) : undefined
      return name === undefined ? undefined : [name]
    }
    case 'UnaryExpression':
      return parent.operator === 'typeof' ? [] : undefined
    case 'VariableDeclarator': {
      if (parent.init !== node) return undefined
      if (parent.id.type === 'ObjectPattern') return keysOf(parent.id)
      // A further name for the server. Its uses are examined separately.
      return parent.id.type === 'Identifier' && scopes.bindingOf.get(parent.id)?.writes.length === 0 ? [] : undefined
    }
    default:
      return undefined
  }
}

function keysOf(pattern: Extract<Node, { type: 'ObjectPattern' }>): readonly string[] | undefined {
  const names = pattern.properties.map((p) => (p.type === 'Property' ? keyName(p) : undefined))
  return names.every((name) => name !== undefined) ? names : undefined
}
