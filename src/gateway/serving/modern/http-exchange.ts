// One request of revision 2026-07-28 over HTTP, and its response. The response is JSON, or a stream of events if
// notifications precede the answer or the answer takes long. Closing the connection cancels the request.
// Invariant: exactly one answer is written, and nothing after it.

import type { ServerResponse } from 'node:http'
import type { RequestHeaders } from '../../filter.js'
import type { Params } from '../../params.js'
import { errorCodes, RelayedError } from '../../protocol-error.js'
import type { RequestId } from './envelope.js'
import type { Exchange } from './exchange.js'
import { errorOf } from './modern-server.js'

/** Proxies and clients give up on connections without a byte. */
const QUIET_MS = 15_000

export class HttpExchange implements Exchange {
  readonly headers: RequestHeaders
  readonly closing: AbortSignal
  readonly #response: ServerResponse
  readonly #id: RequestId
  readonly #over = new AbortController()
  readonly #quiet: NodeJS.Timeout
  #isStream = false

  constructor(
    response: ServerResponse,
    id: RequestId,
    { headers, closing }: Pick<Exchange, 'closing'> & { readonly headers: RequestHeaders },
  ) {
    this.headers = headers
    this.closing = closing
    this.#response = response
    this.#id = id
    this.#quiet = setInterval(() => {
      this.#begin()
      response.write(': waiting\n\n')
    }, QUIET_MS).unref()
    response.once('close', () => {
      clearInterval(this.#quiet)
      this.cancel()
    })
  }

  get signal(): AbortSignal {
    return this.#over.signal
  }

  /** Cancels the request. */
  cancel(): void {
    this.#over.abort()
  }

  readonly notify = async (method: string, params: Params): Promise<void> => {
    const { signal } = this
    if (signal.aborted || this.#response.writableEnded) return
    this.#begin()
    if (this.#write({ method, params })) return
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true })
      this.#response.once('drain', resolve)
    })
  }

  answer(result: Params): void {
    this.#end(200, { id: this.#id, result })
  }

  /** Our own refusals have an HTTP status. The refusal of a server is an ordinary answer. */
  refuse(error: unknown): void {
    const fault = errorOf(error)
    const status = error instanceof RelayedError ? 200 : (STATUS[fault.code] ?? 200)
    this.#end(status, { id: this.#id, error: fault })
  }

  #begin(): void {
    if (this.#isStream) return
    this.#isStream = true
    this.#response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-cache, no-transform',
      'X-Accel-Buffering': 'no',
    })
  }

  #write(message: Params): boolean {
    return this.#response.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`)
  }

  #end(status: number, message: Params): void {
    clearInterval(this.#quiet)
    if (this.#response.writableEnded || this.#response.destroyed) return
    if (this.#isStream) {
      this.#write(message)
      this.#response.end()
    } else sendJson(this.#response, status, message)
  }
}

const STATUS: Readonly<Record<number, number>> = {
  [errorCodes.invalidRequest]: 400,
  [errorCodes.methodNotFound]: 404,
  [errorCodes.headerMismatch]: 400,
  [errorCodes.missingCapability]: 400,
  [errorCodes.unsupportedVersion]: 400,
}

export function sendJson(response: ServerResponse, status: number, message: Params): void {
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  })
  response.end(JSON.stringify({ jsonrpc: '2.0', ...message }))
}
