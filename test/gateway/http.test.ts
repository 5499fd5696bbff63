// Servers at URLs: both ways of speaking over HTTP, headers of ours and of callers, refused credentials, and what a
// long message does.

import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { checkConfiguration, type LogLine, type ServerEntry, Upstreams } from '../../dist/gateway/index.js'
import { passedHeaders } from '../../dist/gateway/passed-headers.js'
import { CodeMode } from '../../dist/index.js'
import { called } from '../fixtures/called.js'
import { type HttpFixture, type HttpFixtureOptions, openHttpFixture } from '../fixtures/http-server.js'

const opened: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})

function hub(): McpServer {
  const server = new McpServer({ name: 'hub', version: '1.0.0' })
  server.registerTool('ping', {}, (extra) => ({
    content: [{ type: 'text', text: String(extra.requestInfo?.headers['x-user'] ?? 'nobody') }],
  }))
  server.registerTool('fill', { inputSchema: { bytes: z.number() } }, ({ bytes }) => ({
    content: [{ type: 'text', text: 'x'.repeat(bytes) }],
  }))
  return server
}

async function serve(options: Partial<HttpFixtureOptions> = {}): Promise<HttpFixture> {
  const fixture = await openHttpFixture({ server: hub, ...options })
  opened.push(fixture)
  return fixture
}

const log: LogLine[] = []
async function open(mcpServers: Record<string, ServerEntry>): Promise<Upstreams> {
  log.length = 0
  const { servers } = checkConfiguration({ mcpServers }, { folder: '/', placeOf: () => 'test' })
  const upstreams = await Upstreams.open(servers, {
    log: (line) => void log.push(line),
    version: '0.0.0',
    connectTimeoutMs: 60_000,
  })
  opened.push(upstreams)
  return upstreams
}

async function textOf(outcome: ReturnType<Upstreams['call']>): Promise<string> {
  return ((await outcome).content[0] as { text: string }).text
}

const messageOf = (call: Promise<unknown>) => call.then(String, (error: Error) => error.message)

describe('a server over HTTP', () => {
  it('is reached over the transport that it supports', async () => {
    const [newer, older] = [await serve(), await serve({ speaks: 'sse' })]
    const upstreams = await open({
      newer: { url: newer.url },
      older: { type: 'http', url: older.url },
      named: { type: 'sse', url: older.url },
    })
    expect(upstreams.status().map(({ name, state, reason }) => [name, state, reason])).toEqual([
      ['newer', 'ready', ''],
      ['older', 'ready', ''],
      ['named', 'ready', ''],
    ])
    for (const name of ['newer', 'older', 'named'])
      expect(await textOf(upstreams.call(name, 'ping', {}))).toBe('nobody')
    // Streamable HTTP was tried first, once in each era, and not where the entry says what the server speaks.
    const tried = older.seen.filter(
      ({ method, headers }) => method === 'POST' && headers.accept?.includes('application/json'),
    )
    expect(tried.map(({ headers }) => headers['mcp-method'])).toEqual(['server/discover', undefined])
  })

  it('is not reached over SSE if the entry demands Streamable HTTP', async () => {
    const older = await serve({ speaks: 'sse' })
    const upstreams = await open({ older: { type: 'streamable-http', url: older.url } })
    expect(upstreams.status()).toMatchObject([{ state: 'failed' }])
    expect(older.seen.every(({ method }) => method === 'POST')).toBe(true)
  })

  it('over SSE is connected again after it was gone', async () => {
    const fixture = await serve({ speaks: 'sse' })
    const upstreams = await open({ hub: { url: fixture.url } })
    const goUp = fixture.goDown()
    await expect.poll(() => upstreams.status()[0]?.state).not.toBe('ready')
    goUp()
    await expect.poll(() => upstreams.status()[0]?.state).toBe('ready')
    expect(await textOf(upstreams.call('hub', 'ping', {}))).toBe('nobody')
  })

  it('that supports neither transport is reported with the reason', async () => {
    const broken = await serve({ before: (_, response) => Boolean(response.writeHead(404).end('no such page')) })
    const upstreams = await open({ broken: { url: broken.url } })
    expect(upstreams.status()).toMatchObject([
      {
        state: 'failed',
        reason: `${new URL(broken.url).origin} answered with HTTP 404: "no such page"`,
      },
    ])
  })

  it('may answer with many MiB, and a longer answer affects no other call', async () => {
    const fixture = await serve()
    const upstreams = await open({ hub: { url: fixture.url, timeoutMs: 250_000, maxBytes: 40 * 2 ** 20 } })
    expect((await textOf(upstreams.call('hub', 'fill', { bytes: 9 * 2 ** 20 }))).length).toBe(9 * 2 ** 20)
    const [long, short] = [
      called(upstreams, 'hub', 'fill', { bytes: 11 * 2 ** 20 }),
      called(upstreams, 'hub', 'ping', {}),
    ]
    expect(await messageOf(long)).toBe(
      'limit [answer-unread] hub.fill answered with a message of more than 10 MiB, which is not read; it may have taken effect\nhint: ask for less: a filter, a page or a range',
    )
    expect(await textOf(short)).toBe('nobody')
    expect(fixture.sessions()).toBe(1)
  })
})

