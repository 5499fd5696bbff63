// Operators, from the loosest binding to the tightest, and what follows a primary: attributes, calls, subscripts.
//
// Binary operators are read by precedence climbing: `operation(level)` reads an operand and then every operator that
// binds at least as tightly as `level`, so that a run of operators of one level is a loop and not a recursion. What
// takes its operand from the right (`not`, signs, `**`, lambda bodies, the else part of a conditional) does recurse and
// counts as nesting. Heights are counted so that later stages can walk every tree by recursion, if they walk a run of
// one operator, which leans to the left, by a loop: such a run adds 1 to the height, however long it is.

import { constants, MAX_CHAIN, MAX_HEIGHT, MAX_LOGICAL_CHAIN } from './cursor.js'
import { Displays } from './displays.js'
import { messages } from './messages.js'
import type { BinaryOperator, CompareExpr, CompareOperator, Expression, LambdaExpr, UnaryOperator } from './nodes.js'
import * as T from './tokens.js'

const noParameters: readonly never[] = []

export abstract class Expressions extends Displays {
  // ---- The loosest level ----

  /** One expression, or several with commas, which make a tuple; any of them may be starred. */
  protected expressions(): Expression {
    const { start } = this
    const first = this.listElement()
    if (this.kind !== T.COMMA) return first
    const elements = [first]
    let { height } = this
    let comma = false
    while (this.kind === T.COMMA) {
      const commaAt = this.start
      this.next()
      comma = T.startsExpression[this.kind] === 0 && this.kind !== T.STAR
      if (comma) {
        if (this.strict)
          this.faults.report(messages.trailingComma('put the tuple in parentheses'), commaAt, commaAt + 1)
        break
      }
      elements.push(this.listElement())
      height = Math.max(height, this.height)
    }
    this.grow(height + 1)
    return { kind: 'TupleExpr', start, end: this.previousEnd, elements, parenthesized: false }
  }

  private listElement(): Expression {
    if (this.kind !== T.STAR) return this.test()
    this.affordance('starredDisplay')
    return this.starred()
  }

  protected fieldExpression(): Expression {
    if (this.kind === T.LAMBDA) this.fail(messages.needsParentheses('a lambda'))
    return this.kind === T.YIELD ? this.yieldExpression() : this.expressions()
  }

  protected namedTest(): Expression {
    const target = this.test()
    if (this.kind !== T.WALRUS) return target
    if (target.kind !== 'Identifier' || (!this.strict && constants.has(target.name))) {
      this.failAt(messages.walrusTarget(), target.start, target.end)
    }
    this.affordance('walrus')
    this.next()
    const value = this.test()
    this.grow(this.height + 1)
    return { kind: 'NamedExpr', start: target.start, end: value.end, target, value }
  }

  protected test(): Expression {
    if (this.kind === T.LAMBDA) return this.lambda(true)
    const body = this.operation(T.OR_LEVEL)
    return this.kind === T.IF ? this.conditional(body) : body
  }

  private conditional(body: Expression): Expression {
    let { height } = this
    this.enter()
    this.next()
    const test = this.operation(T.OR_LEVEL)
    height = Math.max(height, this.height)
    if (this.kind !== T.ELSE) {
      this.failAt(messages.missingElse(), body.start, test.end)
    }
    this.next()
    const orelse = this.test()
    this.leave()
    this.grow(Math.max(height, this.height) + 1)
    return { kind: 'CondExpr', start: body.start, end: orelse.end, test, body, orelse }
  }

  private lambda(conditionalBody: boolean): LambdaExpr {
    const { start } = this
    this.enter()
    this.next()
    const parameters = this.kind === T.COLON ? noParameters : this.parameters(T.COLON)
    this.expect(T.COLON, "':' after the parameters of lambda")
    const outer = this.yields
    this.yields = false
    const body = conditionalBody ? this.test() : this.operation(T.OR_LEVEL)
    const { yields } = this
    this.yields = outer
    this.leave()
    this.grow(this.height + 1)
    return { kind: 'LambdaExpr', start, end: body.end, parameters, body, yields }
  }

  protected plainLambda(): Expression {
    return this.lambda(false)
  }

  protected yieldExpression(): Expression {
    const { start } = this
    this.affordance('yield')
    this.yields = true
    this.next()
    this.height = 0
    let value: Expression | undefined
    const from = this.eat(T.FROM)
    if (from) value = this.test()
    else if (T.startsExpression[this.kind] === 1 || this.kind === T.STAR) value = this.expressions()
    this.grow(this.height + 1)
    const node = { kind: 'YieldExpr', start, end: this.previousEnd, from } as const
    return value === undefined ? node : { ...node, value }
  }

  // ---- Operators ----

