// The transport to a server at a URL: Streamable HTTP, or HTTP with SSE if the server answers the first message with
// 400, 404 or 405.
// Invariant: configured headers and those of a caller go to the server's own origin only, not to an authorization
// server.

import { AsyncLocalStorage } from 'node:async_hooks'
import { extractWWWAuthenticateParams, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { SSEClientTransport, SseError } from '@modelcontextprotocol/sdk/client/sse.js'
import {
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
  StreamableHTTPError,
} from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { FetchLike, Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js'
import { storedAuthorization } from '../authorization/authorization.js'
import { TokenStore } from '../authorization/token-store.js'
import type { HttpConnection } from '../configuration/index.js'
import { HttpError, Unauthorized } from '../http-error.js'
import type { Intake } from '../intake.js'
import { isEnveloped } from '../modern/envelope.js'
import { boundedFetch } from './bounded-fetch.js'
import { steadyFetch, unansweredIn } from './event-streams.js'
import { exactFetch } from './exact-message.js'
import { answering, CREDENTIAL_STATUSES, headersOf } from './modern-requests.js'
import { LongMessages, readingFetch } from './reading-fetch.js'
import { type TransportOptions, type UpstreamTransport, within } from './transport.js'

const ASK_MS = 700

/** The facts about one request while it is being sent. */
interface Sending {
  readonly headers: Readonly<Record<string, string>>
  /** Present in the revision without sessions, where the end of a request's stream ends the request. */
  readonly modern?: { readonly id: string | number; readonly signal: AbortSignal }
}
const sending = new AsyncLocalStorage<Sending>()

export function httpTransport(
  connection: HttpConnection,
  { intake, lighten, logins = new TokenStore() }: TransportOptions,
): UpstreamTransport {
  const url = new URL(connection.url)
  const authProvider = storedAuthorization(connection, logins)
  let lastWords = ''
  const onTooLong = (words: string) => {
    lastWords = words
    // A failed stream would end alone, and its other requests would wait. So the whole transport closes.
    void transport.close()
  }
  const longs = new LongMessages()
  const plain = exactFetch(fetchWithHeaders(url, connection.headers))
  const read = readingFetch(plain, longs, { intake, lighten })
  const bounded = boundedFetch(read, { onTooLong, maxBytes: () => intake.partMaxBytes })
  const options: StreamableHTTPClientTransportOptions = {
    fetch: steadyFetch(async (at, init) => {
      const renewal = authProvider === undefined ? undefined : refreshTokenIn(init)
      if (renewal !== undefined) return authProvider!.renewed(renewal, () => bounded(at, init))
      const response = await bounded(at, init)
      if (CREDENTIAL_STATUSES.has(response.status) && new URL(at).href === url.href)
        authProvider?.challenged({ ...extractWWWAuthenticateParams(response), refused: bearerIn(init) })
      const { modern } = sending.getStore() ?? {}
      return modern === undefined ? response : answering(response, modern.id)
    }),
    ...(authProvider === undefined ? {} : { authProvider }),
  }
  const transport: HttpTransport = new HttpTransport(url, options, { only: connection.only, longs, intake })
  return {
    sdk: transport,
    lastWords: () => lastWords,
    hasSession: () => transport.sessionId !== undefined,
    withHeaders,
    showsItsEnd: false,
    mayBeModern: connection.only !== 'sse',
    secrets: () => authProvider?.secrets() ?? [],
    stop: async () => {
      // A server may have no session, or be gone, so the wait is short.
      await within(ASK_MS, transport.terminateSession())
      await transport.close()
    },
  }
}

/** Most calls have no headers, and a store makes every promise of the process more expensive. */
function withHeaders<T>(headers: Readonly<Record<string, string>>, send: () => T): T {
  const outer = sending.getStore()
  if (outer === undefined && Object.keys(headers).length === 0) return send()
  return sending.run({ headers: { ...outer?.headers, ...headers } }, send)
}

/** The access token of a request. */
function bearerIn({ headers }: RequestInit = {}): string | undefined {
  return /^bearer (.+)$/i.exec(new Headers(headers).get('authorization') ?? '')?.[1]
}

/** The token that a request for new tokens has. Undefined for all other requests. */
function refreshTokenIn({ body }: RequestInit = {}): string | undefined {
  const isRenewal = body instanceof URLSearchParams && body.get('grant_type') === 'refresh_token'
  return isRenewal ? (body.get('refresh_token') ?? undefined) : undefined
}

function fetchWithHeaders(server: URL, headers: Readonly<Record<string, string>>): FetchLike {
  return (url, init) => {
    if (new URL(url).origin !== server.origin) return fetch(url, init)
    const all = new Headers(init?.headers)
    const { headers: own, modern } = sending.getStore() ?? {}
    for (const [name, value] of Object.entries({ ...headers, ...own })) all.set(name, value)
    const stops = [modern?.signal, init?.signal].filter((one) => one != null)
    return fetch(url, { ...init, headers: all, signal: stops.length > 0 ? AbortSignal.any(stops) : null })
  }
}

/** The statuses of a server that does not support Streamable HTTP. */
const OLDER: ReadonlySet<number | undefined> = new Set([400, 404, 405])

/** Streamable HTTP, or the older transport if the server supports only that. */
class HttpTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: NonNullable<Transport['onmessage']>
  readonly #url: URL
  readonly #options: StreamableHTTPClientTransportOptions
  readonly #mayFallBack: boolean
  #inner: StreamableHTTPClientTransport | SSEClientTransport
  /** True after the first message was answered. */
  #isSettled = false
  #version: string | undefined
  /** The ids of unanswered requests. */
  readonly #asked = new Set<string | number>()
  /** The unanswered requests of the revision without sessions. */
  readonly #modern = new Map<string | number, AbortController>()

  readonly #longs: LongMessages
  readonly #intake: Intake

  constructor(
    url: URL,
    options: StreamableHTTPClientTransportOptions,
    {
      only,
      longs,
      intake,
    }: { readonly only: HttpConnection['only']; readonly longs: LongMessages; readonly intake: Intake },
  ) {
    this.#url = url
    this.#longs = longs
    this.#intake = intake
    this.#options = options
    this.#mayFallBack = only === undefined
    this.#inner =
      only === 'sse' ? new SSEClientTransport(url, options) : new StreamableHTTPClientTransport(url, options)
  }

  get sessionId(): string | undefined {
    return this.#inner instanceof StreamableHTTPClientTransport ? this.#inner.sessionId : undefined
  }

  // The SDK's protocol treats an absent session and an undefined one alike.
  set sessionId(_: string | undefined) {}

  async start(): Promise<void> {
    this.#listen()
    await this.#inner.start().catch(rejectOwn)
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#send(message).catch(rejectOwn)
  }

  async #send(message: JSONRPCMessage): Promise<void> {
    if ('method' in message && 'id' in message) this.#asked.add(message.id)
    if ('method' in message && message.method === 'notifications/cancelled') {
      const id = message.params?.requestId as string | number
      this.#asked.delete(id)
      const stop = this.#modern.get(id)
      this.#modern.delete(id)
      if (stop !== undefined) return stop.abort()
    }
    if (isEnveloped(message)) return this.#sendModern(message)
    if (this.#isSettled || !this.#mayFallBack) return this.#inner.send(message)
    // An error of the first attempt is not reported if the second succeeds.
    this.#inner.onerror = () => {}
    try {
      await this.#inner.send(message)
    } catch (error) {
      if (!(error instanceof StreamableHTTPError) || !OLDER.has(error.code)) throw error
      await this.#fallBack(message, error)
    }
    this.#isSettled = true
    this.#listen()
  }

  async #sendModern(message: JSONRPCRequest): Promise<void> {
    const stop = new AbortController()
    this.#modern.set(message.id, stop)
    const headers = { ...sending.getStore()?.headers, ...headersOf(message) }
    try {
      const modern = { id: message.id, signal: stop.signal }
      await sending.run({ headers, modern }, () => this.#inner.send(message))
    } catch (error) {
      this.#modern.delete(message.id)
      throw error
    }
  }

  setProtocolVersion(version: string): void {
    this.#version = version
    this.#inner.setProtocolVersion(version)
  }

  async terminateSession(): Promise<void> {
    if (this.#inner instanceof StreamableHTTPClientTransport) await this.#inner.terminateSession().catch(() => {})
  }

  close(): Promise<void> {
    return this.#inner.close()
  }

  async #fallBack(message: JSONRPCMessage, refusal: StreamableHTTPError): Promise<void> {
    const older = new SSEClientTransport(this.#url, this.#options)
    older.onmessage = (answer) => this.onmessage?.(this.#longs.take(answer))
    try {
      await older.start()
    } catch {
      // If the server supports neither transport, its first answer has the reason.
      older.onclose = () => {}
      await older.close()
      throw refusal
    }
    this.#inner.onclose = () => {}
    await this.#inner.close()
    this.#inner = older
    if (this.#version !== undefined) older.setProtocolVersion(this.#version)
    await older.send(message)
  }

  /** A stream also ends after its answer, so its end matters only if the answer is missing. */
  #take(short: JSONRPCMessage): void {
    const message = this.#longs.take(short)
    const unanswered = unansweredIn(message)
    if (unanswered !== undefined && !this.#asked.has(unanswered)) return
    if (!('method' in message) && message.id !== undefined) {
      this.#asked.delete(message.id)
      this.#modern.delete(message.id)
    }
    this.onmessage?.(message)
  }

  #listen(): void {
    this.#inner.onclose = () => this.onclose?.()
    this.#inner.onerror = (error) => {
      const isNoMessage = error instanceof SyntaxError || error.name === 'ZodError'
      // Without sessions, a failure is that of a single request.
      const isOneRequest = sending.getStore()?.modern !== undefined
      if (isNoMessage ? this.#intake.takesMessage() : !isOneRequest) this.onerror?.(ownError(error))
    }
    this.#inner.onmessage = (message: JSONRPCMessage) => this.#take(message)
  }
}

/** An error of the SDK as one of ours, whose classes need not be loaded with its transports. */
function ownError(error: Error): Error {
  if (error instanceof UnauthorizedError) return new Unauthorized(error.message)
  if (!(error instanceof StreamableHTTPError || error instanceof SseError) || error.code === undefined) return error
  if (error.code === 401) return new Unauthorized(error.message)
  // The other class has a message about the same status.
  return new HttpError(Math.max(0, error.code), error instanceof SseError ? '' : error.message)
}

function rejectOwn(error: Error): never {
  throw ownError(error)
}
