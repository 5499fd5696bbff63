// Where `:=` stands in an expression. Knows the shape of expressions, no scopes.
// Invariant: chains of operators, which can be long, are walked without recursion.

import type { Expression, Identifier } from '../syntax/nodes.js'

/** Calls `found` for the target of every `:=` in an expression that binds in the block around it: not those inside a lambda. */
export function forEachNamed(e: Expression, found: (id: Identifier) => void): void {
  const walk = (x: Expression | undefined): void => {
    if (x === undefined) return
    switch (x.kind) {
      case 'NamedExpr':
        found(x.target)
        return walk(x.value)
      case 'FString':
        for (const part of x.parts) if (typeof part !== 'string') walk(part.expression)
        return
      case 'ListExpr':
      case 'TupleExpr':
      case 'SetExpr':
        return x.elements.forEach(walk)
      case 'DictExpr':
        for (const entry of x.entries) {
          walk(entry.key)
          walk(entry.value)
        }
        return
      case 'Comprehension':
        walk(x.element)
        walk(x.value)
        for (const c of x.clauses) walk(c.kind === 'IfClause' ? c.test : c.iterable)
        return
      case 'CondExpr':
        walk(x.test)
        walk(x.body)
        return walk(x.orelse)
      case 'UnaryExpr':
        return walk(x.operand)
      case 'BinaryExpr':
      case 'LogicalExpr': {
        let left: Expression = x
        while (left.kind === 'BinaryExpr' || left.kind === 'LogicalExpr') {
          walk(left.right)
          left = left.left
        }
        return walk(left)
      }
      case 'CompareExpr':
        walk(x.left)
        for (const r of x.rest) walk(r.operand)
        return
      case 'CallExpr':
        walk(x.callee)
        for (const a of x.arguments) walk(a.value)
        return
      case 'DotExpr':
        return walk(x.object)
      case 'IndexExpr':
        walk(x.object)
        return walk(x.index)
      case 'SliceExpr':
        walk(x.object)
        walk(x.lower)
        walk(x.upper)
        return walk(x.step)
      case 'YieldExpr':
        return walk(x.value)
      case 'StarredExpr':
      case 'AwaitExpr':
        return walk(x.value)
      case 'ParenExpr':
        return walk(x.expression)
      default:
        return
    }
  }
  walk(e)
}
