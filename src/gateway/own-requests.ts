// Requests that bypass the SDK's client, which checks each message with its schemas again and makes several objects for
// each request. Requests are sent and end as the client's do.
// Invariant: a request ends once, and its number is none of the client's.

import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  ErrorCode,
  type JSONRPCErrorResponse,
  type JSONRPCResultResponse,
  McpError,
} from '@modelcontextprotocol/sdk/types.js'
import type { Params } from './params.js'

/** The client counts from zero. Within 32 bits, which some servers take for all numbers. */
const FIRST_NUMBER = 1_000_000_000
const ABORTED = 'AbortError: This operation was aborted'

type Answer = JSONRPCResultResponse | JSONRPCErrorResponse
interface Waiting {
  answer(message: Answer): void
  fail(error: Error): void
  readonly onProgress?: ((progress: Params) => void) | undefined
}

export interface OwnRequest {
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  /** Receives progress; the server is then asked for it. */
  readonly onProgress?: ((progress: Params) => void) | undefined
  /** Receives the request's number before it is sent. */
  readonly onNumber?: ((id: number) => void) | undefined
}

export class OwnRequests {
  readonly #waiting = new Map<unknown, Waiting>()
  #number = FIRST_NUMBER

  /** Resolves to the result. Rejects like a request of the client. */
  send(
    transport: Transport,
    { method, params }: { readonly method: string; readonly params: Record<string, unknown> },
    { timeoutMs, signal, onProgress, onNumber }: OwnRequest,
  ): Promise<unknown> {
    const id = this.#number++
    onNumber?.(id)
    const sent =
      onProgress === undefined ? params : { ...params, _meta: { ...(params._meta as object), progressToken: id } }
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', cancel)
        this.#waiting.delete(id)
      }
      const fail = (error: Error): void => {
        end()
        reject(error)
      }
      const giveUp = (error: McpError, reason: string): void => {
        fail(error)
        const params = { requestId: id, reason }
        transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params }).catch(() => {})
      }
      const cancel = (): void => giveUp(new McpError(ErrorCode.RequestTimeout, ABORTED), ABORTED)
      const timer = setTimeout(() => {
        const error = McpError.fromError(ErrorCode.RequestTimeout, 'Request timed out', { timeout: timeoutMs })
        giveUp(error as McpError, String(error))
      }, timeoutMs)
      signal?.addEventListener('abort', cancel, { once: true })
      const answer = (message: Answer): void => {
        end()
        if ('result' in message) resolve(message.result)
        else reject(McpError.fromError(message.error.code, message.error.message, message.error.data))
      }
      this.#waiting.set(id, { answer, fail, onProgress })
      transport.send({ method, params: sent, jsonrpc: '2.0', id }).catch(fail)
    })
  }

  /** False: the answer belongs to no request that was sent here. */
  take(message: Answer): boolean {
    const waiting = this.#waiting.get(message.id)
    waiting?.answer(message)
    return waiting !== undefined
  }

  /** False: it is no progress of a request that was sent here. */
  takeProgress({ method, params }: { readonly method: string; readonly params?: Params | undefined }): boolean {
    if (method !== 'notifications/progress') return false
    const { progressToken, ...progress } = params ?? {}
    const waiting = this.#waiting.get(progressToken)
    waiting?.onProgress?.(progress)
    return waiting !== undefined
  }

  /** The connection has ended, so pending requests fail. */
  close(): void {
    const error = McpError.fromError(ErrorCode.ConnectionClosed, 'Connection closed')
    for (const waiting of [...this.#waiting.values()]) waiting.fail(error)
  }
}
