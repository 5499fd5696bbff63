// The meta-tools in the format of Anthropic's Messages.

import type { Answer, AnthropicDefinition, CallOptions } from '../index.js'
import { answering, type MetaToolSource } from './meta-tool-source.js'
import { type ShownFile, shownFiles } from './shown-files.js'

/**
 * One block of `message.content`. Only `tool_use` blocks are answered.
 *
 * @example
 * import { CodeMode } from 'starbind'
 * import { anthropicMessages, type MessageBlock } from 'starbind/anthropic'
 *
 * await using codeMode = await CodeMode.open()
 * const block: MessageBlock = { type: 'tool_use', id: 'toolu_1', name: 'executeToolCode', input: { code: 'result = 6 * 7' } }
 * console.log(await anthropicMessages(codeMode).answer([{ type: 'text' }, block]))
 */
export interface MessageBlock {
  readonly type: string
  readonly id?: string
  readonly name?: string
  readonly input?: unknown
}

/**
 * The content of the next user message.
 *
 * @example
 * import { CodeMode } from 'starbind'
 * import { anthropicMessages, type ToolResultBlock } from 'starbind/anthropic'
 *
 * await using codeMode = await CodeMode.open()
 * const call = { type: 'tool_use', id: 'toolu_1', name: 'executeToolCode', input: { code: 'print(1 // 0)' } }
 * const [block]: ToolResultBlock[] = await anthropicMessages(codeMode).answer([call])
 * if (block?.is_error) console.log(block.content)
 */
export interface ToolResultBlock {
  type: 'tool_result'
  tool_use_id: string
  /** A text; with pictures and PDFs a list, in which the text is first. */
  content: string | ToolResultContent[]
  is_error: boolean
}

/**
 * A part of a tool's result: text, a picture or a PDF.
 *
 * @example
 * import { CodeMode } from 'starbind'
 * import { anthropicMessages, type ToolResultContent } from 'starbind/anthropic'
 *
 * await using codeMode = await CodeMode.open()
 * const call = { type: 'tool_use', id: 'toolu_1', name: 'readToolFile', input: { fileName: 'results/chart.png' } }
 * const [block] = await anthropicMessages(codeMode).answer([call])
 * const parts: ToolResultContent[] = typeof block?.content === 'object' ? block.content : []
 * console.log(parts.map(({ type }) => type))
 */
export type ToolResultContent =
  | { type: 'text'; text: string }
  | {
      type: 'image'
      source: { type: 'base64'; media_type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'; data: string }
    }
  | { type: 'document'; source: { type: 'base64'; media_type: 'application/pdf'; data: string } }

/**
 * The meta-tools in the format of Messages.
 *
 * @example
 * import { CodeMode } from 'starbind'
 * import { anthropicMessages, type MessagesTools } from 'starbind/anthropic'
 *
 * await using codeMode = await CodeMode.open()
 * const { tools, answer }: MessagesTools = anthropicMessages(codeMode)
 * console.log(tools.map((tool) => tool.name), await answer([]))
 */
export interface MessagesTools {
  /** For `tools` of the request. They never change, so put a `cache_control` on the last one. */
  readonly tools: AnthropicDefinition[]
  /**
   * Answers the `tool_use` blocks of `message.content`: one block for each, in their order. A wrong call gets an
   * answer, too.
   */
  answer(content: readonly MessageBlock[], options?: CallOptions): Promise<ToolResultBlock[]>
}

/**
 * The four meta-tools for Anthropic's Messages.
 *
 * @example
 * import Anthropic from '@anthropic-ai/sdk'
 * import { CodeMode } from 'starbind'
 * import { anthropicMessages } from 'starbind/anthropic'
 *
 * await using codeMode = await CodeMode.open({ servers: { files: { command: 'my-mcp-server' } } })
 * const { tools, answer } = anthropicMessages(codeMode)
 * const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'How many open orders are there?' }]
 * for (;;) {
 *   const message = await new Anthropic().messages.create({ model: 'claude-sonnet-5-5', max_tokens: 4096, messages, tools })
 *   messages.push({ role: 'assistant', content: message.content })
 *   if (message.stop_reason !== 'tool_use') break
 *   messages.push({ role: 'user', content: await answer(message.content) })
 * }
 */
export function anthropicMessages(source: MetaToolSource): MessagesTools {
  return {
    tools: source.tools('anthropic'),
    answer: answering(source, {
      isCall: (block) => block.type === 'tool_use',
      read: (block) => ({ name: block.name ?? '', args: (block.input ?? {}) as Readonly<Record<string, unknown>> }),
      write: (block, answer): ToolResultBlock => ({
        type: 'tool_result',
        tool_use_id: block.id ?? '',
        content: contentOf(answer),
        is_error: answer.isError,
      }),
    }),
  }
}

function contentOf(answer: Answer): ToolResultBlock['content'] {
  const files = shownFiles(answer)
  return files.length === 0 ? answer.text : [{ type: 'text', text: answer.text }, ...files.map(partOf)]
}

function partOf({ kind, mimeType, data }: ShownFile): ToolResultContent {
  const source = { type: 'base64', media_type: mimeType, data }
  return { type: kind === 'image' ? 'image' : 'document', source } as ToolResultContent
}
