// Rewrites a checked program to the JavaScript that the guest runs: the program's own text in a function, with small
// insertions. The lines stay, one further down, and every insertion is noted, so that places in the guest's text can be
// mapped back to the program's.
//
// The insertions are calls of the runtime, under a name that the program does not use:
//
//   last expression     $s.last = (…)               the result, unless the program has another one
//   await x             await $s.t(x)               notes that somebody waits, so a failure counts as handled
//   async function      function … $s.a(async …)    notes the promise that the function returns
//   async ({x}) => …    (...$sa) => $s.a(async ({x}) => …,$sa)  the same; a failing parameter rejects the promise
//   new Promise(…)      $s.made(new Promise(…))     notes this promise
//   catch (e) {         $s.c(e)                     passes on uncatchable failures (in programs without promises)
//   throw "text"        throw $s.thrown("text")     remembers the place, because a text has none
//   const {a} = x       = $s.d(x)                   gives a failing destructuring a place
//   const [a] = x       = $s.i(x)                   the same for iterations, here and in `for … of`
//   extends 5           extends ($s,5)              a mark (marks.ts): gives a failure a place
//   e.stack             $s.s(e).stack               makes the stack one of the program before it is read
//   new 5               new 5()                     without parentheses the engine blames the next expression
//   new new A()[0]      new (new A()[0])()          the engine takes the last parentheses for a call
//   server.f(x)         $s.text(server.f)(x)        the program uses the answer as text; `data`: as data
//   x.length            $s.q(x,…).length            where `x` may be an undecided answer
//   a saved program     name:($p)=>{…},          a method of `programs` (saved-programs.ts); the others are left out
//   () => server.f(x)   $s.later(…)                 `parallel` may send this call early (in programs without promises)
//
// Invariant: outside of insertions the text is the program's, character for character, except for blanked words.

import type { ForeignNamespace } from '../foreign.js'
import { quote } from '../quote.js'
import { hasOwnPlace, isListed, type Mark, marksOf } from './marks.js'
import type { JavaScriptReadings } from './readings.js'
import { type Linked, parametersOf } from './saved-programs.js'
import type { Scopes } from './scopes.js'
import type { Tools } from './tools.js'
import { childrenOf, type FunctionNode, isFunction, memberName, type Node, type Tree, unchained } from './tree.js'

export interface Edit {
  /** The offset in the program's text. */
  readonly at: number
  /** The number of removed characters. */
  readonly taken: number
  readonly put: string
  /** True if places in the insertion belong to no expression. */
  readonly hidden: boolean
  /** The expression to which places in it belong, if that is not the one at `at`. */
  readonly about?: Node
}

export interface Rewritten {
  readonly code: string
  /** The edits in the order of their offsets. */
  readonly edits: readonly Edit[]
  /** The length of the code before the program's text. */
  readonly headLength: number
}

interface RewriteOptions {
  readonly tree: Tree
  readonly scopes: Scopes
  readonly tools: Tools
  readonly readings: JavaScriptReadings
  readonly commentLike: readonly number[]
  /** The saved programs before the program's own text. */
  readonly linked: readonly Linked[]
  readonly ownStart: number
  readonly promises: boolean
  /** Names that the program assigns and never declares. */
  readonly undeclared: readonly string[]
}

export function rewrite(options: RewriteOptions): Rewritten {
  const { tree, scopes, tools, promises, undeclared } = options
  const runtime = unusedName('$s', scopes)
  const edits = new Editor(options, runtime).edits()
  const spaces = [...tools.named.values()].map((space) => `${quote(space.name)}: ${members(space)}`)
  const parameters = [runtime, ...tools.named.keys()]
  const hasResult = scopes.topLevel.has('result') || undeclared.includes('result')
  const head = [
    `$starbind({${[...new Set(spaces)].join(', ')}}, [${[...tools.named.values()].map(({ name }) => quote(name)).join(', ')}], ${promises}, `,
    `function (${parameters.join(', ')}) {"use strict"; `,
    undeclared.length === 0 ? '' : `let ${undeclared.join(', ')}; `,
    `return ${promises ? 'async ' : ''}function () {`,
    hasResult ? `${runtime}.result = () => result;` : '',
    '\n',
  ].join('')
  return { code: `${head}${applied(tree.text, edits)}\n}})`, edits, headLength: head.length }
}

