// Answers what a server wants to know before it completes a request.
// Invariant: only the caller of the request is asked, and the server's state goes back as it came.

import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { briefly } from '../error-words.js'
import type { Params, PeerOptions, PeerRequest } from '../peer.js'

/** At once; a person answers one after the other. */
const MOST_QUESTIONS = 16

const question = z.looseObject({ method: z.string(), params: z.record(z.string(), z.unknown()).default({}) })
const inputRequired = z.looseObject({
  inputRequests: z.record(z.string(), question).optional(),
  requestState: z.string().optional(),
})

const NEVER = new AbortController().signal

/** The parameters that complete the request. Rejects with an McpError where the caller can't or will not answer. */
export async function inputFor(raw: unknown, asking: PeerRequest, { onRequest }: PeerOptions): Promise<Params> {
  const { inputRequests: asked } = (raw ?? {}) as Params
  let questions = 0
  for (const _ in Object(asked)) if (++questions > MOST_QUESTIONS) break
  if (questions > MOST_QUESTIONS)
    throw new McpError(ErrorCode.InvalidRequest, `it asks more than ${MOST_QUESTIONS} questions at once`)
  const { data, success } = inputRequired.safeParse(raw)
  if (!success || (data.inputRequests === undefined && data.requestState === undefined))
    throw new McpError(ErrorCode.InvalidRequest, 'it wants to know something, and does not say what')
  const { inputRequests, requestState } = data
  const inputResponses =
    inputRequests === undefined ? {} : { inputResponses: await answersTo(inputRequests, asking, onRequest) }
  return { ...inputResponses, ...(requestState === undefined ? {} : { requestState }) }
}

/** The answers, by the names of the questions. */
export async function answersTo(
  questions: Readonly<Record<string, z.infer<typeof question>>>,
  { caller, signal = NEVER }: PeerRequest,
  onRequest: PeerOptions['onRequest'],
): Promise<Params> {
  const entries = Object.entries(questions)
  const answers: [string, Params][] = []
  for (const [name, { method, params }] of entries)
    try {
      answers.push([name, await onRequest({ method, params, signal, caller: caller ?? null })])
    } catch (error) {
      throw new McpError(ErrorCode.InternalError, `it asked for ${method} and got no answer: ${briefly(error)}`)
    }
  return Object.fromEntries(answers)
}
