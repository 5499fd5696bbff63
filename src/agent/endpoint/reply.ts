// An answer in the making, whatever its form.

import type { ToolCall } from '../conversation.js'
import type { Refusal } from './refusal.js'
import type { ToolEvent } from './tool-events.js'

/** The tokens of all requests to the model. */
export interface Usage {
  readonly input: number
  readonly output: number
  readonly cached: number
  readonly reasoning: number
}

export interface Outcome {
  /** All text of the answer. */
  readonly text: string
  /** The calls that the client has to make, or to approve. */
  readonly calls: readonly ToolCall[]
  /** As in Chat Completions. */
  readonly finish: 'stop' | 'tool_calls' | 'length' | 'content_filter'
  readonly usage: Usage
}

/** Takes the parts of an answer. Exactly one of `end` and `fail` is last. */
export interface Reply {
  text(text: string): void
  reasoning(text: string): void
  event(event: ToolEvent): void
  end(outcome: Outcome): void
  /** `event`: for clients that ask for events. */
  fail(refusal: Refusal, event?: ToolEvent): void
}
