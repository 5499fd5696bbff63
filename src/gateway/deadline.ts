// The timeout of a request that takes several messages. It covers all of them, and the questions to people in between.

import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'

/** The part's own timeout is later than that of the whole by this, so that the whole's is reported. Milliseconds. */
const LATER_MS = 10_000

export interface Part {
  /** Aborts with the request, and when its time is up. */
  readonly signal: AbortSignal
  readonly timeoutMs: number
}

export class Deadline {
  readonly #timeoutMs: number
  readonly #signal: AbortSignal | undefined
  readonly #endsAt: number

  /** Begins now. */
  constructor({ timeoutMs, signal }: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined }) {
    this.#timeoutMs = timeoutMs
    this.#signal = signal
    this.#endsAt = performance.now() + timeoutMs
  }

  /** Does a part of the work. Rejects as one request whose time is up. */
  async part<T>(work: (part: Part) => Promise<T>): Promise<T> {
    const left = Math.max(0, this.#endsAt - performance.now())
    const stop = new AbortController()
    const abort = (): void => stop.abort()
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      abort()
    }, left)
    this.#signal?.addEventListener('abort', abort, { once: true })
    if (this.#signal?.aborted) abort()
    try {
      return await work({ signal: stop.signal, timeoutMs: left + LATER_MS })
    } catch (error) {
      if (!isLate) throw error
      throw McpError.fromError(ErrorCode.RequestTimeout, 'Request timed out', { timeout: this.#timeoutMs })
    } finally {
      clearTimeout(timer)
      this.#signal?.removeEventListener('abort', abort)
    }
  }
}
