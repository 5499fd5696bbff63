// Text to tokens, one at a time.
//
// The scanner holds exactly one token, the current one, in its fields; `next` replaces it. Nothing is read ahead, for two
// reasons. An f-string is not one token: the parser takes over after its opening quotes, reads literal text and fields from the
// character position, and lets the scanner go on after the closing quotes. And after an error the parser moves the scanner to
// a place where a statement starts: with no tokens in stock there is nothing to take back.
//
// Lines are Python's. At the start of a logical line the indentation is compared with the stack of open blocks and gives INDENT
// or DEDENT tokens; blank and comment lines give none. Inside brackets line breaks are white space. A line ends at \n, \r\n or
// a lone \r, and at no other character. Tabs advance to the next multiple of 8, and a second column counts every tab as 1: when
// the two disagree about which line is deeper, the indentation is ambiguous and refused. In strict mode tabs do not indent at all.
//
// Invariant: start <= end <= position; `end` is where the current token ends, `position` where reading goes on.

import { afterBreak, isDigit, lineEnd, lineStart, meantBy, nameEnd, showCharacter, startsName } from './characters.js'
import { ABANDON, type Faults, STOP } from './faults.js'
import { type Affordance, type Fault, messages } from './messages.js'
import { readNumber } from './numbers.js'
import { decodeBytes, decodeText, findClose } from './strings.js'
import * as T from './tokens.js'

const ascii = /^[\0-\x7f]*$/
const stringPrefix = /^(?:[rbfu]|rb|br|rf|fr)$/i

/** A replacement field that is being read. */
export interface Field {
  /** Where its '{' stands. */
  readonly open: number
  /** The quotes that close its f-string. */
  readonly quotes: string
}

export class Scanner {
  readonly text: string
  readonly strict: boolean
  readonly faults: Faults

  /** The current token. */
  kind: T.TokenKind = T.NEWLINE
  start = 0
  end = 0
  /** Where the last token before the current one that is not layout ended. */
  previousEnd = 0
  /** True when the current token is the first on its line. */
  firstOnLine = true
  /** The name of a NAME or keyword, the value of a STRING, the operator of an AUGMENTED token. */
  word = ''
  integer = 0n
  float = 0
  bytes: readonly number[] = []
  /** The opening of an FSTRING token. */
  quote = 0
  triple = false
  raw = false

  /** Where reading goes on. */
  protected position = 0
  /** Offsets of the brackets that are open, outermost first. */
  protected openers: number[] = []
  /** The replacement field of an f-string that is being read, innermost. */
  protected field: Field | undefined
  /** Where to go on after the statement at hand is given up; -1 when that has to be found out. */
  protected resume = -1
  /** The start of the first line inside the open brackets that looks like a new statement; -1 when there is none. */
  protected suspect = -1
  /** Columns of the open blocks, with tabs to multiples of 8 and with tabs as 1. */
  protected indents: number[] = [0]
  #narrowIndents: number[] = [0]
  #dedentsDue = 0
  protected atLineStart = true
  #tabsReported = false
  #fenceReported = false
  readonly #keywords: ReadonlyMap<string, T.TokenKind>

  constructor(text: string, strict: boolean, faults: Faults) {
    this.text = text
    this.strict = strict
    this.faults = faults
    this.#keywords = strict ? T.strictKeywords : T.keywords
    if (text.charCodeAt(0) === 0xfeff) this.position = 1
  }

  /** Reports a fault and gives up the statement at hand. */
  fail(fault: Fault, start = this.start, end = this.end): never {
    this.faults.report(fault, start, end)
    throw ABANDON
  }

  /** Reports what only the default dialect has; nothing outside strict mode. */
  affordance(name: Affordance, start = this.start, end = this.end): void {
    if (this.strict) this.faults.report(messages.notStarlark(name), start, end)
  }

