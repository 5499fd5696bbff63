// Checks a program's use of tool results against the declared types: through variables, patterns, loops and the
// callbacks of array methods. A missing member is `undefined`, which a program may legitimately read. Only its further
// use is a mistake.
// Invariant: if results have the declared types, a reported mistake fails wherever it is reached. Nothing is reported
// for code behind a condition, or for members that the program tests anywhere.

import { type Diagnostic, nearestNames } from '../../diagnostics/index.js'
import type { ForeignType } from '../foreign.js'
import { didYouMean } from '../mistake.js'
import { messages } from './messages.js'
import type { SpanOf } from './refusals.js'
import type { Scopes } from './scopes.js'
import type { Tools } from './tools.js'
import { inherited, isFunction, keyName, memberName, type Node, type Tree } from './tree.js'

export interface TypedWorld {
  readonly tree: Tree
  readonly scopes: Scopes
  readonly tools: Tools
  readonly span: SpanOf
  /** True if calls return promises. */
  readonly promises: boolean
}

type Member = Extract<Node, { type: 'MemberExpression' }>

export function absentMembers(world: TypedWorld): Diagnostic[] {
  const { tree } = world
  const written = writtenMembers(world)
  if (written === undefined) return []
  const tested = testedMembers(tree)
  const ends = firstEnds(tree)
  const onTheWay = inherited(tree, true, (_, parent, outer) => isOnTheWay(parent, outer, tree))
  const isReached = (node: Node): boolean =>
    node.start < (ends.get(tree.functionOf(node)) ?? Number.POSITIVE_INFINITY) && onTheWay(node)
  const isUsed = (name: string): boolean => written.has(name) || tested.has(name) || name in Object.prototype
  return tree.nodes.flatMap((node) => {
    if (node.type === 'Property' && tree.parentOf(node)?.type === 'ObjectPattern')
      return (
        absentPart(node, world, (read) => isTakenFurther(tree, read) && isReached(read) && !isUsed(keyName(node)!)) ??
        []
      )
    const name = node.type === 'MemberExpression' ? memberName(node) : undefined
    if (node.type !== 'MemberExpression' || name === undefined || isUsed(name)) return []
    return isTakenFurther(tree, node) && isReached(node) ? (absentMember(node, name, world) ?? []) : []
  })
}

/**
 * The reason why an expression is `undefined` in every run: the object that lacks the field, and the fields that it
 * has.
 */
export function lackOf(node: Node, world: TypedWorld): string | undefined {
  const binding = node.type === 'Identifier' ? world.scopes.bindingOf.get(node) : undefined
  const declared = binding?.writes.length === 0 ? world.tree.parentOf(binding.declared) : undefined
  const found =
    node.type === 'MemberExpression'
      ? lack(typeOf(node.object, world), memberName(node))
      : declared?.type === 'Property' && declared.value === binding!.declared
        ? lack(patternType(world.tree.parentOf(declared)!, world), keyName(declared))
        : undefined
  if (found === undefined) return undefined
  const near = nearestNames(found.name, found.fields, 2)
  const what = node.type === 'MemberExpression' ? shownText(node.object, world.tree) : 'the result'
  const names = didYouMean(near) ?? `its fields are ${fieldList(found.fields)}`
  return `${what} has no field ${found.name}: ${names}`
}

function fieldList(fields: readonly string[]): string {
  return fields.slice(0, 12).join(', ')
}

function lack(
  type: ForeignType | undefined,
  name: string | undefined,
): { readonly name: string; readonly fields: readonly string[] } | undefined {
  if (type?.kind !== 'record' || type.closed !== true || name === undefined) return undefined
  const fields = type.fields.map(({ key }) => key)
  return fields.includes(name) ? undefined : { name, fields }
}

function absentMember(node: Member, name: string, world: TypedWorld): Diagnostic | undefined {
  const { tree, span } = world
  const type = typeOf(node.object, world)
  const what = shownText(node.object, tree)
  if (type?.kind === 'list')
    return name in Array.prototype
      ? undefined
      : messages.noMember(span(node), what, name, 'it is an array: take an element, or iterate over it')
  const found = lack(type, name)
  return found && messages.noField(span(node), what, name, nearestNames(name, found.fields, 2), found.fields)
}

