// Parameters of definitions and arguments of calls, and the orders that each dialect allows.

import { atClauses, parseClauses, parseStarred } from './comprehensions.js'
import { foreignHint } from './foreign-hints.js'
import { messages } from './messages.js'
import type { Argument, Expression, Parameter } from './nodes.js'
import { constants, type Parser } from './parser.js'
import * as T from './tokens.js'

// ---- Parameters ----

/** Parameters up to `closer`, which stays the current token; only those of a def can be annotated. */
export function parseParameters(p: Parser, closer: T.TokenKind): Parameter[] {
  const parameters: Parameter[] = []
  while (p.token.kind !== closer) {
    parameters.push(parseParameter(p, closer))
    if (!p.eat(T.COMMA)) break
  }
  if (p.token.kind !== closer) p.unexpected(closer === T.RPAREN ? "',' or ')'" : "',' or ':'")
  checkParameters(p, parameters)
  return parameters
}

function parseParameter(p: Parser, closer: T.TokenKind): Parameter {
  const { start } = p.token
  if (p.token.kind === T.SLASH) {
    p.affordance('positionalOnly')
    p.next()
    return { kind: 'Parameter', start, end: p.token.previousEnd, form: 'slash' }
  }
  const form = p.eat(T.STAR) ? 'args' : p.eat(T.POWER) ? 'kwargs' : 'plain'
  if (form === 'args' && (p.token.kind === T.COMMA || p.token.kind === closer)) {
    return { kind: 'Parameter', start, end: p.token.previousEnd, form: 'star' }
  }
  const name = p.identifier('a parameter name')
  const annotation = closer === T.RPAREN ? parseAnnotation(p, T.COLON, form === 'args') : undefined
  const value = form === 'plain' && p.eat(T.ASSIGN) ? p.grammar.parseTest(p) : undefined
  const node = { kind: 'Parameter', start, end: p.token.previousEnd, form, name } as const
  if (value === undefined) return annotation === undefined ? node : { ...node, annotation }
  return annotation === undefined ? { ...node, default: value } : { ...node, default: value, annotation }
}

/** The type after `mark`, ':' or '->', if one is given; that of `*args` may be starred. */
export function parseAnnotation(p: Parser, mark: T.TokenKind, starred = false): Expression | undefined {
  if (p.token.kind !== mark) return undefined
  const { start } = p.token
  p.next()
  const annotation = starred && p.token.kind === T.STAR ? parseStarred(p) : p.grammar.parseTest(p)
  p.affordance('annotation', start, p.token.previousEnd)
  return annotation
}

function checkParameters(p: Parser, parameters: readonly Parameter[]): void {
  const names = new Set<string>()
  let starred: Parameter | undefined
  let rest: Parameter | undefined
  let slash = false
  let optional = false
  for (const [index, parameter] of parameters.entries()) {
    const { form, name } = parameter
    if (name && names.has(name.name)) p.faults.report(messages.duplicateParameter(name.name), name.start, name.end)
    if (name) names.add(name.name)
    if (form === 'star' || form === 'args') {
      if (rest) misplaced(p, parameter, 'a * parameter may not follow **kwargs')
      else if (starred) misplaced(p, parameter, 'a second * parameter')
      starred ??= parameter
      const following = parameters[index + 1]
      if (form === 'star' && following?.form !== 'plain') {
        p.faults.report(messages.bareStar(), parameter.start, parameter.end)
      }
    } else if (form === 'kwargs') {
      if (rest) misplaced(p, parameter, 'a second ** parameter')
      rest ??= parameter
    } else if (rest) {
      misplaced(p, parameter, 'no parameter may follow **kwargs')
    } else if (form === 'slash') {
      if (index === 0) misplaced(p, parameter, "'/' must follow a parameter")
      else if (slash) misplaced(p, parameter, "a second '/'")
      else if (starred) misplaced(p, parameter, "'/' must stand before '*'")
      slash = true
    } else if (parameter.default) {
      optional = true
    } else if (optional && !starred && name) {
      p.faults.report(messages.requiredAfterOptional(name.name), parameter.start, parameter.end)
    }
  }
}

function misplaced(p: Parser, parameter: Parameter, problem: string): void {
  p.faults.report(messages.parameterOrder(problem), parameter.start, parameter.end)
}

// ---- Arguments ----

/**
 * Arguments from the current '(' on; its ')' is then the current token. A load statement allows another order of
 * arguments.
 */
