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
  ToolCall,
  ToolMessage,
} from '../../agent/index.js'

interface TurnOptions {
  readonly signal: AbortSignal
  readonly onEvent: (event: AgentEvent) => void
  /** Undefined if no person can be asked. */
  readonly onApproval: OnAgentApproval | undefined
}

/** A conversation to go on with; `name` is that of its trace. */
export interface Earlier {
  readonly name: string
  readonly messages: readonly Message[]
}

export class ChatTurns {
  readonly #agent: Agent
  #messages: readonly Message[]
  #runId: string

  constructor(agent: Agent, { name, messages }: Earlier = { name: newName(), messages: [] }) {
    this.#agent = agent
    this.#messages = whole(messages)
    this.#runId = name
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
    if (result.reply !== undefined) this.#messages = whole(result.messages)
    return result
  }
}

/** The beginning of names of conversations in a terminal. */
export const CHAT = 'chat-'

function newName(): string {
  return `${CHAT}${randomBytes(5).toString('hex')}`
}

/** With an answer to each call of the last reply. */
function whole(messages: readonly Message[]): readonly Message[] {
  const at = messages.findLastIndex(({ role }) => role === 'assistant')
  const reply = messages[at]
  if (reply?.role !== 'assistant') return messages
  const answered = messages.slice(at).map((message) => (message.role === 'tool' ? message.tool_call_id : ''))
  return [...messages, ...(reply.tool_calls ?? []).filter(({ id }) => !answered.includes(id)).map(notMade)]
}

function notMade({ id }: ToolCall): ToolMessage {
  const text = 'This call was not made: the person has not decided about it.'
  return { role: 'tool', tool_call_id: id, content: [{ type: 'text', text }], is_error: true }
}
