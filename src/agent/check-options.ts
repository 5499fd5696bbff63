// Schemas of the agent's options, because JavaScript callers have no compiler that checks them.
// Invariant: an unknown option is refused; a misspelt bound would bind nothing.

import { z } from 'zod'
import { type Diagnostic, DiagnosticError } from '../index.js'
import type { AgentBounds, AgentOptions, AgentRunOptions, SubAgent } from './agent-options.js'
import type { MessageInput } from './conversation.js'
import { agentOptionUnknown, agentOptionWrong } from './messages.js'
import { traceModes } from './traces/trace-mode.js'

const text = z.string({ error: 'a string' })
const someText = text.min(1, { error: 'a string that is not empty' })
const flag = z.boolean({ error: 'true or false' })
const count = z.int({ error: 'a whole number of at least 0' }).min(0, { error: 'a whole number of at least 0' })
const someCount = z.int({ error: 'a whole number of at least 1' }).min(1, { error: 'a whole number of at least 1' })
const amount = z.number({ error: 'a number of at least 0' }).min(0, { error: 'a number of at least 0' })
const record = z.record(z.string(), z.unknown(), { error: 'an object' })
const callback = z.custom<never>((value) => typeof value === 'function', { error: 'a function' })
const object = z.custom<never>((value) => typeof value === 'object' && value !== null, { error: 'an object' })
const names = z.array(someText, { error: 'a list of names' })
const address = text.refine((value) => /^https?:/.test(value) && URL.canParse(value), { error: 'an http or https URL' })

const prices = z.strictObject(
  { input: amount, output: amount, cached: amount.optional() },
  { error: 'an object with the prices input and output' },
)
const endpoint = z.strictObject(
  {
    baseUrl: address,
    apiKey: text.optional(),
    name: someText,
    headers: z.record(z.string(), text, { error: 'an object whose values are strings' }).optional(),
    settings: record.optional(),
    prices: prices.optional(),
    timeoutMs: someCount.optional(),
    retries: count.optional(),
  },
  { error: 'a function, or an object with baseUrl and name' },
)
const toolSet = z.strictObject(
  { servers: names, tools: names.optional(), maxTurns: count.optional(), toolTimeoutMs: someCount.optional() },
  { error: 'an object with servers' },
)

type Shape<Options> = { readonly [Name in keyof Options]-?: z.ZodType }

const model = z.unknown().superRefine((value, context) => {
  if (typeof value === 'function') return
  for (const issue of endpoint.safeParse(value).error?.issues ?? []) context.addIssue({ ...issue } as never)
})
const mode = z.enum(['code', 'direct', 'both', 'auto'], { error: '"code", "direct", "both" or "auto"' }).optional()

const bounds: Shape<AgentBounds> = {
  maxTurns: count.optional(),
  maxTokens: someCount.optional(),
  maxCost: amount.optional(),
  toolTimeoutMs: someCount.optional(),
  maxCallsPerTurn: someCount.optional(),
  maxArgumentChars: someCount.optional(),
  maxReplyChars: someCount.optional(),
  maxAnswerChars: someCount.optional(),
}

const agentShape: Shape<AgentOptions> = {
  codeMode: object,
  model,
  name: someText.optional(),
  mode,
  autoTokens: count.optional(),
  instructions: text.optional(),
  settings: record.optional(),
  prices: prices.optional(),
  toolSets: z.record(z.string(), toolSet, { error: 'an object with one entry for each set' }).optional(),
  toolSet: someText.optional(),
  strict: flag.optional(),
  refusal: someText.optional(),
  onApproval: callback.optional(),
  answer: z.unknown().optional(),
  corrections: count.optional(),
  restarts: count.optional(),
  traces: z.enum(traceModes, { error: '"none", "last_message" or "all_messages"' }).optional(),
  ...bounds,
}

const subAgentShape: Shape<SubAgent> = {
  description: someText,
  instructions: text.optional(),
  model,
  mode,
  settings: record.optional(),
  prices: prices.optional(),
  servers: names.optional(),
  tools: names.optional(),
  writes: flag.optional(),
  maxDepth: someCount.optional(),
  ...bounds,
}

const definition = z.strictObject(
  { name: someText, description: text.optional(), parameters: record, strict: flag.optional() },
  { error: 'a definition with name and parameters' },
)
const runShape: Shape<AgentRunOptions> = {
  signal: object.optional(),
  onEvent: callback.optional(),
  runId: someText.optional(),
  tools: z.array(definition, { error: 'a list of definitions' }).optional(),
  toolChoice: z
    .union([z.enum(['auto', 'none', 'required']), z.strictObject({ name: someText })], {
      error: '"auto", "none", "required" or an object with a name',
    })
    .optional(),
  settings: record.optional(),
  toolSet: someText.optional(),
  approvals: record.optional(),
  onApproval: callback.optional(),
  headers: record.optional(),
  trace: record.optional(),
}

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
    extra_content: record.optional(),
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
export const checkAgentOptions = (options: AgentOptions<unknown>) => check('createAgent:', agentShape, options)
export const checkRunOptions = (options: AgentRunOptions) => check('run:', runShape, options)

export function checkSubAgents(agents: Readonly<Record<string, SubAgent>>): void {
  const entries = z.record(z.string(), z.unknown(), { error: 'an object with one entry for each agent' })
  check('addAgents:', { agents: entries }, { agents })
  for (const [name, agent] of Object.entries(agents)) check(`addAgents: ${name}:`, subAgentShape, agent)
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

function check(place: string, shape: Readonly<Record<string, z.ZodType>>, options: object): void {
  const { error } = z.strictObject(shape, { error: 'an object' }).safeParse(options)
  if (error === undefined) return
  throw new DiagnosticError(
    error.issues.flatMap((issue): Diagnostic[] => {
      const where = issue.path.join('.')
      if (issue.code !== 'unrecognized_keys') return [agentOptionWrong(place, where || 'options', issue.message)]
      const known = where === '' ? Object.keys(shape) : []
      return issue.keys.map((key) => agentOptionUnknown(place, [...issue.path, key].join('.'), known))
    }),
  )
}
