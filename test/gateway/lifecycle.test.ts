// How servers live: started when they are needed, asked how they are, listed anew, told where to work, heard when they
// have something to say, and started in turns.

import { mkdirSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { Heartbeat } from '../../dist/gateway/heartbeat.js'
import { checkConfiguration, type LogLine, type ServerEntry, Upstreams } from '../../dist/gateway/index.js'
import { Starts } from '../../dist/gateway/starts.js'
import { CodeMode } from '../../dist/index.js'
import { called } from '../fixtures/called.js'
import { Workplace } from '../fixtures/command.js'
import { openHttpFixture } from '../fixtures/http-server.js'

const place = new Workplace()
const opened: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const one of opened.splice(0).reverse()) await one.close()
})
afterAll(async () => {
  await place.allGone()
  place.remove()
})

const script = fileURLToPath(new URL('../fixtures/changing-server.mjs', import.meta.url))

function changing(more: ServerEntry = {}): ServerEntry {
  return { command: process.execPath, args: [script, 'a'], env: { STARBIND_TEST_MARK: place.mark }, ...more }
}

const log: LogLine[] = []
async function open(mcpServers: Record<string, ServerEntry>, codeMode: object = {}): Promise<Upstreams> {
  log.length = 0
  const { servers } = checkConfiguration({ mcpServers, codeMode }, { folder: place.folder, placeOf: () => 'test' })
  const options = { log: (line: LogLine) => void log.push(line), version: '0.0.0', connectTimeoutMs: 60_000 }
  const upstreams = await Upstreams.open(servers, options)
  opened.push(upstreams)
  return upstreams
}

const stateOf = (upstreams: Upstreams) => upstreams.status()[0]?.state

/**
 * From here until the timers are real again time passes only when it is let. What servers and the network do takes as
 * long as it takes.
 */
function stopClock(): (ms: number) => Promise<unknown> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  return (ms) => vi.advanceTimersByTimeAsync(ms)
}

describe('a lazy server', () => {
  it('starts at the first listing, stops when idle, and starts again for a call', async () => {
    await using codeMode = await CodeMode.open({ servers: { one: changing({ lazy: true, idleMs: 200 }) } })
    const pass = stopClock()
    const status = () => codeMode.servers.status()[0]
    expect(status()).toMatchObject({ state: 'idle', reason: 'it starts on demand', tools: [] })
    expect(place.alive()).toEqual([])
    expect((await codeMode.listToolFiles()).text).toContain('one.pyi  # 8 tools')
    const first = (await codeMode.run('result = one.pid()')).result
    await pass(199)
    expect(status()?.state).toBe('ready')
    await pass(1)
    expect(status()?.state).toBe('idle')
    await expect.poll(() => place.alive()).toEqual([])
    expect(status()?.tools).toContain('pid')
    expect((await codeMode.listToolFiles()).text).toContain('one.pyi  # 8 tools')
    expect(place.alive()).toEqual([])
    const second = await codeMode.run('result = one.pid()')
    expect([second.ok, second.result === first]).toEqual([true, false])
    vi.useRealTimers()
  })

  it('does not stop while a call is underway', async () => {
    const upstreams = await open({
      one: changing({ lazy: true, idleMs: 50 }),
      two: changing({ lazy: true, idleMs: 50 }),
    })
    const states = () => upstreams.status().map(({ state }) => state)
    const pass = stopClock()
    const file = place.write('write.pid', '')
    const stop = new AbortController()
    const writing = called(upstreams, 'one', 'write', { text: file }, { signal: stop.signal }).catch(() => {})
    await upstreams.call('one', 'pid', {})
    await upstreams.call('two', 'pid', {})
    expect(states()).toEqual(['ready', 'ready'])
    await pass(5000)
    expect(states()).toEqual(['ready', 'idle'])
    stop.abort()
    await writing
    await pass(49)
    expect(states()).toEqual(['ready', 'idle'])
    await pass(1)
    expect(states()).toEqual(['idle', 'idle'])
    vi.useRealTimers()
  })
})