  protected operation(level: number): Expression {
    let left = this.operand(level)
    let operator: T.TokenKind = -1
    let run = 0
    for (;;) {
      const { kind, start } = this
      const binding = T.precedences[kind]!
      if (binding === 0 || binding < level) return left
      if (binding === T.COMPARISON_LEVEL) {
        left = this.comparison(left)
        operator = -1
        continue
      }
      let { height } = this
      this.refuseIncrement()
      if (kind === T.AT && this.strict)
        this.fail(messages.unsupported('the operator @ is', 'multiply matrices with loops or comprehensions'))
      this.next()
      const right = this.operation(binding + 1)
      // A run of one operator counts once, so its own link is taken off again.
      run = kind === operator ? run + 1 : 0
      const longest = binding <= T.AND_LEVEL ? MAX_LOGICAL_CHAIN : MAX_CHAIN
      if (run >= longest) this.tooDeep(messages.chainTooLong(longest))
      const below = run > 0 ? height - 1 : height
      height = Math.max(below, this.height)
      if (height >= MAX_HEIGHT) this.tooDeep(messages.nestedTooDeep('operations', MAX_HEIGHT))
      this.height = height + 1
      operator = kind
      left =
        binding <= T.AND_LEVEL
          ? {
              kind: 'LogicalExpr',
              start: left.start,
              end: right.end,
              operator: kind === T.AND ? 'and' : 'or',
              left,
              right,
            }
          : {
              kind: 'BinaryExpr',
              start: left.start,
              end: right.end,
              operator: T.binaryOperators[kind] as BinaryOperator,
              operatorStart: start,
              left,
              right,
            }
    }
  }

  private comparison(left: Expression): Expression {
    const rest: CompareExpr['rest'][number][] = []
    let { height } = this
    let end = left.end
    while (T.precedences[this.kind] === T.COMPARISON_LEVEL) {
      const operatorStart = this.start
      if (rest.length === 1) this.affordance('chainedComparison')
      const operator = this.compareOperator()
      const operand = this.operation(T.BITWISE_OR_LEVEL)
      height = Math.max(height, this.height)
      rest.push({ operator, operatorStart, operand })
      end = operand.end
    }
    this.grow(height + 1)
    return { kind: 'CompareExpr', start: left.start, end, left, rest }
  }

  private compareOperator(): CompareOperator {
    const { kind, start } = this
    this.next()
    switch (kind) {
      case T.EQ:
        return '=='
      case T.NE:
        return '!='
      case T.LT:
        return '<'
      case T.GT:
        return '>'
      case T.LE:
        return '<='
      case T.GE:
        return '>='
      case T.IN:
        return 'in'
      case T.NOT:
        this.expect(T.IN, "'in' after 'not'")
        return 'not in'
      default: {
        this.affordance('is', start, start + 2)
        return this.eat(T.NOT) ? 'is not' : 'is'
      }
    }
  }

  /** `x++` and `x--`: an operator whose second half has no operand. */
  private refuseIncrement(): void {
    if (this.kind !== T.PLUS && this.kind !== T.MINUS) return
    const { text, start } = this
    if (text.charCodeAt(start + 1) !== text.charCodeAt(start)) return
    if (!/^\s*(?:[;)\]},#]|$)/m.test(text.slice(start + 2, start + 40).split(/[\r\n]/)[0]!)) return
    const sign = text.charAt(start)
    this.fail(messages.foreignSyntax(`'${sign}${sign}'`, `write: x ${sign}= 1`), start, start + 2)
  }

  /** Signs, `not`, and below them `**`. */
  private operand(level: number): Expression {
    switch (this.kind) {
      case T.NOT:
        if (level > T.NOT_LEVEL) this.failAt(messages.needsParentheses('not'))
        return this.unary('not', T.NOT_LEVEL)
      case T.BANG:
        this.faults.report(messages.foreignSyntax("'!'", 'write: not'), this.start, this.end)
        return this.unary('not', Math.max(level, T.NOT_LEVEL))
      case T.MINUS:
        return this.unary('-', 0)
      case T.PLUS:
        return this.unary('+', 0)
      case T.TILDE:
        return this.unary('~', 0)
      default:
        return this.power()
    }
  }

  private unary(operator: UnaryOperator, level: number): Expression {
    const { start } = this
    this.enter()
    this.next()
    const operand = level > 0 ? this.operation(level) : this.operand(T.BITWISE_OR_LEVEL)
    this.leave()
    this.grow(this.height + 1)
    return { kind: 'UnaryExpr', start, end: operand.end, operator, operand }
  }

  private power(): Expression {
    const left = this.awaited()
    if (this.kind !== T.POWER) return left
    const operatorStart = this.start
    const { height } = this
    this.affordance('power')
    this.enter()
    this.next()
    const right = this.operand(T.BITWISE_OR_LEVEL)
    this.leave()
    this.grow(Math.max(height, this.height) + 1)
    return { kind: 'BinaryExpr', start: left.start, end: right.end, operator: '**', operatorStart, left, right }
  }

  private awaited(): Expression {
    if (this.kind !== T.AWAIT) return this.primary()
    const { start } = this
    this.affordance('await')
    this.next()
    const value = this.primary()
    this.grow(this.height + 1)
    return { kind: 'AwaitExpr', start, end: value.end, value }
  }

