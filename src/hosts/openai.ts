// The meta-tools in the formats of OpenAI's Chat Completions, whose tools answer with text only, and Responses.
// Invariant: every call gets an answer, because the API refuses a conversation with an unanswered call.

import type { Answer, CallOptions, OpenAiDefinition, OpenAiResponsesDefinition } from '../index.js'
import { answering, type MetaToolSource } from './meta-tool-source.js'
import { dataUrl, type ShownFile, shownFiles } from './shown-files.js'

/**
 * One of `message.tool_calls`.
 *
 * @example
 * import { CodeMode } from 'starbind'
 * import { type ChatToolCall, openaiChat } from 'starbind/openai'
 *
 * await using codeMode = await CodeMode.open()
 * const made = { name: 'executeToolCode', arguments: '{"code":"result = 6 * 7"}' }
 * const call: ChatToolCall = { id: 'call_1', type: 'function', function: made }
 * console.log(await openaiChat(codeMode).answer([call]))
 */
export interface ChatToolCall {
  readonly id: string
  readonly type: string
  readonly function?: { readonly name: string; readonly arguments: string }
}

/**
 * An entry of `messages` after the message with the calls.
 *
 * @example
 * import { CodeMode } from 'starbind'
 * import { type ChatToolMessage, openaiChat } from 'starbind/openai'
 *
 * await using codeMode = await CodeMode.open()
 * const call = { id: 'call_1', type: 'function', function: { name: 'listToolFiles', arguments: '{}' } }
 * const messages: ChatToolMessage[] = await openaiChat(codeMode).answer([call])
 * for (const { tool_call_id, content } of messages) console.log(tool_call_id, content)
 */
export interface ChatToolMessage {
  role: 'tool'
  tool_call_id: string
  content: string
}

/**
 * The meta-tools in the format of Chat Completions.
 *
 * @example
 * import { CodeMode } from 'starbind'
 * import { type ChatTools, openaiChat } from 'starbind/openai'
 *
 * await using codeMode = await CodeMode.open()
 * const { tools, answer }: ChatTools = openaiChat(codeMode)
 * console.log(tools.map((tool) => tool.function.name), await answer(undefined))
 */
export interface ChatTools {
  /** For `tools` of the request. */
  readonly tools: OpenAiDefinition[]
  /**
   * Answers `message.tool_calls`: one message for each, in their order. A wrong call gets an answer, too; this rejects
   * only if starbind itself fails.
   */
  answer(calls: readonly ChatToolCall[] | null | undefined, options?: CallOptions): Promise<ChatToolMessage[]>
}

/**
 * The four meta-tools for OpenAI's Chat Completions and the many servers that use its format.
 *
 * @example
 * import OpenAI from 'openai'
 * import { CodeMode } from 'starbind'
 * import { openaiChat } from 'starbind/openai'
 *
 * await using codeMode = await CodeMode.open({ servers: { files: { command: 'my-mcp-server' } } })
 * const { tools, answer } = openaiChat(codeMode)
 * const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'How many open orders are there?' }]
 * for (;;) {
 *   const completion = await new OpenAI().chat.completions.create({ model: 'gpt-5.4', messages, tools })
 *   const message = completion.choices[0]!.message
 *   messages.push(message, ...(await answer(message.tool_calls)))
 *   if (!message.tool_calls) break
 * }
 */
export function openaiChat(source: MetaToolSource): ChatTools {
  return {
    tools: source.tools('openai'),
    answer: answering(source, {
      read: (call) => ({ name: call.function?.name ?? call.type, args: call.function?.arguments ?? '' }),
      write: (call, { text }): ChatToolMessage => ({ role: 'tool', tool_call_id: call.id, content: text }),
    }),
  }
}

/**
 * One item of `response.output`. Only function calls are answered.
 *
 * @example
 * import { CodeMode } from 'starbind'
 * import { openaiResponses, type ResponseItem } from 'starbind/openai'
 *
 * await using codeMode = await CodeMode.open()
 * const item: ResponseItem = { type: 'function_call', call_id: 'call_1', name: 'listToolFiles', arguments: '{}' }
 * console.log(await openaiResponses(codeMode).answer([{ type: 'reasoning' }, item]))
 */
