// What stands in brackets: tuples and grouping, lists, dicts, sets, and the comprehensions inside them.
// Knows how the first element decides what a bracket is; what an expression is, it leaves to its heirs.

import { MAX_CLAUSES } from './cursor.js'
import { messages } from './messages.js'
import type { ComprehensionClause, DictEntry, Expression, ForClause } from './nodes.js'
import { Signatures } from './signatures.js'
import { targetFaults } from './targets.js'
import * as T from './tokens.js'

export abstract class Displays extends Signatures {
  /** An operand of the operators that bind at least as tightly as `level`. */
  protected abstract operation(level: number): Expression
  protected abstract yieldExpression(): Expression
  /** The condition of a comprehension in strict mode, where a lambda without a conditional body may stand. */
  protected abstract plainLambda(): Expression

  /** An element of a display: an expression, `name := value` or `*expression`. */
  protected element(): Expression {
    if (this.kind !== T.STAR) return this.namedTest()
    this.affordance('starredDisplay')
    return this.starred()
  }

  protected starred(): Expression {
    const { start } = this
    this.next()
    const value = this.operation(T.BITWISE_OR_LEVEL)
    this.grow(this.height + 1)
    return { kind: 'StarredExpr', start, end: value.end, value }
  }

  /** A tuple, a generator or an expression in parentheses. */
  protected parenthesized(): Expression {
    const { start } = this
    this.enter()
    this.next()
    if (this.kind === T.RPAREN) return this.tuple(start, [], 0)
    if (this.kind === T.YIELD) return this.group(start, this.yieldExpression())
    const first = this.element()
    let { height } = this
    if (this.atClauses()) return this.comprehension(start, 'generator', first, undefined, T.RPAREN)
    if (this.kind !== T.COMMA) {
      if (first.kind === 'StarredExpr') this.faults.report(messages.starredHere(unpackHint), first.start, first.end)
      return this.group(start, first)
    }
    const elements = [first]
    while (this.eat(T.COMMA) && this.kind !== T.RPAREN) {
      elements.push(this.element())
      height = Math.max(height, this.height)
    }
    return this.tuple(start, elements, height)
  }

  private group(start: number, expression: Expression): Expression {
    const { height } = this
    const end = this.closed(T.RPAREN, ')')
    this.grow(height + 1)
    return { kind: 'ParenExpr', start, end, expression }
  }

  private tuple(start: number, elements: readonly Expression[], height: number): Expression {
    const end = this.closed(T.RPAREN, ')')
    this.grow(height + 1)
    return { kind: 'TupleExpr', start, end, elements, parenthesized: true }
  }

  protected list(): Expression {
    const { start } = this
    this.enter()
    this.next()
    const elements: Expression[] = []
    let height = 0
    while (this.kind !== T.RBRACKET) {
      elements.push(this.element())
      height = Math.max(height, this.height)
      if (elements.length === 1 && this.atClauses()) {
        return this.comprehension(start, 'list', elements[0]!, undefined, T.RBRACKET)
      }
      if (!this.eat(T.COMMA)) break
    }
    const end = this.closed(T.RBRACKET, ']')
    this.grow(height + 1)
    return { kind: 'ListExpr', start, end, elements }
  }

  /** A dict, a set or a comprehension of either. */
  protected braces(): Expression {
    const { start } = this
    this.enter()
    this.next()
    if (this.kind === T.RBRACE || this.kind === T.POWER) return this.dict(start, undefined)
    const first = this.element()
    if (this.kind === T.COLON) return this.dict(start, first)
    if (this.kind === T.ASSIGN)
      this.failAt(messages.unexpected("'='", "':' between key and value", 'write: {key: value}'))
    if (this.atClauses()) return this.comprehension(start, 'set', first, undefined, T.RBRACE)
    this.affordance('setDisplay', start, start + 1)
    let { height } = this
    const elements = [first]
    while (this.eat(T.COMMA) && this.kind !== T.RBRACE) {
      elements.push(this.element())
      height = Math.max(height, this.height)
      if (this.kind === T.COLON) this.failAt(messages.mixedDict())
    }
    const end = this.closed(T.RBRACE, '}')
    this.grow(height + 1)
    return { kind: 'SetExpr', start, end, elements }
  }

  /** A dict whose first key, if it has been read, is followed by the current ':'. */
  private dict(start: number, firstKey: Expression | undefined): Expression {
    const entries: DictEntry[] = []
    let height = 0
    let key = firstKey
    while (key !== undefined || this.kind !== T.RBRACE) {
      if (key) height = Math.max(height, this.height)
      const entry = this.entry(key)
      height = Math.max(height, this.height)
      if (entries.length === 0 && this.atClauses()) {
        if (!entry.key) this.failAt(messages.starredHere(secondForHint), entry.start, entry.end)
        this.height = height
        return this.comprehension(start, 'dict', entry.key, entry.value, T.RBRACE)
      }
      entries.push(entry)
      key = undefined
      if (!this.eat(T.COMMA)) break
    }
    const end = this.closed(T.RBRACE, '}')
    this.grow(height + 1)
    return { kind: 'DictExpr', start, end, entries }
  }