  /** Makes the next token the current one. */
  next(): void {
    if (this.kind > T.DEDENT) this.previousEnd = this.end
    this.firstOnLine = false
    if (this.#dedentsDue > 0) {
      this.#dedentsDue--
      this.kind = T.DEDENT
      return
    }
    if (this.atLineStart && this.#startLine()) return
    this.#skipSpace()
    this.#token()
    if (this.firstOnLine && this.openers.length > 0) this.#suspectLine()
  }

  /** Goes on reading at `offset`, the start of a line, outside all brackets. */
  protected jump(offset: number): void {
    this.position = offset
    this.openers.length = 0
    this.suspect = -1
    this.#dedentsDue = 0
    this.atLineStart = true
    this.next()
  }

  // ---- Layout ----

  /** Reads the indentation of a logical line; true when that gave a token. */
  #startLine(): boolean {
    const text = this.text
    let at = this.position
    let column = 0
    let narrow = 0
    let tab = -1
    for (;;) {
      const code = text.charCodeAt(at)
      if (code === 32) {
        column++
        narrow++
        at++
      } else if (code === 9) {
        column = (column | 7) + 1
        narrow++
        tab = tab < 0 ? at : tab
        at++
      } else if (code === 12) {
        column = narrow = 0
        at++
      } else if (code === 10 || code === 13 || code === 35) {
        at = code === 35 ? lineEnd(text, at) : at
        if (at >= text.length) continue
        at = afterBreak(text, at)
        this.position = at
        column = narrow = 0
        tab = -1
      } else {
        break
      }
    }
    if (at >= text.length) column = narrow = 0
    else if (tab >= 0 && this.strict && !this.#tabsReported) {
      this.#tabsReported = true
      this.faults.report(messages.tabIndent(), tab, tab + 1)
    }
    const line = this.position
    this.position = at
    this.atLineStart = false
    this.firstOnLine = true
    return this.#indentation(line, at, column, narrow)
  }

  #indentation(line: number, at: number, column: number, narrow: number): boolean {
    const indents = this.indents
    const top = indents.length - 1
    const current = indents[top]!
    if (column === current) {
      if (narrow !== this.#narrowIndents[top]) this.#ambiguous(line, at)
      return false
    }
    this.start = at
    this.end = at
    if (column > current) {
      if (narrow <= this.#narrowIndents[top]!) this.#ambiguous(line, at)
      indents.push(column)
      this.#narrowIndents.push(narrow)
      this.kind = T.INDENT
      return true
    }
    let closed = 0
    const open = indents.slice()
    while (column < indents[indents.length - 1]!) {
      indents.pop()
      this.#narrowIndents.pop()
      closed++
    }
    if (column !== indents[indents.length - 1]) {
      this.faults.report(messages.inconsistentDedent(column, open), line, at)
    } else if (narrow !== this.#narrowIndents[indents.length - 1]) {
      this.#ambiguous(line, at)
    }
    this.kind = T.DEDENT
    this.#dedentsDue = closed - 1
    return true
  }

  #ambiguous(line: number, at: number): void {
    if (this.#tabsReported) return
    this.#tabsReported = true
    this.faults.report(messages.inconsistentTabs(), line, at)
  }

  /** Skips blanks, comments, continued lines and, inside brackets, line breaks. */
  #skipSpace(): void {
    const text = this.text
    for (;;) {
      const code = text.charCodeAt(this.position)
      if (code === 32 || code === 9 || code === 12) {
        this.position++
      } else if (code === 35) {
        this.position = lineEnd(text, this.position)
      } else if (code === 92) {
        this.#continueLine()
      } else if ((code === 10 || code === 13) && this.openers.length > 0) {
        this.position = afterBreak(text, this.position)
        this.firstOnLine = true
      } else {
        return
      }
    }
  }

