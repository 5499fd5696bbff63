// The parser's hand on the tokens: take one, want one, complain about one, and find back to firm ground afterwards.
// Knows no production of the grammar.

import { lineEnd, lineStart } from './characters.js'
import { ABANDON, STOP } from './faults.js'
import { foreignHint } from './foreign-hints.js'
import { type Fault, messages } from './messages.js'
import type { Identifier } from './nodes.js'
import { Scanner } from './scan.js'
import { skipBrokenLine, skipLogicalLine } from './skip.js'
import { findClose } from './strings.js'
import * as T from './tokens.js'

/** How deep expressions may nest: brackets, operators that take what follows them, lambda bodies. */
export const MAX_NESTING = 200
/** How deep blocks may nest, as in CPython. */
export const MAX_BLOCKS = 100
/** How high an expression's tree may be when a run of one operator counts once. */
export const MAX_HEIGHT = 500
/** How many operators a run of one arithmetic operator may have. */
export const MAX_CHAIN = 20_000
/** How many a run of `and` or `or` may have: later stages go down into it. */
export const MAX_LOGICAL_CHAIN = 500
/** How many clauses a comprehension may have, and branches an `if`: they nest, though no text shows it. */
export const MAX_CLAUSES = 100
export const MAX_BRANCHES = 500

/** Names that Python keeps for its constants; Starlark's grammar does not. */
export const constants: ReadonlySet<string> = new Set(['True', 'False', 'None'])

/** The outermost f-string being read: where its text starts and how many brackets were open before it. */
interface Literal {
  readonly from: number
  readonly quote: number
  readonly triple: boolean
  readonly openBefore: number
}

/** All that a second reading of the same text starts from. */
export interface Bookmark {
  readonly position: number
  readonly kind: T.TokenKind
  readonly start: number
  readonly end: number
  readonly previousEnd: number
  readonly word: string
  readonly openers: readonly number[]
  readonly faults: number
}

export abstract class Cursor extends Scanner {
  /** The height of the expression that was read last. */
  protected height = 0
  protected depth = 0
  protected literal: Literal | undefined
  /** Has a `yield` been read in the function that is being read? */
  protected yields = false

  // ---- Taking tokens ----

  protected eat(kind: T.TokenKind): boolean {
    if (this.kind !== kind) return false
    this.next()
    return true
  }

  protected expect(kind: T.TokenKind, want: string): void {
    if (this.kind !== kind) this.unexpected(want)
    this.next()
  }

  protected identifier(want: string): Identifier {
    if (this.kind !== T.NAME) {
      if (this.kind >= T.FIRST_KEYWORD) this.reserved()
      this.unexpected(want)
    }
    if (!this.strict && constants.has(this.word)) this.reserved()
    const node: Identifier = { kind: 'Identifier', start: this.start, end: this.end, name: this.word }
    this.next()
    return node
  }

  protected bookmark(): Bookmark {
    const { position, kind, start, end, previousEnd, word } = this
    return { position, kind, start, end, previousEnd, word, openers: this.openers.slice(), faults: this.faults.count }
  }

  /** Goes back to a bookmark on the same logical line. */
  protected goBack(to: Bookmark): void {
    this.position = to.position
    this.kind = to.kind
    this.start = to.start
    this.end = to.end
    this.previousEnd = to.previousEnd
    this.word = to.word
    this.openers = to.openers.slice()
    this.faults.forget(to.faults)
    this.resume = -1
  }

  // ---- Bounds ----

  /** Enters a level of nesting; every call is paired with `leave`. */
  protected enter(): void {
    if (++this.depth > MAX_NESTING) this.tooDeep(messages.nestedTooDeep('expressions', MAX_NESTING))
  }

  protected leave(): void {
    this.depth--
  }

  /** Ends the parse: a text like this was not written by anyone who could repair more of it. */
  protected tooDeep(fault: Fault): never {
    this.faults.report(fault, this.start, this.end)
    throw STOP
  }

  /** Notes the height of an expression that was just made. */
  protected grow(height: number): void {
    this.height = height
    if (height > MAX_HEIGHT) this.tooDeep(messages.nestedTooDeep('operations', MAX_HEIGHT))
  }

  // ---- Complaints ----

  /** Fails on the current token, saying what it is and what could stand there. */
  protected unexpected(want: string, hint?: string): never {
    this.failIfUnclosed()
    this.fail(messages.unexpected(this.found(), want, hint ?? foreignHint(this.text, this.start, this.previousEnd)))
  }

