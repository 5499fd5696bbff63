// A conversation with a model: messages in the shape of OpenAI's Chat Completions, whose content is always a list of
// typed blocks.
// Invariant: every tool message answers one call of the assistant message before it, by its id.

/**
 * A text in a message.
 *
 * @example
 * import type { TextBlock } from 'starbind/agent'
 *
 * export const textOf = (blocks: readonly TextBlock[]) => blocks.map(({ text }) => text).join('\n')
 */
export interface TextBlock {
  readonly type: 'text'
  readonly text: string
}

/**
 * A part of a message: text, a picture (a data URI or an address), sound or a file (its content, or its id at the
 * model's provider).
 *
 * @example
 * import type { ContentBlock } from 'starbind/agent'
 *
 * export const picture: ContentBlock = { type: 'image_url', image_url: { url: 'https://example.com/chart.png' } }
 */
export type ContentBlock =
  | TextBlock
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string; readonly detail?: string } }
  | { readonly type: 'input_audio'; readonly input_audio: { readonly data: string; readonly format: string } }
  | {
      readonly type: 'file'
      readonly file: { readonly filename?: string; readonly file_data?: string; readonly file_id?: string }
    }

/**
 * A model's call of a tool.
 *
 * @example
 * import type { ToolCall } from 'starbind/agent'
 *
 * export const named = ({ id, function: { name } }: ToolCall) => `${name} (${id})`
 */
export interface ToolCall {
  readonly id: string
  readonly type: 'function'
  /** `arguments`: the JSON text that the model wrote. It may be no JSON. */
  readonly function: { readonly name: string; readonly arguments: string }
  /** What the model's provider wants back with the call, such as a signature of its reasoning. */
  readonly extra_content?: Readonly<Record<string, unknown>>
}

/**
 * What a model said: text, the calls that it makes, and the reasoning that it showed.
 *
 * @example
 * import type { AssistantMessage } from 'starbind/agent'
 *
 * export const reasoning = ({ reasoning_content = '' }: AssistantMessage) => reasoning_content.trim()
 */
export interface AssistantMessage {
  readonly role: 'assistant'
  readonly name?: string
  readonly content: readonly TextBlock[]
  readonly tool_calls?: readonly ToolCall[]
  readonly reasoning_content?: string
}

/**
 * The answer to one call.
 *
 * @example
 * import type { ToolMessage } from 'starbind/agent'
 *
 * export const answer: ToolMessage = {
 *   role: 'tool',
 *   tool_call_id: 'call_1',
 *   content: [{ type: 'text', text: 'closed' }],
 * }
 */
export interface ToolMessage {
  readonly role: 'tool'
  readonly tool_call_id: string
  readonly content: readonly ContentBlock[]
  /** True: the call failed, was denied or was not made. The text says so, too. */
  readonly is_error?: true
}

/**
 * An entry of a conversation. `name` tells participants of one role apart.
 *
 * @example
 * import type { Message } from 'starbind/agent'
 *
 * export const calls = (messages: readonly Message[]) =>
 *   messages.flatMap((message) => (message.role === 'assistant' ? (message.tool_calls ?? []) : []))
 */
export type Message =
  | { readonly role: 'system' | 'user'; readonly name?: string; readonly content: readonly ContentBlock[] }
  | AssistantMessage
  | ToolMessage

/**
 * A message as a person writes it: its content may be a text. `developer` means `system`.
 *
 * @example
 * import type { MessageInput } from 'starbind/agent'
 *
 * export const question: readonly MessageInput[] = [
 *   { role: 'system', content: 'Answer in one sentence.' },
 *   { role: 'user', content: 'Which issue is the oldest?' },
 * ]
 */
export type MessageInput =
  | {
      readonly role: 'system' | 'developer' | 'user'
      readonly name?: string
      readonly content: string | readonly ContentBlock[]
    }
  | {
      readonly role: 'assistant'
      readonly name?: string
      readonly content?: string | readonly TextBlock[] | null
      readonly tool_calls?: readonly ToolCall[]
      readonly reasoning_content?: string
    }
  | {
      readonly role: 'tool'
      readonly tool_call_id: string
      readonly content: string | readonly ContentBlock[]
      readonly is_error?: true
    }

/** The messages in their whole form. A text is a question of the user. */
export function conversationOf(given: string | readonly MessageInput[]): Message[] {
  return typeof given === 'string' ? [{ role: 'user', content: blocksOf(given) }] : given.map(wholeMessage)
}

function wholeMessage(message: MessageInput): Message {
  switch (message.role) {
    case 'system':
    case 'developer':
      return { ...message, role: 'system', content: blocksOf(message.content) }
    case 'user':
      return { ...message, role: 'user', content: blocksOf(message.content) }
    case 'tool':
      return { ...message, content: blocksOf(message.content) }
    case 'assistant': {
      const { name, content, tool_calls, reasoning_content } = message
      return {
        role: 'assistant',
        ...(name === undefined ? {} : { name }),
        content: blocksOf(content ?? ''),
        ...(tool_calls?.length ? { tool_calls } : {}),
        ...(reasoning_content ? { reasoning_content } : {}),
      }
    }
  }
}

function blocksOf<Block>(content: string | readonly Block[]): readonly (Block | TextBlock)[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

/** The text of a message, without its other blocks. */
export function textOf({ content }: Pick<Message, 'content'>): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
}

/** The calls of the last reply that nothing answers yet. */
export function openCalls(messages: readonly Message[]): readonly ToolCall[] {
  const at = messages.findLastIndex(({ role }) => role === 'assistant')
  const reply = messages[at]
  if (reply?.role !== 'assistant') return []
  const answered = new Set(messages.slice(at).flatMap((one) => (one.role === 'tool' ? [one.tool_call_id] : [])))
  return (reply.tool_calls ?? []).filter(({ id }) => !answered.has(id))
}

/** What models refuse about a conversation. Its last reply may have open calls if nothing else follows it. */
export function problemsOf(messages: readonly Message[]): string[] {
  const problems: string[] = []
  let open = new Set<string>()
  const unanswered = () => [...open].map((id) => `the call ${JSON.stringify(id)} has no answer`)
  for (const message of messages) {
    if (message.role === 'tool') {
      const { tool_call_id: id } = message
      if (!open.delete(id)) problems.push(`there is no open call ${JSON.stringify(id)} for an answer`)
      continue
    }
    problems.push(...unanswered())
    open = new Set()
    if (message.role !== 'assistant') continue
    for (const { id } of message.tool_calls ?? []) {
      if (open.has(id)) problems.push(`the call id ${JSON.stringify(id)} is used twice in one message`)
      open.add(id)
    }
  }
  return messages.length === 0 ? ['it is empty'] : problems.slice(0, 20)
}
