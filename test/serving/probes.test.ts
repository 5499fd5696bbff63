// `/healthz` and `/readyz`: what a supervisor and a balancer hear while servers start, without the store, and at the end.

import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it, vi } from 'vitest'
import { type RedisFixture, redisServer, startRedis, whyNoRedis } from '../fixtures/redis.js'
import { type Gateway, openGateway } from './callers.js'

const ok = { status: 'ok', version: expect.any(String), servers: {}, sessions: 0 }

async function ready({ fetch }: Gateway): Promise<[number, unknown]> {
  const answer = await fetch('/readyz')
  return [answer.status, await answer.json()]
}

async function lives({ fetch }: Gateway): Promise<[number, unknown]> {
  const answer = await fetch('/healthz')
  return [answer.status, await answer.json()]
}

/** The status of a question with this Host. `fetch` would set its own. */
async function statusFor(gateway: Gateway, path: string, headers: Record<string, string>): Promise<number | undefined> {
  const asked = request({ port: gateway.serving.port, host: '127.0.0.1', path, headers }).end()
  const [answer] = (await once(asked, 'response')) as [{ statusCode?: number; resume(): void }]
  answer.resume()
  return answer.statusCode
}

it('a process is ready when its servers have started or failed, and stays so', async () => {
  let release: () => void = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const hanging = createServer((_, response) => void released.then(() => response.writeHead(403).end()))
  hanging.listen(0, '127.0.0.1')
  await once(hanging, 'listening')
  const late = { url: `http://127.0.0.1:${(hanging.address() as AddressInfo).port}/mcp` }
  const gateway = await openGateway({ servers: { late }, startServers: 'meanwhile' })
  expect(await lives(gateway)).toEqual([200, { status: 'ok' }])
  const starting = { ...ok, status: 'starting', why: 'servers are starting for the first time' }
  expect(await ready(gateway)).toEqual([503, { ...starting, servers: { connecting: 1 } }])
  release()
  await vi.waitFor(async () => expect((await ready(gateway))[0]).toBe(200), { timeout: 120_000 })
  expect(await (await gateway.fetch('/health')).json()).toEqual({ ...ok, servers: { failed: 1 } })
  hanging.closeAllConnections()
  hanging.close()
})

it('a process that is closing says so to a balancer that still asks', async () => {
  const release: (() => void)[] = []
  const wait = () => new Promise<string>((resolve) => release.push(() => resolve('late')))
  const { codeMode, caller, serving } = await openGateway({
    servers: { slow: { inProcess: { wait: { call: wait } } } },
  })
  // Their first lines arrive before it begins to close, so they are still answered.
  const [ready, lives] = await Promise.all(['/readyz', '/healthz'].map((path) => halfAsked(serving.port, path)))
  const client = await caller()
  const call = client.callTool({ name: 'executeToolCode', arguments: { code: 'slow.wait()' } })
  await vi.waitFor(() => expect(release.length).toBe(1), { timeout: 120_000 })
  const closed = codeMode.close()
  expect(await ready!()).toMatch(/^HTTP\/1\.1 503 [^]*\{"status":"closing","why":"this process is closing",/)
  expect(await lives!()).toMatch(/^HTTP\/1\.1 200 [^]*\{"status":"ok"\}/)
  release[0]?.()
  await Promise.all([call, closed])
})

/** Sends a part of a question. The function sends the rest and resolves with the answer. */
async function halfAsked(port: number, path: string): Promise<() => Promise<string>> {
  const socket = connect(port, '127.0.0.1')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n`)
  await once(socket, 'ready')
  return () => {
    socket.write('\r\n')
    return text(socket)
  }
}

it('an address may ask whatever the names of this gateway are, and nobody else', async () => {
  const gateway = await openGateway({ serve: { allowedHosts: ['mcp.example.com'] } })
  const answers: [string, Record<string, string>, number][] = [
    ['/healthz', { host: '10.1.2.3:8080' }, 200],
    ['/readyz', { host: '[2001:db8::1]:8080' }, 200],
    ['/readyz', { host: 'mcp.example.com' }, 200],
    ['/readyz', { host: 'evil.example' }, 403],
    ['/healthz', { host: '10.1.2.3.evil.example' }, 403],
    ['/readyz', { host: '10.1.2.3', origin: 'http://evil.example' }, 403],
    ['/metrics', { host: '10.1.2.3' }, 403],
  ]
  for (const [path, headers, status] of answers)
    expect([path, headers, await statusFor(gateway, path, headers)]).toEqual([path, headers, status])
  // Balancers that speak HTTP/1.0 name no host.
  for (const [path, status] of [
    ['/healthz', 200],
    ['/metrics', 403],
  ]) {
    const old = connect(gateway.serving.port, '127.0.0.1')
    old.write(`GET ${path} HTTP/1.0\r\n\r\n`)
    expect(await text(old)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  }
})

describe.skipIf(redisServer === undefined)(`with a store (${redisServer ?? whyNoRedis})`, () => {
  it('a process without it lives and is not ready, until the store is back', async () => {
    await using redis: RedisFixture = await startRedis()
    const gateway = await openGateway({ state: redis.url })
    const withRedis = { ...ok, redis: 'reachable' }
    expect(await ready(gateway)).toEqual([200, withRedis])
    expect(gateway.codeMode.metrics()).toMatch(/^starbind_store_reachable 1$/m)
    await redis.stop()
    await vi.waitFor(async () => expect((await ready(gateway))[0]).toBe(503), { timeout: 120_000 })
    expect((await ready(gateway))[1]).toEqual({
      ...withRedis,
      status: 'without-store',
      why: "the store can't be used; what needs no state is still carried out",
      redis: 'unreachable',
    })
    expect(await lives(gateway)).toEqual([200, { status: 'ok' }])
    expect(gateway.codeMode.metrics()).toMatch(/^starbind_store_reachable 0$/m)
    await redis.start()
    await vi.waitFor(async () => expect(await ready(gateway)).toEqual([200, withRedis]), { timeout: 120_000 })
    await gateway.codeMode.close()
  })

  it('a store that takes nothing counts as missing', async () => {
    await using redis: RedisFixture = await startRedis()
    const gateway = await openGateway({ state: redis.url })
    expect((await ready(gateway))[0]).toBe(200)
    const command = connect(redis.port, '127.0.0.1')
    command.end('CONFIG SET maxmemory 1\r\n')
    expect(await text(command)).toBe('+OK\r\n')
    await vi.waitFor(async () => expect((await ready(gateway))[0]).toBe(503), { timeout: 120_000 })
    await gateway.codeMode.close()
  })
})
