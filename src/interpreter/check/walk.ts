// Follows a program in the order of execution and looks for mistakes. infer/ has found the types. At each place the
// walk knows whether the program surely reaches it and whether an exception would be caught. Walk is one class in
// layers: places, members, calls, expressions, and the statements in this file.

import { isKnownFunction } from '../resolve/index.js'
import type {
  AugmentedAssignStmt,
  ClassStmt,
  DefStmt,
  File,
  ForStmt,
  IfStmt,
  LambdaExpr,
  MatchStmt,
  Statement,
  TryStmt,
  WhileStmt,
  WithStmt,
} from '../syntax/nodes.js'
import { eachOwn, expressionsIn, unparenthesised } from '../syntax/walk.js'
import { Expressions } from './expressions.js'
import { messages } from './messages.js'
import type { WalkOptions } from './places.js'
import { everything, protectionOf } from './protection.js'

export class Walk extends Expressions {
  constructor(file: File, options: WalkOptions) {
    super(options)
    for (const { kind, name } of options.resolution.outside)
      if (kind === 'universal' && ['exit', 'quit', 'SystemExit', 'sys'].includes(name)) this.report.exits()
    this.block(file.body)
  }

  private block(body: readonly Statement[]): void {
    let isLeft = false
    for (const [i, s] of body.entries()) {
      if (isLeft) this.certain = false
      this.statement(s)
      if (!isLeft && this.o.inference.leaves(s)) {
        isLeft = true
        this.noteUnreachable(s, body[i + 1])
      }
    }
  }

  /**
   * Remarks on code after a statement that always leaves. A `yield` there is no mistake: it makes the function a
   * generator.
   */
  private noteUnreachable(leaving: Statement, next: Statement | undefined): void {
    if (next === undefined || (next.kind === 'ExprStmt' && next.expression.kind === 'YieldExpr')) return
    this.report.remark(messages.unreachable(this.span(next), this.span(leaving).line))
  }

  private statement(s: Statement): void {
    switch (s.kind) {
      case 'IfStmt':
        return this.if(s)
      case 'ForStmt':
        return this.for(s)
      case 'WhileStmt':
        return this.while(s)
      case 'TryStmt':
        return this.try(s)
      case 'WithStmt':
        return this.with(s)
      case 'MatchStmt':
        return this.match(s)
      case 'DefStmt':
        for (const d of s.decorators) this.expression(d)
        return this.makeFunction(s)
      case 'ClassStmt':
        return this.class(s)
      case 'AugmentedAssignStmt':
        return this.augment(s)
      case 'AssertStmt':
        this.expression(s.test)
        return this.perhaps(() => s.message && this.expression(s.message))
      case 'DelStmt':
        for (const t of s.targets) if (t.kind !== 'Identifier') this.expression(t)
        return
      default:
        eachOwn(
          s,
          (e) => this.expression(e),
          (t) => this.target(t),
        )
        if (s.kind === 'ReturnStmt') this.returns = true
        if (s.kind === 'BreakStmt' || s.kind === 'ContinueStmt') this.jumps = true
    }
  }

  private augment(s: AugmentedAssignStmt): void {
    const { operator } = s
    this.expression(s.target)
    this.expression(s.value)
    const rule = operator === '+' || operator === '|' ? `${operator}=` : operator
    this.checkOperands(s, `${operator}=`, rule, [s.target, s.value])
    this.target(s.target)
  }

  private if(s: IfStmt): void {
    // A chain of elif can be long, so it is walked in a loop.
    const { certain } = this
    for (let rest: IfStmt | undefined = s; rest !== undefined; ) {
      this.expression(rest.test)
      this.certain = false
      this.block(rest.body)
      const { orelse }: IfStmt = rest
      const [only] = orelse
      rest = orelse.length === 1 && only!.kind === 'IfStmt' ? only : undefined
      if (rest === undefined) this.block(orelse)
    }
    this.afterwards(certain)
  }

  private for(s: ForStmt): void {
    this.expression(s.iterable)
    this.checkIterable(s.iterable)
    this.loop(s, this.isNonEmpty(s.iterable), () => this.target(s.target))
  }

  private while(s: WhileStmt): void {
    const test = unparenthesised(s.test)
    const always =
      (test.kind === 'Identifier' && test.name === 'True' && this.bindingOf(test)?.kind === 'universal') ||
      (test.kind === 'IntLiteral' && test.value !== 0n)
    this.expression(s.test)
    this.loop(s, always, () => {})
  }

  private loop(s: ForStmt | WhileStmt, runs: boolean, begin: () => void): void {
    const { certain, jumps } = this
    this.jumps = false
    this.certain = certain && runs
    begin()
    this.block(s.body)
    this.jumps = jumps
    this.certain = false
    this.block(s.orelse)
    this.afterwards(certain)
  }

  private match(s: MatchStmt): void {
    const { certain } = this
    this.expression(s.subject)
    this.certain = false
    for (const { pattern, guard, body } of s.cases) {
      for (const e of expressionsIn(pattern)) this.expression(e)
      if (guard !== undefined) this.expression(guard)
      this.block(body)
    }
    this.afterwards(certain)
  }

  private try(s: TryStmt): void {
    const { certain } = this
    const protection = protectionOf(s, this.o.resolution)
    if (protection !== undefined) {
      this.report.catches()
      this.protections.push(protection)
      this.certain = false
    }
    this.block(s.body)
    if (protection !== undefined) this.protections.pop()
    this.certain = certain && s.handlers.length === 0 && !s.body.some((one) => this.o.inference.leaves(one))
    this.afterwards(this.certain)
    this.block(s.orelse)
    this.certain = false
    for (const h of s.handlers) {
      if (h.type) this.expression(h.type)
      this.block(h.body)
    }
    this.block(s.finalbody)
    this.afterwards(certain)
  }

  private with(s: WithStmt): void {
    eachOwn(
      s,
      (e) => this.expression(e),
      (t) => this.target(t),
    )
    const { certain } = this
    // A context may swallow any exception.
    this.report.catches()
    this.protections.push(everything)
    this.certain = false
    this.block(s.body)
    this.protections.pop()
    this.afterwards(certain)
  }

  private class(s: ClassStmt): void {
    eachOwn(s, (e) => this.expression(e))
    this.inFrame(undefined, () => {
      this.certain = false
      this.block(s.body)
    })
  }

  protected makeFunction(fn: DefStmt | LambdaExpr): void {
    for (const p of fn.parameters) if (p.default) this.expression(p.default)
    const binding = fn.kind === 'DefStmt' ? this.bindingOf(fn.name) : undefined
    const own = fn.kind === 'DefStmt' && binding !== undefined && isKnownFunction(binding) ? fn : undefined
    this.inFrame(own, () => (fn.kind === 'LambdaExpr' ? this.expression(fn.body) : this.block(fn.body)))
  }
}