/** The functions of a namespace with their names. The first name of each is sent to the host. */
function members(space: ForeignNamespace): string {
  return `[${space.members.map((m) => `[${[m.name, ...(m.aliases ?? [])].map(quote).join(', ')}]`).join(', ')}]`
}

function unusedName(wanted: string, { names }: Scopes): string {
  let name = wanted
  for (let n = 1; names.has(name); n++) name = `${wanted}${n}`
  return name
}

/** The end of a statement without its semicolon. */
function endOf({ text }: Tree, { end }: Node): number {
  return text[end - 1] === ';' ? end - 1 : end
}

function applied(text: string, edits: readonly Edit[]): string {
  let out = ''
  let from = 0
  for (const { at, taken, put } of edits) {
    out += text.slice(from, at) + put
    from = at + taken
  }
  return out + text.slice(from)
}

class Editor {
  readonly #options: RewriteOptions
  readonly #runtime: string
  readonly #edits: Edit[] = []
  /** Nodes whose remaining text contains a `?.` chain. A call around a part of them would end the chain. */
  readonly #optional = new Set<Node>()
  /** The leftmost parts of the class operands of `new`. A call in such a part would be taken for the whole. */
  readonly #made = new Set<Node>()
  /** The starts of expression statements in a list of statements. */
  readonly #starts = new Set<number>()

  constructor(options: RewriteOptions, runtime: string) {
    this.#options = options
    this.#runtime = runtime
  }

