// What a run of an agent comes to, as plain data.

import type { AssistantMessage, Message, ToolCall } from './conversation.js'

/**
 * Why a run ended. `answered`: the model has nothing left to call. `pending`: calls wait for a person or for the caller.
 * `turns`: it had to answer without further calls. `tokens`, `cost`: that bound is reached. `length`: the endpoint cut
 * the reply off. `filtered`: the provider refused it. `misfit`: no answer fitted the schema. `cancelled`: by `signal`.
 * `failed`: `error` says what did.
 *
 * @example
 * import type { RunEnd } from 'starbind/agent'
 *
 * export const isWhole = (why: RunEnd) => why === 'answered' || why === 'turns'
 */
export type RunEnd =
  | 'answered'
  | 'pending'
  | 'turns'
  | 'tokens'
  | 'cost'
  | 'length'
  | 'filtered'
  | 'misfit'
  | 'cancelled'
  | 'failed'

/**
 * A call that is not made: a person has to approve it (`approval`), or it is of a tool of the caller (`caller`).
 *
 * @example
 * import type { PendingCall } from 'starbind/agent'
 *
 * export const question = ({ call, reason }: PendingCall) =>
 *   reason === 'approval' ? `May ${call.function.name} be called?` : `Please call ${call.function.name}.`
 */
export interface PendingCall {
  readonly call: ToolCall
  readonly reason: 'approval' | 'caller'
  /** The server's name in the configuration and the tool's at its server; absent for tools of the caller. */
  readonly server?: string | undefined
  readonly tool?: string | undefined
}

/**
 * A call that was made in the turn that ended with pending ones.
 *
 * @example
 * import type { MadeCall } from 'starbind/agent'
 *
 * export const shown = ({ name, text }: MadeCall) => `${name}: ${text}`
 */
export interface MadeCall {
  readonly id: string
  /** `server_tool`, as the model wrote it. */
  readonly name: string
  readonly isError: boolean
  /** What the model would read. */
  readonly text: string
}

/**
 * What a run took of one model.
 *
 * @example
 * import type { ModelUsage } from 'starbind/agent'
 *
 * export const perTurn = ({ toolCalls, turns }: ModelUsage) => (turns === 0 ? 0 : toolCalls / turns)
 */
export interface ModelUsage {
  /** Requests to the model. */
  readonly generations: number
  /** Those that offered tools. */
  readonly generationsWithTools: number
  /** Replies with calls. */
  readonly turns: number
  readonly toolCalls: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cachedTokens: number
  readonly reasoningTokens: number
  /** Absent without prices. */
  readonly cost?: number | undefined
}

/**
 * What ended a run that failed. `status`: of the endpoint's HTTP answer, or the one that fits best.
 *
 * @example
 * import type { AgentError } from 'starbind/agent'
 *
 * export const isKey = ({ status }: AgentError) => status === 401 || status === 403
 */
export interface AgentError {
  readonly source: 'model' | 'tool' | 'agent'
  /** Kebab-case and stable: `model-refused`. */
  readonly code: string
  readonly message: string
  readonly hint?: string | undefined
  readonly status?: number | undefined
}

/**
 * The outcome of a run. It never rejects because of a model, a tool or a bound.
 *
 * @example
 * import { CodeMode } from 'starbind'
 * import { type AgentResult, createAgent } from 'starbind/agent'
 *
 * await using codeMode = await CodeMode.open()
 * const agent = createAgent({ codeMode, model: { baseUrl: 'http://127.0.0.1:11434/v1', name: 'qwen3' } })
 * const result: AgentResult = await agent.run('What is the 30th prime?')
 * if (result.why === 'failed') console.error(result.error?.message)
 * else console.log(result.text, result.usage)
 */
export interface AgentResult<Answer = never> {
  readonly runId: string
  readonly why: RunEnd
  /** The text of the last reply; with `pending`, that of the mixed response. */
  readonly text: string
  /** Fits the schema; absent without one, or if no answer did. */
  readonly answer?: Answer | undefined
  /** The reasoning of the last reply, trimmed; null if it showed none. */
  readonly reasoning: string | null
  /**
   * The whole conversation: what was given, and what came. With `pending` the last reply has calls without an answer:
   * give it to `run` again with `approvals`, or with messages that answer them.
   */
  readonly messages: readonly Message[]
  /** The last reply; absent if there was none. */
  readonly reply?: AssistantMessage | undefined
  readonly pending: readonly PendingCall[]
  /** With `pending`: the calls of the same turn that were made. */
  readonly made: readonly MadeCall[]
  /** By the names of models. */
  readonly usage: Readonly<Record<string, ModelUsage>>
  readonly error?: AgentError | undefined
}
