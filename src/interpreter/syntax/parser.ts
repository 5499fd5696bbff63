// The parser: its state, the current token, and errors. The productions of the grammar are functions in other files of
// this folder; their first parameter is the parser.

import { ABANDON, type Faults, STOP } from './faults.js'
import { foreignHint } from './foreign-hints.js'
import { type Affordance, type Fault, messages } from './messages.js'
import type { Expression, Identifier, Statement } from './nodes.js'
import { afterUnclosed, unclosedOpener } from './recovery.js'
import { Scanner, type ScanPoint, type Token } from './scan.js'
import * as T from './tokens.js'

/** The maximum nesting of expressions: brackets, operators with an operand on the right, lambda bodies. */
const MAX_NESTING = 200
/** The maximum nesting of blocks, as in CPython. */
export const MAX_BLOCKS = 100
/** The maximum height of an expression's tree, where a run of one operator counts once. */
export const MAX_HEIGHT = 500
/** The maximum length of a run of one arithmetic operator. */
export const MAX_CHAIN = 20_000
/** The maximum length of a run of `and` or `or`: later stages recurse into it. */
export const MAX_LOGICAL_CHAIN = 500
/**
 * The maximum number of clauses of a comprehension and of branches of an `if`. They nest, although the text does not
 * show it.
 */
export const MAX_CLAUSES = 100
export const MAX_BRANCHES = 500

/** Names that are keywords in Python's grammar and identifiers in Starlark's. */
export const constants: ReadonlySet<string> = new Set(['True', 'False', 'None'])

/** Recursive productions. The files below them call them through the parser. */
export interface Grammar {
  /** One expression, or several with commas, which make a tuple; any of them may be starred. */
  parseExpressions(p: Parser): Expression
  /** An expression without ':=' and commas. */
  parseTest(p: Parser): Expression
  /** An expression that may be `name := value`. */
  parseNamedTest(p: Parser): Expression
  /** An operand of the operators that bind at least as tightly as `level`. */
  parseOperation(p: Parser, level: number): Expression
  parseLambda(p: Parser, conditionalBody: boolean): Expression
  parseYield(p: Parser): Expression
  /** One compound statement or one line of simple ones; false when it was only the rest of a broken statement. */
  parseLine(p: Parser, body: Statement[]): boolean
}

/** A state to which the parser can go back, to parse the same text again. */
interface Bookmark {
  readonly point: ScanPoint
  readonly faults: number
  readonly depth: number
  readonly yields: boolean
}

export class Parser {
  readonly text: string
  readonly strict: boolean
  readonly faults: Faults
  readonly grammar: Grammar
  readonly scanner: Scanner
  /** The current token; `next` replaces its fields. */
  readonly token: Token
  /** The height of the expression that was read last. */
  height = 0
  depth = 0
  blocks = 0
  /** True if the current function has had a `yield`. */
  yields = false
  /** True inside a block below a broken header: it is parsed only for its own faults. */
  orphaned = false
  /** True directly after a statement of this block was abandoned. */
  broken = false
  /** True once a statement was dropped from the tree. */
  abandonedAny = false
  #bindsLoad: boolean | undefined

  constructor(text: string, strict: boolean, faults: Faults, grammar: Grammar) {
    this.text = text
    this.strict = strict
    this.faults = faults
    this.grammar = grammar
    this.scanner = new Scanner(text, strict, faults)
    this.token = this.scanner.token
  }

  /** Whether the program seems to bind the name `load` itself. */
  get bindsLoad(): boolean {
    this.#bindsLoad ??= /\b(?:def|as|for)\s+load\b|\bload\s*=(?!=)|[(,]\s*load\s*[,):]/.test(this.text)
    return this.#bindsLoad
  }

  // ---- Taking tokens ----

  next(): void {
    this.scanner.next()
  }

  eat(kind: T.TokenKind): boolean {
    if (this.token.kind !== kind) return false
    this.scanner.next()
    return true
  }

  expect(kind: T.TokenKind, want: string): void {
    if (this.token.kind !== kind) this.unexpected(want)
    this.scanner.next()
  }

  identifier(want: string): Identifier {
    const { kind, start, end, word } = this.token
    if (kind !== T.NAME) {
      if (kind >= T.FIRST_KEYWORD) this.reserved()
      this.unexpected(want)
    }
    if (!this.strict && constants.has(word)) this.reserved()
    this.scanner.next()
    return { kind: 'Identifier', start, end, name: word }
  }

