// What servers over HTTP send in place of answers: what people and programs are told of it, and that one bad answer is
// not the end of the others.

import type { ServerResponse } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { checkConfiguration, type ServerEntry, Upstreams } from '../../dist/gateway/index.js'
import { called } from '../fixtures/called.js'
import { openRawHttpServer, type RawHttpOptions, type RawHttpServer, respond } from '../fixtures/raw-http-server.js'

const opened: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})

async function serve(options: Partial<RawHttpOptions>): Promise<RawHttpServer> {
  const server = await openRawHttpServer({ tools: ['act'], answer: () => false, ...options })
  opened.push(server)
  return server
}

/** Much time for everything: what ends in these tests ends because of something that happened. */
async function open(mcpServers: Record<string, ServerEntry>): Promise<Upstreams> {
  const { servers } = checkConfiguration({ mcpServers }, { folder: '/', placeOf: () => 'test' })
  const upstreams = await Upstreams.open(
    servers.map((server) => ({ ...server, timeoutMs: 600_000, pingMs: 0 })),
    { log: () => {}, version: '0.0.0', connectTimeoutMs: 3_600_000 },
  )
  opened.push(upstreams)
  return upstreams
}

const messageOf = (call: Promise<unknown>) => call.then(JSON.stringify, (error: Error) => error.message)
const json = { 'content-type': 'application/json' }
const events = { 'content-type': 'text/event-stream' }
const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`

type Answer = (response: ServerResponse, id: number | undefined) => unknown
const status =
  (code: number, body = '', headers = {}): Answer =>
  (response) =>
    response.writeHead(code, headers).end(body)

describe('a server that fails the handshake', () => {
  const html: Answer = status(200, '<html>Welcome</html>', { 'content-type': 'text/html' })
  it.each<[string, string, Answer]>([
    ['a failure', 'ORIGIN answered with HTTP 500: "out of cheese"', status(500, 'out of cheese')],
    ['a page', 'ORIGIN answered with text/html, which is not MCP; check its url', html],
    ['a refusal with a page', 'ORIGIN answered with HTTP 404', status(404, '<h1>404</h1>')],
    [
      'a redirect',
      'ORIGIN answered with HTTP 302, a redirect to http://127.0.0.1:1/login; check its url',
      status(302, '', { location: 'http://127.0.0.1:1/login?key=secret' }),
    ],
    [
      'no JSON',
      'ORIGIN answered with something that is not JSON and not MCP; check its url',
      status(200, 'hello', json),
    ],
    ['other JSON', 'ORIGIN answered with JSON that is not MCP; check its url', status(200, '{"hello":1}', json)],
    ['the end', "ORIGIN can't be reached: it closed the connection without an answer", (r) => r.destroy()],
    ['an empty stream', 'it closed the connection without an answer', status(200, '', events)],
    [
      'a refusal with a code that clients use for a connection that is gone',
      'it refused: "no such version"',
      (response, id) =>
        response
          .writeHead(200, json)
          .end(`{"jsonrpc":"2.0","id":${id},"error":{"code":-32000,"message":"no such version"}}`),
    ],
    [
      'a refusal with a code that clients use for a time that is over',
      'it refused: "no backend"',
      (response, id) =>
        response
          .writeHead(200, json)
          .end(`{"jsonrpc":"2.0","id":${id},"error":{"code":-32001,"message":"no backend"}}`),
    ],
  ])('is reported with the reason: %s', async (_, reason, answer) => {
    const { url } = await serve({ answer: ({ response, id }) => Boolean(answer(response, id)) || true })
    const [status] = (await open({ raw: { url } })).status()
    expect([status?.state, status?.reason]).toEqual(['failed', reason.replace('ORIGIN', new URL(url).origin)])
  })

  it('is reported with the reason if it has no TLS', async () => {
    const plain = createServer((socket) => {
      socket.on('error', () => {})
      socket.on('data', () => void socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'))
    })
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve))
    const origin = `https://127.0.0.1:${(plain.address() as AddressInfo).port}`
    const upstreams = await open({ raw: { url: `${origin}/mcp` } })
    expect(upstreams.status()[0]?.reason).toBe(
      `${origin} can't be reached: there is no TLS there (is its url http:// and not https://?)`,
    )
    await upstreams.close()
    await new Promise((resolve) => plain.close(resolve))
  })
})

