// Follows a program in the order in which it runs and meets its mistakes: keeps for every variable what it may be and knows at each place whether
// the program surely gets there and whether an exception would be caught. What is not followed is ANY. One object, built up in layers, from what
// all of it stands on to statements: walker, iteration, members, calls, evaluation, assignments, loops, and this file.
// Knows the tree and its names; what types do is known next door.

import { type Binding, isKnownFunction, Knowledge } from '../resolve/index.js'
import { isIrrefutable } from '../syntax/inside-patterns.js'
import type { ClassStmt, DefStmt, File, LambdaExpr, MatchStmt, Statement, TryStmt } from '../syntax/nodes.js'
import { expressionsIn, namesBoundBy } from '../syntax/walk.js'
import { Loops } from './loops.js'
import { messages } from './messages.js'
import { everything, protectionOf } from './protection.js'
import { ANY, FUNCTION, join, NONE, type State, settled, type Type } from './types.js'
import { type WalkOptions, without } from './walker.js'

/** Builtins and modules with which a program can change a list or dict by other means than methods and assignments. */
const CHANGING = ['operator', 'heapq', 'bisect', 'random', 'getattr', 'setattr']

export class Walk extends Loops {
  constructor(file: File, options: WalkOptions) {
    super(options)
    for (const { kind, name } of options.resolution.outside) {
      if (kind === 'universal' && ['exit', 'quit', 'SystemExit', 'sys'].includes(name)) this.report.exits()
      if (kind === 'universal' && CHANGING.includes(name)) options.changes.giveUp()
    }
    this.block(file.body, new Knowledge())
  }

  protected block(body: readonly Statement[], state: State): State {
    let s = state
    for (let i = 0; i < body.length; i++) {
      const statement = body[i]!
      if (s === undefined) this.certain = false
      const next = this.statement(statement, s)
      if (s !== undefined && next === undefined) this.noteUnreachable(statement, body[i + 1])
      s = next
    }
    return s
  }

  /** What stands behind a statement that always leaves. A `yield` there makes a generator, and is written for that. */
  private noteUnreachable(leaving: Statement, next: Statement | undefined): void {
    if (next === undefined || (next.kind === 'ExprStmt' && next.expression.kind === 'YieldExpr')) return
    this.report.remark(messages.unreachable(this.span(next), this.span(leaving).line))
  }

  /** A block that may not run. */
  protected branch(body: readonly Statement[], state: State): State {
    const outer = this.certain
    this.certain = false
    const end = this.block(body, state?.copy())
    this.certain = outer
    return end
  }

  protected statement(s: Statement, state: State): State {
    switch (s.kind) {
      case 'DefStmt':
        for (const d of s.decorators) this.expression(d, state)
        this.makeFunction(s, state)
        this.write(s.name, s.decorators.length > 0 ? ANY : FUNCTION, state)
        return state
      case 'IfStmt':
        return this.if(s, state)
      case 'ForStmt':
        return this.for(s, state)
      case 'WhileStmt':
        return this.while(s, state)
      case 'ReturnStmt':
        this.returned = join(this.returned, s.value ? this.expression(s.value, state) : NONE)
        this.returns = true
        return undefined
      case 'BreakStmt':
      case 'ContinueStmt': {
        const loop = this.loops[this.loops.length - 1]
        const exit = s.kind === 'BreakStmt' ? 'breaks' : 'continues'
        if (loop) loop[exit] = loop[exit] === undefined ? state : this.merge(loop[exit], state)
        this.jumps = true
        return undefined
      }
      case 'AssignStmt': {
        const type = this.expression(s.value, state)
        for (const t of s.targets) this.assign(t, type, state)
        return state
      }
      case 'AugmentedAssignStmt': {
        const left = this.expression(s.target, state)
        const right = this.expression(s.value, state)
        const type = this.augmented(s, left, right)
        if (s.target.kind === 'Identifier') this.write(s.target, type, state)
        else this.store(s.target, type, state)
        return state
      }
      case 'AnnotatedAssignStmt':
        if (s.value) this.assign(s.target, this.expression(s.value, state), state)
        return state
      case 'ExprStmt':
        this.expression(s.expression, state)
        return state
      case 'LoadStmt':
        for (const b of s.bindings) this.write(b.local, ANY, state)
        return state
      case 'ImportStmt':
        for (const n of s.names) {
          const name = n.path.map((p) => p.name).join('.')
          const type: Type = this.o.foreign.has(name) ? { kind: 'namespace', name } : ANY
          this.write(n.alias ?? n.path[0]!, n.alias !== undefined || n.path.length === 1 ? type : ANY, state)
        }
        return state
      case 'ImportFromStmt': {
        const name = s.path.map((p) => p.name).join('.')
        if (CHANGING.includes(name)) this.o.changes.giveUp()
        for (const n of s.names) this.write(n.alias ?? n.name, this.member(name, n.name.name) ?? ANY, state)
        return state
      }
      case 'TryStmt':
        return this.try(s, state)
      case 'RaiseStmt':
        if (s.exception) this.expression(s.exception, state)
        if (s.cause) this.expression(s.cause, state)
        return undefined
      case 'AssertStmt':
        this.expression(s.test, state)
        if (s.message) this.maybe(s.message, state)
        return state
      case 'DelStmt':
        for (const t of s.targets) {
          if (t.kind === 'Identifier') {
            this.write(t, ANY, state)
          } else this.expression(t, state)
        }
        return state
      case 'WithStmt':
        return this.with(s, state)
      case 'ClassStmt':
        this.class(s, state)
        return state
      case 'MatchStmt':
        return this.match(s, state)
      case 'PassStmt':
      case 'GlobalStmt':
      case 'NonlocalStmt':
        return state
    }
  }

