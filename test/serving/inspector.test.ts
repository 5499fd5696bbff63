// Third-party clients: the MCP inspector's command line and the SDK's own client, over both transports. The only file
// is a `.mcp.json`, as for a user of another host.

import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { CodeMode, type HttpServing, readConfiguration } from '../../dist/index.js'
import { main, Workplace } from '../fixtures/command.js'
import { isLong } from '../random.js'
import { textOf } from './callers.js'

const inspector = path.resolve(import.meta.dirname, '../../node_modules/.bin/mcp-inspector')
const place = new Workplace()
let codeMode: CodeMode
let serving: HttpServing
beforeAll(async () => {
  const file = place.write('.mcp.json', { mcpServers: { odd: place.fixture('misbehaving-server') } })
  codeMode = await CodeMode.open({ configuration: readConfiguration(file), serve: { port: 0 } })
  serving = await codeMode.serveHttp()
})
afterAll(async () => {
  await codeMode.close()
  // The inspector does not wait for the servers of the server that it started.
  await vi.waitFor(() => expect(place.alive()).toEqual([]), { timeout: 120_000 })
  place.remove()
})

const names = ['listToolFiles', 'readToolFile', 'getToolDocs', 'executeToolCode']
const program = 'print(odd.echo(text="through")["text"])'

/** The output of the inspector: the result of the request. */
async function inspect(target: readonly string[], ...args: string[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)(inspector, ['--cli', ...target, ...args], {
    cwd: place.folder,
    env: { ...process.env, HOME: place.folder },
  })
  return JSON.parse(stdout)
}

describe.each<[string, () => readonly string[]]>([
  ['stdio', () => [process.execPath, main, 'serve']],
  ['Streamable HTTP', () => [serving.url, '--transport', 'http']],
])("the inspector's command line over %s", (_, target) => {
  it('calls tools', async () => {
    const call = ['--tool-name', 'executeToolCode', '--tool-arg', `code=${program}`]
    const called = await inspect(target(), '--method', 'tools/call', ...call)
    expect(textOf(called)).toMatch(/^through\n/)
  })
})

// Its command line takes long to load, and has shown above that it gets along with this server.
it.runIf(isLong)("the inspector's command line lists tools", async () => {
  const listed = (await inspect([serving.url, '--transport', 'http'], '--method', 'tools/list')) as {
    tools: { name: string }[]
  }
  expect(listed.tools.map(({ name }) => name)).toEqual(names)
})

it("the SDK's own client over stdio lists and calls tools", async () => {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [main, 'serve', '--log-level', 'warn'],
      cwd: place.folder,
      stderr: 'pipe',
    }),
  )
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(names)
  const called = await client.callTool({ name: 'executeToolCode', arguments: { code: program } })
  expect(textOf(called)).toMatch(/^through\n/)
  await client.close()
})
