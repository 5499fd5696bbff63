// Primaries: names, literals and brackets, followed by attributes, calls and subscripts.

import { parseBraces, parseElement, parseList, parseParenthesized } from './displays.js'
import { parseStrings } from './literals.js'
import { messages } from './messages.js'
import type { Expression } from './nodes.js'
import type { Parser } from './parser.js'
import { parseArguments } from './signatures.js'
import * as T from './tokens.js'

export function parsePrimary(p: Parser): Expression {
  let object = parseAtom(p)
  for (;;) {
    switch (p.token.kind) {
      case T.DOT:
        object = parseAttribute(p, object)
        break
      case T.LPAREN: {
        const open = p.token.start
        const { height } = p
        const args = parseArguments(p)
        object = { kind: 'CallExpr', start: object.start, end: p.token.end, callee: object, arguments: args, open }
        p.next()
        p.grow(Math.max(height, p.height) + 1)
        break
      }
      case T.LBRACKET:
        object = parseSubscript(p, object)
        break
      default:
        return object
    }
  }
}

export function parseAttribute(p: Parser, object: Expression): Expression {
  const { height } = p
  p.next()
  const name = p.identifier("a name after '.'")
  p.grow(height + 1)
  return { kind: 'DotExpr', start: object.start, end: name.end, object, name }
}

function parseSubscript(p: Parser, object: Expression): Expression {
  let { height } = p
  p.enter()
  p.next()
  if (p.token.kind === T.RBRACKET) p.fail(messages.emptyIndex(), object.start, p.token.end)
  const index = p.token.kind === T.COLON ? undefined : parseSubscriptElements(p)
  if (index) height = Math.max(height, p.height)
  const node = p.token.kind === T.COLON ? parseSlice(p, object, index) : undefined
  if (node) height = Math.max(height, p.height)
  if (p.token.kind === T.COMMA) refuseTupleOfSlices(p)
  if (p.token.kind !== T.RBRACKET) p.unexpected("']'")
  const { end } = p.token
  p.leave()
  p.next()
  p.grow(height + 1)
  return node ? { ...node, end } : { kind: 'IndexExpr', start: object.start, end, object, index: index! }
}

function refuseTupleOfSlices(p: Parser): never {
  if (p.strict) p.unexpected(p.token.kind === T.COMMA ? "']'" : 'an index')
  p.fail(messages.unsupported('a tuple of slices is', 'slice one dimension at a time: x[a:b][c]'))
}

/** The index, or the lower bound of a slice, which in strict mode may be a tuple. */
function parseSubscriptElements(p: Parser): Expression {
  const { start } = p.token
  const first = parseElement(p)
  if (p.token.kind !== T.COMMA && first.kind !== 'StarredExpr') return first
  const elements = [first]
  let { height } = p
  while (p.token.kind === T.COMMA) {
    const commaAt = p.token.start
    p.next()
    if (p.token.kind === T.COLON) refuseTupleOfSlices(p)
    if (p.token.kind === T.RBRACKET) {
      if (p.strict) p.faults.report(messages.trailingComma('put the tuple in parentheses'), commaAt, commaAt + 1)
      break
    }
    elements.push(parseElement(p))
    height = Math.max(height, p.height)
  }
  if (p.token.kind === T.COLON && !p.strict) refuseTupleOfSlices(p)
  p.grow(height + 1)
  return { kind: 'TupleExpr', start, end: p.token.previousEnd, elements, parenthesized: false }
}

function parseSlice(p: Parser, object: Expression, lower: Expression | undefined) {
  const bound = () =>
    p.token.kind === T.COLON || p.token.kind === T.RBRACKET || p.token.kind === T.COMMA
      ? undefined
      : p.grammar.parseTest(p)
  let height = 0
  if (lower?.kind === 'NamedExpr') p.failAt(messages.needsParentheses("':='"), lower.start, lower.end)
  p.next()
  p.height = 0
  const upper = bound()
  height = Math.max(height, p.height)
  const step = p.eat(T.COLON) ? bound() : undefined
  p.height = Math.max(height, p.height)
  return {
    kind: 'SliceExpr' as const,
    start: object.start,
    object,
    ...(lower === undefined ? {} : { lower }),
    ...(upper === undefined ? {} : { upper }),
    ...(step === undefined ? {} : { step }),
  }
}

function parseAtom(p: Parser): Expression {
  const { start, end } = p.token
  p.height = 1
  switch (p.token.kind) {
    case T.NAME: {
      const name = p.token.word
      p.next()
      return { kind: 'Identifier', start, end, name }
    }
    case T.INT: {
      const value = p.token.integer
      p.next()
      return { kind: 'IntLiteral', start, end, value }
    }
    case T.FLOAT: {
      const value = p.token.float
      p.next()
      return { kind: 'FloatLiteral', start, end, value }
    }
    case T.STRING:
    case T.BYTES:
    case T.FSTRING:
      return parseStrings(p)
    case T.LPAREN:
      return parseParenthesized(p)
    case T.LBRACKET:
      return parseList(p)
    case T.LBRACE:
      return parseBraces(p)
    case T.ELLIPSIS:
      p.affordance('ellipsis')
      p.next()
      return { kind: 'EllipsisLiteral', start, end }
  }
  noExpression(p)
}

function noExpression(p: Parser): never {
  if (p.token.kind === T.LAMBDA) p.failAt(messages.needsParentheses('a lambda'))
  if (p.token.kind === T.YIELD) p.failAt(messages.needsParentheses('yield'))
  if (p.token.kind === T.STAR) p.failAt(messages.starredHere())
  p.unexpected('an expression')
}
