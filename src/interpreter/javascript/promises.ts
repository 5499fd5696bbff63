// Programs with promises: whether a program is one, and where it uses a promise as if it were the value to come. Knows the shapes of expressions.
//
// A program that uses no promise at all gets plain values from its tools and runs from its first line to its last. One that mentions any of await,
// async, Promise, then, catch and finally gets promises from every tool.
//
// Invariant: what is called a promise here is one in every run.

import type { Diagnostic } from '../../diagnostics/index.js'
import { messages } from './messages.js'
import type { SpanOf } from './refusals.js'
import type { Scopes } from './scopes.js'
import type { Tools } from './tools.js'
import { functionAround, isFunction, memberName, type Node, type Tree, unchained } from './tree.js'

const CHAINING: readonly (string | undefined)[] = ['then', 'catch', 'finally']

export function usesPromises({ nodes }: Tree, scopes: Scopes): boolean {
  if (scopes.free.some(({ id }) => id.name === 'Promise')) return true
  return nodes.some(
    (node) =>
      node.type === 'AwaitExpression' ||
      (isFunction(node) && node.async) ||
      (node.type === 'ForOfStatement' && node.await) ||
      (node.type === 'CallExpression' && CHAINING.includes(memberName(node.callee))) ||
      (node.type === 'MemberExpression' && memberName(node) === 'fromAsync'),
  )
}

interface World {
  readonly tree: Tree
  readonly scopes: Scopes
  readonly tools: Tools
  readonly span: SpanOf
}

/** The places where an `await` is missing. */
export function missingAwaits(world: World): Diagnostic[] {
  const found: Diagnostic[] = []
  for (const node of world.tree.nodes) {
    if (node.type !== 'CallExpression' && node.type !== 'Identifier') continue
    const origin = promiseOrigin(node, world)
    if (origin === undefined) continue
    const use = misuse(node, world)
    if (use === undefined) continue
    found.push(messages.missingAwait(world.span(node), callText(origin, world), use, hintFor(node, origin, world)))
  }
  return found
}

type Call = Extract<Node, { type: 'CallExpression' }>

/** The call that a promise comes from. */
function promiseOrigin(node: Node, world: World, depth = 0): Call | undefined {
  if (depth > 20) return undefined
  if (node.type === 'Identifier') {
    if (!world.scopes.bindingOf.get(node)?.reads.includes(node)) return undefined
    const value = world.tools.fixedValue(node)
    return value === undefined || isFunction(value) ? undefined : promiseOrigin(value, world, depth + 1)
  }
  if (node.type !== 'CallExpression') return undefined
  const { callee } = node
  if (world.tools.toolOf(callee) !== undefined) return node
  if (callee.type === 'Identifier') {
    const fn = world.tools.fixedValue(callee)
    return fn !== undefined && isFunction(fn) && fn.async && !fn.generator ? node : undefined
  }
  if (callee.type !== 'MemberExpression') return undefined
  const name = memberName(callee)
  if (
    callee.object.type === 'Identifier' &&
    callee.object.name === 'Promise' &&
    !world.scopes.bindingOf.has(callee.object)
  )
    return ['all', 'allSettled', 'any', 'race', 'resolve', 'reject'].includes(name ?? '') ? node : undefined
  return CHAINING.includes(name) && promiseOrigin(callee.object, world, depth + 1) !== undefined ? node : undefined
}

const LOOKS: Readonly<Record<string, readonly string[]>> = {
  console: ['log', 'info', 'warn', 'error', 'debug'],
  JSON: ['stringify', 'parse'],
  Object: ['keys', 'values', 'entries', 'fromEntries', 'assign'],
  Array: ['from', 'isArray'],
}
const TAKES = ['print', 'String', 'Number', 'Boolean', 'parseInt', 'parseFloat', 'isNaN', 'structuredClone']

/** What goes wrong with the promise where it stands; undefined where promises do well. */
function misuse(node: Node, world: World): string | undefined {
  const { tree } = world
  let at = node
  let parent = tree.parentOf(at)
  while (parent?.type === 'ChainExpression') {
    at = parent
    parent = tree.parentOf(at)
  }
  switch (parent?.type) {
    case 'MemberExpression': {
      if (parent.object !== at) return undefined
      const name = memberName(parent)
      if (CHAINING.includes(name) || name === 'constructor') return undefined
      const holder = tree.parentOf(parent)
      const isCalled = holder?.type === 'CallExpression' && holder.callee === parent
      const shown = name === undefined ? '[…]' : parent.computed ? `[${JSON.stringify(name)}]` : `.${name}`
      return isCalled ? `a promise has no method ${shown}` : `a promise has no ${shown}`
    }
    case 'SpreadElement':
      return 'a promise can not be spread'
    case 'ForOfStatement':
      return parent.right === at && !parent.await ? 'a promise can not be iterated over' : undefined
    case 'TemplateLiteral':
      return 'its text is not that of the value'
    case 'BinaryExpression':
      return ['===', '!==', '==', '!=', 'instanceof'].includes(parent.operator)
        ? undefined
        : `${parent.operator} does not wait for it`
    case 'VariableDeclarator':
      return parent.init === at && parent.id.type !== 'Identifier' ? 'a promise can not be taken apart' : undefined
    case 'LogicalExpression':
      return parent.left === at ? 'a promise is always true' : undefined
    case 'IfStatement':
    case 'ConditionalExpression':
      return parent.test === at ? 'a promise is always true' : undefined
    case 'UnaryExpression':
      return parent.operator === '!' ? 'a promise is always true' : undefined
    case 'CallExpression':
      return parent.callee === at ? undefined : argumentMisuse(parent, world)
    case 'Property': {
      const call = tree.parentOf(tree.parentOf(parent)!)
      return parent.value === at && call?.type === 'CallExpression' && world.tools.toolOf(call.callee)
        ? 'a promise can not be sent'
        : undefined
    }
    default:
      return undefined
  }
}

function argumentMisuse(call: Call, { scopes, tools }: World): string | undefined {
  const callee = unchained(call.callee)
  if (tools.toolOf(callee) !== undefined) return 'a promise can not be sent'
  const isFree = (id: Node): boolean => !scopes.bindingOf.has(id)
  if (callee.type === 'Identifier')
    return TAKES.includes(callee.name) && isFree(callee) ? `${callee.name} does not wait for it` : undefined
  if (callee.type !== 'MemberExpression' || callee.object.type !== 'Identifier' || !isFree(callee.object))
    return undefined
  const { name } = callee.object
  const member = memberName(callee) ?? ''
  return Object.hasOwn(LOOKS, name) && LOOKS[name]!.includes(member)
    ? `${name}.${member} does not wait for it`
    : undefined
}

function callText(call: Call, { tree }: World): string {
  const callee = tree.text.slice(call.callee.start, call.callee.end)
  return `${callee.length > 40 || callee.includes('\n') ? 'the call' : `${callee}(…)`}`
}

/** Where the word belongs: before the call itself, if that stands in a function that may wait. */
function hintFor(node: Node, origin: Call, world: World): string {
  const call = callText(origin, world)
  const around = functionAround(world.tree, origin)
  const isAsync = around === undefined || around.async
  if (!isAsync) return `write await ${call}, and async before the function around it`
  if (node === origin) return `write (await ${call})`
  const { line, column } = world.span(origin)
  return `write await ${call} at program:${line}:${column}`
}
