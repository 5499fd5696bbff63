// Text to tokens, one at a time.
//
// The scanner has one token, and `next` replaces its fields. It never scans ahead, for two reasons. An f-string is not
// one token: after its opening quotes the parser reads literal text and fields from the scanner's position, and
// scanning continues after the closing quotes. And after an error the parser moves the scanner to the start of a
// statement, which would invalidate further tokens.
//
// The scanner reports wrong characters, the parser wrong tokens.
// Invariant: start <= end <= position; `end` is where the token ends, `position` where scanning continues.

import {
  afterBreak,
  isDigit,
  isPlainName,
  lineEnd,
  lineStart,
  meantBy,
  nameEnd,
  showCharacter,
  startsName,
} from './characters.js'
import * as C from './codes.js'
import { type Faults, STOP } from './faults.js'
import { Indentation, readMargin } from './layout.js'
import { bracesHint, type Fault, messages } from './messages.js'
import { readNumber } from './numbers.js'
import { decodeBytes, decodeText, findClose } from './strings.js'
import * as T from './tokens.js'

const stringPrefix = /^(?:[rbfu]|rb|br|rf|fr)$/i

const questions: Readonly<Record<string, string>> = {
  '?': 'write: a if condition else b',
  '??': 'write: a if a != None else b',
  '?.': 'write: a.b if a != None else None',
}

/** The current token. */
export class Token {
  kind: T.TokenKind = T.NEWLINE
  start = 0
  end = 0
  /** The end of the last token before this one that is not layout. */
  previousEnd = 0
  firstOnLine = true
  /** The name of a NAME or keyword, the value of a STRING, the operator of an AUGMENTED token. */
  word = ''
  integer = 0n
  float = 0
  bytes: readonly number[] = []
  /** The code of the opening quote of an FSTRING token. */
  quote = 0
  triple = false
  raw = false
}

/** A replacement field that is being parsed. */
export interface Field {
  /** The offset of its '{'. */
  readonly open: number
  /** The quotes that close its f-string. */
  readonly quotes: string
}

/** The outermost f-string that is being parsed: where its text starts, and how many brackets were open before it. */
export interface Literal {
  readonly from: number
  readonly quote: number
  readonly triple: boolean
  readonly openBefore: number
}

/** A state to which the scanner can go back, to scan the same logical line again. */
export interface ScanPoint {
  readonly position: number
  readonly token: Readonly<Token>
  readonly openers: readonly number[]
}

export class Scanner {
  readonly text: string
  readonly strict: boolean
  readonly faults: Faults
  readonly token = new Token()
  /** The offset of the next character. */
  position = 0
  /** Offsets of the brackets that are open, outermost first. */
  openers: number[] = []
  /** The innermost replacement field that is being parsed. */
  field: Field | undefined
  literal: Literal | undefined
  /** The offset at which parsing continues after the current statement is abandoned; -1 if unknown. */
  resume = -1
  /** The start of the first line inside open brackets that looks like a new statement; -1 if there is none. */
  suspect = -1
  readonly #indentation: Indentation
  readonly #keywords: ReadonlyMap<string, T.TokenKind>
  #dedentsDue = 0
  #atLineStart = true
  #fenceReported = false

  constructor(text: string, strict: boolean, faults: Faults) {
    this.text = text
    this.strict = strict
    this.faults = faults
    this.#indentation = new Indentation(faults, strict)
    this.#keywords = strict ? T.strictKeywords : T.keywords
    if (text.charCodeAt(0) === C.BYTE_ORDER_MARK) this.position = 1
  }

  /** The column of the innermost open block. */
  get blockColumn(): number {
    return this.#indentation.column
  }

