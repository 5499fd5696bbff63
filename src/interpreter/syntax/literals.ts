// String literals as expressions. Adjacent literals are joined. The replacement fields of f-strings are parsed in
// place.
// Invariant: while an f-string is parsed, the scanner's position is inside its text, and every open field is on the
// stack of brackets.

import { afterBreak } from './characters.js'
import * as C from './codes.js'
import { ABANDON } from './faults.js'
import { messages } from './messages.js'
import type { BytesLiteral, Expression, FString, FStringField, FStringPart, StringLiteral } from './nodes.js'
import type { Parser } from './parser.js'
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

/** One or more adjacent string, bytes or f-string literals. */
export function parseStrings(p: Parser): Expression {
  const first = parsePiece(p)
  if (!atString(p)) return first
  p.affordance('adjacentLiterals')
  const pieces = [first]
  let height = p.height
  while (atString(p)) {
    pieces.push(parsePiece(p))
    height = Math.max(height, p.height)
  }
  p.height = height
  return joined(p, pieces)
}

function atString(p: Parser): boolean {
  return p.token.kind === T.STRING || p.token.kind === T.FSTRING || p.token.kind === T.BYTES
}

function parsePiece(p: Parser): Piece {
  const { start, end } = p.token
  p.height = 1
  if (p.token.kind === T.FSTRING) return parseFString(p)
  const piece: Piece =
    p.token.kind === T.STRING
      ? { kind: 'StringLiteral', start, end, value: p.token.word }
      : { kind: 'BytesLiteral', start, end, value: p.token.bytes }
  p.next()
  return piece
}

function joined(p: Parser, pieces: readonly Piece[]): Expression {
  const first = pieces[0]!
  const { start } = first
  const { end } = pieces[pieces.length - 1]!
  const stranger = pieces.find((one) => (one.kind === 'BytesLiteral') !== (first.kind === 'BytesLiteral'))
  if (stranger) p.faults.report(messages.mixedBytes(), stranger.start, stranger.end)
  const bytes = pieces.filter((one) => one.kind === 'BytesLiteral')
  if (bytes.length > 0) return { kind: 'BytesLiteral', start, end, value: bytes.flatMap((one) => one.value) }
  const parts: FStringPart[] = []
  for (const piece of pieces) {
    if (piece.kind === 'FString') for (const part of piece.parts) append(parts, part)
    else if (piece.kind === 'StringLiteral') append(parts, piece.value)
  }
  if (pieces.some((one) => one.kind === 'FString')) return { kind: 'FString', start, end, parts }
  return { kind: 'StringLiteral', start, end, value: parts.join('') }
}

// ---- f-strings ----

function parseFString(p: Parser): FString {
  const { start, end: from, quote, triple, raw } = p.token
  const { field } = p.scanner
  const quotes = p.text.slice(from - (triple ? 3 : 1), from)
  const outermost = p.scanner.literal === undefined
  if (outermost) p.scanner.literal = { from, quote, triple, openBefore: p.scanner.openers.length }
  const parts = parseFStringText(p, { start, from, quote, quotes, triple, raw }, false)
  const end = p.scanner.position + quotes.length
  p.scanner.become(T.FSTRING, start, end)
  p.scanner.field = field
  if (outermost) p.scanner.literal = undefined
  const { height } = p
  p.next()
  p.grow(height + 1)
  return { kind: 'FString', start, end, parts }
}

/**
 * Text and fields from `position` on, to the closing quotes or, in a format specification, to the '}' of its field.
 */
function parseFStringText(p: Parser, form: Form, inSpec: boolean): FStringPart[] {
  const { text } = p
  const parts: FStringPart[] = []
  let height = 0
  let plain = p.scanner.position
  let at = p.scanner.position
  for (;;) {
    const code = text.charCodeAt(at)
    if (at >= text.length || (!form.triple && (code === C.LF || code === C.CR))) {
      p.scanner.unterminated(form.start, form.from - form.quotes.length, form.from)
      throw ABANDON
    } else if (code === form.quote && (!form.triple || text.startsWith(form.quotes, at))) {
      if (inSpec) p.fail(p.scanner.fieldNotClosed(p.scanner.field!), p.scanner.field!.open, at)
      break
    } else if (code === C.BACKSLASH) {
      at = afterBackslash(p, at, form)
    } else if (code === C.RBRACE && inSpec) {
      break
    } else if (code === C.LBRACE && (inSpec || text.charCodeAt(at + 1) !== C.LBRACE)) {
      append(parts, decoded(p, plain, at, form))
      parts.push(parseReplacement(p, at, form))
      height = Math.max(height, p.height)
      plain = at = p.scanner.position
    } else if (code === C.LBRACE || code === C.RBRACE) {
      // A doubled brace stands for one. A single '}' is treated as if it were doubled.
      append(parts, decoded(p, plain, at + 1, form))
      const doubled = text.charCodeAt(at + 1) === code
      if (!doubled) p.faults.report(messages.singleBrace(), at, at + 1)
      at += doubled ? 2 : 1
      plain = at
    } else {
      at++
    }
  }
  append(parts, decoded(p, plain, at, form))
  p.scanner.position = at
  p.height = height
  return parts
}

