// Which tool a program means where it calls one in the manner of another system: `tools.github.list_issues(…)`,
// `callTool("github", "list_issues", …)`, `mcp__github__list_issues(…)`, `list_issues(…)`. Knows names only.
// Invariant: what is answered is a tool that is there, or a server that is.

import type { ForeignNamespace } from '../foreign.js'
import { findByName } from './tools.js'
import { keyName, memberName, type Node, type Tree } from './tree.js'

/** The text that reaches the tool which an unknown name is about. */
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
  const words = [...(call === undefined ? [] : textsIn(call)), ...members, id.name]
  const pairs = words.flatMap((word, i) => [
    ...parted(word, foreign),
    ...(i + 1 < words.length ? [[word, words[i + 1]!] as const] : []),
  ])
  for (const [server, tool] of pairs) {
    const namespace = findByName(foreign, server)
    const fn = namespace === undefined ? undefined : findByName(namespace.members, tool.replaceAll('-', '_'))
    if (fn !== undefined) return `${namespace!.name}.${fn.name}({…})`
  }
  return alone(call === undefined ? [] : words, foreign) ?? findByName(foreign, members[0] ?? '')?.name
}

/** The names that a call's arguments tell: texts, and the texts of an object that speak of a server or a tool. */
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

/** `github.list_issues`, `github/list_issues`, `mcp__github__list_issues`: a server and its tool in one word. */
function parted(word: string, foreign: readonly ForeignNamespace[]): (readonly [server: string, tool: string])[] {
  const plain = word.replace(/^mcp_+/, '')
  return foreign.flatMap(({ name }) => {
    const rest = plain.toLowerCase().startsWith(name.toLowerCase()) ? plain.slice(name.length) : ''
    const tool = /^[_./:-]+(\w[\w-]*)$/.exec(rest)?.[1]
    return tool === undefined ? [] : [[name, tool] as const]
  })
}

/** A tool that is called without its server, where only one server has it. */
function alone(words: readonly string[], foreign: readonly ForeignNamespace[]): string | undefined {
  for (const word of words) {
    // `list.find(…)` asks for what every list has.
    if (word in Array.prototype || word in String.prototype || word in Map.prototype) continue
    const owners = foreign.flatMap(({ name, members }) => {
      const fn = findByName(members, word)
      return fn === undefined ? [] : [`${name}.${fn.name}({…})`]
    })
    if (owners.length === 1) return owners[0]
  }
  return undefined
}
