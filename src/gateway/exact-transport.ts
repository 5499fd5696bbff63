// Messages that carry integers beyond what a double can hold. The SDK's transports stringify messages by themselves, which writes such integers
// as marked texts; here the text gets its digits just before it leaves. Knows the SDK's two client transports and nothing of what messages mean.
// Invariant: a message without such integers goes the SDK's own way.

import type { ChildProcess } from 'node:child_process'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js'
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { ExactInteger, exactText } from '../bindings/index.js'

/** Over a child's input. */
export class ExactStdioTransport extends StdioClientTransport {
  override async send(message: JSONRPCMessage): Promise<void> {
    if (!holdsExactInteger(argumentsOf(message))) return super.send(message)
    // The SDK keeps the child to itself and has no hook for the text.
    const { stdin } = (this as unknown as { readonly _process?: ChildProcess })._process ?? {}
    if (stdin == null) throw new Error('Not connected')
    if (stdin.write(exactText(serializeMessage(message)))) return
    await new Promise<void>((resolve) => stdin.once('drain', resolve))
  }
}

/** Over HTTP: `fetch` with the digits in the bodies that it sends. */
export function exactFetch(fetch: FetchLike): FetchLike {
  return (url, init) => fetch(url, typeof init?.body === 'string' ? { ...init, body: exactText(init.body) } : init)
}

function argumentsOf(message: JSONRPCMessage): unknown {
  return 'params' in message ? message.params?.arguments : undefined
}

function holdsExactInteger(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return value instanceof ExactInteger || Object.values(value).some(holdsExactInteger)
}
