// A server that sends without end, in every form of the protocol and in some others: the calls of others are answered
// as before, and the excess is dropped and reported.

import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { CodeMode, type LogLine } from '../../dist/index.js'
import { openRawHttpServer } from '../fixtures/raw-http-server.js'
import { isLong } from '../random.js'

const script = fileURLToPath(new URL('../fixtures/flooding-server.mjs', import.meta.url))
const flooding = (kind: string) => ({ command: process.execPath, args: [script, kind], pingMs: 0 })
const quiet = { inProcess: { count: { call: () => 3 } } }
const limits = { wallMs: 600_000 }

const kinds: readonly [kind: string, what: string][] = [
  ['log', 'notifications or requests'],
  ['ping', 'notifications or requests'],
  ['answers', 'notifications or requests'],
  ['garbage', 'notifications or requests'],
  ['stderr', 'lines for the log'],
]
/** Numbers of notifications and requests, larger in the long form. */
const alike: typeof kinds = ['progress', 'elicitation', 'sampling'].map((kind) => [kind, 'notifications or requests'])

describe.each(isLong ? [...kinds, ...alike] : kinds)('of %s', (kind, what) => {
  it('costs the calls of others next to nothing', async () => {
    const lines: LogLine[] = []
    await using codeMode = await CodeMode.open({
      servers: { loud: flooding(kind), quiet },
      limits,
      callersAnswer: true,
      log: (line) => lines.push(line),
    })
    const calls = () => codeMode.run('for i in range(100):\n    quiet.count()\nresult = 1')
    const began = performance.now()
    expect((await codeMode.run('loud.flood()')).ok).toBe(true)
    const told = () => lines.filter(({ message }) => message.includes(`too many ${what}`))
    await expect.poll(() => told().length).toBe(1)
    for (let i = 0; i < 2; i++) expect((await calls()).ok).toBe(true)
    const seconds = (performance.now() - began) / 1000
    expect(told().length).toBeLessThanOrEqual(1 + seconds / 60)
    expect(lines.length).toBeLessThan(1500 + 250 * seconds)
    const [{ cut } = { cut: [] }] = codeMode.servers.status()
    expect(cut).toEqual(expect.arrayContaining([expect.stringMatching(new RegExp(`^\\d+ ${what} were dropped$`))]))
    // It answers slowly, but it does answer.
    expect((await codeMode.run('result = loud.pid()')).ok).toBe(true)
  })
})

it.each(['changed', 'resources'])('of notices that a list has changed (%s) is followed now and then', async (kind) => {
  const began = performance.now()
  let told = 0
  const lines: LogLine[] = []
  await using codeMode = await CodeMode.open({
    servers: { loud: { ...flooding(kind), resources: true }, quiet },
    limits,
    log: (line) => lines.push(line),
  })
  const stop = codeMode.direct.listen({}, () => told++)
  expect((await codeMode.run('loud.flood()')).ok).toBe(true)
  for (let i = 0; i < 4; i++) expect((await codeMode.run('for i in range(50):\n    quiet.count()')).ok).toBe(true)
  stop()
  const most = 50 + (10 * (performance.now() - began)) / 1000
  expect(told).toBeLessThan(most)
  expect(lines.length).toBeLessThan(most)
  expect((await codeMode.run('result = loud.echo(a=1)')).result).toEqual({ a: 1 })
})

it('over HTTP costs the calls of others next to nothing, either', async () => {
  const line = JSON.stringify({
    jsonrpc: '2.0',
    method: 'notifications/message',
    params: { level: 'info', data: 'noise' },
  })
  const events = `event: message\ndata: ${line}\n\n`.repeat(200)
  const http = await openRawHttpServer({
    tools: ['echo'],
    answer: ({ request, response }) => {
      if (request.method !== 'GET') return false
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const flood = () => {
        if (response.destroyed) return
        if (response.write(events)) setImmediate(flood)
        else response.once('drain', flood)
      }
      flood()
      return true
    },
  })
  const lines: LogLine[] = []
  await using codeMode = await CodeMode.open({
    servers: { loud: { url: http.url }, quiet },
    limits,
    log: (one) => lines.push(one),
  })
  const told = () => lines.filter(({ message }) => message.includes('too many notifications or requests'))
  const began = performance.now()
  await expect.poll(() => told().length).toBe(1)
  for (let i = 0; i < 2; i++) expect((await codeMode.run('for i in range(100):\n    quiet.count()')).ok).toBe(true)
  expect((await codeMode.run('loud.echo()')).ok).toBe(true)
  expect(lines.length).toBeLessThan(1500 + (250 * (performance.now() - began)) / 1000)
  await codeMode.close()
  await http.close()
})
