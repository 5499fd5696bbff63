// Lists of promises, and functions that return promises: the results of `list.map(async …)` and their uses. Recognises
// the methods of arrays by name, in programs that do not define such a name themselves.
// Invariant: a list of promises that is found here is one in every run, and every element of it is a promise.

import type { Binding, Scopes } from './scopes.js'
import type { Tools } from './tools.js'
import { type FunctionNode, isFunction, keyName, memberName, type Node, type Tree, unchained } from './tree.js'

type Call = Extract<Node, { type: 'CallExpression' }>

interface PromiseWorld {
  readonly tree: Tree
  readonly scopes: Scopes
  readonly tools: Tools
}

/** Methods that call a function with each element. ASKS: those that use its result as a condition. */
const EACH = 'map filter forEach find findLast findIndex findLastIndex some every flatMap'.split(' ')
const ASKS = 'filter find findLast findIndex findLastIndex some every'.split(' ')
/** Methods that change an array in place. */
const CHANGES = 'push unshift splice fill copyWithin'.split(' ')

export class PromiseLists {
  readonly #world: PromiseWorld
  /** The call that a promise comes from; see promises.ts. */
  readonly #promiseOrigin: (node: Node) => Call | undefined
  readonly #ownNames = new Set<string>()
  /** Variables whose lists are never changed. */
  readonly #stays = new Map<Binding, boolean>()

  constructor(world: PromiseWorld, promiseOrigin: (node: Node) => Call | undefined) {
    this.#world = world
    this.#promiseOrigin = promiseOrigin
    for (const node of world.tree.nodes) {
      const name =
        node.type === 'Property' || node.type === 'MethodDefinition' || node.type === 'PropertyDefinition'
          ? keyName(node)
          : node.type === 'AssignmentExpression'
            ? memberName(node.left)
            : undefined
      if (name !== undefined) this.#ownNames.add(name)
    }
  }

  /** The call of `map` that a list of promises comes from. */
  origin(node: Node): Call | undefined {
    if (node.type === 'Identifier') {
      const value = this.#world.tools.fixedValue(node)
      if (value === undefined || value.type !== 'CallExpression' || !this.#staysAsItIs(node)) return undefined
      return this.origin(value)
    }
    if (node.type !== 'CallExpression' || this.#method(node) !== 'map') return undefined
    return this.#givesPromises(node) ? node : undefined
  }

  /** The call of `map` that created the promise in an identifier or member which is an element of a list. */
  elementOrigin(node: Node): Call | undefined {
    if (node.type === 'MemberExpression') {
      const isIndex = node.computed && node.property.type === 'Literal' && typeof node.property.value === 'number'
      return isIndex ? this.origin(node.object) : undefined
    }
    const binding = this.#world.scopes.bindingOf.get(node)
    if (binding === undefined || binding.writes.length > 0 || !binding.reads.has(node as never)) return undefined
    const list = this.#listBehind(binding.declared)
    return list === undefined ? undefined : this.origin(list)
  }

  /** The name of the method whose callback returns a promise. The method takes the promise for true. */
  asked(node: Call): string | undefined {
    const method = this.#method(node)
    return method !== undefined && ASKS.includes(method) && this.#givesPromises(node) ? method : undefined
  }

  #method(node: Call): string | undefined {
    const name = memberName(unchained(node.callee))
    return name === undefined || this.#ownNames.has(name) ? undefined : name
  }

  /** True if the function argument of a call always returns a promise. */
  #givesPromises(node: Call): boolean {
    const fn = this.#functionGiven(node)
    if (fn === undefined || fn.generator) return false
    return fn.async || (fn.type === 'ArrowFunctionExpression' && this.#promiseOrigin(fn.body) !== undefined)
  }

  #functionGiven({ arguments: [given] }: Call): FunctionNode | undefined {
    const value = given?.type === 'Identifier' ? this.#world.tools.fixedValue(given) : given
    return value !== undefined && isFunction(value) ? value : undefined
  }

  /** The list that contains the value of a declared name: `for (const x of list)`, `list.map((x) => …)`. */
  #listBehind(declared: Node): Node | undefined {
    const { tree } = this.#world
    const parent = tree.parentOf(declared)
    if (parent === undefined) return undefined
    if (isFunction(parent)) {
      const call = tree.parentOf(parent)
      if (call?.type !== 'CallExpression' || call.arguments[0] !== parent || parent.params[0] !== declared)
        return undefined
      const callee = unchained(call.callee)
      const isEach = callee.type === 'MemberExpression' && EACH.includes(this.#method(call) ?? '')
      return isEach ? callee.object : undefined
    }
    if (parent.type !== 'VariableDeclarator' || parent.id !== declared) return undefined
    const loop = tree.parentOf(tree.parentOf(parent)!)
    return loop?.type === 'ForOfStatement' && !loop.await && loop.left === tree.parentOf(parent)
      ? loop.right
      : undefined
  }

  /** True if nothing in the program changes the list in a variable. */
  #staysAsItIs(node: Node): boolean {
    const binding = this.#world.scopes.bindingOf.get(node)
    if (binding === undefined) return true
    let stays = this.#stays.get(binding)
    if (stays === undefined) {
      stays = this.#isNeverChanged(binding)
      this.#stays.set(binding, stays)
    }
    return stays
  }

  #isNeverChanged(binding: Binding): boolean {
    const { tree, tools } = this.#world
    return [...binding.reads].every((read) => {
      const parent = tree.parentOf(read)
      switch (parent?.type) {
        case 'MemberExpression': {
          const holder = tree.parentOf(parent)
          const isWritten =
            (holder?.type === 'AssignmentExpression' && holder.left === parent) || holder?.type === 'UpdateExpression'
          return parent.object === read && !isWritten && !CHANGES.includes(memberName(parent) ?? '')
        }
        case 'CallExpression':
          return this.#onlyLooks(parent)
        case 'Property':
          return isSent(tree, tools, parent)
        case 'SpreadElement':
        case 'TemplateLiteral':
        case 'ForOfStatement':
        case 'ReturnStatement':
        case 'BinaryExpression':
        case 'AwaitExpression':
          return true
        default:
          return false
      }
    })
  }

  /** True for a call of a library function that does not change its arguments. */
  #onlyLooks(call: Call): boolean {
    const callee = unchained(call.callee)
    const name = callee.type === 'MemberExpression' ? callee.object : callee
    return (
      name.type === 'Identifier' &&
      !this.#world.scopes.bindingOf.has(name) &&
      /^(?:Promise|console|print|JSON|String)$/.test(name.name)
    )
  }
}

/** True for a property of an object that is sent to a tool. */
export function isSent(tree: Tree, tools: Tools, property: Node): boolean {
  const object = tree.parentOf(property)
  const call = object === undefined ? undefined : tree.parentOf(object)
  return call?.type === 'CallExpression' && tools.toolOf(call.callee) !== undefined
}
