// Decides whether evaluating an expression, or running a block, can change a container. A "no" is certain.

import { INT, STR } from '../infer/kinds.js'
import { is } from '../infer/types.js'
import type { Expression, Statement } from '../syntax/nodes.js'
import { eachOwn, eachTarget, forEachIn, forEachStatement } from '../syntax/walk.js'
import type { Generation } from './context.js'

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

export function mayMutate(g: Generation, e: Expression): boolean {
  let may = false
  forEachIn(e, (x) => {
    may ||= mayChange(g, x)
    return !may && x.kind !== 'LambdaExpr'
  })
  return may
}

export function blockMayMutate(g: Generation, body: readonly Statement[]): boolean {
  let may = false
  forEachStatement(body, (s) => {
    may ||= statementMayChange(g, s)
    if (!may)
      eachOwn(s, (e) => {
        may ||= mayMutate(g, e)
      })
    return !may
  })
  return may
}

/** True if the operation itself may change a container, without its operands. */
function mayChange(g: Generation, e: Expression): boolean {
  switch (e.kind) {
    case 'FString':
      return e.parts.some((p) => typeof p !== 'string')
    case 'CallExpr':
      return e.callee.kind === 'Identifier'
        ? !(g.bindingOf(e.callee)?.kind === 'universal' && pureBuiltins.has(e.callee.name))
        : !(e.callee.kind === 'DotExpr' && pureMethods.has(e.callee.name.name) && !g.facts.hasClasses)
    case 'AwaitExpr':
    case 'YieldExpr':
      return true
    default:
      return false
  }
}

/** True if the statement itself may change a container, without its expressions and blocks. */
function statementMayChange(g: Generation, s: Statement): boolean {
  switch (s.kind) {
    case 'PassStmt':
    case 'BreakStmt':
    case 'ContinueStmt':
    case 'ExprStmt':
    case 'ReturnStmt':
    case 'IfStmt':
    case 'WhileStmt':
      return false
    case 'ForStmt': {
      let isOnlyNames = true
      eachTarget(s.target, ({ kind }) => {
        isOnlyNames &&= kind === 'Identifier'
      })
      return !isOnlyNames
    }
    case 'AssignStmt':
      return s.targets.some((t) => t.kind !== 'Identifier')
    case 'AugmentedAssignStmt':
      return s.target.kind !== 'Identifier' || !is(g.typeOf(s.target), INT | STR)
    case 'MatchStmt':
      // Classes of the program may define equality and attributes.
      return g.facts.hasClasses
    default:
      return true
  }
}
