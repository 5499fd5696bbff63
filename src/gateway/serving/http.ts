// Serves many callers over Streamable HTTP on one port: `/mcp`, `/mcp/<server>` for one server, `/artifacts` for their
// files, `/healthz`, `/readyz`, `/metrics` and added routes. Handles sessions, bounds and shutdown; `admission.ts`
// decides who may connect, and the MCP server answers. Requests in a revision without sessions go to `modern/`.
//
// A session belongs to the caller that opened it. Another caller gets "no such session", and revoking a key ends its
// sessions and their calls.
// Invariant: no request is read before its host, origin and caller are accepted, and after `close` nothing is in
// progress.

import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DiagnosticError } from '../../diagnostics/index.js'
import type { Deployment } from '../../state/index.js'
import type { ServeSettings } from '../configuration/index.js'
import { DEEPEST, isTooDeep, isTooWide, noteShallow, WIDEST } from '../depth.js'
import { type RequestHeaders, ToolFilter } from '../filter.js'
import type { Log } from '../log.js'
import { addressNotUsable } from '../messages.js'
import type { Metrics } from '../metrics.js'
import type { Params } from '../params.js'
import { parseInTurns, UnreadText } from '../reading/json-in-turns.js'
import { isLong } from '../reading/read-message.js'
import { Admission, type Admitted, type Refusal } from './admission.js'
import { isRecord } from './answer-request.js'
import type { Caller } from './caller.js'
import { choosingHeaders, termsOf } from './callers.js'
import { defaultPort } from './default-port.js'
import { HttpArtifacts, isArtifactPath } from './http-artifacts.js'
import { type HttpRoutes, RoutedRequests } from './http-routes.js'
import { HttpSession } from './http-session.js'
import { corsHeaders, decoded, refusalOf, type Walls } from './http-walls.js'
import { clientNameIn, isModernRevision, saysRevision } from './modern/envelope.js'
import { type Asker, HttpCallers } from './modern/http-callers.js'
import type { Offers } from './offers.js'
import { type Condition, isProbe, Probes } from './probes.js'
import { KeptSessions, type SessionLine } from './replicas/kept-sessions.js'
import type { CallerFacts, OpenSession } from './served.js'
import { BodyRefused, Unread } from './unread.js'
import { Unsent } from './unsent.js'

export interface HttpOptions {
  readonly version: string
  readonly open: OpenSession
  readonly offers: Offers
  /** Answers of meta-tools have structured content beside their text. */
  readonly structured?: boolean
  readonly settings: ServeSettings
  /** The names of the servers. Each has a path of its own. */
  readonly servers: () => readonly string[]
  /** Finds a directly called tool by name. Undefined: there is none. */
  readonly toolNamed: (
    name: string,
    only: string | undefined,
  ) => { readonly server: string; readonly tool: string } | undefined
  readonly condition: () => Condition
  readonly metrics: Metrics
  readonly log: Log
  /** The other replicas, which go on with the sessions of this one. Undefined: there are none. */
  readonly deployment?: Deployment | undefined
  /** Further paths. */
  readonly routes?: readonly HttpRoutes[] | undefined
}

/**
 * A running HTTP server.
 *
 * @example
 * import { CodeMode, type HttpServing } from 'starbind'
 *
 * await using codeMode = await CodeMode.open({ serve: { port: 8080 } })
 * const serving: HttpServing = await codeMode.serveHttp()
 * console.log(serving.url)
 * process.once('SIGTERM', () => serving.close())
 */
export interface HttpServing {
  /** The URL for callers. */
  readonly url: string
  readonly port: number
  /** Waits up to ten seconds for requests in progress, then ends everything. */
  close(): Promise<void>
}

const MAX_SESSIONS = 1000
const MAX_SESSIONS_PER_KEY = 200
const MAX_REQUESTS = 64
/** Per key, for callers without sessions. Many hosts may share one key. */
const MAX_REQUESTS_PER_KEY = 500
const MAX_BODY = 8 * 1024 * 1024
const IDLE_MS = 30 * 60_000
const GRACE_MS = 10_000
const RESUME_MS = 15_000
const KEEP_ALIVE_MS = 65_000
const HEADERS_MS = 15_000
/** The time in which a whole request must arrive. */
const ARRIVAL_MS = 120_000
const MAX_CONNECTIONS = 2000
const MAX_UNREAD = 128 * 1024 * 1024
const MAX_UNREAD_PER_KEY = 32 * 1024 * 1024
const BODY_IDLE_MS = 10_000
const SWEEP_MS = 5000
/** The longest time of a timer. */
const LONGEST_MS = 2 ** 31 - 1