  /** The insertions. Those at one place are in the order of their creation: outer nodes come first, and close last. */
  edits(): Edit[] {
    const { tree, commentLike, linked, ownStart } = this.#options
    this.#link()
    for (const at of [...linked.map(({ start }) => start), ownStart])
      if (tree.text.startsWith('#!', at)) this.#put(at, '//')
    for (const at of commentLike) this.#put(at + 1, ' ')
    for (const mark of marksOf(tree)) this.#mark(mark)
    this.#last()
    this.#chains()
    for (const node of tree.nodes)
      if (node.type === 'ExpressionStatement' && isListed(tree, node)) this.#starts.add(node.start)
    for (const node of tree.nodes) this.#node(node)
    const order = new Map(this.#edits.map((edit, i) => [edit, i]))
    const isClosing = ({ put }: Edit): boolean => /^(?:[),}]|\(\)$)/.test(put)
    return this.#edits.sort((a, b) => {
      if (a.at !== b.at) return a.at - b.at
      if (isClosing(a) !== isClosing(b)) return isClosing(a) ? -1 : 1
      const earlier = order.get(a)! - order.get(b)!
      return isClosing(a) ? -earlier : earlier
    })
  }

  #put(at: number, put: string, options: Partial<Pick<Edit, 'taken' | 'hidden' | 'about'>> = {}): void {
    this.#edits.push({ at, put, taken: 0, hidden: false, ...options })
  }

  #mark({ kind, about, at, end }: Mark): void {
    const runtime = this.#runtime
    const texts = { list: [`${runtime};`, ''], lone: [`{${runtime};`, '}'], expression: [`(${runtime},`, ')'] } as const
    const [open, close] = texts[kind]
    // A `try` block sometimes ends without a semicolon.
    this.#put(at, at === end ? `;${open}` : open, { about })
    if (close !== '') this.#put(end, close, { hidden: true })
  }

  /** Wraps an expression in a call of the runtime. Parentheses around a sequence stay outside. */
  #wrap({ type, start, end }: Node, name: string, hidden = false): void {
    const [open, close] = type === 'SequenceExpression' ? ['((', '))'] : ['(', ')']
    this.#put(start, `${this.#runtime}.${name}${open}`, { hidden })
    this.#put(end, close!, { hidden })
  }

  /** Turns saved programs into methods, and omits those that nobody calls. */
  #link(): void {
    const { scopes, linked, ownStart, promises } = this.#options
    const given = unusedName(`${this.#runtime}p`, scopes)
    let from = 0
    for (const [i, one] of linked.entries()) {
      if (from < one.start) this.#put(from, '', { taken: one.start - from })
      const open = `${i === 0 ? 'const programs={__proto__:null,' : ''}${one.name}:(${given})=>`
      const names = one.undeclared.length === 0 ? '' : `let ${one.undeclared.join(',')};`
      const body = `{${this.#given(one, given)}${names}`
      this.#put(one.start, `${open}${promises ? `${this.#runtime}.a(async()=>` : ''}${body}`, { hidden: true })
      this.#put(one.end, `\n;${this.#returned(one, given)}}${promises ? ')' : ''},`, { hidden: true })
      from = one.end
    }
    if (from < ownStart) this.#put(from, '', { taken: ownStart - from })
    if (linked.length > 0) this.#put(ownStart, '};', { hidden: true })
  }

  /** The check of the names of a saved program's arguments. */
  #given({ name, main }: Linked, given: string): string {
    const parameters = main?.pattern === undefined ? [] : parametersOf(main.pattern)
    const all = parameters.map((one) => quote(one.name))
    const needed = parameters.flatMap((one) => (one.usual === undefined ? [quote(one.name)] : []))
    return `${given}=${this.#runtime}.given(${quote(name)},[${needed}],[${all}],${given});`
  }

  /**
   * The value of a saved program without a `return`: that of `main`, else `result`, else that of its last expression.
   */
  #returned({ main, hasResult, body }: Linked, given: string): string {
    if (main !== undefined) return `return main(${given})`
    if (hasResult) return 'return result'
    const last = body.at(-1)
    if (last?.type !== 'ExpressionStatement' || isNoValue(last.expression)) return ''
    this.#put(last.start, ';return (')
    this.#put(endOf(this.#options.tree, last), ')')
    return ''
  }

  #last(): void {
    const { tree } = this.#options
    const last = tree.program.body.at(-1)
    if (last?.type !== 'ExpressionStatement' || isNoValue(last.expression)) return
    this.#put(last.start, `;${this.#runtime}.last=(`)
    this.#put(endOf(tree, last), ')')
  }

  #chains(): void {
    const { nodes } = this.#options.tree
    for (let i = nodes.length - 1; i >= 0; i--) {
      const node = nodes[i]!
      const left = leftOf(node)
      if (left !== undefined && ('optional' in node ? node.optional || this.#optional.has(left) : false))
        this.#optional.add(node)
    }
    for (const node of nodes) {
      const left = node.type === 'NewExpression' ? node.callee : this.#made.has(node) ? leftOf(node) : undefined
      if (left !== undefined) this.#made.add(left)
    }
  }

  #arguments(node: Extract<Node, { type: 'NewExpression' }>): void {
    const { text } = this.#options.tree
    const { callee, start, end } = node
    const isBare = !text.slice(callee.end, end).includes('(')
    // The engine takes the parentheses of `new new A()[0]()` for those of a call.
    if (this.#beginsWithNew(callee) && text.slice(start + 'new'.length, callee.start).trim() === '') {
      this.#put(callee.start, '(', { hidden: true })
      this.#put(callee.end, isBare ? ')()' : ')', isBare ? { about: node } : { hidden: true })
    } else if (isBare) this.#put(end, '()', { about: node })
  }

  #beginsWithNew(node: Node): boolean {
    let at: Node | undefined = node
    while (at !== undefined && at.type !== 'NewExpression') at = leftOf(at)
    return at !== undefined
  }

  #cannotBeCalled(node: Extract<Node, { type: 'MemberExpression' }>): boolean {
    return this.#optional.has(node.object) || this.#made.has(node)
  }

  #node(node: Node): void {
    const { tree, scopes } = this.#options
    this.#reading(node)
    if (isFunction(node)) return this.#function(node)
    switch (node.type) {
      case 'AwaitExpression':
        this.#put(node.start + 'await'.length, ` ${this.#runtime}.t(`, { about: node })
        this.#put(node.end, ')', { hidden: true })
        return
      case 'ForOfStatement':
        if (node.await) this.#wrap(node.right, 'each')
        else if (node.right.type !== 'ArrayExpression') this.#wrap(node.right, 'i')
        return
      case 'SpreadElement':
        if (tree.parentOf(node)?.type !== 'ObjectExpression' && !hasOwnPlace(node.argument))
          this.#wrap(node.argument, 'i')
        return
      case 'YieldExpression':
        if (node.delegate && node.argument && !tree.functionOf(node)?.async) this.#wrap(node.argument, 'i')
        return
      case 'CatchClause':
        return this.#catch(node)
      case 'NewExpression':
        if (node.callee.type === 'Identifier' && node.callee.name === 'Promise' && !scopes.bindingOf.has(node.callee))
          this.#wrap(node, 'made', true)
        this.#arguments(node)
        return
      case 'MemberExpression':
        if (memberName(node) === 'stack' && isReadable(tree, node) && !this.#cannotBeCalled(node))
          this.#wrap(node.object, 's', true)
        return
      case 'ThrowStatement':
        if (/Literal|ObjectExpression|ArrayExpression|BinaryExpression/.test(node.argument.type)) {
          this.#put(node.start + 'throw'.length, ` ${this.#runtime}.thrown(`)
          this.#put(endOf(tree, node), ')')
        }
        return
      case 'VariableDeclarator':
        if (node.init && /Pattern$/.test(node.id.type) && !/^(?:Object|Array)Expression$/.test(node.init.type))
          this.#wrap(node.init, node.id.type === 'ArrayPattern' ? 'i' : 'd')
        return
      default:
    }
  }

  #function(node: FunctionNode): void {
    const { promises, tools } = this.#options
    if (node.async && !node.generator) this.#asyncFunction(node)
    else if (!promises && node.type === 'ArrowFunctionExpression' && isPlainCall(node, tools)) this.#wrap(node, 'later')
  }

  #catch({ start, param, body }: Extract<Node, { type: 'CatchClause' }>): void {
    const { promises, scopes } = this.#options
    if (promises || (param && param.type !== 'Identifier')) return
    const name = param?.name ?? unusedName(`${this.#runtime}e`, scopes)
    if (!param) this.#put(start + 'catch'.length, `(${name})`)
    this.#put(body.start + 1, `${this.#runtime}.c(${name});`, { hidden: true })
  }

  /** Inserts the use of a tool's answer as text or data: at the call if the use is known, else where it matters. */
  #reading(node: Node): void {
    const { answers, questions } = this.#options.readings
    const answer = answers.get(node)
    if (answer !== undefined && node.type === 'CallExpression' && !node.optional && !this.#optional.has(node.callee))
      this.#wrap(node.callee, answer, true)
    const question = questions.get(node)
    if (question === undefined || this.#optional.has(node) || this.#made.has(node)) return
    const { text } = this.#options.tree
    const name = node.type === 'Identifier' ? text.slice(node.start, node.end) : 'r'
    this.#put(node.start, `${this.#runtime}.q(`, { about: node })
    this.#put(node.end, `,${quote(question)},${quote(name)})`, { hidden: true })
  }

  #asyncFunction(node: FunctionNode): void {
    const { tree } = this.#options
    const { text } = tree
    this.#blankAsync(node)
    if (!node.params.every(isSimple)) return this.#asyncParameters(node)
    const { body } = node
    if (node.type !== 'ArrowFunctionExpression') {
      const isEmpty = body.start + 2 === body.end
      this.#put(body.start + 1, `return ${this.#runtime}.a(async()=>{${isEmpty ? '})' : ''}`, { hidden: true })
      if (!isEmpty) this.#put(body.end - 1, '})', { hidden: true })
      return
    }
    const lastParameter = node.params.at(-1)
    const arrow = arrowIn(text, lastParameter?.end ?? node.start, body.start)
    this.#put(arrow + 2, `${this.#runtime}.a(async()=>`, { hidden: true })
    this.#put(node.end, ')', { hidden: true })
  }

  /** Moves parameters that can fail to the inner function, so that the promise fails instead of the call. */
  #asyncParameters(node: FunctionNode): void {
    const { text } = this.#options.tree
    const given = unusedName(`${this.#runtime}a`, this.#options.scopes)
    const isArrow = node.type === 'ArrowFunctionExpression'
    const word = pastGap(text, node.start + 'async'.length)
    const name = isArrow ? word : node.id ? node.id.end : word + 'function'.length
    const open = text[node.start] === '(' ? node.start : pastGap(text, name)
    const close = pastGap(text, node.params.at(-1)!.end, /[,)]/)
    const before = isArrow ? `(...${given})=>` : `(...${given}){return `
    this.#put(open, `${before}${this.#runtime}.a(async`, { hidden: true })
    if (!isArrow) this.#put(close, '=>', { hidden: true })
    this.#put(node.end, `,${given})${isArrow ? '' : '}'}`, { hidden: true })
  }

  /** True at the start of a statement in a list. After `if (…)` and `else` a line can't continue the one before. */
  #beginsStatement({ start, ...node }: FunctionNode): boolean {
    return node.type === 'ArrowFunctionExpression' && this.#starts.has(start)
  }

  /** Blanks the word before a function, or before the name of a method. */
  #blankAsync(node: FunctionNode): void {
    const { tree } = this.#options
    const { text } = tree
    const parent = tree.parentOf(node)
    const isMethod = parent?.type === 'MethodDefinition' || (parent?.type === 'Property' && parent.method)
    const start = isMethod ? pastGap(text, parent.start, /static(?=\s|\/)/) : node.start
    // Without the word, a line that begins with a parenthesis or a bracket would continue the line before.
    const alone = isMethod ? parent.type === 'MethodDefinition' && start === parent.start : this.#beginsStatement(node)
    this.#put(start, alone ? ';    ' : '     ', { taken: 5 })
  }
}

