// What expressions give, one after the other as they are evaluated, and which of them can't be evaluated at all.

import type { Diagnostic } from '../../diagnostics/index.js'
import * as Kind from '../infer/kinds.js'
import { type Binding, isKnownFunction } from '../resolve/index.js'
import type { CompareExpr, CompareOperator, Comprehension, Expression, FStringPart } from '../syntax/nodes.js'
import { Calls } from './calls.js'
import { kindsOf } from './kinds.js'
import { messages } from './messages.js'
import { forEachNameIn } from './names-in.js'
import { binaryResult, impossible, impossibleIn, impossibleUnary, unaryResult } from './operators.js'
import {
  ANY,
  alternatives,
  BOOL,
  BYTES,
  DICT,
  FLOAT,
  FUNCTION,
  INT,
  join,
  NEVER,
  plain,
  plainOf,
  SET,
  STR,
  type State,
  shown,
  type Type,
} from './types.js'
import type { Place } from './walker.js'

export abstract class Evaluation extends Calls {
  protected override maybe(e: Expression, state: State): Type {
    const outer = this.certain
    this.certain = false
    const type = this.expression(e, state)
    this.certain = outer
    return type
  }

  /** An expression that is evaluated if a test says so. */
  protected narrowedMaybe(test: Expression, e: Expression, state: State): Type {
    const written = new Set<Binding>()
    this.written.push(written)
    let type: Type = ANY
    this.narrowed(test, state, (inner) => {
      type = this.maybe(e, inner)
      return undefined
    })
    this.written.pop()
    for (const binding of written) state?.delete(binding)
    return type
  }

  protected expression(e: Expression, state: State): Type {
    switch (e.kind) {
      case 'Identifier':
        return this.read(e, state)
      case 'IntLiteral': {
        const n = Number(e.value)
        return Number.isSafeInteger(n) ? { kind: 'literal', values: [n] } : INT
      }
      case 'FloatLiteral':
        return FLOAT
      case 'StringLiteral':
        return { kind: 'literal', values: [e.value] }
      case 'FString':
        this.parts(e.parts, state)
        return STR
      case 'BytesLiteral':
        return BYTES
      case 'EllipsisLiteral':
        return ANY
      case 'ListExpr':
        return { kind: 'list', item: this.elements(e.elements, state), made: true }
      case 'TupleExpr':
        return this.tuple(e.elements, state)
      case 'SetExpr':
        this.elements(e.elements, state)
        return SET
      case 'DictExpr':
        for (const entry of e.entries) {
          if (entry.key) this.expression(entry.key, state)
          this.expression(entry.value, state)
        }
        return DICT
      case 'Comprehension':
        return this.comprehension(e, state)
      case 'CondExpr': {
        this.expression(e.test, state)
        const body = this.narrowedMaybe(e.test, e.body, state)
        return join(body, this.narrowedMaybe(e.test, e.orelse, state))
      }
      case 'LambdaExpr':
        this.makeFunction(e, state)
        return FUNCTION
      case 'UnaryExpr': {
        const operand = this.expression(e.operand, state)
        if (impossibleUnary(e.operator, operand, this.o.strict))
          this.found(messages.badOperand(this.span(e), e.operator, shown(plainOf(operand))), 'TypeError')
        return unaryResult(e.operator, operand)
      }
      case 'BinaryExpr':
        return this.binary(e, state)
      case 'LogicalExpr': {
        const spine: Expression[] = []
        let left: Expression = e
        while (left.kind === 'LogicalExpr') {
          spine.push(left.right)
          left = left.left
        }
        let type = this.expression(left, state)
        while (spine.length > 0) {
          type = join(type, this.narrowedMaybe(e.left, spine.pop()!, state))
        }
        return type
      }
      case 'CompareExpr':
        return this.comparison(e, state)
      case 'CallExpr':
        return this.call(e, state)
      case 'DotExpr':
        return this.attribute(e, this.expression(e.object, state), false)
      case 'IndexExpr':
        return this.index(e, this.expression(e.object, state), this.expression(e.index, state))
      case 'SliceExpr': {
        const object = this.expression(e.object, state)
        if (e.lower) this.expression(e.lower, state)
        if (e.upper) this.expression(e.upper, state)
        if (e.step) this.expression(e.step, state)
        const kinds = kindsOf(object)
        if ((kinds & ~Kind.SCALARS) === 0)
          this.found(messages.notSubscriptable(this.span(e), shown(plainOf(object))), 'TypeError')
        return kinds === Kind.STR ? STR : kinds === Kind.LIST ? object : ANY
      }
      case 'NamedExpr': {
        const type = this.expression(e.value, state)
        // It may stand where it is evaluated only sometimes.
        const binding = this.bindingOf(e.target)
        const before = binding && state?.get(binding)
        this.write(e.target, before === undefined ? ANY : join(before, type), state)
        return type
      }
      case 'StarredExpr':
        this.checkIterable(e.value, this.expression(e.value, state))
        return ANY
      case 'AwaitExpr': {
        const type = this.expression(e.value, state)
        const callee = e.value.kind === 'CallExpr' ? e.value.callee : undefined
        const binding = callee?.kind === 'Identifier' ? this.bindingOf(callee) : undefined
        if (binding !== undefined && isKnownFunction(binding)) this.surelyCalls(binding.definition!)
        return type
      }
      case 'YieldExpr':
        this.frame.runsLater = true
        if (e.value) this.expression(e.value, state)
        return ANY
      case 'ParenExpr':
        return this.expression(e.expression, state)
    }
  }

