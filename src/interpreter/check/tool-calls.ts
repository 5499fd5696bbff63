// A call of a function of the host against its signature. The rules are those by which the host binds arguments: one
// positional dict alone may hold the keyword arguments; a keyword may be a parameter's name or its key; `None` for an
// optional parameter leaves it out.
// Knows nothing of where the call stands. Invariant: what is found here the host refuses, too.

import { type Diagnostic, nearestNames, type Span } from '../../diagnostics/index.js'
import type { ForeignFunction, ForeignParameter, ForeignSignature } from '../foreign.js'
import type { Argument, CallExpr, Expression, Node } from '../syntax/nodes.js'
import { messages } from './messages.js'
import { ANY, alternatives, excludes, hosted, shown, type Type } from './types.js'

export interface CallFindings {
  /** Shown by the text of the call. */
  readonly plain: Diagnostic[]
  /** Shown by what is known of values. */
  readonly inferred: Diagnostic[]
}

export interface CallRules {
  readonly path: string
  readonly fn: ForeignFunction
  readonly typeOf: (e: Expression) => Type
  readonly span: (node: Pick<Node, 'start' | 'end'>) => Span
  /** Does the name mean one of True, False and None? */
  readonly isConstant: (e: Expression) => boolean
}

/** One argument with the name that it is given by. */
interface Given {
  readonly name: string
  readonly node: Pick<Node, 'start' | 'end'>
  readonly value: Expression
}

export function checkToolCall(e: CallExpr, rules: CallRules): CallFindings {
  const { path, fn, span } = rules
  const { signature } = fn
  const findings: CallFindings = { plain: [], inferred: [] }
  if (signature === undefined) return findings
  const given = givenArguments(e.arguments, signature, rules)
  if (given === undefined) return findings
  const { positional, named, isOpen } = given
  const { parameters } = signature
  const takes = takesText(parameters)
  if (positional.length > parameters.length) {
    const first = positional[parameters.length]!
    const last = positional[positional.length - 1]!
    const place = span({ start: first.start, end: last.end })
    findings.plain.push(messages.tooManyArguments(place, path, parameters.length, positional.length, takes))
    return findings
  }
  const bound = new Map<ForeignParameter, Given>()
  for (const [i, value] of positional.entries())
    bound.set(parameters[i]!, { name: parameters[i]!.name, node: value, value })
  for (const one of named) {
    const parameter = parameters.find((p) => p.name === one.name) ?? parameters.find((p) => p.key === one.name)
    if (parameter === undefined) {
      if (signature.extra !== undefined) continue
      const near = nearestNames(
        one.name,
        parameters.map((p) => p.name),
      )
      findings.plain.push(messages.unknownParameter(span(one.node), path, one.name, near, takes))
    } else if (bound.has(parameter)) findings.plain.push(messages.argumentTwice(span(one.node), path, parameter.name))
    else bound.set(parameter, one)
  }
  const missing = parameters.filter((p) => p.required && !bound.has(p)).map((p) => p.name)
  // An unknown name is most likely a misspelt one: what seems to be missing then is not worth a message of its own.
  if (missing.length > 0 && !isOpen && findings.plain.length === 0)
    findings.plain.push(messages.missingArguments(span(e), path, missing, takes))
  for (const [parameter, one] of bound) checkValue(parameter, one, signature, rules, findings)
  return findings
}

/** Undefined when nothing can be said. `isOpen`: stars may bring more arguments. */
function givenArguments(
  args: readonly Argument[],
  signature: ForeignSignature,
  rules: CallRules,
): { positional: readonly Expression[]; named: readonly Given[]; isOpen: boolean } | undefined {
  const isOpen = args.some((a) => a.form === 'args' || a.form === 'kwargs')
  const hasArgs = args.some((a) => a.form === 'args')
  const positional = args.filter((a) => a.form === 'positional').map((a) => a.value)
  const named = args
    .filter((a) => a.form === 'named')
    .map((a) => ({ name: a.name!.name, node: a.name!, value: a.value }))
  if (named.length > 0 || positional.length > 1) return { positional: hasArgs ? [] : positional, named, isOpen }
  if (hasArgs) return undefined
  const only = positional[0]
  if (only === undefined) return { positional, named, isOpen }
  if (!mayBeDict(rules.typeOf(only))) return { positional, named, isOpen }
  const entries = isOpen ? undefined : keywordsOf(only)
  const first = signature.parameters[0]
  if (entries === undefined || (first !== undefined && takesDict(first.type))) return undefined
  return { positional: [], named: entries, isOpen }
}

function mayBeDict(type: Type): boolean {
  return alternatives(type).some((one) => !isNoDict(one))
}

function isNoDict(one: Type): boolean {
  return ['none', 'bool', 'int', 'float', 'str', 'literal', 'list', 'tuple'].includes(one.kind)
}

function takesDict(type: Type): boolean {
  return alternatives(type).some((one) => one.kind === 'any' || one.kind === 'dict' || one.kind === 'record')
}

/** The entries of a dict display as keyword arguments. */
function keywordsOf(e: Expression): Given[] | undefined {
  if (e.kind !== 'DictExpr') return undefined
  const given = new Map<string, Given>()
  for (const { key, value } of e.entries) {
    if (key?.kind !== 'StringLiteral') return undefined
    given.set(key.value, { name: key.value, node: key, value })
  }
  return [...given.values()]
}

