// The options of an agent and of one run of it, as schemas: JavaScript callers have no compiler that checks them.
// Invariant: an unknown option is refused; a misspelt bound would bind nothing.

import { z } from 'zod'
import type { ApprovalAnswer, ApprovalRequest, RequestHeaders, ResultSchema, Session } from '../index.js'
import type { AgentEvent } from './agent-event.js'
import {
  type ModelEndpoint,
  type ModelFunction,
  type ModelSettings,
  modelEndpoint,
  type Prices,
  prices,
  type ToolChoice,
  type ToolDefinition,
} from './model.js'
import {
  amount,
  callback,
  count,
  type Declared,
  flag,
  names,
  object,
  record,
  someCount,
  someText,
  text,
} from './option.js'
import { traceModes } from './traces/trace-mode.js'

const mode = z.enum(['code', 'direct', 'both', 'auto'], { error: '"code", "direct", "both" or "auto"' })

/**
 * How a model reaches tools. `code`: through the four meta-tools. `direct`: every tool is a tool of the model. `both`.
 * `auto`: directly while the definitions have at most `autoTokens` tokens, else through programs.
 *
 * @example
 * import type { AgentMode } from 'starbind/agent'
 *
 * export const mode: AgentMode = 'auto'
 */
export type AgentMode = z.output<typeof mode>

const toolSet = z.strictObject(
  {
    /** Names of the configuration. */
    servers: names,
    /** Names of tools at these servers. Default: all. */
    tools: names.optional(),
    maxTurns: count.optional(),
    toolTimeoutMs: someCount.optional(),
  },
  { error: 'an object with servers' },
)

/**
 * A named choice of tools with its own bounds. The model calls these tools by their own names, without their server's.
 *
 * @example
 * import type { ToolSet } from 'starbind/agent'
 *
 * export const research: ToolSet = { servers: ['wiki', 'web'], tools: ['search', 'read_page'], maxTurns: 4 }
 */
export interface ToolSet extends Declared<typeof toolSet> {}

/**
 * A question to a person: whether calls may be made. Calls of a model have no `program`.
 *
 * @example
 * import type { AgentApprovalRequest } from 'starbind/agent'
 *
 * export const names = ({ calls }: AgentApprovalRequest) => calls.map(({ server, tool }) => `${server}.${tool}`)
 */
export type AgentApprovalRequest = Pick<ApprovalRequest, 'runId' | 'calls' | 'signal'> &
  Partial<Pick<ApprovalRequest, 'program' | 'canAlsoCall'>>

/**
 * Asks a person. A single answer is for all calls, a list has one for each. `pause` leaves a call open.
 *
 * @example
 * import { CodeMode } from 'starbind'
 * import { createAgent, type OnAgentApproval } from 'starbind/agent'
 *
 * const onApproval: OnAgentApproval = ({ calls }) => calls.map(({ tool }) => ({ deny: `no ${tool} today` }))
 * await using codeMode = await CodeMode.open({ servers: { issues: { command: 'my-mcp-server' } }, approve: 'writes' })
 * createAgent({ codeMode, model: { baseUrl: 'http://127.0.0.1:11434/v1', name: 'qwen3' }, onApproval })
 */
export type OnAgentApproval = (
  request: AgentApprovalRequest,
) => ApprovalAnswer | readonly ApprovalAnswer[] | Promise<ApprovalAnswer | readonly ApprovalAnswer[]>

const bounds = z.strictObject({
  /**
   * Replies with calls whose calls are made. The calls of one more reply are each answered with `refusal`, and then the
   * model is asked without tools. Default 10.
   */
  maxTurns: count.optional(),
  /** Input and output tokens of all replies together. Default: none. */
  maxTokens: someCount.optional(),
  /** What all replies together may cost; needs `prices`. Default: none. */
  maxCost: amount.optional(),
  /** The longest time of one call of a tool. Default: as the configuration says (30 seconds). */
  toolTimeoutMs: someCount.optional(),
  /** The most calls in one reply; the rest are answered with a refusal. Default 64. */
  maxCallsPerTurn: someCount.optional(),
  /** The most characters of one call's arguments. Default 1,000,000. */
  maxArgumentChars: someCount.optional(),
  /** The most characters of one reply; a longer one ends the run. Default 1,000,000. */
  maxReplyChars: someCount.optional(),
  /** The most characters of a tool's answer that the model reads. Default 24,000. */
  maxAnswerChars: someCount.optional(),
})

