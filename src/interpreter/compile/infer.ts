// Proves types, so that generated code can leave tests out. An abstract interpretation over the syntax tree: walks statements in the order they
// run, keeps for every variable a Type, and notes for every expression the type it had in the last walk. Loops are walked until nothing
// changes. An int that grows from step to step is first tried as a counter (COUNTERS below), then given up as an int of any size.
// What is not tracked is ANY: variables that another function assigns, attributes, elements of containers, results of unknown calls.
// Invariant: the types noted for a loop's body are those of the last walk, made under the loop's final assumptions.

import { type Binding, Knowledge, type Resolution, type Scope } from '../resolve/index.js'
import type {
  Argument,
  Comprehension,
  DefStmt,
  Expression,
  File,
  Identifier,
  LambdaExpr,
  Statement,
} from '../syntax/nodes.js'
import { bindStatically, formalOf } from './bind-arguments.js'
import { ownedVariables } from './owned.js'
import { makesRecord } from './records.js'
import { scanFunction } from './recursion.js'
import {
  ABSENT,
  ANY,
  ANY_INT,
  ANY_OR_ABSENT,
  assigned,
  BOOL,
  BOOLEAN,
  DICT,
  FLOAT,
  FLOATING,
  FUNCTION,
  holding,
  INT,
  intResult,
  ints,
  is,
  isInt32,
  isSmallInt,
  join,
  LENGTH,
  LIST,
  MAP,
  MAX_SAFE,
  mayBe,
  NONE,
  NOTHING,
  OTHER,
  of,
  part,
  SET,
  STR,
  STRING,
  same,
  shared,
  TUPLE,
  type Type,
  UNASSIGNED,
  widened,
} from './types.js'
import { forEachStatement } from './visit.js'
import { isGenerator } from './yields.js'

export interface Inference {
  typeOf(e: Expression): Type
  /** What one function returns, as far as it is known. */
  resultOf(fn: DefStmt): Type
  /** What is known of a function that is compiled a second time, for small ints. */
  forInts(fn: DefStmt): ForInts | undefined
}

export interface ForInts {
  /** The types of the expressions in its body. */
  readonly types: ReadonlyMap<Expression, Type>
  /** For each parameter: is it a 32-bit int? */
  readonly parameters: readonly boolean[]
  readonly result: Type
}

export interface InferOptions {
  readonly strict: boolean
  /** The program defines classes, which can give operators any meaning. */
  readonly classes: boolean
  /** The program runs ahead of its reads: what is stored must be noted, so nothing is stored without the prelude. */
  readonly ahead: boolean
}

/** Variables and their types at one point of the program; `undefined` where the program can't get to. */
type State = Knowledge<Type> | undefined

interface LoopExits {
  breaks: State
  continues: State
}

/**
 * A counter that grows by at most `step` in each round of a loop does not pass `bound` in any run's time: a round takes QuickJS 30 ns at
 * the least, so even the first needs more than half an hour.
 */
interface Counter {
  readonly step: number
  readonly bound: number
}
const COUNTERS: readonly Counter[] = [
  { step: 2 ** 10, bound: 2 ** 46 },
  { step: 2 ** 16, bound: 2 ** 52 },
]

function growsSlowly(old: Type, joined: Type, counter: Counter | undefined): boolean {
  return (
    counter !== undefined &&
    joined.kinds === old.kinds &&
    old.lo - joined.lo <= counter.step &&
    joined.hi - old.hi <= counter.step
  )
}

/** Does every side that grows already stand at the counter's bound? */
function isWidened(old: Type, joined: Type, counter: Counter): boolean {
  return (joined.lo === old.lo || old.lo <= -counter.bound) && (joined.hi === old.hi || old.hi >= counter.bound)
}

const mirrors: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=', '==': '==' }
const opposites: Readonly<Record<string, string>> = { '<': '>=', '<=': '>', '>': '<=', '>=': '<', '!=': '==' }

const INT32 = ints(-2147483648, 2147483647)

/** Functions of more source text than this are not compiled twice. */
const LONGEST_TWICE = 1500

/** Loops nested deeper than this are not walked repeatedly: what they assign is ANY. */
const DEEPEST_LOOP = 5

const strMethods: Readonly<Record<string, Type>> = {
  upper: STRING,
  lower: STRING,
  strip: STRING,
  lstrip: STRING,
  rstrip: STRING,
  replace: STRING,
  join: STRING,
  title: STRING,
  capitalize: STRING,
  format: STRING,
  removeprefix: STRING,
  removesuffix: STRING,
  split: holding(LIST, STRING),
  rsplit: holding(LIST, STRING),
  splitlines: holding(LIST, STRING),
  startswith: BOOLEAN,
  endswith: BOOLEAN,
  find: ints(-1, 2 ** 31 - 1),
  rfind: ints(-1, 2 ** 31 - 1),
  index: LENGTH,
  rindex: LENGTH,
  count: LENGTH,
}

