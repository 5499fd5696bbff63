// The server at the other end of a connection, in either era of the protocol, as `Link` sees it.

import type { CallerEnd } from './caller-end.js'
import type { OwnRequest, OwnRequests } from './own-requests.js'
import type { Params } from './params.js'
import type { UpstreamTransport } from './transports/transport.js'

export interface Peer {
  /** The server's capabilities, in the protocol's form. */
  readonly capabilities: Params
  readonly instructions: string | undefined
  /** The server's name and version. Empty: it has none. */
  readonly version: string
  /** Resolves to the unchanged result. Rejects with an McpError or an error of the transport. */
  request(method: string, params: Params, options: PeerRequest): Promise<unknown>
  /** Rejects when the server gives no answer at all, or refuses. */
  ping(timeoutMs: number): Promise<void>
  /** Notes that a list of the server has changed. `method`: the notification. */
  note?(method: string): void
  /** Stops sending. */
  close?(): void
}

export interface PeerRequest extends OwnRequest {
  /** The caller whom the server may ask during the request. */
  readonly caller?: CallerEnd | undefined
  /** The headers of the request. They are part of the caller's identity. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The receivers of messages that are not answers. */
export interface PeerOptions {
  readonly transport: UpstreamTransport
  readonly own: OwnRequests
  /** Our own version. */
  readonly version: string
  /** The capabilities of our client: what servers may ask for. */
  readonly capabilities: Params
  /** Answers a request of the server. */
  readonly onRequest: (asked: Asked) => Promise<Params>
  readonly onNotification: (method: string, params: Params) => void
  /** Called when a list may have changed. `method`: the notification. */
  readonly onChanged: (method: string) => void
  /** Called if the server refuses to report changes of its tools, although it declares that it can. */
  readonly onUnheard: () => void
  /** Called for odd behaviour that does not end the connection. */
  readonly onOddity: (what: string) => void
  readonly onClose: () => void
  readonly onError: (error: Error) => void
}

/** A request of the server. */
export interface Asked {
  readonly method: string
  readonly params: Params
  readonly signal: AbortSignal
  /** The caller for whom the server works. Null: nobody can be asked. Absent: unknown. */
  readonly caller?: CallerEnd | null | undefined
}
