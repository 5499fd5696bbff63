// The body of `POST /v1/responses`, in the words of Chat Completions.
// Invariant: every parameter is used here, reaches the model, has no meaning for an answer, or is refused.

import { z } from 'zod'
import type { ContentBlock, MessageInput, ToolCall } from '../conversation.js'
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

const inputPart = z.discriminatedUnion(
  'type',
  [
    partOf('input_text', { text }),
    partOf('output_text', { text }),
    partOf('refusal', { refusal: text }),
    partOf('input_image', { file_id: nothing('an image_url'), image_url: text, detail: text.nullish() }),
    partOf('input_file', {
      file_url: nothing('file_data or a file_id'),
      detail: z.literal('auto', { error: '"auto"' }).nullish(),
      file_id: text.nullish(),
      file_data: text.nullish(),
      filename: text.nullish(),
    }).refine(({ file_id, file_data }) => (file_id ?? file_data) != null, {
      error: 'a string, or a file_id',
      path: ['file_data'],
    }),
  ],
  { error: 'a part of type input_text, output_text, input_image or input_file, with its content' },
)
type InputPart = z.infer<typeof inputPart>
const content = z.union([text, z.array(inputPart)], { error: 'a string or a list of parts' })

const item = z.union(
  [
    z.looseObject({
      type: z.literal('message').nullish(),
      role: z.enum(['user', 'assistant', 'system', 'developer']),
      content,
    }),
    z.looseObject({
      type: z.literal('function_call'),
      call_id: text.min(1, { error: 'an id' }),
      namespace: nothing('no namespace: tools have plain names'),
      name: text,
      arguments: text,
    }),
    z.looseObject({
      type: z.literal('function_call_output'),
      call_id: text.min(1, { error: 'an id' }),
      output: content,
    }),
    z.looseObject({
      type: z.literal('reasoning'),
      content: z.array(partOf('reasoning_text', { text }), { error: 'a list of parts' }).nullish(),
    }),
  ],
  { error: 'a message, a function_call, a function_call_output or reasoning' },
)

const tool = z.looseObject(
  {
    type: z.literal('function', { error: '"function"' }),
    name: toolName,
    description: text.nullish(),
    parameters: jsonObject.nullish(),
    strict: flag,
    defer_loading: off,
    output_schema: nothing('none: it has no effect here'),
    allowed_callers: z
      .array(text)
      .refine((callers) => callers.includes('direct'), { error: 'a list with "direct"' })
      .nullish(),
  },
  { error: 'a tool' },
)

const format = z.looseObject({ type: z.enum(['text', 'json_object', 'json_schema']) }, { error: 'a format' })

const SUMMARY = '"auto": reasoning is shown as it is, in the events of x-starbind-events'
const LOGPROBS = 'message.output_text.logprobs'

const responsesRequest = z.looseObject(
  {
    model: modelName,
    input: z.union([text, messagesOf(item)], { error: 'a string or a list of items' }),
    instructions: text.nullish(),
    previous_response_id: text.nullish(),
    store: flag,
    stream: flag,
    tools: toolsOf(tool),
    tool_choice: z
      .union([z.enum(['auto', 'none', 'required']), z.looseObject({ type: z.literal('function'), name: text })], {
        error: '"auto", "none", "required" or a function',
      })
      .nullish(),
    text: z.looseObject({ format: format.nullish(), verbosity: text.nullish() }, { error: 'an object' }).nullish(),
    reasoning: z
      .looseObject(
        {
          effort: text.nullish(),
          summary: z.literal('auto', { error: SUMMARY }).nullish(),
          generate_summary: z.literal('auto', { error: SUMMARY }).nullish(),
          context: z.literal('auto', { error: '"auto"' }).nullish(),
          mode: z.literal('standard', { error: '"standard"' }).nullish(),
        },
        { error: 'an object' },
      )
      .nullish(),
    include: z
      .array(text.refine((what) => what !== LOGPROBS, { error: 'parts that an answer here can have' }))
      .nullish(),
    truncation: z.literal('disabled', { error: '"disabled": no messages are left out' }).nullish(),
    stream_options: z.looseObject({ include_obfuscation: off }, { error: 'an object' }).nullish(),
    max_output_tokens: z.int({ error: 'a whole number' }).nullish(),
    top_logprobs: z.literal(0, { error: '0: an answer may be made of several replies' }).nullish(),
  },
  { error: 'an object' },
)

/** Parameters with effects that can't be given, and the reason. */
const REFUSED: Readonly<Record<string, string>> = {
  background: 'read the answer from the response',
  conversation: 'use previous_response_id or send the whole input',
  prompt: 'send instructions and input',
  context_management: 'send a shorter input',
  moderation: 'an answer may be made of several replies',
  max_tool_calls: 'the maxTurns of a model in the configuration bounds its calls',
}
/** What is left of them when they were checked says only what happens anyway. */
const CHECKED = ['include', 'truncation', 'stream_options', 'top_logprobs', ...Object.keys(REFUSED)]

interface ResponsesQuestion extends ModelQuestion {
  readonly previousId: string | undefined
  /** False: nobody will continue this response by its id. */
  readonly isStored: boolean
  readonly instructions: string | null
  /** What the response repeats of the request. */
  readonly repeated: Readonly<Record<string, unknown>>
}