export class Serving implements HttpServing {
  readonly #options: HttpOptions
  readonly #walls: Walls
  readonly #admission: Admission
  readonly #server: Server
  readonly #unread: Unread
  readonly #unsent = new Unsent()
  readonly #sessions = new Map<string, HttpSession>()
  readonly #kept: KeptSessions | undefined
  /** Sessions of other replicas that are being opened here, by id and caller. */
  readonly #restored = new Map<string, Promise<HttpSession | undefined>>()
  readonly #callers: HttpCallers
  readonly #artifacts: HttpArtifacts
  readonly #routed: RoutedRequests
  readonly #probes: Probes
  readonly #sweep: NodeJS.Timeout
  #isClosing = false

  constructor(options: HttpOptions) {
    const { host = '127.0.0.1', allowedHosts = [], allowedOrigins = [] } = options.settings
    this.#options = options
    this.#walls = { host, allowedHosts, allowedOrigins }
    this.#callers = this.#newCallers()
    const { deployment, settings } = options
    this.#kept = deployment && new KeptSessions(deployment, settings.sessionIdleMs ?? IDLE_MS)
    this.#routed = new RoutedRequests(options.routes ?? [], options.settings.maxRequestsPerKey ?? MAX_REQUESTS_PER_KEY)
    this.#probes = new Probes(options.version, options.condition)
    const onChange = () => this.#endRevoked()
    this.#admission = new Admission(options.settings, { ownUrl: () => this.url, onChange })
    const times = { headersTimeout: HEADERS_MS, requestTimeout: ARRIVAL_MS, connectionsCheckingInterval: SWEEP_MS }
    this.#server = createServer(times, (request, response) => void this.#serve(request, response))
    // Longer than clients and proxies keep idle connections. If we closed one first, a request might be on its way.
    this.#server.keepAliveTimeout = KEEP_ALIVE_MS
    this.#server.maxConnections = options.settings.maxConnections ?? MAX_CONNECTIONS
    this.#server.on('drop', () => options.metrics.count('starbind_connections_refused_total', TOO_MANY_CONNECTIONS))
    this.#unread = unreadOf(options.settings)
    this.#artifacts = new HttpArtifacts(options.settings.bodyIdleMs ?? BODY_IDLE_MS)
    this.#sweep = setInterval(() => {
      this.#endIdle()
      this.#callers.endIdle()
      this.#unsent.endStalled()
    }, SWEEP_MS).unref()
    options.metrics.onRead(() => options.metrics.set('starbind_sessions', 'Sessions over HTTP.', this.#sessions.size))
  }

  get port(): number {
    return (this.#server.address() as AddressInfo | null)?.port ?? 0
  }

  get url(): string {
    const { host } = this.#walls
    return `http://${host.includes(':') ? `[${host}]` : host}:${this.port}/mcp`
  }

  async listen(): Promise<void> {
    const { host } = this.#walls
    const { port = defaultPort } = this.#options.settings
    try {
      await this.#admission.open()
      await new Promise<void>((resolve, reject) => {
        this.#server.once('error', reject)
        this.#server.listen(port, host, resolve)
      })
    } catch (error) {
      await this.close()
      if (error instanceof DiagnosticError) throw error
      throw new DiagnosticError(addressNotUsable(`${host}:${port}`, String((error as NodeJS.ErrnoException).code)))
    }
  }

  async close(): Promise<void> {
    this.#isClosing = true
    clearInterval(this.#sweep)
    this.#admission.close()
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    const all = [...this.#sessions.values(), this.#callers, this.#routed]
    this.#tellWait(all.reduce((sum, one) => sum + one.underway, 0))
    await within(GRACE_MS, Promise.all(all.map((one) => one.answered())))
    await Promise.all(all.map((one) => one.close()))
    this.#server.closeAllConnections()
    await closed
  }

  #tellWait(underway: number): void {
    if (underway === 0) return
    const what = underway === 1 ? 'a request is' : `${underway} requests are`
    const message = `closing: ${what} underway and may take ${GRACE_MS / 1000} more seconds`
    this.#options.log({ level: 'info', message })
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#unsent.watch(response)
    try {
      const pathname = pathOf(request)
      const refusal = isProbe(request.headers, pathname) ? undefined : refusalOf(request.headers, this.#walls)
      if (refusal !== undefined) return this.#refuse(response, 403, refusal)
      for (const [name, value] of Object.entries(corsHeaders(request.headers, this.#walls)))
        response.setHeader(name, value)
      if (!METHODS.has(request.method ?? '')) return this.#refuseMethod(request, response)
      const probed = this.#probes.answer(pathname, { isClosing: this.#isClosing, sessions: this.#sessions.size })
      if (probed !== undefined) return send(response, probed.status, 'application/json', JSON.stringify(probed.body))
      const metadata = this.#admission.metadataAt(pathname)
      if (metadata !== undefined) return send(response, 200, 'application/json', JSON.stringify(metadata))
      const view = viewOf(pathname)
      const admitted = await this.#admit(request, pathname, view?.only)
      if ('status' in admitted) return this.#turnAway(response, admitted)
      const { caller: key } = admitted
      if (pathname === '/metrics')
        return send(response, 200, 'text/plain; version=0.0.4', String(this.#options.metrics))
      if (isArtifactPath(pathname)) return await this.#serveArtifact(request, response, key)
      if (this.#routed.owns(pathname)) return await this.#serveRoute(request, response, key)
      if (view === undefined) return this.#refuse(response, 404, nothingAt(pathname))
      await this.#serveMcp(request, response, { ...admitted, ...view })
    } catch (error) {
      this.#failed(error, response)
    }
  }

  #admit(request: IncomingMessage, pathname: string, only: string | undefined): Promise<Admitted | Refusal> | Admitted {
    const own = this.#routed.admits(request, pathname)
    if (own === undefined) return this.#admission.admit(request.headers, only)
    return own.key === undefined ? { caller: undefined } : this.#admission.admit({ 'x-api-key': own.key }, only)
  }

  /** A browser asks with OPTIONS whether a page of another origin may connect. */
  #refuseMethod({ method }: IncomingMessage, response: ServerResponse): void {
    if (method === 'OPTIONS' && response.hasHeader('Access-Control-Allow-Origin')) return send(response, 204, '', '')
    response.setHeader('Allow', 'GET, POST, DELETE')
    this.#refuse(response, 405, `there is no ${method} here`)
  }

  async #serveMcp(
    request: IncomingMessage,
    response: ServerResponse,
    { caller: key, until, only }: Admitted & { readonly only?: string },
  ): Promise<void> {
    if (this.#isClosing) return this.#refuse(response, 503, 'this server is closing')
    const { 'mcp-session-id': id, 'mcp-protocol-version': revision } = request.headers
    const isModern = isModernRevision(revision)
    const known = isModern ? undefined : await this.#sessionOf(request, key)
    // The session of another caller is treated as missing, so its id alone is useless.
    if (!isModern && id !== undefined && !known?.belongsTo(key, only))
      return this.#refuse(response, 404, 'there is no such session')
    const body = request.method === 'POST' ? await this.#body(request, key) : undefined
    const lack = this.#lackOf(body, key, only)
    if (lack !== undefined) return this.#turnAway(response, lack)
    if (until !== undefined && (request.method === 'GET' || isListening(body))) endAt(until, response)
    if (isModern || saysRevision(body)) {
      if (!this.#sees(only, key, clientNameIn(body))) return this.#refuse(response, 404, nothingAt(pathOf(request)))
      return this.#callers.serve(request, response, body, { key, only })
    }
    if (known !== undefined) return known.handle(request, response, body)
    if (!this.#sees(only, key, initialNameIn(body))) return this.#refuse(response, 404, nothingAt(pathOf(request)))
    if (!isInitialize(body)) return this.#refuse(response, 400, 'there is no session yet: send initialize first')
    const full = this.#isFull(key)
    if (full !== undefined) return this.#refuse(response, 503, full)
    const session = await this.#openSession(request, body, { key, only })
    await session.handle(request, response, body)
    if (session.isOver) await session.end()
  }

  /** The session that a request names. Another replica may have opened it. */
  async #sessionOf(request: IncomingMessage, key: Caller | undefined): Promise<HttpSession | undefined> {
    const id = request.headers['mcp-session-id']
    if (typeof id !== 'string') return undefined
    const known = this.#sessions.get(id)
    if (known !== undefined || this.#kept === undefined) return known
    const asked = JSON.stringify([id, key?.sha256])
    const restored = this.#restored.get(asked) ?? this.#restore(id, request, key)
    this.#restored.set(asked, restored)
    return restored.finally(() => this.#restored.delete(asked))
  }

  async #restore(id: string, request: IncomingMessage, key: Caller | undefined): Promise<HttpSession | undefined> {
    const line = await this.#kept!.find(id, key?.sha256)
    if (line === undefined) return undefined
    const full = this.#isFull(key)
    if (full !== undefined) {
      line.leave()
      throw new BodyRefused(503, full)
    }
    const headers = { ...without(choosingHeaders(request.headers), request.headers), ...line.kept.headers }
    const session = this.#newSession(id, headers, { key, only: line.kept.only ?? undefined, line })
    try {
      await session.restore(line)
    } catch (error) {
      await session.close()
      throw error
    }
    return session
  }

  async #openSession(request: IncomingMessage, body: unknown, { key, only }: Asker): Promise<HttpSession> {
    const id = randomUUID()
    const line = await this.#kept?.open(id, {
      owner: key?.sha256 ?? null,
      only: only ?? null,
      initialize: paramsIn(body),
      headers: choosingHeaders(request.headers),
    })
    return this.#newSession(id, request.headers, { key, only, line })
  }

  /** Refuses a request that another scope would allow. Undefined: no scope is missing. */
  #lackOf(body: unknown, caller: Caller | undefined, only: string | undefined): Refusal | undefined {
    if (caller?.scopes === undefined) return undefined
    const tool = calledTool(body)
    const found = tool === undefined ? undefined : this.#options.toolNamed(tool, only)
    if (found !== undefined) return this.#admission.lacks(caller, { ...found, only })
    const isServer = only !== undefined && this.#options.servers().includes(only)
    return isServer ? this.#admission.lacks(caller, { server: only, only }) : undefined
  }

  /** A caller without a key is identified by its session, if it names one. */
  async #serveArtifact(request: IncomingMessage, response: ServerResponse, key: Caller | undefined): Promise<void> {
    if (this.#isClosing) return this.#refuse(response, 503, 'this server is closing')
    const own = this.#routed.filesFor(request)
    if (own !== undefined) return this.#artifacts.answer(request, response, own)
    const id = request.headers['mcp-session-id']
    const known = await this.#sessionOf(request, key)
    if (id !== undefined && (known === undefined || known.key?.sha256 !== key?.sha256))
      return this.#refuse(response, 404, 'there is no such session')
    const facts = factsOf(key, { clientName: '', headers: request.headers, only: undefined })
    const { files } = await (known?.opened ?? this.#options.open(facts))
    await this.#artifacts.answer(request, response, { files, who: key?.sha256 ?? String(id) })
  }

  async #serveRoute(request: IncomingMessage, response: ServerResponse, key: Caller | undefined): Promise<void> {
    if (this.#isClosing) return this.#refuse(response, 503, 'this server is closing')
    const caller = factsOf(key, { clientName: '', headers: request.headers, only: undefined })
    const body = async () => {
      const body = await this.#body(request, key)
      if (isTooDeep(body)) throw new BodyRefused(400, `the body is nested more than ${DEEPEST} levels deep`)
      return body
    }
    const callerWith = async (own: string) => {
      const admitted = await this.#admission.admit({ 'x-api-key': own }, undefined)
      if ('status' in admitted || admitted.caller === undefined) return undefined
      return factsOf(admitted.caller, { clientName: '', headers: request.headers, only: undefined })
    }
    await this.#routed.serve({ request, response, pathname: pathOf(request), caller, key, callerWith, body })
  }

  async #body(request: IncomingMessage, key: Caller | undefined): Promise<unknown> {
    const text = await this.#unread.read(request, key?.sha256 ?? '')
    const { maxRequestBytes = MAX_BODY } = this.#options.settings
    const body: unknown = isLong(text) ? await parseInTurns(text, maxRequestBytes) : JSON.parse(text)
    // Longer ones were measured when they were parsed.
    if (isLong(text)) noteShallow(body)
    if ([body].flat().some(isTooWide)) throw new UnreadText(`of more than ${WIDEST} members`)
    return body
  }

  /** Whether the caller may see a server. A hidden server is looked up and refused like a missing one. */
  #sees(only: string | undefined, key: Caller | undefined, clientName: string): boolean {
    if (only === undefined) return true
    const facts = { clientName, headers: {}, name: '', filters: key === undefined ? [] : [key] }
    const { filters } = termsOf(facts, this.#options.settings)
    const isSeen = filters.reduce((all, layer) => all.narrow(layer), ToolFilter.all).reaches(only)
    return this.#options.servers().includes(only) && isSeen
  }

  #isFull(key: Caller | undefined): string | undefined {
    const { maxSessions = MAX_SESSIONS, maxSessionsPerKey = MAX_SESSIONS_PER_KEY } = this.#options.settings
    if (this.#sessions.size >= maxSessions) return `there are ${maxSessions} sessions already`
    const own = [...this.#sessions.values()].filter((session) => session.key?.name === key?.name)
    if (key === undefined || own.length < maxSessionsPerKey) return undefined
    return `this key has ${maxSessionsPerKey} sessions already`
  }

  #newSession(
    id: string,
    headers: RequestHeaders,
    { key, only, line }: Asker & { readonly line: SessionLine | undefined },
  ): HttpSession {
    const { version, structured = false, log, open, settings } = this.#options
    const session = new HttpSession({
      id,
      key,
      only,
      line,
      resumeMs: settings.resumeMs ?? RESUME_MS,
      server: {
        version,
        structured,
        offers: this.#offersFor({ key, only }),
        log,
        maxRequests: settings.maxRequestsPerSession ?? MAX_REQUESTS,
        passable: (headers) => withoutKey(headers, key),
        open: (clientName) => open(factsOf(key, { clientName, headers, only, id, isShared: line !== undefined })),
      },
      onOpen: () => this.#sessions.set(id, session),
      onClose: () => this.#sessions.delete(id),
    })
    return session
  }

  #newCallers(): HttpCallers {
    const { version, structured = false, open, settings } = this.#options
    return new HttpCallers({
      version,
      structured,
      offersFor: (asker) => this.#offersFor(asker),
      open: ({ key, only }, clientName, headers) => open(factsOf(key, { clientName, headers, only })),
      passable: withoutKey,
      maxRequests: settings.maxRequestsPerKey ?? MAX_REQUESTS_PER_KEY,
      maxViews: settings.maxSessions ?? MAX_SESSIONS,
      idleMs: settings.sessionIdleMs ?? IDLE_MS,
    })
  }

  /** The instructions name servers, so a restricted caller gets none. */
  #offersFor({ key, only }: Asker): Offers {
    const { offers } = this.#options
    return key === undefined && only === undefined ? offers : { ...offers, instructions: undefined }
  }

  #endRevoked(): void {
    const isRevoked = (key: Caller | undefined) => key !== undefined && !this.#admission.holds(key)
    this.#callers.endWhere(isRevoked)
    this.#routed.endWhere(isRevoked)
    for (const session of this.#sessions.values())
      if (session.key !== undefined && !this.#admission.holds(session.key)) void session.end()
  }

  #endIdle(): void {
    const { sessionIdleMs = IDLE_MS } = this.#options.settings
    for (const session of this.#sessions.values()) {
      if (session.idleMs > sessionIdleMs) void session.close()
      else if (session.idleMs === 0) session.renew()
    }
  }

  #turnAway(response: ServerResponse, { status, message, challenge }: Refusal): void {
    if (challenge !== undefined) response.setHeader('WWW-Authenticate', challenge)
    this.#refuse(response, status, message)
  }

  /** Refuses in the protocol's form, and in the log for operators who wonder why a caller can't connect. */
  #refuse(response: ServerResponse, status: number, message: string, code = -32000): void {
    this.#options.log({ level: 'debug', message: `a request was refused with ${status}: ${message}` })
    const own = this.#routed.refusal(pathOf(response.req), status, message)
    const body = own ?? { jsonrpc: '2.0', error: { code, message }, id: null }
    send(response, status, 'application/json', JSON.stringify(body))
  }

  #failed(error: unknown, response: ServerResponse): void {
    if (error instanceof BodyRefused) {
      // The rest of the request is not read: parsing it would cost more than sending it did.
      if (!response.headersSent) response.setHeader('Connection', 'close')
      response.once('finish', () => response.socket?.destroy())
      return this.#refuse(response, error.status, error.message)
    }
    if (error instanceof UnreadText)
      return this.#refuse(response, 413, `the body is a message ${error.message}`, -32600)
    if (error instanceof SyntaxError) return this.#refuse(response, 400, 'the body is not JSON', -32700)
    if (error instanceof DiagnosticError) return this.#refuse(response, 503, error.message)
    this.#options.log({ level: 'debug', message: `a request failed: ${String(error)}` })
    this.#refuse(response, 500, 'this request failed')
  }
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'DELETE'])
const TOO_MANY_CONNECTIONS = 'Connections refused for lack of room.'