  // ---- Primaries ----

  private primary(): Expression {
    let object = this.atom()
    for (;;) {
      switch (this.kind) {
        case T.DOT:
          object = this.attribute(object)
          break
        case T.LPAREN: {
          const open = this.start
          const { height } = this
          const args = this.arguments()
          object = { kind: 'CallExpr', start: object.start, end: this.end, callee: object, arguments: args, open }
          this.next()
          this.grow(Math.max(height, this.height) + 1)
          break
        }
        case T.LBRACKET:
          object = this.subscript(object)
          break
        default:
          return object
      }
    }
  }

  protected attribute(object: Expression): Expression {
    const { height } = this
    this.next()
    const name = this.identifier("a name after '.'")
    this.grow(height + 1)
    return { kind: 'DotExpr', start: object.start, end: name.end, object, name }
  }

  private subscript(object: Expression): Expression {
    let { height } = this
    this.enter()
    this.next()
    if (this.kind === T.RBRACKET) this.fail(messages.emptyIndex(), object.start, this.end)
    const index = this.kind === T.COLON ? undefined : this.subscriptElements()
    if (index) height = Math.max(height, this.height)
    const node = this.kind === T.COLON ? this.slice(object, index) : undefined
    if (node) height = Math.max(height, this.height)
    if (this.kind === T.COMMA) this.refuseTupleOfSlices()
    if (this.kind !== T.RBRACKET) this.unexpected("']'")
    const { end } = this
    this.leave()
    this.next()
    this.grow(height + 1)
    return node ? { ...node, end } : { kind: 'IndexExpr', start: object.start, end, object, index: index! }
  }

  private refuseTupleOfSlices(): never {
    if (this.strict) this.unexpected(this.kind === T.COMMA ? "']'" : 'an index')
    this.fail(messages.unsupported('a tuple of slices is', 'slice one dimension at a time: x[a:b][c]'))
  }

  /** The index, or the lower bound of a slice, which in strict mode may be a tuple. */
  private subscriptElements(): Expression {
    const { start } = this
    const first = this.element()
    if (this.kind !== T.COMMA && first.kind !== 'StarredExpr') return first
    const elements = [first]
    let { height } = this
    while (this.kind === T.COMMA) {
      const commaAt = this.start
      this.next()
      if (this.kind === T.COLON) this.refuseTupleOfSlices()
      if (this.kind === T.RBRACKET) {
        if (this.strict)
          this.faults.report(messages.trailingComma('put the tuple in parentheses'), commaAt, commaAt + 1)
        break
      }
      elements.push(this.element())
      height = Math.max(height, this.height)
    }
    if (this.kind === T.COLON && !this.strict) this.refuseTupleOfSlices()
    this.grow(height + 1)
    return { kind: 'TupleExpr', start, end: this.previousEnd, elements, parenthesized: false }
  }

  private slice(object: Expression, lower: Expression | undefined) {
    const bound = () =>
      this.kind === T.COLON || this.kind === T.RBRACKET || this.kind === T.COMMA ? undefined : this.test()
    let height = 0
    if (lower?.kind === 'NamedExpr') this.failAt(messages.needsParentheses("':='"), lower.start, lower.end)
    this.next()
    this.height = 0
    const upper = bound()
    height = Math.max(height, this.height)
    const step = this.eat(T.COLON) ? bound() : undefined
    this.height = Math.max(height, this.height)
    return {
      kind: 'SliceExpr' as const,
      start: object.start,
      object,
      ...(lower === undefined ? {} : { lower }),
      ...(upper === undefined ? {} : { upper }),
      ...(step === undefined ? {} : { step }),
    }
  }

  private atom(): Expression {
    const { start, end } = this
    this.height = 1
    switch (this.kind) {
      case T.NAME: {
        const name = this.word
        this.next()
        return { kind: 'Identifier', start, end, name }
      }
      case T.INT: {
        const value = this.integer
        this.next()
        return { kind: 'IntLiteral', start, end, value }
      }
      case T.FLOAT: {
        const value = this.float
        this.next()
        return { kind: 'FloatLiteral', start, end, value }
      }
      case T.STRING:
      case T.BYTES:
      case T.FSTRING:
        return this.strings()
      case T.LPAREN:
        return this.parenthesized()
      case T.LBRACKET:
        return this.list()
      case T.LBRACE:
        return this.braces()
      case T.ELLIPSIS:
        this.affordance('ellipsis')
        this.next()
        return { kind: 'EllipsisLiteral', start, end }
    }
    this.noExpression()
  }

  private noExpression(): never {
    if (this.kind === T.LAMBDA) this.failAt(messages.needsParentheses('a lambda'))
    if (this.kind === T.YIELD) this.failAt(messages.needsParentheses('yield'))
    if (this.kind === T.STAR) this.failAt(messages.starredHere())
    this.unexpected('an expression')
  }
}
