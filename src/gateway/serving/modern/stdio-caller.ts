// Requests of revision 2026-07-28 over stdin and stdout. Requests of earlier revisions share the pipe; each message of
// this revision names it. The process has a single caller.
// Invariant: each message is handled here or by the server for earlier revisions, never by both.

import type { Params } from '../../params.js'
import { errorCodes, ProtocolError } from '../../protocol-error.js'
import { isRecord } from '../answer-request.js'
import type { ServedSession } from '../served.js'
import { Underway } from '../underway.js'
import { idOf, type ModernRequest, type RequestId, readRequest, saysRevision } from './envelope.js'
import { HeldRequests } from './held-requests.js'
import { answerModern, errorOf, type ModernOptions } from './modern-server.js'

interface StdioCallerOptions extends ModernOptions {
  readonly open: (clientName: string) => Promise<ServedSession>
  readonly maxRequests: number
  /** Resolves when there is room for the next message. */
  readonly send: (message: Params) => Promise<void>
}

export class StdioCaller {
  readonly #options: StdioCallerOptions
  #session: Promise<ServedSession> | undefined
  readonly #held = new HeldRequests()
  readonly #underway = new Underway<RequestId>()

  constructor(options: StdioCallerOptions) {
    this.#options = options
  }

  get underway(): number {
    return this.#underway.size
  }

  /** Resolves when every request in progress is answered. Requests that only listen are answered at once. */
  answered(): Promise<void> {
    return this.#underway.answered()
  }

  async close(): Promise<void> {
    this.#held.close()
    await this.#underway.end()
    const session = await this.#session?.catch(() => undefined)
    session?.end()
  }

  /** Handles a message. False: it belongs to an earlier revision. */
  take(message: unknown): boolean {
    if (isRecord(message) && message.method === 'notifications/cancelled' && isRecord(message.params)) {
      const asked = this.#underway.get(message.params.requestId as RequestId)
      asked?.cancel()
      return asked !== undefined
    }
    if (!saysRevision(message)) return false
    if (idOf(message) !== null) this.#accept(message)
    return true
  }

  #accept(message: unknown): void {
    const id = idOf(message)!
    try {
      const request = readRequest(message)
      if (this.#underway.size >= this.#options.maxRequests)
        throw new ProtocolError(errorCodes.refused, `${this.#options.maxRequests} requests are underway; wait for one`)
      if (this.#underway.get(id) !== undefined)
        throw new ProtocolError(errorCodes.invalidRequest, 'a request with this id is underway')
      const over = new AbortController()
      this.#underway.add(id, { cancel: () => over.abort(), done: this.#answer(request, over.signal) })
    } catch (error) {
      this.#send({ id, error: errorOf(error) })
    }
  }

  async #answer(request: ModernRequest, signal: AbortSignal): Promise<void> {
    const { id, clientName } = request
    const notify = (method: string, params: Params) => this.#options.send({ jsonrpc: '2.0', method, params })
    try {
      this.#session ??= this.#options.open(clientName)
      const exchange = { signal, closing: this.#underway.closing, headers: undefined, notify }
      const parts = { ...this.#options, held: this.#held, owner: 'stdio' }
      const result = await answerModern(request, exchange, await this.#session, parts)
      if (!signal.aborted) this.#send({ id, result })
    } catch (error) {
      if (!signal.aborted) this.#send({ id, error: errorOf(error) })
    }
  }

  #send(message: Params): void {
    void this.#options.send({ jsonrpc: '2.0', ...message }).catch(() => {})
  }
}