describe('a call with a wrong answer', () => {
  const is = 'tool error [answer-malformed] raw.act answered with something that is not a tool result'
  const may = 'it may have taken effect'
  it.each<[string, string, Answer]>([
    ['a failure', `${is} (HTTP 500: "out of cheese"); ${may}`, status(500, 'out of cheese')],
    ['a page', `${is} (text/html, which is not MCP); ${may}`, status(200, '<p>', { 'content-type': 'text/html' })],
    ['no JSON', `${is} (something that is not JSON and not MCP); ${may}`, status(200, 'hello', json)],
    ['other JSON', `${is} (JSON that is not MCP); ${may}`, status(200, '{"hello":1}', json)],
    [
      'a bottomless value',
      `${is} (it is nested more than 1000 levels deep); ${may}`,
      (response, id) => void respond(response, id, `{"content":[],"structuredContent":{"a":${deep}}}`),
    ],
    [
      'a refusal',
      'tool error [tool-refused] raw refused the call of act: "HTTP 429: slow down"',
      status(429, 'slow down'),
    ],
    [
      'half a stream',
      `tool error [server-lost] the connection to raw was lost before act answered; ${may}`,
      (response, id) => {
        response.writeHead(200, events).write(`data: {"jsonrpc":"2.0","id":${id},`, () => response.destroy())
      },
    ],
    [
      'an empty stream',
      `tool error [server-lost] the connection to raw was lost before act answered; ${may}`,
      status(200, '', events),
    ],
    [
      'the end',
      `tool error [server-lost] the connection to raw was lost before act answered; ${may}`,
      (r) => r.destroy(),
    ],
  ])('fails alone: %s', async (_, message, answer) => {
    let arrive = () => {}
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve
    })
    let release = () => {}
    const { url } = await serve({
      tools: ['act', 'wait'],
      answer: ({ response, id, tool }) => {
        if (tool === 'act') answer(response, id)
        if (tool === 'wait') {
          release = () => respond(response, id, '{"content":[{"type":"text","text":"still here"}]}')
          arrive()
        }
        return tool !== ''
      },
    })
    const upstreams = await open({ raw: { url, headers: { 'x-key': 'a-secret-of-ours' } } })
    const waiting = messageOf(called(upstreams, 'raw', 'wait', {}))
    await arrived
    expect(await messageOf(called(upstreams, 'raw', 'act', {}))).toBe(message)
    release()
    expect(await waiting).toBe('{"isError":false,"content":[{"type":"text","text":"still here"}]}')
  })

  it('ends the connection if the server is gone for every caller', async () => {
    let isBroken = false
    const { url } = await serve({
      answer: ({ response, method }) => {
        if (!isBroken || method === 'initialize') return false
        response.writeHead(502).end('no backend')
        return true
      },
    })
    const upstreams = await open({ raw: { url } })
    isBroken = true
    expect(await messageOf(called(upstreams, 'raw', 'act', {}))).toContain('(HTTP 502: "no backend")')
    await expect
      .poll(() => upstreams.status()[0]?.reason, { timeout: 120_000 })
      .toContain('answered with HTTP 502: "no backend"')
    expect(upstreams.status()[0]?.state).not.toBe('ready')
  })
})

describe("a caller's own credentials", () => {
  it('are refused without affecting other callers', async () => {
    const { url } = await serve({
      tools: ['act'],
      answer: ({ request, response, tool }) => {
        if (tool === '' || request.headers.authorization !== 'Bearer wrong') return false
        response.writeHead(401).end()
        return true
      },
    })
    const upstreams = await open({ raw: { url, passHeaders: ['authorization'] } })
    const as = (authorization: string) => messageOf(called(upstreams, 'raw', 'act', {}, { headers: { authorization } }))
    expect(await as('Bearer wrong')).toBe(
      'tool error [tool-refused] raw refused the call of act: "HTTP 401; it was sent with the caller\'s own headers"',
    )
    expect(upstreams.status()).toMatchObject([{ state: 'ready' }])
    expect(await as('Bearer right')).toBe('{"isError":false,"content":[{"type":"text","text":"fine"}]}')
  })
})

describe('a stream of events', () => {
  it('resumes at its place after two interruptions', async () => {
    const places: unknown[] = []
    let answered: number | undefined
    const { url } = await serve({
      answer: ({ request, response, id, tool }) => {
        if (tool === 'act') {
          answered = id
          response.writeHead(200, events).end('retry: 1\nid: 7\ndata:\n\n')
          return true
        }
        const place = request.headers['last-event-id']
        // Another stream is asked for at the beginning, without a place, and may come at any time.
        if (request.method !== 'GET' || place === undefined) return false
        places.push(place)
        response.writeHead(200, events)
        const result = '{"content":[{"type":"text","text":"at last"}]}'
        response.end(places.length < 3 ? '' : `id: 8\ndata: {"jsonrpc":"2.0","id":${answered},"result":${result}}\n\n`)
        return true
      },
    })
    const upstreams = await open({ raw: { url } })
    expect(await messageOf(called(upstreams, 'raw', 'act', {}))).toContain('at last')
    expect(places).toEqual(['7', '7', '7'])
  })
})

describe('a list of tools', () => {
  it('with a too deeply nested definition loses that tool only', async () => {
    const define = (name: string) =>
      `{"name":"${name}","inputSchema":{"type":"object"${name === 'abyss' ? `,"x":${deep}` : ''}}}`
    const { url } = await serve({ tools: ['act', 'abyss'], define })
    const upstreams = await open({ raw: { url, headers: { 'x-key': 'a-secret-of-ours' } } })
    expect(upstreams.status()).toMatchObject([
      {
        state: 'ready',
        tools: ['act'],
        quarantined: [{ name: 'abyss', reason: 'its inputSchema is not an object schema' }],
      },
    ])
  })
})