const builtinResults: Readonly<Record<string, Type>> = {
  str: STRING,
  repr: STRING,
  int: ANY_INT,
  float: FLOATING,
  bool: BOOLEAN,
  list: of(LIST),
  sorted: of(LIST),
  tuple: of(TUPLE),
  dict: of(DICT | MAP),
  set: of(SET),
  any: BOOLEAN,
  all: BOOLEAN,
  hasattr: BOOLEAN,
  isinstance: BOOLEAN,
  callable: BOOLEAN,
  ord: ints(0, 0x10ffff),
  chr: STRING,
  hash: ANY_INT,
}

export function infer(file: File, resolution: Resolution, options: InferOptions): Inference {
  let types = new Map<Expression, Type>()
  const specialised = new Map<DefStmt, ForInts>()
  const results = new Map<DefStmt, Type>()
  let returned: Type = NOTHING
  let loopDepth = 0
  const loops: LoopExits[] = []
  let tries = options.classes
  forEachStatement(file.body, (s) => {
    if (s.kind === 'TryStmt' || s.kind === 'WithStmt') tries = true
  })
  const isOwned = options.classes || options.ahead ? () => false : ownedVariables(file, resolution, tries)

  walkBlock(file.body, new Knowledge())
  return {
    typeOf: (e) => types.get(e) ?? ANY,
    resultOf: (fn) => results.get(fn) ?? ANY,
    forInts: (fn) => specialised.get(fn),
  }

  // ---- variables -----------------------------------------------------------------------------------------------

  function read(binding: Binding | undefined, state: State): Type {
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

  function write(binding: Binding | undefined, type: Type, state: State): void {
    if (binding === undefined || state === undefined) return
    state.set(
      binding,
      binding.assignedFromInside ? ANY : assigned(type.parts === undefined || isOwned(binding) ? type : shared(type)),
    )
  }

  function merge(a: State, b: State): State {
    if (a === undefined || b === undefined) return (a ?? b)?.copy()
    return Knowledge.merge(a, b, (x = UNASSIGNED, y = UNASSIGNED) => join(x, y))
  }

  /** What a function made here can know of the variables around it. */
  function captured(state: State, node: Scope['node']): State {
    const inner = new Knowledge<Type>()
    if (state === undefined) return inner
    for (const binding of resolution.scopeOf.get(node)?.captures ?? []) {
      const type = state.get(binding)
      if (type === undefined) continue
      const settled =
        binding.assignments === 1 && !binding.assignedFromInside && (type.kinds & ABSENT) === 0 && loopDepth === 0
      inner.set(binding, settled ? type : (type.kinds & ABSENT) === 0 ? ANY : ANY_OR_ABSENT)
    }
    return inner
  }

  // ---- statements ----------------------------------------------------------------------------------------------

  function walkBlock(body: readonly Statement[], state: State): State {
    let s = state
    for (const statement of body) s = walkStatement(statement, s)
    return s
  }

  function walkStatement(s: Statement, state: State): State {
    switch (s.kind) {
      case 'DefStmt': {
        for (const d of s.decorators) note(d, state)
        walkFunction(s, state)
        write(resolution.bindingOf.get(s.name), of(s.decorators.length > 0 ? FUNCTION | OTHER : FUNCTION), state)
        return state
      }
      case 'IfStmt': {
        note(s.test, state)
        const other = state?.copy()
        refine(s.test, true, state)
        refine(s.test, false, other)
        return merge(walkBlock(s.body, state), walkBlock(s.orelse, other))
      }
      case 'ForStmt': {
        note(s.iterable, state)
        const element = elementOf(s.iterable)
        const after = walkLoop(s, state, (head) => {
          assignTarget(s.target, element, head)
          return walkBlock(s.body, head)
        })
        return after
      }
      case 'WhileStmt':
        return walkLoop(s, state, (head) => {
          note(s.test, head)
          refine(s.test, true, head)
          return walkBlock(s.body, head)
        })
      case 'ReturnStmt':
        returned = join(returned, s.value ? note(s.value, state) : of(NONE))
        return undefined
      case 'BreakStmt': {
        const loop = loops[loops.length - 1]
        if (loop) loop.breaks = merge(loop.breaks, state)
        return undefined
      }
      case 'ContinueStmt': {
        const loop = loops[loops.length - 1]
        if (loop) loop.continues = merge(loop.continues, state)
        return undefined
      }
      case 'PassStmt':
      case 'GlobalStmt':
      case 'NonlocalStmt':
        return state
      case 'AssignStmt': {
        const type = note(s.value, state)
        for (const t of s.targets) assignTarget(t, type, state)
        return state
      }
      case 'AugmentedAssignStmt': {
        const left = note(s.target, state)
        const right = note(s.value, state)
        const type = binaryResult(s.operator, left, right, true)
        if (s.target.kind === 'IndexExpr') putInto(s.target, type, state)
        if (s.target.kind === 'Identifier') write(resolution.bindingOf.get(s.target), type, state)
        return state
      }
      case 'AnnotatedAssignStmt':
        if (s.value) assignTarget(s.target, note(s.value, state), state)
        return state
      case 'ExprStmt':
        note(s.expression, state)
        return state
      case 'LoadStmt':
        for (const b of s.bindings) write(resolution.bindingOf.get(b.local), ANY, state)
        return state
      case 'ImportStmt':
        for (const n of s.names) write(resolution.bindingOf.get(n.alias ?? n.path[0]!), of(OTHER), state)
        return state
      case 'ImportFromStmt':
        for (const n of s.names) write(resolution.bindingOf.get(n.alias ?? n.name), ANY, state)
        return state
      case 'TryStmt': {
        // An exception can come after any of the body's assignments.
        const before = state?.copy()
        const after = walkBlock(s.body, state)
        const thrown = forgetAssigned(s.body, merge(before, after))
        let end = walkBlock(s.orelse, after)
        for (const h of s.handlers) {
          const start = thrown?.copy()
          if (h.type) note(h.type, start)
          if (h.name) write(resolution.bindingOf.get(h.name), of(OTHER), start)
          const out = walkBlock(h.body, start)
          if (h.name && out) out.set(resolution.bindingOf.get(h.name)!, ANY_OR_ABSENT)
          end = merge(end, out)
        }
        if (s.finalbody.length === 0) return end
        const anyhow = s.handlers.reduce((acc, h) => forgetAssigned(h.body, acc), forgetAssigned(s.orelse, thrown))
        const out = walkBlock(s.finalbody, merge(end, anyhow))
        return end === undefined ? undefined : out
      }
      case 'RaiseStmt':
        if (s.exception) note(s.exception, state)
        if (s.cause) note(s.cause, state)
        return undefined
      case 'AssertStmt':
        note(s.test, state)
        if (s.message) note(s.message, state)
        return state
      case 'DelStmt':
        for (const t of s.targets) {
          if (t.kind === 'Identifier') state?.set(resolution.bindingOf.get(t)!, ANY_OR_ABSENT)
          else note(t, state)
        }
        return state
      case 'WithStmt':
        for (const item of s.items) {
          note(item.context, state)
          if (item.target) assignTarget(item.target, ANY, state)
        }
        // A context manager can swallow an exception, so the end can be reached from anywhere in the body.
        return forgetAssigned(s.body, merge(state?.copy(), walkBlock(s.body, state)))
      case 'ClassStmt':
        for (const d of s.decorators) note(d, state)
        for (const b of s.bases) note(b.value, state)
        walkBlock(s.body, captured(state, s))
        write(resolution.bindingOf.get(s.name), of(FUNCTION | OTHER), state)
        return state
    }
  }

  /** What a condition tells of the ints that it compares, where it has come out as `outcome`. */
  function refine(test: Expression, outcome: boolean, state: State): void {
    if (state === undefined) return
    switch (test.kind) {
      case 'ParenExpr':
        return refine(test.expression, outcome, state)
      case 'UnaryExpr':
        if (test.operator === 'not') refine(test.operand, !outcome, state)
        return
      case 'LogicalExpr':
        if ((test.operator === 'and') !== outcome) return
        refine(test.left, outcome, state)
        return refine(test.right, outcome, state)
      case 'CompareExpr': {
        const [only] = test.rest
        if (only === undefined || test.rest.length > 1) return
        refineOrder(test.left, only.operator, only.operand, outcome, state)
        const mirrored = mirrors[only.operator]
        if (mirrored !== undefined) refineOrder(only.operand, mirrored, test.left, outcome, state)
        return
      }
      default:
        return
    }
  }

  function refineOrder(x: Expression, operator: string, y: Expression, outcome: boolean, state: Knowledge<Type>): void {
    if (x.kind !== 'Identifier') return
    const binding = resolution.bindingOf.get(x)
    const old = binding === undefined ? undefined : state.get(binding)
    const limit = types.get(y)
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

  /**
   * The parameters of a function that calls itself which are computed or compared with, so that they are likely ints. Such a function is compiled a
   * second time for small ints.
   */
  function likelyInts(fn: DefStmt, binding: Binding): ReadonlySet<Binding> | undefined {
    if (
      options.classes ||
      options.ahead ||
      tries ||
      fn.isAsync ||
      isGenerator(fn) ||
      binding.kind !== 'global' ||
      !isKnownFunction(binding)
    )
      return undefined
    if (fn.end - fn.start > LONGEST_TWICE || fn.parameters.some((p) => p.form !== 'plain' || p.default !== undefined))
      return undefined
    const own = new Map<Binding, number>()
    for (const p of fn.parameters) {
      const b = resolution.bindingOf.get(p.name!)
      if (b && b.assignments === 1 && !b.captured) own.set(b, 0)
    }
    const scan = scanFunction(fn, resolution)
    const likely = [...own.keys()].filter((b) => scan.computed.has(b))
    return scan.calls.has(binding) && !scan.nested && likely.length > 0 ? new Set(likely) : undefined
  }

  /** Walks a function under the assumption that its likely ints are small ones. */
  function walkForInts(fn: DefStmt, state: State): void {
    const binding = resolution.bindingOf.get(fn.name)
    const likely = binding === undefined ? undefined : likelyInts(fn, binding)
    if (binding === undefined || likely === undefined) return
    const general = types
    let result = NOTHING
    for (let n = 0; n < 6; n++) {
      types = new Map()
      const forInts: ForInts = {
        types,
        parameters: fn.parameters.map((p) => likely.has(resolution.bindingOf.get(p.name!)!)),
        result,
      }
      specialised.set(fn, forInts)
      const seen = walkBody(fn, state, likely)
      const joined = join(result, seen)
      types = general
      if (same(joined, result)) return
      result = n === 0 ? joined : joined.kinds === INT ? ANY_INT : ANY
    }
    specialised.delete(fn)
  }

  function walkFunction(fn: DefStmt | LambdaExpr, state: State): void {
    for (const p of fn.parameters) if (p.default) note(p.default, state)
    const result = walkBody(fn, state, undefined)
    if (fn.kind === 'DefStmt') {
      results.set(fn, isGenerator(fn) ? of(OTHER) : fn.isAsync ? ANY : result)
      walkForInts(fn, state)
    }
  }

  function walkBody(fn: DefStmt | LambdaExpr, state: State, likely: ReadonlySet<Binding> | undefined): Type {
    const inner = captured(state, fn)
    for (const p of fn.parameters) {
      const binding = p.name === undefined ? undefined : resolution.bindingOf.get(p.name)
      if (binding !== undefined && likely?.has(binding)) inner?.set(binding, INT32)
      else write(binding, p.form === 'args' ? of(TUPLE) : p.form === 'kwargs' ? of(MAP) : ANY, inner)
    }
    const outerReturned = returned
    const outerLoops = loops.splice(0)
    const outerDepth = loopDepth
    loopDepth = 0
    returned = NOTHING
    let result = NOTHING
    if (fn.kind === 'LambdaExpr') result = note(fn.body, inner)
    else {
      const end = walkBlock(fn.body, inner)
      result = end === undefined ? returned : join(returned, of(NONE))
    }
    returned = outerReturned
    loops.push(...outerLoops)
    loopDepth = outerDepth
    return result
  }

  /** Everything that a block assigns may have any type, or none. */
  function forgetAssigned(body: readonly Statement[], state: State): State {
    if (state === undefined || body.length === 0) return state
    const out = state.mapped(shared)
    for (const binding of assignedIn(body, resolution)) {
      const before = state.get(binding)
      out.set(binding, before !== undefined && (before.kinds & ABSENT) === 0 ? ANY : ANY_OR_ABSENT)
    }
    return out
  }

  /**
   * Walks a loop until its head is stable. `step` walks one round from the head's state (which it may change) to its end.
   */
  function walkLoop(
    s: { body: readonly Statement[]; orelse: readonly Statement[] },
    state: State,
    step: (head: State) => State,
  ): State {
    if (state === undefined) return undefined
    let exits: LoopExits = { breaks: undefined, continues: undefined }
    const round = (head: State): State => {
      exits = { breaks: undefined, continues: undefined }
      loops.push(exits)
      loopDepth++
      const end = merge(step(head?.copy()), exits.continues)
      loopDepth--
      loops.pop()
      return end
    }
    const head = stableHead(state, round, s.body)
    return merge(walkBlock(s.orelse, head.copy()), exits.breaks)
  }

  function stableHead(
    entry: Knowledge<Type>,
    round: (head: State) => State,
    body: readonly Statement[],
  ): Knowledge<Type> {
    let head = entry
    if (loopDepth >= DEEPEST_LOOP) {
      head = forgetAssigned(body, entry)!
      round(head)
      return head
    }
    let end: State
    const tiers = new Map<Binding, number>()
    for (let n = 0; n < 20; n++) {
      end = round(head)
      const next = head.copy()
      let changed = false
      if (end !== undefined)
        Knowledge.differences(head, end, (binding, old, seen) => {
          if (seen === undefined) return
          if (old === undefined) {
            next.set(binding, join(seen, UNASSIGNED))
            changed = true
            return
          }
          const joined = join(old, seen)
          if (same(joined, old)) return
          let tier = tiers.get(binding) ?? -1
          const slow = tier >= 0 && growsSlowly(old, joined, COUNTERS[tier])
          if (slow && isWidened(old, joined, COUNTERS[tier]!)) return
          changed = true
          if (n === 0) {
            next.set(binding, joined)
            return
          }
          if (!slow) tier++
          const counter = isSmallInt(old) && isSmallInt(joined) ? COUNTERS[tier] : undefined
          tiers.set(binding, tier)
          const limit = counter === undefined ? Infinity : counter.bound
          next.set(binding, {
            ...(n < 3 ? joined : widened(old, joined)),
            lo: joined.lo < old.lo ? Math.min(joined.lo, -limit) : joined.lo,
            hi: joined.hi > old.hi ? Math.max(joined.hi, limit) : joined.hi,
          })
        })
      if (!changed) return narrowed(entry, head, end, tiers, round)
      head = next
    }
    head = forgetAssigned(body, entry)!
    round(head)
    return head
  }

  /** Steps that were taken too far are taken back where one more round proves the narrower types. */
  function narrowed(
    entry: Knowledge<Type>,
    head: Knowledge<Type>,
    end: State,
    tiers: ReadonlyMap<Binding, number>,
    round: (head: State) => State,
  ): Knowledge<Type> {
    if (end === undefined || tiers.size === 0) return head
    const candidate = head.copy()
    let tighter = false
    for (const binding of tiers.keys()) {
      const wide = head.get(binding)!
      const tight = join(entry.get(binding) ?? UNASSIGNED, end.get(binding) ?? UNASSIGNED)
      if (
        tight.kinds !== INT ||
        !(tight.lo > wide.lo || tight.hi < wide.hi) ||
        tight.lo < wide.lo ||
        tight.hi > wide.hi
      )
        continue
      candidate.set(binding, tight)
      tighter = true
    }
    if (!tighter) return head
    const after = round(candidate)
    let proven = true
    if (after !== undefined)
      Knowledge.differences(candidate, after, (_, t, seen) => {
        if (t !== undefined && seen !== undefined && !same(join(t, seen), t)) proven = false
      })
    if (proven) return candidate
    round(head)
    return head
  }

  function assignTarget(t: Expression, type: Type, state: State): void {
    switch (t.kind) {
      case 'Identifier':
        return write(resolution.bindingOf.get(t), type, state)
      case 'ParenExpr':
        return assignTarget(t.expression, type, state)
      case 'StarredExpr':
        return assignTarget(t.value, of(LIST), state)
      case 'TupleExpr':
      case 'ListExpr':
        t.elements.forEach((e, i) => {
          const known =
            type.kinds === TUPLE &&
            type.parts?.length === t.elements.length &&
            !t.elements.some((x) => x.kind === 'StarredExpr')
          assignTarget(e, known ? type.parts[i]! : ANY, state)
        })
        return
      case 'IndexExpr':
        note(t, state)
        return putInto(t, type, state)
      default:
        note(t, state)
    }
  }

  /** `x[i] = v`: what the container of an owned variable holds from now on. */
  function putInto(t: Expression & { kind: 'IndexExpr' }, value: Type, state: State): void {
    if (t.object.kind !== 'Identifier') return
    const object = types.get(t.object) ?? ANY
    if (object.parts === undefined) return
    if (is(object, LIST)) grow(t.object, [value], state)
    else grow(t.object, [types.get(t.index) ?? ANY, value], state)
  }

  function grow(variable: Identifier, by: readonly Type[], state: State): void {
    const binding = resolution.bindingOf.get(variable)
    const old = binding === undefined ? undefined : state?.get(binding)
    if (binding === undefined || old?.parts === undefined || !is(old, LIST | DICT | MAP | ABSENT)) return
    if (old.parts.length !== by.length) state?.set(binding, shared(old))
    else state?.set(binding, { ...old, parts: old.parts.map((p, i) => join(p, shared(by[i]!))) })
  }

  /** What a method does to the container of an owned variable, and what it gives. */
  function containerMethod(object: Expression, type: Type, name: string, args: readonly Type[], state: State): Type {
    const element = part(type, 0)
    const value = part(type, 1)
    const variable = object.kind === 'Identifier' ? object : undefined
    if (is(type, LIST)) {
      if (name === 'pop') return element
      if (name === 'append' && args.length === 1) {
        if (variable) grow(variable, [args[0]!], state)
        return of(NONE)
      }
      if (variable && (name === 'extend' || name === 'insert')) grow(variable, [ANY], state)
      return ANY
    }
    if (name === 'get' || name === 'pop')
      return name === 'get' && args.length === 1
        ? join(value, of(NONE))
        : args.length === 2
          ? join(value, shared(args[1]!))
          : value
    if (name === 'setdefault') {
      const given = args.length === 2 ? shared(args[1]!) : args.length === 1 ? of(NONE) : ANY
      if (variable) grow(variable, [args[0] ?? ANY, given], state)
      return join(value, given)
    }
    return ANY
  }

  /** What a loop over an expression, whose type has been noted, yields. */
  function elementOf(iterable: Expression): Type {
    const noted = (x: Expression): Type => types.get(x) ?? ANY
    if (iterable.kind === 'CallExpr' && iterable.callee.kind === 'Identifier') {
      const callee = resolution.bindingOf.get(iterable.callee)
      if (
        callee?.kind === 'universal' &&
        callee.name === 'range' &&
        iterable.arguments.every((a) => a.form === 'positional')
      ) {
        return rangeElement(iterable.arguments.map((a) => noted(a.value)))
      }
      if (callee?.kind === 'universal' && callee.name === 'enumerate' && iterable.arguments.length === 1) {
        return holding(TUPLE, LENGTH, yielded(noted(iterable.arguments[0]!.value)))
      }
    }
    if (iterable.kind === 'CallExpr' && iterable.callee.kind === 'DotExpr' && iterable.arguments.length === 0) {
      const object = noted(iterable.callee.object)
      if (object.parts !== undefined && is(object, DICT | MAP)) {
        const name = iterable.callee.name.name
        if (name === 'items') return holding(TUPLE, ...object.parts)
        if (name === 'keys') return object.parts[0]!
        if (name === 'values') return object.parts[1]!
      }
    }
    return yielded(noted(iterable))
  }

  /** What walking through a value of this type gives. */
  function yielded(t: Type): Type {
    if (!options.strict && is(t, STR)) return STRING
    if (t.parts === undefined) return ANY
    return is(t, LIST | DICT | MAP) ? part(t, 0) : is(t, TUPLE) ? t.parts.reduce(join, NOTHING) : ANY
  }

  function rangeElement(args: readonly Type[]): Type {
    const bounded = (t: Type): Type => (t.kinds === INT ? t : ANY_INT)
    const start = args.length >= 2 ? bounded(args[0]!) : ints(0, 0)
    const stop = bounded(args.length >= 2 ? args[1]! : (args[0] ?? ANY_INT))
    const step = args.length >= 3 ? bounded(args[2]!) : ints(1, 1)
    // Bounds beyond what a loop can count to in any run's time do not matter.
    const reach = 2 ** 40
    if (step.lo > 0) {
      const lo = Math.max(start.lo, -reach)
      return start.lo >= -reach && start.hi <= reach
        ? ints(lo, Math.max(lo, Math.min(stop.hi - 1, reach)))
        : ints(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
    }
    return ints(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
  }

  // ---- expressions ---------------------------------------------------------------------------------------------

  function note(e: Expression, state: State): Type {
    const type = expression(e, state)
    return type
  }

  function expression(e: Expression, state: State): Type {
    const type = typeOfExpression(e, state)
    types.set(e, type)
    return type
  }

  function typeOfExpression(e: Expression, state: State): Type {
    switch (e.kind) {
      case 'Identifier':
        return read(resolution.bindingOf.get(e), state)
      case 'IntLiteral': {
        const n = Number(e.value)
        return Number.isSafeInteger(n) ? ints(n, n) : ANY_INT
      }
      case 'FloatLiteral':
        return FLOATING
      case 'StringLiteral':
        return STRING
      case 'FString':
        walkParts(e.parts, state)
        return STRING
      case 'BytesLiteral':
      case 'EllipsisLiteral':
        return of(OTHER)
      case 'ListExpr':
        return display(e.elements, state, LIST)
      case 'TupleExpr':
        return display(e.elements, state, TUPLE)
      case 'SetExpr':
        for (const x of e.elements) expression(x, state)
        return of(SET)
      case 'DictExpr':
        return dictDisplay(e, state)
      case 'Comprehension':
        return comprehension(e, state)
      case 'CondExpr': {
        expression(e.test, state)
        return join(expression(e.body, state), expression(e.orelse, state))
      }
      case 'LambdaExpr':
        walkFunction(e, state)
        return of(FUNCTION)
      case 'UnaryExpr':
        return unary(e.operator, expression(e.operand, state))
      case 'BinaryExpr': {
        const spine: (Expression & { kind: 'BinaryExpr' })[] = []
        let left: Expression = e
        while (left.kind === 'BinaryExpr') {
          spine.push(left)
          left = left.left
        }
        let type = expression(left, state)
        for (let i = spine.length - 1; i >= 0; i--) {
          const node = spine[i]!
          type = binaryResult(node.operator, type, expression(node.right, state), false)
          types.set(node, type)
        }
        return type
      }
      case 'LogicalExpr':
        return join(assigned(expression(e.left, state)), assigned(expression(e.right, state)))
      case 'CompareExpr': {
        expression(e.left, state)
        for (const r of e.rest) expression(r.operand, state)
        return BOOLEAN
      }
      case 'CallExpr':
        return callResult(e, state)
      case 'DotExpr':
        expression(e.object, state)
        return ANY
      case 'IndexExpr': {
        const object = expression(e.object, state)
        const index = expression(e.index, state)
        if (is(object, STR)) return STRING
        if (object.parts === undefined) return ANY
        if (is(object, LIST)) return part(object, 0)
        if (is(object, DICT | MAP)) return part(object, 1)
        return is(object, TUPLE)
          ? index.lo === index.hi && index.lo >= 0
            ? part(object, index.lo)
            : object.parts.reduce(join, NOTHING)
          : ANY
      }
      case 'SliceExpr': {
        const object = expression(e.object, state)
        for (const x of [e.lower, e.upper, e.step]) if (x) expression(x, state)
        return is(object, STR | LIST) ? object : is(object, TUPLE) ? of(TUPLE) : ANY
      }
      case 'NamedExpr': {
        const type = expression(e.value, state)
        // It may stand where it is evaluated only sometimes.
        const binding = resolution.bindingOf.get(e.target)
        const before = read(binding, state)
        if (binding && state)
          state.set(binding, binding.assignedFromInside ? ANY_OR_ABSENT : join(shared(type), before))
        return shared(type)
      }
      case 'AwaitExpr': {
        const type = expression(e.value, state)
        return options.strict ? type : ANY
      }
      case 'StarredExpr':
        return expression(e.value, state)
      case 'YieldExpr':
        if (e.value) expression(e.value, state)
        return ANY
      case 'ParenExpr':
        return expression(e.expression, state)
    }
  }

  function display(elements: readonly Expression[], state: State, kind: number): Type {
    const inside = elements.map((x) => expression(x, state))
    if (elements.some((x) => x.kind === 'StarredExpr')) return of(kind)
    return kind === TUPLE ? holding(TUPLE, ...inside) : holding(LIST, inside.reduce(join, NOTHING))
  }

  function dictDisplay(e: Expression & { kind: 'DictExpr' }, state: State): Type {
    let keys = NOTHING
    let values = NOTHING
    for (const entry of e.entries) {
      keys = entry.key ? join(keys, expression(entry.key, state)) : ANY
      const value = expression(entry.value, state)
      values = join(values, entry.key ? value : ANY)
    }
    return holding(makesRecord(e) ? DICT : MAP, keys, values)
  }

  function walkParts(
    parts: readonly (string | { expression: Expression; spec?: readonly unknown[] })[],
    state: State,
  ): void {
    for (const part of parts) {
      if (typeof part === 'string') continue
      expression(part.expression, state)
      if (part.spec) walkParts(part.spec as typeof parts, state)
    }
  }

  function comprehension(c: Comprehension, state: State): Type {
    // A lazy one runs later: it knows no more than a function does.
    const isLazy = resolution.lazy.has(c)
    const inner = isLazy ? captured(state, c) : state?.copy()
    for (const [i, clause] of c.clauses.entries()) {
      if (clause.kind === 'IfClause') expression(clause.test, inner)
      else {
        expression(clause.iterable, isLazy && i === 0 ? state : inner)
        assignTarget(clause.target, elementOf(clause.iterable), inner)
      }
    }
    const element = expression(c.element, inner)
    const value = c.value ? expression(c.value, inner) : ANY
    // What `:=` inside assigns is not followed from round to round: nothing is known of it, in the comprehension and after it.
    if (state && inner && !isLazy && forgetChanged(c, state, inner)) return comprehension(c, state)
    if (c.form === 'list') return holding(LIST, element)
    return c.form === 'dict' ? holding(MAP, element, value) : of(c.form === 'set' ? SET : OTHER)
  }

  function forgetChanged(c: Comprehension, state: Knowledge<Type>, inner: Knowledge<Type>): boolean {
    let changed = false
    Knowledge.differences(state, inner, (binding, before = UNASSIGNED, type) => {
      if (type === undefined || binding.scope === undefined || binding.scope.node === c) return
      if (same(type, before) || same(before, ANY_OR_ABSENT)) return
      state.set(binding, ANY_OR_ABSENT)
      changed = true
    })
    return changed
  }

  function unary(operator: string, t: Type): Type {
    if (operator === 'not') return BOOLEAN
    if (t.kinds === INT) {
      if (operator === '-') return ints(-t.hi, -t.lo)
      if (operator === '~') return ints(-t.hi - 1, -t.lo - 1)
      return t
    }
    if (is(t, FLOAT)) return operator === '~' ? ANY : t
    return ANY
  }

  function binaryResult(operator: string, a: Type, b: Type, inPlace: boolean): Type {
    // Where one of the operands never comes to be, the result does not either.
    if (a.kinds === 0 || b.kinds === 0) return NOTHING
    if (a.kinds === INT && b.kinds === INT) return intResult(operator, a, b)
    const numeric = INT | FLOAT | (options.strict ? 0 : BOOL)
    if (is(a, numeric) && is(b, numeric)) {
      if (operator === '/' || is(a, FLOAT) || is(b, FLOAT)) return FLOATING
      return { kinds: INT | FLOAT | BOOL, lo: -Infinity, hi: Infinity }
    }
    if (operator === '+') {
      for (const kind of [STR, LIST, TUPLE])
        if (is(a, kind) && (is(b, kind) || (inPlace && kind === LIST))) return of(kind)
    }
    if (operator === '%' && is(a, STR)) return STRING
    if (operator === '*' && ((is(a, STR) && b.kinds === INT) || (a.kinds === INT && is(b, STR)))) return STRING
    if (operator === '*' && is(a, LIST) && b.kinds === INT) return a
    if (!options.classes && (a.kinds === INT || b.kinds === INT)) return withInt(operator)
    return ANY
  }

  /** What an int and something unknown can give, where no class of the program has a say. */
  function withInt(operator: string): Type {
    const kinds =
      operator === '*'
        ? INT | FLOAT | STR | LIST | TUPLE | OTHER
        : operator === '%'
          ? INT | FLOAT | STR | OTHER
          : INT | FLOAT | OTHER
    return { kinds: kinds | BOOL, lo: -Infinity, hi: Infinity }
  }

  function callResult(e: Expression & { kind: 'CallExpr' }, state: State): Type {
    const args = e.arguments.map((a: Argument) => expression(a.value, state))
    const callee = e.callee
    if (callee.kind === 'Identifier') {
      const binding = resolution.bindingOf.get(callee)
      types.set(callee, read(binding, state))
      if (binding?.kind === 'universal') {
        if (binding.name === 'abs' && args.length === 1 && isSmallInt(args[0]!)) {
          const t = args[0]!
          return ints(Math.max(t.lo, 0), Math.max(-t.lo, t.hi))
        }
        // Ranges can be longer than anything that has its elements in memory.
        if (binding.name === 'len')
          return args.length === 1 && is(args[0]!, STR | LIST | TUPLE | DICT | MAP | SET)
            ? LENGTH
            : options.classes
              ? ANY_INT
              : ints(0, MAX_SAFE)
        if (
          (binding.name === 'min' || binding.name === 'max') &&
          args.length >= 2 &&
          e.arguments.every((a) => a.form === 'positional')
        ) {
          return shared(args.reduce((a, b) => join(a, b)))
        }
        if (
          (binding.name === 'sorted' || binding.name === 'list') &&
          args.length >= 1 &&
          e.arguments[0]!.form === 'positional'
        ) {
          return args[0]!.parts === undefined ? of(LIST) : holding(LIST, yielded(args[0]!))
        }
        return builtinResults[binding.name] ?? ANY
      }
      const definition = binding && isKnownFunction(binding) ? binding.definition : undefined
      if (definition === undefined) return ANY
      // A call that is bound at run time needs the function's signature.
      if (bindStatically(formalOf(definition), e.arguments) === undefined) binding!.usedAsValue = true
      const forInts = specialised.get(definition)
      if (forInts !== undefined && callsForInts(forInts, e, args) === 'always') return forInts.result
      return results.get(definition) ?? ANY
    }
    if (callee.kind === 'DotExpr') {
      const object = expression(callee.object, state)
      if (is(object, STR)) return strMethods[callee.name.name] ?? ANY
      if (object.parts === undefined || !is(object, LIST | DICT | MAP)) return ANY
      const plain = e.arguments.every((a) => a.form === 'positional')
      if (plain) return containerMethod(callee.object, object, callee.name.name, args, state)
      if (callee.object.kind === 'Identifier') grow(callee.object, [], state)
      return ANY
    }
    expression(callee, state)
    return ANY
  }
}

/** A name that stands for one `def` and nothing else, so that calls of it can be bound when the program is compiled. */
export function isKnownFunction(binding: Binding): boolean {
  const fn = binding.definition
  return (
    fn !== undefined &&
    binding.assignments === 1 &&
    !binding.assignedFromInside &&
    fn.decorators.length === 0 &&
    binding.scope?.kind !== 'class'
  )
}

/** Does a call of a function that is compiled for small ints too reach that version? */
export function callsForInts(
  forInts: ForInts,
  e: Expression & { kind: 'CallExpr' },
  args: readonly Type[],
): 'always' | 'perhaps' | 'never' {
  if (args.length !== forInts.parameters.length || e.arguments.some((a) => a.form !== 'positional')) return 'never'
  let certain = true
  for (let i = 0; i < args.length; i++) {
    if (!forInts.parameters[i] || isInt32(args[i]!)) continue
    if (!mayBe(args[i]!, INT)) return 'never'
    certain = false
  }
  return certain ? 'always' : 'perhaps'
}

/** The variables that a block assigns, inner blocks included, inner functions not. */
export function assignedIn(body: readonly Statement[], resolution: Resolution): Set<Binding> {
  const out = new Set<Binding>()
  const target = (t: Expression): void => {
    switch (t.kind) {
      case 'Identifier': {
        const b = resolution.bindingOf.get(t)
        if (b) out.add(b)
        return
      }
      case 'ParenExpr':
        return target(t.expression)
      case 'StarredExpr':
        return target(t.value)
      case 'TupleExpr':
      case 'ListExpr':
        for (const e of t.elements) target(e)
        return
      default:
        return
    }
  }
  const block = (statements: readonly Statement[]): void => {
    for (const s of statements) {
      switch (s.kind) {
        case 'AssignStmt':
          s.targets.forEach(target)
          break
        case 'AugmentedAssignStmt':
        case 'AnnotatedAssignStmt':
          target(s.target)
          break
        case 'DefStmt':
        case 'ClassStmt':
          target(s.name)
          break
        case 'ForStmt':
          target(s.target)
          block(s.body)
          block(s.orelse)
          break
        case 'IfStmt':
        case 'WhileStmt':
          block(s.body)
          block(s.orelse)
          break
        case 'TryStmt':
          block(s.body)
          for (const h of s.handlers) {
            if (h.name) target(h.name)
            block(h.body)
          }
          block(s.orelse)
          block(s.finalbody)
          break
        case 'WithStmt':
          for (const item of s.items) if (item.target) target(item.target)
          block(s.body)
          break
        case 'DelStmt':
          s.targets.forEach(target)
          break
        case 'ImportStmt':
          for (const n of s.names) target(n.alias ?? n.path[0]!)
          break
        case 'ImportFromStmt':
          for (const n of s.names) target(n.alias ?? n.name)
          break
        default:
          break
      }
    }
  }
  block(body)
  return out
}
