// One session over HTTP: a caller, its MCP server and their streams. A broken stream cancels the requests on it: at
// once, or after a grace period if the caller can resume.
// Invariant: it reports its opening once and its end once.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { Caller } from './caller.js'
import { EventStore } from './event-store.js'
import { McpServer, type McpServerOptions } from './mcp-server.js'
import type { ServedSession } from './served.js'

export interface HttpSessionOptions {
  readonly id: string
  /** The owner of the session; undefined if keys are not required. */
  readonly key: Caller | undefined
  /** The only visible server. */
  readonly only: string | undefined
  readonly server: McpServerOptions
  /** The time for which a request with a broken stream continues without a caller. Milliseconds. */
  readonly resumeMs: number
  readonly onOpen: () => void
  readonly onClose: () => void
}

export class HttpSession {
  readonly #options: HttpSessionOptions
  readonly #server: McpServer
  readonly #transport: StreamableHTTPServerTransport
  readonly #connected: Promise<void>
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
    this.#server = new McpServer(options.server)
    this.#transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => options.id,
      onsessioninitialized: () => {
        this.#state = 'open'
        options.onOpen()
      },
      onsessionclosed: () => void this.close(),
      eventStore: new EventStore(),
    })
    // The SDK's class declares `sessionId` in a way that exactOptionalPropertyTypes does not accept as a Transport.
    this.#connected = this.#server.connect(this.#transport as Transport)
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
    const ids = idsOf(body)
    const isResuming = request.headers['last-event-id'] !== undefined
    if (isResuming) this.#comeBack()
    this.#streams++
    response.once('close', () => {
      this.#streams--
      this.#usedAt = performance.now()
      if (isResuming) this.#resumed--
      if (!response.writableFinished) this.#break(ids, canResume(request))
      this.#giveUpLater()
    })
    await this.#transport.handleRequest(request, response, body)
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

  async close(): Promise<void> {
    if (this.#state === 'open') this.#options.onClose()
    this.#state = 'over'
    clearTimeout(this.#giveUp)
    await this.#server.close()
  }
}

/** From this revision on, every answer tells callers how to resume it. */
const RESUMING_SINCE = '2025-11-25'

function canResume({ headers }: IncomingMessage): boolean {
  return String(headers['mcp-protocol-version'] ?? '') >= RESUMING_SINCE
}

/** The numbers of the requests in a body. */
function idsOf(body: unknown): (string | number)[] {
  return [body].flat().flatMap((message) => {
    const { id, method } = (message ?? {}) as { readonly id?: unknown; readonly method?: unknown }
    return method !== undefined && (typeof id === 'string' || typeof id === 'number') ? [id] : []
  })
}
