// Callers that open connections and bodies without end and never finish them: their buffers are bounded, and honest
// callers are served meanwhile.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, it } from 'vitest'
import { addKey } from '../../dist/index.js'
import { callerOf, openGateway, textOf } from '../serving/callers.js'

const MIB = 1024 * 1024
const servers = { shop: { inProcess: { count: { call: () => 3 } } } }
const call = { name: 'executeToolCode', arguments: { code: 'print(shop.count())' } }
const fixture = fileURLToPath(new URL('../fixtures/holding-gateway.mjs', import.meta.url))
const sockets: Socket[] = []
const gateways: ChildProcess[] = []
const folder = mkdtempSync(path.join(tmpdir(), 'starbind-stalled-'))
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const gateway of gateways.splice(0)) gateway.disconnect()
  rmSync(folder, { recursive: true, force: true })
})

interface Stalled {
  /** The data received until the other side closed the connection. */
  readonly ended: Promise<string>
}

/** Announces `length` bytes, sends `sent` of them, and waits. */
function stall(url: string, { length, sent, key }: { length: number; sent: number; key?: string }): Stalled {
  const { port, host } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1')
  sockets.push(socket)
  const authorization = key === undefined ? '' : `Authorization: Bearer ${key}\r\n`
  const head = `POST /mcp HTTP/1.1\r\nHost: ${host}\r\n${authorization}Content-Length: ${length}\r\n\r\n`
  socket.write(head + 'x'.repeat(sent))
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  const ended = new Promise<string>((resolve) => {
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
  })
  return { ended }
}

/** The next message of a gateway in a process of its own. */
const said = async <T>(gateway: ChildProcess) => (await once(gateway, 'message'))[0] as T

const statusOf = (text: string) => /^HTTP\/1\.1 (\d+)/.exec(text)?.[1]

it('buffers of long bodies are bounded', async () => {
  const serve = { maxUnreadBytes: 4 * MIB, maxUnreadBytesPerKey: 4 * MIB, bodyIdleMs: 600_000 }
  const gateway = fork(fixture, [JSON.stringify(serve)], { execArgv: ['--expose-gc'] })
  gateways.push(gateway)
  const url = await said<string>(gateway)
  const client = await callerOf(url)
  const statuses: (string | undefined)[] = []
  for (let i = 0; i < 60; i++)
    void stall(url, { length: 7 * MIB, sent: 2 * MIB }).ended.then((text) => statuses.push(statusOf(text)))
  expect(textOf(await client.callTool(call))).toMatch(/^3\n/)
  // There is room for two.
  await expect.poll(() => statuses.length).toBeGreaterThanOrEqual(58)
  // A client that still sends when the connection is closed may not get to read the reason.
  for (const status of statuses) expect(['503', undefined]).toContain(status)
  const mostBytes = said<number>(gateway)
  gateway.send('how much?')
  // 120 MiB were sent. What there is room for is held twice while a buffer grows, and what nobody refers to any more is
  // counted until the engine has swept it.
  expect(await mostBytes).toBeLessThan(60 * MIB)
  expect(textOf(await client.callTool(call))).toMatch(/^3\n/)
})

it('a stalled body is aborted', async () => {
  const { serving } = await openGateway({ servers, serve: { bodyIdleMs: 200 } })
  // So little that it is all read at once: whoever still sends when the connection is closed may not get to read why.
  expect(statusOf(await stall(serving.url, { length: 7 * MIB, sent: 10 }).ended)).toBe('408')
})

it('one key leaves room for the long bodies of another', async () => {
  const keysFile = path.join(mkdtempSync(path.join(tmpdir(), 'starbind-stalled-')), 'keys.json')
  const [bad, good] = [addKey(keysFile, 'bad'), addKey(keysFile, 'good')]
  const { serving, caller } = await openGateway({
    servers,
    serve: { keysFile, maxUnreadBytes: 8 * MIB, maxUnreadBytesPerKey: 2 * MIB, bodyIdleMs: 60_000 },
  })
  const client = await caller({ headers: { authorization: `Bearer ${good}` } })
  const tries = Array.from({ length: 10 }, () => stall(serving.url, { length: 3 * MIB, sent: 1.2 * MIB, key: bad }))
  await Promise.race(tries.map(({ ended }) => ended))
  const long = `print(shop.count())\n${'#'.repeat(200_000)}`
  expect(textOf(await client.callTool({ ...call, arguments: { code: long } }))).toMatch(/^3\n/)
})

it('connections beyond the limit are closed', async () => {
  const { serving, codeMode } = await openGateway({ servers, serve: { maxConnections: 10, bodyIdleMs: 600_000 } })
  const stalled = Array.from({ length: 30 }, () => stall(serving.url, { length: 1000, sent: 10 }))
  let closed = 0
  for (const { ended } of stalled) void ended.then(() => closed++)
  await expect.poll(() => closed).toBeGreaterThanOrEqual(20)
  expect(codeMode.metrics()).toMatch(/^starbind_connections_refused_total 20$/m)
})
