// The syntax tree of this folder's stages: acorn's nodes, each with its parent. Knows no meanings.
// Invariant: `childrenOf` returns every node once, in the order of the text.

import type { AnyNode, ArrowFunctionExpression, FunctionDeclaration, FunctionExpression, Program } from 'acorn'

export type Node = AnyNode
export type FunctionNode = FunctionDeclaration | FunctionExpression | ArrowFunctionExpression

export interface Tree {
  readonly text: string
  readonly program: Program
  /** The offset in the submitted program, before its types were removed. */
  readonly origin: (offset: number) => number
  /** The parent of a node; undefined for the program. */
  readonly parentOf: (node: Node) => Node | undefined
  /** The enclosing function of a node; undefined at the top level. */
  readonly functionOf: (node: Node) => FunctionNode | undefined
  /** All nodes, the outer ones first. */
  readonly nodes: readonly Node[]
}

/** Builds the tree in one walk. */
export function treeOf(text: string, program: Program): Tree {
  const parents = new Map<Node, Node>()
  const functions = new Map<Node, FunctionNode>()
  const nodes: Node[] = []
  const open: Node[] = [program]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    nodes.push(node)
    const children = childrenOf(node)
    const around = isFunction(node) ? node : functions.get(node)
    for (let i = children.length - 1; i >= 0; i--) {
      parents.set(children[i]!, node)
      if (around !== undefined) functions.set(children[i]!, around)
      open.push(children[i]!)
    }
  }
  return {
    text,
    program,
    nodes,
    origin: (offset) => offset,
    parentOf: (node) => parents.get(node),
    functionOf: (node) => functions.get(node),
  }
}

/** The nodes directly inside a node. The key of a shorthand property is its value and is not returned twice. */
export function childrenOf(node: Node): Node[] {
  const children: Node[] = []
  const fields = node as unknown as Readonly<Record<string, unknown>>
  const shorthand = node.type === 'Property' && node.shorthand
  for (const key in fields) {
    const value = fields[key]
    if (typeof value !== 'object' || value === null || (shorthand && key === 'key')) continue
    if (Array.isArray(value)) {
      for (const one of value) if (isNode(one)) children.push(one)
    } else if (isNode(value)) children.push(value)
  }
  return children
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
}

export function isFunction(node: Node): node is FunctionNode {
  return (
    node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression'
  )
}

/**
 * Values that nodes inherit from their parents. `step` is called with the parent's value for every node except the
 * program, outer ones first.
 */
export function inherited<T>(
  tree: Tree,
  outermost: T,
  step: (node: Node, parent: Node, outer: T) => T,
): (node: Node) => T {
  const known = new Map<Node, T>()
  for (const node of tree.nodes) {
    const parent = tree.parentOf(node)
    known.set(node, parent === undefined ? outermost : step(node, parent, known.get(parent)!))
  }
  return (node) => known.get(node)!
}

/** The expression inside parentheses that the tree does not show, and inside optional chains. */
export function unchained(node: Node): Node {
  return node.type === 'ChainExpression' ? node.expression : node
}

/** The name of a member, if the text shows it. */
export function memberName(node: Node): string | undefined {
  if (node.type !== 'MemberExpression') return undefined
  const { property, computed } = node
  if (!computed) return property.type === 'Identifier' ? property.name : undefined
  return property.type === 'Literal' && typeof property.value === 'string' ? property.value : undefined
}

/** The name of a property of an object literal or pattern, if the text shows it. */
export function keyName(node: { readonly computed: boolean; readonly key: Node }): string | undefined {
  const { key, computed } = node
  if (!computed && key.type === 'Identifier') return key.name
  if (key.type === 'Literal' && (typeof key.value === 'string' || typeof key.value === 'number')) return `${key.value}`
  return undefined
}
