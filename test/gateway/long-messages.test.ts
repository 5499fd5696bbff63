// Answers that are long: they arrive as they were sent, over each transport, and others have their turn while they are
// read.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { CodeMode, type ServerEntry } from '../../dist/index.js'
import { openRawHttpServer, respond } from '../fixtures/raw-http-server.js'
import { amount } from '../random.js'

const script = fileURLToPath(new URL('../fixtures/flooding-server.mjs', import.meta.url))
const ROWS = amount(8_000, 40_000)
const row = '{"n":1.0,"id":9007199254740993,"text":"€"}'
const rows = (count: number) => `{"content":[],"structuredContent":{"rows":[${Array(count).fill(row).join(',')}]}}`
const code = 'd = odd.long()["rows"]\nresult = [len(d), str(d[-1]["n"]), str(d[-1000]["id"]), d[0]["text"]]'

it('the fixture sends the expected rows', () => expect(readFileSync(script, 'utf8')).toContain(row))

it.each(['stdio', 'json', 'events'])('over %s', async (wire) => {
  const http = await openRawHttpServer({
    tools: ['long'],
    answer: ({ response, id, method }) => {
      if (method !== 'tools/call') return false
      if (wire === 'json') respond(response, id, rows(ROWS))
      else {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.end(`event: message\r\ndata: {"jsonrpc":"2.0","id":${id},"result":${rows(ROWS)}}\r\n\r\n`)
      }
      return true
    },
  })
  const entry: ServerEntry = wire === 'stdio' ? { command: process.execPath, args: [script] } : { url: http.url }
  // With a credential that is looked for everywhere.
  const secret =
    wire === 'stdio'
      ? { env: { TOKEN: 'hunter2hunter2', ROWS: String(ROWS) } }
      : { headers: { 'x-key': 'hunter2hunter2' } }
  await using codeMode = await CodeMode.open({ servers: { odd: { ...entry, ...secret } }, limits: { wallMs: 300_000 } })
  expect(await codeMode.run(code)).toMatchObject({ ok: true, result: [ROWS, '1.0', '9007199254740993', '€'] })
  await http.close()
})
