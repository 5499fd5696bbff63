// The events of an agent's run, as plain data.
// Invariant: every `tool_call` has one `tool_response` with the same id, and events are numbered from 1.

import type { ReplyTokens } from './model.js'

/**
 * An event without its number, time and run.
 *
 * @example
 * import type { AgentHappening } from 'starbind/agent'
 *
 * export const isFailure = (event: AgentHappening) => event.type === 'error' && event.severity === 'error'
 */
export type AgentHappening =
  /** A piece of the model's text, as it comes; the whole at once where the model does not stream. */
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  /**
   * A call begins. `callId` is the model's id of it. A call that a program makes has the id of `executeToolCode`'s call
   * as its `parentId` and no arguments: events of runs have digests only.
   */
  | (OfCall & {
      readonly type: 'tool_call'
      readonly arguments?: Readonly<Record<string, unknown>> | undefined
    })
  /** It has ended. `text`: what the model reads; absent for calls of programs. */
  | (OfCall & {
      readonly type: 'tool_response'
      readonly isError: boolean
      readonly text?: string
      readonly ms: number
    })
  /** A person is asked about a call, has answered, or nobody is there to be asked. */
  | (OfCall & {
      readonly type: 'approval'
      readonly state: 'asked' | 'approved' | 'denied' | 'waiting'
      readonly arguments?: Readonly<Record<string, unknown>> | undefined
      readonly reason?: string
    })
  | (OfCall & {
      readonly type: 'progress'
      readonly progress: number
      readonly total?: number | undefined
      readonly message?: string | undefined
    })
  /** A reply with calls has come. Turns count from 1. */
  | { readonly type: 'turn'; readonly turn: number; readonly calls: number }
  /** What one reply took. */
  | { readonly type: 'usage'; readonly model: string; readonly tokens: ReplyTokens; readonly ms: number }
  /** `source`: whose failure it is. `error` ends the run. */
  | {
      readonly type: 'error'
      readonly source: 'model' | 'tool' | 'agent'
      readonly code: string
      readonly message: string
      readonly severity: 'warning' | 'error'
    }

interface OfCall {
  readonly callId: string
  /** The call of a model that this call is a part of; null: the model made it. */
  readonly parentId: string | null
  /** The name that the model wrote; of a program's call `server.tool`. */
  readonly name: string
  /** The server's name in the configuration and the tool's at its server; absent for meta-tools and a caller's own. */
  readonly server?: string | undefined
  readonly tool?: string | undefined
}

/**
 * An event of an agent's run.
 *
 * @example
 * import type { AgentEvent } from 'starbind/agent'
 *
 * export const show = (event: AgentEvent) => {
 *   if (event.type === 'text') process.stdout.write(event.text)
 *   if (event.type === 'tool_call') console.log(event.name, event.callId)
 * }
 */
export type AgentEvent = AgentHappening & {
  readonly runId: string
  /** When it happened, in milliseconds since 1970. */
  readonly time: number
  /** Its place among the events of the run, from 1. */
  readonly sequence: number
}
