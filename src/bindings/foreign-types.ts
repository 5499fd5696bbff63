// A bound tool as the compiler sees it: a host function with a signature.
// Invariant: a tool's schemas are read when its signature is first needed.

import type { ForeignFunction, ForeignSignature } from '../interpreter/index.js'
import type { BoundTool } from './bound.js'
import type { Observations } from './observed.js'
import { problemsWithValue } from './read-arguments.js'
import { isObject } from './schema-object.js'
import type { Tool } from './tool.js'
import { ANY } from './type.js'
import type { Notation } from './value-words.js'

/**
 * The function that a program calls for the tool. Its return type is unknown once an answer has violated the declared
 * one.
 */
export function foreignFunction(
  tool: BoundTool,
  observations: Pick<Observations, 'isDistrusted'> | undefined,
): ForeignFunction {
  let signature: ForeignSignature | undefined
  return {
    name: tool.name,
    get parameters() {
      return tool.signature.parameters.map((parameter) => parameter.name)
    },
    get signature() {
      signature ??= foreignSignature(tool)
      const isDistrusted = observations?.isDistrusted(tool.server.source.name, tool.tool) === true
      return isDistrusted ? { ...signature, returns: ANY } : signature
    },
  }
}

function foreignSignature({ signature, tool }: BoundTool): ForeignSignature {
  const { parameters, extra, returns } = signature
  return {
    parameters,
    ...(extra === undefined ? {} : { extra }),
    returns: hasMedia(tool) ? ANY : returns,
    problemsWith: (key, value, notation) => problemsWith(tool, key, value, notation),
  }
}

/** Where a tool repeats its pictures or files in its structured content, programs get records in place of them. */
function hasMedia({ outputSchema }: Tool): boolean {
  return (
    outputSchema !== undefined &&
    /"mimeType":.*"(?:data|blob)":|"(?:data|blob)":.*"mimeType":/.test(JSON.stringify(outputSchema))
  )
}

/** Keywords that make one argument depend on another. */
const DEPENDENT = ['if', 'then', 'else', 'not', 'anyOf', 'oneOf', 'allOf', 'dependencies', 'dependentSchemas', '$ref']

const alone = new WeakMap<Tool, Tool>()

/** The same tool with optional arguments, so that each can be checked alone. */
function withOptionalArguments(tool: Tool): Tool {
  let made = alone.get(tool)
  if (made === undefined) {
    const { required: _, ...schema } = tool.inputSchema as Readonly<Record<string, unknown>>
    made = { ...tool, inputSchema: schema }
    alone.set(tool, made)
  }
  return made
}

function problemsWith(tool: Tool, key: string, value: unknown, notation: Notation): readonly string[] {
  const schema = tool.inputSchema
  if (!isObject(schema) || DEPENDENT.some((word) => schema[word] !== undefined)) return []
  return problemsWithValue(withOptionalArguments(tool), key, value, notation)
}
