// Which expressions write statements in front of themselves: those with a comprehension in them (outside a
// lambda's body, which is a function of its own) and lambdas with default values.

import type { Expression, FStringPart } from '../syntax/nodes.js'

const known = new WeakMap<Expression, boolean>()

export function hasStatements(e: Expression): boolean {
  if (e.kind === 'Identifier' || e.kind === 'IntLiteral' || e.kind === 'StringLiteral') return false
  let answer = known.get(e)
  if (answer === undefined) {
    answer = find(e)
    known.set(e, answer)
  }
  return answer
}

function inParts(parts: readonly FStringPart[]): boolean {
  return parts.some(
    (p) => typeof p !== 'string' && (hasStatements(p.expression) || (p.spec !== undefined && inParts(p.spec))),
  )
}

function find(e: Expression): boolean {
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
      return e.parameters.some((p) => p.default !== undefined)
    case 'FString':
      return inParts(e.parts)
    case 'ListExpr':
    case 'TupleExpr':
    case 'SetExpr':
      return e.elements.some(hasStatements)
    case 'DictExpr':
      return e.entries.some((x) => (x.key !== undefined && hasStatements(x.key)) || hasStatements(x.value))
    case 'CondExpr':
      return hasStatements(e.test) || hasStatements(e.body) || hasStatements(e.orelse)
    case 'UnaryExpr':
      return hasStatements(e.operand)
    case 'BinaryExpr':
    case 'LogicalExpr': {
      let x: Expression = e
      while (x.kind === 'BinaryExpr' || x.kind === 'LogicalExpr') {
        if (hasStatements(x.right)) return true
        x = x.left
      }
      return hasStatements(x)
    }
    case 'CompareExpr':
      return hasStatements(e.left) || e.rest.some((r) => hasStatements(r.operand))
    case 'CallExpr':
      return hasStatements(e.callee) || e.arguments.some((a) => hasStatements(a.value))
    case 'DotExpr':
      return hasStatements(e.object)
    case 'IndexExpr':
      return hasStatements(e.object) || hasStatements(e.index)
    case 'SliceExpr':
      return [e.object, e.lower, e.upper, e.step].some((x) => x !== undefined && hasStatements(x))
    case 'YieldExpr':
      return e.value !== undefined && hasStatements(e.value)
    case 'NamedExpr':
    case 'StarredExpr':
    case 'AwaitExpr':
      return hasStatements(e.value)
    case 'ParenExpr':
      return hasStatements(e.expression)
  }
}
