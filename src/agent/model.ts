// A model as the loop sees it: a function from a request to a reply. An endpoint is one such function.

import { z } from 'zod'
import type { AssistantMessage, Message } from './conversation.js'
import { amount, count, type Declared, record, someCount, someText, text } from './option.js'

/**
 * A tool as a model sees it.
 *
 * @example
 * import type { ToolDefinition } from 'starbind/agent'
 *
 * export const tool: ToolDefinition = {
 *   name: 'ask_person',
 *   description: 'Asks the person at the screen.',
 *   parameters: { type: 'object', properties: { question: { type: 'string' } }, required: ['question'] },
 * }
 */
export interface ToolDefinition {
  readonly name: string
  readonly description?: string
  /** A JSON Schema of type object. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** True: the endpoint makes sure that arguments fit the schema, if it can. */
  readonly strict?: boolean
}

/**
 * Parameters of a request in the words of Chat Completions, which endpoints get as they are: `temperature`, `top_p`,
 * `max_tokens`, `seed`, `stop`, `reasoning_effort`, `parallel_tool_calls` and any other. They are the same in every
 * request of a run.
 *
 * @example
 * import type { ModelSettings } from 'starbind/agent'
 *
 * export const careful: ModelSettings = { temperature: 0, seed: 7 }
 */
export type ModelSettings = Readonly<Record<string, unknown>>

/**
 * Which tools a model may or must call.
 *
 * @example
 * import type { ToolChoice } from 'starbind/agent'
 *
 * export const choice: ToolChoice = { name: 'executeToolCode' }
 */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

/**
 * One request to a model.
 *
 * @example
 * import type { ModelRequest } from 'starbind/agent'
 *
 * export const sizeOf = ({ messages, tools }: ModelRequest) => JSON.stringify([messages, tools]).length
 */
export interface ModelRequest {
  readonly messages: readonly Message[]
  /** Empty: the model can only answer. */
  readonly tools: readonly ToolDefinition[]
  readonly toolChoice?: ToolChoice | undefined
  readonly settings: ModelSettings
}

/**
 * The tokens of one reply.
 *
 * @example
 * import type { ReplyTokens } from 'starbind/agent'
 *
 * export const total = ({ input, output }: ReplyTokens) => input + output
 */
export interface ReplyTokens {
  readonly input: number
  readonly output: number
  /** The part of `input` that came from the provider's cache. */
  readonly cached?: number
  /** The part of `output` that is reasoning. */
  readonly reasoning?: number
}

/**
 * A model's reply to one request. `finish` is as in Chat Completions: `stop`, `tool_calls`, `length`, `content_filter`.
 *
 * @example
 * import type { ModelReply } from 'starbind/agent'
 *
 * export const reply: ModelReply = {
 *   message: { role: 'assistant', content: [{ type: 'text', text: 'Forty-two.' }] },
 *   finish: 'stop',
 *   tokens: { input: 12, output: 4 },
 * }
 */
export interface ModelReply {
  readonly message: AssistantMessage
  readonly finish: string
  readonly tokens?: ReplyTokens | undefined
  /** The model's name, where the endpoint says it. */
  readonly model?: string | undefined
}

/**
 * A piece of a reply that is still being written.
 *
 * @example
 * import type { ModelDelta } from 'starbind/agent'
 *
 * export const show = ({ type, text }: ModelDelta) => type === 'text' && process.stdout.write(text)
 */
export interface ModelDelta {
  readonly type: 'text' | 'reasoning'
  readonly text: string
}

/**
 * The circumstances of one request.
 *
 * @example
 * import type { ModelFunction, RequestContext } from 'starbind/agent'
 *
 * export const echo: ModelFunction = async (_request, { onDelta }: RequestContext) => {
 *   onDelta({ type: 'text', text: 'hello' })
 *   return { message: { role: 'assistant', content: [{ type: 'text', text: 'hello' }] }, finish: 'stop' }
 * }
 */
export interface RequestContext {
  /** Aborts when the reply is no longer needed. */
  readonly signal: AbortSignal
  /**
   * Takes the pieces of the reply as they come. A model that can't stream never calls it. A promise that it returns is
   * fulfilled when the listener can take more.
   */
  readonly onDelta: (delta: ModelDelta) => Promise<void> | undefined
}

/**
 * A model: a function from a request to a reply. A rejection ends the run with `why: 'failed'`.
 *
 * @example
 * import { CodeMode } from 'starbind'
 * import { createAgent, type ModelFunction } from 'starbind/agent'
 *
 * const model: ModelFunction = async ({ messages }) => ({
 *   message: { role: 'assistant', content: [{ type: 'text', text: `${messages.length} messages` }] },
 *   finish: 'stop',
 * })
 * await using codeMode = await CodeMode.open()
 * console.log((await createAgent({ codeMode, model }).run('How long is this conversation?')).text)
 */
export type ModelFunction = (request: ModelRequest, context: RequestContext) => Promise<ModelReply>

/** The schema of `Prices`. */
export const prices = z.strictObject(
  { input: amount, output: amount, cached: amount.optional() },
  { error: 'an object with the prices input and output' },
)

/**
 * What tokens cost, per million, in any currency. Without `cached` such tokens cost as much as other input.
 *
 * @example
 * import type { Prices } from 'starbind/agent'
 *
 * export const prices: Prices = { input: 1.25, cached: 0.125, output: 10 }
 */
export interface Prices extends Declared<typeof prices> {}

/** The schema of `ModelEndpoint`. */
export const modelEndpoint = z.strictObject(
  {
    /** The address in front of `/chat/completions`, with its version: `https://api.openai.com/v1`. */
    baseUrl: text.refine((value) => /^https?:/.test(value) && URL.canParse(value), {
      error: 'an http or https URL',
    }),
    /** Absent: none is sent. */
    apiKey: text.optional(),
    /** The model's name at the endpoint. */
    name: someText,
    headers: record(text, 'an object whose values are strings').optional(),
    /** For each request; those of the agent override them. */
    settings: (record() as z.ZodType<ModelSettings>).optional(),
    prices: (prices as z.ZodType<Prices>).optional(),
    /** The longest that a reply may be awaited without a byte. Default 120,000. */
    timeoutMs: someCount.optional(),
    /** How often a request is sent again that was refused for now (429, 5xx) or lost. Default 2. */
    retries: count.optional(),
  },
  { error: 'a function, or an object with baseUrl and name' },
)

/**
 * A model behind an OpenAI-compatible endpoint. Needs the package `openai`.
 *
 * @example
 * import { CodeMode } from 'starbind'
 * import { createAgent, type ModelEndpoint } from 'starbind/agent'
 *
 * const model: ModelEndpoint = { baseUrl: 'http://127.0.0.1:11434/v1', name: 'qwen3' }
 * await using codeMode = await CodeMode.open({ servers: { files: { command: 'my-mcp-server' } } })
 * console.log((await createAgent({ codeMode, model }).run('Which files are there?')).text)
 */
export interface ModelEndpoint extends Declared<typeof modelEndpoint> {}