  /** Reads the next token. */
  next(): void {
    const { token } = this
    if (token.kind > T.DEDENT) token.previousEnd = token.end
    token.firstOnLine = false
    if (this.#dedentsDue > 0) {
      this.#dedentsDue--
      token.kind = T.DEDENT
      return
    }
    if (this.#atLineStart && this.#startLine()) return
    this.#skipSpace()
    this.#token()
    if (token.firstOnLine && this.openers.length > 0) this.#suspectLine()
  }

  /** Makes the text from `start` to `end` the current token; scanning continues after it. */
  become(kind: T.TokenKind, start: number, end: number): void {
    this.token.start = start
    this.#end(kind, end)
  }

  #end(kind: T.TokenKind, end: number): void {
    this.token.kind = kind
    this.token.end = this.position = end
  }

  /** Reports invalid text and makes it a BAD token; scanning continues after it. */
  bad(fault: Fault, start: number, end: number): void {
    this.faults.report(fault, start, end)
    this.become(T.BAD, start, end)
  }

  /** Continues at `offset`, the start of a line, outside all brackets. */
  jump(offset: number): void {
    this.position = offset
    this.openers.length = 0
    this.field = undefined
    this.literal = undefined
    this.resume = -1
    this.suspect = -1
    this.#dedentsDue = 0
    this.#atLineStart = true
    this.next()
  }

  point(): ScanPoint {
    return { position: this.position, token: { ...this.token }, openers: this.openers.slice() }
  }

  goBack({ position, token, openers }: ScanPoint): void {
    this.position = position
    Object.assign(this.token, token)
    this.openers = openers.slice()
    this.field = undefined
    this.literal = undefined
    this.resume = -1
    this.#atLineStart = false
  }

  // ---- Lines ----

