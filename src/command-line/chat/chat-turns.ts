// A conversation: its messages, and one turn after the other.
// Invariant: after every turn the messages are ones that a model accepts: each call has an answer.

import { randomBytes } from 'node:crypto'
import type {
  Agent,
  AgentEvent,
  AgentResult,
  Message,
  MessageInput,
  OnAgentApproval,
  ToolMessage,
} from '../../agent/index.js'

export interface TurnOptions {
  readonly signal: AbortSignal
  readonly onEvent: (event: AgentEvent) => void
  /** Undefined if no person can be asked. */
  readonly onApproval: OnAgentApproval | undefined
}

export class ChatTurns {
  readonly #agent: Agent
  #messages: readonly Message[] = []
  #runId = newName()

  constructor(agent: Agent) {
    this.#agent = agent
  }

  /** Forgets the conversation. */
  reset(): void {
    this.#messages = []
    this.#runId = newName()
  }

  /** A question and its answer. A turn without any reply leaves nothing behind. */
  async ask(question: string, options: TurnOptions): Promise<AgentResult> {
    const given: readonly MessageInput[] = [...this.#messages, { role: 'user', content: question }]
    const result = await this.#agent.run(given, { ...options, runId: this.#runId })
    if (result.reply !== undefined) this.#messages = [...result.messages, ...result.pending.map(notMade)]
    return result
  }
}

function newName(): string {
  return `chat-${randomBytes(5).toString('hex')}`
}

function notMade({ call: { id } }: AgentResult['pending'][number]): ToolMessage {
  const text = 'This call was not made: the person has not decided about it.'
  return { role: 'tool', tool_call_id: id, content: [{ type: 'text', text }], is_error: true }
}
