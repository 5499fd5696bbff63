// Simple statements: those of one line, several of them divided by semicolons. Where they stand and what surrounds them
// is statements.ts's.
//
// Refusals of what strict mode lacks and rules about targets are only noted: the statement itself is whole.

import { lineEnd } from './characters.js'
import { unpackHint } from './displays.js'
import { type Affordance, messages } from './messages.js'
import type { AssignStmt, BinaryOperator, Expression, Identifier, Statement } from './nodes.js'
import { SoftKeywords } from './soft-keywords.js'
import { type TargetUse, targetFaults } from './targets.js'
import * as T from './tokens.js'

export abstract class SimpleStatements extends SoftKeywords {
  /** Simple statements separated by ';' up to the end of the line. */
  protected simpleLine(body: Statement[]): void {
    do {
      if (this.kind === T.NEWLINE) break
      body.push(this.simple())
    } while (this.eat(T.SEMICOLON))
    if (this.kind !== T.NEWLINE) this.junk()
    this.next()
  }

  private junk(): never {
    if (this.kind === T.COLON) this.unexpected('end of line', "A ':' only follows the header of a block")
    this.unexpected('end of line')
  }

  private simple(): Statement {
    const { start } = this
    switch (this.kind) {
      case T.PASS:
        this.next()
        return { kind: 'PassStmt', start, end: this.previousEnd }
      case T.BREAK:
        this.next()
        return { kind: 'BreakStmt', start, end: this.previousEnd }
      case T.CONTINUE:
        this.next()
        return { kind: 'ContinueStmt', start, end: this.previousEnd }
      case T.RETURN: {
        this.next()
        if (this.atLineEnd()) return { kind: 'ReturnStmt', start, end: this.previousEnd }
        const value = this.unstarred(this.expressions())
        return { kind: 'ReturnStmt', start, end: this.previousEnd, value }
      }
      case T.RAISE:
        return this.raise()
      case T.ASSERT:
        return this.assert()
      case T.DEL:
        return this.del()
      case T.GLOBAL:
      case T.NONLOCAL:
        return this.scope()
      case T.IMPORT:
      case T.FROM:
        return this.importStatement()
      case T.LOAD:
        return this.loadStatement()
      case T.NAME:
        if (this.word === 'match' || this.word === 'case' || this.word === 'type') this.refuseSoftKeyword()
        return this.expressionStatement()
      default:
        return this.other()
    }
  }

  private atLineEnd(): boolean {
    return this.kind === T.NEWLINE || this.kind === T.SEMICOLON || this.kind === T.END
  }

  private other(): Statement {
    switch (this.kind) {
      case T.DEF:
      case T.IF:
      case T.FOR:
      case T.WHILE:
      case T.TRY:
      case T.WITH:
      case T.CLASS:
      case T.ASYNC:
        this.fail(messages.blockOnOneLine(this.word))
    }
    return this.expressionStatement()
  }

  private raise(): Statement {
    const { start } = this
    this.affordance('raise')
    this.next()
    if (this.atLineEnd()) return { kind: 'RaiseStmt', start, end: this.previousEnd }
    const exception = this.test()
    if (this.kind === T.COMMA) this.unexpected('end of line', 'write: raise ValueError("message")')
    const cause = this.eat(T.FROM) ? this.test() : undefined
    const node = { kind: 'RaiseStmt', start, end: this.previousEnd, exception } as const
    return cause === undefined ? node : { ...node, cause }
  }

  private assert(): Statement {
    const { start } = this
    this.affordance('assert')
    this.next()
    const test = this.test()
    const message = this.eat(T.COMMA) ? this.test() : undefined
    const node = { kind: 'AssertStmt', start, end: this.previousEnd, test } as const
    return message === undefined ? node : { ...node, message }
  }

  private del(): Statement {
    const { start } = this
    this.affordance('del')
    this.next()
    const targets: Expression[] = []
    do {
      const target = this.operation(T.BITWISE_OR_LEVEL)
      this.checkTarget(target, 'delete')
      targets.push(target)
    } while (this.eat(T.COMMA) && !this.atLineEnd())
    return { kind: 'DelStmt', start, end: this.previousEnd, targets }
  }