describe('a server that does not answer pings', () => {
  it('is marked degraded, then connected again', async () => {
    let isHung = false
    const hung: ServerResponse[] = []
    const fixture = await openHttpFixture({
      server: () => {
        const server = new McpServer({ name: 'hub', version: '1.0.0' })
        server.registerTool('ping', {}, () => ({ content: [{ type: 'text', text: 'pong' }] }))
        return server
      },
      before: (_, response) => isHung && hung.push(response) > 0,
    })
    opened.push(fixture)
    const pass = stopClock()
    const upstreams = await open({ hub: { url: fixture.url, pingMs: 100 } })
    const status = () => upstreams.status()[0]
    expect(status()?.state).toBe('ready')
    isHung = true
    await pass(100)
    // It has been asked; whether it answers shows when the time for that is over.
    expect(status()?.state).toBe('ready')
    await pass(100)
    expect(status()).toMatchObject({ state: 'degraded', reason: 'it has not answered 1 ping' })
    // Its tools are still there, and a call is still tried.
    expect(upstreams.servers().map(({ tools }) => tools.length)).toEqual([1])
    await pass(200)
    expect(status()).toMatchObject({ state: 'degraded', reason: 'it has not answered 2 pings' })
    await pass(200)
    expect(status()).toMatchObject({ state: 'failed', reason: 'the connection was lost' })
    isHung = false
    for (const response of hung) response.destroy()
    await pass(500)
    await expect.poll(() => stateOf(upstreams)).toBe('ready')
    expect(log.map(({ message }) => message)).toContain('it does not answer pings')
    vi.useRealTimers()
  })

  it('becomes ready when it answers again, and gets no pings while it answers calls', async () => {
    const asked: (() => void)[] = []
    const told: string[] = []
    let refuse = false
    const heartbeat = new Heartbeat({
      everyMs: 20,
      againMs: 10,
      ask: () =>
        new Promise((resolve, reject) => {
          asked.push(resolve)
          if (refuse) reject(new Error('no'))
          else resolve()
        }),
      onMissed: (missed) => told.push(`missed ${missed}`),
      onBack: () => told.push('back'),
    })
    await expect.poll(() => asked.length).toBeGreaterThan(1)
    refuse = true
    await expect.poll(() => told.length).toBeGreaterThan(1)
    refuse = false
    await expect.poll(() => told.at(-1)).toBe('back')
    heartbeat.stop()
    expect(told.slice(0, 2)).toEqual(['missed 1', 'missed 2'])
  })
})

describe('the tools of a server', () => {
  it('are listed again at intervals if it sends no notifications', async () => {
    const upstreams = await open({ one: changing({ pollMs: 100 }) })
    await upstreams.call('one', 'change', { to: 'fresh', times: 0 })
    const names = () => upstreams.servers()[0]?.tools.map((tool) => tool.name)
    await expect.poll(names).toContain('fresh')
  })
})

describe('a server’s request', () => {
  const curious = (): McpServer => {
    const server = new McpServer({ name: 'curious', version: '1.0.0' }, { capabilities: { logging: {} } })
    server.registerTool('where', {}, async () => {
      await server.sendLoggingMessage({ level: 'warning', logger: 'eyes', data: { looking: true } })
      const text = await server.server.listRoots().then(
        ({ roots }) => JSON.stringify(roots),
        (error: Error) => error.message,
      )
      return { content: [{ type: 'text', text }] }
    })
    return server
  }

  it('for roots is answered from its entry or the whole configuration', async () => {
    mkdirSync(path.join(place.folder, 'data'), { recursive: true })
    const upstreams = await open(
      { own: { inProcess: curious(), roots: ['data'] }, all: { inProcess: curious() } },
      { roots: ['.'] },
    )
    const ask = async (server: string) => {
      const { content } = await upstreams.call(server, 'where', {})
      return JSON.parse((content[0] as { text: string }).text)
    }
    const uri = (folder: string) => pathToFileURL(folder).href
    expect(await ask('own')).toEqual([{ uri: uri(path.join(place.folder, 'data')), name: 'data' }])
    expect(await ask('all')).toEqual([{ uri: uri(place.folder), name: path.basename(place.folder) }])
    const without = await open({ none: { inProcess: curious() } })
    const { content } = await without.call('none', 'where', {})
    expect((content[0] as { text: string }).text).toContain('Method not found')
  })

  it('to log is written under its name and with its level', async () => {
    const upstreams = await open({ one: { inProcess: curious() } })
    await upstreams.call('one', 'where', {})
    expect(log).toContainEqual({ level: 'warn', server: 'one', message: 'eyes: {"looking":true}' })
  })
})

describe('the limit on concurrent starts', () => {
  it('is kept in order, and each slot is released once', async () => {
    const starts = new Starts(2)
    const order: number[] = []
    const first = await starts.turn()
    const second = await starts.turn()
    const waiting = [3, 4, 5].map(async (n) => {
      const end = await starts.turn()
      order.push(n)
      return end
    })
    first()
    first()
    const end = await waiting[0]!
    expect(order).toEqual([3])
    end()
    second()
    for (const one of waiting.slice(1)) (await one)()
    expect(order).toEqual([3, 4, 5])
  })
})