/** True for a member that is read for its value and whose object can be wrapped in a call. */
function isReadable(tree: Tree, node: Extract<Node, { type: 'MemberExpression' }>): boolean {
  if (node.object.type === 'Super') return false
  const parent = tree.parentOf(node)
  switch (parent?.type) {
    case 'AssignmentExpression':
    case 'AssignmentPattern':
    case 'ForOfStatement':
    case 'ForInStatement':
      return parent.left !== node
    case 'UpdateExpression':
    case 'RestElement':
    case 'ArrayPattern':
    case 'TaggedTemplateExpression':
      return false
    case 'UnaryExpression':
      return parent.operator !== 'delete'
    case 'CallExpression':
    case 'NewExpression':
      return parent.callee !== node
    case 'Property':
      return tree.parentOf(parent)?.type !== 'ObjectPattern'
    default:
      return true
  }
}

/** The object of a member, or the callee of a call. */
function leftOf(node: Node): Node | undefined {
  if (node.type === 'CallExpression') return node.callee
  return node.type === 'MemberExpression' ? node.object : undefined
}

/** True for expressions whose value nobody uses. */
function isNoValue(node: Node): boolean {
  return (
    node.type === 'AssignmentExpression' ||
    node.type === 'UpdateExpression' ||
    (node.type === 'UnaryExpression' && node.operator === 'delete')
  )
}

