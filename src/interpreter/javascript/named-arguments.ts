// Refuses named arguments, which JavaScript does not have: `f(b = 5)` assigns to b and passes 5 to the first parameter,
// whatever its name. Reads `=` to a name as a named argument in every call of a tool, and in other calls if the program
// does not declare the name. Defaults of parameters and of patterns are no assignments.
// Invariant: no call of a tool that the text shows passes the value of such an assignment.

import type { Diagnostic } from '../../diagnostics/index.js'
import { MOST_DIAGNOSTICS, messages } from './messages.js'
import type { SpanOf } from './refusals.js'
import type { Scopes } from './scopes.js'
import type { Tools } from './tools.js'
import type { Node, Tree } from './tree.js'

interface Named {
  readonly node: Node
  readonly name: string
  /** The text of the value, or `…` if it is long. */
  readonly value: string
  readonly isDeclared: boolean
}

/** At most one mistake for each call. */
export function namedArguments(
  tree: Tree,
  scopes: Scopes,
  { tools, span }: { readonly tools: Tools; readonly span: SpanOf },
): Diagnostic[] {
  const found: Diagnostic[] = []
  for (const node of tree.nodes) {
    if (found.length >= MOST_DIAGNOSTICS) break
    if (node.type !== 'CallExpression' && node.type !== 'NewExpression') continue
    const named = node.arguments.flatMap((argument) => namedArgument(argument, tree, scopes))
    const isTool = callsServer(node.callee, tools)
    const first = named.find(({ isDeclared }) => isTool || !isDeclared)
    if (first === undefined) continue
    const { name, value } = first
    found.push(
      messages.namedArgument(span(first.node), name, value, isTool ? inObject(node.arguments, named) : inOrder),
    )
  }
  return found
}

/** True if an argument is an assignment to a name. */
export function hasNamedArguments({ arguments: given }: { readonly arguments: readonly Node[] }): boolean {
  return given.some((node) => node.type === 'AssignmentExpression' && isNaming(node))
}

function isNaming({ operator, left }: Extract<Node, { type: 'AssignmentExpression' }>): boolean {
  return operator === '=' && left.type === 'Identifier'
}

function namedArgument(node: Node, { text }: Tree, { bindingOf }: Scopes): Named[] {
  if (node.type !== 'AssignmentExpression' || !isNaming(node) || node.left.type !== 'Identifier') return []
  const value = text.slice(node.right.start, node.right.end)
  const isShort = value.length <= 40 && !value.includes('\n')
  return [{ node, name: node.left.name, value: isShort ? value : '…', isDeclared: bindingOf.has(node.left) }]
}

/** True for a tool, and for a member of a server whose name only the run knows. */
function callsServer(callee: Node, tools: Tools): boolean {
  if (tools.toolOf(callee) !== undefined) return true
  return callee.type === 'MemberExpression' && tools.namespaceOf(callee.object) !== undefined
}

const inOrder = 'pass the values alone, in the order of the parameters'

/** The hint for a call of a tool. The whole object is in it if it is short and the names of all values are certain. */
function inObject(given: readonly Node[], named: readonly Named[]): string {
  const names = new Set(named.map(({ name }) => name))
  const whole = `{ ${named.map(({ name, value }) => `${name}: ${value}`).join(', ')} }`
  if (names.size === given.length && whole.length <= 100) return `write ${whole}`
  const some = [...names].slice(0, 12).map((name) => `${name}: …`)
  return `pass all arguments by name in one object: { ${some.join(', ')} }`
}
