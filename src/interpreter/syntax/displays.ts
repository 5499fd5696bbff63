// Brackets: tuples and grouping, lists, dicts, sets, and comprehensions. The first element decides which one it is.

import { atClauses, parseClauses, parseStarred } from './comprehensions.js'
import { messages } from './messages.js'
import type { Comprehension, DictEntry, Expression } from './nodes.js'
import type { Parser } from './parser.js'
import { wantComma } from './signatures.js'
import * as T from './tokens.js'

/** The replacement for `x = *a`. */
export const unpackHint = 'put it in brackets: [*a]'
const secondForHint = 'write a second for: [x for row in rows for x in row]'
const closers = {
  generator: [T.RPAREN, ')'],
  list: [T.RBRACKET, ']'],
  set: [T.RBRACE, '}'],
  dict: [T.RBRACE, '}'],
} as const
const elseHint = 'put the condition before for: [a if condition else b for …]'

/** An element of a display: an expression, `name := value` or `*expression`. */
export function parseElement(p: Parser): Expression {
  if (p.token.kind !== T.STAR) return p.grammar.parseNamedTest(p)
  p.affordance('starredDisplay')
  return parseStarred(p)
}

/** A tuple, a generator or an expression in parentheses. */
export function parseParenthesized(p: Parser): Expression {
  const { start } = p.token
  p.enter()
  p.next()
  if (p.token.kind === T.RPAREN) return parseTuple(p, start, [], 0)
  if (p.token.kind === T.YIELD) return parseGroup(p, start, p.grammar.parseYield(p))
  const first = parseElement(p)
  let { height } = p
  if (atClauses(p)) return parseComprehension(p, start, { form: 'generator', element: first })
  if (p.token.kind !== T.COMMA) {
    if (first.kind === 'StarredExpr') p.faults.report(messages.starredHere(unpackHint), first.start, first.end)
    return parseGroup(p, start, first)
  }
  const elements = [first]
  while (p.eat(T.COMMA) && p.token.kind !== T.RPAREN) {
    elements.push(parseElement(p))
    height = Math.max(height, p.height)
  }
  return parseTuple(p, start, elements, height)
}

function parseGroup(p: Parser, start: number, expression: Expression): Expression {
  const { height } = p
  const end = closed(p, T.RPAREN, ')')
  p.grow(height + 1)
  return { kind: 'ParenExpr', start, end, expression }
}

function parseTuple(p: Parser, start: number, elements: readonly Expression[], height: number): Expression {
  const end = closed(p, T.RPAREN, ')')
  p.grow(height + 1)
  return { kind: 'TupleExpr', start, end, elements, parenthesized: true }
}

export function parseList(p: Parser): Expression {
  const { start } = p.token
  p.enter()
  p.next()
  const elements: Expression[] = []
  let height = 0
  while (p.token.kind !== T.RBRACKET) {
    elements.push(parseElement(p))
    height = Math.max(height, p.height)
    if (elements.length === 1 && atClauses(p)) {
      return parseComprehension(p, start, { form: 'list', element: elements[0]! })
    }
    if (!p.eat(T.COMMA)) break
  }
  const end = closed(p, T.RBRACKET, ']')
  p.grow(height + 1)
  return { kind: 'ListExpr', start, end, elements }
}

/** A dict, a set or a comprehension of either. */
export function parseBraces(p: Parser): Expression {
  const { start } = p.token
  p.enter()
  p.next()
  if (p.token.kind === T.RBRACE || p.token.kind === T.POWER) return parseDict(p, start, undefined)
  const first = parseElement(p)
  if (p.token.kind === T.COLON) return parseDict(p, start, first)
  if (p.token.kind === T.ASSIGN)
    p.failAt(messages.unexpected("'='", "':' between key and value", 'write: {key: value}'))
  if (atClauses(p)) return parseComprehension(p, start, { form: 'set', element: first })
  p.affordance('setDisplay', start, start + 1)
  let { height } = p
  const elements = [first]
  while (p.eat(T.COMMA) && p.token.kind !== T.RBRACE) {
    elements.push(parseElement(p))
    height = Math.max(height, p.height)
    if (p.token.kind === T.COLON) p.failAt(messages.mixedDict())
  }
  const end = closed(p, T.RBRACE, '}')
  p.grow(height + 1)
  return { kind: 'SetExpr', start, end, elements }
}

/** A dict whose first key, if it has been read, is followed by the current ':'. */
function parseDict(p: Parser, start: number, firstKey: Expression | undefined): Expression {
  const entries: DictEntry[] = []
  let height = 0
  let key = firstKey
  while (key !== undefined || p.token.kind !== T.RBRACE) {
    if (key) height = Math.max(height, p.height)
    const entry = parseEntry(p, key)
    height = Math.max(height, p.height)
    if (entries.length === 0 && atClauses(p)) {
      if (!entry.key) p.failAt(messages.starredHere(secondForHint), entry.start, entry.end)
      p.height = height
      return parseComprehension(p, start, { form: 'dict', element: entry.key, value: entry.value })
    }
    entries.push(entry)
    key = undefined
    if (!p.eat(T.COMMA)) break
  }
  const end = closed(p, T.RBRACE, '}')
  p.grow(height + 1)
  return { kind: 'DictExpr', start, end, entries }
}

function parseEntry(p: Parser, read: Expression | undefined): DictEntry {
  const { start } = p.token
  if (!read && p.token.kind === T.POWER) {
    p.affordance('dictUnpacking')
    p.next()
    const value = p.grammar.parseOperation(p, T.BITWISE_OR_LEVEL)
    return { kind: 'DictEntry', start, end: value.end, value }
  }
  const key = read ?? p.grammar.parseTest(p)
  const { height } = p
  if (key.kind === 'StarredExpr') p.failAt(messages.starredHere(), key.start, key.end)
  if (key.kind === 'NamedExpr') p.failAt(messages.needsParentheses("':='"), key.start, key.end)
  if (p.token.kind === T.COMMA || p.token.kind === T.RBRACE) p.failAt(messages.mixedDict(), key.start, key.end)
  p.expect(T.COLON, "':' between key and value")
  const value = p.grammar.parseTest(p)
  p.height = Math.max(height, p.height)
  return { kind: 'DictEntry', start: key.start, end: value.end, key, value }
}

function closed(p: Parser, kind: T.TokenKind, closer: string): number {
  if (p.token.kind !== kind) wantComma(p, closer)
  const { end } = p.token
  p.leave()
  p.next()
  return end
}

/** A comprehension from its clauses on; the bracket at `start` and the element have been read. */
function parseComprehension(
  p: Parser,
  start: number,
  computed: Pick<Comprehension, 'form' | 'element' | 'value'>,
): Expression {
  const { form, element } = computed
  if (element.kind === 'StarredExpr') p.failAt(messages.starredHere(secondForHint), element.start, element.end)
  if (form === 'generator') p.affordance('generator', start, start + 1)
  if (form === 'set') p.affordance('setComprehension', start, start + 1)
  const { height } = p
  const clauses = parseClauses(p)
  const above = Math.max(height, p.height)
  const [closer, spelled] = closers[form]
  const { kind, end } = p.token
  if (kind !== closer) {
    const hint = kind === T.COMMA ? 'put a tuple in parentheses' : undefined
    p.unexpected(`'for', 'if' or '${spelled}'`, kind === T.ELSE ? elseHint : hint)
  }
  p.leave()
  p.next()
  p.grow(above + 1)
  return { kind: 'Comprehension', start, end, ...computed, clauses }
}
