// The MCP server of one caller of revision 2025-11-25 or earlier, over any transport of the SDK's first version.
// Invariant: every accepted request is answered or cancelled before `ended` resolves, and cancelling one cancels the
// work that it started.

import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCRequest, ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { CallerEnd } from '../caller-end.js'
import { faultOf } from '../error-words.js'
import type { RequestHeaders } from '../filter.js'
import type { Log } from '../log.js'
import { isAtLeast, isLogLevel, logLevelNames, type UpstreamLogLevel } from '../log-levels.js'
import { noValidator } from '../no-validator.js'
import type { Params } from '../params.js'
import { errorCodes, ProtocolError } from '../protocol-error.js'
import { answerRequest, type CallerRequest, directRequest, ownParams, refusing } from './answer-request.js'
import { showsApps } from './app.js'
import type { DirectRequest } from './direct.js'
import { capabilitiesOf, type Offers } from './offers.js'
import type { ServedSession } from './served.js'

export interface McpServerOptions {
  readonly version: string
  /** Answers of meta-tools have structured content beside their text. */
  readonly structured: boolean
  readonly log: Log
  /** Creates the caller's session at its first request. `clientName`: the client's own name. */
  readonly open: (clientName: string) => Promise<ServedSession>
  /** The methods besides those for tools. */
  readonly offers: Offers
  /** The maximum number of concurrent requests of the caller. */
  readonly maxRequests: number
  /** The headers of a request that may be passed on to servers. */
  readonly passable?: (headers: RequestHeaders) => RequestHeaders
  /** Called after a request whose effect lasts as long as the session. Never rejects. */
  readonly onChoice?: (choice: Choice) => Promise<void>
}

/** A request whose effect lasts as long as the session. */
export interface Choice {
  readonly method: 'logging/setLevel' | 'resources/subscribe' | 'resources/unsubscribe'
  readonly params: Params
}

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>

/** The loosest form of a request, so that mistakes are reported in our words. */
const setLevel = z.looseObject({ method: z.literal('logging/setLevel'), params: z.looseObject({}).optional() })

export class McpServer {
  readonly #options: McpServerOptions
  readonly #server: Server
  #session: Promise<ServedSession> | undefined
  #transport: Transport | undefined
  #stopListening: (() => void) | undefined
  /** By the ids of the requests. */
  readonly #underway = new Map<string | number, AbortController>()
  readonly #answers = new Set<Promise<unknown>>()
  #least: UpstreamLogLevel | undefined