  /** Fails with another fault unless the reason is a bracket that was never closed. */
  protected failAt(fault: Fault, start = this.start, end = this.end): never {
    this.failIfUnclosed()
    this.fail(fault, start, end)
  }

  protected reserved(): never {
    this.failIfUnclosed()
    const hint =
      this.word === 'load' ? 'load can only stand as a statement of its own' : `use another name: ${this.word}_`
    this.fail(messages.reservedWord(this.word, hint))
  }

  /** The current token in a message. */
  protected found(): string {
    switch (this.kind) {
      case T.END:
        return 'end of program'
      case T.NEWLINE:
        return 'end of line'
      case T.INDENT:
        return 'an indented line'
      case T.DEDENT:
        return 'end of block'
      case T.FSTRING:
        return 'an f-string'
      case T.STRING:
      case T.BYTES:
      case T.INT:
      case T.FLOAT: {
        const source = this.text.slice(this.start, this.end)
        if (source.length <= 30 && !/[\n\r]/.test(source)) return source
        return this.kind === T.STRING ? 'a string' : this.kind === T.BYTES ? 'a bytes literal' : 'a number'
      }
      default:
        return `'${this.text.slice(this.start, this.end)}'`
    }
  }

  private failIfUnclosed(): void {
    if (this.kind === T.BAD) throw ABANDON
    this.failIfQuoted()
    const opener = this.openers.length > 0 ? this.unclosedOpener() : -1
    if (opener < 0) return
    if (this.field?.open === opener) this.fail(this.fieldNotClosed(this.field), opener, opener + 1)
    this.resume = this.suspect >= 0 ? this.suspect : this.afterUnclosed()
    const fault = messages.unclosedBracket(this.text.charAt(opener), this.faults.place(opener))
    // Strict mode reports where the missing bracket was noticed, as other Starlark implementations do.
    const noticed = this.kind === T.END ? this.text.trimEnd().length : this.start
    if (this.strict) this.fail(fault, noticed, Math.max(noticed, this.end))
    this.fail(fault, opener, opener + 1)
  }

  /** `'it's'`: a word directly after a string was meant to stand in it. */
  private failIfQuoted(): void {
    const quote = this.text.charAt(this.start - 1)
    const word = this.kind === T.NAME || this.kind >= T.FIRST_KEYWORD
    if (!word || this.start !== this.previousEnd || (quote !== '"' && quote !== "'")) return
    this.fail(messages.quoteInString(quote), this.start - 1, this.start)
  }

  /** Where to go on after a statement with an unclosed bracket in which no line looks like the next statement. */
  private afterUnclosed(): number {
    const line = skipBrokenLine(this.text, this.isBracket() ? this.end : this.start, this.openers)
    if (line.open.length === 0) return line.end
    return this.firstOnLine ? lineStart(this.text, this.start) : lineEnd(this.text, this.start)
  }

  /**
   * The innermost open bracket that nothing after the current token closes; -1 when all are closed. Inside an f-string
   * only its own text counts, since quotes and brackets after it can't be told apart from there.
   */
  private unclosedOpener(): number {
    const from = this.isBracket() ? this.end : this.start
    const least = this.literal?.openBefore ?? 0
    const text = this.literal ? this.text.slice(0, this.literalEnd(this.literal)) : this.text
    const { open } = skipLogicalLine(text, from, this.openers)
    for (let i = Math.min(open.length, this.openers.length) - 1; i >= least; i--) {
      if (open[i] === this.openers[i]) return open[i]!
    }
    return -1
  }

  /** Where the quotes stand that close an f-string if none of its fields holds such quotes. */
  private literalEnd({ from, quote, triple }: Literal): number {
    const close = findClose(this.text, from, quote, triple)
    return close < 0 ? lineEnd(this.text, from) : close
  }

  private isBracket(): boolean {
    return this.kind >= T.LPAREN && this.kind <= T.RBRACE
  }

  // ---- Going on after a complaint ----

  /** Moves to the first line after the statement that started at `from` and was given up. */
  protected leaveStatement(from: number): void {
    const to = this.resume >= 0 ? this.resume : this.statementEnd()
    this.resume = -1
    this.field = undefined
    this.literal = undefined
    this.jump(to > from ? to : lineEnd(this.text, from))
  }

  private statementEnd(): number {
    let from = this.kind === T.NEWLINE || this.kind === T.END ? this.start : this.end
    if (this.literal) {
      from = this.literalEnd(this.literal) + (this.literal.triple ? 3 : 1)
      this.openers.length = this.literal.openBefore
    }
    const line = skipBrokenLine(this.text, from, this.openers)
    return line.open.length > 0 ? lineEnd(this.text, from) : line.end
  }
}