/** The path of a request. A target that is not a path is taken as it is. */
function pathOf({ url = '/' }: IncomingMessage): string {
  return URL.canParse(url, 'http://here') ? new URL(url, 'http://here').pathname : url
}

/** The view that a path names, whether the server exists or not. Undefined: the path names none. */
function viewOf(pathname: string): { readonly only?: string } | undefined {
  if (pathname === '/mcp' || pathname === '/mcp/') return {}
  const only = decoded(/^\/mcp\/([^/]+)\/?$/.exec(pathname)?.[1] ?? '')
  return only === undefined ? undefined : { only }
}

/** The name of the tool that a request calls. */
function calledTool(body: unknown): string | undefined {
  const { method, params } = (body ?? {}) as {
    readonly method?: unknown
    readonly params?: { readonly name?: unknown }
  }
  return method === 'tools/call' && typeof params?.name === 'string' ? params.name : undefined
}

function isListening(body: unknown): boolean {
  return (body as { readonly method?: unknown } | null | undefined)?.method === 'subscriptions/listen'
}

/** Closes a stream of notifications when the access token that opened it expires. */
function endAt(until: number, response: ServerResponse): void {
  const timer = setTimeout(() => response.destroy(), Math.min(Math.max(0, until - Date.now()), LONGEST_MS)).unref()
  response.once('close', () => clearTimeout(timer))
}

