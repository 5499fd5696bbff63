// Numbers as they were written, over real transports: a server that reads the bytes of requests says what came, and one
// that writes the bytes of its answers by hand is understood.

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keepSpelling } from '../../dist/gateway/reading/spelling.js'
import { CodeMode } from '../../dist/index.js'
import { neverIdle } from '../fixtures/http-server.js'
import { random } from '../random.js'

const script = fileURLToPath(new URL('../fixtures/plain-server.mjs', import.meta.url))
let http: Server
let codeMode: CodeMode

beforeAll(async () => {
  const { answerTo } = (await import(script)) as { answerTo(line: string): Promise<string | undefined> }
  http = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const answer = request.method === 'POST' ? await answerTo(body) : undefined
    const isEvents = request.url === '/events' && answer !== undefined
    response.writeHead(request.method === 'POST' ? (answer === undefined ? 202 : 200) : 405, {
      'content-type': isEvents ? 'text/event-stream' : 'application/json',
    })
    if (!isEvents) return response.end(answer)
    // In small pieces, which end anywhere in a character.
    const bytes = Buffer.from(`: ü\r\nevent: message\r\ndata: ${answer}\r\n\r\n`)
    for (let at = 0; at < bytes.length; at += 7) response.write(bytes.subarray(at, at + 7))
    response.end()
  })
  neverIdle(http)
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  codeMode = await CodeMode.open({
    servers: {
      pipe: { command: process.execPath, args: [script] },
      web: { type: 'http', url: `${origin}/mcp` },
      events: { type: 'http', url: `${origin}/events` },
    },
  })
})
afterAll(async () => {
  await codeMode.close()
  await new Promise((resolve) => http.close(resolve))
})

const ways = ['pipe', 'web', 'events']

it.each(ways)('integers arrive with all their digits: %s', async (server) => {
  const program = `
n = 2 ** 53 + 1
result = ${server}.echo(id=n, deep={"ids": [-n, 10 ** 30, 9007199254740991]}, text="12345678901234567890", f=0.9876543210987654)
result = str(result)`
  expect((await codeMode.run(program)).result).toBe(
    '{"id":9007199254740993,"deep":{"ids":[-9007199254740993,1000000000000000000000000000000,9007199254740991]},' +
      '"text":"12345678901234567890","f":0.9876543210987654}',
  )
})

it.each(ways)('integers return unchanged, and concurrent calls keep their order: %s', async (server) => {
  const program = `
ids = [10 ** 17 + i for i in range(20)]
result = [${server}.echo(id=i)["id"] for i in ids] == ids`
  expect((await codeMode.run(program)).result).toBe(true)
})

it.each(ways)('structured content keeps its spelling: %s', async (server) => {
  const { logs, notes } = await ran(`print(${server}.spelt())`)
  expect(logs).toEqual([`{'id': 9007199254740993, 'price': 120.0, 'n': 120, 'many': 1000.0, '10': [1.5], '2': '}"{'}`])
  expect(notes).toEqual([])
})

it.each(ways)('text content with another spelling is not used: %s', async (server) => {
  expect((await ran(`print(${server}.misspelt())`)).logs).toEqual(["{'price': 120}"])
})

it('direct answers contain nothing of starbind’s own', async () => {
  const direct = await CodeMode.open({
    servers: { pipe: { command: process.execPath, args: [script], codeMode: false } },
  })
  const answer = await direct.direct.call('pipe_spelt', {}).finally(() => direct.close())
  expect(Object.keys(answer as object).sort()).toEqual(['content', 'structuredContent'])
})

async function ran(program: string): Promise<{ logs: readonly string[]; notes: string[] }> {
  const { text } = await codeMode.executeToolCode({ code: program })
  return { logs: (await codeMode.run(program)).logs, notes: text.split('\n').filter((line) => line.startsWith('note')) }
}

describe('the spelling of structured content', () => {
  const spelt = (message: string): unknown => JSON.parse(keepSpelling(message)).result?.['starbind/spelling']

  it.each([
    ['{"result":{"structuredContent":{"a":1.0}}}', '{"a":1.0}'],
    [
      '{"id":1,"result":{"content":[{"text":"\\\\"}],"structuredContent": [12345678901234567] ,"x":[]}}',
      '[12345678901234567]',
    ],
    ['{"result":{"structuredContent":{"a":"\\\\\\"}","7":0}}}', '{"a":"\\\\\\"}","7":0}'],
    ['{"result":{"structuredContent":1E2}}', '1E2'],
    ['{"result":{"structuredContent":{"a":1.0},"structuredContent":{"a":2.0}}}', '{"a":2.0}'],
  ])('is kept: %s', (message, wanted) => {
    expect(spelt(message)).toBe(wanted)
  })

  it.each([
    '{"result":{"structuredContent":{"a":1}}}',
    '{"result":{"structuredContent":{"a":1.5,"b":"2"},"content":[{"text":"{\\"a\\":1.0}"}]}}',
    '{"result":{"content":[{"structuredContent":1.0}]}}',
    '{"params":{"structuredContent":1.0}}',
    '["structuredContent", 1.0]',
    '{"result":{"structuredContent":{"a":1.0',
    '{"result":{"structuredContent":1.0,"b',
    '{"structuredContent" 1.0',
    '"structuredContent"1.0',
  ])('is left alone: %s', (message) => {
    expect(keepSpelling(message)).toBe(message)
  })

  it('is found in any surroundings', () => {
    const { seed, below } = random()
    const value = (depth: number): string => {
      const kind = below(depth > 3 ? 5 : 7)
      if (kind < 4) return ['1.0', '"a\\\\"', '"\\"structuredContent\\":{"', '12345678901234567890'][kind]!
      if (kind === 4) return ['null', 'true', '-0.5e-7'][below(3)]!
      const inner = Array.from({ length: below(4) }, () => value(depth + 1))
      const space = ['', ' ', '\n\t'][below(3)]!
      if (kind === 5) return `[${space}${inner.join(`,${space}`)}]`
      const keys = ['"a"', '"7"', '"structuredContent"', '"result"', '"\\"}"']
      return `{${inner.map((one, i) => `${space}${keys[i]}${space}:${space}${one}`).join(',')}${space}}`
    }
    for (let i = 0; i < 2000; i++) {
      const content = value(0)
      const message = `{"before":${value(1)}, "result" :{"x":${value(1)},"structuredContent": ${content},"y":${value(1)}},"after":${value(1)}}`
      const { result } = JSON.parse(keepSpelling(message))
      const isLossy = /\d{16}|\d\.0|\d[eE][+-]?\d|"\d+"\s*:/.test(content)
      expect(result['starbind/spelling'], `seed ${seed}: ${message}`).toBe(isLossy ? content : undefined)
    }
  })
})
