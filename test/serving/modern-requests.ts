// Requests of revision 2026-07-28 as they are on the wire.

import { version } from '../../dist/index.js'

export const REVISION = '2026-07-28'
const meta = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}
export const serverInfo = { 'io.modelcontextprotocol/serverInfo': { name: 'starbind', version } }

export interface Changes {
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly meta?: Readonly<Record<string, unknown>>
  readonly signal?: AbortSignal
}

/** A request as a client of this revision sends it. */
export function message(method: string, params: Record<string, unknown> = {}, changes: Changes = {}): RequestInit {
  const named = params.name ?? params.uri ?? params.taskId
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': REVISION,
    'mcp-method': method,
    ...(named === undefined ? {} : { 'mcp-name': String(named) }),
    ...changes.headers,
  }
  return {
    method: 'POST',
    headers: Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)) as Record<
      string,
      string
    >,
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params: { ...params, _meta: { ...meta, ...changes.meta } } }),
    ...(changes.signal === undefined ? {} : { signal: changes.signal }),
  }
}
