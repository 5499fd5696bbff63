// One run of the agent for one request: its events as parts of an answer, and its end as the end of the answer.
// Invariant: an answer ends once, and what a client reads of a stream is what it would have read of a whole answer.

import type { AgentEvent } from '../agent-event.js'
import type { AgentResult, RunEnd } from '../agent-result.js'
import { textOf } from '../conversation.js'
import { Refusal } from './refusal.js'
import type { Outcome, Reply, Usage } from './reply.js'
import { toolEventOf } from './tool-events.js'

/** The text of an answer, from the texts of several replies. */
export class AnswerText {
  readonly #onPiece: (piece: string) => void
  #text = ''
  /** A new reply begins. */
  #isNewReply = false

  constructor(onPiece: (piece: string) => void) {
    this.#onPiece = onPiece
  }

  get text(): string {
    return this.#text
  }

  add(piece: string): void {
    if (piece === '') return
    const gap = this.#isNewReply && this.#text !== '' ? '\n\n' : ''
    this.#isNewReply = false
    this.#text += gap + piece
    this.#onPiece(gap + piece)
  }

  endReply(): void {
    this.#isNewReply = true
  }
}

/** Passes on the events of a run. */
export function listening(
  reply: Reply | undefined,
  text: AnswerText,
  sendsEvents: boolean,
): (event: AgentEvent) => void {
  return (event) => {
    if (event.type === 'text') return text.add(event.text)
    if (event.type === 'reasoning') return reply?.reasoning(event.text)
    if (event.type === 'turn') text.endReply()
    const shown = sendsEvents ? toolEventOf(event) : undefined
    if (shown !== undefined) reply?.event(shown)
  }
}

/** The end of an answer. Throws a Refusal if there is none. */
export function outcomeOf(result: AgentResult, text: AnswerText, fail: (result: AgentResult) => Refusal): Outcome {
  const { why, pending, made, reply } = result
  if (why === 'failed') throw fail(result)
  if (why === 'cancelled')
    throw new Refusal(503, 'the request was cancelled: this server closes, or the key was revoked')
  if (why === 'pending' && (made.length > 0 || pending.some(({ reason }) => reason === 'approval'))) {
    // The reply's own text was sent when it came.
    const own = reply === undefined ? '' : textOf(reply)
    text.endReply()
    text.add(own !== '' && result.text.startsWith(own) ? result.text.slice(own.length).trimStart() : result.text)
  }
  return {
    text: text.text,
    calls: pending.map(({ call }) => call),
    finish: pending.some(({ reason }) => reason === 'caller') ? 'tool_calls' : FINISH[why],
    usage: usageOf(result),
  }
}

const FINISH: Readonly<Record<Exclude<RunEnd, 'failed' | 'cancelled'>, Outcome['finish']>> = {
  answered: 'stop',
  // A client's own loop ends here: a person has to answer first.
  pending: 'stop',
  turns: 'stop',
  misfit: 'stop',
  tokens: 'length',
  cost: 'length',
  length: 'length',
  filtered: 'content_filter',
}

function usageOf({ usage }: AgentResult): Usage {
  const all = Object.values(usage)
  const sum = (of: (one: (typeof all)[number]) => number) => all.reduce((total, one) => total + of(one), 0)
  return {
    input: sum(({ inputTokens }) => inputTokens),
    output: sum(({ outputTokens }) => outputTokens),
    cached: sum(({ cachedTokens }) => cachedTokens),
    reasoning: sum(({ reasoningTokens }) => reasoningTokens),
  }
}