/**
 * The bounds of one run. Every run ends: at the latest when the turns are used up.
 *
 * @example
 * import type { AgentBounds } from 'starbind/agent'
 *
 * export const small: AgentBounds = { maxTurns: 3, maxTokens: 50_000, toolTimeoutMs: 5_000 }
 */
export interface AgentBounds extends Declared<typeof bounds> {}

const model = z.unknown().superRefine((value, context) => {
  if (typeof value === 'function') return
  for (const issue of modelEndpoint.safeParse(value).error?.issues ?? []) context.addIssue({ ...issue } as never)
}) as unknown as z.ZodType<ModelFunction | ModelEndpoint>
const settings = record() as z.ZodType<ModelSettings>
const price = prices as z.ZodType<Prices>

const ownOptions = z.strictObject({
  /** A CodeMode or a session: the agent may call what it may call. */
  codeMode: object<Session>(),
  model,
  /** The model's name in events and usage. Default: the endpoint's, or the function's. */
  name: someText.optional(),
  /** Default `auto`. */
  mode: mode.optional(),
  /** For `auto`. */
  autoTokens: count.optional(),
  /** A system message in front of every conversation. */
  instructions: text.optional(),
  settings: settings.optional(),
  prices: price.optional(),
  toolSets: record(toolSet as z.ZodType<ToolSet>, 'an object with one entry for each set').optional(),
  /** The set of every run that names none. Default: all tools. */
  toolSet: someText.optional(),
  /** True: a tool that fails, takes too long or does not exist ends the run. Default: the model is told. */
  strict: flag.optional(),
  /** The answer to each call beyond `maxTurns`. */
  refusal: someText.optional(),
  /** Called for calls that need approval. Default: nobody is asked, and the run ends with the calls pending. */
  onApproval: callback<OnAgentApproval>().optional(),
  /** How often the model may correct an answer that does not fit, in one conversation. Default 2. */
  corrections: count.optional(),
  /** How often the conversation may go back to its last tool turn after that. No tool is called again. Default 1. */
  restarts: count.optional(),
  /**
   * What `codeMode.traces` keeps of each run, by the name of the run. Runs of the same name are turns of one
   * conversation. Default `none`.
   */
  traces: z.enum(traceModes, { error: '"none", "last_message" or "all_messages"' }).optional(),
})

/**
 * The options of `createAgent`. `codeMode` and `model` are needed.
 *
 * @example
 * import { CodeMode } from 'starbind'
 * import { type AgentOptions, createAgent } from 'starbind/agent'
 * import { z } from 'zod'
 *
 * await using codeMode = await CodeMode.open({ servers: { issues: { command: 'my-mcp-server' } } })
 * const options: AgentOptions<{ oldest: number }> = {
 *   codeMode,
 *   model: { baseUrl: 'https://api.openai.com/v1', apiKey: process.env.OPENAI_API_KEY, name: 'gpt-5.4' },
 *   instructions: 'You answer questions about issues.',
 *   answer: z.object({ oldest: z.number() }),
 *   maxTurns: 5,
 * }
 * const { answer } = await createAgent(options).run('Which open issue is the oldest?')
 * console.log(answer?.oldest)
 */
export interface AgentOptions<Answer = never> extends AgentBounds, Declared<typeof ownOptions> {
  /** The schema of the answer, which the model then writes as JSON. */
  readonly answer?: ResultSchema<Answer> | undefined
}

/** The schema of `AgentOptions`. */
export const agentOptions = z.strictObject(
  { ...ownOptions.shape, ...bounds.shape, answer: z.unknown().optional() },
  { error: 'an object' },
)

