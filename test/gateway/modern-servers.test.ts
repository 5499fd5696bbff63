// What revision 2026-07-28 lets servers do, with servers of the SDK's second major version over HTTP: streams of
// notifications, arguments in headers, answers that may be used again, and questions.

import { fromJsonSchema, inputRequired, type McpServer, type ServerContext } from '@modelcontextprotocol/server'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type CallerEnd, checkConfiguration, type LogLine, Upstreams } from '../../dist/gateway/index.js'
import { mirroredIn, mirroring } from '../../dist/gateway/modern/mirrored-arguments.js'
import { type ModernFixture, openModernFixture } from '../fixtures/modern-server.js'
import { modernServer } from '../fixtures/modern-tools.mjs'
import { openRawHttpServer } from '../fixtures/raw-http-server.js'

const opened: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const one of opened.splice(0).reverse()) await one.close()
})

function keep<T extends { close(): Promise<unknown> }>(one: T): T {
  opened.push(one)
  return one
}

type Options = NonNullable<Parameters<typeof modernServer>[1]> & Record<string, unknown>

const serve = async (options: Options) => keep(await openModernFixture(() => modernServer(undefined, options)))

const log: LogLine[] = []
const told: [string, unknown][] = []
async function open(url: string): Promise<Upstreams> {
  log.length = 0
  told.length = 0
  const { servers } = checkConfiguration({ mcpServers: { peer: { url } } }, { folder: '/', placeOf: () => 'test' })
  const upstreams = await Upstreams.open(servers, {
    log: (line) => void log.push(line),
    version: '0.0.0',
    connectTimeoutMs: 60_000,
    callersAnswer: true,
  })
  upstreams.listen((_, method, params) => void told.push([method, params]))
  return keep(upstreams)
}

const textOf = async (answer: ReturnType<Upstreams['call']>) =>
  (await answer).content.map((block) => Object(block).text).join()
const count = ({ seen }: ModernFixture, wanted: string) => seen.filter(({ body }) => body.method === wanted).length
const patient = { timeout: 20_000 }

describe('the stream of notifications', () => {
  it('brings changes of watched resources, and only those that are wanted now', async () => {
    const own = (server: McpServer) =>
      void server.registerResource('page', 'test://page', {}, () => ({ contents: [{ uri: 'test://page', text: 'x' }] }))
    const fixture = await serve({ own, capabilities: { resources: { subscribe: true, listChanged: true } } })
    const upstreams = await open(fixture.url)
    await upstreams.request('peer', 'resources/subscribe', { uri: 'test://page' })
    fixture.handler.notify.resourceUpdated('test://page')
    await expect.poll(() => told.map(([method]) => method), patient).toContain('notifications/resources/updated')
    fixture.handler.notify.resourcesChanged()
    await expect.poll(() => told.map(([method]) => method), patient).toContain('notifications/resources/list_changed')
    await upstreams.request('peer', 'resources/unsubscribe', { uri: 'test://page' })
    const filters = fixture.seen.flatMap(({ body }) =>
      body.method === 'subscriptions/listen' ? [body.params?.notifications] : [],
    )
    const lists = { toolsListChanged: true, resourcesListChanged: true }
    expect(filters).toEqual([lists, { ...lists, resourceSubscriptions: ['test://page'] }, lists])
  })

  it('is opened again when it breaks, and what was missed is looked at', async () => {
    let isGrown = false
    const fixture = await serve({ has: () => isGrown })
    const upstreams = await open(fixture.url)
    await expect.poll(() => count(fixture, 'subscriptions/listen'), patient).toBe(1)
    isGrown = true
    fixture.breakAll()
    await expect.poll(() => upstreams.status()[0]?.tools, patient).toContain('grown')
    expect(count(fixture, 'subscriptions/listen')).toBeGreaterThan(1)
  })
})

