// An upstream of the bench, and clients of the SDK, for the sections that measure the caller's side. As a program: node
// callers.mjs serve stdio|http. Its tool waits for the requested time, and adds one.

import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { z } from 'zod'

const self = fileURLToPath(import.meta.url)

/** The entry of the upstream over stdio. */
export const upstreamEntry = { command: process.execPath, args: [self, 'serve', 'stdio'] }

export async function connectStdio({ command, args }) {
  const client = new Client({ name: 'bench', version: '1.0.0' })
  await client.connect(new StdioClientTransport({ command, args, stderr: 'ignore' }))
  return client
}

export async function connectHttp(url) {
  const client = new Client({ name: 'bench', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  return client
}

function upstream() {
  const server = new McpServer({ name: 'counter', version: '1.0.0' })
  const inputSchema = { value: z.int(), delay_ms: z.int().default(0) }
  const annotations = { readOnlyHint: true }
  server.registerTool('next', { inputSchema, annotations }, async ({ value, delay_ms }) => {
    if (delay_ms > 0) await new Promise((resolve) => setTimeout(resolve, delay_ms))
    return { content: [{ type: 'text', text: JSON.stringify({ value: value + 1 }) }] }
  })
  return server
}

/** The upstream over HTTP, in this process: a session for each caller. */
export async function serveUpstreamHttp() {
  const sessions = new Map()
  const http = createServer(async (request, response) => {
    const known = sessions.get(request.headers['mcp-session-id'])
    if (known !== undefined) return known.handleRequest(request, response)
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => sessions.set(id, transport),
    })
    await upstream().connect(transport)
    return transport.handleRequest(request, response)
  })
  await new Promise((resolve) => http.listen(0, '127.0.0.1', resolve))
  const close = () => {
    http.closeAllConnections()
    http.close()
  }
  return { url: `http://127.0.0.1:${http.address().port}/mcp`, close }
}

/** Starts a process that names its address on a stream. */
export async function started(args, stream) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const closed = new Promise((resolve) => child.once('close', resolve))
  const url = await new Promise((resolve, reject) => {
    createInterface({ input: child[stream] }).on('line', (line) => {
      const found = /http:\/\/\S+?\/mcp/.exec(line)
      if (found) resolve(found[0])
    })
    closed.then(() => reject(new Error(`${args[0]} ended before it served`)))
  })
  const stop = async () => {
    child.kill()
    await closed
  }
  return { pid: child.pid, url, stop }
}

if (process.argv[1] === self) {
  if (process.argv[3] === 'stdio') await upstream().connect(new StdioServerTransport())
  else console.log((await serveUpstreamHttp()).url)
}
