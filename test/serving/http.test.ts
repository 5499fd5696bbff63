// Streamable HTTP: admission, each caller's view, and the end of requests, sessions and the server.

import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { addKey, CodeMode, type InProcessTools, readConfiguration, readKeys, removeKey } from '../../dist/index.js'
import { openHttpFixture } from '../fixtures/http-server.js'
import { initialize, openGateway, sharedGateway, textOf } from './callers.js'

const folder = mkdtempSync(path.join(tmpdir(), 'starbind-keys-'))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0
const keysFile = () => path.join(folder, `keys-${++files}.json`)

const shop: InProcessTools = { count: { call: () => 3 }, sell: { call: () => 'sold' } }
const desk: InProcessTools = { note: { call: () => 'noted' } }
const servers = { shop: { inProcess: shop }, desk: { inProcess: desk } }
const shared = sharedGateway({ servers })
const toolsInPrograms = 'result = {s: [t["name"] for t in runtime.list_tools(s)] for s in runtime.list_servers()}'

/** The servers and tools that a program of this caller finds. */
async function reach(client: { callTool(call: object): Promise<unknown> }): Promise<unknown> {
  const result = await client.callTool({ name: 'executeToolCode', arguments: { code: toolsInPrograms } })
  return JSON.parse(/^result: (.*)$/m.exec(textOf(result))?.[1] ?? 'null')
}

/** The answer to a refused request. */
async function problem(response: Response): Promise<string> {
  return ((await response.json()) as { error: { message: string } }).error.message
}

describe('a caller over HTTP', () => {
  it('lists the meta-tools and runs programs', async () => {
    const { caller } = await shared()
    const client = await caller()
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      'listToolFiles',
      'readToolFile',
      'getToolDocs',
      'executeToolCode',
    ])
    const code = 'print(int(shop.count()) + 1)'
    expect(textOf(await client.callTool({ name: 'executeToolCode', arguments: { code } }))).toMatch(/^4\n/)
  })

  it('gets data beside the text if configured', async () => {
    const file = path.join(folder, 'structured.json')
    writeFileSync(file, JSON.stringify({ codeMode: { answer: { structured: true } } }))
    const { caller } = await openGateway({ configuration: readConfiguration(file) })
    const call = { name: 'executeToolCode', arguments: { code: 'result = 6 * 7' } }
    expect((await (await caller()).callTool(call)).structuredContent).toMatchObject({ ok: true, result: 42 })
  })

  it('sees one server under /mcp/<server>', async () => {
    const { caller, fetch } = await shared()
    expect(await reach(await caller({ path: '/mcp/desk' }))).toEqual({ desk: ['note'] })
    expect((await fetch('/mcp/none', initialize)).status).toBe(404)
  })

  it('sees only what the headers of each request allow', async () => {
    const { caller } = await shared()
    expect(await reach(await caller({ headers: { 'x-mcp-include-clients': 'shop' } }))).toEqual({
      shop: ['count', 'sell'],
    })
    expect(await reach(await caller({ headers: { 'x-bf-mcp-include-tools': 'shop-sell,desk_*' } }))).toEqual({
      desk: ['note'],
      shop: ['sell'],
    })
    expect(await reach(await caller({ headers: { 'x-mcp-include-tools': '' } }))).toEqual({})
  })

  it('passes on the headers of each request, not those of an earlier one', async () => {
    const hub = await openHttpFixture({
      server: () => {
        const server = new McpServer({ name: 'hub', version: '1.0.0' })
        server.registerTool('who', {}, ({ requestInfo }) => ({
          content: [{ type: 'text', text: `${requestInfo?.headers['x-user']} of ${requestInfo?.headers['x-team']}` }],
        }))
        return server
      },
    })
    const { caller } = await openGateway({
      servers: {
        hub: { url: hub.url, passHeaders: ['x-u*'] },
        direct: { url: hub.url, passHeaders: ['x-u*'], codeMode: false },
      },
    })
    const headers: Record<string, string> = { 'x-user': 'ada', 'x-team': 'red' }
    const client = await caller({ headers })
    const ask = async () => [
      textOf(await client.callTool({ name: 'executeToolCode', arguments: { code: 'print(hub.who())' } })).split(
        '\n',
      )[0],
      textOf(await client.callTool({ name: 'direct_who' })),
    ]
    expect(await ask()).toEqual(['ada of undefined', 'ada of undefined'])
    headers['x-user'] = 'ben'
    expect(await ask()).toEqual(['ben of undefined', 'ben of undefined'])
    delete headers['x-user']
    expect(await ask()).toEqual(['undefined of undefined', 'undefined of undefined'])
    await hub.close()
  })

  it('has results that no other session has', async () => {
    const { caller } = await shared()
    const [one, two] = [await caller(), await caller()]
    const code = 'result = ["%d" % i for i in range(20000)]'
    await one.callTool({ name: 'executeToolCode', arguments: { code } })
    const list = { name: 'executeToolCode', arguments: { code: 'print(results.list())' } }
    expect(textOf(await one.callTool(list))).toMatch(/^\["run-1"\]|^\['run-1'\]/)
    expect(textOf(await two.callTool(list))).toMatch(/^\[\]/)
  })

  it('cancels its request by a notification or by hanging up', async () => {
    const ended: string[] = []
    let begun = 0
    const slow: InProcessTools = {
      wait: {
        call: (_, { signal }) =>
          new Promise((_, reject) => {
            begun++
            signal.addEventListener('abort', () => {
              ended.push('ended')
              reject(new Error('stopped'))
            })
          }),
      },
    }
    const { caller, fetch } = await openGateway({ servers: { slow: { inProcess: slow } } })
    const client = await caller()
    const cancel = new AbortController()
    const call = { name: 'executeToolCode', arguments: { code: 'slow.wait()' } }
    const cancelled = client.callTool(call, undefined, { signal: cancel.signal }).catch(() => 'gone')
    await vi.waitFor(() => expect(begun).toBe(1), { timeout: 120_000 })
    cancel.abort()
    expect(await cancelled).toBe('gone')
    await vi.waitFor(() => expect(ended.length).toBe(1), { timeout: 120_000 })

    const session = (await fetch('/mcp', initialize)).headers.get('mcp-session-id') ?? ''
    const hangUp = new AbortController()
    const hung = fetch('/mcp', {
      ...initialize,
      headers: { ...initialize.headers, 'mcp-session-id': session },
      body: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: call }),
      signal: hangUp.signal,
    }).then((response) => response.text())
    await vi.waitFor(() => expect(begun).toBe(2), { timeout: 120_000 })
    hangUp.abort()
    await expect(hung).rejects.toThrow()
    await vi.waitFor(() => expect(ended.length).toBe(2), { timeout: 120_000 })
  })
})

