// Every statement and expression of a program, whatever its place. Knows the shape of the tree and nothing else.

import { forEachStatement } from '../compile/visit.js'
import type { Expression, FStringPart, Parameter, Statement } from '../syntax/nodes.js'

/** Calls `visit` for all expressions in all statements, outer ones before inner ones. */
export function forEachExpression(body: readonly Statement[], visit: (e: Expression) => void): void {
  const walk = (root: Expression): void => {
    const open = [root]
    while (open.length > 0) {
      const e = open.pop()!
      visit(e)
      open.push(...[...childrenOf(e)].reverse())
      if (e.kind === 'LambdaExpr') for (const p of e.parameters) if (p.default) open.push(p.default)
    }
  }
  forEachStatement(body, (s) => {
    for (const e of expressionsIn(s)) walk(e)
  })
}

function* defaults(parameters: readonly Parameter[]): Iterable<Expression> {
  for (const p of parameters) if (p.default) yield p.default
}

function* expressionsIn(s: Statement): Iterable<Expression> {
  switch (s.kind) {
    case 'DefStmt':
      yield* s.decorators
      yield* defaults(s.parameters)
      return
    case 'ClassStmt':
      yield* s.decorators
      for (const b of s.bases) yield b.value
      return
    case 'IfStmt':
    case 'WhileStmt':
      yield s.test
      return
    case 'ForStmt':
      yield s.iterable
      yield s.target
      return
    case 'ReturnStmt':
      if (s.value) yield s.value
      return
    case 'AssignStmt':
      yield s.value
      yield* s.targets
      return
    case 'AugmentedAssignStmt':
      yield s.value
      yield s.target
      return
    case 'AnnotatedAssignStmt':
      if (s.value) yield s.value
      yield s.target
      return
    case 'ExprStmt':
      yield s.expression
      return
    case 'TryStmt':
      for (const h of s.handlers) if (h.type) yield h.type
      return
    case 'RaiseStmt':
      if (s.exception) yield s.exception
      if (s.cause) yield s.cause
      return
    case 'AssertStmt':
      yield s.test
      if (s.message) yield s.message
      return
    case 'DelStmt':
      yield* s.targets
      return
    case 'WithStmt':
      for (const { context, target } of s.items) {
        yield context
        if (target) yield target
      }
      return
    default:
      return
  }
}

function* parts(all: readonly FStringPart[]): Iterable<Expression> {
  for (const part of all) {
    if (typeof part === 'string') continue
    yield part.expression
    if (part.spec) yield* parts(part.spec)
  }
}

/** The expressions directly inside an expression; parameters of a lambda are not among them. */
export function* childrenOf(e: Expression): Iterable<Expression> {
  switch (e.kind) {
    case 'FString':
      yield* parts(e.parts)
      return
    case 'ListExpr':
    case 'TupleExpr':
    case 'SetExpr':
      yield* e.elements
      return
    case 'DictExpr':
      for (const { key, value } of e.entries) {
        if (key) yield key
        yield value
      }
      return
    case 'Comprehension':
      for (const clause of e.clauses) {
        if (clause.kind === 'IfClause') yield clause.test
        else {
          yield clause.iterable
          yield clause.target
        }
      }
      yield e.element
      if (e.value) yield e.value
      return
    case 'CondExpr':
      yield e.test
      yield e.body
      yield e.orelse
      return
    case 'LambdaExpr':
      yield e.body
      return
    case 'UnaryExpr':
      yield e.operand
      return
    case 'BinaryExpr':
    case 'LogicalExpr':
      yield e.left
      yield e.right
      return
    case 'CompareExpr':
      yield e.left
      for (const { operand } of e.rest) yield operand
      return
    case 'CallExpr':
      yield e.callee
      for (const a of e.arguments) yield a.value
      return
    case 'DotExpr':
      yield e.object
      return
    case 'IndexExpr':
      yield e.object
      yield e.index
      return
    case 'SliceExpr':
      yield e.object
      for (const x of [e.lower, e.upper, e.step]) if (x) yield x
      return
    case 'NamedExpr':
      yield e.target
      yield e.value
      return
    case 'YieldExpr':
      if (e.value) yield e.value
      return
    case 'StarredExpr':
    case 'AwaitExpr':
      yield e.value
      return
    case 'ParenExpr':
      yield e.expression
      return
    default:
      return
  }
}
