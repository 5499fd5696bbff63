// Requests that are too long, too many, broken or full of patterns: each is refused, and the next valid one is
// answered.

import { expect, it } from 'vitest'
import { initialize, openGateway, textOf } from '../serving/callers.js'

it('excessive requests are refused, and others are served', async () => {
  const servers = { shop: { inProcess: { count: { call: () => 3 } } } }
  const { caller, fetch } = await openGateway({ servers, serve: { maxRequestBytes: 100_000, maxSessions: 4 } })
  const post = (body: string, headers: Record<string, string> = {}) =>
    fetch('/mcp', { method: 'POST', headers: { ...initialize.headers, ...headers }, body }).then(({ status }) => status)
  expect(await post('x'.repeat(200_000))).toBe(413)
  // Without a length header that could be checked first.
  const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(10_000)) })
  const streamed = { method: 'POST', headers: initialize.headers, body: endless, duplex: 'half' } as RequestInit
  expect(
    await fetch('/mcp', streamed).then(
      ({ status }) => status,
      () => 413,
    ),
  ).toBe(413)
  expect(await post('{')).toBe(400)
  expect(await post('[]')).toBe(400)
  expect(await post('null')).toBe(400)
  expect(await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }))).toBe(400)
  expect(await post(initialize.body, { 'mcp-session-id': 'x'.repeat(5000) })).toBe(404)
  // The same without sessions.
  const modern = { 'mcp-protocol-version': '2026-07-28' }
  expect(await post('x'.repeat(200_000), modern)).toBe(413)
  for (const body of ['{', '[]', 'null', '{}', '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[]}'])
    expect(await post(body, modern)).toBe(400)
  expect((await fetch('/%E0%A4%A', initialize)).status).toBe(404)
  expect((await fetch('/mcp/%E0%A4%A', initialize)).status).toBe(404)
  const client = await caller({ headers: { 'x-mcp-include-tools': `${'*a'.repeat(6000)},shop/count` } })
  const call = { name: 'executeToolCode', arguments: { code: 'print(shop.count())' } }
  expect(textOf(await client.callTool(call))).toMatch(/^3\n/)
  const statuses: number[] = []
  for (let i = 0; i < 6; i++) statuses.push((await fetch('/mcp', initialize)).status)
  expect(statuses).toEqual([200, 200, 200, 503, 503, 503])
  expect(textOf(await client.callTool(call))).toMatch(/^3\n/)
})

it('patterns in headers are looked up and not tried, and of those with stars only some are', async () => {
  const shop = Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [`tool_${i}`, { call: () => i }]))
  const { caller } = await openGateway({ servers: { shop: { inProcess: shop, codeMode: false } } })
  const named = async (patterns: readonly string[]) => {
    const client = await caller({ headers: { 'x-mcp-include-tools': patterns.join(',') } })
    const { tools } = await client.listTools()
    return tools.map(({ name }) => name).filter((name) => name.startsWith('shop_'))
  }
  const many = Array.from({ length: 900 }, (_, i) => `shop/tool_${i}`)
  expect(await named(many.slice(0, 700))).toHaveLength(700)
  const stars = Array.from({ length: 150 }, (_, i) => `shop/tool_${i}*9`)
  // tool_9, tool_19 and so on are matched by the first hundred, and what only the others would match is not.
  expect(await named([...stars, 'shop/tool_1'])).toContain('shop_tool_1')
  expect(await named([...stars.slice(100), 'shop/tool_1'])).toContain('shop_tool_1209')
  expect(await named(['*_*_*_*_*_*_*_*_*_*_*_*'.repeat(10), ...Array(200).fill('nothing_*'), 'shop/tool_*'])).toEqual(
    [],
  )
})
