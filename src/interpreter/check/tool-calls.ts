// Checks a call of a host function against its signature, by the host's rules for binding: a single positional dict may
// hold the keyword arguments; a keyword may be a parameter's name or its key; `None` for an optional parameter omits
// it. Does not know where the call stands.
// Invariant: the host refuses every call that is refused here.

import { type Diagnostic, nearestNames, type Span } from '../../diagnostics/index.js'
import type { ForeignFunction, ForeignParameter, ForeignSignature } from '../foreign.js'
import { wanted } from '../infer/hosted.js'
import * as Kind from '../infer/kinds.js'
import { alternatives, isUnknown, type Literal, mayBe, type Type, takenOf } from '../infer/types.js'
import { didYouMean } from '../mistake.js'
import type { Argument, CallExpr, Expression, Node } from '../syntax/nodes.js'
import { shown } from './descriptions.js'
import { excludes } from './exclusion.js'
import { isOf, kindsOf } from './kinds.js'
import { messages } from './messages.js'

interface CallFindings {
  /** Mistakes that the text of the call shows. */
  readonly plain: Diagnostic[]
  /** Mistakes that the types of values prove. */
  readonly inferred: Diagnostic[]
}

interface CallRules {
  readonly path: string
  readonly fn: ForeignFunction
  readonly typeOf: (e: Expression) => Type
  readonly span: (node: Pick<Node, 'start' | 'end'>) => Span
  /** True if the name is one of True, False and None. */
  readonly isConstant: (e: Expression) => boolean
}

/** One argument and the name under which it is given. */
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
  // An unknown name is most likely misspelt, so a missing parameter gets no message of its own.
  if (missing.length > 0 && !isOpen && findings.plain.length === 0)
    findings.plain.push(messages.missingArguments(span(e), path, missing, takes))
  for (const [parameter, one] of bound) checkValue(parameter, one, signature, rules, findings)
  return findings
}

/** Undefined if nothing can be proved. `isOpen`: `*` or `**` may bring further arguments. */
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
  if (entries === undefined || (first !== undefined && takesDict(wanted(first.type)))) return undefined
  return { positional: [], named: entries, isOpen }
}

function mayBeDict(type: Type): boolean {
  return !isOf(type, Kind.SCALARS | Kind.STR | Kind.LIST | Kind.TUPLE)
}

function takesDict(want: Type): boolean {
  return isUnknown(want) || mayBe(want, Kind.DICT)
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
  const want = wanted(parameter.type)
  if (!parameter.required && !isUnknown(type) && mayBe(type, Kind.NONE)) return
  const constant = constantOf(value, rules)
  if (constant !== undefined && signature.problemsWith !== undefined) {
    const problem = signature.problemsWith(parameter.key, constant.value, 'python')[0]
    if (problem !== undefined)
      findings.plain.push(messages.wrongArgument(span(value), path, problem, conversionHint(type, want)))
    return
  }
  if (!excludes(type, want) || !isConfirmed(parameter, type, signature)) return
  const problem = `${parameter.name}: got ${shown(type)}, want ${shown(want)}`
  const found = constant === undefined ? findings.inferred : findings.plain
  found.push(messages.wrongArgument(span(value), path, problem, conversionHint(type, want)))
}

function conversionHint(type: Type, want: Type): string | undefined {
  const [one, ...more] = alternatives(type)
  const wants = alternatives(want)
  const texts = wants.flatMap(literalsOf).filter(isText)
  const literals = literalsOf(one!)
  const given = more.length === 0 && literals.length === 1 ? literals[0] : undefined
  if (texts.length > 0 && isText(given)) {
    return didYouMean(nearestNames(given, texts, 2).map((text) => JSON.stringify(text)))
  }
  if (wants.length !== 1 || more.length > 0) return undefined
  const wantedKind = literalsOf(wants[0]!).length > 0 ? 0 : kindsOf(wants[0]!)
  const kind = kindsOf(one!)
  if (wantedKind === Kind.STR && typeof given === 'number') return `write "${given}"`
  if (wantedKind === Kind.STR && (kind === Kind.INT || kind === Kind.FLOAT)) return 'convert it with str(…)'
  if ((wantedKind === Kind.INT || wantedKind === Kind.FLOAT) && kind === Kind.STR)
    return isText(given) && /^-?\d+$/.test(given)
      ? `write ${given}`
      : `convert it with ${wantedKind === Kind.INT ? 'int' : 'float'}(…)`
  if (wantedKind === Kind.LIST && (kind === Kind.STR || kind === Kind.INT)) return 'put it into a list: […]'
  return kind === Kind.TOOL || kind === Kind.FUNCTION ? 'call it with (…)' : undefined
}

function literalsOf(one: Type): readonly Literal[] {
  return one.about?.kind === 'values' ? one.about.values : []
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/**
 * True if the host's own check refuses an example of the type, or the host has no such check. So a value that the host
 * accepts is never reported.
 */
function isConfirmed(parameter: ForeignParameter, type: Type, { problemsWith }: ForeignSignature): boolean {
  if (problemsWith === undefined) return true
  return alternatives(type).every((one) => {
    const example = exampleOf(one)
    return example === undefined || problemsWith(parameter.key, example.value, 'python').length > 0
  })
}

function exampleOf(one: Type): { value: unknown } | undefined {
  const [literal] = literalsOf(one)
  if (literal !== undefined) return { value: literal }
  const kind = kindsOf(one)
  if (kind === Kind.TUPLE)
    return { value: one.parts?.map((part) => exampleOf(alternatives(takenOf(part))[0]!)?.value ?? null) ?? [] }
  return Object.hasOwn(EXAMPLES, kind) ? { value: EXAMPLES[kind] } : undefined
}

const EXAMPLES: Readonly<Record<number, unknown>> = {
  [Kind.NONE]: null,
  [Kind.BOOL]: true,
  [Kind.INT]: 1,
  [Kind.FLOAT]: 1.5,
  [Kind.STR]: 'x',
  [Kind.LIST]: [],
  [Kind.DICT]: {},
}

/** The JSON value of an expression that consists of literals. */
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

/** The signature of a host function, for hints. */
function takesText(parameters: readonly ForeignParameter[]): string {
  if (parameters.length === 0) return 'call it without arguments'
  const names = parameters.map((p) => (p.required ? p.name : `${p.name}?`))
  return `it takes ${names.slice(0, 12).join(', ')}${names.length > 12 ? ` and ${names.length - 12} more` : ''}`
}
