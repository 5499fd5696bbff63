// Operators, from the loosest binding to the tightest.
//
// Binary operators are parsed by precedence climbing: `parseOperation(p, level)` parses an operand and then every
// operator that binds at least as tightly as `level`. A run of operators of one level is therefore a loop. An operator
// with a nested operand on its right (`not`, signs, `**`, lambda bodies, the else part of a conditional) recurses and
// counts as nesting.
//
// The height of every tree is bounded, so later stages can walk trees by recursion. They walk a run of one operator by
// a loop: it leans to the left and adds 1 to the height, however long it is.

import { parseStarred } from './comprehensions.js'
import { messages } from './messages.js'
import type { CompareExpr, CompareOperator, Expression, LambdaExpr, UnaryOperator } from './nodes.js'
import { constants, MAX_CHAIN, MAX_HEIGHT, MAX_LOGICAL_CHAIN, type Parser } from './parser.js'
import { parsePrimary } from './primaries.js'
import { parseParameters } from './signatures.js'
import * as T from './tokens.js'

const noParameters: readonly never[] = []

// ---- The loosest level ----

/** One expression, or several with commas, which make a tuple; any of them may be starred. */
export function parseExpressions(p: Parser): Expression {
  const { start } = p.token
  const first = parseListElement(p)
  if (p.token.kind !== T.COMMA) return first
  const elements = [first]
  let { height } = p
  let comma = false
  while (p.token.kind === T.COMMA) {
    const commaAt = p.token.start
    p.next()
    comma = T.startsExpression[p.token.kind] === 0 && p.token.kind !== T.STAR
    if (comma) {
      if (p.strict) p.faults.report(messages.trailingComma('put the tuple in parentheses'), commaAt, commaAt + 1)
      break
    }
    elements.push(parseListElement(p))
    height = Math.max(height, p.height)
  }
  p.grow(height + 1)
  return { kind: 'TupleExpr', start, end: p.token.previousEnd, elements, parenthesized: false }
}

function parseListElement(p: Parser): Expression {
  if (p.token.kind !== T.STAR) return parseTest(p)
  p.affordance('starredDisplay')
  return parseStarred(p)
}

export function parseNamedTest(p: Parser): Expression {
  const target = parseTest(p)
  if (p.token.kind !== T.WALRUS) return target
  if (target.kind !== 'Identifier' || (!p.strict && constants.has(target.name))) {
    p.failAt(messages.walrusTarget(), target.start, target.end)
  }
  p.affordance('walrus')
  p.next()
  const value = parseTest(p)
  p.grow(p.height + 1)
  return { kind: 'NamedExpr', start: target.start, end: value.end, target, value }
}

export function parseTest(p: Parser): Expression {
  if (p.token.kind === T.LAMBDA) return parseLambda(p, true)
  const body = parseOperation(p, T.OR_LEVEL)
  return p.token.kind === T.IF ? parseConditional(p, body) : body
}

function parseConditional(p: Parser, body: Expression): Expression {
  let { height } = p
  p.enter()
  p.next()
  const test = parseOperation(p, T.OR_LEVEL)
  height = Math.max(height, p.height)
  if (p.token.kind !== T.ELSE) {
    p.failAt(messages.missingElse(), body.start, test.end)
  }
  p.next()
  const orelse = parseTest(p)
  p.leave()
  p.grow(Math.max(height, p.height) + 1)
  return { kind: 'CondExpr', start: body.start, end: orelse.end, test, body, orelse }
}

export function parseLambda(p: Parser, conditionalBody: boolean): LambdaExpr {
  const { start } = p.token
  p.enter()
  p.next()
  const parameters = p.token.kind === T.COLON ? noParameters : parseParameters(p, T.COLON)
  p.expect(T.COLON, "':' after the parameters of lambda")
  const outer = p.yields
  p.yields = false
  const body = conditionalBody ? parseTest(p) : parseOperation(p, T.OR_LEVEL)
  const { yields } = p
  p.yields = outer
  p.leave()
  p.grow(p.height + 1)
  return { kind: 'LambdaExpr', start, end: body.end, parameters, body, yields }
}

export function parseYield(p: Parser): Expression {
  const { start } = p.token
  p.affordance('yield')
  p.yields = true
  p.next()
  p.height = 0
  let value: Expression | undefined
  const from = p.eat(T.FROM)
  if (from) value = parseTest(p)
  else if (T.startsExpression[p.token.kind] === 1 || p.token.kind === T.STAR) value = parseExpressions(p)
  p.grow(p.height + 1)
  const node = { kind: 'YieldExpr', start, end: p.token.previousEnd, from } as const
  return value === undefined ? node : { ...node, value }
}

// ---- Operators ----

