// String literals as expressions: adjacent literals joined, and f-strings, whose replacement fields are parsed in
// place.
// Knows how literal text and fields alternate; what an expression is, it leaves to its heirs.
// Invariant: while an f-string is read, `position` stands in its text, and every open field is on the stack of
// brackets.

import { afterBreak } from './characters.js'
import * as C from './codes.js'
import { Cursor } from './cursor.js'
import { ABANDON } from './faults.js'
import { messages } from './messages.js'
import type { BytesLiteral, Expression, FString, FStringField, FStringPart, StringLiteral } from './nodes.js'
import { decodeText } from './strings.js'
import * as T from './tokens.js'

type Piece = StringLiteral | BytesLiteral | FString

/** The literal that text and fields belong to. */
interface Form {
  readonly start: number
  readonly from: number
  readonly quote: number
  readonly quotes: string
  readonly triple: boolean
  readonly raw: boolean
}

export abstract class Literals extends Cursor {
  /** The expression of a replacement field: everything but an unparenthesised ':='. */
  protected abstract fieldExpression(): Expression

  /** One or more adjacent string, bytes or f-string literals. */
  protected strings(): Expression {
    const first = this.piece()
    if (!this.atString()) return first
    this.affordance('adjacentLiterals')
    const pieces = [first]
    let height = this.height
    while (this.atString()) {
      pieces.push(this.piece())
      height = Math.max(height, this.height)
    }
    this.height = height
    return this.joined(pieces)
  }

  private atString(): boolean {
    return this.kind === T.STRING || this.kind === T.FSTRING || this.kind === T.BYTES
  }

  private piece(): Piece {
    const { start, end } = this
    this.height = 1
    if (this.kind === T.FSTRING) return this.formatted()
    const piece: Piece =
      this.kind === T.STRING
        ? { kind: 'StringLiteral', start, end, value: this.word }
        : { kind: 'BytesLiteral', start, end, value: this.bytes }
    this.next()
    return piece
  }

  private joined(pieces: readonly Piece[]): Expression {
    const first = pieces[0]!
    const { start } = first
    const { end } = pieces[pieces.length - 1]!
    const stranger = pieces.find((p) => (p.kind === 'BytesLiteral') !== (first.kind === 'BytesLiteral'))
    if (stranger) this.faults.report(messages.mixedBytes(), stranger.start, stranger.end)
    const bytes = pieces.filter((p) => p.kind === 'BytesLiteral')
    if (bytes.length > 0) return { kind: 'BytesLiteral', start, end, value: bytes.flatMap((p) => p.value) }
    const parts: FStringPart[] = []
    for (const piece of pieces) {
      if (piece.kind === 'FString') for (const part of piece.parts) append(parts, part)
      else if (piece.kind === 'StringLiteral') append(parts, piece.value)
    }
    if (pieces.some((p) => p.kind === 'FString')) return { kind: 'FString', start, end, parts }
    return { kind: 'StringLiteral', start, end, value: parts.join('') }
  }

  // ---- f-strings ----

  private formatted(): FString {
    const { start, end: from, quote, triple, raw, field } = this
    const quotes = this.text.slice(from - (triple ? 3 : 1), from)
    const outermost = this.literal === undefined
    if (outermost) this.literal = { from, quote, triple, openBefore: this.openers.length }
    const parts = this.formattedText({ start, from, quote, quotes, triple, raw }, false)
    this.kind = T.FSTRING
    this.position += quotes.length
    this.end = this.position
    this.field = field
    if (outermost) this.literal = undefined
    const { end } = this
    const height = this.height
    this.next()
    this.grow(height + 1)
    return { kind: 'FString', start, end, parts }
  }

