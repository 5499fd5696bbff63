// The callers of revision 2026-07-28 over HTTP. A caller has no session: its key or access token identifies it, and all
// callers without one count as the same caller. A caller's view of the servers is a cache: any process can make it again.
// Invariant: a caller has a bounded number of requests in progress, and a revoked key has none.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestHeaders } from '../../filter.js'
import { errorCodes, ProtocolError } from '../../protocol-error.js'
import { isRecord } from '../answer-request.js'
import type { Caller } from '../caller.js'
import type { ServedSession } from '../served.js'
import { Underway, type UnderwayOfCaller } from '../underway.js'
import { checkHeaders, idOf, readRequest } from './envelope.js'
import { HeldRequests } from './held-requests.js'
import { HttpExchange, sendJson } from './http-exchange.js'
import { answerModern, errorOf, type ModernOptions } from './modern-server.js'

/** Who sent a request, and which servers the request can see. */
export interface Asker {
  readonly key: Caller | undefined
  /** The only visible server. Undefined: all servers are visible. */
  readonly only: string | undefined
}

interface HttpCallersOptions extends Omit<ModernOptions, 'offers'> {
  readonly offersFor: (asker: Asker) => ModernOptions['offers']
  readonly open: (asker: Asker, clientName: string, headers: RequestHeaders) => Promise<ServedSession>
  /** The headers of a request that may be passed on to servers. */
  readonly passable: (headers: RequestHeaders, key: Caller | undefined) => RequestHeaders
  /** The maximum number of concurrent requests of one caller. */
  readonly maxRequests: number
  /** The maximum number of cached views. */
  readonly maxViews: number
  /** The time after which an unused view is dropped. */
  readonly idleMs: number
}

interface View {
  readonly session: Promise<ServedSession>
  readonly key: Caller | undefined
  underway: number
  usedAt: number
}

/** The header with which a caller chooses its tools. Other headers apply to single requests. */
const CHOICE = 'x-starbind-code-mode'

export class HttpCallers {
  readonly #options: HttpCallersOptions
  readonly #views = new Map<string, View>()
  readonly #held = new HeldRequests()
  readonly #underway = new Underway<HttpExchange, UnderwayOfCaller>()

  constructor(options: HttpCallersOptions) {
    this.#options = options
  }

  get underway(): number {
    return this.#underway.size
  }

  /** Resolves when every request in progress is answered. Requests that only listen are answered at once. */
  answered(): Promise<void> {
    return this.#underway.answered()
  }

  /** Cancels all requests. Resolves when none is left. */
  async close(): Promise<void> {
    this.#held.close()
    await this.#underway.end()
    for (const view of this.#views.values()) void end(view)
    this.#views.clear()
  }

  /** Cancels the requests of some callers and drops their views. */
  endWhere(isOver: (key: Caller | undefined) => boolean): void {
    for (const request of this.#underway.where(({ key }) => isOver(key))) request.cancel()
    this.#held.endWhere((owner) => isOver((JSON.parse(owner) as { key?: Caller }).key))
    for (const [name, view] of this.#views) if (isOver(view.key)) this.#forget(name, view)
  }

  /** Called every few seconds. */
  endIdle(): void {
    const since = performance.now() - this.#options.idleMs
    for (const [name, view] of this.#views) if (view.underway === 0 && view.usedAt < since) this.#forget(name, view)
  }

  /** Answers one request. `body`: the parsed body. */
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
      const own = this.#underway.where(({ key }) => key?.sha256 === asker.key?.sha256).length
      if (own >= this.#options.maxRequests) return refuse(response, 503, body, tooMany(own))
      const headers = this.#options.passable(request.headers, asker.key)
      await this.#answer(new HttpExchange(response, read.id, { headers, closing: this.#underway.closing }), {
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
    this.#underway.add(exchange, { key, done, cancel: () => exchange.cancel() })
    await done
    view.underway--
    view.usedAt = performance.now()
  }

  #view(asker: Asker, clientName: string, choice: RequestHeaders[string]): View {
    const { key, only } = asker
    const name = JSON.stringify([key?.sha256, only, clientName, choice])
    const known = this.#views.get(name)
    if (known !== undefined) {
      // Moves it to the end of the map: the least recently used view is dropped first.
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

/** Identifies who may answer the questions of a request. */
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
