// Follows a program in the order in which it runs and meets its mistakes: keeps for every variable what it may be, walks loops until nothing changes,
// and knows at each place whether the program surely gets there and whether an exception would be caught. What is not followed is ANY.
// Knows the tree and its names; what types do is known next door. Invariant: while `#muted` is not 0, the types are not final and nothing is said.

import { type Diagnostic, nearestNames, type Span } from '../../diagnostics/index.js'
import { formalOf } from '../compile/bind-arguments.js'
import { isKnownFunction } from '../compile/infer.js'
import type { Universe } from '../compile/universe.js'
import type { ForeignFunction } from '../foreign.js'
import type { Binding, Resolution, Scope } from '../resolve/index.js'
import type {
  CallExpr,
  ClassStmt,
  CompareExpr,
  Comprehension,
  DefStmt,
  DotExpr,
  Expression,
  File,
  ForStmt,
  FStringPart,
  Identifier,
  IndexExpr,
  LambdaExpr,
  Node,
  Statement,
  TryStmt,
  WhileStmt,
} from '../syntax/nodes.js'
import type { Changes } from './changes.js'
import { messages } from './messages.js'
import { builtinResult, foreignName, methodResult } from './methods.js'
import {
  binaryResult,
  impossible,
  impossibleIn,
  impossibleIteration,
  impossibleUnary,
  refusedFirst,
  unaryResult,
} from './operators.js'
import { checkArguments } from './own-calls.js'
import { everything, type Failure, type Protection, protectionOf } from './protection.js'
import { type Frame, Report } from './report.js'
import { checkToolCall, toolResult } from './tool-calls.js'
import {
  ANY,
  alternatives,
  BOOL,
  BYTES,
  builtinName,
  DICT,
  FLOAT,
  FUNCTION,
  hosted,
  INT,
  join,
  LIST,
  NEVER,
  NONE,
  plain,
  plainAlternatives,
  SET,
  STR,
  type State,
  same,
  settled,
  shown,
  type Type,
} from './types.js'

export interface WalkOptions {
  readonly resolution: Resolution
  readonly universe: Universe
  readonly strict: boolean
  /** Functions of the host by namespace and by every name. */
  readonly foreign: ReadonlyMap<string, ReadonlyMap<string, ForeignFunction>>
  readonly span: (node: Pick<Node, 'start' | 'end'>) => Span
  readonly text: string
  readonly changes: Changes
}

type Place = Pick<Node, 'start' | 'end'>

interface LoopExits {
  breaks: State
  continues: State
}

/** Loops nested deeper are walked once, with every variable unknown. */
const DEEPEST_LOOP = 2
const MOST_ROUNDS = 2

/** Methods that put something into their object. */
const STORING = ['append', 'extend', 'insert', 'update', 'setdefault', '__setitem__', 'appendleft', 'extendleft']

/** Builtins and modules with which a program can change a list or dict by other means than methods and assignments. */
const CHANGING = ['operator', 'heapq', 'bisect', 'random', 'getattr', 'setattr']

/** Attributes that values of built-in types have beside methods, in Python. */
const DATA_ATTRIBUTES = ['real', 'imag', 'numerator', 'denominator', 'start', 'stop', 'step']

export class Walk {
  readonly report = new Report()
  readonly #o: WalkOptions
  readonly #results = new Map<DefStmt, Type>()
  #frame: Frame
  #certain = true
  #protections: Protection[] = []
  #muted = 0
  #loops: LoopExits[] = []
  #loopDepth = 0
  /** A `return`, or a jump out of the loop, stands before this place. */
  #returns = false
  #jumps = false
  #returned: Type = NEVER
  readonly #written: Set<Binding>[] = []
  readonly #noted = new Map<Expression, Type>()

  constructor(file: File, options: WalkOptions) {
    this.#o = options
    this.#frame = this.report.openFrame(undefined, true)
    for (const { kind, name } of options.resolution.outside) {
      if (kind === 'universal' && ['exit', 'quit', 'SystemExit', 'sys'].includes(name)) this.report.exits()
      if (kind === 'universal' && CHANGING.includes(name)) options.changes.giveUp()
    }
    this.#block(file.body, new Map())
  }

  // ---- what is found ---------------------------------------------------------------------------------------------

  #found(diagnostic: Diagnostic, failure: Failure, isPlain = false): void {
    if (this.#muted > 0 || this.#protections.some((protection) => protection(failure))) return
    this.report.add({ diagnostic, frame: this.#frame, plain: isPlain, certain: this.#certain })
  }

  #span(node: Place): Span {
    return this.#o.span(node)
  }

  #textOf(e: Expression): string {
    const text = this.#o.text.slice(e.start, e.end)
    return text.length > 40 || text.includes('\n') ? 'x' : text
  }

  // ---- variables -------------------------------------------------------------------------------------------------

