// What a program takes of the results of tools, against the types that the tools declare. A member that is not there is
// `undefined`, which a program may well ask for; a mistake is one that is taken further, where nothing comes before it
// that would keep the program from getting there.
// Invariant: what is found here fails in every run in which the results are as they were declared.

import { type Diagnostic, nearestNames } from '../../diagnostics/index.js'
import type { ForeignType } from '../foreign.js'
import { messages } from './messages.js'
import type { SpanOf } from './refusals.js'
import type { Tools } from './tools.js'
import { inherited, memberName, type Node, type Tree } from './tree.js'

interface World {
  readonly tree: Tree
  readonly tools: Tools
  readonly span: SpanOf
  /** Do calls give promises? */
  readonly promises: boolean
}

type Member = Extract<Node, { type: 'MemberExpression' }>

export function absentMembers(world: World): Diagnostic[] {
  const { tree } = world
  const written = writtenMembers(world)
  if (written === undefined) return []
  const end = firstEnd(tree)
  const isReached = inherited(tree, true, isOnTheWay)
  return tree.nodes.flatMap((node) => {
    const name = node.type === 'MemberExpression' ? memberName(node) : undefined
    if (node.type !== 'MemberExpression' || name === undefined || written.has(name) || name in Object.prototype)
      return []
    return isTakenFurther(tree, node) && node.start <= end && isReached(node)
      ? (absentMember(node, name, world) ?? [])
      : []
  })
}

function absentMember(node: Member, name: string, world: World): Diagnostic | undefined {
  const { tree, span } = world
  const type = typeOf(node.object, world)
  const what = shownText(node.object, tree)
  if (type?.kind === 'list')
    return name in Array.prototype
      ? undefined
      : messages.noMember(span(node), what, name, 'it is an array: take an element, or iterate over it')
  if (type?.kind !== 'record' || type.closed !== true) return undefined
  const fields = type.fields.map(({ key }) => key)
  if (fields.includes(name)) return undefined
  return messages.noField(span(node), what, name, nearestNames(name, fields, 2), fields)
}

/** The members that the program gives values, to whatever object; undefined where that can not be told. */
function writtenMembers({ tree, tools }: World): ReadonlySet<string> | undefined {
  const names = new Set<string>()
  for (const node of tree.nodes) {
    if (node.type !== 'MemberExpression') continue
    const name = memberName(node)
    const parent = tree.parentOf(node)
    if (/^(?:assign|define\w+|setPrototypeOf)$/.test(name ?? '')) return undefined
    const isTarget =
      (parent !== undefined && 'left' in parent && parent.left === node && parent.type !== 'BinaryExpression') ||
      /^(?:UpdateExpression|Property|RestElement|ArrayPattern)$/.test(parent?.type ?? '')
    if (!isTarget) continue
    if (name !== undefined) names.add(name)
    else if (!isOwnObject(node.object, tools)) return undefined
  }
  return names
}

/** What the program made itself, and no result of a tool. */
function isOwnObject(node: Node, tools: Tools): boolean {
  return /^(?:Object|Array|New)Expression$/.test(tools.fixedValue(node)?.type ?? '')
}

/** The type of what an expression comes to, where a tool declares it. */
function typeOf(node: Node, world: World, depth = 0): ForeignType | undefined {
  const { tools, promises } = world
  if (depth > 20) return undefined
  switch (node.type) {
    case 'AwaitExpression':
      return node.argument.type === 'CallExpression' ? returned(node.argument, tools) : undefined
    case 'CallExpression':
      return promises ? undefined : returned(node, tools)
    case 'Identifier': {
      const value = tools.fixedValue(node)
      return value === undefined ? undefined : typeOf(value, world, depth + 1)
    }
    case 'MemberExpression': {
      const type = node.optional ? undefined : typeOf(node.object, world, depth + 1)
      const name = memberName(node)
      if (type?.kind === 'record') return plain(type.fields.find(({ key, required }) => key === name && required)?.type)
      const isIndex = node.property.type === 'Literal' && typeof node.property.value === 'number'
      return type?.kind === 'list' && node.computed && isIndex ? plain(type.item) : undefined
    }
    default:
      return undefined
  }
}

function returned(call: Extract<Node, { type: 'CallExpression' }>, tools: Tools): ForeignType | undefined {
  return plain(tools.toolOf(call.callee)?.fn.signature?.returns)
}

function plain(type: ForeignType | undefined): ForeignType | undefined {
  return type?.kind === 'alias' ? plain(type.target) : type
}

/** `undefined` would fail here. */
function isTakenFurther(tree: Tree, node: Member): boolean {
  const parent = tree.parentOf(node)
  switch (parent?.type) {
    case 'MemberExpression':
      return parent.object === node && !parent.optional
    case 'CallExpression':
      return parent.callee === node && !parent.optional
    case 'ForOfStatement':
      return parent.right === node
    case 'SpreadElement':
      return tree.parentOf(parent)?.type !== 'ObjectExpression'
    default:
      return false
  }
}

const CONDITIONS =
  /^(?:If|Conditional|Logical|Switch|For|ForIn|ForOf|While|DoWhile|Try|Catch|Chain|Labeled|Assignment(?:Pattern))/

/** At the top level, behind no condition. */
function isOnTheWay(node: Node, parent: Node, outer: boolean): boolean {
  if (!outer || parent.type === 'Program') return outer
  const isFirst = parent.type === 'ForOfStatement' && parent.right === node
  return isFirst || !(CONDITIONS.test(parent.type) || /Function|^Class/.test(parent.type))
}

/** Where the program may end before its last line. */
function firstEnd(tree: Tree): number {
  const ends = tree.nodes.filter(
    (node) =>
      (node.type === 'ReturnStatement' || node.type === 'ThrowStatement') && tree.functionOf(node) === undefined,
  )
  return Math.min(...ends.slice(0, 1).map(({ start }) => start))
}

function shownText({ start, end }: Node, { text }: Tree): string {
  const own = text.slice(start, end)
  return own.length > 40 || own.includes('\n') ? 'the result' : own
}
