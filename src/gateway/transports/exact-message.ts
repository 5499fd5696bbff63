// Messages that carry integers beyond what a double can hold. JSON.stringify writes such integers as marked texts; here
// the text gets its digits just before it leaves. Knows nothing of what messages mean.
// Invariant: the text of a message without such integers is JSON.stringify's own.

import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { exactText } from '../../bindings/index.js'

/** A message as it travels, without a line break. */
export function messageText(message: JSONRPCMessage): string {
  return exactText(JSON.stringify(message))
}

/** `fetch` with the digits in the bodies that it sends. */
export function exactFetch(fetch: FetchLike): FetchLike {
  return (url, init) => fetch(url, typeof init?.body === 'string' ? { ...init, body: exactText(init.body) } : init)
}