  #bindingOf(id: Identifier): Binding | undefined {
    return this.#o.resolution.bindingOf.get(id)
  }

  #read(id: Identifier, state: State): Type {
    const binding = this.#bindingOf(id)
    if (binding === undefined) return ANY
    if (binding.kind === 'universal') return this.#universal(binding.name)
    if (binding.kind === 'predeclared')
      return this.#o.foreign.has(binding.name) ? { kind: 'namespace', name: binding.name } : ANY
    if (isKnownFunction(binding)) {
      this.report.guarded(binding.definition!)
      return FUNCTION
    }
    return state?.get(binding) ?? ANY
  }

  #universal(name: string): Type {
    if (name === 'True' || name === 'False') return BOOL
    return name === 'None' ? NONE : ANY
  }

  #write(id: Identifier, type: Type, state: State): void {
    const binding = this.#bindingOf(id)
    if (binding === undefined) return
    for (const written of this.#written) written.add(binding)
    state?.set(binding, binding.assignedFromInside || binding.scope?.kind === 'class' ? ANY : settled(type))
  }

  #merge(a: State, b: State): State {
    if (a === undefined) return b
    if (b === undefined || a === b) return a
    const out = new Map<Binding, Type>()
    for (const [binding, type] of a) {
      const other = b.get(binding)
      if (other !== undefined) out.set(binding, join(type, other))
    }
    return out
  }

  /** What a function that is made here can know of the variables around it. */
  #captured(state: State, node: Scope['node']): Map<Binding, Type> {
    const inner = new Map<Binding, Type>()
    if (state === undefined || this.#loopDepth > 0) return inner
    for (const binding of this.#o.resolution.scopeOf.get(node)?.captures ?? []) {
      const type = state.get(binding)
      if (type !== undefined && binding.assignments === 1 && !binding.assignedFromInside) inner.set(binding, type)
    }
    return inner
  }

  // ---- statements ------------------------------------------------------------------------------------------------

  #block(body: readonly Statement[], state: State): State {
    let s = state
    for (const statement of body) {
      if (s === undefined) this.#certain = false
      s = this.#statement(statement, s)
    }
    return s
  }

  /** A block that may not run. */
  #branch(body: readonly Statement[], state: State): State {
    const outer = this.#certain
    this.#certain = false
    const end = this.#block(body, state === undefined ? undefined : new Map(state))
    this.#certain = outer
    return end
  }

  /** Behind something that may have left by `return` or a jump. */
  #afterwards(certain: boolean): void {
    this.#certain = certain && !this.#returns && !this.#jumps
  }

  #statement(s: Statement, state: State): State {
    switch (s.kind) {
      case 'DefStmt':
        for (const d of s.decorators) this.#expression(d, state)
        this.#function(s, state)
        this.#write(s.name, s.decorators.length > 0 ? ANY : FUNCTION, state)
        return state
      case 'IfStmt':
        return this.#if(s, state)
      case 'ForStmt':
        return this.#for(s, state)
      case 'WhileStmt':
        return this.#while(s, state)
      case 'ReturnStmt':
        this.#returned = join(this.#returned, s.value ? this.#expression(s.value, state) : NONE)
        this.#returns = true
        return undefined
      case 'BreakStmt':
      case 'ContinueStmt': {
        const loop = this.#loops[this.#loops.length - 1]
        const exit = s.kind === 'BreakStmt' ? 'breaks' : 'continues'
        if (loop) loop[exit] = loop[exit] === undefined ? state : this.#merge(loop[exit], state)
        this.#jumps = true
        return undefined
      }
      case 'AssignStmt': {
        const type = this.#expression(s.value, state)
        for (const t of s.targets) this.#assign(t, type, state)
        return state
      }
      case 'AugmentedAssignStmt': {
        const left = this.#expression(s.target, state)
        const right = this.#expression(s.value, state)
        const type = this.#augmented(s, left, right)
        if (s.target.kind === 'Identifier') this.#write(s.target, type, state)
        else this.#store(s.target, type, state)
        return state
      }
      case 'AnnotatedAssignStmt':
        if (s.value) this.#assign(s.target, this.#expression(s.value, state), state)
        return state
      case 'ExprStmt':
        this.#expression(s.expression, state)
        return state
      case 'LoadStmt':
        for (const b of s.bindings) this.#write(b.local, ANY, state)
        return state
      case 'ImportStmt':
        for (const n of s.names) {
          const name = n.path.map((p) => p.name).join('.')
          const type: Type = this.#o.foreign.has(name) ? { kind: 'namespace', name } : ANY
          this.#write(n.alias ?? n.path[0]!, n.alias !== undefined || n.path.length === 1 ? type : ANY, state)
        }
        return state
      case 'ImportFromStmt': {
        const name = s.path.map((p) => p.name).join('.')
        if (CHANGING.includes(name)) this.#o.changes.giveUp()
        for (const n of s.names) this.#write(n.alias ?? n.name, this.#member(name, n.name.name) ?? ANY, state)
        return state
      }
      case 'TryStmt':
        return this.#try(s, state)
      case 'RaiseStmt':
        if (s.exception) this.#expression(s.exception, state)
        if (s.cause) this.#expression(s.cause, state)
        return undefined
      case 'AssertStmt':
        this.#expression(s.test, state)
        if (s.message) this.#maybe(s.message, state)
        return state
      case 'DelStmt':
        for (const t of s.targets) {
          if (t.kind === 'Identifier') {
            this.#write(t, ANY, state)
          } else this.#expression(t, state)
        }
        return state
      case 'WithStmt':
        return this.#with(s, state)
      case 'ClassStmt':
        this.#class(s, state)
        return state
      case 'PassStmt':
      case 'GlobalStmt':
      case 'NonlocalStmt':
        return state
    }
  }

  #if(s: Statement & { kind: 'IfStmt' }, state: State): State {
    // A chain of elif can be long: walked in a loop, its ends merged as they come.
    const certain = this.#certain
    let end: State
    let reached = false
    let rest: Statement & { kind: 'IfStmt' } = s
    let here = state
    for (;;) {
      this.#expression(rest.test, here)
      this.#certain = false
      const out = this.#narrowed(rest.test, here, (inner) => this.#block(rest.body, inner))
      end = reached ? this.#merge(end, out) : out
      reached = true
      const next: readonly Statement[] = rest.orelse
      const chained = next.length === 1 && next[0]!.kind === 'IfStmt' ? next[0]! : undefined
      if (chained === undefined) {
        const other = this.#narrowed(rest.test, here, (inner) => this.#block(next, inner))
        this.#afterwards(certain)
        return this.#merge(end, other)
      }
      here = here === undefined ? undefined : new Map(here)
      rest = chained
    }
  }

  /** A test may have told what the variables in it are: in its branches nothing is known of them. */
  #narrowed(test: Expression, state: State, branch: (inner: State) => State): State {
    if (state === undefined) return branch(undefined)
    const inner = new Map(state)
    const hidden = new Map<Binding, Type>()
    for (const id of namesIn(test)) {
      const binding = this.#bindingOf(id)
      const type = binding && state.get(binding)
      if (binding === undefined || type === undefined) continue
      const unknown: Type = { kind: 'any' }
      hidden.set(binding, unknown)
      inner.set(binding, unknown)
    }
    const end = branch(inner)
    if (end !== undefined)
      for (const [binding, unknown] of hidden) if (end.get(binding) === unknown) end.set(binding, state.get(binding)!)
    return end
  }

  #for(s: ForStmt, state: State): State {
    const iterable = this.#expression(s.iterable, state)
    this.#checkIterable(s.iterable, iterable)
    const element = this.#elementOf(s.iterable, iterable)
    return this.#loop(s, state, this.#isNonEmpty(s.iterable), (head) => {
      this.#assign(s.target, element, head)
      return this.#block(s.body, head)
    })
  }

  #while(s: WhileStmt, state: State): State {
    const test = s.test.kind === 'ParenExpr' ? s.test.expression : s.test
    const always =
      (test.kind === 'Identifier' && test.name === 'True' && this.#bindingOf(test)?.kind === 'universal') ||
      (test.kind === 'IntLiteral' && test.value !== 0n)
    const outer = this.#certain
    return this.#loop(s, state, always, (head) => {
      const inner = this.#certain
      this.#certain = outer
      this.#expression(s.test, head)
      this.#certain = inner
      return this.#narrowed(s.test, head, (body) => this.#block(s.body, body))
    })
  }

  #loop(s: ForStmt | WhileStmt, state: State, runs: boolean, step: (head: State) => State): State {
    const certain = this.#certain
    const jumps = this.#jumps
    let exits: LoopExits = { breaks: undefined, continues: undefined }
    const round = (head: State): State => {
      exits = { breaks: undefined, continues: undefined }
      this.#loops.push(exits)
      this.#loopDepth++
      this.#jumps = false
      this.#certain = certain && runs
      const end = this.#merge(step(head === undefined ? undefined : new Map(head)), exits.continues)
      this.#loopDepth--
      this.#loops.pop()
      return end
    }
    const head = state === undefined ? undefined : this.#stableHead(state, round)
    const end = round(head)
    this.#jumps = jumps
    this.#certain = false
    // The head holds what was known before and after each round.
    const left = this.#block(s.orelse, head === undefined ? undefined : new Map(this.#merge(head, end)))
    this.#afterwards(certain)
    return this.#merge(left, exits.breaks)
  }

  #stableHead(entry: Map<Binding, Type>, round: (head: State) => State): Map<Binding, Type> {
    if (this.#loopDepth >= DEEPEST_LOOP) return new Map()
    let head = entry
    this.#muted++
    for (let n = 0; n < MOST_ROUNDS; n++) {
      const end = round(head)
      const next = new Map(head)
      let isStable = true
      for (const [binding, old] of head) {
        if (end === undefined) break
        const seen = end.get(binding)
        const joined = seen === undefined ? ANY : join(old, seen)
        if (joined === old || same(joined, old)) continue
        next.set(binding, n === 0 ? joined : ANY)
        isStable = false
      }
      if (isStable) {
        this.#muted--
        return head
      }
      head = next
    }
    this.#muted--
    return new Map()
  }

  #try(s: TryStmt, state: State): State {
    const certain = this.#certain
    const protection = protectionOf(s, this.#o.resolution)
    const written = new Set<Binding>()
    const before = state === undefined ? undefined : new Map(state)
    this.#written.push(written)
    if (protection !== undefined) {
      this.report.catches()
      this.#protections.push(protection)
      this.#certain = false
    }
    const after = this.#block(s.body, state)
    if (protection !== undefined) this.#protections.pop()
    const thrown = without(before, written)
    this.#certain = certain && s.handlers.length === 0
    this.#afterwards(this.#certain)
    let end = this.#block(s.orelse, after)
    for (const h of s.handlers) {
      const start = thrown === undefined ? undefined : new Map(thrown)
      if (h.type) this.#maybe(h.type, start)
      if (h.name) this.#write(h.name, ANY, start)
      end = this.#merge(end, this.#branch(h.body, start))
    }
    this.#written.pop()
    this.#certain = false
    const out =
      s.finalbody.length === 0 ? end : this.#block(s.finalbody, without(before ?? new Map<Binding, Type>(), written))
    this.#afterwards(certain)
    return end === undefined ? undefined : s.finalbody.length === 0 ? end : out
  }

  #with(s: Statement & { kind: 'WithStmt' }, state: State): State {
    for (const item of s.items) {
      this.#expression(item.context, state)
      if (item.target) this.#assign(item.target, ANY, state)
    }
    const certain = this.#certain
    const written = new Set<Binding>()
    this.#written.push(written)
    // A context may swallow any exception.
    this.report.catches()
    this.#protections.push(everything)
    this.#certain = false
    this.#block(s.body, state === undefined ? undefined : new Map(state))
    this.#protections.pop()
    this.#written.pop()
    this.#afterwards(certain)
    return without(state, written)
  }

  #class(s: ClassStmt, state: State): void {
    for (const d of s.decorators) this.#expression(d, state)
    for (const b of s.bases) this.#expression(b.value, state)
    this.#inFrame(undefined, () => {
      this.#certain = false
      this.#block(s.body, this.#captured(state, s))
    })
    this.#write(s.name, ANY, state)
  }

  /** Walks a body of its own: nothing around it tells when it runs. */
  #inFrame(fn: DefStmt | undefined, body: () => void): Frame {
    const outer = {
      frame: this.#frame,
      certain: this.#certain,
      protections: this.#protections,
      loops: this.#loops,
      loopDepth: this.#loopDepth,
      returns: this.#returns,
      jumps: this.#jumps,
      returned: this.#returned,
    }
    const frame = this.report.openFrame(fn, false)
    this.#frame = frame
    this.#certain = true
    this.#protections = []
    this.#loops = []
    this.#loopDepth = 0
    this.#returns = false
    this.#jumps = false
    this.#returned = NEVER
    body()
    this.#frame = outer.frame
    this.#certain = outer.certain
    this.#protections = outer.protections
    this.#loops = outer.loops
    this.#loopDepth = outer.loopDepth
    this.#returns = outer.returns
    this.#jumps = outer.jumps
    this.#returned = outer.returned
    return frame
  }

  #function(fn: DefStmt | LambdaExpr, state: State): void {
    for (const p of fn.parameters) if (p.default) this.#expression(p.default, state)
    const inner = this.#captured(state, fn)
    const binding = fn.kind === 'DefStmt' ? this.#bindingOf(fn.name) : undefined
    const own = fn.kind === 'DefStmt' && binding !== undefined && isKnownFunction(binding) ? fn : undefined
    let result: Type = ANY
    const frame = this.#inFrame(own, () => {
      for (const p of fn.parameters) if (p.name) this.#write(p.name, ANY, inner)
      if (fn.kind === 'LambdaExpr') this.#expression(fn.body, inner)
      else {
        const end = this.#block(fn.body, inner)
        result = end === undefined ? this.#returned : join(this.#returned, NONE)
      }
    })
    if (own !== undefined) this.#results.set(own, frame.runsLater || own.isAsync ? ANY : settled(result))
  }

  // ---- assignment ------------------------------------------------------------------------------------------------

  #assign(t: Expression, type: Type, state: State): void {
    switch (t.kind) {
      case 'Identifier':
        return this.#write(t, type, state)
      case 'ParenExpr':
        return this.#assign(t.expression, type, state)
      case 'StarredExpr':
        return this.#assign(t.value, LIST, state)
      case 'TupleExpr':
      case 'ListExpr':
        return this.#unpack(t, type, state)
      default:
        return this.#store(t, type, state)
    }
  }

  #unpack(t: Expression & { kind: 'TupleExpr' | 'ListExpr' }, type: Type, state: State): void {
    if (impossibleIteration(type, this.#o.strict))
      this.#found(messages.notIterable(this.#span(t), shown(type)), 'TypeError')
    const all = alternatives(type)
    const hasStar = t.elements.some((e) => e.kind === 'StarredExpr')
    const only = all.length === 1 && all[0]!.kind === 'tuple' ? all[0]! : undefined
    const names = t.elements.length
    if (only !== undefined && (hasStar ? only.items.length < names - 1 : only.items.length !== names)) {
      const want = `${hasStar ? 'at least ' : ''}${hasStar ? names - 1 : names} name${names === 1 ? '' : 's'}`
      this.#found(messages.wrongUnpacking(this.#span(t), only.items.length, want), 'ValueError')
    }
    const fits = only !== undefined && !hasStar && only.items.length === names
    const item = fits ? ANY : this.#itemOf(type)
    t.elements.forEach((e, i) => {
      this.#assign(e, fits ? only.items[i]! : item, state)
    })
  }

  /** `x[i] = v`, `x.name = v`. */
  #store(t: Expression, type: Type, state: State): void {
    const { changes } = this.#o
    if (t.kind === 'IndexExpr') {
      const object = this.#expression(t.object, state)
      this.#expression(t.index, state)
      if (plainAlternatives(object).every((one) => ['str', 'tuple', 'int', 'float', 'bool', 'none'].includes(one.kind)))
        this.#found(messages.notAssignable(this.#span(t), shown(plainOf(object))), 'TypeError')
      changes.storeKey(object, t.index.kind === 'StringLiteral' ? t.index.value : undefined)
      if (t.index.kind !== 'StringLiteral') changes.storeItem(object, type)
    } else if (t.kind === 'SliceExpr') {
      changes.storeItem(this.#expression(t.object, state), ANY)
      for (const e of [t.lower, t.upper, t.step]) if (e) this.#expression(e, state)
    } else if (t.kind === 'DotExpr') this.#expression(t.object, state)
    else this.#expression(t, state)
  }

  #augmented(s: Statement & { kind: 'AugmentedAssignStmt' }, left: Type, right: Type): Type {
    const { operator } = s
    const symbol = operator === '+' || operator === '|' ? `${operator}=` : operator
    if (impossible(symbol, left, right, this.#o.strict))
      this.#found(this.#operandsMessage(s, `${operator}=`, left, right), 'TypeError')
    const rights = plainAlternatives(right)
    const isScalar = rights.every((one) => ['int', 'float', 'bool', 'str', 'none'].includes(one.kind))
    if (operator === '+' && !isScalar) this.#o.changes.storeItem(left, this.#itemOf(right))
    if (operator === '|' && !isScalar) this.#o.changes.storeKey(left, undefined)
    const lefts = plainAlternatives(left)
    if (operator === '+' && lefts.every((one) => one.kind === 'list')) return left
    return binaryResult(operator, left, right)
  }

  // ---- expressions -----------------------------------------------------------------------------------------------

  /** An expression that may not be evaluated. */
  #maybe(e: Expression, state: State): Type {
    const outer = this.#certain
    this.#certain = false
    const type = this.#expression(e, state)
    this.#certain = outer
    return type
  }

  /** An expression that is evaluated if a test says so. */
  #narrowedMaybe(test: Expression, e: Expression, state: State): Type {
    const written = new Set<Binding>()
    this.#written.push(written)
    let type: Type = ANY
    this.#narrowed(test, state, (inner) => {
      type = this.#maybe(e, inner)
      return undefined
    })
    this.#written.pop()
    for (const binding of written) state?.delete(binding)
    return type
  }

  #expression(e: Expression, state: State): Type {
    switch (e.kind) {
      case 'Identifier':
        return this.#read(e, state)
      case 'IntLiteral': {
        const n = Number(e.value)
        return Number.isSafeInteger(n) ? { kind: 'literal', values: [n] } : INT
      }
      case 'FloatLiteral':
        return FLOAT
      case 'StringLiteral':
        return { kind: 'literal', values: [e.value] }
      case 'FString':
        this.#parts(e.parts, state)
        return STR
      case 'BytesLiteral':
        return BYTES
      case 'EllipsisLiteral':
        return ANY
      case 'ListExpr':
        return { kind: 'list', item: this.#elements(e.elements, state), made: true }
      case 'TupleExpr': {
        const items = e.elements.map((x) => this.#expression(x, state))
        return e.elements.some((x) => x.kind === 'StarredExpr') ? ANY : { kind: 'tuple', items }
      }
      case 'SetExpr':
        this.#elements(e.elements, state)
        return SET
      case 'DictExpr':
        for (const entry of e.entries) {
          if (entry.key) this.#expression(entry.key, state)
          this.#expression(entry.value, state)
        }
        return DICT
      case 'Comprehension':
        return this.#comprehension(e, state)
      case 'CondExpr': {
        this.#expression(e.test, state)
        const body = this.#narrowedMaybe(e.test, e.body, state)
        return join(body, this.#narrowedMaybe(e.test, e.orelse, state))
      }
      case 'LambdaExpr':
        this.#function(e, state)
        return FUNCTION
      case 'UnaryExpr': {
        const operand = this.#expression(e.operand, state)
        if (impossibleUnary(e.operator, operand, this.#o.strict))
          this.#found(messages.badOperand(this.#span(e), e.operator, shown(plainOf(operand))), 'TypeError')
        return unaryResult(e.operator, operand)
      }
      case 'BinaryExpr':
        return this.#binary(e, state)
      case 'LogicalExpr': {
        const spine: Expression[] = []
        let left: Expression = e
        while (left.kind === 'LogicalExpr') {
          spine.push(left.right)
          left = left.left
        }
        let type = this.#expression(left, state)
        while (spine.length > 0) {
          type = join(type, this.#narrowedMaybe(e.left, spine.pop()!, state))
        }
        return type
      }
      case 'CompareExpr':
        return this.#comparison(e, state)
      case 'CallExpr':
        return this.#call(e, state)
      case 'DotExpr':
        return this.#attribute(e, this.#expression(e.object, state), false)
      case 'IndexExpr':
        return this.#index(e, this.#expression(e.object, state), this.#expression(e.index, state))
      case 'SliceExpr': {
        const object = this.#expression(e.object, state)
        for (const x of [e.lower, e.upper, e.step]) if (x) this.#expression(x, state)
        const kinds = plainAlternatives(object)
        if (kinds.every((one) => ['none', 'bool', 'int', 'float'].includes(one.kind)))
          this.#found(messages.notSubscriptable(this.#span(e), shown(plainOf(object))), 'TypeError')
        return kinds.every((one) => one.kind === 'str') ? STR : kinds.every((one) => one.kind === 'list') ? object : ANY
      }
      case 'NamedExpr': {
        const type = this.#expression(e.value, state)
        // It may stand where it is evaluated only sometimes.
        const binding = this.#bindingOf(e.target)
        const before = binding && state?.get(binding)
        this.#write(e.target, before === undefined ? ANY : join(before, type), state)
        return type
      }
      case 'StarredExpr':
        this.#checkIterable(e.value, this.#expression(e.value, state))
        return ANY
      case 'AwaitExpr': {
        const type = this.#expression(e.value, state)
        const callee = e.value.kind === 'CallExpr' ? e.value.callee : undefined
        const binding = callee?.kind === 'Identifier' ? this.#bindingOf(callee) : undefined
        if (binding !== undefined && isKnownFunction(binding)) this.#surelyCalls(binding.definition!)
        return type
      }
      case 'YieldExpr':
        this.#frame.runsLater = true
        if (e.value) this.#expression(e.value, state)
        return ANY
      case 'ParenExpr':
        return this.#expression(e.expression, state)
    }
  }

  #elements(elements: readonly Expression[], state: State): Type {
    let item: Type = NEVER
    for (const x of elements) {
      const type = this.#expression(x, state)
      item = x.kind === 'StarredExpr' ? ANY : join(item, plain(type))
    }
    return item
  }

  #parts(parts: readonly FStringPart[], state: State): void {
    for (const part of parts) {
      if (typeof part === 'string') continue
      this.#expression(part.expression, state)
      if (part.spec) this.#parts(part.spec, state)
    }
  }

  #comprehension(c: Comprehension, state: State): Type {
    let result: Type = ANY
    const walk = (): void => {
      const inner = state === undefined ? undefined : new Map(state)
      const outer = this.#certain
      let runs = c.form !== 'generator'
      c.clauses.forEach((clause, i) => {
        if (clause.kind === 'IfClause') {
          this.#expression(clause.test, inner)
          this.#certain = false
          for (const id of namesIn(clause.test)) {
            const binding = this.#bindingOf(id)
            if (binding !== undefined) inner?.set(binding, ANY)
          }
          return
        }
        const iterable = this.#expression(clause.iterable, inner)
        this.#checkIterable(clause.iterable, iterable)
        runs &&= i === 0 && this.#isNonEmpty(clause.iterable)
        if (!runs) this.#certain = false
        this.#assign(clause.target, this.#elementOf(clause.iterable, iterable), inner)
      })
      const element = this.#expression(c.element, inner)
      if (c.value) this.#expression(c.value, inner)
      this.#certain = outer
      if (c.form === 'list') result = { kind: 'list', item: plain(element), made: true }
      else result = c.form === 'dict' ? DICT : c.form === 'set' ? SET : ANY
    }
    // What `:=` assigns inside is not followed out of the comprehension.
    const written = new Set<Binding>()
    this.#written.push(written)
    if (c.form === 'generator') this.#inFrame(undefined, walk)
    else walk()
    const last = this.#written.pop()
    for (const binding of last ?? []) if (binding.scope?.node !== c) state?.delete(binding)
    return result
  }

  #binary(e: Expression & { kind: 'BinaryExpr' }, state: State): Type {
    const spine: (Expression & { kind: 'BinaryExpr' })[] = []
    let left: Expression = e
    while (left.kind === 'BinaryExpr') {
      spine.push(left)
      left = left.left
    }
    let type = this.#expression(left, state)
    while (spine.length > 0) {
      const node = spine.pop()!
      const right = this.#expression(node.right, state)
      if (impossible(node.operator, type, right, this.#o.strict))
        this.#found(this.#operandsMessage(node, node.operator, type, right), 'TypeError')
      type = binaryResult(node.operator, type, right)
    }
    return type
  }

  #operandsMessage(node: Place, operator: string, left: Type, right: Type): Diagnostic {
    const a = plainOf(left)
    const b = plainOf(right)
    const number = (type: Type): boolean => alternatives(type).every(({ kind }) => kind === 'int' || kind === 'float')
    const hint =
      operator.startsWith('+') && a.kind === 'str' && number(b)
        ? 'convert the number with str(…), or use an f-string'
        : operator.startsWith('+') && number(a) && b.kind === 'str'
          ? 'convert the text with int(…) or float(…), or the number with str(…)'
          : operator === '+' && a.kind === 'dict' && (b.kind === 'dict' || b.kind === 'record')
            ? 'write a | b'
            : undefined
    return messages.badOperands(this.#span(node), operator, shown(a), shown(b), hint)
  }

  #comparison(e: CompareExpr, state: State): Type {
    const outer = this.#certain
    let left = this.#expression(e.left, state)
    let at: Expression = e.left
    for (const [i, { operator, operand }] of e.rest.entries()) {
      if (i > 0) this.#certain = false
      const right = this.#expression(operand, state)
      const place = { start: at.start, end: operand.end }
      const bad =
        operator === 'in' || operator === 'not in'
          ? impossibleIn(left, right)
          : ['<', '>', '<=', '>='].includes(operator) && impossible(operator, left, right, this.#o.strict)
      if (bad)
        this.#found(
          messages.badOperands(this.#span(place), operator, shown(plainOf(left)), shown(plainOf(right))),
          'TypeError',
        )
      left = right
      at = operand
    }
    this.#certain = outer
    return e.rest.every(({ operator }) => ['in', 'not in', 'is', 'is not'].includes(operator)) ? BOOL : ANY
  }

  // ---- members ---------------------------------------------------------------------------------------------------

  #member(namespace: string, name: string): Type | undefined {
    const fn = this.#o.foreign.get(namespace)?.get(name)
    return fn === undefined ? undefined : { kind: 'tool', path: `${namespace}.${name}`, fn }
  }

  #attribute(e: DotExpr, object: Type, isCalled: boolean): Type {
    const { name } = e.name
    if (object.kind === 'namespace') return this.#member(object.name, name) ?? ANY
    if (!isCalled && STORING.includes(name)) this.#o.changes.giveUp()
    if (object.kind === 'any') return ANY
    const all = plainAlternatives(object)
    const types = all.map(builtinName)
    if (/^__\w+__$/.test(name) || DATA_ATTRIBUTES.includes(name)) return ANY
    if (types.every((type) => type !== undefined && !this.#hasMethod(type, name)))
      this.#found(this.#noAttribute(e, object, all[0]!), 'AttributeError')
    return ANY
  }

  #hasMethod(type: string, name: string): boolean {
    if (type === 'NoneType') return false
    const own = this.#o.universe.types.get(type)
    return own === undefined || own.has(name)
  }

  #noAttribute(e: DotExpr, object: Type, first: Type): Diagnostic {
    const { name } = e.name
    const text = this.#textOf(e.object)
    const type = builtinName(first) ?? first.kind
    const isField = first.kind === 'record' && first.fields.some((field) => field.key === name)
    const own = [...(this.#o.universe.types.get(type)?.keys() ?? [])]
    const near = nearestNames(name, own, 2)
    const fields =
      first.kind === 'record'
        ? nearestNames(
            name,
            first.fields.map((f) => f.key),
            2,
          )
        : []
    const hint = isField
      ? `write ${text}["${name}"]`
      : (foreignName(type, name, text) ??
        (fields.length > 0
          ? `did you mean ${fields.map((field) => `${text}["${field}"]`).join(' or ')}?`
          : near.length > 0
            ? `did you mean ${near.map((one) => `.${one}`).join(' or ')}?`
            : first.kind === 'none'
              ? undefined
              : type === 'dict'
                ? `for a key write ${text}["${name}"]`
                : undefined))
    return messages.noAttribute(this.#span(e.name), shown(plainOf(object)), name, hint)
  }

  #index(e: IndexExpr, object: Type, index: Type): Type {
    const key = e.index.kind === 'StringLiteral' ? e.index.value : undefined
    if (object.kind === 'any') return ANY
    const all = plainAlternatives(object)
    if (all.every((one) => ['none', 'bool', 'int', 'float', 'tool', 'namespace'].includes(one.kind))) {
      const hint =
        all[0]!.kind === 'tool' ? 'call it with (…)' : all[0]!.kind === 'namespace' ? 'write server.tool' : undefined
      this.#found(messages.notSubscriptable(this.#span(e), shown(plainOf(object)), hint), 'TypeError')
      return ANY
    }
    let result: Type = NEVER
    let failing: Type | undefined
    for (const one of all) {
      const part = this.#indexOne(one, key, index)
      if (part === undefined) failing ??= one
      else result = join(result, part)
    }
    if (result !== NEVER) return result
    if (failing?.kind === 'record' && key !== undefined) {
      const fields = failing.fields.map((field) => field.key)
      const diagnostic = messages.noField(
        this.#span(e.index),
        this.#textOf(e.object),
        key,
        nearestNames(key, fields, 2),
        fields,
      )
      this.#found(diagnostic, 'KeyError')
    } else if (failing !== undefined) {
      const text = this.#textOf(e.object)
      const hint =
        failing.kind === 'list'
          ? `index it with an int, or iterate over it: [x[…] for x in ${text}]`
          : 'index it with an int'
      this.#found(messages.badIndex(this.#span(e), shown(plainOf(failing)), shown(plainOf(index)), hint), 'TypeError')
    }
    return ANY
  }

  /** What indexing one alternative gives; undefined when it can't be. */
  #indexOne(one: Type, key: string | undefined, index: Type): Type | undefined {
    const { changes } = this.#o
    const noIndex = plainAlternatives(index).every((i) => ['str', 'none', 'float', 'list', 'dict'].includes(i.kind))
    switch (one.kind) {
      case 'none':
        return undefined
      case 'str':
        return noIndex ? undefined : STR
      case 'list':
        return noIndex ? undefined : this.#read1(changes.itemOf(one), one.made)
      case 'tuple':
        return noIndex ? undefined : ANY
      case 'record': {
        if (key === undefined || changes.mayHaveKey(key)) return ANY
        const field = one.fields.find((f) => f.key === key)
        if (field !== undefined) return hosted(field.type)
        return one.closed ? undefined : ANY
      }
      case 'dict':
        return one.made || changes.anyKey ? ANY : hosted(one.value)
      default:
        return ANY
    }
  }

  #read1(item: Type, made: true | undefined): Type {
    return item.kind === 'never' ? ANY : made ? item : hosted(item)
  }

  // ---- iteration -------------------------------------------------------------------------------------------------

  #checkIterable(e: Expression, type: Type): void {
    if (!impossibleIteration(type, this.#o.strict)) return
    const kind = plainAlternatives(type)[0]!.kind
    const hint =
      kind === 'int'
        ? `write range(${this.#textOf(e)})`
        : kind === 'tool'
          ? `call it: ${this.#textOf(e)}(…)`
          : kind === 'function'
            ? 'call it with (…)'
            : undefined
    this.#found(messages.notIterable(this.#span(e), shown(plainOf(type)), hint), 'TypeError')
  }

  /** What iterating over a value yields. */
  #itemOf(type: Type): Type {
    if (type.kind === 'any') return ANY
    let item: Type = NEVER
    for (const one of plainAlternatives(type)) {
      switch (one.kind) {
        case 'list':
          item = join(item, this.#read1(this.#o.changes.itemOf(one), one.made))
          break
        case 'tuple':
          item = one.items.length === 0 ? ANY : one.items.reduce(join, item)
          break
        case 'str':
        case 'record':
          item = join(item, STR)
          break
        case 'range':
          item = join(item, INT)
          break
        default:
          return ANY
      }
    }
    return item.kind === 'never' ? ANY : plain1(item)
  }

  /** Like #itemOf, and sees through the builtins and methods that are written in loops. */
  #elementOf(e: Expression, type: Type): Type {
    if (e.kind !== 'CallExpr') return this.#itemOf(type)
    const [first, ...more] = e.arguments
    const { callee } = e
    const itemIn = (x: Expression): Type => this.#elementOf(x, this.#noted.get(x) ?? ANY)
    if (callee.kind === 'Identifier' && this.#bindingOf(callee)?.kind === 'universal') {
      if (e.arguments.some((a) => a.form === 'args' || a.form === 'kwargs')) return ANY
      if (callee.name === 'range') return INT
      if (first === undefined || first.form !== 'positional') return ANY
      if (['sorted', 'reversed', 'list', 'tuple', 'set'].includes(callee.name)) return itemIn(first.value)
      if (callee.name === 'enumerate') return { kind: 'tuple', items: [INT, itemIn(first.value)] }
      if (callee.name === 'zip' && more.every((a) => a.form === 'positional'))
        return { kind: 'tuple', items: e.arguments.map((a) => itemIn(a.value)) }
    }
    return this.#itemOf(type)
  }

  #isNonEmpty(e: Expression): boolean {
    switch (e.kind) {
      case 'ParenExpr':
        return this.#isNonEmpty(e.expression)
      case 'ListExpr':
      case 'TupleExpr':
        return e.elements.some((x) => x.kind !== 'StarredExpr')
      case 'StringLiteral':
        return e.value !== '' && !this.#o.strict
      case 'DictExpr':
        return e.entries.some((entry) => entry.key !== undefined)
      case 'CallExpr': {
        const [only, ...more] = e.arguments
        const { callee } = e
        if (callee.kind !== 'Identifier' || this.#bindingOf(callee)?.kind !== 'universal' || callee.name !== 'range')
          return false
        return (
          more.length === 0 && only?.form === 'positional' && only.value.kind === 'IntLiteral' && only.value.value > 0n
        )
      }
      default:
        return false
    }
  }

  // ---- calls -----------------------------------------------------------------------------------------------------

  #call(e: CallExpr, state: State): Type {
    const { callee } = e
    if (callee.kind === 'Identifier') {
      const binding = this.#bindingOf(callee)
      if (binding?.kind === 'universal') return this.#builtinCall(e, binding.name, state)
      if (binding !== undefined && isKnownFunction(binding)) return this.#ownCall(e, binding, state)
    }
    if (callee.kind === 'DotExpr') {
      const object = this.#expression(callee.object, state)
      const member = this.#attribute(callee, object, true)
      const types = this.#arguments(e, state)
      if (member.kind === 'tool') return this.#toolCall(e, member, types)
      return this.#methodCall(e, callee, object, types)
    }
    const type = this.#expression(callee, state)
    const types = this.#arguments(e, state)
    if (type.kind === 'tool') return this.#toolCall(e, type, types)
    const kinds = plainAlternatives(type)
    const never = ['none', 'bool', 'int', 'float', 'str', 'list', 'tuple', 'dict', 'record', 'set', 'namespace']
    if (kinds.every((one) => never.includes(one.kind)))
      this.#found(messages.notCallable(this.#span(callee), shown(plainOf(type))), 'TypeError')
    return ANY
  }

  #arguments(e: CallExpr, state: State): Map<Expression, Type> {
    const types = new Map<Expression, Type>()
    for (const a of e.arguments) {
      const type = this.#expression(a.value, state)
      types.set(a.value, type)
      this.#noted.set(a.value, type)
    }
    return types
  }

  #toolCall(e: CallExpr, tool: Type & { kind: 'tool' }, types: ReadonlyMap<Expression, Type>): Type {
    const { plain: shownByText, inferred } = checkToolCall(e, {
      path: tool.path,
      fn: tool.fn,
      typeOf: (x) => types.get(x) ?? this.#typeOfLiteral(x),
      span: (node) => this.#span(node),
      isConstant: (x) => x.kind === 'Identifier' && this.#bindingOf(x)?.kind === 'universal' && isConstantName(x.name),
    })
    for (const diagnostic of shownByText) this.#found(diagnostic, 'TypeError', true)
    for (const diagnostic of inferred) this.#found(diagnostic, 'TypeError')
    return toolResult(tool.fn)
  }

  /** Of a value inside a display that is passed as the arguments. */
  #typeOfLiteral(e: Expression): Type {
    if (!['StringLiteral', 'IntLiteral', 'FloatLiteral'].includes(e.kind)) return ANY
    return this.#expression(e, undefined)
  }

  #ownCall(e: CallExpr, binding: Binding, state: State): Type {
    this.#arguments(e, state)
    const fn = binding.definition!
    this.#frame.mayCall.add(fn)
    if (this.#protections.length > 0) this.report.guarded(fn)
    // In Python a coroutine runs only when it is awaited.
    if (!fn.isAsync) this.#surelyCalls(fn)
    for (const diagnostic of checkArguments(e, formalOf(fn), binding.name, (node) => this.#span(node)))
      this.#found(diagnostic, 'TypeError')
    return this.#results.get(fn) ?? ANY
  }

  #surelyCalls(fn: DefStmt): void {
    if (this.#certain && this.#protections.length === 0) this.#frame.surelyCalls.add(fn)
  }

  #builtinCall(e: CallExpr, name: string, state: State): Type {
    const types = this.#arguments(e, state)
    const formal = this.#o.universe.builtins.get(name)
    const mistakes = formal === undefined ? [] : checkArguments(e, formal, name, (node) => this.#span(node))
    for (const diagnostic of mistakes) this.#found(diagnostic, 'TypeError')
    const first = e.arguments[0]
    if (mistakes.length === 0 && first?.form === 'positional') {
      const type = types.get(first.value)!
      const want = refusedFirst(name, type)
      if (want !== undefined)
        this.#found(messages.badBuiltinArgument(this.#span(first.value), name, shown(plainOf(type)), want), 'TypeError')
      if (name === 'list' || name === 'sorted')
        return { kind: 'list', item: this.#elementOf(first.value, type), made: true }
    }
    return builtinResult(name)
  }

  #methodCall(e: CallExpr, callee: DotExpr, object: Type, types: ReadonlyMap<Expression, Type>): Type {
    const { name } = callee.name
    this.#noteStored(e, name, object, types)
    if (object.kind === 'any') return ANY
    const all = plainAlternatives(object)
    const type = all.length === 1 ? builtinName(all[0]!) : undefined
    if (type === undefined) return ANY
    const formal = this.#o.universe.types.get(type)?.get(name)
    if (formal === undefined) return ANY
    for (const diagnostic of checkArguments(e, formal, `${type}.${name}`, (node) => this.#span(node)))
      this.#found(diagnostic, 'TypeError')
    return methodResult(type, name)
  }

  /** What a method puts into its object. */
  #noteStored(e: CallExpr, name: string, object: Type, types: ReadonlyMap<Expression, Type>): void {
    const { changes } = this.#o
    const [first, second] = e.arguments
    const typeOf = (a: typeof first): Type => (a?.form === 'positional' ? settled(types.get(a.value) ?? ANY) : ANY)
    switch (name) {
      case 'append':
      case 'appendleft':
        return e.arguments.length === 1 ? changes.storeItem(object, plain(typeOf(first))) : changes.giveUp()
      case 'insert':
        return e.arguments.length === 2 ? changes.storeItem(object, plain(typeOf(second))) : changes.giveUp()
      case 'extend':
      case 'extendleft':
        return e.arguments.length === 1 ? changes.storeItem(object, this.#itemOf(typeOf(first))) : changes.giveUp()
      case 'setdefault':
        return changes.storeKey(object, first?.value.kind === 'StringLiteral' ? first.value.value : undefined)
      case 'update':
        return changes.storeKey(object, undefined)
      default:
        if (/^__(i|set)/.test(name)) changes.giveUp()
    }
  }
}

function isConstantName(name: string): boolean {
  return name === 'True' || name === 'False' || name === 'None'
}

function plainOf(type: Type): Type {
  return plainAlternatives(type).reduce(join, NEVER)
}

function plain1(type: Type): Type {
  return type.kind === 'literal' ? plain(type) : type
}

function without(state: State, written: ReadonlySet<Binding>): State {
  if (state === undefined) return undefined
  const out = new Map(state)
  for (const binding of written) out.delete(binding)
  return out
}

/** The names that an expression reads, those inside functions left out. */
function* namesIn(e: Expression | undefined): Iterable<Identifier> {
  if (e === undefined) return
  switch (e.kind) {
    case 'Identifier':
      yield e
      return
    case 'ParenExpr':
      yield* namesIn(e.expression)
      return
    case 'UnaryExpr':
      yield* namesIn(e.operand)
      return
    case 'BinaryExpr':
    case 'LogicalExpr': {
      let left: Expression = e
      while (left.kind === 'BinaryExpr' || left.kind === 'LogicalExpr') {
        yield* namesIn(left.right)
        left = left.left
      }
      yield* namesIn(left)
      return
    }
    case 'CompareExpr':
      yield* namesIn(e.left)
      for (const { operand } of e.rest) yield* namesIn(operand)
      return
    case 'CallExpr':
      yield* namesIn(e.callee)
      for (const a of e.arguments) yield* namesIn(a.value)
      return
    case 'DotExpr':
      yield* namesIn(e.object)
      return
    case 'IndexExpr':
      yield* namesIn(e.object)
      yield* namesIn(e.index)
      return
    case 'NamedExpr':
      yield e.target
      yield* namesIn(e.value)
      return
    case 'CondExpr':
      yield* namesIn(e.test)
      yield* namesIn(e.body)
      yield* namesIn(e.orelse)
      return
    case 'ListExpr':
    case 'TupleExpr':
    case 'SetExpr':
      for (const x of e.elements) yield* namesIn(x)
      return
    case 'StarredExpr':
    case 'AwaitExpr':
      yield* namesIn(e.value)
      return
    case 'Comprehension':
      for (const clause of e.clauses) yield* namesIn(clause.kind === 'IfClause' ? clause.test : clause.iterable)
      yield* namesIn(e.element)
      yield* namesIn(e.value)
      return
    default:
      return
  }
}
