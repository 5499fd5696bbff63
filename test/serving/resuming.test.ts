// A caller whose connection breaks and who reconnects: nothing is done twice, and no message to it is lost.

import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterEach, describe, expect, it } from 'vitest'
import { EventStore } from '../../dist/gateway/serving/event-store.js'
import type { InProcessTools } from '../../dist/index.js'
import { initialize, openGateway, textOf } from './callers.js'

const opened: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})

/** A proxy for a port, which can be cut. `said`: all bytes that were sent to the port. */
async function lineTo(port: number) {
  const sockets = new Set<Socket>()
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  const line = { said: '', port: 0, cut }
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
    near.on('data', (chunk) => {
      line.said += chunk
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  opened.push({
    close: () => {
      line.cut()
      server.close()
    },
  })
  line.port = (server.address() as AddressInfo).port
  return line
}

/** A tool that waits until a test releases it. */
function waiting() {
  const state = { begun: 0, ended: 0, release: () => {} }
  const tools: InProcessTools = {
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
  return { state, servers: { slow: { inProcess: tools } } }
}

const call = { name: 'executeToolCode', arguments: { code: 'slow.greet()\nprint(slow.wait())' } }

describe('a caller whose connection breaks', () => {
  async function begin() {
    const { state, servers } = waiting()
    const { serving } = await openGateway({ servers, serve: { resumeMs: 600_000 } })
    const line = await lineTo(serving.port)
    const client = new Client({ name: 'test', version: '1' })
    const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${line.port}/mcp`), {
      reconnectionOptions: {
        initialReconnectionDelay: 10,
        maxReconnectionDelay: 1000,
        reconnectionDelayGrowFactor: 2,
        maxRetries: 100,
      },
    })
    await client.connect(transport as Parameters<Client['connect']>[0])
    opened.push(client)
    // After a progress notice the caller has an event id for resuming.
    let progress = 0
    const answer = client.callTool(call, undefined, { onprogress: () => progress++, timeout: 600_000 })
    answer.catch(() => {})
    await expect.poll(() => [state.begun, progress]).toEqual([1, 1])
    return { state, line, answer }
  }

  it('gets answers from its absence', async () => {
    const { state, line, answer } = await begin()
    line.cut()
    state.release()
    expect(textOf(await answer)).toMatch(/^late\n/)
    expect(line.said.toLowerCase()).toContain('last-event-id')
    expect([state.begun, state.ended]).toEqual([1, 0])
  })

  it('gets answers from after its return', async () => {
    const { state, line, answer } = await begin()
    line.cut()
    await expect.poll(() => line.said.toLowerCase()).toContain('last-event-id')
    state.release()
    expect(textOf(await answer)).toMatch(/^late\n/)
    expect([state.begun, state.ended]).toEqual([1, 0])
  })
})

describe('an abandoned request', () => {
  const hangUp = async (resumeMs: number, version: string) => {
    const { state, servers } = waiting()
    const { fetch } = await openGateway({ servers, serve: { resumeMs } })
    const session = (await fetch('/mcp', initialize)).headers.get('mcp-session-id') ?? ''
    const stop = new AbortController()
    const body = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: call })
    const headers = { ...initialize.headers, 'mcp-session-id': session, 'mcp-protocol-version': version }
    const asked = fetch('/mcp', { ...initialize, headers, body, signal: stop.signal }).then((answer) => answer.text())
    asked.catch(() => {})
    await expect.poll(() => state.begun).toBe(1)
    stop.abort()
    await expect(asked).rejects.toThrow()
    return state
  }

  it('is cancelled after a while', async () => {
    const state = await hangUp(1, '2025-11-25')
    await expect.poll(() => state.ended).toBe(1)
  })

  it('is cancelled at once if callers cannot resume, or if resuming is off', async () => {
    const older = await hangUp(600_000, '2025-06-18')
    await expect.poll(() => older.ended).toBe(1)
    const never = await hangUp(0, '2025-11-25')
    await expect.poll(() => never.ended).toBe(1)
  })
})

describe('the messages that are kept for resuming', () => {
  const message = (id: number, text = '') => ({ jsonrpc: '2.0' as const, id, result: { text } })
  const after = async (store: EventStore, last: string) => {
    const sent: unknown[] = []
    const stream = await store.replayEventsAfter(last, { send: async (id, one) => void sent.push([id, one]) })
    return { stream, sent }
  }

  it('are those that followed on the same stream', async () => {
    const store = new EventStore()
    const begun = await store.storeEvent('one', {} as never)
    await store.storeEvent('two', message(2))
    const mine = await store.storeEvent('one', message(1))
    expect(await after(store, begun)).toEqual({ stream: 'one', sent: [[mine, message(1)]] })
    expect(await after(store, mine)).toEqual({ stream: 'one', sent: [] })
    expect(await store.getStreamIdForEventId('77')).toBeUndefined()
    await expect(after(store, '77')).rejects.toThrow('no longer stored')
  })

  it('are bounded, in number and in bytes', async () => {
    const store = new EventStore()
    const first = await store.storeEvent('one', {} as never)
    for (let i = 0; i < 300; i++) await store.storeEvent('one', message(i))
    expect(await store.getStreamIdForEventId(first)).toBeUndefined()
    const recent = await store.storeEvent('one', message(1))
    await store.storeEvent('one', message(2, 'x'.repeat(600_000)))
    expect(await store.getStreamIdForEventId(recent)).toBe('one')
    await store.storeEvent('one', message(3, 'x'.repeat(600_000)))
    expect(await store.getStreamIdForEventId(recent)).toBeUndefined()
  })
})
