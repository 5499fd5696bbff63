// Integers of any size in arguments, over real wires: a server that reads the bytes of requests says what came.

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CodeMode } from '../../dist/index.js'

const script = fileURLToPath(new URL('../fixtures/plain-server.mjs', import.meta.url))
let http: Server
let codeMode: CodeMode

beforeAll(async () => {
  const { answerTo } = (await import(script)) as { answerTo(line: string): Promise<string | undefined> }
  http = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const answer = request.method === 'POST' ? await answerTo(body) : undefined
    response.writeHead(request.method === 'POST' ? (answer === undefined ? 202 : 200) : 405, {
      'content-type': 'application/json',
    })
    response.end(answer)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`
  codeMode = await CodeMode.open({
    servers: { pipe: { command: process.execPath, args: [script] }, web: { type: 'http', url } },
  })
})
afterAll(async () => {
  await codeMode.close()
  await new Promise((resolve) => http.close(resolve))
})

it.each(['pipe', 'web'])('arrive with all their digits: %s', async (server) => {
  const program = `
n = 2 ** 53 + 1
result = ${server}.echo(id=n, deep={"ids": [-n, 10 ** 30, 9007199254740991]}, text="12345678901234567890", f=0.9876543210987654)
result = str(result)`
  expect((await codeMode.run(program)).result).toBe(
    '{"id":9007199254740993,"deep":{"ids":[-9007199254740993,1000000000000000000000000000000,9007199254740991]},' +
      '"text":"12345678901234567890","f":0.9876543210987654}',
  )
})

it.each(['pipe', 'web'])('come back as they went, and many calls at once keep their order: %s', async (server) => {
  const program = `
ids = [10 ** 17 + i for i in range(20)]
result = [${server}.echo(id=i)["id"] for i in ids] == ids`
  expect((await codeMode.run(program)).result).toBe(true)
})