interface Connecting extends Pick<CallerFacts, 'clientName' | 'headers' | 'only'> {
  /** The name of the session. */
  readonly id?: string
  /** Other replicas serve the session, too. */
  readonly isShared?: boolean
}

/**
 * The facts about a caller for its session. A caller without a key is named after its session, and its files are the
 * session's own; they have its name where other replicas need them.
 */
function factsOf(key: Caller | undefined, { id, isShared = false, headers, ...facts }: Connecting): CallerFacts {
  const name = key?.name ?? (id === undefined ? 'http' : `session-${isShared ? id : id.slice(0, 8)}`)
  const { codeMode, clock, random, memory, approve, mayApprove, page } = key ?? {}
  const terms = key === undefined ? {} : { filters: [key], codeMode, clock, random, memory, approve, mayApprove, page }
  const results = key === undefined && id !== undefined && !isShared ? {} : { results: 'named' as const }
  return { ...facts, headers: withoutKey(headers, key), name, ...terms, ...results }
}

function without(names: RequestHeaders, headers: RequestHeaders): RequestHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !(name in names)))
}

/** The headers that may be passed on to servers: all but the caller's key or token. */
function withoutKey(headers: RequestHeaders, key: Caller | undefined): RequestHeaders {
  if (key === undefined) return headers
  const { authorization, 'x-api-key': own, ...rest } = headers
  return own === undefined || authorization === undefined ? rest : { ...rest, authorization }
}