export function parseOperation(p: Parser, level: number): Expression {
  let left = parseOperand(p, level)
  let operator: T.TokenKind = -1
  let run = 0
  for (;;) {
    const { kind } = p.token
    const binding = T.precedences[kind]!
    if (binding === 0 || binding < level) return left
    if (binding === T.COMPARISON_LEVEL) {
      left = parseComparison(p, left)
      operator = -1
      continue
    }
    let { height } = p
    refuseIncrement(p)
    if (kind === T.AT && p.strict)
      p.fail(messages.unsupported('the operator @ is', 'multiply matrices with loops or comprehensions'))
    p.next()
    const right = parseOperation(p, binding + 1)
    // A run of one operator adds 1 to the height, so the height of its own link is subtracted.
    run = kind === operator ? run + 1 : 0
    const longest = binding <= T.AND_LEVEL ? MAX_LOGICAL_CHAIN : MAX_CHAIN
    if (run >= longest) p.tooDeep(messages.chainTooLong(longest))
    const below = run > 0 ? height - 1 : height
    height = Math.max(below, p.height)
    if (height >= MAX_HEIGHT) p.tooDeep(messages.nestedTooDeep('operations', MAX_HEIGHT))
    p.height = height + 1
    operator = kind
    left =
      binding <= T.AND_LEVEL
        ? {
            kind: 'LogicalExpr',
            start: left.start,
            end: right.end,
            operator: kind === T.AND ? 'and' : 'or',
            left,
            right,
          }
        : { kind: 'BinaryExpr', start: left.start, end: right.end, operator: T.binaryOperators[kind]!, left, right }
  }
}

function parseComparison(p: Parser, left: Expression): Expression {
  const rest: CompareExpr['rest'][number][] = []
  let { height } = p
  let end = left.end
  while (T.precedences[p.token.kind] === T.COMPARISON_LEVEL) {
    if (rest.length === 1) p.affordance('chainedComparison')
    const operator = parseCompareOperator(p)
    const operand = parseOperation(p, T.BITWISE_OR_LEVEL)
    height = Math.max(height, p.height)
    rest.push({ operator, operand })
    end = operand.end
  }
  p.grow(height + 1)
  return { kind: 'CompareExpr', start: left.start, end, left, rest }
}

function parseCompareOperator(p: Parser): CompareOperator {
  const { kind, start } = p.token
  p.next()
  switch (kind) {
    case T.EQ:
      return '=='
    case T.NE:
      return '!='
    case T.LT:
      return '<'
    case T.GT:
      return '>'
    case T.LE:
      return '<='
    case T.GE:
      return '>='
    case T.IN:
      return 'in'
    case T.NOT:
      p.expect(T.IN, "'in' after 'not'")
      return 'not in'
    default: {
      p.affordance('is', start, start + 2)
      return p.eat(T.NOT) ? 'is not' : 'is'
    }
  }
}

/** Refuses `x++` and `x--`. Both scan as two operators, and the second has no operand. */
function refuseIncrement(p: Parser): void {
  if (p.token.kind !== T.PLUS && p.token.kind !== T.MINUS) return
  const { start } = p.token
  const { text } = p
  if (text.charCodeAt(start + 1) !== text.charCodeAt(start)) return
  if (!/^\s*(?:[;)\]},#]|$)/m.test(text.slice(start + 2, start + 40).split(/[\r\n]/)[0]!)) return
  const sign = text.charAt(start)
  p.fail(messages.foreignSyntax(`'${sign}${sign}'`, `write: x ${sign}= 1`), start, start + 2)
}

/** Signs, `not`, and below them `**`. */
function parseOperand(p: Parser, level: number): Expression {
  switch (p.token.kind) {
    case T.NOT:
      if (level > T.NOT_LEVEL) p.failAt(messages.needsParentheses('not'))
      return parseUnary(p, 'not', T.NOT_LEVEL)
    case T.BANG:
      p.faults.report(messages.foreignSyntax("'!'", 'write: not'), p.token.start, p.token.end)
      return parseUnary(p, 'not', Math.max(level, T.NOT_LEVEL))
    case T.MINUS:
      return parseUnary(p, '-', 0)
    case T.PLUS:
      return parseUnary(p, '+', 0)
    case T.TILDE:
      return parseUnary(p, '~', 0)
    default:
      return parsePower(p)
  }
}

function parseUnary(p: Parser, operator: UnaryOperator, level: number): Expression {
  const { start } = p.token
  p.enter()
  p.next()
  const operand = level > 0 ? parseOperation(p, level) : parseOperand(p, T.BITWISE_OR_LEVEL)
  p.leave()
  p.grow(p.height + 1)
  return { kind: 'UnaryExpr', start, end: operand.end, operator, operand }
}

function parsePower(p: Parser): Expression {
  const left = parseAwaited(p)
  if (p.token.kind !== T.POWER) return left
  const { height } = p
  p.affordance('power')
  p.enter()
  p.next()
  const right = parseOperand(p, T.BITWISE_OR_LEVEL)
  p.leave()
  p.grow(Math.max(height, p.height) + 1)
  return { kind: 'BinaryExpr', start: left.start, end: right.end, operator: '**', left, right }
}

function parseAwaited(p: Parser): Expression {
  if (p.token.kind !== T.AWAIT) return parsePrimary(p)
  const { start } = p.token
  p.affordance('await')
  p.next()
  const value = parsePrimary(p)
  p.grow(p.height + 1)
  return { kind: 'AwaitExpr', start, end: value.end, value }
}