  private scope(): Statement {
    const { start } = this
    const word = this.word as Affordance & ('global' | 'nonlocal')
    this.affordance(word)
    this.next()
    const names: Identifier[] = []
    do names.push(this.identifier(`a name after ${word}`))
    while (this.eat(T.COMMA))
    if (this.kind === T.ASSIGN) this.unexpected('end of line', `declare first, assign on the next line: ${word} x`)
    return { kind: word === 'global' ? 'GlobalStmt' : 'NonlocalStmt', start, end: this.previousEnd, names }
  }

  // ---- Expressions and assignments as statements ----

  private expressionStatement(): Statement {
    const { start } = this
    const first = this.kind === T.YIELD ? this.yieldExpression() : this.expressions()
    switch (this.kind) {
      case T.ASSIGN:
        return this.assign(start, first)
      case T.AUGMENTED:
        return this.augmentedAssign(start, first)
      case T.COLON:
        return this.annotatedAssign(start, first)
      case T.WALRUS:
        if (first.kind === 'Identifier') this.fail(messages.walrusStatement(first.name))
    }
    const load = !this.strict && first.kind === 'CallExpr' ? this.asLoad(first) : undefined
    return load ?? { kind: 'ExprStmt', start, end: first.end, expression: this.unstarred(first) }
  }

  private assign(start: number, first: Expression): AssignStmt {
    const targets: Expression[] = []
    let value = first
    while (this.kind === T.ASSIGN) {
      if (targets.length === 1) this.affordance('chainedAssignment')
      this.next()
      targets.push(value)
      this.checkTarget(value, 'assign')
      value = this.kind === T.YIELD ? this.yieldExpression() : this.expressions()
    }
    return { kind: 'AssignStmt', start, end: value.end, targets, value: this.unstarred(value) }
  }

  /** `*x` alone is no value. */
  protected unstarred(value: Expression): Expression {
    if (value.kind === 'StarredExpr') this.faults.report(messages.starredHere(unpackHint), value.start, value.end)
    return value
  }

  private augmentedAssign(start: number, target: Expression): Statement {
    const { word } = this
    this.checkTarget(target, 'augment')
    if (word === '@' && this.strict)
      this.fail(messages.unsupported('the operator @= is', 'multiply matrices with loops or comprehensions'))
    if (word === '**') this.affordance('power')
    this.next()
    const value = this.kind === T.YIELD ? this.yieldExpression() : this.expressions()
    const operator = word as BinaryOperator
    return { kind: 'AugmentedAssignStmt', start, end: value.end, target, operator, value: this.unstarred(value) }
  }

  private annotatedAssign(start: number, target: Expression): Statement {
    const colon = this.start
    const after = this.text.slice(this.end, lineEnd(this.text, this.end))
    if (/^\s*(?:#.*)?$/.test(after)) this.lonelyColon()
    if (target.kind === 'TupleExpr' && !target.parenthesized) this.junk()
    this.checkTarget(target, 'annotate')
    this.next()
    const annotation = this.test()
    this.affordance('annotation', colon, annotation.end)
    let value: Expression | undefined
    if (this.eat(T.ASSIGN)) value = this.kind === T.YIELD ? this.yieldExpression() : this.expressions()
    const node = { kind: 'AnnotatedAssignStmt', start, end: this.previousEnd, target, annotation } as const
    return value === undefined ? node : { ...node, value }
  }

  /** A line that ends with ':' but starts with no keyword. */
  private lonelyColon(): never {
    this.unexpected('end of line', "A ':' at the end of a line only follows if, for, while, def, try, with, class")
  }

  protected checkTarget(target: Expression, use: TargetUse): void {
    for (const { fault, node } of targetFaults(target, use, this.strict)) {
      this.faults.report(fault, node.start, node.end)
    }
  }
}
