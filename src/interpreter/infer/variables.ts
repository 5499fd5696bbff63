// What all parts of the inference stand on: the variables at one point of the program, and the types that were noted.
// Knows scopes, and no expression. Invariant: of a variable that another function assigns nothing is known.

import { type Binding, Knowledge, type Resolution, type Scope } from '../resolve/index.js'
import type { Expression, Identifier, Statement } from '../syntax/nodes.js'
import { assignedIn } from './assigned-in.js'
import { Flow, type Known, type Lattice } from './flow.js'
import { ABSENT, NONE } from './kinds.js'
import { ANY, ANY_OR_ABSENT, assigned, BOOLEAN, join, NOTHING, of, shared, type Type, UNASSIGNED } from './types.js'

export interface InferOptions {
  readonly strict: boolean
  /** The program defines classes, which can give operators any meaning. */
  readonly classes: boolean
  /** The program runs ahead of its reads: what is stored must be noted, so nothing is stored without the prelude. */
  readonly ahead: boolean
}

export type State = Known<Type>

const lattice: Lattice<Type> = { any: ANY, none: of(NONE), nothing: NOTHING, join }

export abstract class Variables extends Flow<Type> {
  protected readonly options: InferOptions
  /** May a variable's container be followed, because nothing else can reach it? */
  protected readonly isOwned: (binding: Binding) => boolean
  /** The types of expressions, as they were last walked. */
  protected types = new Map<Expression, Type>()

  constructor(resolution: Resolution, options: InferOptions, isOwned: (binding: Binding) => boolean) {
    super(resolution, lattice)
    this.options = options
    this.isOwned = isOwned
  }

  protected read(binding: Binding | undefined, state: State): Type {
    if (binding === undefined || state === undefined) return ANY
    if (binding.kind === 'universal' || binding.kind === 'predeclared') {
      if (binding.name === 'True' || binding.name === 'False') return BOOLEAN
      if (binding.name === 'None') return of(NONE)
      return ANY
    }
    const known = state.get(binding)
    if (known !== undefined) return known
    return UNASSIGNED
  }

  protected write(id: Identifier, type: Type, state: State): void {
    const binding = this.resolution.bindingOf.get(id)
    if (binding === undefined || state === undefined) return
    state.set(
      binding,
      binding.assignedFromInside
        ? ANY
        : assigned(type.parts === undefined || this.isOwned(binding) ? type : shared(type)),
    )
  }

  protected merge(a: State, b: State): State {
    if (a === undefined || b === undefined) return (a ?? b)?.copy()
    return Knowledge.merge(a, b, joinAssigned)
  }

  /** Expressions of which nothing is known are not kept: they are many. */
  protected note(e: Expression, type: Type): void {
    if (type !== ANY) this.types.set(e, type)
    else this.types.delete(e)
  }

  protected delete(id: Identifier, state: State): void {
    state?.set(this.resolution.bindingOf.get(id)!, ANY_OR_ABSENT)
  }

  /** What a function made here can know of the variables around it. */
  protected captured(state: State, node: Scope['node']): State {
    const inner = new Knowledge<Type>()
    if (state === undefined) return inner
    for (const binding of this.resolution.scopeOf.get(node)?.captures ?? []) {
      const type = state.get(binding)
      if (type === undefined) continue
      const settled =
        binding.assignments === 1 && !binding.assignedFromInside && (type.kinds & ABSENT) === 0 && this.loopDepth === 0
      inner.set(binding, settled ? type : (type.kinds & ABSENT) === 0 ? ANY : ANY_OR_ABSENT)
    }
    return inner
  }

  /** Everything that a block assigns may have any type, or none. */
  protected forgetAssigned(body: readonly Statement[], state: State): State {
    if (state === undefined || body.length === 0) return state
    const out = state.mapped(shared)
    for (const binding of assignedIn(body, this.resolution)) {
      const before = state.get(binding)
      out.set(binding, before !== undefined && (before.kinds & ABSENT) === 0 ? ANY : ANY_OR_ABSENT)
    }
    return out
  }
}

/** A variable of which one way knows nothing has not been assigned there. */
function joinAssigned(x: Type = UNASSIGNED, y: Type = UNASSIGNED): Type {
  return join(x, y)
}
