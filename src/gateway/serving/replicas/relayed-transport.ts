// The transport of a session that several replicas serve. A caller's answer names the replica that asked, because each
// replica numbers its own requests from zero.
// Invariant: a caller's message reaches the replica that it concerns, and one replica only tells of changes.

import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage, MessageExtraInfo } from '@modelcontextprotocol/sdk/types.js'

// The SDK's class declares `sessionId` in a way that exactOptionalPropertyTypes does not accept as a Transport.
export type HttpTransport = Transport & Pick<StreamableHTTPServerTransport, 'closeSSEStream'>

interface RelayedOptions {
  /** Names this replica. */
  readonly tag: string
  /** True if the caller's stream for notifications is here. */
  readonly isListening: () => boolean
}

export class RelayedTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void
  readonly #inner: HttpTransport
  readonly #options: RelayedOptions

  constructor(inner: HttpTransport, options: RelayedOptions) {
    this.#inner = inner
    this.#options = options
  }

  async start(): Promise<void> {
    this.#inner.onmessage = (message, extra) => this.receive(message, extra)
    this.#inner.onclose = () => this.onclose?.()
    this.#inner.onerror = (error) => this.onerror?.(error)
    await this.#inner.start()
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const isNews = options?.relatedRequestId === undefined && 'method' in message
    if (isNews && !this.#options.isListening()) return
    await this.#inner.send(outward(message, this.#options.tag), options)
  }

  close(): Promise<void> {
    return this.#inner.close()
  }

  closeSSEStream(id: string | number): void {
    this.#inner.closeSSEStream(id)
  }

  /** A message of the caller, from this replica or another. */
  receive(message: JSONRPCMessage, extra?: MessageExtraInfo): void {
    const own = inward(message, this.#options.tag)
    if (own !== undefined) this.onmessage?.(own, extra)
  }
}

/** True if a message of the caller concerns a request that another replica carries out. */
export function concernsAnother(
  message: unknown,
  { tag, carriesOut }: { readonly tag: string; readonly carriesOut: (id: string | number) => boolean },
): message is JSONRPCMessage {
  const { id, method, params } = (message ?? {}) as Loose
  if (method === undefined) return isTagged(id) && !id.startsWith(`${tag}-`)
  const cancelled = method === 'notifications/cancelled' ? params?.requestId : undefined
  return (typeof cancelled === 'string' || typeof cancelled === 'number') && !carriesOut(cancelled)
}

interface Loose {
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: { readonly requestId?: unknown }
}

/** True for the ids that replicas make: the name of the replica, and a number. */
export const isTagged = (id: unknown): id is string => typeof id === 'string' && /^[0-9a-f]{12}-\d{1,15}$/.test(id)

function outward(message: JSONRPCMessage, tag: string): JSONRPCMessage {
  if (!('method' in message)) return message
  if ('id' in message) return { ...message, id: `${tag}-${message.id}` }
  const { requestId } = message.params ?? {}
  if (message.method !== 'notifications/cancelled' || requestId === undefined) return message
  return { ...message, params: { ...message.params, requestId: `${tag}-${String(requestId)}` } }
}

/** Undefined: another replica asked. */
function inward(message: JSONRPCMessage, tag: string): JSONRPCMessage | undefined {
  if ('method' in message || !isTagged(message.id)) return message
  return message.id.startsWith(`${tag}-`) ? { ...message, id: Number(message.id.slice(tag.length + 1)) } : undefined
}
