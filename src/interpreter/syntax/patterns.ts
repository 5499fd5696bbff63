// What stands after `case`: patterns. They look like expressions and are not: a name takes a value, a call names a
// class and what its objects look like. Knows the grammar of patterns; what is wrong with a whole one, pattern-rules.ts
// says.

import { constants } from './cursor.js'
import { Imports } from './imports.js'
import { messages } from './messages.js'
import type { ClassPattern, Expression, Identifier, MappingPattern, Pattern } from './nodes.js'
import * as T from './tokens.js'

export abstract class Patterns extends Imports {
  /** One pattern, or several with commas, which make a sequence. */
  protected openPattern(): Pattern {
    const { start } = this
    const first = this.patternElement()
    if (this.kind !== T.COMMA) return this.unstarredPattern(first)
    const elements = [first]
    while (this.eat(T.COMMA) && this.kind !== T.COLON && this.kind !== T.IF) elements.push(this.patternElement())
    return { kind: 'SequencePattern', start, end: this.previousEnd, elements }
  }

  /** An element of a sequence, which may be starred. */
  private patternElement(): Pattern {
    const { start } = this
    if (!this.eat(T.STAR)) return this.pattern()
    const name = this.captured()
    const node = { kind: 'StarPattern', start, end: this.previousEnd } as const
    return name === undefined ? node : { ...node, name }
  }

  private unstarredPattern(pattern: Pattern): Pattern {
    if (pattern.kind === 'StarPattern') this.failAt(messages.starPatternAlone(), pattern.start, pattern.end)
    return pattern
  }

  /** `a | b as name`. */
  private pattern(): Pattern {
    const { start } = this
    this.enter()
    const pattern = this.alternatives()
    this.leave()
    if (!this.eat(T.AS)) return pattern
    const name = this.captured()
    if (name === undefined)
      this.failAt(messages.patternTarget('leave out: as _'), this.previousEnd - 1, this.previousEnd)
    return { kind: 'AsPattern', start, end: this.previousEnd, pattern, name }
  }

  private alternatives(): Pattern {
    const { start } = this
    const first = this.closedPattern()
    if (this.kind !== T.PIPE) return first
    const alternatives = [first]
    while (this.eat(T.PIPE)) alternatives.push(this.closedPattern())
    return { kind: 'OrPattern', start, end: this.previousEnd, alternatives }
  }

  /** A name to bind; undefined for `_`. */
  private captured(): Identifier | undefined {
    const name = this.identifier('a name')
    if (this.kind === T.DOT || this.kind === T.LPAREN || this.kind === T.LBRACKET) {
      this.failAt(messages.patternTarget(), name.start, this.end)
    }
    return name.name === '_' ? undefined : name
  }

  private closedPattern(): Pattern {
    const { start, end } = this
    switch (this.kind) {
      case T.NAME:
        return this.namedPattern()
      case T.LPAREN:
        return this.parenthesizedPattern()
      case T.LBRACKET: {
        const elements = this.patternElements(T.RBRACKET, ']')
        return { kind: 'SequencePattern', start, end: this.previousEnd, elements }
      }
      case T.LBRACE:
        return this.mappingPattern()
    }
    const value = this.literalPattern()
    if (value !== undefined) return { kind: 'ValuePattern', start, end: value.end, value }
    this.failAt(messages.noPattern(this.found(), this.patternHint()), start, end)
  }

  /** A number with or without a sign, a string or bytes; undefined, with nothing read, for everything else. */
  private literalPattern(): Expression | undefined {
    const { start, end } = this
    switch (this.kind) {
      case T.INT:
      case T.FLOAT: {
        const number: Expression =
          this.kind === T.INT
            ? { kind: 'IntLiteral', start, end, value: this.integer }
            : { kind: 'FloatLiteral', start, end, value: this.float }
        this.next()
        return number
      }
      case T.MINUS: {
        this.next()
        if (this.kind !== T.INT && this.kind !== T.FLOAT) this.unexpected('a number', this.patternHint())
        const operand = this.literalPattern()!
        return { kind: 'UnaryExpr', start, end: operand.end, operator: '-', operand }
      }
      case T.STRING:
      case T.BYTES:
      case T.FSTRING: {
        const text = this.strings()
        if (text.kind === 'FString') {
          this.failAt(messages.noPattern('an f-string', 'compare in a guard: case x if x == f"…":'), start, text.end)
        }
        return text
      }
      default:
        return undefined
    }
  }

  /** A pattern that begins with a name: a constant, a name to bind, a dotted name, a class. */
  private namedPattern(): Pattern {
    const { start, end, word } = this
    if (constants.has(word)) {
      this.next()
      return { kind: 'ConstantPattern', start, end, name: word as 'True' | 'False' | 'None' }
    }
    if (word === '_') {
      this.next()
      return { kind: 'CapturePattern', start, end }
    }
    const value = this.dottedName()
    if (this.kind === T.LPAREN) return this.classPattern(value)
    if (value.kind === 'DotExpr') return { kind: 'ValuePattern', start, end: value.end, value }
    return { kind: 'CapturePattern', start, end, name: value }
  }

