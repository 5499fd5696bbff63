// Parameters and arguments: what stands between the parentheses of a definition and of a call, and in which order.
// Knows both dialects' orders; what an expression is, it leaves to its heirs.

import { constants } from './cursor.js'
import { foreignHint } from './foreign-hints.js'
import { Literals } from './literals.js'
import { messages } from './messages.js'
import type { Argument, ComprehensionClause, Expression, Parameter } from './nodes.js'
import * as T from './tokens.js'

export abstract class Signatures extends Literals {
  /** An expression without ':=' and commas. */
  protected abstract test(): Expression
  /** An expression that may be `name := value`. */
  protected abstract namedTest(): Expression
  protected abstract clauses(): ComprehensionClause[]
  /** `*` and the operand that it unpacks. */
  protected abstract starred(): Expression

  /** The last generator that was read as an argument without parentheses of its own. */
  private bareGenerator: Expression | undefined

  // ---- Parameters ----

  /** Parameters up to `closer`, which stays the current token; only those of a def can be annotated. */
  protected parameters(closer: T.TokenKind): Parameter[] {
    const parameters: Parameter[] = []
    while (this.kind !== closer) {
      parameters.push(this.parameter(closer))
      if (!this.eat(T.COMMA)) break
    }
    if (this.kind !== closer) this.unexpected(closer === T.RPAREN ? "',' or ')'" : "',' or ':'")
    this.checkParameters(parameters)
    return parameters
  }

  private parameter(closer: T.TokenKind): Parameter {
    const { start } = this
    if (this.kind === T.SLASH) {
      this.affordance('positionalOnly')
      this.next()
      return { kind: 'Parameter', start, end: this.previousEnd, form: 'slash' }
    }
    const form = this.eat(T.STAR) ? 'args' : this.eat(T.POWER) ? 'kwargs' : 'plain'
    if (form === 'args' && (this.kind === T.COMMA || this.kind === closer)) {
      return { kind: 'Parameter', start, end: this.previousEnd, form: 'star' }
    }
    const name = this.identifier('a parameter name')
    const annotation = closer === T.RPAREN ? this.annotation(T.COLON, form === 'args') : undefined
    const value = form === 'plain' && this.eat(T.ASSIGN) ? this.test() : undefined
    const node = { kind: 'Parameter', start, end: this.previousEnd, form, name } as const
    if (value === undefined) return annotation === undefined ? node : { ...node, annotation }
    return annotation === undefined ? { ...node, default: value } : { ...node, default: value, annotation }
  }

  /** The type after `mark`, ':' or '->', if one is given; that of `*args` may be starred. */
  protected annotation(mark: T.TokenKind, starred = false): Expression | undefined {
    if (this.kind !== mark) return undefined
    const { start } = this
    this.next()
    const annotation = starred && this.kind === T.STAR ? this.starred() : this.test()
    this.affordance('annotation', start, this.previousEnd)
    return annotation
  }

  private checkParameters(parameters: readonly Parameter[]): void {
    const names = new Set<string>()
    let starred: Parameter | undefined
    let rest: Parameter | undefined
    let slash = false
    let optional = false
    for (const [index, parameter] of parameters.entries()) {
      const { form, name } = parameter
      if (name && names.has(name.name)) this.faults.report(messages.duplicateParameter(name.name), name.start, name.end)
      if (name) names.add(name.name)
      if (form === 'star' || form === 'args') {
        if (rest) this.misplaced(parameter, 'a * parameter may not follow **kwargs')
        else if (starred) this.misplaced(parameter, 'a second * parameter')
        starred ??= parameter
        const following = parameters[index + 1]
        if (form === 'star' && following?.form !== 'plain') {
          this.faults.report(messages.bareStar(), parameter.start, parameter.end)
        }
      } else if (form === 'kwargs') {
        if (rest) this.misplaced(parameter, 'a second ** parameter')
        rest ??= parameter
      } else if (rest) {
        this.misplaced(parameter, 'no parameter may follow **kwargs')
      } else if (form === 'slash') {
        if (index === 0) this.misplaced(parameter, "'/' must follow a parameter")
        else if (slash) this.misplaced(parameter, "a second '/'")
        else if (starred) this.misplaced(parameter, "'/' must stand before '*'")
        slash = true
      } else if (parameter.default) {
        optional = true
      } else if (optional && !starred && name) {
        this.faults.report(messages.requiredAfterOptional(name.name), parameter.start, parameter.end)
      }
    }
  }

  private misplaced(parameter: Parameter, problem: string): void {
    this.faults.report(messages.parameterOrder(problem), parameter.start, parameter.end)
  }

