// Servers of both eras of the protocol, with both major versions of the SDK: how it is found out which a server speaks,
// and that it makes no difference.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import {
  type CallerEnd,
  CatalogueStore,
  checkConfiguration,
  type LogLine,
  type ServerEntry,
  Upstreams,
} from '../../dist/gateway/index.js'
import { openHttpFixture } from '../fixtures/http-server.js'
import { type ModernFixture, openModernFixture } from '../fixtures/modern-server.js'
import { modernServer, olderServer } from '../fixtures/modern-tools.mjs'
import { openRawHttpServer } from '../fixtures/raw-http-server.js'

const folder = mkdtempSync(path.join(tmpdir(), 'eras-'))
afterAll(() => rmSync(folder, { recursive: true }))
const opened: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})

function keep<T extends { close(): Promise<unknown> }>(one: T): T {
  opened.push(one)
  return one
}

const stdioServer = fileURLToPath(new URL('../fixtures/modern-stdio-server.mjs', import.meta.url))
const oddServer = fileURLToPath(new URL('../fixtures/odd-era-server.mjs', import.meta.url))

async function open(entry: ServerEntry, { notes = [], store }: { notes?: string[]; store?: CatalogueStore } = {}) {
  const { servers } = checkConfiguration({ mcpServers: { peer: entry } }, { folder: '/', placeOf: () => 'test' })
  return keep(
    await Upstreams.open(servers, {
      log: ({ level, message }: LogLine) => void (level === 'info' && notes.push(message)),
      version: '0.0.0',
      connectTimeoutMs: 60_000,
      callersAnswer: true,
      ...(store === undefined ? {} : { store }),
    }),
  )
}

type Speaks = '2025' | '2026' | 'both'
type Wire = 'stdio' | 'http'

/** A server's entry. `notes`: what becomes of its calls. */
async function peer(wire: Wire, speaks: Speaks, notes: string[]): Promise<ServerEntry> {
  if (wire === 'stdio') return { command: process.execPath, args: [stdioServer, speaks] }
  const note = (words: string) => notes.push(words)
  if (speaks === '2025') return { url: keep(await openHttpFixture({ server: () => olderServer(note) })).url }
  return { url: (await modern({ speaks, note })).url }
}

async function modern({ speaks = 'both', note = () => {} }: { speaks?: Speaks; note?: (words: string) => void } = {}) {
  let isGrown = false
  const server = (): ReturnType<typeof modernServer> =>
    modernServer(note, {
      has: () => isGrown,
      changed: () => {
        isGrown = true
        fixture.handler.notify.toolsChanged()
      },
    })
  const fixture = keep(await openModernFixture(server, { legacy: speaks === '2026' ? 'reject' : 'stateless' }))
  return fixture
}

const methodsOf = ({ seen }: ModernFixture) => seen.map(({ body }) => body.method)

describe.each<[Speaks, Wire]>([
  ['2025', 'stdio'],
  ['2025', 'http'],
  ['both', 'stdio'],
  ['both', 'http'],
  ['2026', 'stdio'],
  ['2026', 'http'],
])('a server of %s over %s', (speaks, wire) => {
  it('is listed, called, waited for and left, and may ask', async () => {
    const notes: string[] = []
    const upstreams = await open(await peer(wire, speaks, notes), { notes })
    expect(upstreams.status()).toMatchObject([
      { state: 'ready', reason: '', quarantined: [], tools: ['add', 'fail', 'count', 'wait', 'grow', 'ask'] },
    ])
    expect(upstreams.servers()[0]?.description).toBe('Adds numbers')
    expect(await upstreams.call('peer', 'add', { a: 1, b: 2 })).toEqual({
      isError: false,
      content: [{ type: 'text', text: '3' }],
      structuredContent: { sum: 3 },
    })
    expect(await upstreams.call('peer', 'fail', {})).toEqual({
      isError: true,
      content: [{ type: 'text', text: 'it broke' }],
    })
    const progress: unknown[] = []
    await upstreams.call('peer', 'count', {}, { onProgress: (one) => progress.push(one) })
    expect(progress).toEqual([1, 2, 3].map((progress) => ({ progress, total: 3 })))

    const asked: unknown[] = []
    const caller: CallerEnd = {
      who: {},
      ask: async (method, { message }) => {
        asked.push([method, message])
        return { action: 'accept', content: { name: 'Ada' } }
      },
      tell: () => {},
    }
    expect((await upstreams.call('peer', 'ask', {}, { caller })).content).toEqual([
      { type: 'text', text: 'hello Ada, as before' },
    ])
    expect(asked).toEqual([['elicitation/create', 'Who are you?']])

    const stop = new AbortController()
    const left = Promise.resolve(upstreams.call('peer', 'wait', {}, { signal: stop.signal }))
    await expect.poll(() => notes, { timeout: 20_000 }).toContain('waiting')
    stop.abort()
    await expect(left).rejects.toThrow('peer.wait was cancelled before it answered')
    await expect.poll(() => notes, { timeout: 20_000 }).toContain('cancelled')
    // Nothing of that has cost the connection, over which it says that it has another tool.
    await upstreams.call('peer', 'grow', {})
    await expect.poll(() => upstreams.status()[0]?.tools, { timeout: 20_000 }).toContain('grown')
  })
})

