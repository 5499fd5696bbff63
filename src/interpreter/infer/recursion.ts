// Finds how a function's body uses its parameters and calls itself, for the decision about a second version for small
// ints.

import type { Binding, Resolution } from '../resolve/index.js'
import type { CompareOperator, DefStmt, Expression, Statement } from '../syntax/nodes.js'
import { eachOwn, forEachIn, forEachStatement } from '../syntax/walk.js'

interface Scan {
  /** Variables that are operands of arithmetic or of order comparisons. */
  readonly computed: Set<Binding>
  /** Names that are called. */
  readonly calls: Set<Binding>
  /** True if there are functions or comprehensions inside. */
  nested: boolean
}

/** Scans simple statements and expressions. Anything else counts as nested. */
export function scanFunction(fn: DefStmt, { bindingOf }: Resolution): Scan {
  const scan: Scan = { computed: new Set(), calls: new Set(), nested: false }
  const note = (noted: Set<Binding>, e: Expression): void => {
    const binding = e.kind === 'Identifier' ? bindingOf.get(e) : undefined
    if (binding) noted.add(binding)
  }
  const expression = (e: Expression): void => {
    if (e.kind === 'BinaryExpr') for (const x of [e.left, e.right]) note(scan.computed, x)
    else if (e.kind === 'CompareExpr') {
      if (e.rest.every(({ operator }) => ORDERS.includes(operator)))
        for (const x of [e.left, ...e.rest.map(({ operand }) => operand)]) note(scan.computed, x)
    } else if (e.kind === 'CallExpr') note(scan.calls, e.callee)
    scan.nested ||= !EXPRESSIONS.includes(e.kind)
  }
  forEachStatement(fn.body, (s) => {
    scan.nested ||= !STATEMENTS.includes(s.kind)
    eachOwn(s, (e) => forEachIn(e, expression))
  })
  return scan
}

const ORDERS: readonly CompareOperator[] = ['<', '<=', '>', '>=']
const STATEMENTS: readonly Statement['kind'][] = [
  ...(['IfStmt', 'WhileStmt', 'ForStmt', 'MatchStmt', 'ReturnStmt', 'AssignStmt', 'AugmentedAssignStmt'] as const),
  ...(['ExprStmt', 'PassStmt', 'BreakStmt', 'ContinueStmt'] as const),
]
const EXPRESSIONS: readonly Expression['kind'][] = [
  ...(['Identifier', 'IntLiteral', 'FloatLiteral', 'StringLiteral', 'ListExpr', 'TupleExpr', 'ParenExpr'] as const),
  ...(['UnaryExpr', 'BinaryExpr', 'LogicalExpr', 'CompareExpr', 'CondExpr'] as const),
  ...(['CallExpr', 'DotExpr', 'IndexExpr'] as const),
]
