// Callers over HTTP: the SDK's own client, a gateway, and servers of this process behind it.

import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, afterEach } from 'vitest'
import { CodeMode, type HttpRoutes, type HttpServing, type OpenOptions } from '../../dist/index.js'

export interface Gateway {
  readonly codeMode: CodeMode
  readonly serving: HttpServing
  /** A client that is connected. */
  caller(options?: CallerOptions): Promise<Client>
  /** A raw request. */
  fetch(path: string, init?: RequestInit): Promise<Response>
}

export interface CallerOptions {
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly name?: string
  readonly capabilities?: ClientCapabilities
}

const opened: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})

/** Ends with the test. Its threads start with the first program, because many tests run none. */
export async function openGateway(options: OpenOptions, routes?: HttpRoutes): Promise<Gateway> {
  const gateway = await startGateway(options, routes)
  opened.push(gateway.codeMode)
  return gateway
}

/** One that ends with the file and is opened by the first caller, for tests that leave it as it is. */
export function sharedGateway(options: OpenOptions): () => Promise<Gateway> {
  let gateway: Promise<Gateway> | undefined
  afterAll(async () => (await gateway)?.codeMode.close())
  return () => (gateway ??= startGateway(options))
}

async function startGateway(options: OpenOptions, routes?: HttpRoutes): Promise<Gateway> {
  const serve = { port: 0, keysFile: undefined, ...options.serve }
  const codeMode = await CodeMode.open({ warm: false, ...options, serve: withoutUndefined(serve) })
  const serving = await codeMode.serveHttp(routes === undefined ? {} : { routes })
  const origin = new URL(serving.url).origin
  return {
    codeMode,
    serving,
    fetch: (path, init) => fetch(`${origin}${path}`, init),
    caller: ({ path = '/mcp', ...rest } = {}) => callerOf(`${origin}${path}`, rest),
  }
}

/** A client that is connected, until the test ends. */
export async function callerOf(
  url: string,
  { headers = {}, name = 'test', capabilities = {} }: Omit<CallerOptions, 'path'> = {},
): Promise<Client> {
  const client = new Client({ name, version: '1' }, { capabilities })
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
  // The SDK's class declares `sessionId` in a way that exactOptionalPropertyTypes does not accept as a Transport.
  await client.connect(transport as Parameters<Client['connect']>[0])
  opened.push(client)
  return client
}

function withoutUndefined<T extends object>(record: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }
}

/** The text of a tool's answer. */
export function textOf(result: unknown): string {
  const { content } = result as { readonly content: readonly { readonly text?: string }[] }
  return content.map(({ text = '' }) => text).join('\n')
}

/** The first message of a client. */
export const initialize = {
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
  }),
}
