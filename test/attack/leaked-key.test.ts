// A server that receives callers' credentials must not receive the keys to the gateway.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { afterAll, expect, it } from 'vitest'
import { addKey } from '../../dist/index.js'
import { openHttpFixture } from '../fixtures/http-server.js'
import { openGateway, textOf } from '../serving/callers.js'

const folder = mkdtempSync(path.join(tmpdir(), 'starbind-leaked-'))
afterAll(() => rmSync(folder, { recursive: true }))

function hub(): McpServer {
  const server = new McpServer({ name: 'hub', version: '1.0.0' })
  server.registerTool('ping', {}, () => ({ content: [{ type: 'text', text: 'pong' }] }))
  return server
}

it('a key opens the gateway and travels no further', async () => {
  const keysFile = path.join(folder, 'keys.json')
  const key = addKey(keysFile, 'laptop')
  const fixture = await openHttpFixture({ server: hub })
  try {
    const passHeaders = ['authorization', 'x-api-key', 'x-user']
    const { caller } = await openGateway({ servers: { hub: { url: fixture.url, passHeaders } }, serve: { keysFile } })
    const call = { name: 'executeToolCode', arguments: { code: 'print(hub.ping())' } }
    const trace = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }
    for (const headers of [
      { authorization: `Bearer ${key}`, 'x-user': 'ada', ...trace },
      { 'x-api-key': key, authorization: 'Bearer for-the-hub' },
    ])
      expect(textOf(await (await caller({ headers })).callTool(call))).toMatch(/^pong\n/)
    const seen = fixture.seen.map(({ headers }) => headers)
    expect(JSON.stringify(seen)).not.toContain(key)
    // Headers for the server arrive, with the trace.
    expect(seen.some((headers) => headers['x-user'] === 'ada' && headers.traceparent === trace.traceparent)).toBe(true)
    expect(seen.some((headers) => headers.authorization === 'Bearer for-the-hub')).toBe(true)
  } finally {
    await fixture.close()
  }
})
