// The body of `POST /v1/chat/completions`.
// Invariant: every parameter is used here, reaches the model, or is refused.

import { z } from 'zod'
import type { MessageInput } from '../conversation.js'
import type { ToolChoice } from '../model.js'
import {
  checkToolNames,
  flag,
  jsonObject,
  type ModelQuestion,
  messagesOf,
  modelName,
  parsed,
  partOf,
  text,
  toolName,
  toolsOf,
  unsupported,
} from './request-shape.js'

const textPart = partOf('text', { text })
const userPart = z.discriminatedUnion(
  'type',
  [
    textPart,
    partOf('image_url', { image_url: z.looseObject({ url: text }, { error: 'an object with a url' }) }),
    partOf('input_audio', { input_audio: z.looseObject({ data: text, format: text }, { error: 'an object' }) }),
    partOf('file', { file: z.looseObject({}, { error: 'an object' }) }),
  ],
  { error: 'a part of type text, image_url, input_audio or file' },
)
const texts = z.union([text, z.array(textPart)], { error: 'a string or a list of text parts' })
const assistantPart = z.discriminatedUnion('type', [textPart, partOf('refusal', { refusal: text })], {
  error: 'a part of type text or refusal',
})
const toolCall = z.looseObject(
  {
    id: text.min(1, { error: 'an id' }),
    type: z.literal('function', { error: '"function"' }),
    function: z.object({ name: text, arguments: text }, { error: 'an object with name and arguments' }),
  },
  { error: 'a tool call' },
)

const message = z.discriminatedUnion(
  'role',
  [
    z.looseObject({ role: z.enum(['system', 'developer']), content: texts }),
    z.looseObject({
      role: z.literal('user'),
      content: z.union([text, z.array(userPart)], { error: 'a string or a list of parts' }),
    }),
    z.looseObject({
      role: z.literal('assistant'),
      content: z.union([text, z.array(assistantPart)], { error: 'a string, a list of parts or null' }).nullish(),
      tool_calls: z.array(toolCall, { error: 'a list of tool calls' }).nullish(),
      reasoning_content: text.nullish(),
    }),
    z.looseObject({ role: z.literal('tool'), tool_call_id: text.min(1, { error: 'an id' }), content: texts }),
  ],
  { error: 'a message with the role system, developer, user, assistant or tool' },
)

const tool = z.looseObject(
  {
    type: z.literal('function', { error: '"function"' }),
    function: z.looseObject(
      { name: toolName, description: text.nullish(), parameters: jsonObject.nullish() },
      { error: 'an object with the name of a function' },
    ),
  },
  { error: 'a tool' },
)

const chatRequest = z.looseObject(
  {
    model: modelName,
    messages: messagesOf(message),
    stream: flag,
    stream_options: z.looseObject({ include_usage: flag }, { error: 'an object' }).nullish(),
    tools: toolsOf(tool),
    tool_choice: z
      .union(
        [
          z.enum(['auto', 'none', 'required']),
          z.looseObject({ type: z.literal('function'), function: z.looseObject({ name: text }) }),
        ],
        { error: '"auto", "none", "required" or a function' },
      )
      .nullish(),
    n: z.literal(1, { error: '1: there is one answer' }).nullish(),
  },
  { error: 'an object' },
)

/** Parameters with parts of an answer that can't be given, and the reason. */
const REFUSED: Readonly<Record<string, string>> = {
  functions: 'use tools',
  function_call: 'use tool_choice',
  logprobs: 'an answer may be made of several replies',
  top_logprobs: 'an answer may be made of several replies',
  audio: 'answers are text',
}

export interface ChatQuestion extends ModelQuestion {
  /** The stream ends with a chunk that has the usage. */
  readonly includesUsage: boolean
}

/** The question in a body. Throws a Refusal that names the first mistake. */
export function readChat(raw: unknown): ChatQuestion {
  const { model, messages, stream, stream_options, tools, tool_choice, n: _, ...settings } = parsed(chatRequest, raw)
  for (const [param, reason] of Object.entries(REFUSED)) {
    if (settings[param] !== undefined && settings[param] !== null && settings[param] !== false)
      throw unsupported(param, reason)
  }
  const own = (tools ?? []).map(({ function: { name, description, parameters } }) => ({
    name,
    ...(description == null ? {} : { description }),
    parameters: parameters ?? { type: 'object', properties: {} },
  }))
  checkToolNames(own, (i) => `tools[${i}].function.name`)
  return {
    model,
    messages: messages.map(messageOf),
    tools: own,
    toolChoice: choiceOf(tool_choice),
    settings,
    streams: stream === true,
    includesUsage: stream_options?.include_usage === true,
  }
}

type RawMessage = z.infer<typeof message>

function messageOf(given: RawMessage): MessageInput {
  switch (given.role) {
    case 'system':
    case 'developer':
      return { role: given.role, content: given.content }
    case 'user':
      // A file may be a reference that only the model's endpoint understands.
      return { role: 'user', content: given.content as Extract<MessageInput, { role: 'user' }>['content'] }
    case 'assistant': {
      const { content, tool_calls, reasoning_content } = given
      return {
        role: 'assistant',
        content: typeof content === 'string' || content == null ? (content ?? null) : content.map(spoken),
        ...(tool_calls == null ? {} : { tool_calls }),
        ...(reasoning_content == null ? {} : { reasoning_content }),
      }
    }
    case 'tool':
      return { role: 'tool', tool_call_id: given.tool_call_id, content: given.content }
  }
}

function spoken(part: z.infer<typeof assistantPart>) {
  return { type: 'text' as const, text: part.type === 'text' ? part.text : part.refusal }
}

function choiceOf(given: z.infer<typeof chatRequest>['tool_choice']): ToolChoice | undefined {
  if (given == null) return undefined
  return typeof given === 'string' ? given : { name: given.function.name }
}