  private dottedName(): Identifier | (Expression & { kind: 'DotExpr' }) {
    const name = this.identifier('a name')
    let value: Expression = name
    this.height = 1
    while (this.kind === T.DOT) value = this.attribute(value)
    return value.kind === 'DotExpr' ? value : name
  }

  /** A pattern in parentheses, or a sequence. */
  private parenthesizedPattern(): Pattern {
    const { start } = this
    this.enter()
    this.next()
    const elements: Pattern[] = []
    let comma = false
    while (this.kind !== T.RPAREN) {
      elements.push(this.patternElement())
      comma = this.eat(T.COMMA)
      if (!comma) break
    }
    this.closePattern(T.RPAREN, ')')
    const only = elements.length === 1 && !comma ? elements[0]! : undefined
    if (only !== undefined) return this.unstarredPattern(only)
    return { kind: 'SequencePattern', start, end: this.previousEnd, elements }
  }

  private patternElements(closer: T.TokenKind, text: string): Pattern[] {
    this.enter()
    this.next()
    const elements: Pattern[] = []
    while (this.kind !== closer) {
      elements.push(this.patternElement())
      if (!this.eat(T.COMMA)) break
    }
    this.closePattern(closer, text)
    return elements
  }

  private closePattern(kind: T.TokenKind, text: string): void {
    if (this.kind !== kind) this.unexpected(`',' or '${text}'`, this.patternHint())
    this.leave()
    this.next()
  }

  private mappingPattern(): MappingPattern {
    const { start } = this
    const entries: MappingPattern['entries'][number][] = []
    let rest: Identifier | undefined
    this.enter()
    this.next()
    while (this.kind !== T.RBRACE) {
      if (this.eat(T.POWER)) {
        rest = this.captured()
        if (rest === undefined) {
          this.failAt(messages.patternTarget('leave out: **_'), this.previousEnd - 1, this.previousEnd)
        }
      } else {
        const key = this.patternKey()
        this.expect(T.COLON, "':' and a pattern after the key")
        entries.push({ key, pattern: this.pattern() })
      }
      if (!this.eat(T.COMMA)) break
      if (rest !== undefined && this.kind !== T.RBRACE) this.failAt(messages.restLast(), rest.start, rest.end)
    }
    this.closePattern(T.RBRACE, '}')
    const node = { kind: 'MappingPattern', start, end: this.previousEnd, entries } as const
    return rest === undefined ? node : { ...node, rest }
  }

  private patternKey(): Expression {
    const { start, end, word } = this
    if (this.kind !== T.NAME) {
      const key = this.literalPattern()
      if (key === undefined) this.failAt(messages.patternKey(this.found(), undefined), start, end)
      return key
    }
    if (constants.has(word)) {
      this.next()
      return { kind: 'Identifier', start, end, name: word }
    }
    const key = this.dottedName()
    if (key.kind === 'Identifier') {
      this.failAt(messages.patternKey(`the name ${word}`, `quote it: "${word}"`), start, end)
    }
    return key
  }

  private classPattern(callee: Expression): ClassPattern {
    const positional: Pattern[] = []
    const named: ClassPattern['named'][number][] = []
    this.enter()
    this.next()
    while (this.kind !== T.RPAREN) {
      const first = this.pattern()
      if (this.kind === T.ASSIGN && first.kind === 'CapturePattern') {
        this.next()
        const { start, end } = first
        const name: Identifier = { kind: 'Identifier', start, end, name: this.text.slice(start, end) }
        named.push({ name, pattern: this.pattern() })
      } else {
        if (named.length > 0) this.faults.report(messages.positionalPattern(), first.start, first.end)
        positional.push(first)
      }
      if (!this.eat(T.COMMA)) break
    }
    this.closePattern(T.RPAREN, ')')
    return { kind: 'ClassPattern', start: callee.start, end: this.previousEnd, callee, positional, named }
  }

  /** What to write where a pattern goes on like an expression. */
  protected patternHint(): string | undefined {
    switch (this.kind) {
      case T.OR:
        return 'write | between alternatives'
      case T.AND:
        return 'write a condition as a guard: case x if …:'
      case T.LT:
      case T.GT:
      case T.LE:
      case T.GE:
      case T.EQ:
      case T.NE:
      case T.IN:
      case T.NOT:
      case T.IS:
        return 'compare in a guard: case x if x > 5:'
      case T.PLUS:
      case T.MINUS:
      case T.SLASH:
      case T.PERCENT:
      case T.LBRACKET:
      case T.LPAREN:
        return 'A pattern computes nothing: compare in a guard: case x if x == …:'
      default:
        return undefined
    }
  }
}
