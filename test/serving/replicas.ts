// Several replicas over one Redis, and a balancer before them that knows nothing of sessions.

import { once } from 'node:events'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CodeMode, type HttpServing, type OpenOptions } from '../../dist/index.js'
import { type RedisFixture, startRedis } from '../fixtures/redis.js'

export interface Replica {
  readonly codeMode: CodeMode
  readonly serving: HttpServing
  /** A raw request to this replica. */
  fetch(path: string, init?: RequestInit): Promise<Response>
}

export interface Replicas {
  readonly redis: RedisFixture
  readonly all: readonly Replica[]
  readonly balancer: Balancer
  close(): Promise<void>
}

export interface Balancer {
  /** Where callers connect. */
  readonly url: string
  /** The method and the replica of each request, such as `POST 1`. */
  readonly seen: string[]
  /** The same for each answer that has begun. */
  readonly answered: string[]
  /** Chooses the replica of the next request. Default: POST goes to each in turn, GET to the first. */
  route: (method: string) => number
  /** GET requests wait for it. */
  hold: Promise<void>
  /** Ends the streams that are open. */
  cut(): void
  close(): void
}

/** Two replicas. `options`: of each. */
export async function openReplicas(options: (index: number) => OpenOptions): Promise<Replicas> {
  const redis = await startRedis()
  const all = await Promise.all([0, 1].map((index) => openReplica(redis, options(index))))
  const balancer = await balance(all.map(({ serving }) => serving.port))
  const close = async () => {
    balancer.close()
    for (const { codeMode } of all) await codeMode.close()
    await redis[Symbol.asyncDispose]()
  }
  return { redis, all, balancer, close }
}

async function openReplica(redis: RedisFixture, options: OpenOptions): Promise<Replica> {
  const codeMode = await CodeMode.open({ state: redis.url, ...options, serve: { port: 0, ...options.serve } })
  const serving = await codeMode.serveHttp()
  return { codeMode, serving, fetch: (at, init) => fetch(new URL(at, serving.url), init) }
}

export async function balance(ports: readonly number[]): Promise<Balancer> {
  let posts = 0
  const open = new Set<{ destroy(): unknown }>()
  const server = createServer(async (request, response) => {
    const { method = '', url, headers } = request
    if (method === 'GET') await balancer.hold
    const replica = balancer.route(method)
    balancer.seen.push(`${method} ${replica}`)
    const onward = send({ port: ports[replica]!, host: '127.0.0.1', method, path: url, headers }, (answer) => {
      balancer.answered.push(`${method} ${replica}`)
      response.writeHead(answer.statusCode!, answer.headers)
      response.flushHeaders()
      answer.on('error', () => response.destroy())
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    response.on('close', () => onward.destroy())
    response.on('close', () => open.delete(response))
    open.add(response)
    request.pipe(onward)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const cut = () => {
    for (const one of open) one.destroy()
  }
  const balancer: Balancer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    seen: [],
    answered: [],
    route: (method) => (method === 'POST' ? posts++ % ports.length : 0),
    hold: Promise.resolve(),
    cut,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
  return balancer
}