function checkValue(
  parameter: ForeignParameter,
  { value }: Given,
  signature: ForeignSignature,
  rules: CallRules,
  findings: CallFindings,
): void {
  const { path, span } = rules
  const type = rules.typeOf(value)
  const mayBeLeftOut = !parameter.required && alternatives(type).some((one) => one.kind === 'none')
  if (mayBeLeftOut) return
  const constant = constantOf(value, rules)
  if (constant !== undefined && signature.problemsWith !== undefined) {
    const problem = signature.problemsWith(parameter.key, constant.value, 'python')[0]
    if (problem !== undefined)
      findings.plain.push(messages.wrongArgument(span(value), path, problem, conversionHint(type, parameter.type)))
    return
  }
  if (!excludes(type, parameter.type) || !isConfirmed(parameter, type, signature)) return
  const problem = `${parameter.name}: got ${shown(type)}, want ${shown(parameter.type)}`
  const found = constant === undefined ? findings.inferred : findings.plain
  found.push(messages.wrongArgument(span(value), path, problem, conversionHint(type, parameter.type)))
}

function conversionHint(type: Type, want: Type): string | undefined {
  const [one] = alternatives(type)
  const wants = alternatives(want)
  const texts = wants.flatMap((other) => (other.kind === 'literal' ? other.values : [])).filter(isText)
  const given = one!.kind === 'literal' && alternatives(type).length === 1 ? one!.values[0] : undefined
  if (texts.length > 0 && isText(given)) {
    const near = nearestNames(given, texts, 2).map((text) => JSON.stringify(text))
    return near.length === 0 ? undefined : `did you mean ${near.join(' or ')}?`
  }
  if (wants.length !== 1 || alternatives(type).length !== 1) return undefined
  const isString = one!.kind === 'str' || isText(given)
  if (wants[0]!.kind === 'str' && typeof given === 'number') return `write "${given}"`
  if (wants[0]!.kind === 'str' && (one!.kind === 'int' || one!.kind === 'float')) return 'convert it with str(…)'
  if (['int', 'float'].includes(wants[0]!.kind) && isString)
    return isText(given) && /^-?\d+$/.test(given) ? `write ${given}` : `convert it with ${wants[0]!.kind}(…)`
  if (wants[0]!.kind === 'list' && ['str', 'int', 'literal'].includes(one!.kind)) return 'put it into a list: […]'
  if (one!.kind === 'tool' || one!.kind === 'function') return 'call it with (…)'
  return undefined
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/** The host's own check is asked about an example of the type: what it takes is never called wrong. */
function isConfirmed(parameter: ForeignParameter, type: Type, { problemsWith }: ForeignSignature): boolean {
  if (problemsWith === undefined) return true
  return alternatives(type).every((one) => {
    const example = exampleOf(one)
    return example === undefined || problemsWith(parameter.key, example.value, 'python').length > 0
  })
}

function exampleOf(one: Type): { value: unknown } | undefined {
  switch (one.kind) {
    case 'none':
      return { value: null }
    case 'bool':
      return { value: true }
    case 'int':
      return { value: 1 }
    case 'float':
      return { value: 1.5 }
    case 'str':
      return { value: 'x' }
    case 'literal':
      return { value: one.values[0] }
    case 'list':
      return { value: [] }
    case 'tuple':
      return { value: one.items.map((item) => exampleOf(alternatives(item)[0]!)?.value ?? null) }
    case 'dict':
    case 'record':
      return { value: {} }
    default:
      return undefined
  }
}

/** The JSON value of an expression that is made of literals alone. */
function constantOf(e: Expression, rules: CallRules): { value: unknown } | undefined {
  switch (e.kind) {
    case 'ParenExpr':
      return constantOf(e.expression, rules)
    case 'StringLiteral':
    case 'FloatLiteral':
      return { value: e.value }
    case 'IntLiteral': {
      const n = Number(e.value)
      return Number.isSafeInteger(n) ? { value: n } : undefined
    }
    case 'UnaryExpr': {
      const inner = e.operator === '-' ? constantOf(e.operand, rules) : undefined
      return typeof inner?.value === 'number' ? { value: -inner.value } : undefined
    }
    case 'Identifier':
      if (!rules.isConstant(e)) return undefined
      return { value: e.name === 'None' ? null : e.name === 'True' }
    case 'ListExpr':
    case 'TupleExpr': {
      const items = e.elements.map((element) => constantOf(element, rules))
      return items.every((item) => item !== undefined) ? { value: items.map((item) => item.value) } : undefined
    }
    case 'DictExpr': {
      const value: Record<string, unknown> = Object.create(null) as Record<string, unknown>
      for (const entry of e.entries) {
        const inner = constantOf(entry.value, rules)
        if (entry.key?.kind !== 'StringLiteral' || inner === undefined) return undefined
        value[entry.key.value] = inner.value
      }
      return { value: { ...value } }
    }
    default:
      return undefined
  }
}

/** How a function of the host is called, for hints. */
function takesText(parameters: readonly ForeignParameter[]): string {
  if (parameters.length === 0) return 'call it without arguments'
  const names = parameters.map((p) => (p.required ? p.name : `${p.name}?`))
  return `it takes ${names.slice(0, 12).join(', ')}${names.length > 12 ? ` and ${names.length - 12} more` : ''}`
}

/** What a call returns. */
export function toolResult(fn: ForeignFunction): Type {
  return hosted(fn.signature?.returns ?? ANY)
}
