// Is a function a generator? It is when a `yield` stands in its own body.

import type { DefStmt, Expression, FStringPart, LambdaExpr, Statement } from '../syntax/nodes.js'

const known = new WeakMap<DefStmt | LambdaExpr, boolean>()

export function isGenerator(fn: DefStmt | LambdaExpr): boolean {
  let answer = known.get(fn)
  if (answer === undefined) {
    answer = fn.kind === 'LambdaExpr' ? inExpression(fn.body) : fn.body.some(inStatement)
    known.set(fn, answer)
  }
  return answer
}

function any(list: readonly (Expression | undefined)[]): boolean {
  return list.some((e) => e !== undefined && inExpression(e))
}

function inBlock(body: readonly Statement[]): boolean {
  return body.some(inStatement)
}

function inStatement(s: Statement): boolean {
  switch (s.kind) {
    case 'DefStmt':
      return any([...s.decorators, ...s.parameters.map((p) => p.default)])
    case 'ClassStmt':
      return any([...s.decorators, ...s.bases.map((b) => b.value)])
    case 'IfStmt':
    case 'WhileStmt':
      return inExpression(s.test) || inBlock(s.body) || inBlock(s.orelse)
    case 'ForStmt':
      return any([s.iterable, s.target]) || inBlock(s.body) || inBlock(s.orelse)
    case 'ReturnStmt':
      return any([s.value])
    case 'AssignStmt':
      return any([...s.targets, s.value])
    case 'AugmentedAssignStmt':
    case 'AnnotatedAssignStmt':
      return any([s.target, s.value])
    case 'ExprStmt':
      return inExpression(s.expression)
    case 'TryStmt':
      return (
        inBlock(s.body) ||
        s.handlers.some((h) => any([h.type]) || inBlock(h.body)) ||
        inBlock(s.orelse) ||
        inBlock(s.finalbody)
      )
    case 'RaiseStmt':
      return any([s.exception, s.cause])
    case 'AssertStmt':
      return any([s.test, s.message])
    case 'DelStmt':
      return any(s.targets)
    case 'WithStmt':
      return any(s.items.flatMap((i) => [i.context, i.target])) || inBlock(s.body)
    default:
      return false
  }
}

function inParts(parts: readonly FStringPart[]): boolean {
  return parts.some(
    (p) => typeof p !== 'string' && (inExpression(p.expression) || (p.spec !== undefined && inParts(p.spec))),
  )
}

function inExpression(e: Expression): boolean {
  switch (e.kind) {
    case 'YieldExpr':
      return true
    case 'FString':
      return inParts(e.parts)
    case 'ListExpr':
    case 'TupleExpr':
    case 'SetExpr':
      return any(e.elements)
    case 'DictExpr':
      return e.entries.some((x) => any([x.key, x.value]))
    case 'Comprehension':
      // What comes first is evaluated outside the comprehension.
      return any(e.clauses.slice(0, 1).map((c) => (c.kind === 'IfClause' ? c.test : c.iterable)))
    case 'CondExpr':
      return any([e.test, e.body, e.orelse])
    case 'LambdaExpr':
      return any(e.parameters.map((p) => p.default))
    case 'UnaryExpr':
      return inExpression(e.operand)
    case 'BinaryExpr':
    case 'LogicalExpr': {
      let x: Expression = e
      while (x.kind === 'BinaryExpr' || x.kind === 'LogicalExpr') {
        if (inExpression(x.right)) return true
        x = x.left
      }
      return inExpression(x)
    }
    case 'CompareExpr':
      return any([e.left, ...e.rest.map((r) => r.operand)])
    case 'CallExpr':
      return any([e.callee, ...e.arguments.map((a) => a.value)])
    case 'DotExpr':
      return inExpression(e.object)
    case 'IndexExpr':
      return any([e.object, e.index])
    case 'SliceExpr':
      return any([e.object, e.lower, e.upper, e.step])
    case 'NamedExpr':
    case 'StarredExpr':
    case 'AwaitExpr':
      return inExpression(e.value)
    case 'ParenExpr':
      return inExpression(e.expression)
    default:
      return false
  }
}
