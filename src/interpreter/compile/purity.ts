// Can evaluating an expression, or running a block, change a container? Sound in one direction: a "no" is certain.

import type { Expression, Statement } from '../syntax/nodes.js'
import type { Generation } from './context.js'
import { INT, is, STR } from './types.js'

const pureBuiltins = new Set([
  'len',
  'str',
  'repr',
  'int',
  'float',
  'bool',
  'range',
  'abs',
  'ord',
  'chr',
  'type',
  'hash',
  'isinstance',
])
const pureMethods = new Set([
  'get',
  'keys',
  'values',
  'items',
  'startswith',
  'endswith',
  'strip',
  'lstrip',
  'rstrip',
  'split',
  'splitlines',
  'join',
  'lower',
  'upper',
  'replace',
  'find',
  'count',
  'format',
  'title',
])

export function mayMutate(g: Generation, e: Expression | undefined): boolean {
  if (e === undefined) return false
  switch (e.kind) {
    case 'Identifier':
    case 'IntLiteral':
    case 'FloatLiteral':
    case 'StringLiteral':
    case 'BytesLiteral':
    case 'EllipsisLiteral':
    case 'LambdaExpr':
      return false
    case 'FString':
      return e.parts.some((p) => typeof p !== 'string')
    case 'ListExpr':
    case 'TupleExpr':
    case 'SetExpr':
      return e.elements.some((x) => mayMutate(g, x))
    case 'DictExpr':
      return e.entries.some((x) => mayMutate(g, x.key) || mayMutate(g, x.value))
    case 'Comprehension':
      return (
        mayMutate(g, e.element) ||
        mayMutate(g, e.value) ||
        e.clauses.some((c) => mayMutate(g, c.kind === 'IfClause' ? c.test : c.iterable))
      )
    case 'CondExpr':
      return mayMutate(g, e.test) || mayMutate(g, e.body) || mayMutate(g, e.orelse)
    case 'UnaryExpr':
      return mayMutate(g, e.operand)
    case 'BinaryExpr':
    case 'LogicalExpr':
      return mayMutate(g, e.left) || mayMutate(g, e.right)
    case 'CompareExpr':
      return mayMutate(g, e.left) || e.rest.some((r) => mayMutate(g, r.operand))
    case 'CallExpr': {
      if (e.arguments.some((a) => mayMutate(g, a.value))) return true
      if (e.callee.kind === 'Identifier')
        return !(g.bindingOf(e.callee)?.kind === 'universal' && pureBuiltins.has(e.callee.name))
      return !(
        e.callee.kind === 'DotExpr' &&
        pureMethods.has(e.callee.name.name) &&
        !g.hasClasses &&
        !mayMutate(g, e.callee.object)
      )
    }
    case 'DotExpr':
      return mayMutate(g, e.object)
    case 'IndexExpr':
      return mayMutate(g, e.object) || mayMutate(g, e.index)
    case 'SliceExpr':
      return [e.object, e.lower, e.upper, e.step].some((x) => mayMutate(g, x))
    case 'NamedExpr':
    case 'StarredExpr':
    case 'ParenExpr':
      return mayMutate(g, e.kind === 'ParenExpr' ? e.expression : e.value)
    case 'AwaitExpr':
    case 'YieldExpr':
      return true
  }
}

export function blockMayMutate(g: Generation, body: readonly Statement[]): boolean {
  return body.some((s) => {
    switch (s.kind) {
      case 'PassStmt':
      case 'BreakStmt':
      case 'ContinueStmt':
        return false
      case 'ExprStmt':
        return mayMutate(g, s.expression)
      case 'ReturnStmt':
        return mayMutate(g, s.value)
      case 'AssignStmt':
        return s.targets.some((t) => t.kind !== 'Identifier') || mayMutate(g, s.value)
      case 'AugmentedAssignStmt':
        return s.target.kind !== 'Identifier' || !is(g.typeOf(s.target), INT | STR) || mayMutate(g, s.value)
      case 'IfStmt':
        return mayMutate(g, s.test) || blockMayMutate(g, s.body) || blockMayMutate(g, s.orelse)
      case 'ForStmt':
        return mayMutate(g, s.iterable) || blockMayMutate(g, s.body) || blockMayMutate(g, s.orelse)
      case 'WhileStmt':
        return mayMutate(g, s.test) || blockMayMutate(g, s.body) || blockMayMutate(g, s.orelse)
      case 'MatchStmt':
        // Classes of the program say themselves what is equal and what attributes are.
        return (
          g.hasClasses ||
          mayMutate(g, s.subject) ||
          s.cases.some((c) => mayMutate(g, c.guard) || blockMayMutate(g, c.body))
        )
      default:
        return true
    }
  })
}