  /**
   * Text and fields from `position` on, to the closing quotes or, in a format specification, to the '}' of its field.
   */
  private formattedText(form: Form, inSpec: boolean): FStringPart[] {
    const { text } = this
    const parts: FStringPart[] = []
    let height = 0
    let plain = this.position
    let at = this.position
    for (;;) {
      const code = text.charCodeAt(at)
      if (at >= text.length || (!form.triple && (code === C.LF || code === C.CR))) {
        this.unterminated(form.start, form.from - form.quotes.length, form.from)
        throw ABANDON
      } else if (code === form.quote && (!form.triple || text.startsWith(form.quotes, at))) {
        if (inSpec) this.fail(this.fieldNotClosed(this.field!), this.field!.open, at)
        break
      } else if (code === C.BACKSLASH) {
        at = this.afterBackslash(at, form)
      } else if (code === C.RBRACE && inSpec) {
        break
      } else if (code === C.LBRACE && (inSpec || text.charCodeAt(at + 1) !== C.LBRACE)) {
        append(parts, this.decoded(plain, at, form))
        parts.push(this.replacement(at, form))
        height = Math.max(height, this.height)
        plain = at = this.position
      } else if (code === C.LBRACE || code === C.RBRACE) {
        // A doubled brace stands for one; a single '}' is read as if it were doubled.
        append(parts, this.decoded(plain, at + 1, form))
        const doubled = text.charCodeAt(at + 1) === code
        if (!doubled) this.faults.report(messages.singleBrace(), at, at + 1)
        at += doubled ? 2 : 1
        plain = at
      } else {
        at++
      }
    }
    append(parts, this.decoded(plain, at, form))
    this.position = at
    this.height = height
    return parts
  }

  private decoded(from: number, to: number, form: Form): string {
    return from === to ? '' : decodeText(this.text, from, to, { raw: form.raw, strict: this.strict }, this.complain)
  }

  /** Where text goes on after a backslash, which never hides a brace but always a quote. */
  private afterBackslash(at: number, form: Form): number {
    const { text } = this
    const code = text.charCodeAt(at + 1)
    if (code === C.LBRACE || code === C.RBRACE) return at + 1
    if (code === C.CR) return afterBreak(text, at + 1)
    if (code === C.UPPER_N && !form.raw && text.charCodeAt(at + 2) === C.LBRACE) {
      const close = text.indexOf('}', at)
      return close < 0 ? at + 2 : close + 1
    }
    return at + 2
  }

  private replacement(open: number, form: Form): FStringField {
    const outer = this.field
    this.enter()
    this.field = { open, quotes: form.quotes }
    this.openers.push(open)
    this.position = open + 1
    this.kind = T.LBRACE
    this.start = open
    this.end = this.position
    this.next()
    if (this.kind === T.RBRACE || this.kind === T.COLON || this.kind === T.BANG || this.kind === T.ASSIGN) {
      this.fail(messages.emptyField(), open, this.end)
    }
    const expression = this.fieldExpression()
    let { height } = this
    let label: string | undefined
    if (this.eat(T.ASSIGN)) label = this.text.slice(open + 1, this.start)
    const conversion = this.conversion()
    let spec: FStringPart[] | undefined
    if (this.kind === T.COLON || this.kind === T.WALRUS) {
      spec = this.spec(form)
      height = Math.max(height, this.height)
    } else if (this.kind !== T.RBRACE) {
      this.fieldJunk(form)
    }
    this.field = outer
    this.leave()
    this.grow(height + 1)
    const node = { kind: 'FStringField', start: open, end: this.end, expression } as const
    const shown = conversion ?? (label !== undefined && spec === undefined ? 'r' : undefined)
    return {
      ...node,
      ...(label === undefined ? {} : { label }),
      ...(shown === undefined ? {} : { conversion: shown }),
      ...(spec === undefined ? {} : { spec }),
    }
  }

  private conversion(): 'r' | 's' | 'a' | undefined {
    const from = this.end
    if (!this.eat(T.BANG)) return undefined
    const { word } = this
    if (this.kind !== T.NAME || this.start !== from || (word !== 'r' && word !== 's' && word !== 'a')) {
      this.fail(messages.badConversion(this.found()))
    }
    this.next()
    return word
  }

  /** The format specification after the current ':'; the current token is then the '}' of the field. */
  private spec(form: Form): FStringPart[] {
    const { field } = this
    this.position = this.start + 1
    const parts = this.formattedText(form, true)
    this.field = field
    this.openers.pop()
    this.kind = T.RBRACE
    this.start = this.position
    this.position++
    this.end = this.position
    return parts
  }

  private fieldJunk(form: Form): never {
    const string = this.kind === T.STRING || this.kind === T.FSTRING || this.kind === T.BYTES
    if (string && this.text.startsWith(form.quotes, this.start)) {
      this.fail(this.fieldNotClosed(this.field!), this.field!.open, this.start)
    }
    this.unexpected("'}' to end the f-string field")
  }
}

function append(parts: FStringPart[], part: FStringPart): void {
  const last = parts.length - 1
  if (part === '') return
  if (typeof part === 'string' && last >= 0 && typeof parts[last] === 'string') parts[last] += part
  else parts.push(part)
}
