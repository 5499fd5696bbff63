// A server of the revisions up to 2025-11-25: a handshake, after which it may send requests of its own at any time.
// The SDK's client makes the handshake and reads what the server says unasked.
// Invariant: a peer that is let go of says nothing over its connection, and hears nothing.

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { Params, Peer, PeerOptions, PeerRequest } from './peer.js'

export class HandshakePeer implements Peer {
  readonly #options: PeerOptions
  readonly #client: Client
  #isLetGo = false

  constructor(options: PeerOptions) {
    this.#options = options
    const { version, capabilities, onRequest, onNotification } = options
    this.#client = new Client({ name: 'starbind', version }, { capabilities })
    this.#client.onclose = () => options.onClose()
    this.#client.onerror = (error) => options.onError(error)
    this.#client.fallbackRequestHandler = ({ method, params }, { signal }) =>
      onRequest({ method, params: params ?? {}, signal })
    this.#client.fallbackNotificationHandler = async ({ method, params = {} }) => onNotification(method, params)
  }

  async connect(timeout: number, signal: AbortSignal): Promise<void> {
    await this.#client.connect(this.#borrowed(this.#options.transport.sdk), { timeout, signal })
  }

  /** The server has turned out to be of the other era. */
  letGo(): void {
    this.#isLetGo = true
    this.#client.onclose = () => {}
    this.#client.onerror = () => {}
  }

  get capabilities(): Params {
    return this.#client.getServerCapabilities() ?? {}
  }

  get instructions(): string | undefined {
    return this.#client.getInstructions()
  }

  get version(): string {
    const { name, version } = this.#client.getServerVersion() ?? {}
    return name === undefined ? '' : `${name} ${version}`
  }

  request(method: string, params: Params, options: PeerRequest): Promise<unknown> {
    return this.#options.own.send(this.#options.transport.sdk, { method, params: { ...params } }, options)
  }

  async ping(timeoutMs: number): Promise<void> {
    await this.request('ping', {}, { timeoutMs })
  }

  /** Starting and ending the connection are not the client's: it would end it when the handshake fails. */
  #borrowed(transport: Transport): Transport {
    const own: Transport = {
      start: async () => {
        transport.onmessage = (message, extra) => this.#isLetGo || own.onmessage?.(message, extra)
        transport.onclose = () => own.onclose?.()
        transport.onerror = (error) => own.onerror?.(error)
      },
      send: async (message, options) => {
        if (!this.#isLetGo) await transport.send(message, options)
      },
      close: async () => {},
      setProtocolVersion: (version) => transport.setProtocolVersion?.(version),
    }
    return own
  }
}
