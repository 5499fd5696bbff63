// Checks the options of agents and the messages that they are given.

import { z } from 'zod'
import { type Diagnostic, DiagnosticError } from '../index.js'
import {
  type AgentOptions,
  type AgentRunOptions,
  agentOptions,
  agentRunOptions,
  type SubAgent,
  subAgent,
} from './agent-options.js'
import type { MessageInput } from './conversation.js'
import { agentOptionUnknown, agentOptionWrong } from './messages.js'
import { record, someText, text } from './option.js'

const block = z.discriminatedUnion(
  'type',
  [
    z.object({ type: z.literal('text'), text }),
    z.object({ type: z.literal('image_url'), image_url: z.object({ url: text, detail: text.optional() }) }),
    z.object({ type: z.literal('input_audio'), input_audio: z.object({ data: text, format: text }) }),
    z.object({
      type: z.literal('file'),
      file: z.object({ filename: text.optional(), file_data: text.optional(), file_id: text.optional() }),
    }),
  ],
  { error: 'a block of the type text, image_url, input_audio or file' },
)
const content = z.union([text, z.array(block)], { error: 'a string or a list of blocks' })
const call = z.object(
  {
    id: someText,
    type: z.literal('function', { error: '"function"' }),
    function: z.object({ name: text, arguments: text }, { error: 'an object with name and arguments' }),
    extra_content: record().optional(),
  },
  { error: 'a call with id, type and function' },
)
const message = z.discriminatedUnion(
  'role',
  [
    z.object({ role: z.enum(['system', 'developer', 'user']), name: text.optional(), content }),
    z.object({
      role: z.literal('assistant'),
      name: text.optional(),
      content: content.nullish(),
      tool_calls: z.array(call, { error: 'a list of calls' }).nullish(),
      reasoning_content: text.nullish(),
    }),
    z.object({ role: z.literal('tool'), tool_call_id: text, content, is_error: z.literal(true).optional() }),
  ],
  { error: 'a message with the role system, user, assistant or tool' },
)
/** Messages as they are given, or were kept. */
export const messageList = z.array(message)
const conversation = z.union([text, messageList], { error: 'a text or a list of messages' })

/** Each throws a DiagnosticError with all mistakes. */
export const checkAgentOptions = (options: AgentOptions<unknown>) => check('createAgent:', agentOptions, options)
export const checkRunOptions = (options: AgentRunOptions) => check('run:', agentRunOptions, options)

export function checkSubAgents(agents: Readonly<Record<string, SubAgent>>): void {
  const entries = record(undefined, 'an object with one entry for each agent')
  check('addAgents:', z.strictObject({ agents: entries }), { agents })
  for (const [name, agent] of Object.entries(agents)) check(`addAgents: ${name}:`, subAgent, agent)
}

export function checkMessages(given: string | readonly MessageInput[]): void {
  const { error } = typeof given === 'string' ? { error: undefined } : conversation.safeParse(given)
  if (error === undefined) return
  // A union keeps the issues of its members: those of the list say where the mistake is.
  const [first] = error.issues
  const issues = first?.code === 'invalid_union' && Array.isArray(given) ? (first.errors.at(-1) ?? []) : error.issues
  throw new DiagnosticError(
    issues.slice(0, 20).map((issue) => agentOptionWrong('run:', ['messages', ...issue.path].join('.'), issue.message)),
  )
}

function check(place: string, schema: z.ZodObject, options: object): void {
  const { error } = schema.safeParse(options)
  if (error === undefined) return
  throw new DiagnosticError(
    error.issues.flatMap((issue): Diagnostic[] => {
      const where = issue.path.join('.')
      if (issue.code !== 'unrecognized_keys') return [agentOptionWrong(place, where || 'options', issue.message)]
      const known = where === '' ? Object.keys(schema.shape) : []
      return issue.keys.map((key) => agentOptionUnknown(place, [...issue.path, key].join('.'), known))
    }),
  )
}
