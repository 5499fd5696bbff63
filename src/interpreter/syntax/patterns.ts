// The patterns of `case`. They look like expressions, but a name binds a value, and a call names a class and the
// attributes of its objects.

import { parseStrings } from './literals.js'
import { messages } from './messages.js'
import type { ClassPattern, Expression, Identifier, MappingPattern, Pattern } from './nodes.js'
import { constants, type Parser } from './parser.js'
import { parseAttribute } from './primaries.js'
import * as T from './tokens.js'

/** One pattern, or several with commas, which make a sequence. */
export function parseOpenPattern(p: Parser): Pattern {
  const { start } = p.token
  const first = parsePatternElement(p)
  if (p.token.kind !== T.COMMA) return unstarredPattern(p, first)
  const elements = [first]
  while (p.eat(T.COMMA) && p.token.kind !== T.COLON && p.token.kind !== T.IF) elements.push(parsePatternElement(p))
  return { kind: 'SequencePattern', start, end: p.token.previousEnd, elements }
}

/** An element of a sequence, which may be starred. */
function parsePatternElement(p: Parser): Pattern {
  const { start } = p.token
  if (!p.eat(T.STAR)) return parsePattern(p)
  const name = captured(p)
  const node = { kind: 'StarPattern', start, end: p.token.previousEnd } as const
  return name === undefined ? node : { ...node, name }
}

function unstarredPattern(p: Parser, pattern: Pattern): Pattern {
  if (pattern.kind === 'StarPattern') p.failAt(messages.starPatternAlone(), pattern.start, pattern.end)
  return pattern
}

/** `a | b as name`. */
function parsePattern(p: Parser): Pattern {
  const { start } = p.token
  p.enter()
  const pattern = parseAlternatives(p)
  p.leave()
  if (!p.eat(T.AS)) return pattern
  const name = captured(p)
  if (name === undefined)
    p.failAt(messages.patternTarget('leave out: as _'), p.token.previousEnd - 1, p.token.previousEnd)
  return { kind: 'AsPattern', start, end: p.token.previousEnd, pattern, name }
}

function parseAlternatives(p: Parser): Pattern {
  const { start } = p.token
  const first = parseClosedPattern(p)
  if (p.token.kind !== T.PIPE) return first
  const alternatives = [first]
  while (p.eat(T.PIPE)) alternatives.push(parseClosedPattern(p))
  return { kind: 'OrPattern', start, end: p.token.previousEnd, alternatives }
}

/** A name to bind; undefined for `_`. */
function captured(p: Parser): Identifier | undefined {
  const name = p.identifier('a name')
  if (p.token.kind === T.DOT || p.token.kind === T.LPAREN || p.token.kind === T.LBRACKET) {
    p.failAt(messages.patternTarget(), name.start, p.token.end)
  }
  return name.name === '_' ? undefined : name
}

function parseClosedPattern(p: Parser): Pattern {
  const { start, end } = p.token
  switch (p.token.kind) {
    case T.NAME:
      return parseNamedPattern(p)
    case T.LPAREN:
      return parseParenthesizedPattern(p)
    case T.LBRACKET: {
      const elements = parsePatternElements(p, T.RBRACKET, ']')
      return { kind: 'SequencePattern', start, end: p.token.previousEnd, elements }
    }
    case T.LBRACE:
      return parseMappingPattern(p)
  }
  const value = parseLiteralPattern(p)
  if (value !== undefined) return { kind: 'ValuePattern', start, end: value.end, value }
  p.failAt(messages.noPattern(p.found(), patternHint(p)), start, end)
}

/** A number with or without a sign, a string or bytes. For everything else undefined, with nothing consumed. */
function parseLiteralPattern(p: Parser): Expression | undefined {
  const { start, end } = p.token
  switch (p.token.kind) {
    case T.INT:
    case T.FLOAT: {
      const number: Expression =
        p.token.kind === T.INT
          ? { kind: 'IntLiteral', start, end, value: p.token.integer }
          : { kind: 'FloatLiteral', start, end, value: p.token.float }
      p.next()
      return number
    }
    case T.MINUS: {
      p.next()
      if (p.token.kind !== T.INT && p.token.kind !== T.FLOAT) p.unexpected('a number', patternHint(p))
      const operand = parseLiteralPattern(p)!
      return { kind: 'UnaryExpr', start, end: operand.end, operator: '-', operand }
    }
    case T.STRING:
    case T.BYTES:
    case T.FSTRING: {
      const text = parseStrings(p)
      if (text.kind === 'FString') {
        p.failAt(messages.noPattern('an f-string', 'compare in a guard: case x if x == f"…":'), start, text.end)
      }
      return text
    }
    default:
      return undefined
  }
}

/** A pattern that begins with a name: a constant, a name to bind, a dotted name, a class. */
function parseNamedPattern(p: Parser): Pattern {
  const { start, end, word } = p.token
  if (constants.has(word)) {
    p.next()
    return { kind: 'ConstantPattern', start, end, name: word as 'True' | 'False' | 'None' }
  }
  if (word === '_') {
    p.next()
    return { kind: 'CapturePattern', start, end }
  }
  const value = parseDottedName(p)
  if (p.token.kind === T.LPAREN) return parseClassPattern(p, value)
  if (value.kind === 'DotExpr') return { kind: 'ValuePattern', start, end: value.end, value }
  return { kind: 'CapturePattern', start, end, name: value }
}

