// What a condition tells of the variables that it names. Knows comparisons and what joins them. Invariant: what a
// variable may be is only ever narrowed, and never to nothing: an outcome that can't be is left to the run.

import type { Binding, Knowledge } from '../resolve/index.js'
import type { Expression } from '../syntax/nodes.js'
import type { State } from './flow.js'
import { INT } from './kinds.js'
import { forEachNameIn } from './names-in.js'
import { ANY, isUnknown, type Type, takenOf, taking } from './types.js'
import { Variables } from './variables.js'

const mirrors: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=', '==': '==' }
const opposites: Readonly<Record<string, string>> = { '<': '>=', '<=': '>', '>': '<=', '>=': '<', '!=': '==' }

/** Variables that are hidden behind tests: what stands for each there, and what is known of it. */
export type Hidden = Map<Binding, { readonly hidden: Type; readonly known: Type }>

export abstract class Conditions extends Variables {
  /**
   * Walks what is behind a test, which may have told what the variables in it are: they are taken for anything there.
   * `walk` may change the state, and answers what is known at its end.
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

  /** What has not been assigned behind the test is again what it was. */
  protected unhide(hidden: Hidden, state: State): void {
    if (state !== undefined)
      for (const [binding, { hidden: type, known }] of hidden)
        if (state.get(binding) === type) state.set(binding, known)
  }

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
    if (lo <= hi && (lo > old.lo || hi < old.hi)) state.set(binding, { ...old, lo, hi })
  }
}
