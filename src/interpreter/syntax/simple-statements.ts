// Simple statements: those on one line, separated by semicolons.

import { lineEnd } from './characters.js'
import { unpackHint } from './displays.js'
import { parseExpressions, parseOperation, parseTest, parseYield } from './expressions.js'
import { asLoad, parseImportStatement, parseLoadStatement } from './imports.js'
import { type Affordance, messages } from './messages.js'
import type { AssignStmt, BinaryOperator, Expression, Identifier, Statement } from './nodes.js'
import type { Parser } from './parser.js'
import { refuseSoftKeyword } from './soft-keywords.js'
import { checkTarget } from './targets.js'
import * as T from './tokens.js'

/** Simple statements separated by ';' up to the end of the line. */
export function parseSimpleLine(p: Parser, body: Statement[]): void {
  do {
    if (p.token.kind === T.NEWLINE) break
    body.push(parseSimple(p))
  } while (p.eat(T.SEMICOLON))
  if (p.token.kind !== T.NEWLINE) junk(p)
  p.next()
}

function junk(p: Parser): never {
  if (p.token.kind === T.COLON) p.unexpected('end of line', "A ':' only follows the header of a block")
  p.unexpected('end of line')
}

function parseSimple(p: Parser): Statement {
  const { start } = p.token
  switch (p.token.kind) {
    case T.PASS:
      p.next()
      return { kind: 'PassStmt', start, end: p.token.previousEnd }
    case T.BREAK:
      p.next()
      return { kind: 'BreakStmt', start, end: p.token.previousEnd }
    case T.CONTINUE:
      p.next()
      return { kind: 'ContinueStmt', start, end: p.token.previousEnd }
    case T.RETURN: {
      p.next()
      if (atLineEnd(p)) return { kind: 'ReturnStmt', start, end: p.token.previousEnd }
      const value = unstarred(p, parseExpressions(p))
      return { kind: 'ReturnStmt', start, end: p.token.previousEnd, value }
    }
    case T.RAISE:
      return parseRaise(p)
    case T.ASSERT:
      return parseAssert(p)
    case T.DEL:
      return parseDel(p)
    case T.GLOBAL:
    case T.NONLOCAL:
      return parseScope(p)
    case T.IMPORT:
    case T.FROM:
      return parseImportStatement(p)
    case T.LOAD:
      return parseLoadStatement(p)
    case T.NAME:
      if (p.token.word === 'match' || p.token.word === 'case' || p.token.word === 'type') refuseSoftKeyword(p)
      return parseExpressionStatement(p)
    default:
      return parseOther(p)
  }
}

function atLineEnd(p: Parser): boolean {
  return p.token.kind === T.NEWLINE || p.token.kind === T.SEMICOLON || p.token.kind === T.END
}

function parseOther(p: Parser): Statement {
  switch (p.token.kind) {
    case T.DEF:
    case T.IF:
    case T.FOR:
    case T.WHILE:
    case T.TRY:
    case T.WITH:
    case T.CLASS:
    case T.ASYNC:
      p.fail(messages.blockOnOneLine(p.token.word))
  }
  return parseExpressionStatement(p)
}

function parseRaise(p: Parser): Statement {
  const { start } = p.token
  p.affordance('raise')
  p.next()
  if (atLineEnd(p)) return { kind: 'RaiseStmt', start, end: p.token.previousEnd }
  const exception = parseTest(p)
  if (p.token.kind === T.COMMA) p.unexpected('end of line', 'write: raise ValueError("message")')
  const cause = p.eat(T.FROM) ? parseTest(p) : undefined
  const node = { kind: 'RaiseStmt', start, end: p.token.previousEnd, exception } as const
  return cause === undefined ? node : { ...node, cause }
}

function parseAssert(p: Parser): Statement {
  const { start } = p.token
  p.affordance('assert')
  p.next()
  const test = parseTest(p)
  const message = p.eat(T.COMMA) ? parseTest(p) : undefined
  const node = { kind: 'AssertStmt', start, end: p.token.previousEnd, test } as const
  return message === undefined ? node : { ...node, message }
}