describe('headers of a caller', () => {
  it('are passed if the entry lists them, with the calls of that caller only', async () => {
    const fixture = await serve()
    await using codeMode = await CodeMode.open({
      servers: { hub: { url: fixture.url, headers: { 'x-ours': 'yes' }, passHeaders: ['X-User'] } },
    })
    const ask = async (headers: Record<string, string>) =>
      (await codeMode.session({ headers }).run('result = hub.ping()')).result
    expect(await Promise.all([ask({ 'x-user': 'ada' }), ask({ 'x-user': 'ben', 'x-other': 'z' }), ask({})])).toEqual([
      'ada',
      'ben',
      'nobody',
    ])
    expect(fixture.seen.every(({ headers }) => headers['x-ours'] === 'yes' && headers['x-other'] === undefined)).toBe(
      true,
    )
  })

  it('that match a pattern are passed, except credentials, which the entry must name', () => {
    const headers = {
      authorization: 'Bearer secret',
      'x-api-key': 'secret',
      cookie: 'secret',
      'x-user': 'ada',
      'x-teams': ['red', 'blue'],
      'x-mcp-include-tools': '*',
      traceparent: '00-1-2-01',
      'user-agent': 'a browser',
      'content-length': '3',
      tenant: 'one',
    }
    const teams = 'red, blue'
    expect(passedHeaders([], headers)).toEqual({})
    expect(passedHeaders(['*'], headers)).toEqual({ 'x-user': 'ada', 'x-teams': teams, tenant: 'one' })
    expect(passedHeaders(['x-t*', 'auth*'], headers)).toEqual({ 'x-teams': teams })
    expect(passedHeaders(['*', 'authorization'], headers)).toEqual({
      authorization: 'Bearer secret',
      'x-user': 'ada',
      'x-teams': teams,
      tenant: 'one',
    })
  })

  it('that belong to the connection are refused', () => {
    const read = (header: string) =>
      checkConfiguration(
        { mcpServers: { hub: { url: 'http://127.0.0.1', passHeaders: [header] } } },
        { folder: '/', placeOf: () => 'test' },
      )
    for (const header of ['Mcp-Session-Id', 'host', 'content-length', 'cookie'])
      expect(() => read(header)).toThrow('want a header that does not belong to the connection itself')
    expect(() => read('x y')).toThrow('want a header name')
  })
})

describe('refused credentials', () => {
  const guarded = (token: () => string): Partial<HttpFixtureOptions> => ({
    before: (request, response) =>
      request.headers.authorization !== `Bearer ${token()}` && Boolean(response.writeHead(401).end()),
  })

  it('give the server its own state, at the start and later', async () => {
    let token = 'a-token'
    const fixture = await serve(guarded(() => token))
    const upstreams = await open({
      good: { url: fixture.url, bearerToken: 'a-token' },
      bad: { url: fixture.url, bearerToken: 'no-token' },
      none: { url: fixture.url },
    })
    const { origin } = new URL(fixture.url)
    // Another attempt may be under way.
    const statuses = () => upstreams.status().map(({ name, state, reason }) => [name, state, reason])
    await expect.poll(statuses).toEqual([
      ['good', 'ready', ''],
      ['bad', 'needs-auth', `${origin} does not accept the credentials in the configuration (HTTP 401)`],
      ['none', 'needs-auth', `${origin} wants a person to log in; run: starbind login none`],
    ])
    token = 'another'
    expect(await messageOf(called(upstreams, 'good', 'ping', {}))).toBe(
      `host error [server-needs-login] the server good is not available: ${origin} does not accept the credentials in the configuration (HTTP 401); nothing was called`,
    )
    expect(upstreams.status()[0]?.state).toBe('needs-auth')
    token = 'a-token'
    await expect.poll(() => upstreams.status()[0]?.state).toBe('ready')
  })
})
