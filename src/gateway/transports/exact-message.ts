// Sends integers beyond a double's range. JSON.stringify writes them as marked texts, and this file restores their
// digits just before sending.
// Invariant: a message without such integers is JSON.stringify's own text.

import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { exactText } from '../../bindings/index.js'

/** The text of a message, without a line break. */
export function messageText(message: JSONRPCMessage): string {
  return exactText(JSON.stringify(message))
}

/** `fetch` that restores the digits in request bodies. */
export function exactFetch(fetch: FetchLike): FetchLike {
  return (url, init) => fetch(url, typeof init?.body === 'string' ? { ...init, body: exactText(init.body) } : init)
}
