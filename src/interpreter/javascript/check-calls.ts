// Checks calls of tools against their signatures, by the host's rules for binding: a single object holds the arguments
// by name, unless the tool's first parameter itself takes an object; otherwise arguments are in the order of the stub;
// `undefined` omits a parameter. Does not know where the call stands.
// Invariant: the host refuses every call that is refused here.

import { type Diagnostic, nearestNames } from '../../diagnostics/index.js'
import { shown } from '../check/descriptions.js'
import { excludes } from '../check/exclusion.js'
import { messages } from '../check/messages.js'
import type { ForeignParameter, ForeignSignature } from '../foreign.js'
import { wanted } from '../infer/hosted.js'
import { DICT, FLOAT, FUNCTION, INT, LIST, NAMESPACE, STR, TOOL } from '../infer/kinds.js'
import {
  ANY,
  ANY_INT,
  about,
  FLOATING,
  isUnknown,
  literals,
  mayBe,
  NULL,
  of,
  STRING,
  type Type,
} from '../infer/types.js'
import { inJavaScript } from '../type-words.js'
import type { SpanOf } from './refusals.js'
import type { NamedTool, Tools } from './tools.js'
import { keyName, type Node } from './tree.js'

interface Given {
  readonly name: string
  readonly key: Node
  readonly value: Node
}

interface Rules {
  readonly path: string
  readonly signature: ForeignSignature
  readonly tools: Tools
  readonly span: SpanOf
}

export function checkCall(
  call: { readonly start: number; readonly end: number; readonly arguments: readonly Node[] },
  { namespace, fn }: NamedTool,
  options: { readonly tools: Tools; readonly span: SpanOf },
): Diagnostic[] {
  const { signature } = fn
  if (signature === undefined) return []
  const rules: Rules = { path: `${namespace.name}.${fn.name}`, signature, ...options }
  const { parameters } = signature
  const { span } = options
  const takes = takesText(parameters)
  const given = givenArguments(call.arguments, rules)
  if (given === undefined) return []
  if ('tooMany' in given) {
    const { first, last, count } = given.tooMany
    const place = span({ start: first.start, end: last.end })
    return [messages.tooManyArguments(place, rules.path, parameters.length, count, takes)]
  }
  const found: Diagnostic[] = []
  const bound = new Map<ForeignParameter, Node>()
  for (const { name, key, value } of given.named) {
    const parameter = parameters.find((p) => p.name === name) ?? parameters.find((p) => p.key === name)
    if (parameter !== undefined) bound.set(parameter, value)
    else if (signature.extra === undefined) {
      const names = parameters.map((p) => p.name)
      found.push(messages.unknownParameter(span(key), rules.path, name, nearestNames(name, names), takes))
    }
  }
  const missing = parameters.filter((p) => p.required && !bound.has(p)).map((p) => p.name)
  // An unknown name is most likely misspelt, so a missing parameter gets no message of its own.
  if (missing.length > 0 && !given.isOpen && found.length === 0)
    found.push(messages.missingArguments(span(call), rules.path, missing, takes))
  for (const [parameter, value] of bound) found.push(...checkValue(parameter, value, rules))
  return found
}

type Arguments =
  | { readonly named: readonly Given[]; readonly isOpen: boolean }
  | { readonly tooMany: { readonly first: Node; readonly last: Node; readonly count: number } }

/** The arguments of a call; undefined if they are unknown. */
function givenArguments(args: readonly Node[], { signature, tools }: Rules): Arguments | undefined {
  const { parameters } = signature
  if (args.some((a) => a.type === 'SpreadElement')) return undefined
  const only = args.length === 1 ? args[0]! : undefined
  if (only !== undefined && mayBeObject(typeOf(only, tools))) {
    const [first] = parameters
    if (only.type !== 'ObjectExpression' || (first !== undefined && mayBeObject(wanted(first.type)))) return undefined
    return properties(only)
  }
  const positional = args.filter((value) => !isUndefined(value))
  if (positional.length < args.length) return undefined
  if (args.length > parameters.length)
    return { tooMany: { first: args[parameters.length]!, last: args[args.length - 1]!, count: args.length } }
  return { named: args.map((value, i) => ({ name: parameters[i]!.name, key: value, value })), isOpen: false }
}

function properties(object: Extract<Node, { type: 'ObjectExpression' }>): Arguments | undefined {
  const named: Given[] = []
  let isOpen = false
  for (const p of object.properties) {
    const name = p.type === 'Property' ? keyName(p) : undefined
    if (p.type !== 'Property' || name === undefined) isOpen = true
    else if (p.kind !== 'init' || name === '__proto__') return undefined
    else if (!isUndefined(p.value)) named.push({ name, key: p.key, value: p.value })
  }
  return { named, isOpen }
}

function isUndefined(node: Node): boolean {
  return (
    (node.type === 'Identifier' && node.name === 'undefined') ||
    (node.type === 'UnaryExpression' && node.operator === 'void')
  )
}

function mayBeObject(type: Type): boolean {
  return isUnknown(type) || mayBe(type, DICT)
}