  bookmark(): Bookmark {
    return { point: this.scanner.point(), faults: this.faults.count, depth: this.depth, yields: this.yields }
  }

  /** Goes back to a bookmark on the same logical line. */
  goBack({ point, faults, depth, yields }: Bookmark): void {
    this.scanner.goBack(point)
    this.faults.forget(faults)
    this.depth = depth
    this.yields = yields
  }

  // ---- Bounds ----

  /** Enters a level of nesting; every call is paired with `leave`. */
  enter(): void {
    if (++this.depth > MAX_NESTING) this.tooDeep(messages.nestedTooDeep('expressions', MAX_NESTING))
  }

  leave(): void {
    this.depth--
  }

  /** Ends the parse. Nobody writes such a text by hand, so further faults would not help. */
  tooDeep(fault: Fault): never {
    this.faults.report(fault, this.token.start, this.token.end)
    throw STOP
  }

  /** Records the height of an expression that was just made. */
  grow(height: number): void {
    this.height = height
    if (height > MAX_HEIGHT) this.tooDeep(messages.nestedTooDeep('operations', MAX_HEIGHT))
  }

  // ---- Complaints ----

  /** Reports a fault and gives up the current statement. */
  fail(fault: Fault, start = this.token.start, end = this.token.end): never {
    if (this.token.kind !== T.BAD) this.faults.report(fault, start, end)
    throw ABANDON
  }

  /** Reports a feature that only the default dialect has, in strict mode; does nothing otherwise. */
  affordance(name: Affordance, start = this.token.start, end = this.token.end): void {
    if (this.strict) this.faults.report(messages.notStarlark(name), start, end)
  }

  /** Fails at the current token. The message names the token and what is wanted instead. */
  unexpected(want: string, hint?: string): never {
    this.#failIfUnclosed()
    const { start, previousEnd } = this.token
    this.fail(messages.unexpected(this.found(), want, hint ?? foreignHint(this.text, start, previousEnd)))
  }

  /** Fails with a fault, unless a bracket that was never closed explains the error: then that is reported. */
  failAt(fault: Fault, start = this.token.start, end = this.token.end): never {
    this.#failIfUnclosed()
    this.fail(fault, start, end)
  }

  reserved(): never {
    this.#failIfUnclosed()
    const { word } = this.token
    const hint = word === 'load' ? 'load can only stand as a statement of its own' : `use another name: ${word}_`
    this.fail(messages.reservedWord(word, hint))
  }

  /** The current token in a message. */
  found(): string {
    const { kind, start, end } = this.token
    const source = this.text.slice(start, end)
    switch (kind) {
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
      case T.FLOAT:
        if (source.length <= 30 && !/[\n\r]/.test(source)) return source
        return kind === T.STRING ? 'a string' : kind === T.BYTES ? 'a bytes literal' : 'a number'
      default:
        return `'${source}'`
    }
  }

  #failIfUnclosed(): void {
    const { scanner, token } = this
    if (token.kind === T.BAD) throw ABANDON
    this.#failIfQuoted()
    const opener = scanner.openers.length > 0 ? unclosedOpener(scanner) : -1
    if (opener < 0) return
    if (scanner.field?.open === opener) this.fail(scanner.fieldNotClosed(scanner.field), opener, opener + 1)
    scanner.resume = afterUnclosed(scanner)
    const fault = messages.unclosedBracket(this.text.charAt(opener), this.faults.place(opener))
    // Strict mode reports the place where the parser noticed the missing bracket, as other Starlark implementations do.
    const noticed = token.kind === T.END ? this.text.trimEnd().length : token.start
    if (this.strict) this.fail(fault, noticed, Math.max(noticed, token.end))
    this.fail(fault, opener, opener + 1)
  }

  /** `'it's'`: a word directly after a string probably belongs to the string, so the quote is reported. */
  #failIfQuoted(): void {
    const { kind, start, previousEnd } = this.token
    const quote = this.text.charAt(start - 1)
    const word = kind === T.NAME || kind >= T.FIRST_KEYWORD
    if (!word || start !== previousEnd || (quote !== '"' && quote !== "'")) return
    this.fail(messages.quoteInString(quote), start - 1, start)
  }
}