export function parseArguments(p: Parser, ordered = true): Argument[] {
  p.enter()
  p.next()
  const all: Argument[] = []
  const generators: Argument[] = []
  let height = 0
  while (p.token.kind !== T.RPAREN) {
    const argument = parseArgument(p, generators)
    height = Math.max(height, p.height)
    all.push(argument)
    if (!p.eat(T.COMMA)) break
  }
  if (p.token.kind !== T.RPAREN) wantComma(p, ')')
  const [generator] = generators
  if (generator && all.length > 1) p.faults.report(messages.generatorArgument(), generator.start, generator.end)
  if (ordered) checkArguments(p, all)
  p.leave()
  p.height = height
  return all
}

/** One argument. A generator without parentheses of its own is added to `generators`. */
function parseArgument(p: Parser, generators: Argument[]): Argument {
  const { start } = p.token
  if (p.token.kind === T.STAR || p.token.kind === T.POWER) {
    const form = p.token.kind === T.STAR ? 'args' : 'kwargs'
    p.next()
    const value = p.grammar.parseTest(p)
    return { kind: 'Argument', start, end: value.end, form, value }
  }
  if (p.token.kind >= T.FIRST_KEYWORD) refuseKeywordName(p)
  const value = p.grammar.parseNamedTest(p)
  if (p.token.kind === T.ASSIGN) return parseNamedArgument(p, value)
  if (atClauses(p)) {
    const clauses = parseClauses(p)
    const { end } = clauses[clauses.length - 1]!
    p.affordance('generator', start, end)
    const generator = { kind: 'Comprehension', start, end, form: 'generator', element: value, clauses } as const
    const argument = { kind: 'Argument', start, end, form: 'positional', value: generator } as const
    generators.push(argument)
    return argument
  }
  return { kind: 'Argument', start, end: value.end, form: 'positional', value }
}

function parseNamedArgument(p: Parser, name: Expression): Argument {
  if (name.kind !== 'Identifier') {
    const hint =
      name.kind === 'StringLiteral' && /^[A-Za-z_]\w*$/.test(name.value)
        ? `write: ${name.value}=…`
        : 'to compare, write =='
    p.failAt(messages.argumentName(hint), name.start, name.end)
  }
  if (!p.strict && constants.has(name.name)) {
    p.faults.report(messages.cannotAssign(name.name, 'assign to'), name.start, name.end)
  }
  p.next()
  const value = p.grammar.parseTest(p)
  return { kind: 'Argument', start: name.start, end: value.end, form: 'named', name, value }
}

/** Refuses `f(from=x)`, which has a keyword as the name of an argument. */
function refuseKeywordName(p: Parser): void {
  if (p.token.kind === T.LAMBDA || !/^\s*=(?!=)/.test(p.text.slice(p.token.end, p.token.end + 20))) return
  const { word } = p.token
  p.fail(messages.reservedWord(word, `write ${word}_=… where the function has that name, or **{"${word}": …}`))
}

function checkArguments(p: Parser, all: readonly Argument[]): void {
  const names = new Set<string>()
  let named = false
  let starred = false
  let rest = false
  for (const argument of all) {
    const { form, name } = argument
    const complain = (problem: string, hint?: string) =>
      p.faults.report(messages.argumentOrder(problem, hint), argument.start, argument.end)
    if (name && names.has(name.name))
      p.faults.report(messages.repeatedArgument(name.name), argument.start, argument.end)
    if (name) names.add(name.name)
    if (form === 'positional') {
      if (rest) complain('a positional argument may not follow **kwargs', 'move it to the front')
      else if (named) complain('a positional argument may not follow a named one', 'move it to the front or name it')
      else if (starred && p.strict) complain('a positional argument may not follow *args', 'move it to the front')
    } else if (form === 'named') {
      if (rest && p.strict) complain('a named argument may not follow **kwargs', 'move it before **kwargs')
      else if (starred && p.strict) complain('a named argument may not follow *args', 'move it before *args')
      named = true
    } else if (form === 'args') {
      if (rest) complain('*args may not follow **kwargs', 'move it before **kwargs')
      else if (starred && p.strict) complain('a second *args', 'join the lists with +')
      starred = true
    } else {
      if (rest && p.strict) complain('a second **kwargs', 'join the dicts with |')
      rest = true
    }
  }
}

/** Fails where elements or arguments must be separated or end. */
export function wantComma(p: Parser, closer: string): never {
  if (T.startsExpression[p.token.kind] === 1) {
    p.failAt(messages.missingComma(p.found(), closer, foreignHint(p.text, p.token.start, p.token.previousEnd)))
  }
  p.unexpected(`',' or '${closer}'`)
}