function parseDottedName(p: Parser): Identifier | (Expression & { kind: 'DotExpr' }) {
  const name = p.identifier('a name')
  let value: Expression = name
  p.height = 1
  while (p.token.kind === T.DOT) value = parseAttribute(p, value)
  return value.kind === 'DotExpr' ? value : name
}

/** A pattern in parentheses, or a sequence. */
function parseParenthesizedPattern(p: Parser): Pattern {
  const { start } = p.token
  p.enter()
  p.next()
  const elements: Pattern[] = []
  let comma = false
  while (p.token.kind !== T.RPAREN) {
    elements.push(parsePatternElement(p))
    comma = p.eat(T.COMMA)
    if (!comma) break
  }
  closePattern(p, T.RPAREN, ')')
  const only = elements.length === 1 && !comma ? elements[0]! : undefined
  if (only !== undefined) return unstarredPattern(p, only)
  return { kind: 'SequencePattern', start, end: p.token.previousEnd, elements }
}

function parsePatternElements(p: Parser, closer: T.TokenKind, text: string): Pattern[] {
  p.enter()
  p.next()
  const elements: Pattern[] = []
  while (p.token.kind !== closer) {
    elements.push(parsePatternElement(p))
    if (!p.eat(T.COMMA)) break
  }
  closePattern(p, closer, text)
  return elements
}

function closePattern(p: Parser, kind: T.TokenKind, text: string): void {
  if (p.token.kind !== kind) p.unexpected(`',' or '${text}'`, patternHint(p))
  p.leave()
  p.next()
}

function parseMappingPattern(p: Parser): MappingPattern {
  const { start } = p.token
  const entries: MappingPattern['entries'][number][] = []
  let rest: Identifier | undefined
  p.enter()
  p.next()
  while (p.token.kind !== T.RBRACE) {
    if (p.eat(T.POWER)) {
      rest = captured(p)
      if (rest === undefined) {
        p.failAt(messages.patternTarget('leave out: **_'), p.token.previousEnd - 1, p.token.previousEnd)
      }
    } else {
      const key = parsePatternKey(p)
      p.expect(T.COLON, "':' and a pattern after the key")
      entries.push({ key, pattern: parsePattern(p) })
    }
    if (!p.eat(T.COMMA)) break
    if (rest !== undefined && p.token.kind !== T.RBRACE) p.failAt(messages.restLast(), rest.start, rest.end)
  }
  closePattern(p, T.RBRACE, '}')
  const node = { kind: 'MappingPattern', start, end: p.token.previousEnd, entries } as const
  return rest === undefined ? node : { ...node, rest }
}

function parsePatternKey(p: Parser): Expression {
  const { start, end, word } = p.token
  if (p.token.kind !== T.NAME) {
    const key = parseLiteralPattern(p)
    if (key === undefined) p.failAt(messages.patternKey(p.found(), undefined), start, end)
    return key
  }
  if (constants.has(word)) {
    p.next()
    return { kind: 'Identifier', start, end, name: word }
  }
  const key = parseDottedName(p)
  if (key.kind === 'Identifier') {
    p.failAt(messages.patternKey(`the name ${word}`, `quote it: "${word}"`), start, end)
  }
  return key
}

function parseClassPattern(p: Parser, callee: Expression): ClassPattern {
  const positional: Pattern[] = []
  const named: ClassPattern['named'][number][] = []
  p.enter()
  p.next()
  while (p.token.kind !== T.RPAREN) {
    const first = parsePattern(p)
    if (p.token.kind === T.ASSIGN && first.kind === 'CapturePattern') {
      p.next()
      const { start, end } = first
      const name: Identifier = { kind: 'Identifier', start, end, name: p.text.slice(start, end) }
      named.push({ name, pattern: parsePattern(p) })
    } else {
      if (named.length > 0) p.faults.report(messages.positionalPattern(), first.start, first.end)
      positional.push(first)
    }
    if (!p.eat(T.COMMA)) break
  }
  closePattern(p, T.RPAREN, ')')
  return { kind: 'ClassPattern', start: callee.start, end: p.token.previousEnd, callee, positional, named }
}

/** The hint for a pattern that continues like an expression. */
export function patternHint(p: Parser): string | undefined {
  switch (p.token.kind) {
    case T.OR:
      return 'write | between alternatives'
    case T.AND:
      return 'write a condition as a guard: case x if …:'
    case T.LT:
    case T.GT:
    case T.LE:
    case T.GE:
    case T.EQ:
    case T.NE:
    case T.IN:
    case T.NOT:
    case T.IS:
      return 'compare in a guard: case x if x > 5:'
    case T.PLUS:
    case T.MINUS:
    case T.SLASH:
    case T.PERCENT:
    case T.LBRACKET:
    case T.LPAREN:
      return 'A pattern computes nothing: compare in a guard: case x if x == …:'
    default:
      return undefined
  }
}
