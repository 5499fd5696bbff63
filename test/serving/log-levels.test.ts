// The levels of servers' log messages for callers: several callers share a server, and the server may be restarted and
// forget their level.

import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { SetLevelRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { type HttpFixture, openHttpFixture } from '../fixtures/http-server.js'
import { openGateway, textOf } from './callers.js'

const opened: HttpFixture[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

/** A server with a log, and the levels that it was asked for, in all its sessions. */
async function serve() {
  const levels: string[] = []
  const server = () => {
    const hub = new McpServer({ name: 'hub', version: '1.0.0' }, { capabilities: { logging: {} } })
    hub.server.setRequestHandler(SetLevelRequestSchema, ({ params }) => {
      levels.push(params.level)
      return {}
    })
    hub.registerTool('echo', {}, () => ({ content: [{ type: 'text', text: 'here' }] }))
    return hub
  }
  const fixture = await openHttpFixture({ server })
  opened.push(fixture)
  return { levels, fixture }
}

describe('the level of what a server tells', () => {
  it('is the most verbose that its callers want, even over its next connection', async () => {
    const { levels, fixture } = await serve()
    const { codeMode, caller } = await openGateway({
      servers: { hub: { url: fixture.url, codeMode: false, pingMs: 0 } },
    })
    const [one, other] = [await caller(), await caller()]
    await one.setLoggingLevel('error')
    await other.setLoggingLevel('info')
    await one.setLoggingLevel('critical')
    expect(levels).toEqual(['error', 'info', 'info'])
    fixture.goDown()()
    await vi.waitFor(
      async () => {
        await one.callTool({ name: 'hub_echo' }).catch(() => {})
        expect(codeMode.servers.status()).toMatchObject([{ state: 'ready' }])
        expect(fixture.sessions()).toBeGreaterThan(1)
        expect(levels.slice(3)).toContain('info')
      },
      { timeout: 120_000 },
    )
    expect(new Set(levels.slice(3))).toEqual(new Set(['info']))
    expect(textOf(await one.callTool({ name: 'hub_echo' }))).toBe('here')
  })

  it('must be an existing one', async () => {
    const { levels, fixture } = await serve()
    const { caller } = await openGateway({ servers: { hub: { url: fixture.url, codeMode: false } } })
    const client = await caller()
    await expect(client.setLoggingLevel('loud' as 'info')).rejects.toThrow(
      'MCP error -32602: level is one of debug, info, notice, warning, error, critical, alert, emergency',
    )
    expect(levels).toEqual([])
  })

  it('cannot be set if no server is direct', async () => {
    const { levels, fixture } = await serve()
    const { caller } = await openGateway({ servers: { hub: { url: fixture.url } } })
    const client = await caller()
    await expect(
      client.request({ method: 'logging/setLevel', params: { level: 'info' } }, z.unknown()),
    ).rejects.toThrow('Method not found')
    expect(levels).toEqual([])
  })
})
