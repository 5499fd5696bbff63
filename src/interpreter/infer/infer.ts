// Proves types, so that generated code can leave tests out. An abstract interpretation over the syntax tree: walks
// statements in the order they run, keeps for every variable a Type, and notes for every expression the type it had in
// the last walk. One object, built up in layers, from what all of it stands on to statements and functions: variables,
// conditions, containers, expressions, loops, and this file. What is not tracked is ANY: variables that another
// function assigns, attributes, elements of containers, results of unknown calls.
// Invariant: a type is never narrower than the values that its expression can have in a run.

import { type Binding, isKnownFunction, Knowledge, type Resolution } from '../resolve/index.js'
import { isIrrefutable, wholeName } from '../syntax/inside-patterns.js'
import type {
  AugmentedAssignStmt,
  ClassStmt,
  DefStmt,
  Expression,
  File,
  IfStmt,
  ImportFromStmt,
  ImportStmt,
  LambdaExpr,
  MatchStmt,
  TryStmt,
  WithStmt,
} from '../syntax/nodes.js'
import { eachBound, expressionsIn, forEachStatement, namesBoundBy } from '../syntax/walk.js'
import type { ForInts } from './for-ints.js'
import { FUNCTION, INT, MAP, OTHER, TUPLE } from './kinds.js'
import { Loops } from './loops.js'
import { ownedVariables } from './owned.js'
import { scanFunction } from './recursion.js'
import { binaryResult } from './results.js'
import { ANY, ANY_INT, ints, join, NOTHING, of, same, shared, type Type } from './types.js'
import type { InferOptions, State } from './variables.js'

export interface Inference {
  typeOf(e: Expression): Type
  /** What one function returns, as far as it is known. */
  resultOf(fn: DefStmt): Type
  /** What is known of a function that is compiled a second time, for small ints. */
  forInts(fn: DefStmt): ForInts | undefined
}

const INT32 = ints(-2147483648, 2147483647)

/** Functions of more source text than this are not compiled twice. */
const LONGEST_TWICE = 1500

export function infer(file: File, resolution: Resolution, options: InferOptions): Inference {
  let tries = options.classes
  forEachStatement(file.body, (s) => {
    if (s.kind === 'TryStmt' || s.kind === 'WithStmt') tries = true
  })
  const isOwned = options.classes || options.ahead ? () => false : ownedVariables(file, resolution, tries)
  return new Walk(file, resolution, { ...options, tries, isOwned })
}

interface WalkOptions extends InferOptions {
  /** The program can go on after an exception. */
  readonly tries: boolean
  readonly isOwned: (binding: Binding) => boolean
}

class Walk extends Loops implements Inference {
  readonly #tries: boolean

  constructor(file: File, resolution: Resolution, options: WalkOptions) {
    super(resolution, options, options.isOwned)
    this.#tries = options.tries
    this.block(file.body, new Knowledge())
  }

  typeOf(e: Expression): Type {
    return this.types.get(e) ?? ANY
  }

  resultOf(fn: DefStmt): Type {
    return this.results.get(fn) ?? ANY
  }

  forInts(fn: DefStmt): ForInts | undefined {
    return this.specialised.get(fn)
  }

  protected typeOfMade(s: DefStmt | ClassStmt): Type {
    return of(s.kind === 'ClassStmt' || s.decorators.length > 0 ? FUNCTION | OTHER : FUNCTION)
  }

  protected classBody(s: ClassStmt, state: State): void {
    this.block(s.body, this.captured(state, s))
  }

  protected augment(s: AugmentedAssignStmt, left: Type, right: Type, state: State): void {
    const type = binaryResult(s.operator, left, right, { ...this.options, inPlace: true })
    if (s.target.kind === 'IndexExpr') this.putInto(s.target, type, state)
    if (s.target.kind === 'Identifier') this.write(s.target, type, state)
  }

  protected import(s: ImportStmt | ImportFromStmt, state: State): void {
    eachBound(s, (id) => this.write(id, s.kind === 'ImportStmt' ? of(OTHER) : ANY, state))
  }

  protected if(s: IfStmt, state: State): State {
    this.expression(s.test, state)
    const other = state?.copy()
    this.refine(s.test, true, state)
    this.refine(s.test, false, other)
    return this.merge(this.block(s.body, state), this.block(s.orelse, other))
  }

  /** An exception can come after any of the body's assignments. */
  protected try(s: TryStmt, state: State): State {
    const before = state?.copy()
    const after = this.block(s.body, state)
    const thrown = this.forgetAssigned(s.body, this.merge(before, after))
    let end = this.block(s.orelse, after)
    for (const h of s.handlers) {
      const start = thrown?.copy()
      if (h.type) this.expression(h.type, start)
      if (h.name) this.write(h.name, of(OTHER), start)
      const out = this.block(h.body, start)
      if (h.name) this.delete(h.name, out)
      end = this.merge(end, out)
    }
    if (s.finalbody.length === 0) return end
    const anyhow = s.handlers.reduce(
      (acc, h) => this.forgetAssigned(h.body, acc),
      this.forgetAssigned(s.orelse, thrown),
    )
    const out = this.block(s.finalbody, this.merge(end, anyhow))
    return end === undefined ? undefined : out
  }

