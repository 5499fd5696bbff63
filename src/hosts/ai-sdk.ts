// The meta-tools for Vercel's AI SDK, whose tools execute themselves.
// Invariant: every major version since 5 can read the input schema. Newer versions read it through Standard Schema,
// older ones through the SDK's symbol.

import type { Answer, JsonSchema, MetaToolName } from '../index.js'
import type { MetaToolSource } from './meta-tool-source.js'
import { shownFiles } from './shown-files.js'

type Input = Record<string, unknown>

/**
 * A Standard Schema that also returns itself as JSON Schema. It accepts every object, because the meta-tools validate
 * their own arguments.
 *
 * @example
 * import { CodeMode } from 'starbind'
 * import { aiSdkTools, type InputSchema } from 'starbind/ai-sdk'
 *
 * await using codeMode = await CodeMode.open()
 * const schema: InputSchema = aiSdkTools(codeMode).readToolFile.inputSchema
 * console.log(schema['~standard'].jsonSchema.input())
 */
export interface InputSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: 'starbind'
    readonly validate: (value: unknown) => { readonly value: Input }
    readonly jsonSchema: { readonly input: () => JsonSchema; readonly output: () => JsonSchema }
    readonly types?: { readonly input: Input; readonly output: Input }
  }
}

/**
 * A tool of the AI SDK.
 *
 * @example
 * import { CodeMode } from 'starbind'
 * import { type AiSdkTool, aiSdkTools } from 'starbind/ai-sdk'
 *
 * await using codeMode = await CodeMode.open()
 * const { executeToolCode }: Record<string, AiSdkTool> = aiSdkTools(codeMode)
 * console.log(await executeToolCode?.execute({ code: 'result = 6 * 7' }, {}))
 */
export interface AiSdkTool {
  description: string
  inputSchema: InputSchema
  /** Resolves to the answer's text, also if the call was wrong; to text and files if there are pictures or PDFs. */
  execute(input: Input, options: { readonly abortSignal?: AbortSignal | undefined }): Promise<AiSdkOutput>
  /** The part for the model. Takes the output (version 5 of the SDK) or an object that has it (later versions). */
  toModelOutput(output: unknown): AiSdkModelOutput
}

type AiSdkOutput = string | { text: string; files: { data: string; mediaType: string }[] }

type AiSdkModelOutput =
  | { type: 'text'; value: string }
  | {
      type: 'content'
      value: ({ type: 'text'; text: string } | { type: 'media'; data: string; mediaType: string })[]
    }

/**
 * The four meta-tools as a tool set of Vercel's AI SDK.
 *
 * @example
 * import { generateText, type LanguageModel, stepCountIs } from 'ai'
 * import { CodeMode } from 'starbind'
 * import { aiSdkTools } from 'starbind/ai-sdk'
 *
 * declare const model: LanguageModel
 * await using codeMode = await CodeMode.open({ servers: { files: { command: 'my-mcp-server' } } })
 * const { text } = await generateText({
 *   model,
 *   tools: aiSdkTools(codeMode),
 *   stopWhen: stepCountIs(10),
 *   prompt: 'How many open orders are there?',
 * })
 */
export function aiSdkTools(source: MetaToolSource): Record<MetaToolName, AiSdkTool> {
  const tools = source.tools('mcp').map(({ name, description, inputSchema }): [MetaToolName, AiSdkTool] => [
    name,
    {
      description,
      inputSchema: schemaOf({ ...inputSchema, additionalProperties: false }),
      execute: async (input, { abortSignal }) =>
        outputOf(await source.call(name, input, abortSignal === undefined ? {} : { signal: abortSignal })),
      toModelOutput: (given) => {
        const isOutput = typeof given === 'string' || Object.hasOwn(given as object, 'files')
        return modelOutput(isOutput ? (given as AiSdkOutput) : (given as { readonly output: AiSdkOutput }).output)
      },
    },
  ])
  return Object.fromEntries(tools) as Record<MetaToolName, AiSdkTool>
}

function outputOf(answer: Answer): AiSdkOutput {
  const files = shownFiles(answer).map(({ data, mimeType }) => ({ data, mediaType: mimeType }))
  return files.length === 0 ? answer.text : { text: answer.text, files }
}

function modelOutput(output: AiSdkOutput): AiSdkModelOutput {
  if (typeof output === 'string') return { type: 'text', value: output }
  const media = output.files.map((file) => ({ type: 'media' as const, ...file }))
  return { type: 'content', value: [{ type: 'text', text: output.text }, ...media] }
}

function schemaOf(jsonSchema: JsonSchema): InputSchema {
  const standard: InputSchema = {
    '~standard': {
      version: 1,
      vendor: 'starbind',
      validate: (value) => ({ value: value as Input }),
      jsonSchema: { input: () => jsonSchema, output: () => jsonSchema },
    },
  }
  return Object.assign(standard, { [Symbol.for('vercel.ai.schema')]: true, jsonSchema, validate: undefined })
}
