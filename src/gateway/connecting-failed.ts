// Explains a failed connection to the person who can fix it.
// Invariant: of a URL only the origin is shown, because paths and queries may hold keys.

import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import type { Diagnostic } from '../diagnostics/index.js'
import { type Connection, hasOwnCredentials, type ServerConfig } from './configuration/index.js'
import { answerOf, briefly, faultOf, wordsOf } from './error-words.js'
import { isUnanswered, Unauthorized, UntrustedIssuer } from './http-error.js'
import { quoteUpstream } from './messages.js'

/** The error of a server that does not speak the protocol as it must; `message` says how, in words for people. */
export class WrongRevision extends Error {}

/** `isLate`: our own timeout ended the attempt. */
export interface Attempt {
  readonly isLate: boolean
  readonly timeoutMs: number
}

export function whyNotConnected(
  error: unknown,
  { name, connection }: Pick<ServerConfig, 'name' | 'connection'>,
  { isLate, timeoutMs }: Attempt,
): string {
  if (isLate || isTimeout(error)) return `it did not answer within ${timeoutMs} ms`
  if (isConnectionClosed(error) || (error as NodeJS.ErrnoException).code === 'EPIPE')
    return 'it ended before it answered'
  if (error instanceof WrongRevision) return error.message
  if (isUnanswered(error)) return 'it closed the connection without an answer'
  if (error instanceof McpError) return `it refused: ${quoteUpstream(wordsOf(error))}`
  switch (connection.type) {
    case 'http':
      return whyNotOverHttp(error, name, connection)
    case 'stdio':
      return whyNotStarted(error, connection.command)
    case 'in-process':
    case 'builtin':
      // Nobody sends messages here: a module has the mistake.
      return error instanceof SyntaxError ? `it can't be loaded: ${faultOf(error)}` : briefly(error)
    case 'unusable':
      return connection.faults.map(inOneLine).join('; ')
  }
}

function inOneLine({ message, hint }: Diagnostic): string {
  return hint === undefined ? message : `${message}; ${hint}`
}

function whyNotStarted(error: unknown, command: string): string {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return `there is no command ${command}`
  return code === 'EACCES' ? `${command} is not executable` : briefly(error)
}

function whyNotOverHttp(error: unknown, name: string, connection: Extract<Connection, { type: 'http' }>): string {
  const { origin } = new URL(connection.url)
  if (error instanceof UntrustedIssuer)
    return `${origin} wants credentials; ${error.message}; set its oauth.issuer, or run: starbind login ${name}`
  if (refusesUs(error))
    return hasOwnCredentials(connection)
      ? `${origin} does not accept the credentials in the configuration (HTTP 401)`
      : `${origin} wants a person to log in; run: starbind login ${name}`
  const answer = answerOf(error)
  if (answer === undefined) return `${origin} can't be reached: ${briefly(error)}`
  const isPlace = answer.includes('not MCP') || answer.includes('a redirect to')
  return `${origin} answered with ${answer}${isPlace ? '; check its url' : ''}`
}

/** True if a server requires a login, or other credentials. */
export function refusesUs(error: unknown): boolean {
  return error instanceof Unauthorized
}

/**
 * True if our own timeout was reached. Servers use the SDK's codes for errors of their own, and only its timeout states
 * how long it waited.
 */
export function isTimeout(error: unknown, timeoutMs?: number): boolean {
  if (!(error instanceof McpError) || error.code !== ErrorCode.RequestTimeout) return false
  const { timeout } = (error.data ?? {}) as { readonly timeout?: unknown }
  return timeoutMs === undefined ? typeof timeout === 'number' : timeout === timeoutMs
}

/** True when the other side has ended. */
export function isConnectionClosed(error: unknown): boolean {
  if (error instanceof McpError)
    return error.code === ErrorCode.ConnectionClosed && wordsOf(error) === 'Connection closed'
  // The errors of the SDK and our transports for sending over an ended connection.
  return error instanceof Error && error.message === 'Not connected'
}
