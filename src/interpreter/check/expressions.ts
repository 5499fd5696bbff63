// Finds mistakes in expressions and their targets, in the order of evaluation.

import type { Diagnostic } from '../../diagnostics/index.js'
import * as Kind from '../infer/kinds.js'
import { alternatives, type Type } from '../infer/types.js'
import { isKnownFunction } from '../resolve/index.js'
import type {
  AwaitExpr,
  CompareExpr,
  Comprehension,
  DefStmt,
  Expression,
  Identifier,
  LambdaExpr,
} from '../syntax/nodes.js'
import { eachInside, spineOf } from '../syntax/walk.js'
import { Calls } from './calls.js'
import { shown, shownKinds } from './descriptions.js'
import { isOf, kindsOf } from './kinds.js'
import { messages } from './messages.js'
import { impossible, impossibleIn, impossibleIteration, impossibleUnary } from './operators.js'
import type { Place } from './places.js'

export abstract class Expressions extends Calls {
  protected abstract makeFunction(fn: DefStmt | LambdaExpr): void

  protected expression(e: Expression): void {
    switch (e.kind) {
      case 'Identifier':
        return this.name(e)
      case 'UnaryExpr':
        this.expression(e.operand)
        if (impossibleUnary(e.operator, this.typeOf(e.operand), this.o.strict))
          this.found(messages.badOperand(this.span(e), e.operator, shownKinds(this.typeOf(e.operand))), 'TypeError')
        return
      case 'BinaryExpr': {
        const { first, rest } = spineOf(e)
        this.expression(first)
        for (const node of rest) {
          this.expression(node.right)
          this.checkOperands(node, node.operator, node.operator, [node.left, node.right])
        }
        return
      }
      case 'LogicalExpr': {
        const { first, rest } = spineOf(e)
        this.expression(first)
        return this.perhaps(() => {
          for (const { right } of rest) this.expression(right)
        })
      }
      case 'CondExpr':
        this.expression(e.test)
        return this.perhaps(() => {
          for (const arm of [e.body, e.orelse]) this.expression(arm)
        })
      case 'CompareExpr':
        return this.comparison(e)
      case 'Comprehension':
        return e.form === 'generator' ? this.inFrame(undefined, () => this.comprehension(e)) : this.comprehension(e)
      case 'LambdaExpr':
        return this.makeFunction(e)
      case 'CallExpr':
        return this.call(e)
      case 'NamedExpr':
        return this.expression(e.value)
      case 'YieldExpr':
        this.frame.runsLater = true
        break
    }
    eachInside(e, (x) => this.expression(x))
    this.afterParts(e)
  }

  /** Checks an expression itself, after its operands. */
  private afterParts(e: Expression): void {
    switch (e.kind) {
      case 'DotExpr':
        return this.checkAttribute(e)
      case 'IndexExpr':
        return this.checkIndex(e)
      case 'SliceExpr': {
        const object = this.typeOf(e.object)
        if (isOf(object, Kind.SCALARS))
          this.found(messages.notSubscriptable(this.span(e), shownKinds(object)), 'TypeError')
        return
      }
      case 'StarredExpr':
        return this.checkIterable(e.value)
      case 'AwaitExpr':
        return this.awaited(e)
      default:
        return
    }
  }

  /** Records that a function is used as a value and may therefore be called from anywhere. */
  private name(id: Identifier): void {
    const binding = this.bindingOf(id)
    if (binding !== undefined && isKnownFunction(binding)) this.report.guarded(binding.definition!)
  }

  private awaited({ value }: AwaitExpr): void {
    const callee = value.kind === 'CallExpr' ? value.callee : undefined
    const binding = callee?.kind === 'Identifier' ? this.bindingOf(callee) : undefined
    if (binding !== undefined && isKnownFunction(binding)) this.surelyCalls(binding.definition!)
  }

  // ---- operators -----------------------------------------------------------------------------------------------

  /** `operator` is the word in messages, `rule` the operator whose rule applies. */
  protected checkOperands(
    node: Place,
    operator: string,
    rule: string,
    operands: readonly [left: Expression, right: Expression],
  ): void {
    const [left, right] = [this.typeOf(operands[0]), this.typeOf(operands[1])]
    if (impossible(rule, left, right, this.o.strict))
      this.found(this.operandsMessage(node, operator, left, right), 'TypeError')
  }

