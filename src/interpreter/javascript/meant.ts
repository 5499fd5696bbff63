// Finds the tool that an unknown name may mean, from the code around it.

import type { ForeignNamespace } from '../foreign.js'
import { meantBy } from '../meant.js'
import { findByName } from './tools.js'
import { keyName, memberName, type Node, type Tree } from './tree.js'

/** The expression for the tool that an unknown name probably means. */
export function meantTool(
  id: Node & { readonly name: string },
  tree: Tree,
  foreign: readonly ForeignNamespace[],
): string | undefined {
  const members: string[] = []
  let at: Node = id
  let parent = tree.parentOf(at)
  for (; parent?.type === 'MemberExpression' && parent.object === at; parent = tree.parentOf(at)) {
    members.push(memberName(parent) ?? '')
    at = parent
  }
  const call = parent?.type === 'CallExpression' && parent.callee === at ? parent : undefined
  const meant = meantBy(
    { texts: call === undefined ? [] : textsIn(call), members, name: id.name, isCalled: call !== undefined },
    {
      servers: foreign.map(({ name }) => name),
      server: (name) => findByName(foreign, name)?.name,
      tool: (server, name) => findByName(findByName(foreign, server)!.members, name)?.name,
      isCommon: (word) => word in Array.prototype || word in String.prototype || word in Map.prototype,
    },
  )
  return meant?.tool === undefined ? meant?.server : `${meant.server}.${meant.tool}({…})`
}

/** The names among the arguments of a call: strings, and the strings of an object under keys for a server or a tool. */
function textsIn({ arguments: given }: Extract<Node, { type: 'CallExpression' }>): string[] {
  const texts = (node: Node | null): string[] => {
    if (node?.type === 'Literal' && typeof node.value === 'string') return [node.value]
    if (node?.type !== 'ObjectExpression') return []
    return node.properties.flatMap((p) =>
      p.type === 'Property' && /^(?:server|tool)(?:_?name)?$|^name$/i.test(keyName(p) ?? '') ? texts(p.value) : [],
    )
  }
  return given.slice(0, 2).flatMap((node) => texts(node).slice(0, 2))
}
