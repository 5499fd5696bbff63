// Attack: servers that repeat the credentials they were given, wherever a server can say anything. None of it may be
// seen in a log, an error, a stub, a document, a result, the guest's own values, a kept file or the status.

import { fileURLToPath } from 'node:url'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CodeMode, type LogLine } from '../../dist/index.js'
import { type HttpFixture, openHttpFixture } from '../fixtures/http-server.js'

const marks = {
  env: 'MARKED-env-9f3a1c',
  argument: 'MARKED-argument-77b2',
  header: 'MARKED-header-5d0e',
  bearer: 'MARKED-bearer-c4c4',
  query: 'MARKED-query-1a2b',
}

let http: HttpFixture
beforeAll(async () => {
  http = await openHttpFixture({
    server: () => {
      const said = `${marks.header} ${marks.bearer} ${marks.query}`
      const server = new McpServer({ name: 'hub', version: '1.0.0' }, { instructions: `Use ${said}. Now.` })
      server.registerTool('tell', { description: `Tells ${said}` }, () => ({
        content: [{ type: 'text', text: said }],
        structuredContent: { [marks.bearer]: [marks.header] },
      }))
      server.registerTool('fail', {}, () => {
        throw new Error(`could not use ${said}`)
      })
      return server
    },
  })
})
afterAll(() => http.close())

const script = fileURLToPath(new URL('../fixtures/blabbing-server.mjs', import.meta.url))

describe('credentials that servers repeat', () => {
  it('appear nowhere', async () => {
    const log: LogLine[] = []
    process.env.STARBIND_TEST_API_KEY = marks.env
    await using codeMode = await CodeMode.open({
      servers: {
        local: {
          command: process.execPath,
          args: [script, '--token', marks.argument],
          env: { API_KEY: '${STARBIND_TEST_API_KEY}' },
        },
        hub: {
          url: `${http.url}?api_key=${marks.query}`,
          headers: { 'x-api-key': marks.header },
          bearerToken: marks.bearer,
        },
        broken: {
          command: process.execPath,
          args: [script, '--token', marks.argument, '--crash'],
          env: { API_KEY: marks.env },
        },
      },
      log: (line) => void log.push(line),
    })
    delete process.env.STARBIND_TEST_API_KEY
    const events: unknown[] = []
    const shown: unknown[] = [codeMode.servers.status()]
    for (const query of [{}, { query: 'tell' }]) shown.push(await codeMode.listToolFiles(query))
    for (const server of ['local', 'hub']) {
      shown.push(await codeMode.readToolFile({ fileName: server }))
      shown.push(await codeMode.getToolDocs({ server, tools: ['tell', 'fail'] }))
      for (const program of [
        `print(${server}.tell())\nresult = ${server}.tell()`,
        `${server}.fail()`,
        `result = ["MARKED" in str(${server}.tell()), len(str(${server}.tell()))]`,
        `${server}.nothing_like_this()`,
      ]) {
        const run = await codeMode.run(program, { onEvent: (event) => void events.push(event) })
        shown.push(run, await codeMode.executeToolCode({ code: program }))
        if (program.includes('len(')) expect((run.result as unknown[])[0]).toBe(false)
      }
    }
    shown.push(await codeMode.executeToolCode({ code: 'broken.tell()' }))
    const everything = JSON.stringify([shown, events, log])
    expect(everything.length).toBeGreaterThan(5000)
    expect(everything).toContain('[hidden]')
    for (const [kind, mark] of Object.entries(marks)) expect([kind, everything.includes(mark)]).toEqual([kind, false])
  })
})
