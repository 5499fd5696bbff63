// The two forms of questions and answers.

import { randomUUID } from 'node:crypto'
import { ChatStream, chatCompletion } from './chat-reply.js'
import { readChat } from './chat-request.js'
import type { EventStream } from './event-stream.js'
import type { Outcome, Reply } from './reply.js'
import type { ModelQuestion } from './request-shape.js'
import { ResponsesStream, responseOf } from './responses-reply.js'
import { readResponses } from './responses-request.js'
import { wordsOf } from './selection.js'

export interface Form {
  readonly question: ModelQuestion
  /** The id of an answer that the question continues. */
  readonly previousId?: string | undefined
  /** The id by which a later question may continue the answer. */
  readonly id?: string | undefined
  /** The messages at the beginning that are not a part of the conversation to continue. */
  readonly instructions: number
  reply(stream: EventStream, options: { readonly showsReasoning: boolean }): Reply
  whole(outcome: Outcome): object
}

export function chatForm(raw: unknown): Form {
  const question = readChat(raw)
  const head = { id: `chatcmpl-${randomUUID()}`, created: now(), model: wordsOf(question.model).name }
  return {
    question,
    instructions: 0,
    reply: (stream, options) => new ChatStream(stream, head, { ...options, includesUsage: question.includesUsage }),
    whole: (outcome) => chatCompletion(head, outcome),
  }
}

export function responsesForm(raw: unknown): Form {
  const question = readResponses(raw)
  const { instructions, previousId, isStored, repeated } = question
  const head = {
    id: `resp_${randomUUID().replaceAll('-', '')}`,
    created_at: now(),
    model: wordsOf(question.model).name,
    repeated,
  }
  return {
    question,
    previousId,
    ...(isStored ? { id: head.id } : {}),
    instructions: instructions === null ? 0 : 1,
    reply: (stream, options) => new ResponsesStream(stream, head, options),
    whole: (outcome) => responseOf(head, outcome),
  }
}

function now(): number {
  return Math.floor(Date.now() / 1000)
}
