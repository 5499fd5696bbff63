// Narrows variables by conditions. Knows comparisons and the operators that connect them.
// Invariant: a type is only ever narrowed, and never to nothing. An outcome that seems impossible changes nothing.

import type { Binding, Knowledge } from '../resolve/index.js'
import type { Expression } from '../syntax/nodes.js'
import type { State } from './flow.js'
import { INT } from './kinds.js'
import { forEachNameIn } from './names-in.js'
import { ANY, isUnknown, type Type, takenOf, taking } from './types.js'
import { Variables } from './variables.js'

const mirrors: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=', '==': '==' }
const opposites: Readonly<Record<string, string>> = { '<': '>=', '<=': '>', '>': '<=', '>=': '<', '!=': '==' }

/**
 * Variables that a test names: the type behind the test that the check assumes nothing about, and the type before it.
 */
export type Hidden = Map<Binding, { readonly hidden: Type; readonly known: Type }>

export abstract class Conditions extends Variables {
  /**
   * Walks code behind a test. The test may have narrowed its variables, so the check assumes nothing about them there.
   * `walk` may change the state, and returns the state at its end.
   */
  protected behind(test: Expression, state: State, walk: () => State): State {
    const hidden: Hidden = new Map()
    this.hide(test, state, hidden)
    const end = walk()
    this.unhide(hidden, end)
    return end
  }

  protected hide(test: Expression, state: State, hidden: Hidden): void {
    if (state === undefined) return
    forEachNameIn(test, (id) => {
      const binding = this.resolution.bindingOf.get(id)
      const known = binding && state.get(binding)
      if (binding === undefined || known === undefined || isUnknown(takenOf(known))) return
      const type = taking(known, ANY)
      hidden.set(binding, { hidden: type, known })
      state.set(binding, type)
    })
  }

  /** Gives a variable that was not assigned behind the test its former type again. */
  protected unhide(hidden: Hidden, state: State): void {
    if (state !== undefined)
      for (const [binding, { hidden: type, known }] of hidden)
        if (state.get(binding) === type) state.set(binding, known)
  }

  /** Narrows the ints that a condition compares, if the condition has this `outcome`. */
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
    // If no int is left, the outcome is impossible, and the type stays as it is.
    if (lo <= hi && (lo > old.lo || hi < old.hi)) state.set(binding, { ...old, lo, hi })
  }
}