function parseDel(p: Parser): Statement {
  const { start } = p.token
  p.affordance('del')
  p.next()
  const targets: Expression[] = []
  do {
    const target = parseOperation(p, T.BITWISE_OR_LEVEL)
    checkTarget(p, target, 'delete')
    targets.push(target)
  } while (p.eat(T.COMMA) && !atLineEnd(p))
  return { kind: 'DelStmt', start, end: p.token.previousEnd, targets }
}

function parseScope(p: Parser): Statement {
  const { start } = p.token
  const word = p.token.word as Affordance & ('global' | 'nonlocal')
  p.affordance(word)
  p.next()
  const names: Identifier[] = []
  do names.push(p.identifier(`a name after ${word}`))
  while (p.eat(T.COMMA))
  if (p.token.kind === T.ASSIGN) p.unexpected('end of line', `declare first, assign on the next line: ${word} x`)
  return { kind: word === 'global' ? 'GlobalStmt' : 'NonlocalStmt', start, end: p.token.previousEnd, names }
}

// ---- Expressions and assignments as statements ----

function parseExpressionStatement(p: Parser): Statement {
  const { start } = p.token
  const first = p.token.kind === T.YIELD ? parseYield(p) : parseExpressions(p)
  switch (p.token.kind) {
    case T.ASSIGN:
      return parseAssign(p, start, first)
    case T.AUGMENTED:
      return parseAugmentedAssign(p, start, first)
    case T.COLON:
      return parseAnnotatedAssign(p, start, first)
    case T.WALRUS:
      if (first.kind === 'Identifier') p.fail(messages.walrusStatement(first.name))
  }
  const load = !p.strict && first.kind === 'CallExpr' ? asLoad(p, first) : undefined
  return load ?? { kind: 'ExprStmt', start, end: first.end, expression: unstarred(p, first) }
}

function parseAssign(p: Parser, start: number, first: Expression): AssignStmt {
  const targets: Expression[] = []
  let value = first
  while (p.token.kind === T.ASSIGN) {
    if (targets.length === 1) p.affordance('chainedAssignment')
    p.next()
    targets.push(value)
    checkTarget(p, value, 'assign')
    value = p.token.kind === T.YIELD ? parseYield(p) : parseExpressions(p)
  }
  return { kind: 'AssignStmt', start, end: value.end, targets, value: unstarred(p, value) }
}

/** Refuses `*x` as a value of its own. */
export function unstarred(p: Parser, value: Expression): Expression {
  if (value.kind === 'StarredExpr') p.faults.report(messages.starredHere(unpackHint), value.start, value.end)
  return value
}

function parseAugmentedAssign(p: Parser, start: number, target: Expression): Statement {
  const { word } = p.token
  checkTarget(p, target, 'augment')
  if (word === '@' && p.strict)
    p.fail(messages.unsupported('the operator @= is', 'multiply matrices with loops or comprehensions'))
  if (word === '**') p.affordance('power')
  p.next()
  const value = p.token.kind === T.YIELD ? parseYield(p) : parseExpressions(p)
  const operator = word as BinaryOperator
  return { kind: 'AugmentedAssignStmt', start, end: value.end, target, operator, value: unstarred(p, value) }
}

function parseAnnotatedAssign(p: Parser, start: number, target: Expression): Statement {
  const colon = p.token.start
  const after = p.text.slice(p.token.end, lineEnd(p.text, p.token.end))
  if (/^\s*(?:#.*)?$/.test(after)) lonelyColon(p)
  if (target.kind === 'TupleExpr' && !target.parenthesized) junk(p)
  checkTarget(p, target, 'annotate')
  p.next()
  const annotation = parseTest(p)
  p.affordance('annotation', colon, annotation.end)
  let value: Expression | undefined
  if (p.eat(T.ASSIGN)) value = p.token.kind === T.YIELD ? parseYield(p) : parseExpressions(p)
  const node = { kind: 'AnnotatedAssignStmt', start, end: p.token.previousEnd, target, annotation } as const
  return value === undefined ? node : { ...node, value }
}

/** Reports a line that ends with ':' but starts with no keyword. */
function lonelyColon(p: Parser): never {
  p.unexpected('end of line', "A ':' at the end of a line only follows if, for, while, def, try, with, class")
}