it('tools of a server that tells no changes are listed again now and then', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const tools = ['first']
  const asked: unknown[] = []
  const server = keep(
    await openRawHttpServer({
      isModern: true,
      capabilities: { tools: { listChanged: true } },
      tools,
      answer: ({ response, id, method }) => {
        asked.push(method)
        if (method !== 'subscriptions/listen') return false
        const error = { code: -32601, message: 'Method not found' }
        response
          .writeHead(404, { 'content-type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, error }))
        return true
      },
    }),
  )
  const upstreams = await open(server.url)
  await expect
    .poll(() => log.map(({ message }) => message), patient)
    .toContainEqual(expect.stringContaining('it is not listened to'))
  tools.push('second')
  expect(upstreams.status()[0]?.tools).toEqual(['first'])
  vi.advanceTimersByTime(5 * 60_000)
  await vi.waitFor(() => expect(upstreams.status()[0]?.tools).toEqual(['first', 'second']), patient)
  expect(asked.filter((method) => method === 'subscriptions/listen')).toHaveLength(1)
})

describe('arguments in headers', () => {
  const routed = (header: string) => (server: McpServer) => {
    const schema = {
      type: 'object' as const,
      properties: {
        region: { type: 'string' as const, 'x-mcp-header': header },
        at: { type: 'object' as const, properties: { zone: { type: 'integer' as const, 'x-mcp-header': 'Zone' } } },
      },
    }
    const inputSchema = fromJsonSchema<{ region: string }>(schema)
    server.registerTool('route', { inputSchema }, ({ region }) => ({
      content: [{ type: 'text', text: `to ${region}` }],
    }))
  }

  it('are repeated as the server wants, and as it wants now', async () => {
    let header = 'Region'
    const fixture = await serve({ own: (server: McpServer) => routed(header)(server) })
    const upstreams = await open(fixture.url)
    expect(await textOf(upstreams.call('peer', 'route', { region: 'München', at: { zone: 7 } }))).toBe('to München')
    expect(fixture.seen.at(-1)?.headers).toMatchObject({
      'mcp-param-region': '=?base64?TcO8bmNoZW4=?=',
      'mcp-param-zone': '7',
    })
    header = 'Place'
    expect(await textOf(upstreams.call('peer', 'route', { region: 'eu' }))).toBe('to eu')
    expect(fixture.seen.at(-1)?.headers['mcp-param-place']).toBe('eu')
    expect(fixture.seen.at(-1)?.headers['mcp-param-zone']).toBeUndefined()
  })

  it('are nothing that a tool may want wrongly', async () => {
    const schema = { type: 'object', properties: { a: { type: 'number', 'x-mcp-header': 'A' } } }
    const server = keep(
      await openRawHttpServer({
        isModern: true,
        tools: ['good', 'bad'],
        define: (name) => JSON.stringify({ name, inputSchema: name === 'bad' ? schema : { type: 'object' } }),
        answer: () => false,
      }),
    )
    const upstreams = await open(server.url)
    expect(upstreams.status()[0]).toMatchObject({
      tools: ['good'],
      quarantined: [{ name: 'bad', reason: 'its x-mcp-header of a is not at a string, an integer or a boolean' }],
    })
  })

  it('can be anywhere that an argument is sure to be', () => {
    const at = (schema: object) => mirroredIn({ type: 'object', ...schema })
    const marked = { type: 'string', 'x-mcp-header': 'Name' }
    const nested = { type: 'object', properties: { b: marked } }
    expect(at({ properties: { a: nested, 'x-mcp-header': { enum: [{ 'x-mcp-header': 1 }] } } })).toEqual([
      { path: ['a', 'b'], header: 'Mcp-Param-Name' },
    ])
    const nowhere = 'x-mcp-header is not at an argument or a property of one'
    expect(at({ properties: { a: { type: 'array', items: marked } } })).toBe(nowhere)
    expect(at({ $defs: { a: marked } })).toBe(nowhere)
    expect(at({ allOf: [{ properties: { a: marked } }] })).toBe(nowhere)
    expect(at({ 'x-mcp-header': 'Name' })).toBe(nowhere)
    expect(at({ properties: { a: marked, b: { ...marked, 'x-mcp-header': 'NAME' } } })).toBe(
      'x-mcp-header name is there twice',
    )
    expect(at({ properties: { a: { ...marked, 'x-mcp-header': 'a\r\nb: c' } } })).toBe(
      'x-mcp-header of a is not the name of a header',
    )
    const headers = mirroring([{ path: ['a'], header: 'Mcp-Param-A' }], { a: '=?base64?eA==?=' })
    expect(headers).toEqual({ 'Mcp-Param-A': '=?base64?PT9iYXNlNjQ/ZUE9PT89?=' })
  })
})

describe('an answer that may be used again', () => {
  const reading = {
    own: (server: McpServer) => {
      let reads = 0
      for (const [name, cacheScope] of [
        ['shared', 'public'],
        ['mine', 'private'],
      ] as const)
        server.registerResource(name, `test://${name}`, { cacheHint: { ttlMs: 60_000, cacheScope } }, () => ({
          contents: [{ uri: `test://${name}`, text: String(++reads) }],
        }))
    },
    capabilities: { resources: { subscribe: true, listChanged: true } },
  }

  it('is, by everybody or by its caller only, until the server says that it has changed', async () => {
    const fixture = await serve(reading)
    const upstreams = await open(fixture.url)
    const callers = [{}, {}].map(
      (who): CallerEnd => ({ who, ask: () => Promise.reject(new Error('no')), tell: () => {} }),
    )
    const read = async (uri: string, caller?: CallerEnd) => {
      const before = count(fixture, 'resources/read')
      await upstreams.request('peer', 'resources/read', { uri }, { caller })
      return count(fixture, 'resources/read') - before
    }
    const [one, other] = callers
    expect([
      await read('test://shared', one),
      await read('test://shared', one),
      await read('test://shared', other),
    ]).toEqual([1, 0, 0])
    expect([await read('test://mine', one), await read('test://mine', one)]).toEqual([1, 0])
    expect([await read('test://mine', other), await read('test://mine'), await read('test://mine', other)]).toEqual([
      1, 1, 0,
    ])
    await upstreams.request('peer', 'resources/subscribe', { uri: 'test://mine' })
    fixture.handler.notify.resourceUpdated('test://mine')
    await expect.poll(() => told.length, patient).toBeGreaterThan(0)
    expect([await read('test://mine', one), await read('test://shared', other)]).toEqual([1, 1])
  })
})

describe('questions of a server', () => {
  const asking = (rounds: number, ask: () => object) => ({
    own: (server: McpServer) =>
      void server.registerTool('quiz', {}, ({ mcpReq }: ServerContext) => {
        const round = Number(mcpReq.requestState() ?? 0)
        if (round >= rounds) return { content: [{ type: 'text', text: JSON.stringify(mcpReq.inputResponses) }] }
        return inputRequired({ inputRequests: { q: ask() as never }, requestState: String(round + 1) })
      }),
  })
  const elicit = () => inputRequired.elicit({ message: 'Well?', requestedSchema: { type: 'object', properties: {} } })
  const yes: CallerEnd = { who: {}, ask: async () => ({ action: 'accept', content: {} }), tell: () => {} }
  const failure = (call: ReturnType<Upstreams['call']>) =>
    Promise.resolve(call).then(String, (error: Error) => error.message)

  it('are answered a bounded number of times', async () => {
    const upstreams = await open((await serve(asking(10, elicit))).url)
    expect(await textOf(upstreams.call('peer', 'quiz', {}, { caller: yes }))).toBe(
      '{"q":{"action":"accept","content":{}}}',
    )
    const endless = await open((await serve(asking(11, elicit))).url)
    expect(await failure(endless.call('peer', 'quiz', {}, { caller: yes }))).toContain('it still asks after 10 answers')
  })

  it('are not asked where nobody can answer, and fail the call where the caller fails', async () => {
    const sampling = () => inputRequired.createMessage({ messages: [], maxTokens: 1 })
    const fixture = await serve(asking(1, sampling))
    const upstreams = await open(fixture.url)
    expect(await failure(upstreams.call('peer', 'quiz', {}))).toContain('capabilit')
    const no: CallerEnd = { ...yes, ask: () => Promise.reject(new Error('not now')) }
    expect(await failure(upstreams.call('peer', 'quiz', {}, { caller: no }))).toContain(
      'it asked for sampling/createMessage and got no answer: no caller can answer this',
    )
  })
})
