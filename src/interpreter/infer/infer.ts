// Infers the types of a program's values: proved types, so that generated code can omit tests, and assumed types, so
// that mistakes are found before the run (types.ts explains the difference). This is an abstract interpretation over
// the syntax tree: it walks statements in the order of execution, keeps a Type for every variable, and records the type
// of every expression in the last walk.
//
// Inference is one class in layers: flow, variables, conditions, containers, calls, expressions, loops, and this file.
// Some values are not followed and are ANY: variables that another function assigns, attributes, results of unknown
// calls, and anything that the program's own classes do.
// Invariant: a type is never narrower than the values that its expression can have in a run.

import { type Binding, isKnownFunction, Knowledge, type Resolution } from '../resolve/index.js'
import { isIrrefutable, wholeName } from '../syntax/inside-patterns.js'
import type {
  AugmentedAssignStmt,
  ClassStmt,
  DefStmt,
  Expression,
  File,
  Identifier,
  IfStmt,
  ImportFromStmt,
  ImportStmt,
  LambdaExpr,
  MatchStmt,
  Statement,
  TryStmt,
  WithStmt,
} from '../syntax/nodes.js'
import { expressionsIn, forEachStatement, namesBoundBy } from '../syntax/walk.js'
import type { Hidden } from './conditions.js'
import type { State } from './flow.js'
import type { ForInts } from './for-ints.js'
import { FUNCTION, INT, MAP, OTHER, SCALARS, STR, TUPLE } from './kinds.js'
import { Loops } from './loops.js'
import { ownedVariables } from './owned.js'
import { scanFunction } from './recursion.js'
import { binaryResult } from './results.js'
import { Stored } from './stored.js'
import {
  ANY,
  ANY_INT,
  CALLABLE,
  ints,
  is,
  join,
  NOTHING,
  of,
  same,
  shared,
  type Type,
  takenOf,
  taking,
} from './types.js'
import type { InferOptions, WalkOptions } from './variables.js'

export interface Inference {
  typeOf(e: Expression): Type
  /** The types in the version of a function for small ints, if it has one. */
  forInts(fn: DefStmt): ForInts | undefined
  /** True if this statement is reachable and nothing after it is. */
  leaves(s: Statement): boolean
  /** True if a value of type `one` can be indexed with `index`. `key` is the index if it is a constant string. */
  canIndex(one: Type, index: Type, key: string | undefined): boolean
}

const INT32 = ints(-2147483648, 2147483647)

/** The maximum length of a function's source text, in characters, for a second compilation. */
const LONGEST_TWICE = 1500

/** The number of walks after which the inference assumes that any value is stored anywhere. */
const MOST_WALKS = 3

/** Builtins and modules with which a program can change a list or dict by other means than methods and assignments. */
const CHANGING = ['operator', 'heapq', 'bisect', 'random', 'getattr', 'setattr']

export function infer(file: File, resolution: Resolution, options: InferOptions): Inference {
  let classes = options.library
  let tries = false
  forEachStatement(file.body, ({ kind }) => {
    classes ||= kind === 'ClassStmt'
    tries ||= kind === 'TryStmt' || kind === 'WithStmt'
  })
  tries ||= classes
  const isOwned = classes || options.ahead ? () => false : ownedVariables(file, resolution, tries)
  const stored = new Stored()
  for (const { kind, name } of resolution.outside) if (kind === 'universal' && CHANGING.includes(name)) stored.giveUp()
  for (let n = 1; ; n++) {
    const walk = new Walk(file, resolution, { ...options, classes, tries, isOwned, stored })
    if (!stored.takeMissing()) return walk
    if (n >= MOST_WALKS) stored.giveUp()
  }
}

class Walk extends Loops implements Inference {
  constructor(file: File, resolution: Resolution, options: WalkOptions) {
    super(resolution, options)
    this.block(file.body, new Knowledge())
  }

  typeOf(e: Expression): Type {
    return this.noted(e)
  }

  forInts(fn: DefStmt): ForInts | undefined {
    return this.specialised.get(fn)
  }

  canIndex(one: Type, index: Type, key: string | undefined): boolean {
    return this.indexedBy(one, index, key) !== undefined
  }

