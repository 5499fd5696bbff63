// A server of revision 2026-07-28. Its questions to a caller arrive as the result of the caller's request
// (`input_required`), which is then sent again with the answers.
// Invariant: only complete results are returned.

import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import { Deadline } from '../deadline.js'
import { isTooDeep } from '../depth.js'
import { metaKey } from '../meta-keys.js'
import { readPages } from '../pages.js'
import type { Params } from '../params.js'
import type { Peer, PeerOptions, PeerRequest } from '../peer.js'
import { Turns } from '../reading/json-in-turns.js'
import { RefusedTool } from '../refused-tool.js'
import type { Discovered } from './discovery.js'
import { enveloped } from './envelope.js'
import { inputFor } from './input.js'
import { KeptAnswers } from './kept-answers.js'
import { Listening } from './listening.js'
import { type Mirrored, mirroredIn, mirroring } from './mirrored-arguments.js'
import { endOfTask, TASKS } from './tasks.js'

const MOST_ROUNDS = 10
const HEADER_MISMATCH = -32_020
const LISTING = { maxBytes: 32 * 1024 * 1024, timeoutMs: 30_000 }

export class ModernPeer implements Peer {
  readonly capabilities: Params
  readonly instructions: string | undefined
  readonly version: string
  readonly #options: PeerOptions
  readonly #kept = new KeptAnswers()
  readonly #listening: Listening
  /** The lowest level of the log messages about our requests. */
  #logLevel = 'info'
  /** The arguments that are repeated in headers, by tool. */
  #mirrored = new Map<unknown, readonly Mirrored[]>()