/** A name in a pattern that is always undefined, if the program uses it further. */
function absentPart(
  part: Extract<Node, { type: 'Property' }>,
  world: TypedWorld,
  isWrong: (read: Node) => boolean,
): Diagnostic | undefined {
  const { tree, scopes, span } = world
  const found =
    part.value.type === 'Identifier' ? lack(patternType(tree.parentOf(part)!, world), keyName(part)) : undefined
  const reads = found === undefined ? undefined : scopes.bindingOf.get(part.value)?.reads
  if (found === undefined || reads === undefined || ![...reads].some(isWrong)) return undefined
  const { name, fields } = found
  return messages.noField(span(part), 'the result', name, nearestNames(name, fields, 2), fields)
}

/** The members that the program assigns, on any object; undefined if unknown. */
function writtenMembers({ tree, tools }: TypedWorld): ReadonlySet<string> | undefined {
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

/** True for a value that the program created itself. */
function isOwnObject(node: Node, tools: Tools): boolean {
  return /^(?:Object|Array|New)Expression$/.test(tools.fixedValue(node)?.type ?? '')
}

/** The members whose presence the program tests: `x.a ?`, `x.a && …`, `"a" in x`, `x?.a`. */
function testedMembers(tree: Tree): ReadonlySet<string> {
  const names = new Set<string>()
  for (const node of tree.nodes) {
    if (node.type === 'BinaryExpression' && node.operator === 'in' && node.left.type === 'Literal')
      names.add(String(node.left.value))
    const name = node.type === 'MemberExpression' ? memberName(node) : undefined
    if (name === undefined) continue
    const parent = tree.parentOf(node)
    const isTest =
      /^(?:Logical|Unary|Binary)Expression$/.test(parent?.type ?? '') ||
      (parent !== undefined && 'test' in parent && parent.test === node) ||
      (parent !== undefined && 'optional' in parent && parent.optional === true)
    if (isTest) names.add(name)
  }
  return names
}

const DEEPEST = 20
/**
 * Array methods that call their first argument with elements, and the positions of these among the callback's
 * parameters.
 */
const CALLBACKS: Readonly<Record<string, readonly number[]>> = {
  ...Object.fromEntries(
    'map filter forEach find findLast findIndex findLastIndex some every flatMap'.split(' ').map((name) => [name, [0]]),
  ),
  sort: [0, 1],
  toSorted: [0, 1],
  reduce: [1],
  reduceRight: [1],
}
const SAME_LIST = /^(?:filter|sort|toSorted|reverse|toReversed|slice)$/
const ONE_ELEMENT = /^(?:find|findLast|at|pop|shift)$/

/** The type of an expression's value, if a tool declares it. */
function typeOf(node: Node, world: TypedWorld, depth = 0): ForeignType | undefined {
  const { scopes, tools, promises } = world
  if (depth > DEEPEST) return undefined
  switch (node.type) {
    case 'AwaitExpression':
      return node.argument.type === 'CallExpression' ? returned(node.argument, tools) : undefined
    case 'CallExpression':
      return (promises ? undefined : returned(node, tools)) ?? ofMethod(node, world, depth)
    case 'Identifier': {
      const binding = scopes.bindingOf.get(node)
      return binding?.writes.length === 0 ? patternType(binding.declared, world, depth + 1) : undefined
    }
    case 'MemberExpression': {
      const type = node.optional ? undefined : typeOf(node.object, world, depth + 1)
      const name = memberName(node)
      if (type?.kind === 'record') return fieldType(type, name)
      const isIndex = node.property.type === 'Literal' && typeof node.property.value === 'number'
      return type?.kind === 'list' && node.computed && isIndex ? plain(type.item) : undefined
    }
    default:
      return undefined
  }
}

function fieldType(type: ForeignType | undefined, name: string | undefined): ForeignType | undefined {
  if (type?.kind !== 'record') return undefined
  return plain(type.fields.find(({ key, required }) => key === name && required)?.type)
}

/** The type of the result of an array method. */
function ofMethod(
  { callee }: Extract<Node, { type: 'CallExpression' }>,
  world: TypedWorld,
  depth: number,
): ForeignType | undefined {
  const name = memberName(callee)
  if (callee.type !== 'MemberExpression' || callee.optional || name === undefined) return undefined
  if (!SAME_LIST.test(name) && !ONE_ELEMENT.test(name)) return undefined
  const list = typeOf(callee.object, world, depth + 1)
  if (list?.kind !== 'list') return undefined
  return SAME_LIST.test(name) ? list : plain(list.item)
}

/** The type of the value for a pattern, or for a name in one. */
function patternType(pattern: Node, world: TypedWorld, depth = 0): ForeignType | undefined {
  const { tree } = world
  const parent = tree.parentOf(pattern)
  if (depth > DEEPEST || parent === undefined) return undefined
  if (parent.type === 'Property' && parent.value === pattern)
    return fieldType(patternType(tree.parentOf(parent)!, world, depth + 1), keyName(parent))
  if (parent.type === 'VariableDeclarator' && parent.id === pattern) {
    if (parent.init) return typeOf(parent.init, world, depth + 1)
    const declaration = tree.parentOf(parent)
    const loop = declaration && tree.parentOf(declaration)
    return loop?.type === 'ForOfStatement' && loop.left === declaration
      ? itemOf(typeOf(loop.right, world, depth + 1))
      : undefined
  }
  if (!isFunction(parent)) return undefined
  const call = tree.parentOf(parent)
  if (call?.type !== 'CallExpression' || call.arguments[0] !== parent || call.callee.type !== 'MemberExpression')
    return undefined
  const { object } = call.callee
  const method = memberName(call.callee) ?? ''
  const place = (parent.params as Node[]).indexOf(pattern)
  if (method === 'then')
    return place === 0 && object.type === 'CallExpression' ? returned(object, world.tools) : undefined
  if (!Object.hasOwn(CALLBACKS, method) || !CALLBACKS[method]!.includes(place)) return undefined
  return itemOf(typeOf(object, world, depth + 1))
}

function itemOf(type: ForeignType | undefined): ForeignType | undefined {
  return type?.kind === 'list' ? plain(type.item) : undefined
}

function returned(call: Extract<Node, { type: 'CallExpression' }>, tools: Tools): ForeignType | undefined {
  return plain(tools.toolOf(call.callee)?.fn.signature?.returns)
}

function plain(type: ForeignType | undefined): ForeignType | undefined {
  return type?.kind === 'alias' ? plain(type.target) : type
}

/** True if `undefined` would fail in this place. */
function isTakenFurther(tree: Tree, node: Node): boolean {
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

const CONDITIONS = /^(?:If|Conditional|Logical|Switch|While|DoWhile|Try|Catch|Chain|Labeled|Assignment(?:Pattern))/

/** True at the top level, in a loop or in the callback of a method, but not behind a condition. */
function isOnTheWay(parent: Node, outer: boolean, tree: Tree): boolean {
  if (!outer || parent.type === 'Program') return outer
  if (isFunction(parent)) {
    const call = tree.parentOf(parent)
    const name = call?.type === 'CallExpression' && call.arguments[0] === parent ? memberName(call.callee) : undefined
    return name === 'then' || (name !== undefined && Object.hasOwn(CALLBACKS, name))
  }
  return !(CONDITIONS.test(parent.type) || /^Class/.test(parent.type))
}

/** For each function, and for the program itself, the first place at which it may end before its last line. */
function firstEnds(tree: Tree): ReadonlyMap<Node | undefined, number> {
  const ends = new Map<Node | undefined, number>()
  for (const node of tree.nodes) {
    if (node.type !== 'ReturnStatement' && node.type !== 'ThrowStatement') continue
    const fn = tree.functionOf(node)
    ends.set(fn, Math.min(node.end, ends.get(fn) ?? node.end))
  }
  return ends
}

function shownText({ start, end }: Node, { text }: Tree): string {
  const own = text.slice(start, end)
  return own.length > 40 || own.includes('\n') ? 'the result' : own
}
