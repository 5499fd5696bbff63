// What every request of revision 2026-07-28 says of itself, because nothing is remembered between requests.

import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js'
import type { Params } from '../params.js'

export const REVISION = '2026-07-28'

/** Keys of the protocol's own in `_meta`. */
export const PROTOCOL_VERSION = 'io.modelcontextprotocol/protocolVersion'
const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo'
const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
const LOG_LEVEL = 'io.modelcontextprotocol/logLevel'
export const SERVER_INFO = 'io.modelcontextprotocol/serverInfo'

export interface Envelope {
  /** Our own version. */
  readonly version: string
  /** What the server may ask for. */
  readonly capabilities: Params
  /** The least level of the log messages that are wanted. Absent: none. */
  readonly logLevel?: string | undefined
}

/** The parameters with what the revision wants in `_meta`. */
export function enveloped(params: Params, { version, capabilities, logLevel }: Envelope): Record<string, unknown> {
  const meta = {
    ...(params._meta as object | undefined),
    [PROTOCOL_VERSION]: REVISION,
    [CLIENT_INFO]: { name: 'starbind', version },
    [CLIENT_CAPABILITIES]: capabilities,
    ...(logLevel === undefined ? {} : { [LOG_LEVEL]: logLevel }),
  }
  return { ...params, _meta: meta }
}

/** True for a request in such an envelope. */
export function isEnveloped(message: JSONRPCMessage): message is JSONRPCRequest {
  return 'method' in message && 'id' in message && message.params?._meta?.[PROTOCOL_VERSION] !== undefined
}

/** The name and version that a server gives in a result; empty where it gives none. */
export function serverVersionIn(result: Params): string {
  const { [SERVER_INFO]: info } = (result._meta ?? {}) as Params
  const { name, version } = (info ?? {}) as { readonly name?: unknown; readonly version?: unknown }
  return typeof name === 'string' ? `${name} ${version}` : ''
}
