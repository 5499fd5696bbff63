// A conversation as a person reads it: texts, reasoning, numbered calls and their answers, in their order. The terminal
// and the page show the same parts.
// Invariant: a call and its answer have the same number, whatever ids the model chose.

import type { ContentBlock, ToolCall, ToolMessage } from '../conversation.js'
import type { AgentTrace } from './kept-trace.js'

/**
 * A part of a conversation, with a heading and a text. Calls are numbered from 1, and an answer has the number of its
 * call; `gap` stands for messages that are not kept. `pictures`: the addresses of its pictures, whatever they are.
 *
 * @example
 * import { type TracePart, traceParts } from 'starbind/agent'
 *
 * const messages = [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }] as const
 * const parts: readonly TracePart[] = traceParts({ messages, omitted: 0 })
 * console.log(parts.map(({ title, text }) => `${title}: ${text}`))
 */
export interface TracePart {
  readonly kind: 'system' | 'user' | 'assistant' | 'reasoning' | 'call' | 'answer' | 'failure' | 'gap'
  readonly title: string
  readonly text: string
  readonly pictures?: readonly string[]
}

/**
 * The parts of a conversation.
 *
 * @example
 * import { CodeMode } from 'starbind'
 * import { showTrace, traceParts } from 'starbind/agent'
 *
 * await using codeMode = await CodeMode.open({ state: '.starbind' })
 * const calls = traceParts(await showTrace(codeMode, 'agent-1')).filter(({ kind }) => kind === 'call')
 * for (const { title, text } of calls) console.log(title, text)
 */
export function traceParts({ messages, omitted }: Pick<AgentTrace, 'messages' | 'omitted'>): TracePart[] {
  /** The headings of calls by their ids. */
  const titles = new Map<string, string>()
  let calls = 0
  const call = ({ id, function: { name, arguments: given } }: ToolCall): TracePart => {
    const title = `#${++calls} ${name}`
    titles.set(id, title)
    return { kind: 'call', title, text: argumentsText(given) }
  }
  const answer = ({ tool_call_id: id, is_error: isError, content }: ToolMessage): TracePart => {
    const title = titles.get(id)
    const heading = title === undefined ? 'an answer without a call' : `answer to ${title}`
    return {
      kind: isError ? 'failure' : 'answer',
      title: isError ? `${heading}, failed` : heading,
      ...shownOf(content),
    }
  }
  return messages.flatMap((message, i): TracePart[] => {
    const isAfterGap = omitted > 0 && i === messages.length / 2
    const gap: TracePart[] = isAfterGap ? [{ kind: 'gap', title: '…', text: `${omitted} messages are not kept` }] : []
    const { role } = message
    if (role === 'tool') return [...gap, answer(message)]
    const shown = shownOf(message.content)
    const said: TracePart[] = shown.text === '' ? [] : [{ kind: role, title: role, ...shown }]
    if (role !== 'assistant') return [...gap, ...said]
    const reasoning = message.reasoning_content?.trim() ?? ''
    const thought: TracePart[] = reasoning === '' ? [] : [{ kind: 'reasoning', title: 'reasoning', text: reasoning }]
    return [...gap, ...thought, ...said, ...(message.tool_calls ?? []).map(call)]
  })
}

function shownOf(blocks: readonly ContentBlock[]): Pick<TracePart, 'text' | 'pictures'> {
  const pictures = blocks.flatMap((block) => (block.type === 'image_url' ? [block.image_url.url] : []))
  return { text: blocks.map(blockText).join('\n'), ...(pictures.length === 0 ? {} : { pictures }) }
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'image_url':
      return `[a picture: ${address(block.image_url.url)}]`
    case 'input_audio':
      return `[sound: ${block.input_audio.format}]`
    case 'file':
      return `[a file: ${block.file.filename ?? block.file.file_id ?? address(block.file.file_data ?? '')}]`
  }
}

/** Of a data URI its type alone. */
function address(uri: string): string {
  return /^data:([^;,]{0,100})/.exec(uri)?.[1] ?? uri
}

/**
 * Arguments with a line for each, and texts of several lines, such as programs, below their name. What is no JSON object
 * stays as it is.
 */
function argumentsText(raw: string): string {
  const given = objectIn(raw)
  if (given === undefined) return raw
  return Object.entries(given)
    .map(([name, value]) => {
      if (typeof value !== 'string' || !value.includes('\n')) return `${name}: ${JSON.stringify(value, null, 2)}`
      return [
        `${name}:`,
        ...value
          .trimEnd()
          .split('\n')
          .map((line) => `  ${line}`),
      ].join('\n')
    })
    .join('\n')
}

function objectIn(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
