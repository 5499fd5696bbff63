// Decides whether a program uses the answers of tools as text or as data (../value-flow.ts). `r.split("\n")` and
// `JSON.parse(r)` use an answer as text; `r.key`, `r.map(…)` and `for (const row of r) row.key` use it as data. A
// promise counts as its value.

import { type Place, type Readings, ValueFlow } from '../value-flow.js'
import type { Binding, Scopes } from './scopes.js'
import type { Tools } from './tools.js'
import { type FunctionNode, keyName, memberName, type Node, type Tree, unchained } from './tree.js'

/** The operations whose result depends on whether an answer is text or data. */
export type Question =
  | 'length'
  | 'iteration'
  | 'index'
  | 'slice'
  | 'includes'
  | 'indexOf'
  | 'lastIndexOf'
  | 'at'
  | 'concat'

/** The uses of answers, by the calls that return them. */
export type JavaScriptReadings = Readings<Node, Question>

export function readings(tree: Tree, scopes: Scopes, tools: Tools): JavaScriptReadings {
  if (tools.named.size === 0) return { answers: new Map(), questions: new Map() }
  return new Reader(tree, scopes, tools).read()
}

/** Methods of texts that arrays do not have. */
const TEXT_METHODS: ReadonlySet<string> = new Set(
  (
    'charAt charCodeAt codePointAt endsWith localeCompare match matchAll normalize padEnd padStart repeat replace ' +
    'replaceAll search split startsWith substr substring toLowerCase toUpperCase toLocaleLowerCase ' +
    'toLocaleUpperCase trim trimEnd trimStart isWellFormed toWellFormed'
  ).split(' '),
)

/** Methods of texts that people call on single characters too. */
const OF_CHARACTERS: ReadonlySet<string> = new Set(
  'charCodeAt codePointAt localeCompare match normalize padEnd padStart repeat toLowerCase toUpperCase'.split(' '),
)

/** Members of both strings and arrays. */
const SHARED: ReadonlySet<string> = new Set(['slice', 'includes', 'indexOf', 'lastIndexOf', 'at', 'concat'])

/** Members of every value. They decide nothing. */
const OF_ALL: ReadonlySet<string> = new Set('toString valueOf toJSON constructor then catch finally'.split(' '))

const TEXT_FUNCTIONS: ReadonlySet<string> = new Set(
  'parseInt parseFloat encodeURIComponent decodeURIComponent encodeURI decodeURI escape unescape btoa atob encode'.split(
    ' ',
  ),
)

/** Methods that search for their argument. */
const IDENTIFYING: ReadonlySet<string> = new Set('add has get set delete includes indexOf lastIndexOf'.split(' '))

/** Containers that distinguish values by identity. */
const KEEPING = /^(?:Set|Map)$/

/** Operations that return elements. */
const ELEMENTAL: ReadonlySet<Question> = new Set(['iteration', 'index', 'slice', 'at', 'concat'])

type CallExpression = Extract<Node, { type: 'CallExpression' }>
type MemberExpression = Extract<Node, { type: 'MemberExpression' }>

class Reader {
  readonly #tree: Tree
  readonly #scopes: Scopes
  readonly #tools: Tools
  readonly #values = new ValueFlow<Node, Question>()
  readonly #variables = new Map<Binding, Place>()
  /** The places of methods and fields, by name, whatever their class. */
  readonly #members = new Map<string, Place>()
  readonly #places = new Map<Node, Place>()
  readonly #results = new Map<FunctionNode, Place>()

  constructor(tree: Tree, scopes: Scopes, tools: Tools) {
    this.#tree = tree
    this.#scopes = scopes
    this.#tools = tools
  }

  read(): JavaScriptReadings {
    // Inner nodes come first. The tree may be too high for recursive functions.
    const { nodes } = this.#tree
    for (let i = nodes.length - 1; i >= 0; i--) this.#classMember(nodes[i]!)
    for (let i = nodes.length - 1; i >= 0; i--) this.#node(nodes[i]!)
    return this.#values.readings()
  }

