// The meta-tools in the format of LangChain's chat models.

import type { Answer, CallOptions, OpenAiDefinition } from '../index.js'
import { answering, type MetaToolSource } from './meta-tool-source.js'
import { dataUrl, shownFiles } from './shown-files.js'

/**
 * One of `message.tool_calls`.
 *
 * @example
 * import { CodeMode } from 'starbind'
 * import { type LangChainToolCall, langchainTools } from 'starbind/langchain'
 *
 * await using codeMode = await CodeMode.open()
 * const call: LangChainToolCall = { id: 'call_1', name: 'executeToolCode', args: { code: 'result = 6 * 7' } }
 * console.log(await langchainTools(codeMode).answer([call]))
 */
export interface LangChainToolCall {
  readonly id?: string
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

/**
 * The input of LangChain's `ToolMessage`.
 *
 * @example
 * import { CodeMode } from 'starbind'
 * import { type LangChainToolMessage, langchainTools } from 'starbind/langchain'
 *
 * await using codeMode = await CodeMode.open()
 * const call = { id: 'call_1', name: 'executeToolCode', args: { code: 'print(1 // 0)' } }
 * const messages: LangChainToolMessage[] = await langchainTools(codeMode).answer([call])
 * console.log(messages.filter(({ status }) => status === 'error').map(({ content }) => content))
 */
// A type, because LangChain takes records, and an interface is not assignable to a record.
export type LangChainToolMessage = {
  role: 'tool'
  tool_call_id: string
  name: string
  /** A text; with pictures a list, in which the text is first. */
  content: string | LangChainContent[]
  status: 'success' | 'error'
}

/**
 * A part of a tool's message: text or a picture.
 *
 * @example
 * import { CodeMode } from 'starbind'
 * import { type LangChainContent, langchainTools } from 'starbind/langchain'
 *
 * await using codeMode = await CodeMode.open()
 * const call = { id: 'call_1', name: 'readToolFile', args: { fileName: 'results/chart.png' } }
 * const [message] = await langchainTools(codeMode).answer([call])
 * const parts: LangChainContent[] = typeof message?.content === 'object' ? message.content : []
 * console.log(parts.map(({ type }) => type))
 */
export type LangChainContent = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } }

/**
 * The meta-tools in the format of LangChain's chat models.
 *
 * @example
 * import { CodeMode } from 'starbind'
 * import { type LangChainTools, langchainTools } from 'starbind/langchain'
 *
 * await using codeMode = await CodeMode.open()
 * const { tools, answer }: LangChainTools = langchainTools(codeMode)
 * console.log(tools.map((tool) => tool.function.name), await answer(undefined))
 */
export interface LangChainTools {
  /** For `model.bindTools(tools)`. */
  readonly tools: OpenAiDefinition[]
  /**
   * Answers `message.tool_calls`: one message for each, in their order. A wrong call gets an answer, too.
   */
  answer(calls: readonly LangChainToolCall[] | undefined, options?: CallOptions): Promise<LangChainToolMessage[]>
}

/**
 * The four meta-tools for LangChain's chat models.
 *
 * @example
 * import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
 * import { type BaseMessageLike } from '@langchain/core/messages'
 * import { CodeMode } from 'starbind'
 * import { langchainTools } from 'starbind/langchain'
 *
 * declare const model: BaseChatModel
 * await using codeMode = await CodeMode.open({ servers: { files: { command: 'my-mcp-server' } } })
 * const { tools, answer } = langchainTools(codeMode)
 * const messages: BaseMessageLike[] = [{ role: 'user', content: 'How many open orders are there?' }]
 * for (;;) {
 *   const message = await model.bindTools!(tools).invoke(messages)
 *   const answers = await answer(message.tool_calls)
 *   if (answers.length === 0) break
 *   messages.push(message, ...answers)
 * }
 */
export function langchainTools(source: MetaToolSource): LangChainTools {
  return {
    tools: source.tools('openai'),
    answer: answering(source, {
      read: ({ name, args }) => ({ name, args }),
      write: ({ id = '', name }, answer): LangChainToolMessage => ({
        role: 'tool',
        tool_call_id: id,
        name,
        content: contentOf(answer),
        status: answer.isError ? 'error' : 'success',
      }),
    }),
  }
}

function contentOf(answer: Answer): LangChainToolMessage['content'] {
  const images = shownFiles(answer).filter(({ kind }) => kind === 'image')
  if (images.length === 0) return answer.text
  const shown = images.map((image): LangChainContent => ({ type: 'image_url', image_url: { url: dataUrl(image) } }))
  return [{ type: 'text', text: answer.text }, ...shown]
}