describe('limits', () => {
  it('bound sessions, bodies and pending requests', async () => {
    const release: (() => void)[] = []
    const slow: InProcessTools = {
      wait: { call: () => new Promise<string>((resolve) => release.push(() => resolve('ok'))) },
    }
    const serve = { maxSessions: 1, maxRequestBytes: 2000, maxRequestsPerSession: 1 }
    const { caller, fetch } = await openGateway({ servers: { slow: { inProcess: slow } }, serve })
    const client = await caller()
    const full = await fetch('/mcp', initialize)
    expect([full.status, await problem(full)]).toEqual([503, 'there are 1 sessions already'])
    const long = await fetch('/mcp', { ...initialize, body: JSON.stringify({ x: 'x'.repeat(3000) }) })
    expect([long.status, await problem(long)]).toEqual([413, 'the body is longer than 2000 bytes'])
    const call = { name: 'executeToolCode', arguments: { code: 'print(slow.wait())' } }
    const first = client.callTool(call)
    await vi.waitFor(() => expect(release.length).toBe(1), { timeout: 120_000 })
    await expect(client.callTool(call)).rejects.toThrow('1 requests of this session are underway; wait for one')
    release[0]?.()
    expect(textOf(await first)).toMatch(/^ok\n/)
  })

  it('end idle sessions', async () => {
    const { fetch, serving } = await openGateway({ serve: { sessionIdleMs: 1 } })
    const id = (await fetch('/mcp', initialize)).headers.get('mcp-session-id') ?? ''
    expect(id).not.toBe('')
    const headers = { ...initialize.headers, 'mcp-session-id': id }
    const ping = { ...initialize, headers, body: JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'ping' }) }
    // The gateway looks for them every five seconds.
    const gone = async () => ((await (await fetch('/health')).json()) as { sessions: number }).sessions
    await vi.waitFor(async () => expect(await gone()).toBe(0), { timeout: 120_000, interval: 250 })
    expect((await fetch('/mcp', ping)).status).toBe(404)
    expect(serving.port).toBeGreaterThan(0)
  })
})

