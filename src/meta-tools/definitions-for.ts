// The definitions of the meta-tools in the formats of model providers.

import { type MetaToolDefinition, type MetaToolName, metaTools } from './definitions.js'

/**
 * As in MCP's `tools/list`.
 *
 * @example
 * import { CodeMode, type McpDefinition } from 'starbind'
 *
 * await using codeMode = await CodeMode.open()
 * const tools: McpDefinition[] = codeMode.tools('mcp')
 */
export type McpDefinition = MetaToolDefinition

/**
 * A JSON Schema, in the loose type that the providers' interfaces declare.
 *
 * @example
 * import { CodeMode, type JsonSchema } from 'starbind'
 *
 * await using codeMode = await CodeMode.open()
 * const schemas: JsonSchema[] = codeMode.tools('gemini').map((definition) => definition.parametersJsonSchema)
 */
export type JsonSchema = Record<string, unknown>

/**
 * As in the `tools` of OpenAI's Chat Completions.
 *
 * @example
 * import { CodeMode, type OpenAiDefinition } from 'starbind'
 *
 * await using codeMode = await CodeMode.open()
 * const tools: OpenAiDefinition[] = codeMode.tools('openai')
 */
export interface OpenAiDefinition {
  readonly type: 'function'
  readonly function: { readonly name: MetaToolName; readonly description: string; readonly parameters: JsonSchema }
}

/**
 * As in the `tools` of OpenAI's Responses.
 *
 * @example
 * import { CodeMode, type OpenAiResponsesDefinition } from 'starbind'
 *
 * await using codeMode = await CodeMode.open()
 * const tools: OpenAiResponsesDefinition[] = codeMode.tools('openai-responses')
 */
export interface OpenAiResponsesDefinition {
  readonly type: 'function'
  readonly name: MetaToolName
  readonly description: string
  readonly parameters: JsonSchema
  /** OpenAI's strict mode does not allow optional parameters. */
  readonly strict: false
}

/**
 * As in the `tools` of Anthropic's Messages.
 *
 * @example
 * import { type AnthropicDefinition, CodeMode } from 'starbind'
 *
 * await using codeMode = await CodeMode.open()
 * const tools: AnthropicDefinition[] = codeMode.tools('anthropic')
 */
export interface AnthropicDefinition {
  readonly name: MetaToolName
  readonly description: string
  readonly input_schema: JsonSchema & MetaToolDefinition['inputSchema']
}

/**
 * As in the `functionDeclarations` of Google's Gemini.
 *
 * @example
 * import { CodeMode, type GeminiDefinition } from 'starbind'
 *
 * await using codeMode = await CodeMode.open()
 * const functionDeclarations: GeminiDefinition[] = codeMode.tools('gemini')
 */
export interface GeminiDefinition {
  readonly name: MetaToolName
  readonly description: string
  readonly parametersJsonSchema: JsonSchema
}

/**
 * A definition in the shape of each interface.
 *
 * @example
 * import { CodeMode, type DefinitionFormats } from 'starbind'
 *
 * await using codeMode = await CodeMode.open()
 * const tools: DefinitionFormats['openai'][] = codeMode.tools('openai')
 */
export interface DefinitionFormats {
  readonly mcp: McpDefinition
  readonly openai: OpenAiDefinition
  readonly 'openai-responses': OpenAiResponsesDefinition
  readonly anthropic: AnthropicDefinition
  readonly gemini: GeminiDefinition
}

/**
 * A provider's interface.
 *
 * @example
 * import { CodeMode, type DefinitionFormat } from 'starbind'
 *
 * await using codeMode = await CodeMode.open()
 * const formats: DefinitionFormat[] = ['mcp', 'openai', 'openai-responses', 'anthropic', 'gemini']
 * for (const format of formats) console.log(JSON.stringify(codeMode.tools(format)).length)
 */
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
export const definitionFormats = Object.keys(shapes) as readonly DefinitionFormat[]

export function definitionsFor<F extends DefinitionFormat>(format: F): DefinitionFormats[F][] {
  return metaTools.map(shapes[format])
}
