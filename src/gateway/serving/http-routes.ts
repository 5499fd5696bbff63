// Further paths on the port of `serve`, answered by others: their requests have passed the same walls, have bounded
// bodies, and belong to a caller.
// Invariant: a caller has a bounded number of requests in progress, a revoked key has none, and after `close` there is
// none at all.

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from './caller.js'
import { isArtifactPath } from './http-artifacts.js'
import type { CallerFacts } from './served.js'
import type { ServedFiles } from './served-files.js'
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
  /** Aborts when the server begins to close. Answers that only tell what happens end then. */
  readonly closing: AbortSignal
  /** The caller to whom a key belongs; undefined: there is no such key. */
  callerWith(key: string): Promise<CallerFacts | undefined>
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
  /**
   * Who may ask here, or for files at `/artifacts`. Undefined: who may call `/mcp`. Otherwise the holder of `key`, or without one everybody: then the
   * `caller` of the request is nobody in particular, and `answer` itself has to know who it is.
   */
  admits?(request: IncomingMessage, pathname: string): { readonly key?: string } | undefined
  /**
   * Whose files a request for `/artifacts` means, if it is one of these routes' own callers; the text of a refusal where
   * it may not. Undefined: those of the caller with the key.
   */
  filesFor?(request: IncomingMessage): { readonly files: ServedFiles; readonly who: string } | string | undefined
  /** Answers a request. A rejection is answered with the status 500. */
  answer(request: RoutedRequest): Promise<void>
  /** The JSON body for a request that is refused before it is answered here. */
  refusal(status: number, message: string): unknown
}

/** The parts of a request that the server knows. */
interface Arrival extends Omit<RoutedRequest, 'signal' | 'closing'> {
  readonly key: Caller | undefined
}

export class RoutedRequests {
  readonly #routes: readonly HttpRoutes[]
  readonly #maxPerCaller: number
  readonly #underway = new Underway<ServerResponse, UnderwayOfCaller>()

  constructor(routes: readonly HttpRoutes[], maxPerCaller: number) {
    this.#routes = routes
    this.#maxPerCaller = maxPerCaller
  }

  get underway(): number {
    return this.#underway.size
  }

  owns(pathname: string): boolean {
    return this.#of(pathname) !== undefined
  }

  /** See `HttpRoutes.admits`. */
  admits(request: IncomingMessage, pathname: string): { readonly key?: string } | undefined {
    const asked = isArtifactPath(pathname) ? this.#routes : [this.#of(pathname)]
    for (const routes of asked) {
      const admitted = routes?.admits?.(request, pathname)
      if (admitted !== undefined) return admitted
    }
    return undefined
  }

  /** See `HttpRoutes.filesFor`. */
  filesFor(request: IncomingMessage): { readonly files: ServedFiles; readonly who: string } | undefined {
    for (const routes of this.#routes) {
      const found = routes.filesFor?.(request)
      if (typeof found === 'string') throw new BodyRefused(403, found)
      if (found !== undefined) return found
    }
    return undefined
  }

  #of(pathname: string): HttpRoutes | undefined {
    return this.#routes.find((routes) => routes.owns(pathname))
  }

  /** The refusal of a request; undefined for paths of the server itself. */
  refusal(pathname: string, status: number, message: string): unknown {
    return this.#of(pathname)?.refusal(status, message)
  }

  /** Rejects with the reason of a refusal. */
  async serve({ key, ...arrival }: Arrival): Promise<void> {
    const own = this.#underway.where((one) => one.key?.sha256 === key?.sha256).length
    if (own >= this.#maxPerCaller)
      throw new BodyRefused(429, `${own} requests of this caller are underway; wait for one`)
    const aborting = new AbortController()
    const { closing } = this.#underway
    const work = async () => this.#of(arrival.pathname)!.answer({ ...arrival, signal: aborting.signal, closing })
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
