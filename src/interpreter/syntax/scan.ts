// Text to tokens, one at a time.
//
// The scanner holds exactly one token, the current one, in its fields; `next` replaces it. Nothing is read ahead, for
// two reasons. An f-string is not one token: the parser takes over after its opening quotes, reads literal text and
// fields from the character position, and lets the scanner go on after the closing quotes. And after an error the
// parser moves the scanner to a place where a statement starts: with no tokens in stock there is nothing to take back.
//
// What a wrong character probably meant is said here; what a wrong token meant, the parser knows.
// Invariant: start <= end <= position; `end` is where the current token ends, `position` where reading goes on.

import { afterBreak, isDigit, lineEnd, lineStart, meantBy, nameEnd, showCharacter, startsName } from './characters.js'
import * as C from './codes.js'
import { type Faults, STOP } from './faults.js'
import { type Field, Layout } from './layout.js'
import { bracesHint, type Fault, messages } from './messages.js'
import { readNumber } from './numbers.js'
import { decodeBytes, decodeText, findClose } from './strings.js'
import * as T from './tokens.js'

const ascii = /^[\0-\x7f]*$/
const stringPrefix = /^(?:[rbfu]|rb|br|rf|fr)$/i

const questions: Readonly<Record<string, string>> = {
  '?': 'write: a if condition else b',
  '??': 'write: a if a != None else b',
  '?.': 'write: a.b if a != None else None',
}

export abstract class Scanner extends Layout {
  #fenceReported = false
  readonly #keywords: ReadonlyMap<string, T.TokenKind>

  constructor(text: string, strict: boolean, faults: Faults) {
    super(text, strict, faults)
    this.#keywords = strict ? T.strictKeywords : T.keywords
  }

  /** Makes the next token the current one. */
  next(): void {
    if (this.kind > T.DEDENT) this.previousEnd = this.end
    this.firstOnLine = false
    if (this.dedentsDue > 0) {
      this.dedentsDue--
      this.kind = T.DEDENT
      return
    }
    if (this.atLineStart && this.startLine()) return
    this.skipSpace()
    this.#token()
    if (this.firstOnLine && this.openers.length > 0) this.suspectLine()
  }

  /** Goes on reading at `offset`, the start of a line, outside all brackets. */
  protected jump(offset: number): void {
    this.position = offset
    this.openers.length = 0
    this.suspect = -1
    this.dedentsDue = 0
    this.atLineStart = true
    this.next()
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
    } else if (code === C.DOUBLE_QUOTE || code === C.SINGLE_QUOTE) {
      this.#string(start, start)
    } else if (start >= text.length) {
      this.#endOfText(start)
    } else if (code === C.LF || code === C.CR) {
      this.kind = T.NEWLINE
      this.end = start
      this.position = afterBreak(text, start)
      this.atLineStart = true
    } else if (code >= C.BEYOND_ASCII) {
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
    // Letters before a quote are no prefix when that quote was meant to close a string.
    const inside = (this.kind === T.STRING && this.end === start) || this.field?.quotes.charCodeAt(0) === following
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
    if (quoted && word.length <= 3 && !inside) {
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
      value = value * 10 + (code - C.ZERO)
      code = text.charCodeAt(++at)
    }
    // The common case, a short decimal integer, needs no second look.
    const simple = code !== C.DOT && code !== C.UNDERSCORE && !startsName(code) && !(code >= C.BEYOND_ASCII)
    if (simple && at - start < 16 && (text.charCodeAt(start) !== C.ZERO || at === start + 1)) {
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
    const to = findClose(text, from, quote, triple)
    if (to < 0) {
      this.unterminated(start, quoteAt, from)
      return
    }
    this.end = this.position = to + (triple ? 3 : 1)
    const form = { raw, strict: this.strict }
    if (bytes) {
      this.kind = T.BYTES
      this.bytes = decodeBytes(text, from, to, form, this.complain)
    } else {
      this.kind = T.STRING
      this.word = decodeText(text, from, to, form, this.complain)
    }
  }

  #formatted(quote: number, triple: boolean, raw: boolean, from: number): void {
    this.kind = T.FSTRING
    this.end = this.position = from
    this.quote = quote
    this.triple = triple
    this.raw = raw
    this.affordance('fString', this.start, from)
  }

  /**
   * Reports a literal without closing quotes, which makes its line a BAD token; after triple quotes nothing is left to
   * read.
   */
  protected unterminated(start: number, quoteAt: number, from: number): void {
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
   * Where to go on after a string in single quotes that its line does not close: after the line that does, when the
   * next line with such a quote looks like the end of a string, so that the text between is not read as code.
   */
  #meantEnd(end: number, quote: string): number {
    const closing = this.text.indexOf(quote, end)
    if (closing < 0) return end
    const lineAfter = lineEnd(this.text, closing)
    const only = !this.text.slice(lineStart(this.text, closing), closing).includes('=')
    return only && /^[\s)\]},;:]*(?:#.*)?$/.test(this.text.slice(closing + 1, lineAfter)) ? lineAfter : end
  }

  protected fieldNotClosed(field: Field): Fault {
    return messages.fieldNotClosed(this.faults.place(field.open), field.quotes)
  }

  protected readonly complain = (fault: Fault, start: number, end: number): void =>
    this.faults.report(fault, start, end)

  /** A line of a Markdown fence is reported once and read as an empty line. */
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
    this.kind = kind
    this.position += length
    this.end = this.position
  }

  /** An operator, doubled, augmented, or another language's combination of two. */
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
    this.word = this.text.slice(start, start + length)
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

  /** Another language's spelling of an operator: reported, and read as what it means. */
  #foreign(kind: T.TokenKind, length: number, hint: string): void {
    this.#take(kind, length)
    this.faults.report(messages.foreignSyntax(`'${this.text.slice(this.start, this.end)}'`, hint), this.start, this.end)
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
      const blocks = got === '}' && this.firstOnLine
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
    if (this.firstOnLine && text.startsWith('```', start)) {
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
