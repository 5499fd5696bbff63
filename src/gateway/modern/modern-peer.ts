// A server of revision 2026-07-28. Every request says what it needs, and what a server wants to know of a caller comes
// as the result of the caller's own request.
// Invariant: a result that is not complete never reaches the one who asked.

import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import type { Params, Peer, PeerOptions, PeerRequest } from '../peer.js'
import type { Discovered } from './discovery.js'
import { enveloped } from './envelope.js'
import { inputFor } from './input.js'

export class ModernPeer implements Peer {
  readonly capabilities: Params
  readonly instructions: string | undefined
  readonly version: string
  readonly #options: PeerOptions

  constructor({ capabilities, instructions, version }: Discovered, options: PeerOptions) {
    this.capabilities = capabilities
    this.instructions = instructions
    this.version = version
    this.#options = options
    options.transport.sdk.onmessage = (message) => {
      if (!('method' in message)) return
      if ('id' in message)
        options.onOddity(`it sent a request of its own (${message.method}), which its revision lacks`)
      else options.onNotification(message.method, message.params ?? {})
    }
  }

  async request(method: string, params: Params, options: PeerRequest): Promise<unknown> {
    const endsAt = performance.now() + options.timeoutMs
    let result = await this.#send(method, params, options)
    for (let round = 1; typeOf(result) === 'input_required'; round++) {
      if (round > MOST_ROUNDS) throw new McpError(ErrorCode.InternalError, `it still asks after ${MOST_ROUNDS} answers`)
      const input = await inputFor(result, options, this.#options)
      const timeoutMs = Math.max(1, endsAt - performance.now())
      result = await this.#send(method, { ...params, ...input }, { ...options, timeoutMs })
    }
    return completeOf(result)
  }

  async ping(timeoutMs: number): Promise<void> {
    await this.request('server/discover', {}, { timeoutMs })
  }

  #send(method: string, params: Params, options: PeerRequest): Promise<unknown> {
    const { own, transport, version, capabilities } = this.#options
    const { elicitation, sampling, ...ours } = capabilities
    // What nobody can answer is not to be asked.
    const envelope = { version, capabilities: options.caller === undefined ? ours : capabilities }
    return own.send(transport.sdk, { method, params: enveloped(params, envelope) }, options)
  }
}

const MOST_ROUNDS = 10

function typeOf(result: unknown): unknown {
  return (result as { readonly resultType?: unknown } | null)?.resultType ?? 'complete'
}

/** The result without its type. */
function completeOf(raw: unknown): unknown {
  const type = typeOf(raw)
  if (type !== 'complete')
    throw new McpError(ErrorCode.InvalidRequest, `it answered with a result of the type ${JSON.stringify(type)}`)
  if (typeof raw === 'object' && raw !== null) delete (raw as { resultType?: unknown }).resultType
  return raw
}