  // ---- places ------------------------------------------------------------------------------------------------------

  #variable(node: Node): Place | undefined {
    const binding = this.#scopes.bindingOf.get(node)
    return binding === undefined ? undefined : this.#values.placeIn(this.#variables, binding)
  }

  #of(raw: Node): Place {
    const node = unchained(raw)
    const known = this.#places.get(node)
    if (known !== undefined) return known
    const place = this.#values.place()
    this.#places.set(node, place)
    const from = this.#comesFrom(node, place)
    if (from !== undefined) this.#values.flow(from, place)
    return place
  }

  #comesFrom(node: Node, place: Place): Place | undefined {
    const ways = this.#values
    switch (node.type) {
      case 'Identifier':
        return this.#variable(node)
      case 'AwaitExpression':
        return this.#of(node.argument)
      case 'ConditionalExpression':
        ways.flow(this.#of(node.consequent), place)
        return this.#of(node.alternate)
      case 'LogicalExpression': {
        let left: Node = node
        for (; left.type === 'LogicalExpression'; left = left.left) ways.flow(this.#of(left.right), place)
        return this.#of(left)
      }
      case 'SequenceExpression':
        return this.#of(node.expressions.at(-1)!)
      case 'AssignmentExpression':
        return node.operator === '=' ? this.#of(node.right) : undefined
      case 'ArrayExpression':
        for (const [i, element] of node.elements.entries()) {
          if (element === null) continue
          if (element.type === 'SpreadElement') ways.flow(this.#part(element), ways.child(place, '*'))
          else for (const key of ['*', `#${i}`]) ways.flow(this.#of(element), ways.child(place, key))
        }
        return undefined
      case 'ObjectExpression':
        for (const p of node.properties) {
          if (p.type === 'SpreadElement') ways.flow(this.#of(p.argument), place)
          else ways.flow(this.#of(p.value), ways.child(place, this.#key(keyName(p))))
        }
        return undefined
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
        this.#function(node, place)
        return undefined
      case 'MemberExpression': {
        if (node.object.type === 'ThisExpression' || node.object.type === 'Super')
          return ways.placeIn(this.#members, memberName(node) ?? '*')
        const name = memberName(node)
        return ways.element(this.#of(node.object), this.#key(name))
      }
      case 'CallExpression':
        return this.#call(node, place)
      default:
        return undefined
    }
  }

  #key(name: string | undefined): string {
    return name === undefined || /^\d+$/.test(name) ? '*' : `[${name}]`
  }

  #function(fn: FunctionNode, place: Place): void {
    for (const [i, p] of fn.params.entries())
      if (p.type !== 'RestElement') this.#assign(p, this.#values.child(place, `(${i}`))
    this.#values.flow(this.#resultOf(fn), this.#values.child(place, ')'))
  }

  #resultOf(fn: FunctionNode): Place {
    const result = this.#values.placeIn(this.#results, fn)
    if (fn.body.type !== 'BlockStatement') this.#values.flow(this.#of(fn.body), result)
    return result
  }

  #assign(target: Node, value: Place): void {
    const ways = this.#values
    switch (target.type) {
      case 'Identifier': {
        const variable = this.#variable(target)
        if (variable !== undefined) ways.flow(value, variable)
        return
      }
      case 'AssignmentPattern':
        ways.flow(this.#of(target.right), value)
        return this.#assign(target.left, value)
      case 'ObjectPattern':
        // Programs do not destructure a text.
        value.data = true
        for (const p of target.properties)
          if (p.type !== 'RestElement') this.#assign(p.value, ways.element(value, this.#key(keyName(p))))
        return
      case 'ArrayPattern':
        value.data = true
        for (const [i, element] of target.elements.entries()) {
          if (element === null) continue
          if (element.type === 'RestElement') this.#assign(element.argument, ways.part(value))
          else this.#assign(element, ways.element(value, `#${i}`))
        }
        return
      case 'MemberExpression': {
        const name = memberName(target)
        if (target.object.type === 'ThisExpression') return ways.flow(value, ways.placeIn(this.#members, name ?? '*'))
        return ways.flow(value, ways.child(this.#of(target.object), this.#key(name)))
      }
      default:
    }
  }

  /** The place of an element of a spread value. */
  #part({ argument }: Extract<Node, { type: 'SpreadElement' }>): Place {
    return this.#values.element(this.#of(argument))
  }

  /** Records that a value is a text, unless the program has tested whether it is one. */
  #takeForText(node: Node): void {
    this.#of(node)[this.#isAsked(unchained(node)) ? 'textIfAny' : 'text'] = true
  }

  /** True inside a branch for strings. */
  #isAsked(node: Node): boolean {
    if (node.type !== 'Identifier') return false
    const binding = this.#scopes.bindingOf.get(node)
    let inner: Node = node
    for (let outer = this.#tree.parentOf(node); outer !== undefined; outer = this.#tree.parentOf(outer)) {
      if ((outer.type === 'ConditionalExpression' || outer.type === 'IfStatement') && outer.consequent === inner)
        if (binding !== undefined && this.#askedOf(outer.test) === binding) return true
      inner = outer
    }
    return false
  }

  /** The variable of the test `typeof t === 'string'`. */
  #askedOf(test: Node): Binding | undefined {
    if (test.type !== 'BinaryExpression' || !test.operator.startsWith('==')) return undefined
    const { left, right } = test
    const isForStrings = right.type === 'Literal' && right.value === 'string'
    return isForStrings && left.type === 'UnaryExpression' && left.operator === 'typeof'
      ? this.#scopes.bindingOf.get(unchained(left.argument))
      : undefined
  }

  /** Records a comparison or lookup by identity, in which data would never equal anything. */
  #identify(node: Node): void {
    this.#of(node).textIfAny = true
  }

  /** Records the elements of a new set or map. */
  #keep(elements: Node): void {
    if (elements.type === 'SpreadElement') return
    this.#look(elements, 'iteration')
    this.#values.child(this.#of(elements), '*').textIfAny = true
  }

  #look(node: Node, question: Question): void {
    const operand = unchained(node)
    this.#of(operand).noCharacter = true
    this.#values.look(operand, this.#of(operand), question, ELEMENTAL.has(question))
  }

  // ---- nodes -------------------------------------------------------------------------------------------------------

  #classMember(node: Node): void {
    if (node.type !== 'MethodDefinition' && node.type !== 'PropertyDefinition') return
    const member = this.#values.placeIn(this.#members, keyName(node) ?? '*')
    if (node.type === 'MethodDefinition') this.#function(node.value, this.#constructed(node) ?? member)
    else if (node.value) this.#values.flow(this.#of(node.value), member)
  }

  /** The place of the class whose constructor this is. */
  #constructed(node: Extract<Node, { type: 'MethodDefinition' }>): Place | undefined {
    const body = node.kind === 'constructor' ? this.#tree.parentOf(node) : undefined
    const owner = body && this.#tree.parentOf(body)
    return owner?.type === 'ClassDeclaration' && owner.id ? this.#variable(owner.id) : undefined
  }

  #node(node: Node): void {
    switch (node.type) {
      case 'VariableDeclarator':
        if (node.init) this.#assign(node.id, this.#of(node.init))
        return
      case 'AssignmentExpression':
        if (node.operator === '=') this.#assign(node.left, this.#of(node.right))
        else if (node.operator === '+=' && isText(node.right)) this.#takeForText(node.left)
        return
      case 'FunctionDeclaration': {
        const variable = node.id && this.#variable(node.id)
        if (variable) this.#function(node, variable)
        return
      }
      case 'ReturnStatement':
        return this.#return(node)
      case 'YieldExpression':
        return this.#yield(node)
      case 'ForOfStatement': {
        this.#look(node.right, 'iteration')
        const target = node.left.type === 'VariableDeclaration' ? node.left.declarations[0]!.id : node.left
        return this.#assign(target, this.#values.element(this.#of(node.right)))
      }
      case 'SpreadElement':
        if (this.#tree.parentOf(node)?.type === 'ObjectExpression') this.#of(node.argument).data = true
        else this.#look(node.argument, 'iteration')
        return
      case 'BinaryExpression':
        return this.#binary(node)
      case 'SwitchStatement':
        if (node.cases.some(({ test }) => test && isText(test))) this.#identify(node.discriminant)
        return
      case 'MemberExpression':
        return this.#member(node)
      case 'NewExpression':
        if (KEEPING.test(this.#globalName(node.callee) ?? '') && node.arguments[0]) this.#keep(node.arguments[0])
        for (const [i, a] of node.arguments.entries())
          if (a.type !== 'SpreadElement')
            this.#values.flow(this.#of(a), this.#values.child(this.#of(node.callee), `(${i}`))
        return
      case 'CallExpression':
      case 'ConditionalExpression':
      case 'ArrayExpression':
      case 'ObjectExpression':
      case 'AwaitExpression':
        this.#of(node)
        return
      default:
    }
  }

  #return(node: Extract<Node, { type: 'ReturnStatement' }>): void {
    const fn = this.#tree.functionOf(node)
    if (fn !== undefined && node.argument) this.#values.flow(this.#of(node.argument), this.#resultOf(fn))
  }

  #yield(node: Extract<Node, { type: 'YieldExpression' }>): void {
    const fn = this.#tree.functionOf(node)
    if (node.delegate) this.#look(node.argument!, 'iteration')
    if (fn === undefined || !node.argument) return
    const given = this.#of(node.argument)
    this.#values.flow(node.delegate ? this.#values.element(given) : given, this.#values.child(this.#resultOf(fn), '*'))
  }

  #binary({ operator, left, right }: Extract<Node, { type: 'BinaryExpression' }>): void {
    if (operator === '+') {
      if (isText(left)) this.#takeForText(right)
      if (isText(right)) this.#takeForText(left)
      return
    }
    if (operator === 'in') this.#of(right).data = true
    if (isNoCharacter(left)) this.#of(right).noCharacter = true
    if (isNoCharacter(right)) this.#of(left).noCharacter = true
    if (/^[=!]==?$/.test(operator) && !isNoText(left) && !isNoText(right))
      for (const x of [left, right]) this.#identify(x)
  }

  /** A member that is not a callee. Callees are handled with their calls. */
  #member(node: MemberExpression): void {
    const parent = this.#tree.parentOf(node)
    if ((parent?.type === 'CallExpression' && parent.callee === node) || node.object.type === 'Super') return
    const name = memberName(node)
    const { computed, property } = node
    if (name === 'length') this.#look(node.object, 'length')
    else if (computed && property.type === 'Literal' && typeof property.value === 'number')
      this.#look(node.object, 'index')
    else if (name === undefined) return
    else if (!OF_ALL.has(name)) this.#of(node.object).data = true
  }

  // ---- calls -------------------------------------------------------------------------------------------------------

  #call(node: CallExpression, place: Place): Place | undefined {
    const ways = this.#values
    const callee = unchained(node.callee)
    const args = node.arguments.filter((a) => a.type !== 'SpreadElement')
    if (this.#tools.toolOf(callee) !== undefined) {
      for (const a of args) this.#sent(a)
      ways.source(node, place)
      return undefined
    }
    if (callee.type === 'MemberExpression') {
      const name = memberName(callee)
      const global = this.#globalName(callee.object)
      if (this.#tools.toolOf(callee.object) !== undefined && name === 'safe') {
        ways.child(place, '[value]').undecided = true
        return undefined
      }
      if (name !== undefined && global !== undefined) return this.#builtin(`${global}.${name}`, args, place)
      if (name !== undefined) return this.#method(callee, name, node, place)
    }
    const global = this.#globalName(callee)
    if (global !== undefined) return this.#builtin(global, args, place)
    const called = this.#of(callee)
    for (const [i, a] of args.entries()) ways.flow(this.#of(a), ways.child(called, `(${i}`))
    return ways.child(called, ')')
  }

  /** Records a direct argument of a tool. */
  #sent(argument: Node): void {
    if (argument.type !== 'ObjectExpression') this.#of(argument).noCharacter = true
    else for (const p of argument.properties) if (p.type !== 'SpreadElement') this.#of(p.value).noCharacter = true
  }

  #globalName(node: Node): string | undefined {
    return node.type === 'Identifier' &&
      !this.#scopes.bindingOf.has(node) &&
      this.#tools.namespaceOf(node) === undefined
      ? node.name
      : undefined
  }

  #builtin(name: string, args: readonly Node[], place: Place): undefined {
    const ways = this.#values
    const [first, second] = args
    if (first === undefined) return undefined
    const own = name.slice(name.lastIndexOf('.') + 1)
    if (name === 'JSON.parse') this.#of(first).parsed = true
    if (TEXT_FUNCTIONS.has(own)) this.#takeForText(first)
    switch (name) {
      case 'Promise.all':
      case 'Promise.race':
      case 'Promise.any':
      case 'Promise.resolve':
      case 'Object.freeze':
      case 'structuredClone':
        ways.flow(
          name === 'Promise.race' || name === 'Promise.any' ? ways.child(this.#of(first), '*') : this.#of(first),
          place,
        )
        return undefined
      case 'Promise.allSettled':
        ways.flow(ways.child(this.#of(first), '*'), ways.child(ways.child(place, '*'), '[value]'))
        return undefined
      case 'parallel':
        ways.flow(ways.child(ways.child(this.#of(first), '*'), ')'), ways.child(place, '*'))
        return undefined
      case 'Object.keys':
      case 'Object.values':
      case 'Object.entries':
      case 'Object.assign':
        this.#of(first).data = true
        if (name === 'Object.values') ways.flow(ways.child(this.#of(first), '*'), ways.child(place, '*'))
        return undefined
      case 'Array.from':
        this.#look(first, 'iteration')
        if (second === undefined) ways.flow(ways.element(this.#of(first)), ways.child(place, '*'))
        else {
          ways.flow(ways.element(this.#of(first)), ways.child(this.#of(second), '(0'))
          ways.flow(ways.child(this.#of(second), ')'), ways.child(place, '*'))
        }
        return undefined
      default:
        return undefined
    }
  }

  #method({ object }: MemberExpression, name: string, call: CallExpression, place: Place): Place | undefined {
    const args = call.arguments.filter((a) => a.type !== 'SpreadElement')
    const [first] = args
    if (object.type === 'ThisExpression' || object.type === 'Super') return this.#own(name, args)
    const on = this.#of(object)
    if (name === 'test' || name === 'exec') {
      if (first) this.#takeForText(first)
      return undefined
    }
    const isOwn = this.#members.has(name)
    if (TEXT_METHODS.has(name) && !isOwn) {
      this.#takeForText(object)
      if (!OF_CHARACTERS.has(name)) on.noCharacter = true
    } else if (SHARED.has(name)) this.#look(object, name as Question)
    else if (!OF_ALL.has(name)) on.data = true
    const elements = this.#values.child(on, '*')
    if (first !== undefined && IDENTIFYING.has(name) && !isOwn) {
      this.#identify(first)
      elements.textIfAny = true
    }
    return this.#callingBack(name, on, call, place)
  }

  /** Handles methods that pass their object or its elements to a function, and passes on all others. */
  #callingBack(name: string, on: Place, call: CallExpression, place: Place): Place | undefined {
    const ways = this.#values
    const [first, second] = call.arguments.filter((a) => a.type !== 'SpreadElement')
    const callback = first === undefined ? undefined : this.#of(first)
    switch (name) {
      case 'then':
        if (callback === undefined) return on
        ways.flow(on, ways.child(callback, '(0'))
        return ways.child(callback, ')')
      case 'map':
      case 'flatMap':
        if (callback === undefined) return undefined
        ways.flow(ways.element(on), ways.child(callback, '(0'))
        ways.flow(ways.child(callback, ')'), name === 'map' ? ways.child(place, '*') : place)
        return undefined
      case 'forEach':
      case 'some':
      case 'every':
      case 'find':
      case 'findLast':
      case 'findIndex':
      case 'filter':
      case 'sort':
      case 'toSorted':
        if (callback !== undefined)
          for (const parameter of /ort/.test(name) ? ['(0', '(1'] : ['(0'])
            ways.flow(ways.element(on), ways.child(callback, parameter))
        ways.flow(ways.element(on), name.startsWith('find') ? place : ways.child(place, '*'))
        return undefined
      case 'reduce':
        if (callback === undefined) return undefined
        ways.flow(ways.element(on), ways.child(callback, '(1'))
        if (second !== undefined) ways.flow(this.#of(second), ways.child(callback, '(0'))
        ways.flow(ways.child(callback, ')'), ways.child(callback, '(0'))
        return ways.child(callback, ')')
      default:
        return this.#moving(name, on, call, place)
    }
  }

  /** Handles methods that take or return elements, and those of the program's own classes. */
  #moving(name: string, on: Place, call: CallExpression, place: Place): Place | undefined {
    const ways = this.#values
    const args = call.arguments.filter((a) => a.type !== 'SpreadElement')
    switch (name) {
      case 'catch':
      case 'finally':
        return on
      case 'push':
      case 'unshift':
      case 'add':
        for (const a of call.arguments)
          ways.flow(a.type === 'SpreadElement' ? this.#part(a) : this.#of(a), ways.child(on, '*'))
        return undefined
      case 'set':
        if (args[1] !== undefined) ways.flow(this.#of(args[1]), ways.child(on, '*'))
        return undefined
      case 'get':
      case 'at':
      case 'pop':
      case 'shift':
        ways.flow(ways.element(on), place)
        return undefined
      case 'concat':
        for (const a of args) ways.flow(ways.element(this.#of(a)), ways.child(place, '*'))
        ways.flow(ways.element(on), ways.child(place, '*'))
        return undefined
      case 'slice':
      case 'reverse':
      case 'flat':
      case 'values':
        ways.flow(ways.element(on), ways.child(place, '*'))
        return undefined
      default:
        return this.#members.has(name) ? this.#own(name, args) : undefined
    }
  }

  /** Handles a method of the program's own classes. */
  #own(name: string, args: readonly Node[]): Place {
    const method = this.#values.placeIn(this.#members, name)
    for (const [i, a] of args.entries()) this.#values.flow(this.#of(a), this.#values.child(method, `(${i}`))
    return this.#values.child(method, ')')
  }
}

/**
 * True for a number, or a text of several characters. A value that is compared with it, or computed with it, is not a
 * character.
 */
function isNoCharacter(node: Node): boolean {
  return (
    node.type === 'Literal' &&
    (typeof node.value === 'number' || (typeof node.value === 'string' && node.value.length > 1))
  )
}

/** True for a value that surely is not a text. */
function isNoText(node: Node): boolean {
  return (
    (node.type === 'Literal' && typeof node.value !== 'string') ||
    (node.type === 'Identifier' && node.name === 'undefined') ||
    node.type === 'UnaryExpression'
  )
}

/** True for a string literal, or a sum with one. */
function isText(node: Node): boolean {
  const last = node.type === 'BinaryExpression' && node.operator === '+' ? node.right : node
  return (last.type === 'Literal' && typeof last.value === 'string') || last.type === 'TemplateLiteral'
}