  protected tuple(elements: readonly Expression[], state: State): Type {
    const items = elements.map((x) => this.expression(x, state))
    return elements.some((x) => x.kind === 'StarredExpr') ? ANY : { kind: 'tuple', items }
  }

  protected elements(elements: readonly Expression[], state: State): Type {
    let item: Type = NEVER
    for (const x of elements) {
      const type = this.expression(x, state)
      item = x.kind === 'StarredExpr' ? ANY : join(item, plain(type))
    }
    return item
  }

  protected parts(parts: readonly FStringPart[], state: State): void {
    for (const part of parts) {
      if (typeof part === 'string') continue
      this.expression(part.expression, state)
      if (part.spec) this.parts(part.spec, state)
    }
  }

  protected comprehension(c: Comprehension, state: State): Type {
    let result: Type = ANY
    const walk = (): void => {
      const inner = state?.copy()
      const outer = this.certain
      let runs = c.form !== 'generator'
      c.clauses.forEach((clause, i) => {
        if (clause.kind === 'IfClause') {
          this.expression(clause.test, inner)
          this.certain = false
          forEachNameIn(clause.test, (id) => {
            const binding = this.bindingOf(id)
            if (binding !== undefined) inner?.set(binding, ANY)
          })
          return
        }
        const iterable = this.expression(clause.iterable, inner)
        this.checkIterable(clause.iterable, iterable)
        runs &&= i === 0 && this.isNonEmpty(clause.iterable)
        if (!runs) this.certain = false
        this.assign(clause.target, this.elementOf(clause.iterable, iterable), inner)
      })
      const element = this.expression(c.element, inner)
      if (c.value) this.expression(c.value, inner)
      this.certain = outer
      if (c.form === 'list') result = { kind: 'list', item: plain(element), made: true }
      else result = c.form === 'dict' ? DICT : c.form === 'set' ? SET : ANY
    }
    // What `:=` assigns inside is not followed out of the comprehension.
    const written = new Set<Binding>()
    this.written.push(written)
    if (c.form === 'generator') this.inFrame(undefined, walk)
    else walk()
    const last = this.written.pop()
    for (const binding of last ?? []) if (binding.scope?.node !== c) state?.delete(binding)
    return result
  }

  protected binary(e: Expression & { kind: 'BinaryExpr' }, state: State): Type {
    if (e.left.kind !== 'BinaryExpr') return this.operation(e, this.expression(e.left, state), state)
    // Chains lean to the left and can be long: walk down without recursion.
    const spine: (Expression & { kind: 'BinaryExpr' })[] = []
    let left: Expression = e
    while (left.kind === 'BinaryExpr') {
      spine.push(left)
      left = left.left
    }
    let type = this.expression(left, state)
    while (spine.length > 0) type = this.operation(spine.pop()!, type, state)
    return type
  }

  private operation(e: Expression & { kind: 'BinaryExpr' }, left: Type, state: State): Type {
    const right = this.expression(e.right, state)
    if (impossible(e.operator, left, right, this.o.strict))
      this.found(this.operandsMessage(e, e.operator, left, right), 'TypeError')
    return binaryResult(e.operator, left, right)
  }

  protected operandsMessage(node: Place, operator: string, left: Type, right: Type): Diagnostic {
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
    return messages.badOperands(this.span(node), operator, shown(a), shown(b), hint)
  }

  protected comparison(e: CompareExpr, state: State): Type {
    const outer = this.certain
    let left = this.expression(e.left, state)
    let at: Expression = e.left
    let isBool = true
    for (const { operator, operand } of e.rest) {
      if (at !== e.left) this.certain = false
      const right = this.expression(operand, state)
      if (this.cannotCompare(operator, left, right)) {
        const span = this.span({ start: at.start, end: operand.end })
        this.found(messages.badOperands(span, operator, shown(plainOf(left)), shown(plainOf(right))), 'TypeError')
      }
      isBool &&= operator === 'in' || operator === 'not in' || operator === 'is' || operator === 'is not'
      left = right
      at = operand
    }
    this.certain = outer
    return isBool ? BOOL : ANY
  }

  private cannotCompare(operator: CompareOperator, left: Type, right: Type): boolean {
    switch (operator) {
      case 'in':
      case 'not in':
        return impossibleIn(left, right)
      case '<':
      case '>':
      case '<=':
      case '>=':
        return impossible(operator, left, right, this.o.strict)
      default:
        return false
    }
  }
}
