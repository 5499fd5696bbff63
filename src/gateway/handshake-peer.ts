// A server of a revision up to 2025-11-25. After the handshake it may send requests at any time. The SDK's client
// performs the handshake and reads unsolicited messages.
// Invariant: the SDK's client neither starts nor ends the connection.

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { callAsTask, runsTasks, toolsWithTasks } from './handshake-tasks.js'
import { noValidator } from './no-validator.js'
import type { Params } from './params.js'
import type { Peer, PeerOptions, PeerRequest } from './peer.js'

export class HandshakePeer implements Peer {
  readonly #options: PeerOptions
  readonly #client: Client
  /** The tools that must be called as tasks. */
  readonly #tasks = new Set<unknown>()

  constructor(options: PeerOptions) {
    this.#options = options
    const { version, capabilities, onRequest, onNotification } = options
    this.#client = new Client({ name: 'starbind', version }, { capabilities, ...noValidator })
    this.#client.onclose = () => options.onClose()
    this.#client.onerror = (error) => options.onError(error)
    this.#client.fallbackRequestHandler = ({ method, params }, { signal }) =>
      onRequest({ method, params: params ?? {}, signal })
    this.#client.fallbackNotificationHandler = async ({ method, params = {} }) => onNotification(method, params)
  }

  async connect(timeout: number, signal: AbortSignal): Promise<void> {
    await this.#client.connect(this.#borrowed(this.#options.transport.sdk), { timeout, signal })
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

  async request(method: string, params: Params, options: PeerRequest): Promise<unknown> {
    if (method === 'tools/call' && this.#tasks.has(params.name))
      return callAsTask(params, options, (...request) => this.#send(...request))
    const result = await this.#send(method, params, options)
    if (method === 'tools/list' && runsTasks(this.capabilities)) this.#noteTasks(result, params)
    return result
  }

  #noteTasks(result: unknown, { cursor }: Params): void {
    if (cursor === undefined) this.#tasks.clear()
    for (const name of toolsWithTasks(result)) this.#tasks.add(name)
  }

  #send(method: string, params: Params, options: PeerRequest): Promise<unknown> {
    return this.#options.own.send(this.#options.transport.sdk, { method, params: { ...params } }, options)
  }

  async ping(timeoutMs: number): Promise<void> {
    await this.request('ping', {}, { timeoutMs })
  }

  /** Keeps the client from starting or ending the connection. It would end it when the handshake fails. */
  #borrowed(transport: Transport): Transport {
    const own: Transport = {
      start: async () => {
        transport.onmessage = (message, extra) => own.onmessage?.(message, extra)
        transport.onclose = () => own.onclose?.()
        transport.onerror = (error) => own.onerror?.(error)
      },
      send: (message, options) => transport.send(message, options),
      close: async () => {},
      setProtocolVersion: (version) => transport.setProtocolVersion?.(version),
    }
    return own
  }
}