  private entry(read: Expression | undefined): DictEntry {
    const { start } = this
    if (!read && this.kind === T.POWER) {
      this.affordance('dictUnpacking')
      this.next()
      const value = this.operation(T.BITWISE_OR_LEVEL)
      return { kind: 'DictEntry', start, end: value.end, value }
    }
    const key = read ?? this.test()
    const { height } = this
    if (key.kind === 'StarredExpr') this.failAt(messages.starredHere(), key.start, key.end)
    if (key.kind === 'NamedExpr') this.failAt(messages.needsParentheses("':='"), key.start, key.end)
    if (this.kind === T.COMMA || this.kind === T.RBRACE) this.failAt(messages.mixedDict(), key.start, key.end)
    this.expect(T.COLON, "':' between key and value")
    const value = this.test()
    this.height = Math.max(height, this.height)
    return { kind: 'DictEntry', start: key.start, end: value.end, key, value }
  }

  private closed(kind: T.TokenKind, closer: string): number {
    if (this.kind !== kind) this.wantComma(closer)
    const { end } = this
    this.leave()
    this.next()
    return end
  }

  // ---- Comprehensions ----

  private atClauses(): boolean {
    return this.kind === T.FOR || this.kind === T.ASYNC
  }

  private comprehension(
    start: number,
    form: 'list' | 'set' | 'dict' | 'generator',
    element: Expression,
    value: Expression | undefined,
    closer: T.TokenKind,
  ): Expression {
    if (element.kind === 'StarredExpr') this.failAt(messages.starredHere(secondForHint), element.start, element.end)
    if (form === 'generator') this.affordance('generator', start, start + 1)
    if (form === 'set') this.affordance('setComprehension', start, start + 1)
    const { height } = this
    const clauses = this.clauses()
    const above = Math.max(height, this.height)
    if (this.kind !== closer) {
      const text = closer === T.RPAREN ? ')' : closer === T.RBRACKET ? ']' : '}'
      const hint = this.kind === T.COMMA ? 'put a tuple in parentheses' : undefined
      this.unexpected(`'for', 'if' or '${text}'`, this.kind === T.ELSE ? elseHint : hint)
    }
    const { end } = this
    this.leave()
    this.next()
    this.grow(above + 1)
    const node = { kind: 'Comprehension', start, end, form, element, clauses } as const
    return value === undefined ? node : { ...node, value }
  }

  /** The clauses of a comprehension: one `for`, then any number of `for` and `if`. */
  protected clauses(): ComprehensionClause[] {
    const clauses: ComprehensionClause[] = []
    let height = 0
    while (this.kind === T.FOR || this.kind === T.ASYNC || this.kind === T.IF) {
      const { start } = this
      if (this.eat(T.IF)) {
        const test = this.strict && this.kind === T.LAMBDA ? this.plainLambda() : this.operation(T.OR_LEVEL)
        clauses.push({ kind: 'IfClause', start, end: test.end, test })
      } else {
        clauses.push(this.forClause())
      }
      height = Math.max(height, this.height)
      if (clauses.length > MAX_CLAUSES)
        this.tooDeep(messages.nestedTooDeep('the clauses of a comprehension', MAX_CLAUSES))
    }
    this.height = height
    return clauses
  }

  private forClause(): ForClause {
    const { start } = this
    const isAsync = this.kind === T.ASYNC
    if (isAsync) {
      this.affordance('async')
      this.next()
    }
    this.expect(T.FOR, "'for'")
    const target = this.loopTarget()
    const { height } = this
    this.expect(T.IN, "'in'")
    const iterable = this.operation(T.OR_LEVEL)
    this.height = Math.max(height, this.height)
    return { kind: 'ForClause', start, end: iterable.end, target, iterable, isAsync }
  }

  /** What a `for` assigns to: one target or several with commas, before `in`. */
  protected loopTarget(): Expression {
    const { start } = this
    const elements: Expression[] = []
    let height = 0
    let comma = false
    do {
      elements.push(this.loopTargetElement())
      height = Math.max(height, this.height)
      comma = this.eat(T.COMMA)
    } while (comma && this.kind !== T.IN)
    if (comma && this.strict) {
      this.faults.report(messages.trailingComma('leave the last comma out'), this.previousEnd - 1, this.previousEnd)
    }
    const tuple = elements.length > 1 || comma
    const target: Expression = tuple
      ? { kind: 'TupleExpr', start, end: this.previousEnd, elements, parenthesized: false }
      : elements[0]!
    this.grow(height + (tuple ? 1 : 0))
    for (const { fault, node } of targetFaults(target, 'assign', this.strict)) {
      this.faults.report(fault, node.start, node.end)
    }
    return target
  }

  private loopTargetElement(): Expression {
    if (this.kind !== T.STAR) return this.operation(T.BITWISE_OR_LEVEL)
    this.affordance('starredTarget')
    return this.starred()
  }
}

/** What to write instead of `x = *a`. */
export const unpackHint = 'put it in brackets: [*a]'
const secondForHint = 'write a second for: [x for row in rows for x in row]'
const elseHint = 'put the condition before for: [a if condition else b for …]'
