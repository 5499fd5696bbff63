// Follows a program in the order in which it runs and meets its mistakes: keeps for every variable what it may be and
// knows at each place whether the program surely gets there and whether an exception would be caught. What is not
// followed is ANY. One object, built up in layers, from what all of it stands on to statements: walker, iteration,
// members, calls, evaluation, assignments, loops, and this file.
// Knows the tree and its names; what types do is known next door.

import { type Binding, isKnownFunction, Knowledge } from '../resolve/index.js'
import { isIrrefutable } from '../syntax/inside-patterns.js'
import type {
  ClassStmt,
  DefStmt,
  File,
  IfStmt,
  ImportFromStmt,
  ImportStmt,
  LambdaExpr,
  MatchStmt,
  Statement,
  TryStmt,
  WithStmt,
} from '../syntax/nodes.js'
import { expressionsIn, namesBoundBy } from '../syntax/walk.js'
import { Loops } from './loops.js'
import { messages } from './messages.js'
import { everything, protectionOf } from './protection.js'
import { ANY, FUNCTION, type State, settled, type Type } from './types.js'
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

  protected override block(body: readonly Statement[], state: State): State {
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

  protected override statement(s: Statement, state: State): State {
    const next = super.statement(s, state)
    if (s.kind === 'ReturnStmt') this.returns = true
    if (s.kind === 'BreakStmt' || s.kind === 'ContinueStmt') this.jumps = true
    return next
  }

  protected typeOfMade(s: DefStmt | ClassStmt): Type {
    return s.kind === 'ClassStmt' || s.decorators.length > 0 ? ANY : FUNCTION
  }

  protected import(s: ImportStmt | ImportFromStmt, state: State): void {
    if (s.kind === 'ImportStmt') {
      for (const { path, alias } of s.names) {
        const name = path.map((p) => p.name).join('.')
        const isWhole = this.o.foreign.has(name) && (alias !== undefined || path.length === 1)
        this.write(alias ?? path[0]!, isWhole ? { kind: 'namespace', name } : ANY, state)
      }
      return
    }
    const name = s.path.map((p) => p.name).join('.')
    if (CHANGING.includes(name)) this.o.changes.giveUp()
    for (const n of s.names) this.write(n.alias ?? n.name, this.member(name, n.name.name) ?? ANY, state)
  }

  protected if(s: IfStmt, state: State): State {
    // A chain of elif can be long: walked in a loop, its ends merged as they come.
    const certain = this.certain
    let end: State
    let reached = false
    let rest: IfStmt = s
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

  protected with(s: WithStmt, state: State): State {
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

  protected classBody(s: ClassStmt, state: State): void {
    this.inFrame(undefined, () => {
      this.certain = false
      this.block(s.body, this.captured(state, s))
    })
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
      else result = this.returnedBy(this.block(fn.body, inner))
    })
    if (own !== undefined) this.results.set(own, frame.runsLater || own.isAsync ? ANY : settled(result))
  }
}
