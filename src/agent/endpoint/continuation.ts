// A conversation that a client sends again: with the rounds that it never saw, and with a person's answers to calls
// that waited for one.
// Invariant: only the caller that was handed a call continues the rounds behind it.

import { createHash, type Hash } from 'node:crypto'
import type { ApprovalAnswer } from '../../index.js'
import type { Message, MessageInput, ToolCall } from '../conversation.js'

export interface Continuation {
  readonly messages: readonly MessageInput[]
  /** The answers to calls of the last reply. */
  readonly approvals: Readonly<Record<string, ApprovalAnswer>>
}

interface ContinuationParts {
  /** How many messages at the beginning are about this request only. */
  readonly instructions: number
  /** The messages of an earlier answer, whole. */
  readonly before: readonly Message[]
  /** The names of the client's own tools. */
  readonly ownTools: ReadonlySet<string>
  /** The messages in place of the reply with a call. */
  readonly held: (place: string) => readonly Message[] | undefined
}

/** The place of each call that is handed to a client, when everything before its reply is `given`. */
export function placesOf(calls: readonly ToolCall[], given: readonly MessageInput[]): string[] {
  const before = createHash('sha256')
  for (const message of given) before.update(JSON.stringify(message))
  return calls.map((call) => placeOf(call, before))
}

/** Models use the same ids in many conversations, so what comes before a call is a part of its place. */
function placeOf({ id }: ToolCall, before: Hash): string {
  return `${before.copy().digest('base64url')} ${id}`
}

/** The answers that a person may give in place of a result. Any other text is a result, which the model reads. */
const ANSWERS: Readonly<Record<string, ApprovalAnswer>> = { approve: 'once', deny: 'deny' }

export function continued(
  given: readonly MessageInput[],
  { instructions, before, ownTools, held }: ContinuationParts,
): Continuation {
  const whole = [...given.slice(0, instructions), ...before, ...withHeld(given.slice(instructions), held)]
  const at = whole.findLastIndex(({ role }) => role === 'assistant')
  const reply = whole[at]
  const calls = reply?.role === 'assistant' ? (reply.tool_calls ?? []) : []
  const ours = new Set(calls.filter(({ function: { name } }) => !ownTools.has(name)).map(({ id }) => id))
  const approvals: Record<string, ApprovalAnswer> = {}
  const messages = whole.filter((message, i) => {
    if (message.role !== 'tool' || i < at || !ours.has(message.tool_call_id)) return true
    const answer = ANSWERS[textIn(message.content)]
    if (answer !== undefined) approvals[message.tool_call_id] = answer
    return answer === undefined
  })
  return { messages, approvals }
}

function withHeld(given: readonly MessageInput[], held: ContinuationParts['held']): MessageInput[] {
  const before = createHash('sha256')
  return given.flatMap((message): readonly MessageInput[] => {
    const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : []
    const found = calls.map((call) => held(placeOf(call, before))).find((messages) => messages !== undefined)
    before.update(JSON.stringify(message))
    return found ?? [message]
  })
}

function textIn(content: Extract<MessageInput, { role: 'tool' }>['content']): string {
  const texts =
    typeof content === 'string' ? [content] : content.map((block) => (block.type === 'text' ? block.text : ''))
  return texts.join('').trim().toLowerCase()
}
