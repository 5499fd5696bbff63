// A tool as a function: parameters in positional order, and the return type.
// Invariant: a signature depends on its tool alone, and its parameter names are distinct.

import { nameScope } from './identifiers.js'
import { SchemaReader } from './read-schema.js'
import type { JsonSchema, Tool } from './tool.js'
import { ANY, type Field, type Type } from './type.js'

export interface Parameter extends Field {
  /** The name in the program. */
  readonly name: string
}

export interface Signature {
  /** Required ones first, otherwise in the schema's order. */
  readonly parameters: readonly Parameter[]
  /** The type of further keyword arguments, if the schema allows them. */
  readonly extra?: Type
  readonly returns: Type
  /** The result is the value of the key `result`, the only one that the output schema has. */
  readonly unwraps: boolean
}

const known = new WeakMap<Tool, Signature>()

/** Read once per tool object. */
export function signatureOf(tool: Tool): Signature {
  let signature = known.get(tool)
  if (signature === undefined) {
    signature = readSignature(tool)
    known.set(tool, signature)
  }
  return signature
}

function readSignature(tool: Tool): Signature {
  const { fields, extra, open } = new SchemaReader(tool.inputSchema).readFields(tool.inputSchema, tool.name) ?? noFields
  const names = nameScope(fields.map((field) => field.key))
  const parameters = fields.map((field) => parameterOf(field, names.get(field.key)!))
  // A schema without `properties` allows any; one with properties means those.
  const rest = extra ?? (fields.length === 0 && open && !listsProperties(tool.inputSchema) ? ANY : undefined)
  return {
    parameters: [...parameters.filter((one) => one.required), ...parameters.filter((one) => !one.required)],
    ...(rest === undefined ? {} : { extra: rest }),
    ...readReturns(tool.name, tool.outputSchema),
  }
}

function parameterOf(field: Field, name: string): Parameter {
  const { key, type, required, fallback, remark } = field
  return {
    name,
    key,
    type,
    required,
    ...(fallback === undefined ? {} : { fallback }),
    ...(remark === undefined ? {} : { remark }),
    get facts() {
      return field.facts
    },
  }
}

const noFields = { fields: [], extra: ANY, open: true }

function listsProperties(schema: JsonSchema): boolean {
  return typeof schema === 'object' && schema.properties !== undefined
}

function readReturns(name: string, schema: JsonSchema | undefined): { returns: Type; unwraps: boolean } {
  if (schema === undefined) return { returns: ANY, unwraps: false }
  const reader = new SchemaReader(schema)
  const whole = reader.read(schema, `${name} result`)
  const only = whole.kind === 'record' && whole.fields.length === 1 ? whole.fields[0]! : undefined
  if (only?.key === 'result' && only.required) return { returns: only.type, unwraps: true }
  return { returns: whole, unwraps: false }
}
