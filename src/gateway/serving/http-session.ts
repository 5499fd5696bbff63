// One session over HTTP: a caller, its MCP server and the streams between them. Knows which requests came on which stream, so that a stream that is closed
// cancels what would have been answered on it. Invariant: it is told of as opened once and as closed once.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { KeyEntry } from './keys.js'
import { McpServer, type McpServerOptions } from './mcp-server.js'

export interface HttpSessionOptions {
  readonly id: string
  /** Whose session it is; undefined where no keys are asked for. */
  readonly key: KeyEntry | undefined
  /** The one server that is seen. */
  readonly only: string | undefined
  readonly server: McpServerOptions
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
    })
    // The SDK's class declares `sessionId` in a way that exactOptionalPropertyTypes does not accept as a Transport.
    this.#connected = this.#server.connect(this.#transport as Transport)
  }

  get key(): KeyEntry | undefined {
    return this.#options.key
  }

  /** True when it did not come about, or is closed. */
  get isOver(): boolean {
    return this.#state !== 'open'
  }

  /** How long nobody has used it. Who listens uses it. */
  get idleMs(): number {
    return this.#streams > 0 || this.#server.underway > 0 ? 0 : performance.now() - this.#usedAt
  }

  belongsTo(key: KeyEntry | undefined, only: string | undefined): boolean {
    return key?.sha256 === this.#options.key?.sha256 && only === this.#options.only
  }

  async handle(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    await this.#connected
    this.#streams++
    response.once('close', () => {
      this.#streams--
      this.#usedAt = performance.now()
      if (!response.writableFinished) for (const id of idsOf(body)) this.#server.cancel(id)
    })
    await this.#transport.handleRequest(request, response, body)
  }

  /** Resolves when nothing that was asked for is underway. */
  answered(): Promise<void> {
    return this.#server.answered()
  }

  async close(): Promise<void> {
    if (this.#state === 'open') this.#options.onClose()
    this.#state = 'over'
    await this.#server.close()
  }
}

/** The numbers of the requests in a body. */
function idsOf(body: unknown): (string | number)[] {
  return [body].flat().flatMap((message) => {
    const { id, method } = (message ?? {}) as { readonly id?: unknown; readonly method?: unknown }
    return method !== undefined && (typeof id === 'string' || typeof id === 'number') ? [id] : []
  })
}
