// Finds `:=` in an expression.

import type { Expression, Identifier } from '../syntax/nodes.js'
import { forEachIn } from '../syntax/walk.js'

/**
 * Calls `found` for the target of every `:=` in an expression that binds in the block around it: not those inside a
 * lambda.
 */
export function forEachNamed(e: Expression, found: (id: Identifier) => void): void {
  forEachIn(e, (x) => {
    if (x.kind === 'NamedExpr') found(x.target)
    return x.kind !== 'LambdaExpr'
  })
}
