// The definitions of the meta-tools in the shapes that the interfaces of language models take. Knows shapes, not words.

import { type MetaToolDefinition, metaTools } from './definitions.js'

/** As in MCP's `tools/list`. */
export type McpDefinition = MetaToolDefinition

/** As in the `tools` of OpenAI's Chat Completions. */
export interface OpenAiDefinition {
  readonly type: 'function'
  readonly function: { readonly name: string; readonly description: string; readonly parameters: object }
}

/** As in the `tools` of Anthropic's Messages. */
export interface AnthropicDefinition {
  readonly name: string
  readonly description: string
  readonly input_schema: MetaToolDefinition['inputSchema']
}

export interface DefinitionFormats {
  readonly mcp: McpDefinition
  readonly openai: OpenAiDefinition
  readonly anthropic: AnthropicDefinition
}

export type DefinitionFormat = keyof DefinitionFormats

const shapes: { readonly [F in DefinitionFormat]: (tool: MetaToolDefinition) => DefinitionFormats[F] } = {
  mcp: (tool) => tool,
  openai: ({ name, description, inputSchema }) => ({
    type: 'function',
    function: { name, description, parameters: inputSchema },
  }),
  anthropic: ({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema }),
}

/** The four definitions, ready for the `tools` of a request. */
export function definitionsFor<F extends DefinitionFormat>(format: F): DefinitionFormats[F][] {
  return metaTools.map(shapes[format])
}
