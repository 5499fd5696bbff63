// What a condition tells of the ints that it compares. Knows comparisons and what joins them. Invariant: what a
// variable may be is only ever narrowed, and never to nothing: an outcome that can't be is left to the run.

import type { Knowledge } from '../resolve/index.js'
import type { Expression } from '../syntax/nodes.js'
import { INT } from './kinds.js'
import { ints, type Type } from './types.js'
import { type State, Variables } from './variables.js'

const mirrors: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=', '==': '==' }
const opposites: Readonly<Record<string, string>> = { '<': '>=', '<=': '>', '>': '<=', '>=': '<', '!=': '==' }

export abstract class Conditions extends Variables {
  /** What a condition tells of the ints that it compares, where it has come out as `outcome`. */
  protected refine(test: Expression, outcome: boolean, state: State): void {
    if (state === undefined) return
    switch (test.kind) {
      case 'ParenExpr':
        return this.refine(test.expression, outcome, state)
      case 'UnaryExpr':
        if (test.operator === 'not') this.refine(test.operand, !outcome, state)
        return
      case 'LogicalExpr':
        if ((test.operator === 'and') !== outcome) return
        this.refine(test.left, outcome, state)
        return this.refine(test.right, outcome, state)
      case 'CompareExpr': {
        const [only] = test.rest
        if (only === undefined || test.rest.length > 1) return
        this.refineOrder(test.left, only.operator, only.operand, outcome, state)
        const mirrored = mirrors[only.operator]
        if (mirrored !== undefined) this.refineOrder(only.operand, mirrored, test.left, outcome, state)
        return
      }
      default:
        return
    }
  }

  private refineOrder(x: Expression, operator: string, y: Expression, outcome: boolean, state: Knowledge<Type>): void {
    if (x.kind !== 'Identifier') return
    const binding = this.resolution.bindingOf.get(x)
    const old = binding === undefined ? undefined : state.get(binding)
    const limit = this.types.get(y)
    if (binding === undefined || old?.kinds !== INT || limit?.kinds !== INT || binding.assignedFromInside) return
    const holds = outcome ? operator : opposites[operator]
    let { lo, hi } = old
    if (holds === '<') hi = Math.min(hi, limit.hi - 1)
    else if (holds === '<=' || holds === '==') hi = Math.min(hi, limit.hi)
    if (holds === '>') lo = Math.max(lo, limit.lo + 1)
    else if (holds === '>=' || holds === '==') lo = Math.max(lo, limit.lo)
    // An outcome that can't be is left to the run.
    if (lo <= hi) state.set(binding, ints(lo, hi))
  }
}
