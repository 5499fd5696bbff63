// The definitions of the meta-tools in the shapes that the interfaces of language models take. Knows shapes, not words.

import { type MetaToolDefinition, type MetaToolName, metaTools } from './definitions.js'

/** As in MCP's `tools/list`. */
export type McpDefinition = MetaToolDefinition

/** A JSON Schema, as open as the interfaces that take one declare it. */
export type JsonSchema = Record<string, unknown>

/** As in the `tools` of OpenAI's Chat Completions. */
export interface OpenAiDefinition {
  readonly type: 'function'
  readonly function: { readonly name: MetaToolName; readonly description: string; readonly parameters: JsonSchema }
}

/** As in the `tools` of OpenAI's Responses. */
export interface OpenAiResponsesDefinition {
  readonly type: 'function'
  readonly name: MetaToolName
  readonly description: string
  readonly parameters: JsonSchema
  /** The optional parameters are not what OpenAI calls strict. */
  readonly strict: false
}

/** As in the `tools` of Anthropic's Messages. */
export interface AnthropicDefinition {
  readonly name: MetaToolName
  readonly description: string
  readonly input_schema: JsonSchema & MetaToolDefinition['inputSchema']
}

/** As in the `functionDeclarations` of Google's Gemini. */
export interface GeminiDefinition {
  readonly name: MetaToolName
  readonly description: string
  readonly parametersJsonSchema: JsonSchema
}

/** A definition in the shape of each interface. */
export interface DefinitionFormats {
  readonly mcp: McpDefinition
  readonly openai: OpenAiDefinition
  readonly 'openai-responses': OpenAiResponsesDefinition
  readonly anthropic: AnthropicDefinition
  readonly gemini: GeminiDefinition
}

/** An interface of models that the definitions can be written for. */
export type DefinitionFormat = keyof DefinitionFormats

const shapes: { readonly [F in DefinitionFormat]: (tool: MetaToolDefinition) => DefinitionFormats[F] } = {
  mcp: (tool) => tool,
  openai: ({ name, description, inputSchema }) => ({
    type: 'function',
    function: { name, description, parameters: { ...inputSchema } },
  }),
  'openai-responses': ({ name, description, inputSchema }) => ({
    type: 'function',
    name,
    description,
    parameters: { ...inputSchema },
    strict: false,
  }),
  anthropic: ({ name, description, inputSchema }) => ({ name, description, input_schema: { ...inputSchema } }),
  gemini: ({ name, description, inputSchema }) => ({ name, description, parametersJsonSchema: { ...inputSchema } }),
}

/** The four definitions, ready for the `tools` of a request. */
export function definitionsFor<F extends DefinitionFormat>(format: F): DefinitionFormats[F][] {
  return metaTools.map(shapes[format])
}
