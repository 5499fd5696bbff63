// Translates errors of fetch, the MCP SDK and the message reader into one line for a person.
// Invariant: the text is one line of bounded length.

import type { McpError } from '@modelcontextprotocol/sdk/types.js'
import { HttpError } from './http-error.js'
import { quoteUpstream } from './messages.js'

const MAX_CHARS = 300

/** One line about any error. */
export function briefly(error: unknown): string {
  const answer = answerOf(error)
  if (answer !== undefined) return `it answered with ${answer}`
  const { message, code } = innermost(error)
  if (code === 'ECONNREFUSED') return 'connection refused'
  if (code === 'ENOTFOUND') return 'unknown host'
  if (CLOSED.has(code)) return 'it closed the connection without an answer'
  if (code.startsWith('ERR_SSL_')) return 'there is no TLS there (is its url http:// and not https://?)'
  const line = oneLine(message)
  return CERTIFICATE.test(code) ? `its certificate is not trusted (${line}); ${TRUST}` : line
}

/** Describes data that arrived in place of a protocol message; undefined if the error is about something else. */
export function answerOf(error: unknown): string | undefined {
  if (error instanceof HttpError) return error.status === 0 ? typeOf(error) : statusOf(error)
  if (error instanceof SyntaxError) return 'something that is not JSON and not MCP'
  return issuesOf(error).length > 0 ? 'JSON that is not MCP' : undefined
}

/** The mistake in a message. */
export function faultOf(error: unknown): string {
  const fault = issuesOf(error).map(deepest)[0]
  if (fault === undefined) return error instanceof SyntaxError ? oneLine(error.message) : briefly(error)
  const place = fault.path.map(String).join('.')
  return oneLine(`it is not MCP: ${place === '' ? '' : `${place}: `}${fault.message}`)
}

/** The server's own words, without the SDK's prefix. */
export function wordsOf(error: McpError): string {
  return error.message.replace(/^(MCP error -?\d+: )+/, '')
}

/** An HTTP refusal: a status, and its body if that is readable text and not a web page. */
export function statusWords(error: HttpError, show: (words: string) => string = (words) => words): string {
  const body = error.message.replace(/^(Streamable HTTP error: )?Error POSTing to endpoint: /, '').trim()
  const isForReading = body !== '' && body !== 'null' && !body.startsWith('<')
  return `HTTP ${error.status}${isForReading ? `: ${show(body)}` : ''}`
}

function statusOf(error: HttpError): string {
  const target = /Redirect to (\S+) not followed/.exec(error.message)?.[1]
  if (target !== undefined) return `HTTP ${error.status}, a redirect to ${placeOf(target)}`
  return statusWords(error, (words) => quoteUpstream(words, 100))
}

function typeOf({ message }: HttpError): string {
  const type = /^.*Unexpected content type: (.*)/.exec(message)?.[1] ?? 'null'
  return `${type === 'null' ? 'nothing' : type.slice(0, 50)}, which is not MCP`
}

/** The code of the innermost error; empty when it has none. */
export function codeOf(error: unknown): string {
  return innermost(error).code
}

/** A schema's complaint about a message. */
interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
  /** The complaints of several alternatives. */
  readonly errors?: readonly (readonly Issue[])[]
}

function issuesOf(error: unknown): readonly Issue[] {
  const { issues } = (error ?? {}) as { readonly issues?: unknown }
  return Array.isArray(issues) ? issues : []
}

/** The complaint of the alternative that fits best. */
function deepest(issue: Issue): Issue {
  const inner = (issue.errors ?? []).flat().map(deepest)
  const found = inner.reduce((best, one) => (one.path.length > best.path.length ? one : best), { ...issue, path: [] })
  return { message: found.message, path: [...issue.path, ...found.path] }
}

/** Fetch says only "fetch failed"; the cause has the reason. */
function innermost(error: unknown): { readonly message: string; readonly code: string } {
  let inner = error
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause
  const { message = inner, code = '' } = (inner ?? {}) as { readonly message?: unknown; readonly code?: unknown }
  return { message: String(message), code: String(code) }
}

function oneLine(text: string): string {
  return (text.split('\n')[0] ?? '').slice(0, MAX_CHARS)
}

/** A URL without its possibly secret parts. */
function placeOf(address: string): string {
  return URL.canParse(address) ? `${new URL(address).origin}${new URL(address).pathname}` : 'elsewhere'
}

const CLOSED: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/
const TRUST = 'NODE_EXTRA_CA_CERTS=FILE adds an authority'
