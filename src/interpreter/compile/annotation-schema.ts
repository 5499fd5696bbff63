// Python's annotations as JSON Schema: the types whose values a caller can write as JSON.

import type { Expression } from '../syntax/index.js'
import { unparenthesised } from '../syntax/walk.js'

type JsonSchema = Readonly<Record<string, unknown>>

const SIMPLE: Readonly<Record<string, JsonSchema>> = {
  int: { type: 'integer' },
  float: { type: 'number' },
  str: { type: 'string' },
  bool: { type: 'boolean' },
  list: { type: 'array' },
  List: { type: 'array' },
  dict: { type: 'object' },
  Dict: { type: 'object' },
  None: { type: 'null' },
  Any: {},
  object: {},
}

/** The JSON Schema of an annotation; undefined for types that JSON lacks. */
export function annotationSchema(raw: Expression): JsonSchema | undefined {
  const e = unparenthesised(raw)
  const name = nameOf(e)
  if (name !== undefined) return SIMPLE[name]
  if (e.kind === 'BinaryExpr' && e.operator === '|') return anyOf([e.left, e.right])
  if (e.kind !== 'IndexExpr') return undefined
  const index = e.index.kind === 'TupleExpr' ? e.index.elements : [e.index]
  const [first, second] = index
  switch (nameOf(e.object)) {
    case 'list':
    case 'List':
      return index.length === 1 ? around(first, (items) => ({ type: 'array', items })) : undefined
    case 'dict':
    case 'Dict': {
      const isText = index.length === 2 && nameOf(first!) === 'str'
      return isText ? around(second, (additionalProperties) => ({ type: 'object', additionalProperties })) : undefined
    }
    case 'Optional':
      return index.length === 1 ? around(first, (inner) => ({ anyOf: [inner, SIMPLE.None] })) : undefined
    case 'Union':
      return anyOf(index)
    case 'Literal': {
      const constants = index.map(constantOf)
      return constants.every((one) => one !== undefined) ? { enum: constants.map(({ value }) => value) } : undefined
    }
    default:
      return undefined
  }
}

function around(e: Expression | undefined, wrap: (inner: JsonSchema) => JsonSchema): JsonSchema | undefined {
  const inner = e && annotationSchema(e)
  return inner && wrap(inner)
}

function anyOf(alternatives: readonly Expression[]): JsonSchema | undefined {
  const all = alternatives.map(annotationSchema)
  if (!all.every((one) => one !== undefined)) return undefined
  return { anyOf: all.flatMap((one) => (Array.isArray(one.anyOf) ? (one.anyOf as JsonSchema[]) : [one])) }
}

/** The name of a type, without its module: `Any` for `typing.Any`. */
function nameOf(e: Expression): string | undefined {
  if (e.kind === 'Identifier') return Object.hasOwn(SIMPLE, e.name) || GENERIC.has(e.name) ? e.name : undefined
  return e.kind === 'DotExpr' && e.object.kind === 'Identifier' && e.object.name === 'typing'
    ? nameOf(e.name)
    : undefined
}

const GENERIC = new Set(['Optional', 'Union', 'Literal'])

/** The value of a constant that JSON can hold; undefined for every other expression. */
export function constantOf(raw: Expression): { readonly value: unknown } | undefined {
  const e = unparenthesised(raw)
  switch (e.kind) {
    case 'StringLiteral':
    case 'FloatLiteral':
      return { value: e.value }
    case 'IntLiteral':
      return Number.isSafeInteger(Number(e.value)) ? { value: Number(e.value) } : undefined
    case 'UnaryExpr': {
      const operand = e.operator === '-' ? constantOf(e.operand) : undefined
      return typeof operand?.value === 'number' ? { value: -operand.value } : undefined
    }
    case 'Identifier':
      return Object.hasOwn(NAMED, e.name) ? { value: NAMED[e.name] } : undefined
    case 'ListExpr': {
      const elements = e.elements.map(constantOf)
      return elements.every((one) => one !== undefined) ? { value: elements.map(({ value }) => value) } : undefined
    }
    case 'DictExpr': {
      const entries = e.entries.map(({ key, value }) => [key && constantOf(key)?.value, constantOf(value)] as const)
      const isData = entries.every(([key, value]) => typeof key === 'string' && value !== undefined)
      return isData ? { value: Object.fromEntries(entries.map(([key, value]) => [key, value!.value])) } : undefined
    }
    default:
      return undefined
  }
}

const NAMED: Readonly<Record<string, unknown>> = { None: null, True: true, False: false }
