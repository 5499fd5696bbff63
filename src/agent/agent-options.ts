// The options of an agent and of one run of it.

import type { ApprovalAnswer, ApprovalRequest, RequestHeaders, ResultSchema, Session } from '../index.js'
import type { AgentEvent } from './agent-event.js'
import type { ModelEndpoint, ModelFunction, ModelSettings, Prices, ToolChoice, ToolDefinition } from './model.js'
import type { TraceMode } from './traces/trace-mode.js'

/**
 * How a model reaches tools. `code`: through the four meta-tools. `direct`: every tool is a tool of the model. `both`.
 * `auto`: directly while the definitions have at most `autoTokens` tokens, else through programs.
 *
 * @example
 * import type { AgentMode } from 'starbind/agent'
 *
 * export const mode: AgentMode = 'auto'
 */
export type AgentMode = 'code' | 'direct' | 'both' | 'auto'

/**
 * A named choice of tools with its own bounds. The model calls these tools by their own names, without their server's.
 *
 * @example
 * import type { ToolSet } from 'starbind/agent'
 *
 * export const research: ToolSet = { servers: ['wiki', 'web'], tools: ['search', 'read_page'], maxTurns: 4 }
 */
export interface ToolSet {
  /** Names of the configuration. */
  readonly servers: readonly string[]
  /** Names of tools at these servers. Default: all. */
  readonly tools?: readonly string[] | undefined
  readonly maxTurns?: number | undefined
  readonly toolTimeoutMs?: number | undefined
}

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

/**
 * The bounds of one run. Every run ends: at the latest when the turns are used up.
 *
 * @example
 * import type { AgentBounds } from 'starbind/agent'
 *
 * export const small: AgentBounds = { maxTurns: 3, maxTokens: 50_000, toolTimeoutMs: 5_000 }
 */
export interface AgentBounds {
  /**
   * Replies with calls whose calls are made. The calls of one more reply are each answered with `refusal`, and then the
   * model is asked without tools. Default 10.
   */
  readonly maxTurns?: number | undefined
  /** Input and output tokens of all replies together. Default: none. */
  readonly maxTokens?: number | undefined
  /** What all replies together may cost; needs `prices`. Default: none. */
  readonly maxCost?: number | undefined
  /** The longest time of one call of a tool. Default: as the configuration says (30 seconds). */
  readonly toolTimeoutMs?: number | undefined
  /** The most calls in one reply; the rest are answered with a refusal. Default 64. */
  readonly maxCallsPerTurn?: number | undefined
  /** The most characters of one call's arguments. Default 1,000,000. */
  readonly maxArgumentChars?: number | undefined
  /** The most characters of one reply; a longer one ends the run. Default 1,000,000. */
  readonly maxReplyChars?: number | undefined
  /** The most characters of a tool's answer that the model reads. Default 24,000. */
  readonly maxAnswerChars?: number | undefined
}

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
export interface AgentOptions<Answer = never> extends AgentBounds {
  /** A CodeMode or a session: the agent may call what it may call. */
  readonly codeMode: Session
  readonly model: ModelFunction | ModelEndpoint
  /** The model's name in events and usage. Default: the endpoint's, or the function's. */
  readonly name?: string | undefined
  /** Default `auto`. */
  readonly mode?: AgentMode | undefined
  /** For `auto`. */
  readonly autoTokens?: number | undefined
  /** A system message in front of every conversation. */
  readonly instructions?: string | undefined
  readonly settings?: ModelSettings | undefined
  readonly prices?: Prices | undefined
  readonly toolSets?: Readonly<Record<string, ToolSet>> | undefined
  /** The set of every run that names none. Default: all tools. */
  readonly toolSet?: string | undefined
  /** True: a tool that fails, takes too long or does not exist ends the run. Default: the model is told. */
  readonly strict?: boolean | undefined
  /** The answer to each call beyond `maxTurns`. */
  readonly refusal?: string | undefined
  /** Called for calls that need approval. Default: nobody is asked, and the run ends with the calls pending. */
  readonly onApproval?: OnAgentApproval | undefined
  /** The schema of the answer, which the model then writes as JSON. */
  readonly answer?: ResultSchema<Answer> | undefined
  /** How often the model may correct an answer that does not fit, in one conversation. Default 2. */
  readonly corrections?: number | undefined
  /** How often the conversation may go back to its last tool turn after that. No tool is called again. Default 1. */
  readonly restarts?: number | undefined
  /**
   * What `codeMode.traces` keeps of each run, by the name of the run. Runs of the same name are turns of one
   * conversation. Default `none`.
   */
  readonly traces?: TraceMode | undefined
}

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
export interface AgentRunOptions {
  /** Ends the run, its request to the model and its calls. */
  readonly signal?: AbortSignal | undefined
  /**
   * Takes the events of the run as they happen. A promise that it returns for a piece of text or reasoning holds back
   * the model's stream until it is fulfilled. Its exceptions are ignored.
   */
  readonly onEvent?: ((event: AgentEvent) => unknown) | undefined
  /** The run's name in events. Default: a new one. */
  readonly runId?: string | undefined
  /** Tools of the caller: calls of them are pending, and the caller answers them. */
  readonly tools?: readonly ToolDefinition[] | undefined
  readonly toolChoice?: ToolChoice | undefined
  /** Beside the agent's own, which they override. */
  readonly settings?: ModelSettings | undefined
  readonly toolSet?: string | undefined
  /** Answers to pending calls of the given conversation, by the ids of the calls. */
  readonly approvals?: Readonly<Record<string, ApprovalAnswer>> | undefined
  readonly onApproval?: OnAgentApproval | undefined
  /** The headers of the caller's request, as far as servers may have them. */
  readonly headers?: RequestHeaders | undefined
  /** The caller's trace, as W3C's headers have it: `traceparent`, `tracestate`, `baggage`. */
  readonly trace?: Readonly<Record<string, string>> | undefined
}

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
export interface SubAgent extends AgentBounds {
  /** For those who call it. */
  readonly description: string
  readonly instructions?: string | undefined
  readonly model: ModelFunction | ModelEndpoint
  readonly mode?: AgentMode | undefined
  readonly settings?: ModelSettings | undefined
  readonly prices?: Prices | undefined
  /** The servers whose tools it may call. Default: all. */
  readonly servers?: readonly string[] | undefined
  /** The tools that it may call, in the notation of filters: `wiki/read_*`. Default: all. */
  readonly tools?: readonly string[] | undefined
  /** True: it may also call tools that are not declared read-only. Default false. */
  readonly writes?: boolean | undefined
  /** How deep it may be in calls of agents by agents; 1: only programs, models and people call it. Default 1. */
  readonly maxDepth?: number | undefined
}
