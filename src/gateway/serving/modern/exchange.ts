import type { RequestHeaders } from '../../filter.js'
import type { Params } from '../../params.js'

/** The way of a request's notifications and its end. */
export interface Exchange {
  /** Aborts when the caller cancels the request or is gone. */
  readonly signal: AbortSignal
  /** Aborts when the process closes: what would last for ever ends. */
  readonly closing: AbortSignal
  /** Undefined where requests have none. */
  readonly headers: RequestHeaders | undefined
  /** Resolves when there is room for the next. */
  notify(method: string, params: Params): Promise<void>
}
