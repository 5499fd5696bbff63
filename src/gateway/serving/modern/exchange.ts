import type { RequestHeaders } from '../../filter.js'
import type { Params } from '../../params.js'

/** The transport's side of one request: how its notifications leave, and how it ends early. */
export interface Exchange {
  /** Aborts when the caller cancels the request or is gone. */
  readonly signal: AbortSignal
  /** Aborts when the process closes. Requests that only listen end then. */
  readonly closing: AbortSignal
  /** Undefined for transports without headers. */
  readonly headers: RequestHeaders | undefined
  /** Resolves when there is room for the next notification. */
  notify(method: string, params: Params): Promise<void>
}
