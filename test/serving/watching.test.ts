// The observation of calls: rate limits, the audit log, spans.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { trace } from '@opentelemetry/api'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { RateLimits } from '../../dist/gateway/rate-limits.js'
import { CodeMode, type InProcessTools } from '../../dist/index.js'
import { openRedis } from '../../dist/state/index.js'
import { redisServer, startRedis } from '../fixtures/redis.js'
import { openGateway, textOf } from './callers.js'

const folder = mkdtempSync(path.join(tmpdir(), 'starbind-audit-'))
afterAll(() => rmSync(folder, { recursive: true }))

const shop: InProcessTools = {
  count: { call: () => 3 },
  sell: { call: () => 'sold' },
  fail: {
    call: () => {
      throw new Error('out of stock')
    },
  },
}
const servers = { shop: { inProcess: shop } }

describe('rate limits', () => {
  it('refuse excessive calls, for each caller separately', async () => {
    const rateLimits = [{ server: 'shop', tool: 'c*', calls: 2, perMs: 60_000 }]
    await using codeMode = await CodeMode.open({ servers, serve: { rateLimits } })
    const [one, two] = [codeMode.session({ name: 'one' }), codeMode.session({ name: 'two' })]
    const run = await one.run('shop.count()\nshop.count()\nshop.sell()\nshop.count()')
    expect(run.error).toMatchObject({
      class: 'limit',
      code: 'rate-limited',
      message: 'shop.count was not called: only 2 calls may be made in 60 s',
      hint: expect.stringMatching(/^wait \d+ s$/),
    })
    expect((await two.run('shop.count()')).ok).toBe(true)
  })

  it('count together if they are shared', async () => {
    const rateLimits = [{ calls: 1, shared: true }]
    await using codeMode = await CodeMode.open({ servers, serve: { rateLimits } })
    expect((await codeMode.session({ name: 'one' }).run('shop.count()')).ok).toBe(true)
    expect((await codeMode.session({ name: 'two' }).run('shop.sell()')).error?.code).toBe('rate-limited')
  })

  it.skipIf(redisServer === undefined)('count the calls of all replicas', async () => {
    await using redis = await startRedis()
    const options = { servers, state: redis.url, serve: { rateLimits: [{ calls: 2, perMs: 60_000 }] } }
    await using one = await CodeMode.open(options)
    await using two = await CodeMode.open(options)
    const run = async (codeMode: CodeMode, name: string) =>
      (await codeMode.session({ name }).run('shop.count()')).error?.message ?? 'ok'
    const refused = 'shop.count was not called: only 2 calls may be made in 60 s'
    expect([await run(one, 'ada'), await run(two, 'ada'), await run(one, 'ada'), await run(two, 'ada')]).toEqual([
      'ok',
      'ok',
      refused,
      refused,
    ])
    expect(await run(two, 'bob')).toBe('ok')
  })

  it.skipIf(redisServer === undefined)('count alone while the store is gone', async () => {
    await using redis = await startRedis()
    const replicas = await Promise.all([0, 1].map(() => openRedis({ url: redis.url, prefix: 'starbind' })))
    const call = { server: 'shop', tool: 'count', caller: 'ada' }
    const enter = async (limits: RateLimits) => {
      try {
        ;(await limits.enter(call))()
        return 'ok'
      } catch (error) {
        return String(error)
      }
    }
    const all = replicas.map(({ rates }) => new RateLimits([{ calls: 1 }], rates))
    expect([await enter(all[0]!), await enter(all[1]!)]).toEqual(['ok', expect.stringContaining('[rate-limited]')])
    await redis.stop()
    await expect.poll(() => replicas.some(({ isReachable }) => isReachable())).toBe(false)
    for (const limits of all)
      expect([await enter(limits), await enter(limits)]).toEqual(['ok', expect.stringContaining('[rate-limited]')])
    for (const replica of replicas) await replica.close()
  })

  it('apply to single keys that they name', async () => {
    const rateLimits = [{ key: 'ci*', calls: 1 }]
    await using codeMode = await CodeMode.open({ servers, serve: { rateLimits } })
    const twice = async (name: string) =>
      (await codeMode.session({ name }).run('shop.count()\nshop.count()')).error?.code
    expect([await twice('ci-nightly'), await twice('laptop')]).toEqual(['rate-limited', undefined])
  })

  it('let calls wait for their turn, and cancelled ones leave the queue', async () => {
    const limits = new RateLimits([{ concurrent: 1 }])
    const call = { server: 'shop', tool: 'count', caller: 'one' }
    const leave = await limits.enter(call)
    const order: string[] = []
    const cancel = new AbortController()
    const gone = limits.enter({ ...call, signal: cancel.signal })
    const second = Promise.resolve(limits.enter(call)).then((leaveSecond) => {
      order.push('second')
      return leaveSecond
    })
    // Another caller has a place of its own.
    ;(await limits.enter({ ...call, caller: 'two' }))()
    order.push('two')
    cancel.abort()
    await expect(gone).rejects.toThrow()
    order.push('gone')
    leave()
    ;(await second)()
    expect(order).toEqual(['two', 'gone', 'second'])
    ;(await limits.enter(call))()
  })
})