  constructor({ capabilities, instructions, version }: Discovered, options: PeerOptions) {
    this.capabilities = capabilities
    this.instructions = instructions
    this.version = version
    this.#options = options
    this.#listening = new Listening({
      capabilities,
      send: (method, params, sending) => this.#send(method, params, sending),
      onMissed: (method, params) => this.#tell(method, params),
      onChanged: options.onChanged,
      onUnheard: options.onUnheard,
      onOddity: options.onOddity,
    })
    const { sdk } = options.transport
    sdk.onclose = options.onClose
    sdk.onerror = options.onError
    sdk.onmessage = (message) => {
      if (!('method' in message)) return
      const { method, params = {} } = message
      if ('id' in message) options.onOddity(`it sent a request of its own (${method}), which its revision lacks`)
      else if (!this.#listening.takes(method, params)) this.#tell(method, params)
    }
    void this.#listening.begin()
  }

  /** Notes a notification. Notifications about changed lists may be merged before they arrive here. */
  note(method: string): void {
    this.#kept.note(method)
  }

  async request(method: string, params: Params, options: PeerRequest): Promise<unknown> {
    const done = this.#settle(method, params)
    if (done !== undefined) return done
    const result = this.#kept.get(method, params, options) ?? (await this.#ask(method, params, options))
    return method === 'tools/list' ? this.#looked(result, params) : result
  }

  async #ask(method: string, params: Params, options: PeerRequest): Promise<unknown> {
    const deadline = new Deadline(options)
    const first = await this.#try(method, params, options)
    const result = completeOf(await this.#complete(first, { method, params, options, deadline }))
    // A result that depends on the caller's answers is not cached.
    if (result === first) this.#kept.put(method, params, options, result)
    return result
  }

  async ping(timeoutMs: number): Promise<void> {
    await this.#send('server/discover', {}, { timeoutMs })
  }

  close(): void {
    this.#listening.close()
  }

  #tell(method: string, params: Params): void {
    this.note(method)
    this.#options.onNotification(method, params)
  }

  /** Handles the requests that this revision has replaced. Undefined: it is another request. */
  #settle(method: string, { uri, level }: Params): Promise<Params> | undefined {
    if (method === 'logging/setLevel') this.#logLevel = String(level)
    else if (method === 'resources/subscribe') return this.#listening.watch(String(uri)).then(() => ({}))
    else if (method === 'resources/unsubscribe') return this.#listening.unwatch(String(uri)).then(() => ({}))
    else return undefined
    return Promise.resolve({})
  }

  /** Answers questions and waits for tasks until the result is complete. */
  async #complete(first: unknown, { method, params, options, deadline }: Request): Promise<unknown> {
    const { onRequest } = this.#options
    let result = first
    for (let round = 1; typeOf(result) === 'input_required'; round++) {
      if (round > MOST_ROUNDS) throw new McpError(ErrorCode.InternalError, `it still asks after ${MOST_ROUNDS} answers`)
      const asked = result
      const input = await deadline.part(({ signal }) => inputFor(asked, { ...options, signal }, onRequest))
      result = await deadline.part((part) => this.#send(method, { ...params, ...input }, { ...options, ...part }))
    }
    if (typeOf(result) === 'task' && method === 'tools/call')
      result = await endOfTask(result, { options, deadline, onRequest, send: (...request) => this.#send(...request) })
    return result
  }

  /** Sends a request. If the headers do not match the server's current schema, reads the schema and sends it again. */
  async #try(method: string, params: Params, options: PeerRequest): Promise<unknown> {
    try {
      return await this.#send(method, params, options)
    } catch (error) {
      const isMismatch = error instanceof McpError && error.code === HEADER_MISMATCH
      if (!isMismatch || method !== 'tools/call' || this.#options.transport.withHeaders === undefined) throw error
      this.note('notifications/tools/list_changed')
      await readPages((page, timeoutMs) => this.request('tools/list', { ...page }, { timeoutMs }), 'tools', LISTING)
      return this.#send(method, params, options)
    }
  }

  #send(method: string, params: Params, options: PeerRequest): Promise<unknown> {
    const { own, transport, version, capabilities } = this.#options
    const { elicitation, sampling, ...ours } = capabilities
    const envelope = {
      version,
      // Without a caller nobody could answer, so these capabilities are not declared.
      capabilities: { ...(options.caller === undefined ? ours : capabilities), extensions: TASKS },
      logLevel: this.capabilities.logging === undefined ? undefined : this.#logLevel,
    }
    const send = () => own.send(transport.sdk, { method, params: enveloped(params, envelope) }, options)
    const mirrored = method === 'tools/call' ? this.#mirrored.get(params.name) : undefined
    if (mirrored === undefined || transport.withHeaders === undefined) return send()
    return transport.withHeaders(mirroring(mirrored, params.arguments), send)
  }

  /** Notes the arguments to repeat in headers, and replaces tools with mistakes in them. */
  async #looked(result: unknown, { cursor }: Params): Promise<unknown> {
    const { tools } = (result ?? {}) as Params
    if (this.#options.transport.withHeaders === undefined || !Array.isArray(tools)) return result
    if (cursor === undefined) this.#mirrored = new Map()
    const looked: unknown[] = []
    const turns = new Turns()
    for (const tool of tools as readonly (Params | null)[]) {
      const mirrored = isTooDeep(tool) ? [] : mirroredIn(tool?.inputSchema)
      const isRefused = typeof mirrored === 'string'
      looked.push(isRefused ? new RefusedTool(String(tool?.name), `its ${mirrored}`) : tool)
      if (!isRefused && mirrored.length > 0) this.#mirrored.set(tool?.name, mirrored)
      if (turns.isOver) await turns.next()
    }
    return { ...(result as Params), tools: looked }
  }
}

interface Request {
  readonly method: string
  readonly params: Params
  readonly options: PeerRequest
  readonly deadline: Deadline
}

function typeOf(result: unknown): unknown {
  return (result as { readonly resultType?: unknown } | null)?.resultType ?? 'complete'
}

/** Removes the fields that only this revision has. */
function completeOf(raw: unknown): unknown {
  const type = typeOf(raw)
  if (type !== 'complete')
    throw new McpError(ErrorCode.InvalidRequest, `it answered with a result of the type ${JSON.stringify(type)}`)
  if (typeof raw !== 'object' || raw === null) return raw
  const result = raw as { resultType?: unknown; _meta?: Record<string, unknown> }
  delete result.resultType
  const { [metaKey.server]: _, ...meta } = result._meta ?? {}
  if (Object.keys(meta).length > 0) result._meta = meta
  else delete result._meta
  return result
}
