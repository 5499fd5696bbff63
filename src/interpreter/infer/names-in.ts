// Visits the names in an expression, without those inside lambdas.

import type { Expression, Identifier } from '../syntax/nodes.js'
import { forEachIn } from '../syntax/walk.js'

export function forEachNameIn(e: Expression, visit: (id: Identifier) => void): void {
  forEachIn(e, (x) => {
    if (x.kind === 'Identifier') visit(x)
    return x.kind !== 'LambdaExpr'
  })
}
