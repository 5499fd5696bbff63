// Control flow: the state after each statement, the fixpoint of a loop, the return type of a function. Subclasses
// define the types of expressions and the effects of statements. Knows statements, but no values.
// Invariant: the state at a place holds on every path to it.

import { type Binding, Knowledge, type Resolution } from '../resolve/index.js'
import type {
  AugmentedAssignStmt,
  ClassStmt,
  DefStmt,
  Expression,
  ForStmt,
  Identifier,
  IfStmt,
  ImportFromStmt,
  ImportStmt,
  LambdaExpr,
  MatchStmt,
  Statement,
  TryStmt,
  WhileStmt,
  WithStmt,
} from '../syntax/nodes.js'
import { ANY, join, NOTHING, NULL, type Type } from './types.js'

/** Types by variable at one point of the program; undefined at unreachable points. */
export type State = Knowledge<Type> | undefined

/** One round of a loop: the state at its end, and the states at its `break`s. */
interface Round {
  readonly end: State
  readonly breaks: State
}

/**
 * What to assume about a variable before the next round, when round `n` was walked under the assumption `old` and ended
 * with `seen`. Undefined if the assumption holds.
 */
type Widening = (binding: Binding, old: Type | undefined, seen: Type | undefined, n: number) => Type | undefined

export abstract class Flow {
  protected readonly resolution: Resolution
  /** The types that the current function returned so far. */
  protected returned = NOTHING
  protected loopDepth = 0
  /** Reachable statements after which no statement is reachable. */
  readonly #leaving = new Set<Statement>()
  #loops: { breaks: State; continues: State }[] = []

  constructor(resolution: Resolution) {
    this.resolution = resolution
  }

  /** True if this statement is reachable and nothing after it is. */
  leaves(s: Statement): boolean {
    return this.#leaving.has(s)
  }

  // ---- provided by the layers above --------------------------------------------------------------------------------

  protected abstract merge(a: State, b: State): State
  protected abstract expression(e: Expression, state: State): Type
  protected abstract assign(target: Expression, type: Type, state: State): void
  protected abstract write(id: Identifier, type: Type, state: State): void
  protected abstract delete(id: Identifier, state: State): void
  protected abstract augment(s: AugmentedAssignStmt, left: Type, right: Type, state: State): void
  protected abstract import(s: ImportStmt | ImportFromStmt, state: State): void
  protected abstract makeFunction(fn: DefStmt | LambdaExpr, state: State): void
  protected abstract classBody(s: ClassStmt, state: State): void
  /** The type of the name that a `def` or `class` binds. */
  protected abstract typeOfMade(s: DefStmt | ClassStmt): Type

  protected abstract if(s: IfStmt, state: State): State
  protected abstract for(s: ForStmt, state: State): State
  protected abstract while(s: WhileStmt, state: State): State
  protected abstract try(s: TryStmt, state: State): State
  protected abstract with(s: WithStmt, state: State): State
  protected abstract match(s: MatchStmt, state: State): State

  // ---- statements ----------------------------------------------------------------------------------------------

  protected block(body: readonly Statement[], state: State): State {
    let s = state
    for (const statement of body) {
      const next = this.#statement(statement, s)
      if (s !== undefined && next === undefined) this.#leaving.add(statement)
      s = next
    }
    return s
  }

