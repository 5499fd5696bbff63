// The body of `POST /v1/responses`, in the words of Chat Completions.
// Invariant: every parameter is used here, reaches the model, has no meaning for an answer, or is refused.

import { z } from 'zod'
import type { ContentBlock, MessageInput, ToolCall } from '../conversation.js'
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

const inputPart = z.discriminatedUnion(
  'type',
  [
    partOf('input_text', { text }),
    partOf('output_text', { text }),
    partOf('refusal', { refusal: text }),
    partOf('input_image', { image_url: text, detail: text.nullish() }),
    partOf('input_file', { file_data: text, filename: text.nullish() }),
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
      name: text,
      arguments: text,
    }),
    z.looseObject({
      type: z.literal('function_call_output'),
      call_id: text.min(1, { error: 'an id' }),
      output: content,
    }),
    z.looseObject({ type: z.literal('reasoning') }),
  ],
  { error: 'a message, a function_call, a function_call_output or reasoning' },
)

const tool = z.looseObject(
  {
    type: z.literal('function', { error: '"function"' }),
    name: toolName,
    description: text.nullish(),
    parameters: jsonObject.nullish(),
  },
  { error: 'a tool' },
)

const format = z.looseObject({ type: z.enum(['text', 'json_object', 'json_schema']) }, { error: 'a format' })

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
    text: z.looseObject({ format: format.nullish() }, { error: 'an object' }).nullish(),
    reasoning: z.looseObject({ effort: text.nullish() }, { error: 'an object' }).nullish(),
    max_output_tokens: z.int({ error: 'a whole number' }).nullish(),
  },
  { error: 'an object' },
)

/** Parameters with effects that can't be given, and the reason. */
const REFUSED: Readonly<Record<string, string>> = {
  background: 'read the answer from the response',
  conversation: 'use previous_response_id or send the whole input',
  prompt: 'send instructions and input',
}
/** They change what an answer shows of parts that no answer here has. */
const WITHOUT_MEANING = ['include', 'truncation', 'stream_options', 'max_tool_calls', ...Object.keys(REFUSED)]

export interface ResponsesQuestion extends ModelQuestion {
  readonly previousId: string | undefined
  /** False: nobody will continue this response by its id. */
  readonly isStored: boolean
  /** For the response, which repeats it. */
  readonly instructions: string | null
}

/** The question in a body. Throws a Refusal that names the first mistake. */
export function readResponses(raw: unknown): ResponsesQuestion {
  const { model, input, instructions, previous_response_id, store, stream, tools, tool_choice, ...more } = parsed(
    responsesRequest,
    raw,
  )
  for (const [param, reason] of Object.entries(REFUSED))
    if (more[param] !== undefined && more[param] !== null && more[param] !== false) throw unsupported(param, reason)
  const own = (tools ?? []).map(({ name, description, parameters }) => ({
    name,
    ...(description == null ? {} : { description }),
    parameters: parameters ?? { type: 'object', properties: {} },
  }))
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
  }
}

type More = Pick<z.infer<typeof responsesRequest>, 'text' | 'reasoning' | 'max_output_tokens'> & Record<string, unknown>

/** The same settings as Chat Completions names them. */
function settingsOf({ text: shape, reasoning, max_output_tokens: most, ...rest }: More): Record<string, unknown> {
  const kept = Object.entries(rest).filter(([name, value]) => !WITHOUT_MEANING.includes(name) && value !== null)
  const form = shape?.format
  return {
    ...Object.fromEntries(kept),
    ...(form == null || form.type === 'text' ? {} : { response_format: responseFormat(form) }),
    ...(shape?.verbosity === undefined ? {} : { verbosity: shape.verbosity }),
    ...(reasoning?.effort == null ? {} : { reasoning_effort: reasoning.effort }),
    ...(most == null ? {} : { max_completion_tokens: most }),
  }
}

function responseFormat({ type, ...schema }: z.infer<typeof format>): Record<string, unknown> {
  return type === 'json_schema' ? { type, json_schema: schema } : { type }
}

/** Calls that follow each other, and the text in front of them, are one message. */
function messagesIn(items: readonly z.infer<typeof item>[]): MessageInput[] {
  const messages: MessageInput[] = []
  for (const one of items) {
    if (one.type === 'reasoning') continue
    const last = messages.at(-1)
    if (one.type === 'function_call') {
      const call: ToolCall = {
        id: one.call_id,
        type: 'function',
        function: { name: one.name, arguments: one.arguments },
      }
      if (last?.role !== 'assistant') messages.push({ role: 'assistant', content: null, tool_calls: [call] })
      else messages[messages.length - 1] = { ...last, tool_calls: [...(last.tool_calls ?? []), call] }
    } else if (one.type === 'function_call_output')
      messages.push({ role: 'tool', tool_call_id: one.call_id, content: blocksOf(one.output) })
    else if (one.role === 'assistant') messages.push({ role: 'assistant', content: spoken(one.content) })
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
    case 'output_text':
      return { type: 'text', text: part.text }
    case 'refusal':
      return { type: 'text', text: part.refusal }
    case 'input_image':
      return {
        type: 'image_url',
        image_url: { url: part.image_url, ...(part.detail == null ? {} : { detail: part.detail }) },
      }
    case 'input_file':
      return {
        type: 'file',
        file: { file_data: part.file_data, ...(part.filename == null ? {} : { filename: part.filename }) },
      }
  }
}

function choiceOf(given: z.infer<typeof responsesRequest>['tool_choice']): ToolChoice | undefined {
  if (given == null) return undefined
  return typeof given === 'string' ? given : { name: given.name }
}