function decoded(p: Parser, from: number, to: number, form: Form): string {
  return from === to ? '' : decodeText(p.text, from, to, { raw: form.raw, strict: p.strict }, p.scanner.complain)
}

/** The offset after a backslash escape. An escape never hides a brace, but always hides a quote. */
function afterBackslash(p: Parser, at: number, form: Form): number {
  const { text } = p
  const code = text.charCodeAt(at + 1)
  if (code === C.LBRACE || code === C.RBRACE) return at + 1
  if (code === C.CR) return afterBreak(text, at + 1)
  if (code === C.UPPER_N && !form.raw && text.charCodeAt(at + 2) === C.LBRACE) {
    const close = text.indexOf('}', at)
    return close < 0 ? at + 2 : close + 1
  }
  return at + 2
}

function parseReplacement(p: Parser, open: number, form: Form): FStringField {
  const outer = p.scanner.field
  p.enter()
  p.scanner.field = { open, quotes: form.quotes }
  p.scanner.openers.push(open)
  p.scanner.become(T.LBRACE, open, open + 1)
  p.next()
  if (p.token.kind === T.RBRACE || p.token.kind === T.COLON || p.token.kind === T.BANG || p.token.kind === T.ASSIGN) {
    p.fail(messages.emptyField(), open, p.token.end)
  }
  const expression = parseFieldExpression(p)
  let { height } = p
  let label: string | undefined
  if (p.eat(T.ASSIGN)) label = p.text.slice(open + 1, p.token.start)
  const conversion = parseConversion(p)
  let spec: FStringPart[] | undefined
  if (p.token.kind === T.COLON || p.token.kind === T.WALRUS) {
    spec = parseSpec(p, form)
    height = Math.max(height, p.height)
  } else if (p.token.kind !== T.RBRACE) {
    fieldJunk(p, form)
  }
  p.scanner.field = outer
  p.leave()
  p.grow(height + 1)
  const node = { kind: 'FStringField', start: open, end: p.token.end, expression } as const
  const shown = conversion ?? (label !== undefined && spec === undefined ? 'r' : undefined)
  return {
    ...node,
    ...(label === undefined ? {} : { label }),
    ...(shown === undefined ? {} : { conversion: shown }),
    ...(spec === undefined ? {} : { spec }),
  }
}

/** The expression of a replacement field: any expression except an unparenthesised ':='. */
function parseFieldExpression(p: Parser): Expression {
  if (p.token.kind === T.LAMBDA) p.fail(messages.needsParentheses('a lambda'))
  return p.token.kind === T.YIELD ? p.grammar.parseYield(p) : p.grammar.parseExpressions(p)
}

function parseConversion(p: Parser): 'r' | 's' | 'a' | undefined {
  const from = p.token.end
  if (!p.eat(T.BANG)) return undefined
  const { word } = p.token
  if (p.token.kind !== T.NAME || p.token.start !== from || (word !== 'r' && word !== 's' && word !== 'a')) {
    p.fail(messages.badConversion(p.found()))
  }
  p.next()
  return word
}

/** The format specification after the current ':'; the current token is then the '}' of the field. */
function parseSpec(p: Parser, form: Form): FStringPart[] {
  const { field } = p.scanner
  p.scanner.position = p.token.start + 1
  const parts = parseFStringText(p, form, true)
  p.scanner.field = field
  p.scanner.openers.pop()
  p.scanner.become(T.RBRACE, p.scanner.position, p.scanner.position + 1)
  return parts
}

function fieldJunk(p: Parser, form: Form): never {
  const string = p.token.kind === T.STRING || p.token.kind === T.FSTRING || p.token.kind === T.BYTES
  if (string && p.text.startsWith(form.quotes, p.token.start)) {
    p.fail(p.scanner.fieldNotClosed(p.scanner.field!), p.scanner.field!.open, p.token.start)
  }
  p.unexpected("'}' to end the f-string field")
}

function append(parts: FStringPart[], part: FStringPart): void {
  const last = parts.length - 1
  if (part === '') return
  if (typeof part === 'string' && last >= 0 && typeof parts[last] === 'string') parts[last] += part
  else parts.push(part)
}