  /** Reads the indentation of a logical line. Returns true if it produced a token. */
  #startLine(): boolean {
    const { token } = this
    const margin = readMargin(this.text, this.position)
    this.position = margin.end
    this.#atLineStart = false
    token.firstOnLine = true
    const blocks = this.#indentation.enter(margin)
    if (blocks === 0) return false
    this.become(blocks > 0 ? T.INDENT : T.DEDENT, margin.end, margin.end)
    this.#dedentsDue = Math.max(0, -blocks - 1)
    return true
  }

  /** Skips blanks, comments, continued lines and, inside brackets, line breaks. */
  #skipSpace(): void {
    const { text } = this
    for (;;) {
      const code = text.charCodeAt(this.position)
      if (code === C.SPACE || code === C.TAB || code === C.FORM_FEED) {
        this.position++
      } else if (code === C.HASH) {
        this.position = lineEnd(text, this.position)
      } else if (code === C.BACKSLASH && this.#continuesLine()) {
        this.position = afterBreak(text, this.position + 1)
      } else if ((code === C.LF || code === C.CR) && this.openers.length > 0) {
        this.position = afterBreak(text, this.position)
        this.token.firstOnLine = true
      } else {
        return
      }
    }
  }

  /** True if the backslash at `position` joins this line to a next one. */
  #continuesLine(): boolean {
    const after = this.text.charCodeAt(this.position + 1)
    return (after === C.LF || after === C.CR) && afterBreak(this.text, this.position + 1) < this.text.length
  }

  /**
   * Records the line of the current token if it looks like a statement although brackets are open: it begins with a
   * statement's keyword, or with a name that is not indented further than the block.
   */
  #suspectLine(): void {
    if (this.suspect >= 0) return
    const { kind, start } = this.token
    const line = lineStart(this.text, start)
    const only = T.beginsStatementOnly[kind] === 1
    const shallow = start - line <= this.blockColumn
    if (only || (shallow && (kind === T.NAME || kind >= T.FIRST_KEYWORD))) this.suspect = line
  }

  // ---- Tokens ----

  #token(): void {
    const text = this.text
    const start = this.position
    this.token.start = start
    const code = text.charCodeAt(start)
    if (startsName(code)) {
      this.#name(start)
    } else if (isDigit(code)) {
      this.#number(start)
    } else if (code === C.DOUBLE_QUOTE || code === C.SINGLE_QUOTE) {
      this.#string(start, start)
    } else if (start >= text.length) {
      this.#endOfText(start)
    } else if (code === C.LF || code === C.CR) {
      this.#end(T.NEWLINE, start)
      this.position = afterBreak(text, start)
      this.#atLineStart = true
    } else if (code >= C.BEYOND_ASCII) {
      this.#name(start)
    } else {
      this.#punctuation(code, start)
    }
  }

  #endOfText(at: number): void {
    const lineIsOpen = this.openers.length === 0 && this.token.kind > T.DEDENT
    this.#end(lineIsOpen ? T.NEWLINE : T.END, at)
    if (lineIsOpen) this.#atLineStart = true
  }

  #name(start: number): void {
    const { text, token } = this
    const end = nameEnd(text, start)
    if (end === start) {
      this.#unknownCharacter(start)
      return
    }
    const word = text.slice(start, end)
    const following = text.charCodeAt(end)
    const quoted = following === C.DOUBLE_QUOTE || following === C.SINGLE_QUOTE
    if (quoted && stringPrefix.test(word)) {
      this.#string(start, end)
      return
    }
    // Letters before a quote are no prefix if the quote probably closes a string.
    const inside = (token.kind === T.STRING && token.end === start) || this.field?.quotes.charCodeAt(0) === following
    const keyword = word.length <= 8 ? this.#keywords.get(word) : undefined
    this.#end(keyword ?? T.NAME, end)
    if (keyword !== undefined) {
      token.word = word
      return
    }
    if (quoted && word.length <= 3 && !inside) {
      this.faults.report(messages.stringPrefix(word), start, end)
      this.#string(end, end)
      return
    }
    token.word = this.strict || isPlainName(text, start, end) ? word : word.normalize('NFKC')
  }

  #number(start: number): void {
    const text = this.text
    let at = start
    let value = 0
    let code = text.charCodeAt(at)
    while (isDigit(code)) {
      value = value * 10 + (code - C.ZERO)
      code = text.charCodeAt(++at)
    }
    // The fast path: a short decimal integer.
    const simple = code !== C.DOT && code !== C.UNDERSCORE && !startsName(code) && !(code >= C.BEYOND_ASCII)
    if (simple && at - start < 16 && (text.charCodeAt(start) !== C.ZERO || at === start + 1)) {
      this.#end(T.INT, at)
      this.token.integer = BigInt(value)
      return
    }
    this.#fullNumber(start)
  }

  #fullNumber(start: number): void {
    const reading = readNumber(this.text, start, this.strict)
    if (typeof reading.value === 'bigint') {
      this.#end(T.INT, reading.end)
      this.token.integer = reading.value
    } else {
      this.#end(T.FLOAT, reading.end)
      this.token.float = reading.value
    }
    if (reading.fault) this.faults.report(reading.fault, start, reading.end)
  }

  #string(start: number, quoteAt: number): void {
    const text = this.text
    const quote = text.charCodeAt(quoteAt)
    const triple = text.charCodeAt(quoteAt + 1) === quote && text.charCodeAt(quoteAt + 2) === quote
    const from = quoteAt + (triple ? 3 : 1)
    let raw = false
    let bytes = false
    if (quoteAt > start) {
      const prefix = text.slice(start, quoteAt).toLowerCase()
      if (this.strict && prefix === 'u') this.faults.report(messages.stringPrefix(prefix), start, quoteAt)
      raw = prefix.includes('r')
      bytes = prefix.includes('b')
      if (prefix.includes('f')) {
        this.#formatted(quote, triple, raw, from)
        return
      }
    }
    const to = findClose(text, from, quote, triple)
    if (to < 0) {
      this.unterminated(start, quoteAt, from)
      return
    }
    this.#end(bytes ? T.BYTES : T.STRING, to + (triple ? 3 : 1))
    const form = { raw, strict: this.strict }
    if (bytes) this.token.bytes = decodeBytes(text, from, to, form, this.complain)
    else this.token.word = decodeText(text, from, to, form, this.complain)
  }

  #formatted(quote: number, triple: boolean, raw: boolean, from: number): void {
    const { token } = this
    this.#end(T.FSTRING, from)
    token.quote = quote
    token.triple = triple
    token.raw = raw
    if (this.strict) this.faults.report(messages.notStarlark('fString'), token.start, from)
  }

  /**
   * Reports a literal without closing quotes, and makes the rest of its line a BAD token. After triple quotes nothing
   * is left to scan.
   */
  unterminated(start: number, quoteAt: number, from: number): void {
    const quotes = this.text.slice(quoteAt, from)
    if (quotes.length === 3) {
      this.faults.report(messages.unterminatedString(quotes), start, from)
      throw STOP
    }
    const end = lineEnd(this.text, from)
    this.resume = this.#meantEnd(end, quotes)
    if (this.field?.quotes === quotes) this.bad(this.fieldNotClosed(this.field), this.field.open, end)
    else this.bad(messages.unterminatedString(quotes), start, end)
  }

  /**
   * The offset at which scanning continues after an unclosed string in single quotes. If the next line that has such a
   * quote looks like the end of a string, scanning continues after that line, so that the text between is not scanned
   * as code.
   */
  #meantEnd(end: number, quote: string): number {
    const closing = this.text.indexOf(quote, end)
    if (closing < 0) return end
    const lineAfter = lineEnd(this.text, closing)
    const only = !this.text.slice(lineStart(this.text, closing), closing).includes('=')
    return only && /^[\s)\]},;:]*(?:#.*)?$/.test(this.text.slice(closing + 1, lineAfter)) ? lineAfter : end
  }

  fieldNotClosed(field: Field): Fault {
    return messages.fieldNotClosed(this.faults.place(field.open), field.quotes)
  }

  readonly complain = (fault: Fault, start: number, end: number): void => this.faults.report(fault, start, end)

  /** Reports a line of a Markdown fence once, and treats it as an empty line. */
  #fence(start: number): void {
    const end = lineEnd(this.text, start)
    if (!this.#fenceReported) this.faults.report(messages.markdownFence(), start, end)
    this.#fenceReported = true
    this.position = end
    this.#token()
  }

  #unknownCharacter(at: number): void {
    const text = this.text
    const character = String.fromCodePoint(text.codePointAt(at)!)
    this.bad(messages.unknownCharacter(showCharacter(text, at), meantBy(character)), at, at + character.length)
  }

  // ---- Punctuation ----

  #punctuation(code: number, start: number): void {
    const single = T.singleKinds[code]!
    const operator = T.operatorKinds[code]!
    if (single > T.RBRACE) this.#take(single, 1)
    else if (single > 0) this.#bracket(single, start)
    else if (operator > 0) this.#operator(operator, code, start)
    else this.#mark(code, start)
  }

  #mark(code: number, start: number): void {
    const text = this.text
    const second = text.charCodeAt(start + 1)
    if (code === C.COLON) {
      if (second === C.EQUALS) this.#take(T.WALRUS, 2)
      else this.#take(T.COLON, 1)
    } else if (code === C.DOT) {
      if (isDigit(second)) this.#fullNumber(start)
      else if (second === C.DOT && text.charCodeAt(start + 2) === C.DOT) this.#take(T.ELLIPSIS, 3)
      else this.#take(T.DOT, 1)
    } else if (code === C.EQUALS) {
      this.#equals(start, second)
    } else if (code === C.BANG) {
      if (second !== C.EQUALS) this.#take(T.BANG, 1)
      else if (text.charCodeAt(start + 2) === C.EQUALS) this.#foreign(T.NE, 3, 'write: !=')
      else this.#take(T.NE, 2)
    } else {
      this.#strange(code, start)
    }
  }

  #take(kind: T.TokenKind, length: number): void {
    this.#end(kind, this.position + length)
  }

  /** An operator, alone, doubled or augmented, or another language's combination of two. */
  #operator(kind: T.TokenKind, code: number, start: number): void {
    const text = this.text
    const second = text.charCodeAt(start + 1)
    const doubled = second === code ? T.doubledKinds[code]! : 0
    if (doubled > 0) {
      if (text.charCodeAt(start + 2) === C.EQUALS) this.#augmented(start, 2)
      else this.#take(doubled, 2)
    } else if (second === C.EQUALS) {
      if (kind === T.LT) this.#take(T.LE, 2)
      else if (kind === T.GT) this.#take(T.GE, 2)
      else this.#augmented(start, 1)
    } else if (second === C.GREATER && kind === T.MINUS) {
      this.#take(T.ARROW, 2)
    } else if (second === C.GREATER && kind === T.LT) {
      this.#foreign(T.NE, 2, 'write: !=')
    } else if (second === code && kind === T.AMPERSAND) {
      this.#foreign(T.AND, 2, 'write: and')
    } else if (second === code && kind === T.PIPE) {
      this.#foreign(T.OR, 2, 'write: or')
    } else {
      this.#take(kind, 1)
    }
  }

  #augmented(start: number, length: number): void {
    this.token.word = this.text.slice(start, start + length)
    this.#take(T.AUGMENTED, length + 1)
  }

  #equals(start: number, second: number): void {
    if (second === C.GREATER) {
      this.bad(messages.foreignSyntax("'=>'", 'write: lambda x: …'), start, start + 2)
    } else if (second !== C.EQUALS) {
      this.#take(T.ASSIGN, 1)
    } else if (this.text.charCodeAt(start + 2) === C.EQUALS) {
      this.#foreign(T.EQ, 3, 'write: ==')
    } else {
      this.#take(T.EQ, 2)
    }
  }

  /** Reports another language's spelling of an operator, and makes the counterpart the token. */
  #foreign(kind: T.TokenKind, length: number, hint: string): void {
    this.#take(kind, length)
    const { start, end } = this.token
    this.faults.report(messages.foreignSyntax(`'${this.text.slice(start, end)}'`, hint), start, end)
  }

  #bracket(kind: T.TokenKind, start: number): void {
    this.#take(kind, 1)
    if (kind === T.LPAREN || kind === T.LBRACKET || kind === T.LBRACE) {
      this.openers.push(start)
      return
    }
    const got = this.text.charAt(start)
    const opener = this.openers.pop()
    if (opener === undefined) {
      const blocks = got === '}' && this.token.firstOnLine
      this.bad(messages.unmatchedBracket(got, blocks ? bracesHint : undefined), start, start + 1)
      return
    }
    // An opening kind is one less than the kind that closes it.
    const open = this.text.charAt(opener)
    if (T.singleKinds[open.charCodeAt(0)] !== kind - 1) {
      this.bad(messages.mismatchedBracket(got, open, this.faults.place(opener)), start, start + 1)
      return
    }
    if (this.openers.length === 0) this.suspect = -1
  }

  #strange(code: number, start: number): void {
    const text = this.text
    if (this.token.firstOnLine && text.startsWith('```', start)) {
      this.#fence(start)
      return
    }
    if (code === C.BACKSLASH) {
      this.bad(messages.strayBackslash(), start, start + 1)
    } else if (code === C.BACKTICK) {
      this.bad(messages.foreignSyntax("'`'", 'use quotes for a string, repr(x) for a representation'), start, start + 1)
    } else if (code === C.QUESTION) {
      const got = /^\?[?.]?/.exec(text.slice(start, start + 2))![0]
      this.bad(messages.foreignSyntax(`'${got}'`, questions[got]!), start, start + got.length)
    } else {
      this.#unknownCharacter(start)
    }
  }
}