describe('the revision of a server', () => {
  it('is asked in the way of the new one, with what its requests must say', async () => {
    const fixture = await modern()
    const upstreams = await open({ url: fixture.url })
    await upstreams.call('peer', 'add', { a: 1, b: 2 }, { trace: { traceparent: '00-1-2-01' } })
    expect(methodsOf(fixture).sort()).toEqual(['server/discover', 'subscriptions/listen', 'tools/call', 'tools/list'])
    const { headers, body } = fixture.seen.find((one) => one.body.method === 'tools/call')!
    expect(headers).toMatchObject({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'add',
    })
    expect(headers['mcp-session-id']).toBeUndefined()
    expect(body.params).toEqual({
      name: 'add',
      arguments: { a: 1, b: 2 },
      _meta: {
        traceparent: '00-1-2-01',
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'starbind', version: '0.0.0' },
        'io.modelcontextprotocol/logLevel': 'info',
        // Nobody is behind this call who could be asked.
        'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
      },
    })
  })

  it('is asked once more where the server refuses it and names it', async () => {
    let questions = 0
    const data = { supported: ['2026-07-28'], requested: '2026-07-28' }
    const server = keep(
      await openRawHttpServer({
        isModern: true,
        tools: ['ping'],
        answer: ({ method, response, id }) => {
          if (method !== 'server/discover' || ++questions > 1) return false
          const error = { code: -32_022, message: 'Unsupported protocol version', data }
          response.writeHead(400, { 'content-type': 'application/json' })
          response.end(JSON.stringify({ jsonrpc: '2.0', id, error }))
          return true
        },
      }),
    )
    const upstreams = await open({ url: server.url, protocol: '2026' })
    expect(upstreams.status()).toMatchObject([{ state: 'ready', tools: ['ping'] }])
    expect(questions).toBe(2)
  })

  it('is what the entry says, without a question', async () => {
    const fixture = await modern()
    await open({ url: fixture.url, protocol: '2025' })
    expect(methodsOf(fixture).slice(0, 2)).toEqual(['initialize', 'notifications/initialized'])
  })

  it('must be the one that the entry demands', async () => {
    const older = keep(await openHttpFixture({ server: () => olderServer() }))
    const newer = await modern({ speaks: '2026' })
    const odd: ServerEntry = { command: process.execPath, args: [oddServer, path.join(folder, 'demand'), 'exits'] }
    const lacks = 'it does not speak revision 2026-07-28 of the protocol'
    const reasonOf = async (entry: ServerEntry) => (await open(entry)).status()[0]?.reason
    expect(await reasonOf({ url: older.url, protocol: '2026' })).toBe(
      `${lacks}: it answered "Bad Request: Server not initialized" when it was asked for it`,
    )
    expect(await reasonOf({ ...odd, protocol: '2026' })).toBe(`${lacks}: it ended when it was asked for it`)
    expect(await reasonOf({ url: newer.url, protocol: '2025' })).toContain('Unsupported protocol version')
  })

  it('is asked once, over the process that is used, unless that ends', async () => {
    const methods = (file: string) => readFileSync(file, 'utf8').trim().split('\n')
    const store = new CatalogueStore(path.join(folder, 'odd'), '0.0.0')
    const run = async (does: string) => {
      const file = path.join(folder, does)
      for (const _ of ['first', 'second']) {
        const upstreams = await open({ command: process.execPath, args: [oddServer, file, does] }, { store })
        expect((await upstreams.call('peer', 'ping', {})).content).toEqual([{ type: 'text', text: 'pong' }])
        await upstreams.close()
      }
      return methods(file)
    }
    const older = ['initialize', 'notifications/initialized', 'tools/list', 'tools/call']
    const [exits, ignores, waits] = await Promise.all(['exits', 'ignores', 'waits'].map(run))
    expect(exits).toEqual(['started', 'server/discover', 'started', ...older, 'started', ...older])
    expect(ignores?.filter((method) => method !== 'notifications/cancelled')).toEqual([
      ...['started', 'server/discover', ...older],
      ...['started', ...older],
    ])
    const newer = ['tools/list', 'tools/call']
    expect(waits).toEqual([
      ...['started', 'server/discover', 'initialize', ...newer],
      ...['started', 'server/discover', ...newer],
    ])
  })

  it('is asked again when the server has become another version', async () => {
    const store = new CatalogueStore(path.join(folder, 'versions'), '0.0.0')
    let version = '1.0.0'
    const fixture = keep(
      await openHttpFixture({
        server: () => {
          const server = olderServer()
          Object.assign(server.server, { _serverInfo: { name: 'peer', version } })
          return server
        },
      }),
    )
    const questions = async () => {
      const before = fixture.seen.length
      await (await open({ url: fixture.url }, { store })).close()
      return fixture.seen.slice(before).filter(({ headers }) => headers['mcp-method'] === 'server/discover').length
    }
    expect([await questions(), await questions()]).toEqual([1, 0])
    version = '2.0.0'
    expect([await questions(), await questions(), await questions()]).toEqual([0, 1, 0])
  })

  it('may not be one that its transport does not have', () => {
    const read = () =>
      checkConfiguration(
        { mcpServers: { older: { type: 'sse', url: 'http://127.0.0.1:1/sse', protocol: '2026' } } },
        { folder: '/', placeOf: () => 'test' },
      )
    expect(read).toThrow(
      'test mcpServers.older.protocol: got "2026", want "auto" or "2025" for a server that speaks the older HTTP with SSE',
    )
  })
})
