// The base class of the inference: the variables at one point of the program, and the recorded types. Knows scopes, but
// no expressions.
// Invariant: a variable that another function assigns is ANY.

import type { Foreign } from '../namespaces.js'
import { type Binding, isKnownFunction, Knowledge, type Resolution, type Scope } from '../resolve/index.js'
import type { Expression, Identifier, Statement } from '../syntax/nodes.js'
import { assignedIn } from './assigned-in.js'
import { Flow, type State } from './flow.js'
import { ABSENT, NAMESPACE, TOOL } from './kinds.js'
import type { Stored } from './stored.js'
import {
  ANY,
  ANY_OR_ABSENT,
  about,
  assigned,
  BOOLEAN,
  CALLABLE,
  isUnknown,
  join,
  NULL,
  shared,
  type Type,
  taking,
  UNASSIGNED,
} from './types.js'

export interface InferOptions {
  readonly strict: boolean
  /**
   * True if objects of library classes may occur: the program names a module that is compiled from Python's own
   * sources, or is such a module.
   */
  readonly library: boolean
  /**
   * True in a program that runs ahead of its reads. Stores then go through the prelude, because each must be recorded.
   */
  readonly ahead: boolean
  readonly foreign: Foreign
  /** The methods of each built-in type, by type name. */
  readonly methods: ReadonlyMap<string, ReadonlyMap<string, unknown>>
}

/** The inputs of one walk over a program. */
export interface WalkOptions extends InferOptions {
  /** True if objects of classes occur, which can give operators any meaning. */
  readonly classes: boolean
  /** True if nothing else can reach a variable's container, so that it can be followed. */
  readonly isOwned: (binding: Binding) => boolean
  readonly stored: Stored
  /** True if the program can continue after an exception. */
  readonly tries: boolean
}

export abstract class Variables extends Flow {
  protected readonly options: WalkOptions
  /** The types of expressions, as they were last walked. */
  protected types = new Map<Expression, Type>()
  readonly #namespaces = new Map<string, Type>()

  constructor(resolution: Resolution, options: WalkOptions) {
    super(resolution)
    this.options = options
  }

  protected read(binding: Binding | undefined, state: State): Type {
    if (binding === undefined) return ANY
    if (binding.kind === 'universal') {
      if (binding.name === 'True' || binding.name === 'False') return BOOLEAN
      return binding.name === 'None' ? NULL : ANY
    }
    if (binding.kind === 'predeclared') return this.namespace(binding.name) ?? ANY
    if (state === undefined) return ANY
    const known = state.get(binding) ?? UNASSIGNED
    return isUnknown(known) && isKnownFunction(binding) ? taking(known, CALLABLE) : known
  }

  protected write(id: Identifier, type: Type, state: State): void {
    const binding = this.resolution.bindingOf.get(id)
    if (binding === undefined || state === undefined) return
    if (binding.assignedFromInside) return state.set(binding, ANY)
    const kept = assigned(this.options.isOwned(binding) ? type : shared(type))
    state.set(binding, binding.scope?.kind === 'class' ? taking(kept, ANY) : kept)
  }

  /** The host's namespace of this name, if there is one. It is an assumption: the program may receive another value. */
  protected namespace(name: string): Type | undefined {
    if (!this.options.foreign.has(name)) return undefined
    let type = this.#namespaces.get(name)
    if (type === undefined) {
      type = taking(ANY, about(NAMESPACE, { kind: 'namespace', name }))
      this.#namespaces.set(name, type)
    }
    return type
  }

  /** The host function of this name in a namespace. */
  protected tool(namespace: string, name: string): Type | undefined {
    const fn = this.options.foreign.get(namespace)?.get(name)
    return fn === undefined ? undefined : taking(ANY, about(TOOL, { kind: 'tool', path: `${namespace}.${name}`, fn }))
  }

  protected merge(a: State, b: State): State {
    if (a === undefined || b === undefined) return (a ?? b)?.copy()
    return Knowledge.merge(a, b, joinAssigned)
  }

  /** Records the type of an expression. Unknown types, of which there are many, are not kept. */
  protected note(e: Expression, type: Type): void {
    if (type !== ANY) this.types.set(e, type)
    else this.types.delete(e)
  }

  /** The type that was recorded for an expression. */
  protected noted(e: Expression): Type {
    return this.types.get(e) ?? ANY
  }

  protected delete(id: Identifier, state: State): void {
    state?.set(this.resolution.bindingOf.get(id)!, ANY_OR_ABSENT)
  }

  /** The facts about outer variables that hold in a function created here. */
  protected captured(state: State, node: Scope['node']): Knowledge<Type> {
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

  /** Forgets all variables that a block assigns. */
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

/** A variable that one path does not know is unassigned on that path. */
function joinAssigned(x: Type = UNASSIGNED, y: Type = UNASSIGNED): Type {
  return join(x, y)
}
