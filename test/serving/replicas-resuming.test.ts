// A caller whose connection breaks and who reconnects to another replica, while the first one works on, and after it was
// killed.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { InProcessTools } from '../../dist/index.js'
import { redisServer, whyNoRedis } from '../fixtures/redis.js'
import { initialize, textOf } from './callers.js'
import { balance, openReplicas, type Replica, type Replicas } from './replicas.js'

const opened: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})

const state = { begun: 0, ended: 0, release: () => {} }
const slow: InProcessTools = {
  greet: { call: () => 'hello' },
  wait: {
    call: (_, { signal }) =>
      new Promise((resolve, reject) => {
        state.begun++
        state.release = () => resolve('late')
        signal.addEventListener('abort', () => {
          state.ended++
          reject(new Error('stopped'))
        })
      }),
  },
}
const ring = { ring: { call: () => 'rung' } }
const call = { name: 'executeToolCode', arguments: { code: 'slow.greet()\nprint(slow.wait())' } }

async function connect(url: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    reconnectionOptions: {
      initialReconnectionDelay: 10,
      maxReconnectionDelay: 1000,
      reconnectionDelayGrowFactor: 2,
      maxRetries: 100,
    },
  })
  await client.connect(transport as Parameters<Client['connect']>[0])
  opened.push(client)
  return client
}

describe.skipIf(redisServer === undefined)(`a caller that comes back elsewhere (${redisServer ?? whyNoRedis})`, () => {
  let replicas: Replicas
  let [one, two]: Replica[] = []
  beforeAll(async () => {
    const servers = { slow: { inProcess: slow }, desk: { inProcess: ring, codeMode: false as const } }
    replicas = await openReplicas((index) => ({ servers, serve: { resumeMs: index === 0 ? 1 : 600_000 } }))
    ;[one, two] = replicas.all
  })
  afterAll(() => replicas.close())
  beforeEach(() => {
    Object.assign(state, { begun: 0, ended: 0 })
    replicas.balancer.seen.splice(0)
    replicas.balancer.answered.splice(0)
  })

  /** A call at the second replica. Its caller has the id of an event. */
  async function begin() {
    const { balancer } = replicas
    balancer.route = (method) => (method === 'POST' ? 1 : 0)
    const client = await connect(balancer.url)
    let progress = 0
    const answer = client.callTool(call, undefined, { onprogress: () => progress++, timeout: 600_000 })
    answer.catch(() => {})
    await expect.poll(() => [state.begun, progress]).toEqual([1, 1])
    balancer.seen.splice(0)
    return { answer }
  }

  it('gets answers from its absence', async () => {
    const { answer } = await begin()
    const { balancer } = replicas
    // It comes back only when the answer is there.
    let isBack = () => {}
    balancer.hold = new Promise<void>((resolve) => {
      isBack = resolve
    })
    balancer.cut()
    state.release()
    await expect
      .poll(() => two!.codeMode.metrics())
      .toContain('starbind_meta_tool_calls_total{tool="executeToolCode"} 1')
    isBack()
    expect(textOf(await answer)).toMatch(/^late\n/)
    expect([state.begun, state.ended, balancer.seen.includes('GET 0')]).toEqual([1, 0, true])
  })

  it('gets answers from after its return', async () => {
    const { answer } = await begin()
    replicas.balancer.cut()
    await expect.poll(() => replicas.balancer.seen).toContain('GET 0')
    state.release()
    expect(textOf(await answer)).toMatch(/^late\n/)
    expect([state.begun, state.ended]).toEqual([1, 0])
  })

  it('and leaves again has its request cancelled', async () => {
    const headers = { ...initialize.headers, 'mcp-protocol-version': '2025-11-25' }
    const session = (await one!.fetch('/mcp', initialize)).headers.get('mcp-session-id')!
    const all = { ...headers, 'mcp-session-id': session }
    const post = (message: object, signal: AbortSignal | null = null) =>
      one!.fetch('/mcp', { method: 'POST', headers: all, body: JSON.stringify({ jsonrpc: '2.0', ...message }), signal })
    const [first, second] = [new AbortController(), new AbortController()]
    const asked = await post({ id: 2, method: 'tools/call', params: call }, first.signal)
    const { value } = await asked.body!.pipeThrough(new TextDecoderStream()).getReader().read()
    const last = /^id: (.*)$/m.exec(value!)![1]!
    await expect.poll(() => state.begun).toBe(1)
    const back = await two!.fetch('/mcp', { headers: { ...all, 'last-event-id': last }, signal: second.signal })
    expect(back.status).toBe(200)
    first.abort()
    for (let i = 0; i < 3; i++) await (await post({ id: 3 + i, method: 'tools/list' })).text()
    expect(state.ended).toBe(0)
    second.abort()
    await expect.poll(() => state.ended).toBe(1)
  })

  it('gets the changes that it has missed, and further ones, once', async () => {
    const { balancer } = replicas
    const client = await connect(balancer.url)
    await client.listTools()
    await expect.poll(() => balancer.answered).toContain('GET 0')
    let told = 0
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => void told++)
    const change = async (...toolsToDeny: string[]) => {
      for (const { codeMode } of replicas.all)
        await codeMode.servers.update('desk', { inProcess: ring, codeMode: false, toolsToDeny })
    }
    await change('ring')
    await expect.poll(() => told).toBe(1)
    balancer.route = () => 1
    balancer.cut()
    await expect.poll(() => balancer.answered).toContain('GET 1')
    await change()
    await expect.poll(() => told).toBe(2)
  })

  it('is told that the replica with its request is gone', async () => {
    const script = path.resolve(import.meta.dirname, '../fixtures/replica.mjs')
    const child = spawn(process.execPath, [script, replicas.redis.url], { stdio: ['pipe', 'pipe', 'inherit'] })
    opened.push({ close: () => child.kill('SIGKILL') })
    const [address] = (await once(child.stdout, 'data')) as [Buffer]
    const balancer = await balance([Number(new URL(String(address)).port), two!.serving.port])
    opened.push(balancer)
    balancer.route = () => 0
    const client = await connect(balancer.url)
    let progress = 0
    const answer = client.callTool(
      { name: 'executeToolCode', arguments: { code: 'shop.greet()\nshop.wait()' } },
      undefined,
      { onprogress: () => progress++, timeout: 600_000 },
    )
    answer.catch(() => {})
    await expect.poll(() => progress).toBe(1)
    const gone = once(child, 'exit')
    balancer.route = () => 1
    child.kill('SIGKILL')
    await gone
    // As if its time were over.
    const redis = new Redis(replicas.redis.url)
    opened.push({ close: () => redis.disconnect() })
    const leases = await redis.keys(`starbind:process:*.${child.pid}.*`)
    expect(leases.length).toBe(1)
    await redis.del(leases)
    await expect(answer).rejects.toThrow(
      'host error [replica-gone] the process that carried out this request is gone, and its answer with it; some of its calls may have taken effect\nhint: look at what was done before you send the request again',
    )
  })
})