function checkValue(parameter: ForeignParameter, value: Node, rules: Rules): Diagnostic[] {
  const { path, span, signature, tools } = rules
  const constant = constantOf(value, tools)
  if (constant !== undefined && constant.value === null && !parameter.required) return []
  if (constant !== undefined && signature.problemsWith !== undefined) {
    const problem = signature.problemsWith(parameter.key, constant.value, 'typescript')[0]
    return problem === undefined ? [] : [messages.wrongArgument(span(value), path, problem)]
  }
  const type = typeOf(value, tools)
  const want = wanted(parameter.type)
  if (!excludes(type, want)) return []
  // The host's own check tests an example of the type, so a value that the host accepts is never reported.
  const example = exampleOf(type)
  if (example !== undefined && signature.problemsWith?.(parameter.key, example.value, 'typescript').length === 0)
    return []
  const problem = `${parameter.name}: got ${shown(type, inJavaScript)}, want ${shown(want, inJavaScript)}`
  return [messages.wrongArgument(span(value), path, problem, type.kinds === TOOL ? 'call it with (…)' : undefined)]
}

function exampleOf({ kinds, about: what }: Type): { value: unknown } | undefined {
  return what === undefined && Object.hasOwn(EXAMPLES, kinds) ? { value: EXAMPLES[kinds] } : undefined
}

const EXAMPLES: Readonly<Record<number, unknown>> = { [STR]: 'x', [INT]: 1, [FLOAT]: 1.5, [LIST]: [], [DICT]: {} }

function typeOf(node: Node, tools: Tools): Type {
  const constant = constantOf(node, tools)
  if (constant !== undefined) return typeOfConstant(constant.value)
  switch (node.type) {
    case 'TemplateLiteral':
      return STRING
    case 'ArrayExpression':
      return of(LIST)
    case 'ObjectExpression':
      return of(DICT)
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return of(FUNCTION)
    case 'Literal':
      return typeof node.bigint === 'string' ? ANY_INT : ANY
    case 'Identifier':
    case 'MemberExpression': {
      const tool = tools.toolOf(node)
      const namespace = tools.namespaceOf(node)
      if (tool !== undefined)
        return about(TOOL, { kind: 'tool', path: `${tool.namespace.name}.${tool.fn.name}`, fn: tool.fn })
      return namespace === undefined ? ANY : about(NAMESPACE, { kind: 'namespace', name: namespace.name })
    }
    default:
      return ANY
  }
}

function typeOfConstant(value: unknown): Type {
  if (value === null) return NULL
  if (Array.isArray(value)) return of(LIST)
  if (typeof value === 'object') return of(DICT)
  if (typeof value === 'number') return Number.isInteger(value) ? ANY_INT : FLOATING
  return literals([value as string | boolean])
}

/**
 * The JSON value of an expression that consists of literals, or of a variable that holds one and is never written
 * again.
 */
function constantOf(node: Node, tools: Tools, depth = 0): { readonly value: unknown } | undefined {
  if (depth > 50) return undefined
  switch (node.type) {
    case 'Literal': {
      const { value } = node
      return value === null && node.raw !== 'null' ? undefined : isJson(value) ? { value } : undefined
    }
    case 'TemplateLiteral':
      return node.expressions.length === 0 ? { value: node.quasis[0]!.value.cooked ?? '' } : undefined
    case 'UnaryExpression': {
      const inner = node.operator === '-' ? constantOf(node.argument, tools, depth + 1) : undefined
      return typeof inner?.value === 'number' ? { value: -inner.value } : undefined
    }
    case 'Identifier': {
      const fixed = tools.fixedValue(node)
      // The contents of an object or array may change.
      const mayChange = fixed === undefined || /^(?:Array|Object)Expression$/.test(fixed.type)
      return mayChange ? undefined : constantOf(fixed, tools, depth + 1)
    }
    case 'ArrayExpression': {
      const items = node.elements.map((e) => (e === null ? undefined : constantOf(e, tools, depth + 1)))
      return items.every((item) => item !== undefined) ? { value: items.map((item) => item.value) } : undefined
    }
    case 'ObjectExpression': {
      const value: Record<string, unknown> = {}
      for (const p of node.properties) {
        const name = p.type === 'Property' && p.kind === 'init' ? keyName(p) : undefined
        const inner = p.type === 'Property' && name !== undefined ? constantOf(p.value, tools, depth + 1) : undefined
        if (inner === undefined || name === '__proto__') return undefined
        value[name!] = inner.value
      }
      return { value }
    }
    default:
      return undefined
  }
}

function isJson(value: unknown): boolean {
  return (
    value === null ||
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    (typeof value === 'number' && Number.isFinite(value))
  )
}

function takesText(parameters: readonly ForeignParameter[]): string {
  if (parameters.length === 0) return 'call it without arguments'
  const names = parameters.map((p) => (p.required ? p.name : `${p.name}?`))
  const rest = names.length > 12 ? `, and ${names.length - 12} more` : ''
  return `it takes { ${names.slice(0, 12).join(', ')}${rest} }`
}