  /** A context manager can swallow an exception, so the end can be reached from anywhere in the body. */
  protected with(s: WithStmt, state: State): State {
    for (const item of s.items) {
      this.expression(item.context, state)
      if (item.target) this.assign(item.target, ANY, state)
    }
    return this.forgetAssigned(s.body, this.merge(state?.copy(), this.block(s.body, state)))
  }

  /** A case whose guard says no has bound its names all the same. */
  protected match(s: MatchStmt, state: State): State {
    const subject = shared(this.expression(s.subject, state))
    let end: State
    let next = state
    for (const { pattern, guard, body } of s.cases) {
      for (const e of expressionsIn(pattern)) this.expression(e, next)
      const matched = next?.copy()
      const whole = wholeName(pattern)
      for (const name of namesBoundBy(pattern)) this.write(name, name === whole ? subject : ANY, matched)
      let refused: State
      if (guard) {
        this.expression(guard, matched)
        refused = matched?.copy()
        this.refine(guard, true, matched)
        this.refine(guard, false, refused)
      }
      end = this.merge(end, this.block(body, matched))
      next = isIrrefutable(pattern) ? refused : this.merge(next, refused)
    }
    return this.merge(end, next)
  }

  protected makeFunction(fn: DefStmt | LambdaExpr, state: State): void {
    for (const p of fn.parameters) if (p.default) this.expression(p.default, state)
    const result = this.walkBody(fn, state, undefined)
    if (fn.kind === 'DefStmt') {
      this.results.set(fn, fn.yields ? of(OTHER) : fn.isAsync ? ANY : result)
      this.walkForInts(fn, state)
    }
  }

  private walkBody(fn: DefStmt | LambdaExpr, state: State, likely: ReadonlySet<Binding> | undefined): Type {
    const inner = this.captured(state, fn)
    for (const { name, form } of fn.parameters) {
      if (name === undefined) continue
      const binding = this.resolution.bindingOf.get(name)
      if (binding !== undefined && likely?.has(binding)) inner?.set(binding, INT32)
      else this.write(name, form === 'args' ? of(TUPLE) : form === 'kwargs' ? of(MAP) : ANY, inner)
    }
    return this.inBody(() =>
      fn.kind === 'LambdaExpr' ? this.expression(fn.body, inner) : this.returnedBy(this.block(fn.body, inner)),
    )
  }

  /** Walks a function under the assumption that its likely ints are small ones. */
  private walkForInts(fn: DefStmt, state: State): void {
    const binding = this.resolution.bindingOf.get(fn.name)
    const likely = binding === undefined ? undefined : this.likelyInts(fn, binding)
    if (binding === undefined || likely === undefined) return
    const general = this.types
    let result = NOTHING
    for (let n = 0; n < 6; n++) {
      this.types = new Map()
      const forInts: ForInts = {
        types: this.types,
        parameters: fn.parameters.map((p) => likely.has(this.resolution.bindingOf.get(p.name!)!)),
        result,
      }
      this.specialised.set(fn, forInts)
      const seen = this.walkBody(fn, state, likely)
      const joined = join(result, seen)
      this.types = general
      if (same(joined, result)) return
      result = n === 0 ? joined : joined.kinds === INT ? ANY_INT : ANY
    }
    this.specialised.delete(fn)
  }

  /**
   * The parameters of a function that calls itself which are computed or compared with, so that they are likely ints.
   * Such a function is compiled a second time for small ints.
   */
  private likelyInts(fn: DefStmt, binding: Binding): ReadonlySet<Binding> | undefined {
    if (
      this.options.classes ||
      this.options.ahead ||
      this.#tries ||
      fn.isAsync ||
      fn.yields ||
      binding.kind !== 'global' ||
      !isKnownFunction(binding)
    )
      return undefined
    if (fn.end - fn.start > LONGEST_TWICE || fn.parameters.some((p) => p.form !== 'plain' || p.default !== undefined))
      return undefined
    const own = new Map<Binding, number>()
    for (const p of fn.parameters) {
      const b = this.resolution.bindingOf.get(p.name!)
      if (b && b.assignments === 1 && !b.captured) own.set(b, 0)
    }
    const scan = scanFunction(fn, this.resolution)
    const likely = [...own.keys()].filter((b) => scan.computed.has(b))
    return scan.calls.has(binding) && !scan.nested && likely.length > 0 ? new Set(likely) : undefined
  }
}
