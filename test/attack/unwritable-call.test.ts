// A caller sends a value that can't be serialized, or that the server can't read. Only this caller is refused: the
// shared connection stays, and the calls of others continue.

import { fileURLToPath } from 'node:url'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { describe, expect, it } from 'vitest'
import { CodeMode, type ServerEntry } from '../../dist/index.js'
import { openHttpFixture } from '../fixtures/http-server.js'

const script = fileURLToPath(new URL('../fixtures/flooding-server.mjs', import.meta.url))

function deep(levels: number): unknown {
  let value: unknown = 1
  for (let i = 0; i < levels; i++) value = i % 2 === 0 ? [value] : { a: value }
  return value
}

const circle: unknown[] = []
circle.push(circle)
const unwritable: [string, unknown, string][] = [
  ['nested too deep', deep(5000), 'is nested more than 1000 levels deep'],
  ['without an end', circle, 'is nested more than 1000 levels deep'],
  ['too long', 'x'.repeat(70 * 2 ** 20), 'is longer than 67108864 bytes'],
  ['too many', Array.from({ length: 30_000_000 }, () => 1), 'holds more than 100000 values'],
  ['half a character', ['\ud83d'], 'holds half of a character (a lone surrogate)'],
  ['half a character in a key', { '\udc00': 1 }, 'holds half of a character (a lone surrogate)'],
  ['a BigInt', { n: 1n }, 'holds a BigInt, which JSON does not have'],
  [
    'a getter that throws',
    {
      get a() {
        throw new Error('no')
      },
    },
    'is no data',
  ],
]

describe.each(['stdio', 'http', 'in-process'])('over %s', (wire) => {
  it('is refused to its sender', async () => {
    const http = await openHttpFixture({
      server: () => {
        const server = new McpServer({ name: 'remote', version: '1' })
        server.registerTool('echo', {}, () => ({ content: [{ type: 'text', text: '{}' }] }))
        server.registerTool('pid', {}, () => ({ content: [{ type: 'text', text: String(process.pid) }] }))
        return server
      },
    })
    const entries: Record<string, ServerEntry> = {
      stdio: { command: process.execPath, args: [script] },
      http: { url: http.url },
      'in-process': { inProcess: { echo: { call: () => ({}) }, pid: { call: () => process.pid } } },
    }
    await using codeMode = await CodeMode.open({ servers: { hub: { ...entries[wire], codeMode: false } }, warm: false })
    const { direct } = codeMode
    const pid = async () => JSON.stringify(await direct.call('hub_pid', {}))
    const before = await pid()
    for (const [, value, fault] of unwritable)
      for (const params of [{ _meta: { value } }, { arguments: { value } }]) {
        const other = pid()
        await expect(direct.call('hub_echo', params as Record<string, unknown>)).rejects.toThrow(
          `tool error [call-unwritable] hub.echo was not called: its input ${fault}`,
        )
        expect(await other).toBe(before)
      }
    expect(codeMode.servers.status()).toMatchObject([{ state: 'ready' }])
    expect(await pid()).toBe(before)
    await http.close()
  })
})