export interface ResponseItem {
  readonly type: string
  readonly call_id?: string | null
  readonly name?: string | null
  readonly arguments?: unknown
}

/**
 * An entry of `input` after the output with the calls.
 *
 * @example
 * import { CodeMode } from 'starbind'
 * import { openaiResponses, type ResponseToolOutput } from 'starbind/openai'
 *
 * await using codeMode = await CodeMode.open()
 * const item = { type: 'function_call', call_id: 'call_1', name: 'listToolFiles', arguments: '{}' }
 * const outputs: ResponseToolOutput[] = await openaiResponses(codeMode).answer([item])
 * for (const { call_id, output } of outputs) console.log(call_id, output)
 */
export interface ResponseToolOutput {
  type: 'function_call_output'
  call_id: string
  /** A text; with pictures and PDFs a list, in which the text is first. */
  output: string | ResponseOutputPart[]
}

/**
 * A part of a function call's output: text, a picture or a PDF.
 *
 * @example
 * import { CodeMode } from 'starbind'
 * import { openaiResponses, type ResponseOutputPart } from 'starbind/openai'
 *
 * await using codeMode = await CodeMode.open()
 * const item = { type: 'function_call', call_id: 'call_1', name: 'readToolFile', arguments: '{"fileName":"results/a.png"}' }
 * const [answer] = await openaiResponses(codeMode).answer([item])
 * const parts: ResponseOutputPart[] = typeof answer?.output === 'object' ? answer.output : []
 * console.log(parts.map(({ type }) => type))
 */
export type ResponseOutputPart =
  | { type: 'input_text'; text: string }
  | { type: 'input_image'; image_url: string; detail: 'auto' }
  | { type: 'input_file'; filename: string; file_data: string }

/**
 * The meta-tools in the format of Responses.
 *
 * @example
 * import { CodeMode } from 'starbind'
 * import { openaiResponses, type ResponsesTools } from 'starbind/openai'
 *
 * await using codeMode = await CodeMode.open()
 * const { tools, answer }: ResponsesTools = openaiResponses(codeMode)
 * console.log(tools.map((tool) => tool.name), await answer([]))
 */
export interface ResponsesTools {
  /** For `tools` of the request. */
  readonly tools: OpenAiResponsesDefinition[]
  /**
   * Answers the function calls in `response.output`: one item for each, in their order. A wrong call gets an answer,
   * too.
   */
  answer(output: readonly ResponseItem[], options?: CallOptions): Promise<ResponseToolOutput[]>
}

/**
 * The four meta-tools for OpenAI's Responses.
 *
 * @example
 * import OpenAI from 'openai'
 * import { CodeMode } from 'starbind'
 * import { openaiResponses } from 'starbind/openai'
 *
 * await using codeMode = await CodeMode.open({ servers: { files: { command: 'my-mcp-server' } } })
 * const { tools, answer } = openaiResponses(codeMode)
 * const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'How many open orders are there?' }]
 * for (;;) {
 *   const response = await new OpenAI().responses.create({ model: 'gpt-5.4', input, tools })
 *   const answers = await answer(response.output)
 *   if (answers.length === 0) break
 *   input.push(...(response.output as OpenAI.Responses.ResponseInput), ...answers)
 * }
 */
export function openaiResponses(source: MetaToolSource): ResponsesTools {
  return {
    tools: source.tools('openai-responses'),
    answer: answering(source, {
      isCall: (item) => item.type === 'function_call',
      read: (item) => ({ name: item.name ?? '', args: typeof item.arguments === 'string' ? item.arguments : '' }),
      write: (item, answer): ResponseToolOutput => ({
        type: 'function_call_output',
        call_id: item.call_id ?? '',
        output: outputOf(answer),
      }),
    }),
  }
}

function outputOf(answer: Answer): ResponseToolOutput['output'] {
  const files = shownFiles(answer)
  return files.length === 0 ? answer.text : [{ type: 'input_text', text: answer.text }, ...files.map(partOf)]
}

function partOf(file: ShownFile): ResponseOutputPart {
  return file.kind === 'image'
    ? { type: 'input_image', image_url: dataUrl(file), detail: 'auto' }
    : { type: 'input_file', filename: file.name, file_data: dataUrl(file) }
}