  private operandsMessage(node: Place, operator: string, left: Type, right: Type): Diagnostic {
    const isNumber = (type: Type): boolean => isOf(type, Kind.INT | Kind.FLOAT)
    const isText = (type: Type): boolean => isOf(type, Kind.STR)
    const isDict = (type: Type): boolean => isOf(type, Kind.DICT)
    let hint: string | undefined
    if (operator.startsWith('+') && isText(left) && isNumber(right))
      hint = 'convert the number with str(…), or use an f-string'
    else if (operator.startsWith('+') && isNumber(left) && isText(right))
      hint = 'convert the text with int(…) or float(…), or the number with str(…)'
    else if (operator === '+' && isDict(left) && isDict(right)) hint = 'write a | b'
    return messages.badOperands(this.span(node), operator, shownKinds(left), shownKinds(right), hint)
  }

  private comparison(e: CompareExpr): void {
    const outer = this.certain
    let at: Expression = e.left
    this.expression(at)
    for (const { operator, operand } of e.rest) {
      if (at !== e.left) this.certain = false
      this.expression(operand)
      const [left, right] = [this.typeOf(at), this.typeOf(operand)]
      const isIn = operator === 'in' || operator === 'not in'
      const isOrder = operator.startsWith('<') || operator.startsWith('>')
      if ((isIn && impossibleIn(left, right)) || (isOrder && impossible(operator, left, right, this.o.strict))) {
        const span = this.span({ start: at.start, end: operand.end })
        this.found(messages.badOperands(span, operator, shownKinds(left), shownKinds(right)), 'TypeError')
      }
      at = operand
    }
    this.certain = outer
  }

  private comprehension(c: Comprehension): void {
    const outer = this.certain
    let runs = c.form !== 'generator'
    for (const [i, clause] of c.clauses.entries()) {
      if (clause.kind === 'IfClause') {
        this.expression(clause.test)
        this.certain = false
        continue
      }
      this.expression(clause.iterable)
      this.checkIterable(clause.iterable)
      runs &&= i === 0 && this.isNonEmpty(clause.iterable)
      if (!runs) this.certain = false
      this.target(clause.target)
    }
    this.expression(c.element)
    if (c.value) this.expression(c.value)
    this.certain = outer
  }

  // ---- targets -------------------------------------------------------------------------------------------------

  protected target(t: Expression): void {
    switch (t.kind) {
      case 'Identifier':
        return
      case 'ParenExpr':
        return this.target(t.expression)
      case 'StarredExpr':
        return this.target(t.value)
      case 'TupleExpr':
      case 'ListExpr':
        this.checkUnpacking(t)
        for (const x of t.elements) this.target(x)
        return
      case 'IndexExpr': {
        eachInside(t, (x) => this.expression(x))
        const object = this.typeOf(t.object)
        if (isOf(object, Kind.SCALARS | Kind.STR | Kind.TUPLE))
          this.found(messages.notAssignable(this.span(t), shownKinds(object)), 'TypeError')
        return
      }
      default:
        return eachInside(t, (x) => this.expression(x))
    }
  }

  private checkUnpacking(t: Expression & { kind: 'TupleExpr' | 'ListExpr' }): void {
    const type = this.typeOf(t)
    if (impossibleIteration(type, this.o.strict))
      this.found(messages.notIterable(this.span(t), shown(type)), 'TypeError')
    const [only, ...more] = alternatives(type)
    if (more.length > 0 || kindsOf(only!) !== Kind.TUPLE || only!.parts === undefined) return
    const hasStar = t.elements.some((e) => e.kind === 'StarredExpr')
    const names = t.elements.length
    const got = only!.parts.length
    if (hasStar ? got >= names - 1 : got === names) return
    const want = `${hasStar ? 'at least ' : ''}${hasStar ? names - 1 : names} name${names === 1 ? '' : 's'}`
    this.found(messages.wrongUnpacking(this.span(t), got, want), 'ValueError')
  }
}