  constructor(options: McpServerOptions) {
    this.#options = options
    this.#server = new Server(
      { name: 'starbind', version: options.version },
      {
        capabilities: capabilitiesOf(options.offers),
        ...(options.offers.instructions === undefined ? {} : { instructions: options.offers.instructions }),
        ...noValidator,
      },
    )
    this.#server.fallbackRequestHandler = (request, extra) => this.#accept(request, extra as Extra)
    if (options.offers.directTools)
      this.#server.setRequestHandler(setLevel, (request, extra) =>
        this.#accept({ ...request, jsonrpc: '2.0', id: extra.requestId } as JSONRPCRequest, extra),
      )
    this.#server.onerror = (error) =>
      options.log({ level: 'debug', message: `the caller sent something unexpected: ${faultOf(error)}` })
  }

  async connect(transport: Transport): Promise<void> {
    this.#transport = transport
    await this.#server.connect(transport)
  }

  /** Cancels one request, as a notification of the caller would. */
  cancel(id: string | number): void {
    this.#underway.get(id)?.abort()
  }

  /** True while the request of this id is in progress here. */
  carriesOut(id: string | number): boolean {
    return this.#underway.has(id)
  }

  /** Repeats what the caller has chosen at another replica. */
  choose({ method, params }: Choice): void {
    const { signal } = new AbortController()
    // Requests that follow see the level at once.
    if (method === 'logging/setLevel' && isLogLevel(params.level)) this.#least = params.level
    this.opened
      .then((session) => this.#apply({ method, params }, session, { signal }))
      .catch((error) => this.#options.log({ level: 'debug', message: `${method} failed: ${faultOf(error)}` }))
  }

  /** The number of requests in progress. */
  get underway(): number {
    return this.#answers.size
  }

  /** Resolves when all requests in progress are answered. */
  async answered(): Promise<void> {
    await Promise.all(this.#answers)
  }

  /** Cancels everything and ends the connection. Resolves when no request is in progress. */
  async close(): Promise<void> {
    this.#stopListening?.()
    for (const controller of this.#underway.values()) controller.abort()
    await this.#server.close()
    await Promise.all(this.#answers)
    const session = await this.#session?.catch(() => undefined)
    await session?.direct.forget(this)
    session?.end()
  }

  #accept(request: JSONRPCRequest, extra: Extra): Promise<Record<string, unknown>> {
    if (this.#answers.size >= this.#options.maxRequests) {
      throw new ProtocolError(
        errorCodes.refused,
        `${this.#options.maxRequests} requests of this session are underway; wait for one`,
      )
    }
    const controller = new AbortController()
    const abort = () => controller.abort()
    extra.signal.addEventListener('abort', abort, { once: true })
    this.#underway.set(extra.requestId, controller)
    const answered = this.#answer(request, extra, controller.signal).finally(() => {
      extra.signal.removeEventListener('abort', abort)
      if (this.#underway.get(extra.requestId) === controller) this.#underway.delete(extra.requestId)
      // Over HTTP, the stream of a cancelled request gets no further messages.
      if (extra.signal.aborted) closeStream(this.#transport, extra.requestId)
    })
    const settled = answered.then(none, none).finally(() => this.#answers.delete(settled))
    this.#answers.add(settled)
    return answered
  }

  async #answer(request: JSONRPCRequest, extra: Extra, signal: AbortSignal) {
    const { method } = request
    const session = await this.opened
    const asked = this.#asked(request, extra, signal)
    if (this.#isChoice(method)) {
      const choice = { method, params: ownParams(asked.params) }
      await this.#apply(choice, session, directRequest(asked))
      await this.#options.onChoice?.(choice)
      return {}
    }
    const apps = showsApps(this.#server.getClientCapabilities() ?? {})
    return answerRequest(asked, session, { structured: this.#options.structured, apps })
  }

  /** The caller's session, which is created on first use. */
  get opened(): Promise<ServedSession> {
    this.#session ??= this.#options.open(this.#server.getClientVersion()?.name ?? '').then((session) => {
      this.#listen(session)
      return session
    })
    return this.#session
  }

  #isChoice(method: string): method is Choice['method'] {
    if (method === 'logging/setLevel') return this.#options.offers.directTools
    return method === 'resources/subscribe' || method === 'resources/unsubscribe'
  }

  /** Subscriptions belong to the session, and so do their notifications. */
  async #apply({ method, params }: Choice, session: ServedSession, request: DirectRequest): Promise<void> {
    if (method === 'logging/setLevel') {
      const { level } = params
      if (!isLogLevel(level))
        throw new ProtocolError(errorCodes.invalidParams, `level is one of ${logLevelNames.join(', ')}`)
      this.#least = level
      return session.direct.setLogLevel(this, level, request)
    }
    const { direct } = session.narrowed(request.headers ?? {})
    await refusing(() =>
      method === 'resources/subscribe'
        ? direct.subscribe(this, params, request)
        : direct.unsubscribe(this, params, request),
    )
  }

  #asked({ method, params = {} }: JSONRPCRequest, extra: Extra, signal: AbortSignal): CallerRequest {
    const { passable = (headers) => headers } = this.#options
    const headers = extra.requestInfo === undefined ? undefined : passable(extra.requestInfo.headers)
    const notify = (method: string, params: Params) => extra.sendNotification({ method, params } as ServerNotification)
    return { method, params, signal, headers, caller: this.#callerEnd(extra), notify }
  }

  #callerEnd(extra: Extra): CallerEnd {
    return {
      who: this,
      ask: (method, params, signal) => {
        const capability = method === 'elicitation/create' ? 'elicitation' : 'sampling'
        if (this.#server.getClientCapabilities()?.[capability] === undefined)
          throw new Error(`the caller can't answer ${method}`)
        // People take their time.
        const options = { signal, timeout: ANSWER_MS }
        return extra.sendRequest({ method, params } as unknown as ServerRequest, z.unknown(), options)
      },
      tell: (method, params) => {
        if (!isAtLeast(params.level, this.#least)) return
        extra.sendNotification({ method, params } as unknown as ServerNotification).catch(none)
      },
    }
  }

  #listen(session: ServedSession): void {
    this.#stopListening = session.direct.listen(this, (news) => {
      const notification =
        news.kind === 'resource'
          ? { method: 'notifications/resources/updated', params: news.params }
          : { method: `notifications/${news.kind}/list_changed` }
      this.#server.notification(notification as ServerNotification).catch(none)
    })
  }
}

const ANSWER_MS = 10 * 60_000

/** Over HTTP each request has its own stream. */
function closeStream(transport: Transport | undefined, id: string | number): void {
  const streams = transport as { closeSSEStream?: (id: string | number) => void } | undefined
  streams?.closeSSEStream?.(id)
}

function none(): void {}
