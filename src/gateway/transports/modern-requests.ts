// Streamable HTTP in revision 2026-07-28. Headers repeat parts of a request, and an answer of the protocol may come
// with an HTTP status of a failure.

import type { JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js'
import { metaKey } from '../meta-keys.js'
import { withBody } from './bounded-fetch.js'

/** The headers for a request. */
export function headersOf({ method, params = {} }: JSONRPCRequest): Record<string, string> {
  const { name, uri, taskId } = params as { readonly [key: string]: unknown }
  const named = NAMED.has(method) ? (name ?? uri ?? taskId) : undefined
  return {
    'mcp-protocol-version': String(params._meta?.[metaKey.version]),
    'mcp-method': headerValue(method),
    ...(typeof named === 'string' ? { 'mcp-name': headerValue(named) } : {}),
  }
}

const NAMED: ReadonlySet<string> = new Set(
  'tools/call resources/read prompts/get tasks/get tasks/update tasks/cancel'.split(' '),
)

/** A text in the form that a header can carry. */
export function headerValue(text: string): string {
  const isPlain = /^(?:[!-~](?:[\t -~]*[!-~])?)?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text)
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`
}

/** The response with a status of success if its body is an answer to this request; otherwise the response unchanged. */
export async function answering(response: Response, id: string | number): Promise<Response> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  if (response.ok || !isJson || CREDENTIAL_STATUSES.has(response.status)) return response
  const text = await response.text()
  const answer = answerIn(text, id)
  if (answer === undefined) return withBody(response, new Blob([text]).stream())
  return Response.json(answer)
}

/** Statuses that refuse the credentials of a request. */
export const CREDENTIAL_STATUSES: ReadonlySet<number> = new Set([401, 403])

function answerIn(text: string, id: string | number): object | undefined {
  try {
    const { jsonrpc, id: to = null, error, result } = JSON.parse(text) as { readonly [key: string]: unknown }
    const isAnswer = jsonrpc === '2.0' && (to === null || to === id)
    if (!isAnswer || (error === undefined && result === undefined)) return undefined
    return { jsonrpc, id, ...(error === undefined ? { result } : { error }) }
  } catch {
    return undefined
  }
}
