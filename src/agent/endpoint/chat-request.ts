// The body of `POST /v1/chat/completions`.
// Invariant: every parameter is used here, reaches the model, or is refused.

import { z } from 'zod'
import type { ContentBlock, MessageInput } from '../conversation.js'
import type { ToolChoice } from '../model.js'
import {
  checkToolNames,
  definitionOf,
  flag,
  jsonObject,
  type ModelQuestion,
  messagesOf,
  modelName,
  nothing,
  off,
  parsed,
  partOf,
  refuse,
  text,
  toolName,
  toolsOf,
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

const name = text.optional()
const message = z.discriminatedUnion(
  'role',
  [
    z.looseObject({ role: z.enum(['system', 'developer']), name, content: texts }),
    z.looseObject({
      role: z.literal('user'),
      name,
      content: z.union([text, z.array(userPart)], { error: 'a string or a list of parts' }),
    }),
    z.looseObject({
      role: z.literal('assistant'),
      name,
      content: z.union([text, z.array(assistantPart)], { error: 'a string, a list of parts or null' }).nullish(),
      refusal: text.nullish(),
      audio: nothing('no audio: answers are text'),
      function_call: nothing('tool_calls'),
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
      { name: toolName, description: text.nullish(), parameters: jsonObject.nullish(), strict: flag },
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
    stream_options: z.looseObject({ include_usage: flag, include_obfuscation: off }, { error: 'an object' }).nullish(),
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
    modalities: z.array(z.literal('text', { error: '"text": answers are text' }), { error: 'a list' }).nullish(),
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
  moderation: 'an answer may be made of several replies',
}

interface ChatQuestion extends ModelQuestion {
  /** The stream ends with a chunk that has the usage. */
  readonly includesUsage: boolean
}

/** The question in a body. Throws a Refusal that names the first mistake. */
export function readChat(raw: unknown): ChatQuestion {
  const { model, messages, stream, stream_options, tools, tool_choice, n: _, ...settings } = parsed(chatRequest, raw)
  refuse(settings, REFUSED)
  const own = (tools ?? []).map(({ function: definition }) => definitionOf(definition))
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
      return { role: given.role, ...named(given), content: given.content }
    case 'user':
      return { role: 'user', ...named(given), content: given.content as string | ContentBlock[] }
    case 'assistant': {
      const { content, refusal, tool_calls, reasoning_content } = given
      return {
        role: 'assistant',
        ...named(given),
        // What a model refused with is what it said.
        content: typeof content === 'string' || content == null ? (content ?? refusal ?? null) : content.map(spoken),
        ...(tool_calls == null ? {} : { tool_calls }),
        ...(reasoning_content == null ? {} : { reasoning_content }),
      }
    }
    case 'tool':
      return { role: 'tool', tool_call_id: given.tool_call_id, content: given.content }
  }
}

function named({ name }: { readonly name?: string | undefined }) {
  return name === undefined ? {} : { name }
}

function spoken(part: z.infer<typeof assistantPart>) {
  return part.type === 'text' ? part : { type: 'text' as const, text: part.refusal }
}

function choiceOf(given: z.infer<typeof chatRequest>['tool_choice']): ToolChoice | undefined {
  if (given == null) return undefined
  return typeof given === 'string' ? given : { name: given.function.name }
}
