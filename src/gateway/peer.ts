// The other side of a connection, in either era of the protocol: all that `Link` knows of it.

import type { CallerEnd } from './caller-end.js'
import type { OwnRequest, OwnRequests } from './own-requests.js'
import type { Params } from './params.js'
import type { UpstreamTransport } from './transports/transport.js'

export interface Peer {
  /** The server's capabilities, in the protocol's form. */
  readonly capabilities: Params
  readonly instructions: string | undefined
  /** The server's name and version; empty where it has none. */
  readonly version: string
  /** Resolves to the result as it came. Rejects with an McpError, or an error of the transport. */
  request(method: string, params: Params, options: PeerRequest): Promise<unknown>
  /** Rejects when the server gives no answer at all, or refuses. */
  ping(timeoutMs: number): Promise<void>
  /** A list of the server's has changed; `method` is the notice. */
  note?(method: string): void
  /** Nothing is sent any more. */
  close?(): void
}

export interface PeerRequest extends OwnRequest {
  /** Whom the server may ask meanwhile. */
  readonly caller?: CallerEnd | undefined
  /** Those that are sent along: they are part of who asks. */
  readonly headers?: Readonly<Record<string, string>>
}

/** What becomes of the server's messages that answer nothing. */
export interface PeerOptions {
  readonly transport: UpstreamTransport
  readonly own: OwnRequests
  /** Our own version. */
  readonly version: string
  /** Those of the client: what servers may ask for. */
  readonly capabilities: Params
  /** Answers a request of the server's. */
  readonly onRequest: (asked: Asked) => Promise<Params>
  readonly onNotification: (method: string, params: Params) => void
  /** A list may have changed; `method` is the notice. */
  readonly onChanged: (method: string) => void
  /** The server will not say that its tools have changed, although it can. */
  readonly onUnheard: () => void
  /** Something odd that ends nothing. */
  readonly onOddity: (what: string) => void
  readonly onClose: () => void
  readonly onError: (error: Error) => void
}

/** A request of the server's. */
export interface Asked {
  readonly method: string
  readonly params: Params
  readonly signal: AbortSignal
  /** The one for whom the server works; null for nobody who can be asked. Absent: it does not say. */
  readonly caller?: CallerEnd | null | undefined
}
