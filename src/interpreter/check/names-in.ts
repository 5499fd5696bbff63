// The names that an expression reads. Knows the shape of expressions; functions and f-strings inside are left out.

import type { Expression, Identifier } from '../syntax/nodes.js'

export function forEachNameIn(e: Expression | undefined, visit: (id: Identifier) => void): void {
  if (e === undefined) return
  switch (e.kind) {
    case 'Identifier':
      return visit(e)
    case 'ParenExpr':
      return forEachNameIn(e.expression, visit)
    case 'UnaryExpr':
      return forEachNameIn(e.operand, visit)
    case 'BinaryExpr':
    case 'LogicalExpr': {
      let left: Expression = e
      while (left.kind === 'BinaryExpr' || left.kind === 'LogicalExpr') {
        forEachNameIn(left.right, visit)
        left = left.left
      }
      return forEachNameIn(left, visit)
    }
    case 'CompareExpr':
      forEachNameIn(e.left, visit)
      for (const { operand } of e.rest) forEachNameIn(operand, visit)
      return
    case 'CallExpr':
      forEachNameIn(e.callee, visit)
      for (const a of e.arguments) forEachNameIn(a.value, visit)
      return
    case 'DotExpr':
      return forEachNameIn(e.object, visit)
    case 'IndexExpr':
      forEachNameIn(e.object, visit)
      return forEachNameIn(e.index, visit)
    case 'NamedExpr':
      visit(e.target)
      return forEachNameIn(e.value, visit)
    case 'CondExpr':
      forEachNameIn(e.test, visit)
      forEachNameIn(e.body, visit)
      return forEachNameIn(e.orelse, visit)
    case 'ListExpr':
    case 'TupleExpr':
    case 'SetExpr':
      for (const x of e.elements) forEachNameIn(x, visit)
      return
    case 'StarredExpr':
    case 'AwaitExpr':
      return forEachNameIn(e.value, visit)
    case 'Comprehension':
      for (const clause of e.clauses) forEachNameIn(clause.kind === 'IfClause' ? clause.test : clause.iterable, visit)
      forEachNameIn(e.element, visit)
      return forEachNameIn(e.value, visit)
    default:
      return
  }
}
