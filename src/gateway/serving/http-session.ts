// One session over HTTP: a caller, its MCP server and their streams. A broken stream cancels the requests on it: at
// once, or after a grace period if the caller can resume.
// Invariant: it reports its opening once and its end once.

import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Caller } from './caller.js'
import { EventStore } from './event-store.js'
import { McpServer, type McpServerOptions } from './mcp-server.js'
import type { SessionLine } from './replicas/kept-sessions.js'
import type { HttpTransport } from './replicas/relayed-transport.js'
import { accepting } from './replicas/shared-events.js'
import { SharedSession } from './replicas/shared-session.js'
import type { ServedSession } from './served.js'

interface HttpSessionOptions {
  readonly id: string
  /** The owner of the session; undefined if keys are not required. */
  readonly key: Caller | undefined
  /** The only visible server. */
  readonly only: string | undefined
  readonly server: McpServerOptions
  /** The time for which a request with a broken stream continues without a caller. Milliseconds. */
  readonly resumeMs: number
  /** The session at other replicas. Undefined: there are none. */
  readonly line: SessionLine | undefined
  readonly onOpen: () => void
  readonly onClose: () => void
}

export class HttpSession {
  readonly #options: HttpSessionOptions
  readonly #server: McpServer
  readonly #transport: StreamableHTTPServerTransport
  readonly #connected: Promise<void>
  readonly #shared: SharedSession | undefined
  #state: 'new' | 'open' | 'over' = 'new'
  /** Requests for which a response or a stream is open. */
  #streams = 0
  #usedAt = performance.now()
  /** Requests with broken streams, and the streams on which a caller has resumed them. */
  readonly #broken = new Set<string | number>()
  #resumed = 0
  #giveUp: NodeJS.Timeout | undefined

  constructor(options: HttpSessionOptions) {
    this.#options = options
    const { line } = options
    this.#server = new McpServer({
      ...options.server,
      ...(line === undefined ? {} : { onChoice: (choice) => line.choose(choice) }),
    })
    this.#shared = line && this.#share(line)
    this.#transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => options.id,
      onsessioninitialized: () => {
        this.#state = 'open'
        options.onOpen()
      },
      onsessionclosed: () => this.end(),
      eventStore: this.#shared?.events ?? new EventStore(),
    })
    const transport = this.#transport as HttpTransport
    this.#connected = this.#server.connect(this.#shared?.over(transport) ?? transport)
  }

  #share(line: SessionLine): SharedSession {
    return new SharedSession({
      id: this.#options.id,
      line,
      carriesOut: (id) => this.#server.carriesOut(id),
      onChoice: (choice) => this.#server.choose(choice),
      onEnded: () => void this.close(),
      onCome: () => this.#comeBack(),
      onLeave: () => {
        this.#resumed--
        this.#giveUpLater()
      },
    })
  }

  /** Goes on with a session that another replica opened. */
  async restore(line: SessionLine): Promise<void> {
    await this.#connected
    const { initialize, choices } = line.kept
    await this.#transport.handleRequest(...withoutConnection(), {
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: initialize,
    })
    for (const choice of choices) this.#server.choose(choice)
  }

  get key(): Caller | undefined {
    return this.#options.key
  }

  /** True if the session failed to open, or is closed. */
  get isOver(): boolean {
    return this.#state !== 'open'
  }

  /** The time without requests or listeners. */
  get idleMs(): number {
    return this.#streams > 0 || this.#server.underway > 0 ? 0 : performance.now() - this.#usedAt
  }

  /** The number of requests in progress. */
  get underway(): number {
    return this.#server.underway
  }

  /** The caller's view. */
  get opened(): Promise<ServedSession> {
    return this.#server.opened
  }

  belongsTo(key: Caller | undefined, only: string | undefined): boolean {
    return key?.sha256 === this.#options.key?.sha256 && only === this.#options.only
  }

  async handle(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    await this.#connected
    this.renew()
    await this.#shared?.passOn(body)
    const ids = idsOf(body)
    const isResuming = request.headers['last-event-id'] !== undefined && !this.#shared?.resumesElsewhere(request)
    if (isResuming) this.#comeBack()
    this.#streams++
    response.once('close', () => {
      this.#streams--
      this.#usedAt = performance.now()
      if (isResuming) this.#resumed--
      if (!response.writableFinished) this.#break(ids, canResume(request))
      this.#giveUpLater()
    })
    // All requests may have gone to other replicas.
    if (this.#shared !== undefined && request.method === 'GET') await this.opened
    if (await this.#shared?.listen(request, response)) return
    await accepting(ids, () => this.#transport.handleRequest(request, response, body))
  }

  #break(ids: readonly (string | number)[], mayComeBack: boolean): void {
    for (const id of ids) {
      if (mayComeBack && this.#options.resumeMs > 0) this.#broken.add(id)
      else this.#server.cancel(id)
    }
  }

  #comeBack(): void {
    clearTimeout(this.#giveUp)
    this.#resumed++
  }

  /** Cancels requests that were not resumed. A caller that has resumed one stream is present, and may resume others. */
  #giveUpLater(): void {
    clearTimeout(this.#giveUp)
    if (this.#broken.size === 0 || this.#resumed > 0 || this.isOver) return
    this.#giveUp = setTimeout(() => {
      for (const id of this.#broken) this.#server.cancel(id)
      this.#broken.clear()
    }, this.#options.resumeMs)
    this.#giveUp.unref()
  }

  /** Resolves when no request is in progress. */
  answered(): Promise<void> {
    return this.#server.answered()
  }

  /** Called while the session is used. */
  renew(): void {
    this.#options.line?.renew()
  }

  /** Closes the session, also at other replicas. */
  async end(): Promise<void> {
    void this.close()
    await this.#options.line?.end().catch(none)
  }

  /** Closes the session at this replica. */
  async close(): Promise<void> {
    if (this.#state === 'open') this.#options.onClose()
    this.#state = 'over'
    this.#shared?.close()
    clearTimeout(this.#giveUp)
    await this.#server.close()
  }
}

/** From this revision on, every answer tells callers how to resume it. */
const RESUMING_SINCE = '2025-11-25'

function canResume({ headers }: IncomingMessage): boolean {
  return String(headers['mcp-protocol-version'] ?? '') >= RESUMING_SINCE
}

/** A request whose answer nobody reads. */
function withoutConnection(): [IncomingMessage, ServerResponse] {
  const request = new IncomingMessage(new Socket())
  const headers = {
    host: 'localhost',
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  }
  Object.assign(request, { method: 'POST', url: '/mcp', headers, rawHeaders: Object.entries(headers).flat() })
  return [request, new ServerResponse(request)]
}

function none(): void {}

/** The numbers of the requests in a body. */
function idsOf(body: unknown): (string | number)[] {
  return [body].flat().flatMap((message) => {
    const { id, method } = (message ?? {}) as { readonly id?: unknown; readonly method?: unknown }
    return method !== undefined && (typeof id === 'string' || typeof id === 'number') ? [id] : []
  })
}