  protected typeOfMade(s: DefStmt | ClassStmt): Type {
    return s.kind === 'ClassStmt' || s.decorators.length > 0 ? of(FUNCTION | OTHER) : CALLABLE
  }

  protected classBody(s: ClassStmt, state: State): void {
    this.block(s.body, this.captured(state, s))
  }

  protected augment(s: AugmentedAssignStmt, left: Type, right: Type, state: State): void {
    const { stored } = this.options
    const type = binaryResult(s.operator, left, right, { ...this.options, inPlace: true })
    if (!is(takenOf(right), SCALARS | STR)) {
      if (s.operator === '+') stored.storeItem(takenOf(left), this.yielded(right))
      if (s.operator === '|') stored.storeKey(takenOf(left), undefined)
    }
    if (s.target.kind === 'Identifier') this.write(s.target, type, state)
    else this.store(s.target, type, state)
  }

  protected import(s: ImportStmt | ImportFromStmt, state: State): void {
    const nameOf = (path: readonly Identifier[]): string => path.map((p) => p.name).join('.')
    if (s.kind === 'ImportStmt') {
      for (const { path, alias } of s.names) {
        const whole = alias !== undefined || path.length === 1 ? this.namespace(nameOf(path)) : undefined
        this.write(alias ?? path[0]!, taking(of(OTHER), whole ?? ANY), state)
      }
      return
    }
    const name = nameOf(s.path)
    if (CHANGING.includes(name)) this.options.stored.giveUp()
    for (const n of s.names) this.write(n.alias ?? n.name, this.tool(name, n.name.name) ?? ANY, state)
  }

  protected if(s: IfStmt, state: State): State {
    // A chain of elif can be long, so it is walked in a loop that merges the ends.
    let end: State
    let rest = s
    let here = state
    for (;;) {
      const { test, body, orelse } = rest
      this.expression(test, here)
      const other = here?.copy()
      this.refine(test, true, here)
      this.refine(test, false, other)
      end = this.merge(
        end,
        this.behind(test, here, () => this.block(body, here)),
      )
      const chained = elifOf(orelse)
      if (chained === undefined)
        return this.merge(
          end,
          this.behind(test, other, () => this.block(orelse, other)),
        )
      here = other
      rest = chained
    }
  }

  /** An exception can occur after any assignment of the body. */
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

  /** A case whose guard fails has bound its names all the same. */
  protected match(s: MatchStmt, state: State): State {
    const subject = taking(shared(this.expression(s.subject, state)), ANY)
    let end: State
    let next = state
    for (const { pattern, guard, body } of s.cases) {
      for (const e of expressionsIn(pattern)) this.expression(e, next)
      const matched = next?.copy()
      const hidden: Hidden = new Map()
      this.hide(s.subject, matched, hidden)
      const whole = wholeName(pattern)
      for (const name of namesBoundBy(pattern)) this.write(name, name === whole ? subject : ANY, matched)
      let refused: State
      if (guard) {
        this.expression(guard, matched)
        refused = matched?.copy()
        this.refine(guard, true, matched)
        this.refine(guard, false, refused)
        this.unhide(hidden, refused)
        this.hide(guard, matched, hidden)
      }
      const out = this.block(body, matched)
      this.unhide(hidden, out)
      end = this.merge(end, out)
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

  /** Walks a function under the assumption that its likely ints are small. */
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
      result = n === 0 ? joined : taking(joined.kinds === INT ? ANY_INT : ANY, ANY)
    }
    this.specialised.delete(fn)
  }

  /**
   * The parameters that are likely ints, in a function that calls itself: it computes with them or compares them. Such
   * a function is compiled a second time for small ints.
   */
  private likelyInts(fn: DefStmt, binding: Binding): ReadonlySet<Binding> | undefined {
    if (
      this.options.classes ||
      this.options.ahead ||
      this.options.tries ||
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

/** The `elif` that is the whole `else` block. */
function elifOf(orelse: readonly Statement[]): IfStmt | undefined {
  const [only] = orelse
  return orelse.length === 1 && only!.kind === 'IfStmt' ? only : undefined
}
