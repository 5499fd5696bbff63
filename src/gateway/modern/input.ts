// Answers the questions of an `input_required` result.
// Invariant: only the caller of the request is asked, and `requestState` is returned unchanged.

import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { briefly } from '../error-words.js'
import type { Params } from '../params.js'
import type { PeerOptions, PeerRequest } from '../peer.js'

/** The maximum number of questions in one result. */
const MOST_QUESTIONS = 16

const question = z.looseObject({ method: z.string(), params: z.record(z.string(), z.unknown()).default({}) })

/** The questions, by the server's keys. */
type Questions = Readonly<Record<string, z.infer<typeof question>>>

const inputRequired = z.looseObject({ inputRequests: z.unknown(), requestState: z.string().optional() })

const NEVER = new AbortController().signal

/** The parameters for the next attempt. Rejects with an McpError if the caller can't or will not answer. */
export async function inputFor(
  raw: unknown,
  asking: Pick<PeerRequest, 'caller' | 'signal'>,
  onRequest: PeerOptions['onRequest'],
): Promise<Params> {
  const { inputRequests, requestState } = inputRequired.safeParse(raw).data ?? {}
  if (inputRequests === undefined && requestState === undefined) throw unclear()
  return {
    ...(inputRequests === undefined
      ? {}
      : { inputResponses: await answersTo(questions(inputRequests), asking, onRequest) }),
    ...(requestState === undefined ? {} : { requestState }),
  }
}

/** Throws an McpError for malformed questions. */
export function questions(asked: unknown): Questions {
  let many = 0
  for (const _ in Object(asked))
    if (++many > MOST_QUESTIONS)
      throw new McpError(ErrorCode.InvalidRequest, `it asks more than ${MOST_QUESTIONS} questions at once`)
  const { data } = z.record(z.string(), question).safeParse(asked)
  if (data === undefined) throw unclear()
  return data
}

/** The answers, by the keys of the questions. */
export async function answersTo(
  questions: Questions,
  { caller, signal = NEVER }: Pick<PeerRequest, 'caller' | 'signal'>,
  onRequest: PeerOptions['onRequest'],
): Promise<Params> {
  const answers: [string, Params][] = []
  for (const [name, { method, params }] of Object.entries(questions))
    try {
      answers.push([name, await onRequest({ method, params, signal, caller: caller ?? null })])
    } catch (error) {
      throw new McpError(ErrorCode.InternalError, `it asked for ${method} and got no answer: ${briefly(error)}`)
    }
  return Object.fromEntries(answers)
}

function unclear(): McpError {
  return new McpError(ErrorCode.InvalidRequest, 'it wants to know something, and does not say what')
}
