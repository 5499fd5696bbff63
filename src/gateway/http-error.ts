// What goes wrong over HTTP. The SDK's own classes would load its transports and its OAuth client for every server.

import { McpError } from '@modelcontextprotocol/sdk/types.js'

/** An answer over HTTP that has no message. `message` has the words of the SDK. */
export class HttpError extends Error {
  /** Zero: the answer is of another type of content than messages are. */
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** The server requires a login, or other credentials. */
export class Unauthorized extends Error {}

/**
 * A server names an authorization server that must not get our credentials; `message` is the reason, in words for
 * people.
 */
export class UntrustedIssuer extends Unauthorized {}

/** The replacement for the answer of a request whose stream has ended without one. */
export const UNANSWERED = 'starbind/unanswered'

/** True for the error that replaces a missing answer. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof McpError && error.data === UNANSWERED
}