  // ---- Arguments ----

  /** Arguments after the current '('; its ')' is then the current token. A load statement has an order of its own. */
  protected arguments(ordered = true): Argument[] {
    this.enter()
    this.next()
    const all: Argument[] = []
    let generator: Argument | undefined
    let height = 0
    while (this.kind !== T.RPAREN) {
      const argument = this.argument()
      height = Math.max(height, this.height)
      all.push(argument)
      if (this.bareGenerator === argument.value) generator ??= argument
      if (!this.eat(T.COMMA)) break
    }
    if (this.kind !== T.RPAREN) this.wantComma(')')
    this.bareGenerator = undefined
    if (generator && all.length > 1) this.faults.report(messages.generatorArgument(), generator.start, generator.end)
    if (ordered) this.checkArguments(all)
    this.leave()
    this.height = height
    return all
  }

  private argument(): Argument {
    const { start } = this
    if (this.kind === T.STAR || this.kind === T.POWER) {
      const form = this.kind === T.STAR ? 'args' : 'kwargs'
      this.next()
      const value = this.test()
      return { kind: 'Argument', start, end: value.end, form, value }
    }
    if (this.kind >= T.FIRST_KEYWORD) this.refuseKeywordName()
    const value = this.namedTest()
    if (this.kind === T.ASSIGN) return this.namedArgument(value)
    if (this.kind === T.FOR || this.kind === T.ASYNC) {
      const clauses = this.clauses()
      const { end } = clauses[clauses.length - 1]!
      this.affordance('generator', start, end)
      const generator = { kind: 'Comprehension', start, end, form: 'generator', element: value, clauses } as const
      this.bareGenerator = generator
      return { kind: 'Argument', start, end, form: 'positional', value: generator }
    }
    return { kind: 'Argument', start, end: value.end, form: 'positional', value }
  }

  private namedArgument(name: Expression): Argument {
    if (name.kind !== 'Identifier') {
      const hint =
        name.kind === 'StringLiteral' && /^[A-Za-z_]\w*$/.test(name.value)
          ? `write: ${name.value}=…`
          : 'to compare, write =='
      this.failAt(messages.argumentName(hint), name.start, name.end)
    }
    if (!this.strict && constants.has(name.name)) {
      this.faults.report(messages.cannotAssign(name.name, 'assign to'), name.start, name.end)
    }
    this.next()
    const value = this.test()
    return { kind: 'Argument', start: name.start, end: value.end, form: 'named', name, value }
  }

  /** `f(from=x)`: a keyword where the name of an argument was meant. */
  private refuseKeywordName(): void {
    if (this.kind === T.LAMBDA || !/^\s*=(?!=)/.test(this.text.slice(this.end, this.end + 20))) return
    const { word } = this
    this.fail(messages.reservedWord(word, `write ${word}_=… where the function has that name, or **{"${word}": …}`))
  }

  private checkArguments(all: readonly Argument[]): void {
    const names = new Set<string>()
    let named = false
    let starred = false
    let rest = false
    for (const argument of all) {
      const { form, name } = argument
      const complain = (problem: string, hint?: string) =>
        this.faults.report(messages.argumentOrder(problem, hint), argument.start, argument.end)
      if (name && names.has(name.name))
        this.faults.report(messages.repeatedArgument(name.name), argument.start, argument.end)
      if (name) names.add(name.name)
      if (form === 'positional') {
        if (rest) complain('a positional argument may not follow **kwargs', 'move it to the front')
        else if (named) complain('a positional argument may not follow a named one', 'move it to the front or name it')
        else if (starred && this.strict) complain('a positional argument may not follow *args', 'move it to the front')
      } else if (form === 'named') {
        if (rest && this.strict) complain('a named argument may not follow **kwargs', 'move it before **kwargs')
        else if (starred && this.strict) complain('a named argument may not follow *args', 'move it before *args')
        named = true
      } else if (form === 'args') {
        if (rest) complain('*args may not follow **kwargs', 'move it before **kwargs')
        else if (starred && this.strict) complain('a second *args', 'join the lists with +')
        starred = true
      } else {
        if (rest && this.strict) complain('a second **kwargs', 'join the dicts with |')
        rest = true
      }
    }
  }

  /** Fails where elements or arguments must be separated or end. */
  protected wantComma(closer: string): never {
    if (T.startsExpression[this.kind] === 1) {
      this.failAt(messages.missingComma(this.found(), closer, foreignHint(this.text, this.start, this.previousEnd)))
    }
    this.unexpected(`',' or '${closer}'`)
  }
}
