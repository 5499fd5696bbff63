// What a function's body does with its parameters and with itself, as far as it matters for compiling it a second time for small ints.

import type { Binding, Resolution } from '../resolve/index.js'
import { expressionsIn } from '../syntax/inside-patterns.js'
import type { DefStmt, Expression, Statement } from '../syntax/nodes.js'

interface Scan {
  /** Variables that are operands of arithmetic or of an order. */
  readonly computed: Set<Binding>
  /** Names that are called. */
  readonly calls: Set<Binding>
  /** Are there functions or comprehensions inside? */
  nested: boolean
}

/** Simple statements and expressions are looked through; anything else counts as nested. */
export function scanFunction(fn: DefStmt, resolution: Resolution): Scan {
  const scan: Scan = { computed: new Set(), calls: new Set(), nested: false }
  block(fn.body)
  return scan

  function block(body: readonly Statement[]): void {
    for (const s of body) statement(s)
  }

  function statement(s: Statement): void {
    switch (s.kind) {
      case 'IfStmt':
      case 'WhileStmt':
        visit(s.test)
        block(s.body)
        return block(s.orelse)
      case 'ForStmt':
        visit(s.iterable)
        block(s.body)
        return block(s.orelse)
      case 'MatchStmt':
        visit(s.subject)
        for (const { pattern, guard, body } of s.cases) {
          for (const e of expressionsIn(pattern)) visit(e)
          visit(guard)
          block(body)
        }
        return
      case 'ReturnStmt':
        return visit(s.value)
      case 'AssignStmt':
        s.targets.forEach(visit)
        return visit(s.value)
      case 'AugmentedAssignStmt':
        visit(s.target)
        return visit(s.value)
      case 'ExprStmt':
        return visit(s.expression)
      case 'PassStmt':
      case 'BreakStmt':
      case 'ContinueStmt':
        return
      default:
        scan.nested = true
    }
  }

  function operand(e: Expression): void {
    const binding = e.kind === 'Identifier' ? resolution.bindingOf.get(e) : undefined
    if (binding) scan.computed.add(binding)
    else visit(e)
  }

  function visit(e: Expression | undefined): void {
    switch (e?.kind) {
      case undefined:
      case 'Identifier':
      case 'IntLiteral':
      case 'FloatLiteral':
      case 'StringLiteral':
        return
      case 'BinaryExpr': {
        let x: Expression = e
        while (x.kind === 'BinaryExpr') {
          operand(x.right)
          x = x.left
        }
        return operand(x)
      }
      case 'CompareExpr': {
        const ordered = e.rest.every((r) => ['<', '<=', '>', '>='].includes(r.operator))
        for (const x of [e.left, ...e.rest.map((r) => r.operand)]) ordered ? operand(x) : visit(x)
        return
      }
      case 'LogicalExpr':
        visit(e.left)
        return visit(e.right)
      case 'UnaryExpr':
        return visit(e.operand)
      case 'ParenExpr':
        return visit(e.expression)
      case 'CondExpr':
        visit(e.test)
        visit(e.body)
        return visit(e.orelse)
      case 'ListExpr':
      case 'TupleExpr':
        return e.elements.forEach(visit)
      case 'IndexExpr':
        visit(e.object)
        return visit(e.index)
      case 'CallExpr': {
        const called = e.callee.kind === 'Identifier' ? resolution.bindingOf.get(e.callee) : undefined
        if (called) scan.calls.add(called)
        else visit(e.callee)
        for (const a of e.arguments) visit(a.value)
        return
      }
      case 'DotExpr':
        return visit(e.object)
      default:
        scan.nested = true
    }
  }
}
