// An MCP server over HTTP that counts: each call of `count` names a run and a step, and is recorded before it is
// answered. `sign` is the same for a person to approve. GET /counts answers how often each was called.
//
// As a program: node counting-server.mjs PORT. It prints its address.

import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

const counts = new Map()
const inputSchema = {
  type: 'object',
  properties: { run: { type: 'string' }, step: { type: 'integer' }, delay_ms: { type: 'integer' } },
  required: ['run', 'step'],
}
const tools = ['count', 'sign'].map((name) => ({ name, inputSchema, annotations: { idempotentHint: false } }))

async function answerTo({ method, params }) {
  if (method === 'tools/list') return { tools }
  if (method !== 'tools/call') {
    const { protocolVersion } = params ?? {}
    return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'counter', version: '1' } }
  }
  const { run, step, delay_ms = 0 } = params.arguments
  const key = `${run} ${step}`
  counts.set(key, (counts.get(key) ?? 0) + 1)
  if (delay_ms > 0) await new Promise((resolve) => setTimeout(resolve, delay_ms))
  return { content: [{ type: 'text', text: JSON.stringify({ run, step }) }] }
}

const server = createServer(async (request, response) => {
  if (request.url === '/counts') return response.end(JSON.stringify([...counts]))
  if (request.method !== 'POST') return response.writeHead(405).end()
  const { id, ...asked } = JSON.parse(await text(request))
  if (id === undefined) return response.writeHead(202).end()
  const known = ['initialize', 'ping', 'tools/list', 'tools/call'].includes(asked.method)
  const body = known ? { result: await answerTo(asked) } : { error: { code: -32601, message: 'no such method' } }
  response.writeHead(200, { 'Content-Type': 'application/json' })
  response.end(JSON.stringify({ jsonrpc: '2.0', id, ...body }))
})
server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}/mcp`)
})
