// The `_meta` of our requests in revision 2026-07-28. Servers remember nothing, so every request has all of it.

import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js'
import { metaKey, REVISION } from '../meta-keys.js'
import type { Params } from '../params.js'

interface Envelope {
  /** Our own version. */
  readonly version: string
  /** The capabilities of our client: what the server may ask for. */
  readonly capabilities: Params
  /** The lowest level of the log messages that we want. Absent: none. */
  readonly logLevel?: string | undefined
}

/** Adds the required `_meta` to parameters. */
export function enveloped(params: Params, { version, capabilities, logLevel }: Envelope): Record<string, unknown> {
  const meta = {
    ...(params._meta as object | undefined),
    [metaKey.version]: REVISION,
    [metaKey.client]: { name: 'starbind', version },
    [metaKey.capabilities]: capabilities,
    ...(logLevel === undefined ? {} : { [metaKey.logLevel]: logLevel }),
  }
  return { ...params, _meta: meta }
}

/** True for a request with such `_meta`. */
export function isEnveloped(message: JSONRPCMessage): message is JSONRPCRequest {
  return 'method' in message && 'id' in message && message.params?._meta?.[metaKey.version] !== undefined
}

/** The server's name and version in a result. Empty: the result has none. */
export function serverVersionIn(result: Params): string {
  const { [metaKey.server]: info } = (result._meta ?? {}) as Params
  const { name, version } = (info ?? {}) as { readonly name?: unknown; readonly version?: unknown }
  return typeof name === 'string' ? `${name} ${version}` : ''
}