  protected if(s: Statement & { kind: 'IfStmt' }, state: State): State {
    // A chain of elif can be long: walked in a loop, its ends merged as they come.
    const certain = this.certain
    let end: State
    let reached = false
    let rest: Statement & { kind: 'IfStmt' } = s
    let here = state
    for (;;) {
      this.expression(rest.test, here)
      this.certain = false
      const out = this.narrowed(rest.test, here, (inner) => this.block(rest.body, inner))
      end = reached ? this.merge(end, out) : out
      reached = true
      const next: readonly Statement[] = rest.orelse
      const chained = next.length === 1 && next[0]!.kind === 'IfStmt' ? next[0]! : undefined
      if (chained === undefined) {
        const other = this.narrowed(rest.test, here, (inner) => this.block(next, inner))
        this.afterwards(certain)
        return this.merge(end, other)
      }
      here = here?.copy()
      rest = chained
    }
  }

  protected match(s: MatchStmt, state: State): State {
    const certain = this.certain
    this.expression(s.subject, state)
    let end: State
    let next = state
    this.certain = false
    for (const { pattern, guard, body } of s.cases) {
      for (const e of expressionsIn(pattern)) this.expression(e, next)
      const names = namesBoundBy(pattern)
      // A pattern tells what its subject is: nothing is known of the names in it.
      const out = this.narrowed(s.subject, next, (inner) => {
        for (const name of names) this.write(name, ANY, inner)
        if (guard === undefined) return this.block(body, inner)
        this.expression(guard, inner)
        return this.narrowed(guard, inner, (guarded) => this.block(body, guarded))
      })
      end = this.merge(end, out)
      if (guard === undefined && isIrrefutable(pattern)) next = undefined
      // What a pattern has bound stays, whatever its guard says.
      else if (guard !== undefined) for (const name of names) this.write(name, ANY, next)
    }
    this.afterwards(certain)
    return this.merge(end, next)
  }

  protected try(s: TryStmt, state: State): State {
    const certain = this.certain
    const protection = protectionOf(s, this.o.resolution)
    const written = new Set<Binding>()
    const before = state?.copy()
    this.written.push(written)
    if (protection !== undefined) {
      this.report.catches()
      this.protections.push(protection)
      this.certain = false
    }
    const after = this.block(s.body, state)
    if (protection !== undefined) this.protections.pop()
    const thrown = without(before, written)
    this.certain = certain && s.handlers.length === 0
    this.afterwards(this.certain)
    let end = this.block(s.orelse, after)
    for (const h of s.handlers) {
      const start = thrown?.copy()
      if (h.type) this.maybe(h.type, start)
      if (h.name) this.write(h.name, ANY, start)
      end = this.merge(end, this.branch(h.body, start))
    }
    this.written.pop()
    this.certain = false
    const out =
      s.finalbody.length === 0 ? end : this.block(s.finalbody, without(before ?? new Knowledge<Type>(), written))
    this.afterwards(certain)
    return end === undefined ? undefined : s.finalbody.length === 0 ? end : out
  }

  protected with(s: Statement & { kind: 'WithStmt' }, state: State): State {
    for (const item of s.items) {
      this.expression(item.context, state)
      if (item.target) this.assign(item.target, ANY, state)
    }
    const certain = this.certain
    const written = new Set<Binding>()
    this.written.push(written)
    // A context may swallow any exception.
    this.report.catches()
    this.protections.push(everything)
    this.certain = false
    this.block(s.body, state?.copy())
    this.protections.pop()
    this.written.pop()
    this.afterwards(certain)
    return without(state, written)
  }

  protected class(s: ClassStmt, state: State): void {
    for (const d of s.decorators) this.expression(d, state)
    for (const b of s.bases) this.expression(b.value, state)
    this.inFrame(undefined, () => {
      this.certain = false
      this.block(s.body, this.captured(state, s))
    })
    this.write(s.name, ANY, state)
  }

  protected makeFunction(fn: DefStmt | LambdaExpr, state: State): void {
    for (const p of fn.parameters) if (p.default) this.expression(p.default, state)
    const inner = this.captured(state, fn)
    const binding = fn.kind === 'DefStmt' ? this.bindingOf(fn.name) : undefined
    const own = fn.kind === 'DefStmt' && binding !== undefined && isKnownFunction(binding) ? fn : undefined
    let result: Type = ANY
    const frame = this.inFrame(own, () => {
      for (const p of fn.parameters) if (p.name) this.write(p.name, ANY, inner)
      if (fn.kind === 'LambdaExpr') this.expression(fn.body, inner)
      else {
        const end = this.block(fn.body, inner)
        result = end === undefined ? this.returned : join(this.returned, NONE)
      }
    })
    if (own !== undefined) this.results.set(own, frame.runsLater || own.isAsync ? ANY : settled(result))
  }
}