function nothingAt(pathname: string): string {
  return `there is nothing at ${pathname.slice(0, 100)}; try /mcp`
}

function paramsIn(body: unknown): Params {
  const { params } = (body ?? {}) as { readonly params?: unknown }
  return isRecord(params) ? params : {}
}

/** A client's name in its initialize request. */
function initialNameIn(body: unknown): string {
  const { clientInfo } = paramsIn(body)
  const name = isRecord(clientInfo) ? clientInfo.name : undefined
  return typeof name === 'string' ? name : ''
}

function unreadOf(settings: ServeSettings): Unread {
  return new Unread({
    maxBytes: settings.maxRequestBytes ?? MAX_BODY,
    maxUnreadBytes: settings.maxUnreadBytes ?? MAX_UNREAD,
    maxUnreadBytesPerKey: settings.maxUnreadBytesPerKey ?? MAX_UNREAD_PER_KEY,
    bodyIdleMs: settings.bodyIdleMs ?? BODY_IDLE_MS,
  })
}

function isInitialize(body: unknown): boolean {
  return (body as { readonly method?: unknown } | null | undefined)?.method === 'initialize'
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  if (response.headersSent) return void response.end()
  response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' })
  response.end(body)
}

async function within(ms: number, done: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([done, late])
  clearTimeout(timer)
}
