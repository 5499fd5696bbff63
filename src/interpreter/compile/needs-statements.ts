// Which expressions write statements in front of themselves: those with a comprehension in them (outside a
// lambda's body, which is a function of its own) and lambdas with default values.

import type { Resolution } from '../resolve/index.js'
import type { Expression, LambdaExpr } from '../syntax/nodes.js'
import { forEachIn } from '../syntax/walk.js'

/** Where in the text the comprehensions and the lambdas with default values begin, in their order. */
export function statementStarts({ scopeOf }: Resolution): readonly number[] {
  const starts: number[] = []
  for (const { node } of scopeOf.values())
    if (node.kind === 'Comprehension' || (node.kind === 'LambdaExpr' && hasDefaults(node))) starts.push(node.start)
  return starts.sort((a, b) => a - b)
}

interface Known {
  readonly facts: { readonly statementStarts: readonly number[] }
}

export function hasStatements({ facts: { statementStarts: starts } }: Known, e: Expression): boolean {
  if (e.kind === 'Identifier' || e.kind === 'IntLiteral' || e.kind === 'StringLiteral') return false
  // Most expressions have nothing of the kind between their ends; only the others are looked into.
  if (!startsWithin(starts, e)) return false
  let found = false
  forEachIn(e, (x) => {
    if (found || !startsWithin(starts, x)) return false
    // Defaults are computed where the function is made; its body is another's.
    found = x.kind === 'Comprehension' || (x.kind === 'LambdaExpr' && hasDefaults(x))
    return x.kind !== 'LambdaExpr'
  })
  return found
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
