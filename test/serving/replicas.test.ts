// Sessions of the revisions until 2025-11-25, whose requests a balancer spreads over two replicas.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  ElicitRequestSchema,
  ListResourcesRequestSchema,
  ResourceUpdatedNotificationSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addKey, type InProcessTools } from '../../dist/index.js'
import { redisServer, whyNoRedis } from '../fixtures/redis.js'
import { callerOf, initialize, textOf } from './callers.js'
import { openReplicas, type Replica, type Replicas } from './replicas.js'

const folder = mkdtempSync(path.join(tmpdir(), 'starbind-replicas-'))
afterAll(() => rmSync(folder, { recursive: true }))
const keysFile = path.join(folder, 'keys.json')
const owner = addKey(keysFile, 'owner')

const state = { begun: 0, cancelled: 0 }
const shop: InProcessTools = {
  count: { call: () => 3 },
  sell: { call: () => 'sold' },
  wait: {
    call: (_, { signal }) =>
      new Promise((_, reject) => {
        state.begun++
        signal.addEventListener('abort', () => {
          state.cancelled++
          reject(new Error('stopped'))
        })
      }),
  },
}
/** A server with a book that changes, for each replica. */
function library() {
  const seen = { subscribed: [] as string[] }
  const server = new Server({ name: 'library', version: '1' }, { capabilities: { resources: { subscribe: true } } })
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [{ uri: 'book://1', name: 'one' }] }))
  server.setRequestHandler(SubscribeRequestSchema, ({ params }) => {
    seen.subscribed.push(params.uri)
    return {}
  })
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
    seen.subscribed = seen.subscribed.filter((uri) => uri !== params.uri)
    return {}
  })
  return { server, seen }
}
const libraries = [library(), library()]

const ring = { ring: { call: () => 'rung' } }
const run = (code: string) => ({ name: 'executeToolCode', arguments: { code } })

