// Maps places in the guest's text to the program: from a line and column of a stack trace to an expression. Knows which
// token QuickJS records for each kind of expression: the parenthesis of a call, the dot or bracket of a member, an
// operator, the word `return`.
// Invariant: for any place the result is a range of the program's text or nothing. Nothing is computed before a
// failure.

import type { PositionTable, SourceRange } from '../program.js'
import type { Edit, Rewritten } from './rewrite.js'
import { isFunction, keyName, type Node, type Tree } from './tree.js'

export interface Place extends SourceRange {
  readonly node: Node
  /** The name of the enclosing function in the program. */
  readonly frame: string
}

export class Places implements PositionTable {
  readonly #tree: Tree
  readonly #rewritten: Rewritten
  #tokens: Map<number, Node> | undefined
  #lines: readonly number[] | undefined
  /** The offset of each column, for lines that have been looked up. */
  readonly #columns = new Map<number, readonly number[]>()

  /** The reason why an expression is `undefined` in every run, if the types of tools show it. */
  readonly lackOf: (node: Node) => string | undefined

  constructor(tree: Tree, rewritten: Rewritten, lackOf: (node: Node) => string | undefined) {
    this.#tree = tree
    this.#rewritten = rewritten
    this.lackOf = lackOf
  }

  get origin(): Tree['origin'] {
    return this.#tree.origin
  }

  find(line: number, column: number): Place | undefined {
    const node = this.#nodeAt(line, column)
    if (node === undefined) return undefined
    const whole = partOf(node)
    const end = isFunction(whole) ? Math.min(whole.end, whole.body.start) : whole.end
    const { origin } = this.#tree
    return { start: origin(whole.start), end: origin(end), node, frame: frameName(this.#tree, node) }
  }

  #nodeAt(line: number, column: number): Node | undefined {
    const at = this.#offsetOf(line, column)
    const found = at === undefined ? undefined : original(at, this.#rewritten.edits)
    if (found === undefined || typeof found === 'object') return found
    this.#tokens ??= tokensOf(this.#tree)
    return this.#tokens.get(found) ?? this.#around(found)
  }

  /**
   * The offset of a place in the code after its head. QuickJS counts columns in code points. The program may have
   * written the stack itself, so any place can occur.
   */
  #offsetOf(line: number, column: number): number | undefined {
    const { code, headLength } = this.#rewritten
    this.#lines ??= lineStarts(code)
    const start = this.#lines[line - 1]
    const end = this.#lines[line] ?? code.length
    if (start === undefined || column > end - start) return undefined
    let columns = this.#columns.get(line)
    if (columns === undefined) {
      columns = columnsIn(code.slice(start, end))
      this.#columns.set(line, columns)
    }
    const at = columns[column - 1]
    return at === undefined ? undefined : start + at - headLength
  }

  #around(offset: number): Node | undefined {
    let best: Node | undefined
    for (const node of this.#tree.nodes)
      if (
        node.start <= offset &&
        offset < node.end &&
        node.type !== 'Program' &&
        (best === undefined || node.end - node.start <= best.end - best.start)
      )
        best = node
    return best
  }
}

function lineStarts(code: string): number[] {
  const starts = [0]
  for (let at = code.indexOf('\n'); at >= 0; at = code.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

function columnsIn(line: string): number[] {
  const columns: number[] = []
  let at = 0
  for (const character of line) {
    columns.push(at)
    at += character.length
  }
  return columns
}

/** The part of a statement that failed. */
function partOf(node: Node): Node {
  switch (node.type) {
    case 'ReturnStatement':
      return node.argument ?? node
    case 'ForOfStatement':
      return node.right
    case 'SpreadElement':
      return node.argument
    case 'VariableDeclarator':
      return node.init ?? node
    default:
      return node
  }
}

/** The offset in the program's text, or the expression of an insertion. Undefined inside other insertions. */
function original(at: number, edits: readonly Edit[]): number | Node | undefined {
  if (at < 0) return undefined
  let shift = 0
  for (const edit of edits) {
    const place = edit.at + shift
    if (at < place) break
    if (at < place + edit.put.length) return edit.hidden ? undefined : (edit.about ?? edit.at)
    shift += edit.put.length - edit.taken
  }
  return at - shift
}

/** Expressions by the offset of their token. If two share a token, the outer one counts, which is visited first. */
function tokensOf({ nodes, text }: Tree): Map<number, Node> {
  const tokens = new Map<number, Node>()
  for (const node of nodes) {
    const at = tokenOf(node, text)
    if (at !== undefined && !tokens.has(at)) tokens.set(at, node)
  }
  return tokens
}

function tokenOf(node: Node, text: string): number | undefined {
  switch (node.type) {
    case 'CallExpression':
      return after(node.callee.end, text, '(')
    case 'NewExpression':
      return node.arguments.length > 0 || text[node.end - 1] === ')' ? after(node.callee.end, text, '(') : node.start
    case 'MemberExpression':
      return after(node.object.end, text, node.computed ? '[' : '.')
    case 'BinaryExpression':
      return node.left.type === 'PrivateIdentifier' ? undefined : after(node.left.end, text, node.operator)
    case 'ReturnStatement':
    case 'ThrowStatement':
    case 'Identifier':
    case 'AwaitExpression':
      return node.start
    case 'VariableDeclarator':
      return node.init && node.id.type !== 'Identifier' ? node.init.start : undefined
    case 'TaggedTemplateExpression':
      return node.quasi.start
    case 'ForOfStatement':
      return node.right.start
    case 'SpreadElement':
      return node.argument.start
    default:
      return undefined
  }
}

/** The next place of a token, past spaces, comments, closing parentheses and the signs of optional chains. */
function after(from: number, text: string, token: string): number | undefined {
  const gap = /(?:\s|\)|\?(?=\.)|\/\*[\s\S]*?\*\/|\/\/[^\r\n\u2028\u2029]*)*/y
  gap.lastIndex = from
  let at = from + gap.exec(text)![0].length
  if (token !== '.' && text[at] === '.' && text[at - 1] === '?') at++
  return text.startsWith(token, at) ? at : undefined
}

function frameName(tree: Tree, node: Node): string {
  const fn = isFunction(node) ? node : tree.functionOf(node)
  if (fn === undefined) return '<toplevel>'
  if (fn.type !== 'ArrowFunctionExpression' && fn.id) return fn.id.name
  const parent = tree.parentOf(fn)
  switch (parent?.type) {
    case 'VariableDeclarator':
      return parent.id.type === 'Identifier' ? parent.id.name : '<anonymous>'
    case 'Property':
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return keyName(parent) ?? '<anonymous>'
    case 'AssignmentExpression':
      return parent.left.type === 'Identifier' ? parent.left.name : '<anonymous>'
    default:
      return '<anonymous>'
  }
}