describe('the audit log', () => {
  it('has a line for each call, however it ended, and no secret', async () => {
    const file = path.join(folder, 'calls.jsonl')
    const entry = { inProcess: shop, toolsToDeny: ['sell'] }
    const codeMode = await CodeMode.open({ servers: { shop: entry }, serve: { audit: { file, arguments: true } } })
    const session = codeMode.session({ name: 'laptop' })
    await session.run('shop.count(password="hunter2", deep={"api_key": "k", "name": "Ada"})')
    await session.run('shop.fail()')
    await session.direct.call('shop_count', { arguments: {} }).catch(() => {})
    await codeMode.close()
    const lines = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const common = {
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      caller: 'laptop',
      program: expect.stringMatching(/^[0-9a-f]{16}$/),
      server: 'shop',
      ms: expect.any(Number),
    }
    expect(lines).toEqual([
      {
        ...common,
        tool: 'count',
        outcome: 'answered',
        arguments: { password: '[hidden]', deep: { api_key: '[hidden]', name: 'Ada' } },
      },
      { ...common, tool: 'fail', outcome: 'failed', arguments: {} },
    ])
  })

  it('writes integers of any size with all their digits', async () => {
    const file = path.join(folder, 'digits.jsonl')
    const codeMode = await CodeMode.open({
      servers: { shop: { inProcess: shop } },
      serve: { audit: { file, arguments: true } },
    })
    await codeMode.session({ name: 'laptop' }).run('shop.count(deep={"id": 2 ** 70})')
    await codeMode.close()
    expect(readFileSync(file, 'utf8')).toContain('"arguments":{"deep":{"id":1180591620717411303424}}')
  })

  it('rotates long files and keeps the newest of them', async () => {
    const file = path.join(folder, 'long.jsonl')
    const audit = { file, maxBytes: 2000, keepFiles: 2 }
    const codeMode = await CodeMode.open({ servers, serve: { audit } })
    for (let i = 0; i < 4; i++) await codeMode.run('for i in range(20):\n    shop.count()')
    await codeMode.close()
    const kept = readdirSync(folder).filter((name) => name.startsWith('long'))
    expect(kept.sort()).toEqual(['long.jsonl', 'long.jsonl.1', 'long.jsonl.2'])
    for (const name of kept) expect(readFileSync(path.join(folder, name), 'utf8')).not.toContain('arguments')
  })
})

describe('spans', () => {
  const exporter = new InMemorySpanExporter()
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }))
  beforeEach(() => exporter.reset())
  afterAll(() => trace.disable())
  const parent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

  it('go from the request over the run to the call, and on to the server', async () => {
    const metas: unknown[] = []
    const { Server } = await import('@modelcontextprotocol/sdk/server/index.js')
    const { CallToolRequestSchema, ListToolsRequestSchema } = await import('@modelcontextprotocol/sdk/types.js')
    const server = new Server({ name: 'traced', version: '1' }, { capabilities: { tools: {} } })
    server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: [{ name: 'go', inputSchema: { type: 'object' } }],
    }))
    server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
      metas.push(params._meta)
      return { content: [{ type: 'text', text: 'gone' }] }
    })
    const { caller } = await openGateway({ servers: { traced: { inProcess: server } } })
    const client = await caller({ headers: { traceparent: parent, tracestate: 'vendor=1', baggage: 'who=ada' } })
    const result = await client.callTool({ name: 'executeToolCode', arguments: { code: 'print(traced.go())' } })
    expect(textOf(result)).toMatch(/^gone\n/)
    await vi.waitFor(() => expect(exporter.getFinishedSpans().length).toBe(3), { timeout: 120_000 })
    const spans = exporter.getFinishedSpans()
    const find = (name: string) => spans.find((span) => span.name === name) as ReadableSpan
    const [request, run, call] = ['tools/call executeToolCode', 'run', 'tools/call traced.go'].map(find)
    expect(request?.parentSpanContext?.spanId).toBe('b7ad6b7169203331')
    expect(run?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId)
    expect(call?.parentSpanContext?.spanId).toBe(run?.spanContext().spanId)
    expect(call?.attributes).toEqual({
      'mcp.method.name': 'tools/call',
      'gen_ai.tool.name': 'go',
      'starbind.server': 'traced',
    })
    expect(metas).toEqual([
      {
        traceparent: `00-0af7651916cd43dd8448eb211c80319c-${call?.spanContext().spanId}-01`,
        tracestate: 'vendor=1',
        baggage: 'who=ada',
      },
    ])
  })

  it('report failures, but no contents', async () => {
    await using codeMode = await CodeMode.open({ servers })
    await codeMode.run('shop.fail(secret="hunter2")', { trace: { traceparent: 'garbage' } })
    const spans = exporter.getFinishedSpans()
    expect(spans.map(({ name, status }) => [name, status.code])).toEqual([
      ['tools/call shop.fail', 2],
      ['run', 2],
    ])
    expect(JSON.stringify(spans.map(({ attributes }) => attributes))).not.toContain('hunter2')
  })
})