  #continueLine(): void {
    const after = this.text.charCodeAt(this.position + 1)
    if (after === 10 || after === 13) {
      this.position = afterBreak(this.text, this.position + 1)
      return
    }
    if (this.position + 1 >= this.text.length) {
      this.position++
      return
    }
    this.#stop(messages.strayBackslash(), this.position, this.position + 1)
  }

  /**
   * Notes the line of the current token if it looks like a statement although brackets are open: a statement's keyword, or a name
   * that is not indented further than the block.
   */
  #suspectLine(): void {
    if (this.suspect >= 0) return
    const line = lineStart(this.text, this.start)
    const only = T.beginsStatementOnly[this.kind] === 1
    const shallow = this.start - line <= this.indents[this.indents.length - 1]!
    if (only || (shallow && (this.kind === T.NAME || this.kind >= T.FIRST_KEYWORD))) this.suspect = line
  }

  // ---- Tokens ----

  #token(): void {
    const text = this.text
    const start = this.position
    this.start = start
    const code = text.charCodeAt(start)
    if (startsName(code)) {
      this.#name(start)
    } else if (isDigit(code)) {
      this.#number(start)
    } else if (code === 34 || code === 39) {
      this.#string(start, start)
    } else if (start >= text.length) {
      this.#endOfText(start)
    } else if (code === 10 || code === 13) {
      this.kind = T.NEWLINE
      this.end = start
      this.position = afterBreak(text, start)
      this.atLineStart = true
    } else if (code >= 128) {
      this.#name(start)
    } else {
      this.#punctuation(code, start)
    }
  }

  #endOfText(at: number): void {
    this.end = at
    if (this.openers.length === 0 && this.kind !== T.NEWLINE && this.kind > T.DEDENT) {
      this.kind = T.NEWLINE
      this.atLineStart = true
      return
    }
    this.kind = T.END
  }

  #name(start: number): void {
    const text = this.text
    const end = nameEnd(text, start)
    if (end === start) this.#unknownCharacter(start)
    const word = text.slice(start, end)
    const following = text.charCodeAt(end)
    const quoted = following === 34 || following === 39
    if (quoted && stringPrefix.test(word)) {
      this.#string(start, end)
      return
    }
    this.position = end
    this.end = end
    if (word.length <= 8) {
      const keyword = this.#keywords.get(word)
      if (keyword !== undefined) {
        this.kind = keyword
        this.word = word
        return
      }
    }
    if (quoted && word.length <= 3) {
      this.faults.report(messages.stringPrefix(word), start, end)
      this.#string(end, end)
      return
    }
    this.kind = T.NAME
    this.word = !this.strict && !ascii.test(word) ? word.normalize('NFKC') : word
  }

  #number(start: number): void {
    const text = this.text
    let at = start
    let value = 0
    let code = text.charCodeAt(at)
    while (isDigit(code)) {
      value = value * 10 + (code - 48)
      code = text.charCodeAt(++at)
    }
    // The common case, a short decimal integer, needs no second look.
    const simple = code !== 46 && code !== 95 && !startsName(code) && !(code >= 128)
    if (simple && at - start < 16 && (text.charCodeAt(start) !== 48 || at === start + 1)) {
      this.kind = T.INT
      this.integer = BigInt(value)
      this.end = this.position = at
      return
    }
    this.#fullNumber(start)
  }

  #fullNumber(start: number): void {
    const reading = readNumber(this.text, start, this.strict)
    this.end = this.position = reading.end
    if (typeof reading.value === 'bigint') {
      this.kind = T.INT
      this.integer = reading.value
    } else {
      this.kind = T.FLOAT
      this.float = reading.value
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
    this.end = this.position = this.#close(start, quoteAt, from, quote, triple)
    const to = this.end - (triple ? 3 : 1)
    const form = { raw, strict: this.strict }
    if (bytes) {
      this.kind = T.BYTES
      this.bytes = decodeBytes(text, from, to, form, this.complain)
    } else {
      this.kind = T.STRING
      this.word = decodeText(text, from, to, form, this.complain)
    }
  }

  /** The end of a literal whose text starts at `from`, closing quotes included. */
  #close(start: number, quoteAt: number, from: number, quote: number, triple: boolean): number {
    const close = findClose(this.text, from, quote, triple)
    if (close < 0) this.unterminated(start, quoteAt, from)
    return close + (triple ? 3 : 1)
  }

  #formatted(quote: number, triple: boolean, raw: boolean, from: number): void {
    this.kind = T.FSTRING
    this.end = this.position = from
    this.quote = quote
    this.triple = triple
    this.raw = raw
    this.affordance('fString', this.start, from)
  }

  /** Reports a literal without closing quotes and gives up its line, or all that follows triple quotes. */
  protected unterminated(start: number, quoteAt: number, from: number): never {
    const quotes = this.text.slice(quoteAt, from)
    if (quotes.length === 3) {
      this.faults.report(messages.unterminatedString(quotes), start, from)
      throw STOP
    }
    const end = lineEnd(this.text, from)
    this.resume = end
    if (this.field?.quotes === quotes) this.fail(this.fieldNotClosed(this.field), this.field.open, end)
    this.#stop(messages.unterminatedString(quotes), start, end)
  }

  protected fieldNotClosed(field: Field): Fault {
    return messages.fieldNotClosed(this.faults.place(field.open), field.quotes)
  }

  protected readonly complain = (fault: Fault, start: number, end: number): void =>
    this.faults.report(fault, start, end)

  /** Fails at a place inside which no token could be read; reading goes on after it. */
  #stop(fault: Fault, start: number, end: number): never {
    this.position = end
    this.start = start
    this.end = end
    this.kind = T.BANG
    this.fail(fault, start, end)
  }

  /** A line of a Markdown fence is reported once and read as an empty line. */
  #fence(start: number): void {
    const end = lineEnd(this.text, start)
    if (!this.#fenceReported) this.faults.report(messages.markdownFence(), start, end)
    this.#fenceReported = true
    this.position = end
    this.#token()
  }

  #unknownCharacter(at: number): never {
    const text = this.text
    const character = String.fromCodePoint(text.codePointAt(at)!)
    this.#stop(messages.unknownCharacter(showCharacter(text, at), meantBy(character)), at, at + character.length)
  }

  // ---- Punctuation ----

  #punctuation(code: number, start: number): void {
    const text = this.text
    const second = text.charCodeAt(start + 1)
    switch (code) {
      case 40: // (
        return this.#open(T.LPAREN, start)
      case 91: // [
        return this.#open(T.LBRACKET, start)
      case 123: // {
        return this.#open(T.LBRACE, start)
      case 41: // )
        return this.#shut(T.RPAREN, start, 40)
      case 93: // ]
        return this.#shut(T.RBRACKET, start, 91)
      case 125: // }
        return this.#shut(T.RBRACE, start, 123)
      case 44: // ,
        return this.#take(T.COMMA, 1)
      case 59: // ;
        return this.#take(T.SEMICOLON, 1)
      case 126: // ~
        return this.#take(T.TILDE, 1)
      case 58: // :
        return second === 61 ? this.#take(T.WALRUS, 2) : this.#take(T.COLON, 1)
      case 46: // .
        if (isDigit(second)) return this.#fullNumber(start)
        if (second === 46 && text.charCodeAt(start + 2) === 46) return this.#take(T.ELLIPSIS, 3)
        return this.#take(T.DOT, 1)
      case 61: // =
        return this.#equals(start, second)
      case 43: // +
        return this.#operator(T.PLUS, '+', second)
      case 45: // -
        return second === 62 ? this.#take(T.ARROW, 2) : this.#operator(T.MINUS, '-', second)
      case 42: // *
        return second === 42
          ? this.#operator(T.POWER, '**', text.charCodeAt(start + 2))
          : this.#operator(T.STAR, '*', second)
      case 47: // /
        return second === 47
          ? this.#operator(T.SLASH_SLASH, '//', text.charCodeAt(start + 2))
          : this.#operator(T.SLASH, '/', second)
      case 37: // %
        return this.#operator(T.PERCENT, '%', second)
      case 64: // @
        return this.#operator(T.AT, '@', second)
      case 94: // ^
        return this.#operator(T.CARET, '^', second)
      case 38: // &
        if (second === 38) return this.#foreign(T.AND, 2, 'Write: and')
        return this.#operator(T.AMPERSAND, '&', second)
      case 124: // |
        if (second === 124) return this.#foreign(T.OR, 2, 'Write: or')
        return this.#operator(T.PIPE, '|', second)
      case 60: // <
        if (second === 62) return this.#foreign(T.NE, 2, 'Write: !=')
        if (second === 60) return this.#operator(T.SHIFT_LEFT, '<<', text.charCodeAt(start + 2))
        return second === 61 ? this.#take(T.LE, 2) : this.#take(T.LT, 1)
      case 62: // >
        if (second === 62) return this.#operator(T.SHIFT_RIGHT, '>>', text.charCodeAt(start + 2))
        return second === 61 ? this.#take(T.GE, 2) : this.#take(T.GT, 1)
      case 33: // !
        if (second !== 61) return this.#take(T.BANG, 1)
        return text.charCodeAt(start + 2) === 61 ? this.#foreign(T.NE, 3, 'Write: !=') : this.#take(T.NE, 2)
      default:
        this.#strange(code, start)
    }
  }

  #take(kind: T.TokenKind, length: number): void {
    this.kind = kind
    this.position += length
    this.end = this.position
  }

  /** An operator, or its augmented assignment when `following` is '='. */
  #operator(kind: T.TokenKind, spelling: string, following: number): void {
    if (following === 61) {
      this.word = spelling
      this.#take(T.AUGMENTED, spelling.length + 1)
    } else {
      this.#take(kind, spelling.length)
    }
  }

  #equals(start: number, second: number): void {
    if (second === 62) {
      this.#stop(messages.foreignSyntax('=>', 'Write: lambda x: …'), start, start + 2)
    } else if (second !== 61) {
      this.#take(T.ASSIGN, 1)
    } else if (this.text.charCodeAt(start + 2) === 61) {
      this.#foreign(T.EQ, 3, 'Write: ==')
    } else {
      this.#take(T.EQ, 2)
    }
  }

  /** Another language's spelling of an operator: reported, and read as what it means. */
  #foreign(kind: T.TokenKind, length: number, hint: string): void {
    this.#take(kind, length)
    this.faults.report(messages.foreignSyntax(this.text.slice(this.start, this.end), hint), this.start, this.end)
  }

  #open(kind: T.TokenKind, start: number): void {
    this.openers.push(start)
    this.#take(kind, 1)
  }

  #shut(kind: T.TokenKind, start: number, opening: number): void {
    const opener = this.openers.pop()
    this.#take(kind, 1)
    const got = this.text.charAt(start)
    if (opener === undefined) {
      const braces = got === '}' && this.firstOnLine
      this.fail(
        messages.unmatchedBracket(
          got,
          braces ? "Blocks start with ':' and are indented: leave the braces out" : undefined,
        ),
      )
    }
    if (this.text.charCodeAt(opener) !== opening) {
      this.fail(messages.mismatchedBracket(got, this.text.charAt(opener), this.faults.place(opener)))
    }
    if (this.openers.length === 0) this.suspect = -1
  }

  #strange(code: number, start: number): void {
    const text = this.text
    if (this.firstOnLine && text.startsWith('```', start)) return this.#fence(start)
    if (code === 96) {
      this.#stop(messages.foreignSyntax('`', 'Use quotes for a string, repr(x) for a representation'), start, start + 1)
    }
    if (code === 63) {
      const double = text.charCodeAt(start + 1) === 63
      const hint = double ? 'Write: a if a != None else b' : 'Write: a if condition else b'
      this.#stop(messages.foreignSyntax(double ? '??' : '?', hint), start, start + (double ? 2 : 1))
    }
    this.#unknownCharacter(start)
  }
}
