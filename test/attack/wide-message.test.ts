// Messages whose envelope has tens of thousands of members, from callers and from servers: the protocol's library would
// look at each of them. They are not read, and the event loop is not held.

import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { CodeMode } from '../../dist/index.js'
import { canWatchLoop, leastHeldMs } from '../fixtures/loop-watch.js'

const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, 1]))

describe.skipIf(!canWatchLoop)('from a caller', () => {
  const call = { jsonrpc: '2.0', id: 5, method: 'tools/call' }
  it.each([
    ['a notification', { jsonrpc: '2.0', method: 'notifications/x', params: many }],
    ['a message', { jsonrpc: '2.0', method: 'notifications/x', ...many }],
    ['a request', { ...call, params: { ...many, name: 'executeToolCode', arguments: { code: '1' } } }],
    ['_meta', { ...call, params: { name: 'executeToolCode', arguments: { code: '1' }, _meta: many } }],
    ['a message among others', [{ jsonrpc: '2.0', method: 'notifications/x', params: many }]],
  ])('%s with too many members is not read', async (_, message) => {
    await using codeMode = await CodeMode.open({ serve: { port: 0 } })
    const { url } = await codeMode.serveHttp()
    const body = JSON.stringify(message)
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const refused = async () => {
      const response = await fetch(url, { method: 'POST', headers, body })
      expect([response.status, await response.json()]).toEqual([
        413,
        {
          jsonrpc: '2.0',
          error: { code: -32600, message: 'the body is a message of more than 5000 members' },
          id: null,
        },
      ])
    }
    expect(await leastHeldMs(refused)).toBeLessThan(50)
  })
})

describe.skipIf(!canWatchLoop)('from a server', () => {
  const fixture = fileURLToPath(new URL('../fixtures/flooding-server.mjs', import.meta.url))
  it.each(['wide-params', 'wide-message', 'wide-meta'])('in a notification (%s)', async (kind) => {
    const lines: string[] = []
    await using codeMode = await CodeMode.open({
      servers: { wide: { command: process.execPath, args: [fixture, kind] } },
      log: ({ message }) => lines.push(message),
    })
    const calls = async () => expect((await codeMode.run('result = wide.wide()')).result).toEqual({ a: 1 })
    expect(await leastHeldMs(calls)).toBeLessThan(50)
    expect(lines).toContain('a message went wrong: it sent a message of more than 5000 members')
  })
})