/** A response lists no tools: they are the client's and ours. */
const REPEATED = new Set([
  'instructions',
  'max_output_tokens',
  'metadata',
  'parallel_tool_calls',
  'previous_response_id',
  'reasoning',
  'temperature',
  'text',
  'tool_choice',
  'top_p',
  'truncation',
  'user',
])

/** The question in a body. Throws a Refusal that names the first mistake. */
export function readResponses(raw: unknown): ResponsesQuestion {
  const body = parsed(responsesRequest, raw)
  const { model, input, instructions, previous_response_id, store, stream, tools, tool_choice, ...more } = body
  refuse(more, REFUSED)
  const own = (tools ?? []).map(definitionOf)
  checkToolNames(own, (i) => `tools[${i}].name`)
  const system: MessageInput[] = instructions == null ? [] : [{ role: 'system', content: instructions }]
  return {
    model,
    messages: [
      ...system,
      ...(typeof input === 'string' ? [{ role: 'user' as const, content: input }] : messagesIn(input)),
    ],
    tools: own,
    toolChoice: choiceOf(tool_choice),
    settings: settingsOf(more),
    streams: stream === true,
    previousId: previous_response_id ?? undefined,
    isStored: store !== false,
    instructions: instructions ?? null,
    repeated: Object.fromEntries(Object.entries(body).filter(([name, value]) => REPEATED.has(name) && value != null)),
  }
}

type More = Pick<z.infer<typeof responsesRequest>, 'text' | 'reasoning' | 'max_output_tokens'> & Record<string, unknown>

/** The same settings as Chat Completions names them. */
function settingsOf({ text: shape, reasoning, max_output_tokens: most, ...rest }: More): Record<string, unknown> {
  const kept = Object.entries(rest).filter(([name, value]) => !CHECKED.includes(name) && value !== null)
  const form = shape?.format
  return {
    ...Object.fromEntries(kept),
    ...(form == null || form.type === 'text' ? {} : { response_format: responseFormat(form) }),
    ...(shape?.verbosity == null ? {} : { verbosity: shape.verbosity }),
    ...(reasoning?.effort == null ? {} : { reasoning_effort: reasoning.effort }),
    ...(most == null ? {} : { max_completion_tokens: most }),
  }
}

function responseFormat({ type, ...schema }: z.infer<typeof format>): Record<string, unknown> {
  return type === 'json_schema' ? { type, json_schema: schema } : { type }
}

/** Calls that follow each other, and the reasoning and text in front of them, are one message. */
function messagesIn(items: readonly z.infer<typeof item>[]): MessageInput[] {
  const messages: MessageInput[] = []
  let thoughts: string[] = []
  const say = (said: Omit<Extract<MessageInput, { role: 'assistant' }>, 'role'>) => {
    const reasoning = thoughts.length === 0 ? {} : { reasoning_content: thoughts.join('\n') }
    thoughts = []
    messages.push({ role: 'assistant', ...said, ...reasoning })
  }
  for (const one of items) {
    const last = messages.at(-1)
    if (one.type === 'reasoning') thoughts.push(...(one.content ?? []).map((part) => part.text))
    else if (one.type === 'function_call') {
      const call: ToolCall = {
        id: one.call_id,
        type: 'function',
        function: { name: one.name, arguments: one.arguments },
      }
      if (last?.role !== 'assistant' || thoughts.length > 0) say({ content: null, tool_calls: [call] })
      else messages[messages.length - 1] = { ...last, tool_calls: [...(last.tool_calls ?? []), call] }
    } else if (one.type === 'function_call_output')
      messages.push({ role: 'tool', tool_call_id: one.call_id, content: blocksOf(one.output) })
    else if (one.role === 'assistant') say({ content: spoken(one.content) })
    else messages.push({ role: one.role, content: blocksOf(one.content) })
  }
  return messages
}

function spoken(given: string | readonly InputPart[]): string {
  if (typeof given === 'string') return given
  return given
    .map((part) => ('text' in part ? String(part.text) : 'refusal' in part ? String(part.refusal) : ''))
    .join('')
}

function blocksOf(given: string | readonly InputPart[]): string | ContentBlock[] {
  return typeof given === 'string' ? given : given.map(blockOf)
}

function blockOf(part: InputPart): ContentBlock {
  switch (part.type) {
    case 'input_text':
      return { ...part, type: 'text' }
    case 'output_text':
      return { type: 'text', text: part.text }
    case 'refusal':
      return { type: 'text', text: part.refusal }
    case 'input_image':
      return {
        type: 'image_url',
        image_url: { url: part.image_url, ...(part.detail == null ? {} : { detail: part.detail }) },
        ...markOf(part),
      }
    case 'input_file': {
      const { file_id, file_data, filename } = part
      const given = Object.entries({ file_id, file_data, filename }).filter(([, value]) => value != null)
      return { type: 'file', file: Object.fromEntries(given), ...markOf(part) }
    }
  }
}

/** The mark for the provider's cache. */
function markOf({ prompt_cache_breakpoint: mark }: Readonly<Record<string, unknown>>): object {
  return mark === undefined ? {} : { prompt_cache_breakpoint: mark }
}

function choiceOf(given: z.infer<typeof responsesRequest>['tool_choice']): ToolChoice | undefined {
  if (given == null) return undefined
  return typeof given === 'string' ? given : { name: given.name }
}
