// Recognises programs with promises, and promises that are used in place of their values. Knows the forms of
// expressions. A program without promises receives plain values from its tools and runs from its first line to its
// last. A program that mentions await, async, Promise, then, catch or finally receives promises from every tool.
// Invariant: a promise that is found here is one in every run.

import type { Diagnostic } from '../../diagnostics/index.js'
import { MOST_DIAGNOSTICS, messages } from './messages.js'
import { isSent, PromiseLists } from './promise-lists.js'
import type { SpanOf } from './refusals.js'
import type { Scopes } from './scopes.js'
import type { Tools } from './tools.js'
import { isFunction, memberName, type Node, type Tree, unchained } from './tree.js'

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
  const lists = new PromiseLists(world, (node) => promiseOrigin(node, world))
  const found: Diagnostic[] = []
  for (const node of world.tree.nodes) {
    const missing = missingAt(node, lists, world)
    if (missing !== undefined && found.push(missing) >= MOST_DIAGNOSTICS) break
  }
  return found
}

function missingAt(node: Node, lists: PromiseLists, world: World): Diagnostic | undefined {
  if (node.type !== 'CallExpression' && node.type !== 'Identifier' && node.type !== 'MemberExpression') return undefined
  const missing = (
    origin: Call,
    what: 'a promise' | 'promises',
    use: string | undefined,
    hint: () => string,
  ): Diagnostic | undefined =>
    use === undefined ? undefined : messages.missingAwait(world.span(node), callText(origin, world), what, use, hint())
  const asked = node.type === 'CallExpression' ? lists.asked(node) : undefined
  if (asked !== undefined)
    return messages.missingAwait(world.span(node), `the function in ${asked}(…)`, 'a promise', ALWAYS, ASK_FIRST)
  const origin = promiseOrigin(node, world)
  if (origin !== undefined) return missing(origin, 'a promise', misuse(node, world), () => hintFor(node, origin, world))
  const list = lists.origin(node)
  if (list !== undefined) return missing(list, 'promises', listMisuse(node, world), () => allHint(node, list, world))
  const element = lists.elementOrigin(node)
  if (element === undefined) return undefined
  return missing(element, 'promises', misuse(node, world), () => allHint(node, element, world))
}

const ALWAYS = 'a promise is always true'
const ASK_FIRST = 'first await Promise.all(list.map(…)), then choose by what it gives'

type Call = Extract<Node, { type: 'CallExpression' }>

/** The call that a promise comes from. */
function promiseOrigin(node: Node, world: World, depth = 0): Call | undefined {
  if (depth > 20) return undefined
  if (node.type === 'Identifier') {
    if (!world.scopes.bindingOf.get(node)?.reads.has(node)) return undefined
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
  // The object is not in any text for a saved program.
  const declared = world.scopes.bindingOf.get(callee.object)?.declared
  if (declared !== undefined && declared.start === declared.end) return node
  if (callee.object.type === 'Identifier' && !world.scopes.bindingOf.has(callee.object)) {
    if (callee.object.name === 'Array' && name === 'fromAsync') return node
    if (callee.object.name === 'Promise')
      return ['all', 'allSettled', 'any', 'race', 'resolve', 'reject', 'try'].includes(name ?? '') ? node : undefined
  }
  return CHAINING.includes(name) && promiseOrigin(callee.object, world, depth + 1) !== undefined ? node : undefined
}

const LOOKS: Readonly<Record<string, readonly string[]>> = {
  console: ['log', 'info', 'warn', 'error', 'debug'],
  JSON: ['stringify', 'parse'],
  Object: ['keys', 'values', 'entries', 'fromEntries', 'assign'],
  Array: ['from', 'isArray'],
}
const TAKES = ['print', 'String', 'Number', 'Boolean', 'parseInt', 'parseFloat', 'isNaN', 'structuredClone']

/** The mistake in this use of a promise; undefined if there is none. */
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
      return 'a promise cannot be spread'
    case 'ForOfStatement':
      return parent.right === at && !parent.await ? 'a promise cannot be iterated over' : undefined
    case 'TemplateLiteral':
      return 'its text is not that of the value'
    case 'BinaryExpression':
      return ['===', '!==', '==', '!=', 'instanceof'].includes(parent.operator)
        ? undefined
        : `${parent.operator} does not wait for it`
    case 'VariableDeclarator':
      return parent.init === at && parent.id.type !== 'Identifier' ? 'a promise cannot be destructured' : undefined
    case 'LogicalExpression':
      return parent.left === at ? ALWAYS : undefined
    case 'IfStatement':
    case 'ConditionalExpression':
      return parent.test === at ? ALWAYS : undefined
    case 'UnaryExpression':
      return parent.operator === '!' ? ALWAYS : undefined
    case 'CallExpression':
      return parent.callee === at ? undefined : argumentMisuse(parent, world)
    case 'Property':
      return parent.value === at && isSent(tree, world.tools, parent) ? 'a promise cannot be sent' : undefined
    default:
      return undefined
  }
}

/** The mistake in this use of a list of promises; undefined if there is none. */
function listMisuse(node: Node, world: World): string | undefined {
  const parent = world.tree.parentOf(node)
  switch (parent?.type) {
    case 'MemberExpression':
      return parent.object === node && memberName(parent) === 'join' ? 'join does not wait for them' : undefined
    case 'Property':
      return parent.value === node && isSent(world.tree, world.tools, parent) ? 'promises cannot be sent' : undefined
    case 'TemplateLiteral':
      return 'their texts are not those of the values'
    case 'CallExpression': {
      const use = parent.callee === node ? undefined : argumentMisuse(parent, world)
      return use === undefined || /^(?:Array|Object|Boolean|structuredClone)/.test(use)
        ? undefined
        : use.replace('a promise', 'promises').replace('for it', 'for them')
    }
    default:
      return undefined
  }
}

/** The hint to write `Promise.all` around the list, where it is created or used. */
function allHint(node: Node, list: Call, world: World): string {
  const around = world.tree.functionOf(list)
  const canWait = around === undefined || around.async
  const { line, column } = world.span(list)
  const place = node === list ? '' : ` at program:${line}:${column}`
  const call = callText(list, world)
  const all = /^the call/.test(call) ? 'Promise.all(…) around the call' : `Promise.all(${call})`
  return `write await ${all}${place}${canWait ? '' : ', and async before the function around it'}`
}

function argumentMisuse(call: Call, { scopes, tools }: World): string | undefined {
  const callee = unchained(call.callee)
  if (tools.toolOf(callee) !== undefined) return 'a promise cannot be sent'
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

/** The hint to write `await`: before the call itself, if its function is async. */
function hintFor(node: Node, origin: Call, world: World): string {
  const call = callText(origin, world)
  const around = world.tree.functionOf(origin)
  const isAsync = around === undefined || around.async
  if (!isAsync) return `write await ${call}, and async before the function around it`
  if (node === origin) return `write (await ${call})`
  const { line, column } = world.span(origin)
  return `write await ${call} at program:${line}:${column}`
}
