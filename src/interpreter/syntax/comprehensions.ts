// The clauses of comprehensions, and the targets of their loops, which `for` statements share.

import { messages } from './messages.js'
import type { ComprehensionClause, Expression, ForClause } from './nodes.js'
import { MAX_CLAUSES, type Parser } from './parser.js'
import { checkTarget } from './targets.js'
import * as T from './tokens.js'

/** `*` and the operand that it unpacks. */
export function parseStarred(p: Parser): Expression {
  const { start } = p.token
  p.next()
  const value = p.grammar.parseOperation(p, T.BITWISE_OR_LEVEL)
  p.grow(p.height + 1)
  return { kind: 'StarredExpr', start, end: value.end, value }
}

export function atClauses(p: Parser): boolean {
  return p.token.kind === T.FOR || p.token.kind === T.ASYNC
}

/** The clauses of a comprehension: one `for`, then any number of `for` and `if`. */
export function parseClauses(p: Parser): ComprehensionClause[] {
  const clauses: ComprehensionClause[] = []
  let height = 0
  while (p.token.kind === T.FOR || p.token.kind === T.ASYNC || p.token.kind === T.IF) {
    const { start } = p.token
    if (p.eat(T.IF)) {
      // In strict mode a lambda may stand here; its body is not a conditional.
      const isLambda = p.strict && p.token.kind === T.LAMBDA
      const test = isLambda ? p.grammar.parseLambda(p, false) : p.grammar.parseOperation(p, T.OR_LEVEL)
      clauses.push({ kind: 'IfClause', start, end: test.end, test })
    } else {
      clauses.push(parseForClause(p))
    }
    height = Math.max(height, p.height)
    if (clauses.length > MAX_CLAUSES) p.tooDeep(messages.nestedTooDeep('the clauses of a comprehension', MAX_CLAUSES))
  }
  p.height = height
  return clauses
}

function parseForClause(p: Parser): ForClause {
  const { start } = p.token
  const isAsync = p.token.kind === T.ASYNC
  if (isAsync) {
    p.affordance('async')
    p.next()
  }
  p.expect(T.FOR, "'for'")
  const target = parseLoopTarget(p)
  const { height } = p
  p.expect(T.IN, "'in'")
  const iterable = p.grammar.parseOperation(p, T.OR_LEVEL)
  p.height = Math.max(height, p.height)
  return { kind: 'ForClause', start, end: iterable.end, target, iterable, isAsync }
}

/** The target of a `for`: one or several with commas, before `in`. */
export function parseLoopTarget(p: Parser): Expression {
  const { start } = p.token
  const elements: Expression[] = []
  let height = 0
  let comma = false
  do {
    elements.push(parseLoopTargetElement(p))
    height = Math.max(height, p.height)
    comma = p.eat(T.COMMA)
  } while (comma && p.token.kind !== T.IN)
  if (comma && p.strict) {
    p.faults.report(messages.trailingComma('leave the last comma out'), p.token.previousEnd - 1, p.token.previousEnd)
  }
  const tuple = elements.length > 1 || comma
  const target: Expression = tuple
    ? { kind: 'TupleExpr', start, end: p.token.previousEnd, elements, parenthesized: false }
    : elements[0]!
  p.grow(height + (tuple ? 1 : 0))
  checkTarget(p, target, 'assign')
  return target
}

function parseLoopTargetElement(p: Parser): Expression {
  if (p.token.kind !== T.STAR) return p.grammar.parseOperation(p, T.BITWISE_OR_LEVEL)
  p.affordance('starredTarget')
  return parseStarred(p)
}