/** True for `() => server.tool({…})` that contains no other call. */
function isPlainCall(node: Extract<Node, { type: 'ArrowFunctionExpression' }>, tools: Tools): boolean {
  const call = unchained(node.body)
  if (node.params.length > 0 || call.type !== 'CallExpression' || tools.toolOf(call.callee) === undefined) return false
  return call.arguments.every(isQuiet)
}

/** True if it contains no call. */
function isQuiet(value: Node): boolean {
  const open: Node[] = [value]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (
      !/^(?:Literal|Identifier|(?:Member|Binary|Array|Object)Expression|Template(?:Literal|Element)|Property)$/.test(
        node.type,
      )
    )
      return false
    if (node.type === 'Property' && (node.kind !== 'init' || node.computed)) return false
    for (const inner of childrenOf(node)) open.push(inner)
  }
  return true
}

/** True for parameters that can't fail. */
function isSimple(parameter: Node): boolean {
  return (
    parameter.type === 'Identifier' || (parameter.type === 'RestElement' && parameter.argument.type === 'Identifier')
  )
}

const GAP = /\s|\/\*[\s\S]*?\*\/|\/\/[^\r\n\u2028\u2029]*/

/** Skips spaces, comments and text that matches `also`. */
function pastGap(text: string, from: number, also: RegExp = GAP): number {
  const gap = new RegExp(`(?:${GAP.source}|${also.source})*`, 'y')
  gap.lastIndex = from
  return from + gap.exec(text)![0].length
}

/** The offset of the arrow between parameters and body. Comments may occur there, too. */
function arrowIn(text: string, from: number, to: number): number {
  const between = text
    .slice(from, to)
    .replace(/\/\*[\s\S]*?\*\/|\/\/[^\r\n\u2028\u2029]*/g, (comment) => ' '.repeat(comment.length))
  return from + between.lastIndexOf('=>')
}