describe('keys', () => {
  it('open their servers and tools until they are removed', async () => {
    const file = keysFile()
    const all = addKey(file, 'all')
    const little = addKey(file, 'little', { toolsToExecute: ['shop/count'] })
    const { caller, fetch } = await openGateway({ servers, serve: { keysFile: file } })
    const refused = await fetch('/mcp', initialize)
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect((await fetch('/metrics')).status).toBe(401)
    await expect(caller({ headers: { authorization: 'Bearer sb_wrong' } })).rejects.toThrow()
    expect(await reach(await caller({ headers: { authorization: `Bearer ${all}` } }))).toEqual({
      desk: ['note'],
      shop: ['count', 'sell'],
    })
    const client = await caller({ headers: { 'x-api-key': little, 'x-mcp-include-tools': '*' } })
    expect(await reach(client)).toEqual({ shop: ['count'] })
    // Names that a key hides are not mentioned either.
    expect(client.getInstructions()).toBeUndefined()
    removeKey(file, 'little')
    await expect(reach(client)).rejects.toThrow()
  })

  it('are stored as digests, in a file that only its owner can read', () => {
    const file = keysFile()
    const token = addKey(file, 'laptop', { codeMode: 'auto' })
    expect(token).toMatch(/^sb_[\w-]{43}$/)
    const digest = expect.stringMatching(/^[0-9a-f]{64}$/)
    expect(readKeys(file)).toEqual([{ name: 'laptop', sha256: digest, created: expect.any(String), codeMode: 'auto' }])
    expect(readFileSync(file, 'utf8')).not.toContain(token.slice(3))
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(() => addKey(file, 'laptop')).toThrow('host error [key-exists] there is already a key laptop')
    expect(() => removeKey(file, 'desktop')).toThrow('host error [key-unknown] there is no key desktop')
  })

  it('are required if other machines can connect', async () => {
    await using codeMode = await CodeMode.open({ serve: { host: '0.0.0.0', port: 0, keysFile: keysFile() } })
    await expect(codeMode.serveHttp()).rejects.toThrow(
      /^host error \[key-needed\] 0\.0\.0\.0 can be reached from other machines/,
    )
  })
})

describe('the server', () => {
  it('reports its health and its metrics', async () => {
    const { caller, fetch } = await openGateway({ servers })
    await (await caller()).callTool({ name: 'executeToolCode', arguments: { code: 'shop.count()\nshop.sell()' } })
    expect(await (await fetch('/readyz')).json()).toEqual({
      status: 'ok',
      version: expect.any(String),
      servers: { ready: 2 },
      sessions: 1,
    })
    const lines = (await (await fetch('/metrics')).text()).split('\n')
    expect(lines).toEqual(
      expect.arrayContaining([
        'starbind_calls_total{server="shop",tool="count",outcome="answered"} 1',
        'starbind_runs_total{outcome="ok"} 1',
        'starbind_servers{state="ready"} 2',
        'starbind_sessions 1',
        'starbind_call_seconds_count{server="shop"} 2',
      ]),
    )
    expect(
      lines.filter((line) => line !== '' && !/^(# (HELP|TYPE) \w+ .+|\w+(\{.*\})? [\d.e+-]+)$/.test(line)),
    ).toEqual([])
  })

  it('lets pending requests end when it closes', async () => {
    const release: (() => void)[] = []
    const wait = () => new Promise<string>((resolve) => release.push(() => resolve('late')))
    const { codeMode, caller } = await openGateway({ servers: { slow: { inProcess: { wait: { call: wait } } } } })
    const client = await caller()
    const answer = client.callTool({ name: 'executeToolCode', arguments: { code: 'print(slow.wait())' } })
    await vi.waitFor(() => expect(release.length).toBe(1), { timeout: 120_000 })
    const closed = codeMode.close()
    release[0]?.()
    expect(textOf(await answer)).toMatch(/^late\n/)
    await closed
    await expect(client.ping()).rejects.toThrow()
  })

  it('reports why it does not listen', async () => {
    const { serving } = await openGateway({})
    await using second = await CodeMode.open({ serve: { port: serving.port } })
    await expect(second.serveHttp()).rejects.toThrow(
      `host error [address-not-usable] can't listen on 127.0.0.1:${serving.port}: something listens there already`,
    )
  })
})
