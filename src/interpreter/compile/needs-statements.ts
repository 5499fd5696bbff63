// Which expressions write statements in front of themselves: those with a comprehension in them (outside a
// lambda's body, which is a function of its own) and lambdas with default values.

import type { Resolution } from '../resolve/index.js'
import type { Expression, FStringPart, LambdaExpr } from '../syntax/nodes.js'
import type { Generation } from './context.js'

/** Where in the text the comprehensions and the lambdas with default values begin, in their order. */
export function statementStarts({ scopeOf }: Resolution): readonly number[] {
  const starts: number[] = []
  for (const { node } of scopeOf.values())
    if (node.kind === 'Comprehension' || (node.kind === 'LambdaExpr' && hasDefaults(node))) starts.push(node.start)
  return starts.sort((a, b) => a - b)
}

export function hasStatements(g: Generation, e: Expression): boolean {
  if (e.kind === 'Identifier' || e.kind === 'IntLiteral' || e.kind === 'StringLiteral') return false
  // Most expressions have nothing of the kind between their ends; only the others are looked into.
  return startsWithin(g.statementStarts, e) && find(g, e)
}

function startsWithin(starts: readonly number[], { start, end }: Expression): boolean {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (starts[middle]! < start) low = middle + 1
    else high = middle
  }
  return low < starts.length && starts[low]! < end
}

function hasDefaults({ parameters }: LambdaExpr): boolean {
  return parameters.some((p) => p.default !== undefined)
}

function inParts(g: Generation, parts: readonly FStringPart[]): boolean {
  return parts.some(
    (p) => typeof p !== 'string' && (hasStatements(g, p.expression) || (p.spec !== undefined && inParts(g, p.spec))),
  )
}

function find(g: Generation, e: Expression): boolean {
  switch (e.kind) {
    case 'Comprehension':
      return true
    case 'Identifier':
    case 'IntLiteral':
    case 'FloatLiteral':
    case 'StringLiteral':
    case 'BytesLiteral':
    case 'EllipsisLiteral':
      return false
    case 'LambdaExpr':
      // Defaults are computed where the function is made.
      return hasDefaults(e)
    case 'FString':
      return inParts(g, e.parts)
    case 'ListExpr':
    case 'TupleExpr':
    case 'SetExpr':
      return e.elements.some((x) => hasStatements(g, x))
    case 'DictExpr':
      return e.entries.some((x) => (x.key !== undefined && hasStatements(g, x.key)) || hasStatements(g, x.value))
    case 'CondExpr':
      return hasStatements(g, e.test) || hasStatements(g, e.body) || hasStatements(g, e.orelse)
    case 'UnaryExpr':
      return hasStatements(g, e.operand)
    case 'BinaryExpr':
    case 'LogicalExpr': {
      let x: Expression = e
      while (x.kind === 'BinaryExpr' || x.kind === 'LogicalExpr') {
        if (hasStatements(g, x.right)) return true
        x = x.left
      }
      return hasStatements(g, x)
    }
    case 'CompareExpr':
      return hasStatements(g, e.left) || e.rest.some((r) => hasStatements(g, r.operand))
    case 'CallExpr':
      return hasStatements(g, e.callee) || e.arguments.some((a) => hasStatements(g, a.value))
    case 'DotExpr':
      return hasStatements(g, e.object)
    case 'IndexExpr':
      return hasStatements(g, e.object) || hasStatements(g, e.index)
    case 'SliceExpr':
      return [e.object, e.lower, e.upper, e.step].some((x) => x !== undefined && hasStatements(g, x))
    case 'YieldExpr':
      return e.value !== undefined && hasStatements(g, e.value)
    case 'NamedExpr':
    case 'StarredExpr':
    case 'AwaitExpr':
      return hasStatements(g, e.value)
    case 'ParenExpr':
      return hasStatements(g, e.expression)
  }
}
