// The order in which a program runs, for everybody who follows it with types: what a statement leads to, when the
// rounds of a loop have told all that they can, what a function returns. Who follows says what types are, what
// expressions give and what a statement means for what is known.
// Knows statements, and nothing of values. Invariant: what is known at a place is true whichever way the program got
// there.

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

/** Types by variable at one point of the program; undefined where the program can't get to. */
export type Known<T extends object> = Knowledge<T> | undefined

/** What has to be known of types to follow a program. */
export interface Lattice<T> {
  readonly any: T
  readonly none: T
  readonly nothing: T
  join(a: T, b: T): T
}

/** One round of a loop: what is known at its end, and where a `break` leaves it. */
export interface Round<T extends object> {
  readonly end: Known<T>
  readonly breaks: Known<T>
}

/**
 * What is to be assumed of a variable before the next round, where it was `old` before round `n` and `seen` after it;
 * undefined: nothing new.
 */
export type Widening<T> = (binding: Binding, old: T | undefined, seen: T | undefined, n: number) => T | undefined

export abstract class Flow<T extends object> {
  protected readonly resolution: Resolution
  /** What the function at hand returns at the places before this one. */
  protected returned: T
  protected loopDepth = 0
  readonly #lattice: Lattice<T>
  #loops: { breaks: Known<T>; continues: Known<T> }[] = []

  constructor(resolution: Resolution, lattice: Lattice<T>) {
    this.resolution = resolution
    this.#lattice = lattice
    this.returned = lattice.nothing
  }

  // ---- what types are and what becomes of them -----------------------------------------------------------------

  protected abstract merge(a: Known<T>, b: Known<T>): Known<T>
  protected abstract expression(e: Expression, state: Known<T>): T
  protected abstract assign(target: Expression, type: T, state: Known<T>): void
  protected abstract write(id: Identifier, type: T, state: Known<T>): void
  protected abstract delete(id: Identifier, state: Known<T>): void
  protected abstract augment(s: AugmentedAssignStmt, left: T, right: T, state: Known<T>): void
  protected abstract import(s: ImportStmt | ImportFromStmt, state: Known<T>): void
  protected abstract makeFunction(fn: DefStmt | LambdaExpr, state: Known<T>): void
  protected abstract classBody(s: ClassStmt, state: Known<T>): void
  /** What the name of a function or class stands for. */
  protected abstract typeOfMade(s: DefStmt | ClassStmt): T

  protected abstract if(s: IfStmt, state: Known<T>): Known<T>
  protected abstract for(s: ForStmt, state: Known<T>): Known<T>
  protected abstract while(s: WhileStmt, state: Known<T>): Known<T>
  protected abstract try(s: TryStmt, state: Known<T>): Known<T>
  protected abstract with(s: WithStmt, state: Known<T>): Known<T>
  protected abstract match(s: MatchStmt, state: Known<T>): Known<T>

  /** An expression that may not be evaluated. */
  protected maybe(e: Expression, state: Known<T>): T {
    return this.expression(e, state)
  }

  // ---- statements ----------------------------------------------------------------------------------------------

  protected block(body: readonly Statement[], state: Known<T>): Known<T> {
    let s = state
    for (const statement of body) s = this.statement(statement, s)
    return s
  }

  protected statement(s: Statement, state: Known<T>): Known<T> {
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
        const type = s.value ? this.expression(s.value, state) : this.#lattice.none
        this.returned = this.#lattice.join(this.returned, type)
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

  /** A statement that the next one follows. */
  #step(s: Statement, state: Known<T>): void {
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
        if (s.message) this.maybe(s.message, state)
        return
      case 'DelStmt':
        for (const t of s.targets) {
          if (t.kind === 'Identifier') this.delete(t, state)
          else this.expression(t, state)
        }
        return
      case 'LoadStmt':
        for (const { local } of s.bindings) this.write(local, this.#lattice.any, state)
        return
      case 'ImportStmt':
      case 'ImportFromStmt':
        return this.import(s, state)
      default:
        return
    }
  }

  // ---- loops and functions -------------------------------------------------------------------------------------

  /** Walks one round of a loop; `step` may change the copy of the head that it is given. */
  protected round(head: Known<T>, step: (head: Known<T>) => Known<T>): Round<T> {
    const exits: { breaks: Known<T>; continues: Known<T> } = { breaks: undefined, continues: undefined }
    this.#loops.push(exits)
    this.loopDepth++
    const end = this.merge(step(head?.copy()), exits.continues)
    this.loopDepth--
    this.#loops.pop()
    return { end, breaks: exits.breaks }
  }

  /**
   * Walks rounds until what was known before one is true after it, too: then that is the head of the loop. Undefined
   * when `most` do not tell.
   */
  protected settle(
    entry: Knowledge<T>,
    most: number,
    round: (head: Knowledge<T>) => Known<T>,
    widen: Widening<T>,
  ): { readonly head: Knowledge<T>; readonly end: Known<T> } | undefined {
    let head = entry
    for (let n = 0; n < most; n++) {
      const end = round(head)
      let next: Knowledge<T> | undefined
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

  /** Walks the body of a function: no loop around it is left from there. */
  protected inBody<R>(walk: () => R): R {
    const { returned, loopDepth } = this
    const loops = this.#loops
    this.#loops = []
    this.loopDepth = 0
    this.returned = this.#lattice.nothing
    const result = walk()
    this.#loops = loops
    this.loopDepth = loopDepth
    this.returned = returned
    return result
  }

  /** What a function returns whose body ends with what is known there. */
  protected returnedBy(end: Known<T>): T {
    return end === undefined ? this.returned : this.#lattice.join(this.returned, this.#lattice.none)
  }
}
