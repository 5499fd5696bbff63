// Further paths on the port of `serve`, answered by others: their requests have passed the same walls, have bounded
// bodies, and belong to a caller.
// Invariant: a caller has a bounded number of requests in progress, a revoked key has none, and after `close` there is
// none at all.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from './caller.js'
import type { CallerFacts } from './served.js'
import { Underway, type UnderwayOfCaller } from './underway.js'
import { BodyRefused } from './unread.js'

/**
 * A request on a further path.
 *
 * @example
 * import type { RoutedRequest } from 'starbind'
 *
 * export const hello = async ({ caller, response }: RoutedRequest) => {
 *   response.end(`hello ${caller.name}`)
 * }
 */
export interface RoutedRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The path, without the query. */
  readonly pathname: string
  /** Whose request it is, for `CodeMode.accept`. */
  readonly caller: CallerFacts
  /** Aborts when the caller is gone, its key was revoked, or the server closes. */
  readonly signal: AbortSignal
  /** The body, which is JSON. Rejects where it is not to be read; that is answered with `refusal`. */
  body(): Promise<unknown>
}

/**
 * Further paths for `CodeMode.serveHttp`. Their requests need the same keys as those of `/mcp`.
 *
 * @example
 * import { CodeMode, type HttpRoutes } from 'starbind'
 *
 * const routes: HttpRoutes = {
 *   owns: (pathname) => pathname === '/hello',
 *   answer: async ({ caller, response }) => void response.end(`hello ${caller.name}`),
 *   refusal: (status, message) => ({ status, message }),
 * }
 * await using codeMode = await CodeMode.open({ serve: { port: 8080 } })
 * await codeMode.serveHttp({ routes })
 */
export interface HttpRoutes {
  /** True for paths that are answered here. */
  owns(pathname: string): boolean
  /** Answers a request. A rejection is answered with the status 500. */
  answer(request: RoutedRequest): Promise<void>
  /** The JSON body for a request that is refused before it is answered here. */
  refusal(status: number, message: string): unknown
}

/** The parts of a request that the server knows. */
interface Arrival extends Omit<RoutedRequest, 'signal'> {
  readonly key: Caller | undefined
}

export class RoutedRequests {
  readonly #routes: HttpRoutes | undefined
  readonly #maxPerCaller: number
  readonly #underway = new Underway<ServerResponse, UnderwayOfCaller>()

  constructor(routes: HttpRoutes | undefined, maxPerCaller: number) {
    this.#routes = routes
    this.#maxPerCaller = maxPerCaller
  }

  get underway(): number {
    return this.#underway.size
  }

  owns(pathname: string): boolean {
    return this.#routes?.owns(pathname) === true
  }

  /** The refusal of a request; undefined for paths of the server itself. */
  refusal(pathname: string, status: number, message: string): unknown {
    return this.owns(pathname) ? this.#routes?.refusal(status, message) : undefined
  }

  /** Rejects with the reason of a refusal. */
  async serve({ key, ...arrival }: Arrival): Promise<void> {
    const own = this.#underway.where((one) => one.key?.sha256 === key?.sha256).length
    if (own >= this.#maxPerCaller)
      throw new BodyRefused(429, `${own} requests of this caller are underway; wait for one`)
    const aborting = new AbortController()
    const work = async () => this.#routes!.answer({ ...arrival, signal: aborting.signal })
    arrival.response.once('close', () => aborting.abort())
    const done = work()
    this.#underway.add(arrival.response, { key, cancel: () => aborting.abort(), done: done.catch(() => {}) })
    await done
  }

  /** Resolves when every request in progress is answered. */
  answered(): Promise<void> {
    return this.#underway.answered()
  }

  /** Cancels everything in progress. Resolves when nothing is. */
  close(): Promise<void> {
    return this.#underway.end()
  }

  /** Cancels the requests of some keys. */
  endWhere(isOver: (key: Caller | undefined) => boolean): void {
    for (const request of this.#underway.where(({ key }) => isOver(key))) request.cancel()
  }
}
