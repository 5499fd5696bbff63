// The callers of revision 2026-07-28 over HTTP. A caller is its key, or nobody in particular where keys are not
// demanded; it has no connection and no session. Its view of the servers is made again whenever it is missing, here or
// in another process.
// Invariant: a caller has a bounded number of requests in progress, and a revoked key has none.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestHeaders } from '../../filter.js'
import { errorCodes, ProtocolError } from '../../protocol-error.js'
import { isRecord } from '../answer-request.js'
import type { Caller } from '../caller.js'
import type { ServedSession } from '../served.js'
import { checkHeaders, idOf, readRequest } from './envelope.js'
import { HeldRequests } from './held-requests.js'
import { HttpExchange, sendJson } from './http-exchange.js'
import { answerModern, errorOf, type ModernOptions } from './modern-server.js'

/** Whom a request comes from, and what of the servers it means. */
export interface Asker {
  readonly key: Caller | undefined
  /** The one server that is seen. */
  readonly only: string | undefined
}

export interface HttpCallersOptions extends Omit<ModernOptions, 'offers'> {
  readonly offersFor: (asker: Asker) => ModernOptions['offers']
  readonly open: (asker: Asker, clientName: string, headers: RequestHeaders) => Promise<ServedSession>
  /** Those of a request's headers that servers may have. */
  readonly passable: (headers: RequestHeaders, key: Caller | undefined) => RequestHeaders
  /** The maximum number of requests in progress of one caller. */
  readonly maxRequests: number
  /** The maximum number of views that are kept. */
  readonly maxViews: number
  /** How long a view is kept without requests. */
  readonly idleMs: number
}

interface View {
  readonly session: Promise<ServedSession>
  readonly key: Caller | undefined
  underway: number
  usedAt: number
}

/** The header by which a caller chooses what it is offered; the others are read at each request. */
const CHOICE = 'x-starbind-code-mode'

export class HttpCallers {
  readonly #options: HttpCallersOptions
  readonly #views = new Map<string, View>()
  readonly #held = new HeldRequests()
  readonly #closing = new AbortController()
  readonly #underway = new Map<HttpExchange, { readonly key: Caller | undefined; readonly done: Promise<void> }>()

  constructor(options: HttpCallersOptions) {
    this.#options = options
  }

  get underway(): number {
    return this.#underway.size
  }

  /** Resolves when every request in progress is answered; those that only listen are now. */
  async answered(): Promise<void> {
    this.#closing.abort()
    await Promise.all([...this.#underway.values()].map(({ done }) => done))
  }

  /** Cancels everything in progress. Resolves when nothing is. */
  async close(): Promise<void> {
    for (const exchange of this.#underway.keys()) exchange.cancel()
    this.#held.close()
    await this.answered()
    for (const view of this.#views.values()) void end(view)
    this.#views.clear()
  }

  /** Cancels the requests of some keys, and forgets their views. */
  endWhere(isOver: (key: Caller | undefined) => boolean): void {
    for (const [exchange, { key }] of this.#underway) if (isOver(key)) exchange.cancel()
    this.#held.endWhere((owner) => isOver((JSON.parse(owner) as { key?: Caller }).key))
    for (const [name, view] of this.#views) if (isOver(view.key)) this.#forget(name, view)
  }

  /** Called every few seconds. */
  endIdle(): void {
    const since = performance.now() - this.#options.idleMs
    for (const [name, view] of this.#views) if (view.underway === 0 && view.usedAt < since) this.#forget(name, view)
  }

  /** Answers one request, whose body was read. */
  async serve(request: IncomingMessage, response: ServerResponse, body: unknown, asker: Asker): Promise<void> {
    if (request.method !== 'POST') {
      response.setHeader('Allow', 'POST')
      return refuse(response, 405, body, new ProtocolError(errorCodes.refused, `there is no ${request.method} here`))
    }
    if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? ''))
      return refuse(response, 415, body, new ProtocolError(errorCodes.refused, 'Content-Type is not application/json'))
    if (isRecord(body) && typeof body.method === 'string' && body.id === undefined)
      return void response.writeHead(202).end()
    try {
      const read = readRequest(body, request.headers)
      checkHeaders(request.headers, read)
      const own = [...this.#underway.values()].filter(({ key }) => key?.sha256 === asker.key?.sha256).length
      if (own >= this.#options.maxRequests) return refuse(response, 503, body, tooMany(own))
      const headers = this.#options.passable(request.headers, asker.key)
      await this.#answer(new HttpExchange(response, read.id, { headers, closing: this.#closing.signal }), {
        read,
        asker,
        choice: request.headers[CHOICE],
      })
    } catch (error) {
      refuse(response, 400, body, error)
    }
  }

  async #answer(
    exchange: HttpExchange,
    { read, asker, choice }: { read: ReturnType<typeof readRequest>; asker: Asker; choice: RequestHeaders[string] },
  ): Promise<void> {
    const { key } = asker
    const view = this.#view(asker, read.clientName, choice)
    view.underway++
    const work = async () => {
      const parts = {
        ...this.#options,
        offers: this.#options.offersFor(asker),
        held: this.#held,
        owner: ownerOf(asker),
      }
      return answerModern(read, exchange, await view.session, parts)
    }
    const done = work().then(
      (result) => exchange.answer(result),
      (error) => exchange.refuse(error),
    )
    this.#underway.set(exchange, { key, done })
    await done
    this.#underway.delete(exchange)
    view.underway--
    view.usedAt = performance.now()
  }

  #view(asker: Asker, clientName: string, choice: RequestHeaders[string]): View {
    const { key, only } = asker
    const name = JSON.stringify([key?.sha256, only, clientName, choice])
    const known = this.#views.get(name)
    if (known !== undefined) {
      // The last used is the last to make room.
      this.#views.delete(name)
      this.#views.set(name, known)
      return known
    }
    const headers = choice === undefined ? {} : { [CHOICE]: choice }
    const session = this.#options.open(asker, clientName, headers)
    const view: View = { session, key, underway: 0, usedAt: performance.now() }
    session.catch(() => this.#views.delete(name))
    for (const [oldest, old] of this.#views) {
      if (this.#views.size < this.#options.maxViews) break
      if (old.underway === 0) this.#views.delete(oldest)
    }
    this.#views.set(name, view)
    return view
  }

  #forget(name: string, view: View): void {
    this.#views.delete(name)
    void end(view)
  }
}

/** Who may answer what a request is asked. */
function ownerOf({ key, only }: Asker): string {
  return JSON.stringify({ key, only })
}

async function end({ session }: View): Promise<void> {
  const opened = await session.catch(() => undefined)
  opened?.end()
}

function tooMany(count: number): ProtocolError {
  return new ProtocolError(errorCodes.refused, `${count} requests of this caller are underway; wait for one`)
}

function refuse(response: ServerResponse, status: number, body: unknown, error: unknown): void {
  if (response.headersSent) return void response.end()
  sendJson(response, status, { id: idOf(body), error: errorOf(error) })
}