  #statement(s: Statement, state: State): State {
    switch (s.kind) {
      case 'IfStmt':
        return this.if(s, state)
      case 'ForStmt':
        return this.for(s, state)
      case 'WhileStmt':
        return this.while(s, state)
      case 'TryStmt':
        return this.try(s, state)
      case 'WithStmt':
        return this.with(s, state)
      case 'MatchStmt':
        return this.match(s, state)
      case 'ReturnStmt': {
        const type = s.value ? this.expression(s.value, state) : NULL
        this.returned = join(this.returned, type)
        return undefined
      }
      case 'RaiseStmt':
        if (s.exception) this.expression(s.exception, state)
        if (s.cause) this.expression(s.cause, state)
        return undefined
      case 'BreakStmt':
      case 'ContinueStmt': {
        const loop = this.#loops[this.#loops.length - 1]
        const exit = s.kind === 'BreakStmt' ? 'breaks' : 'continues'
        if (loop) loop[exit] = this.merge(loop[exit], state)
        return undefined
      }
      default:
        this.#step(s, state)
        return state
    }
  }

  /** Walks one statement. */
  #step(s: Statement, state: State): void {
    switch (s.kind) {
      case 'DefStmt':
        for (const d of s.decorators) this.expression(d, state)
        this.makeFunction(s, state)
        return this.write(s.name, this.typeOfMade(s), state)
      case 'ClassStmt':
        for (const d of s.decorators) this.expression(d, state)
        for (const b of s.bases) this.expression(b.value, state)
        this.classBody(s, state)
        return this.write(s.name, this.typeOfMade(s), state)
      case 'AssignStmt': {
        const type = this.expression(s.value, state)
        for (const t of s.targets) this.assign(t, type, state)
        return
      }
      case 'AugmentedAssignStmt': {
        const left = this.expression(s.target, state)
        return this.augment(s, left, this.expression(s.value, state), state)
      }
      case 'AnnotatedAssignStmt':
        if (s.value) this.assign(s.target, this.expression(s.value, state), state)
        return
      case 'ExprStmt':
        this.expression(s.expression, state)
        return
      case 'AssertStmt':
        this.expression(s.test, state)
        if (s.message) this.expression(s.message, state)
        return
      case 'DelStmt':
        for (const t of s.targets) {
          if (t.kind === 'Identifier') this.delete(t, state)
          else this.expression(t, state)
        }
        return
      case 'LoadStmt':
        for (const { local } of s.bindings) this.write(local, ANY, state)
        return
      case 'ImportStmt':
      case 'ImportFromStmt':
        return this.import(s, state)
      default:
        return
    }
  }

  // ---- loops and functions -------------------------------------------------------------------------------------

  /** Walks one round of a loop. `step` receives a copy of the head, which it may change. */
  protected round(head: State, step: (head: State) => State): Round {
    const exits: { breaks: State; continues: State } = { breaks: undefined, continues: undefined }
    this.#loops.push(exits)
    this.loopDepth++
    const end = this.merge(step(head?.copy()), exits.continues)
    this.loopDepth--
    this.#loops.pop()
    return { end, breaks: exits.breaks }
  }

  /**
   * Walks rounds until the state after a round implies the state before it, and returns that head of the loop.
   * Undefined if `most` rounds do not suffice.
   */
  protected settle(
    entry: Knowledge<Type>,
    most: number,
    round: (head: Knowledge<Type>) => State,
    widen: Widening,
  ): { readonly head: Knowledge<Type>; readonly end: State } | undefined {
    let head = entry
    for (let n = 0; n < most; n++) {
      const end = round(head)
      let next: Knowledge<Type> | undefined
      if (end !== undefined)
        Knowledge.differences(head, end, (binding, old, seen) => {
          const type = widen(binding, old, seen, n)
          if (type === undefined) return
          next ??= head.copy()
          next.set(binding, type)
        })
      if (next === undefined) return { head, end }
      head = next
    }
    return undefined
  }

  /** Walks the body of a function, which can't leave a loop around it. */
  protected inBody<R>(walk: () => R): R {
    const { returned, loopDepth } = this
    const loops = this.#loops
    this.#loops = []
    this.loopDepth = 0
    this.returned = NOTHING
    const result = walk()
    this.#loops = loops
    this.loopDepth = loopDepth
    this.returned = returned
    return result
  }

  /** The return type of a function whose body ends in this state. */
  protected returnedBy(end: State): Type {
    return end === undefined ? this.returned : join(this.returned, NULL)
  }
}