const definition = z.strictObject(
  { name: someText, description: text.optional(), parameters: record(), strict: flag.optional() },
  { error: 'a definition with name and parameters' },
)
const toolChoice: z.ZodType<ToolChoice> = z.union(
  [z.enum(['auto', 'none', 'required']), z.strictObject({ name: someText })],
  { error: '"auto", "none", "required" or an object with a name' },
)
/** The schema of `AgentRunOptions`. */
export const agentRunOptions = z.strictObject(
  {
    /** Ends the run, its request to the model and its calls. */
    signal: object<AbortSignal>().optional(),
    /**
     * Takes the events of the run as they happen. A promise that it returns for a piece of text or reasoning holds back
     * the model's stream until it is fulfilled. Its exceptions are ignored.
     */
    onEvent: callback<(event: AgentEvent) => unknown>().optional(),
    /** The run's name in events. Default: a new one. */
    runId: someText.optional(),
    /** Tools of the caller: calls of them are pending, and the caller answers them. */
    tools: (z.array(definition, { error: 'a list of definitions' }) as z.ZodType<readonly ToolDefinition[]>).optional(),
    toolChoice: toolChoice.optional(),
    /** Beside the agent's own, which they override. */
    settings: settings.optional(),
    toolSet: someText.optional(),
    /** Answers to pending calls of the given conversation, by the ids of the calls. */
    approvals: (record() as z.ZodType<Readonly<Record<string, ApprovalAnswer>>>).optional(),
    onApproval: callback<OnAgentApproval>().optional(),
    /** The headers of the caller's request, as far as servers may have them. */
    headers: (record() as z.ZodType<RequestHeaders>).optional(),
    /** The caller's trace, as W3C's headers have it: `traceparent`, `tracestate`, `baggage`. */
    trace: (record() as z.ZodType<Readonly<Record<string, string>>>).optional(),
  },
  { error: 'an object' },
)

/**
 * The options of one run.
 *
 * @example
 * import { CodeMode } from 'starbind'
 * import { type AgentRunOptions, createAgent } from 'starbind/agent'
 *
 * await using codeMode = await CodeMode.open()
 * const agent = createAgent({ codeMode, model: { baseUrl: 'http://127.0.0.1:11434/v1', name: 'qwen3' } })
 * const options: AgentRunOptions = {
 *   signal: AbortSignal.timeout(60_000),
 *   onEvent: (event) => event.type === 'text' && process.stdout.write(event.text),
 * }
 * await agent.run('What is the 30th prime?', options)
 */
export interface AgentRunOptions extends Declared<typeof agentRunOptions> {}

const ownSubAgent = z.strictObject({
  /** For those who call it. */
  description: someText,
  instructions: text.optional(),
  model,
  mode: mode.optional(),
  settings: settings.optional(),
  prices: price.optional(),
  /** The servers whose tools it may call. Default: all. */
  servers: names.optional(),
  /** The tools that it may call, in the notation of filters: `wiki/read_*`. Default: all. */
  tools: names.optional(),
  /** True: it may also call tools that are not declared read-only. Default false. */
  writes: flag.optional(),
  /** How deep it may be in calls of agents by agents; 1: only programs, models and people call it. Default 1. */
  maxDepth: someCount.optional(),
})

/**
 * An agent that is called like a tool, with a task in words.
 *
 * @example
 * import { CodeMode } from 'starbind'
 * import { addAgents, type SubAgent } from 'starbind/agent'
 *
 * const researcher: SubAgent = {
 *   description: 'Finds out what the wiki says about something.',
 *   instructions: 'Search, read, and answer in three sentences with the names of the pages.',
 *   model: { baseUrl: 'http://127.0.0.1:11434/v1', name: 'qwen3' },
 *   servers: ['wiki'],
 *   maxTurns: 5,
 * }
 * await using codeMode = await CodeMode.open({ servers: { wiki: { command: 'my-mcp-server' } } })
 * await addAgents(codeMode, { researcher })
 * console.log((await codeMode.run('result = agents.researcher(task="Who owns the billing service?")')).result)
 */
export interface SubAgent extends AgentBounds, Declared<typeof ownSubAgent> {}

/** The schema of `SubAgent`. */
export const subAgent = z.strictObject({ ...ownSubAgent.shape, ...bounds.shape }, { error: 'an object' })