describe.skipIf(redisServer === undefined)(`a session at two replicas (${redisServer ?? whyNoRedis})`, () => {
  let replicas: Replicas
  let [one, two]: Replica[] = []
  beforeAll(async () => {
    replicas = await openReplicas((index) => ({
      servers: {
        shop: { inProcess: shop },
        desk: { inProcess: ring, codeMode: false },
        library: { inProcess: libraries[index]!.server, resources: true },
      },
      approve: ['shop/sell'],
      serve: { keysFile },
    }))
    ;[one, two] = replicas.all
  })
  afterAll(() => replicas.close())
  beforeEach(() => {
    replicas.balancer.seen.splice(0)
    replicas.balancer.answered.splice(0)
  })

  const connect = (capabilities = {}) =>
    callerOf(replicas.balancer.url, { headers: { 'x-api-key': owner }, capabilities })
  const headers = { ...initialize.headers, 'x-api-key': owner }
  const openRaw = async (more: Record<string, string> = {}) => {
    const opened = await one!.fetch('/mcp', { ...initialize, headers: { ...headers, ...more } })
    await opened.text()
    return { ...headers, 'mcp-session-id': opened.headers.get('mcp-session-id')! }
  }
  const list = (all: Record<string, string>) => ({
    ...initialize,
    headers: all,
    body: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' }),
  })

  it('answers requests, wherever they arrive', async () => {
    const client = await connect()
    for (let i = 0; i < 2; i++) expect((await client.listTools()).tools.map(({ name }) => name)).toContain('desk_ring')
    expect(textOf(await client.callTool(run('print(shop.count())')))).toMatch(/^3\n/)
    expect(textOf(await client.callTool(run('print(shop.count())')))).toMatch(/^3\n/)
    expect(replicas.balancer.seen.filter((one) => one.startsWith('POST')).slice(0, 4)).toEqual([
      'POST 0',
      'POST 1',
      'POST 0',
      'POST 1',
    ])
  })

  it('brings the answer to a question to the replica that asked', async () => {
    const client = await connect({ elicitation: { form: {} } })
    const asked: unknown[] = []
    client.setRequestHandler(ElicitRequestSchema, () => {
      asked.push(replicas.balancer.seen.at(-1))
      return { action: 'accept', content: { call1: 'once' } }
    })
    const called = replicas.balancer.seen.length
    expect(textOf(await client.callTool(run('print(shop.sell())')))).toMatch(/^sold\n/)
    const posts = replicas.balancer.seen.slice(called).filter((one) => one.startsWith('POST'))
    expect([asked.length, new Set(posts).size, posts.length]).toEqual([1, 2, 2])
  })

  it('ends a call that is cancelled at another replica', async () => {
    const client = await connect()
    const stop = new AbortController()
    const [begun, cancelled] = [state.begun, state.cancelled]
    const call = client.callTool(run('shop.wait()'), undefined, { signal: stop.signal })
    call.catch(() => {})
    await expect.poll(() => state.begun).toBe(begun + 1)
    const called = replicas.balancer.seen.findLast((one) => one.startsWith('POST'))
    stop.abort()
    await expect(call).rejects.toThrow()
    await expect.poll(() => state.cancelled).toBe(cancelled + 1)
    expect(replicas.balancer.seen.findLast((one) => one.startsWith('POST'))).not.toBe(called)
  })

  it('tells of a change once: on the stream that was opened last', async () => {
    const session = await openRaw()
    const streams: Response[] = []
    for (const { fetch } of [one!, two!]) streams.push(await fetch('/mcp', { headers: session }))
    for (const { codeMode } of [one!, two!])
      await codeMode.servers.update('desk', { inProcess: ring, codeMode: false, toolsToDeny: ['ring'] })
    const reader = streams[1]!.body!.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader.read()).value).toContain('notifications/tools/list_changed')
    // Both end with the session.
    await one!.fetch('/mcp', { method: 'DELETE', headers: session })
    expect([await streams[0]!.text(), (await reader.read()).done]).toEqual(['', true])
  })

  it('has the subscriptions that the caller made at another replica', async () => {
    replicas.balancer.route = (method) => (method === 'POST' ? 1 : 0)
    const client = await connect()
    const told: string[] = []
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void told.push(params.uri))
    await expect.poll(() => replicas.balancer.answered).toContain('GET 0')
    const uri = 'mcp://library/book://1'
    await client.subscribeResource({ uri })
    const subscribed = () => libraries.map(({ seen }) => seen.subscribed)
    await expect.poll(subscribed).toEqual([['book://1'], ['book://1']])
    for (const { server } of libraries) await server.sendResourceUpdated({ uri: 'book://1' })
    await expect.poll(() => told).toEqual([uri])
    await client.unsubscribeResource({ uri })
    await expect.poll(subscribed).toEqual([[], []])
  })

  it('has the tools that the caller chose with its first headers', async () => {
    const session = await openRaw({ 'x-mcp-include-tools': 'shop-*' })
    for (const { fetch } of [one!, two!]) {
      const tools = await (await fetch('/mcp', list(session))).text()
      expect(tools).toContain('executeToolCode')
      expect(tools).not.toContain('desk_ring')
    }
  })

  it('ends everywhere', async () => {
    const session = await openRaw()
    expect((await two!.fetch('/mcp', list(session))).status).toBe(200)
    expect((await one!.fetch('/mcp', { method: 'DELETE', headers: session })).status).toBe(200)
    for (const { fetch } of [one!, two!])
      await expect.poll(async () => (await fetch('/mcp', list(session))).status).toBe(404)
  })
  it('goes on without the store where it is known, and is refused elsewhere', async () => {
    const session = await openRaw()
    await replicas.redis.stop()
    expect((await one!.fetch('/mcp', list(session))).status).toBe(200)
    const refused = await two!.fetch('/mcp', list(session))
    const { error } = (await refused.json()) as { readonly error: { readonly message: string } }
    expect([refused.status, error.message.split(':')[0]]).toEqual([
      503,
      'host error [store-unusable] the store at redis',
    ])
    await replicas.redis.start()
  })
})

it.skipIf(redisServer === undefined)(
  'a session without a key has its files at both replicas, and no other session has them',
  async () => {
    const replicas = await openReplicas(() => ({ warm: false }))
    try {
      const [client, other] = [await callerOf(replicas.balancer.url), await callerOf(replicas.balancer.url)]
      const program = 'artifacts.save("note.txt", "kept")\nresult = [f"line {i}" for i in range(20_000)]'
      const [fileName] = /results\/[\w-]+\.json/.exec(textOf(await client.callTool(run(program))))!
      const read = async (reader: typeof client, name: string) =>
        textOf(await reader.callTool({ name: 'readToolFile', arguments: { fileName: name } }))
      const called = replicas.balancer.seen.length
      for (let i = 0; i < 2; i++) {
        expect(await read(client, fileName)).toContain('line 7')
        expect(await read(client, 'results/note.txt')).toContain('kept')
        expect(await read(other, fileName)).toContain('there is no file')
        expect(await read(other, 'results/note.txt')).toContain('there is no file')
        expect(await read(client, 'guide.md')).toContain('Starlark')
      }
      expect(new Set(replicas.balancer.seen.slice(called))).toEqual(new Set(['POST 0', 'POST 1']))
    } finally {
      await replicas.close()
    }
  },
)
