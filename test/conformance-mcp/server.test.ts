// The published MCP conformance suite against starbind's server, which passes through the tools, resources and prompts
// of a fixture upstream.

import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CodeMode, type HttpServing } from '../../dist/index.js'

const root = path.resolve(import.meta.dirname, '../..')
const suite = path.join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
const fixture = path.join(root, 'test/conformance-mcp/fixture-server.mjs')

let codeMode: CodeMode
let serving: HttpServing
beforeAll(async () => {
  codeMode = await CodeMode.open({
    servers: {
      fixture: { command: process.execPath, args: [fixture], codeMode: false, resources: true, prompts: true },
    },
    serve: { port: 0 },
    callersAnswer: true,
  })
  serving = await codeMode.serveHttp()
})
afterAll(() => codeMode.close())

/** The output of the suite. Rejects if a check fails. */
async function conformance(...args: string[]): Promise<string> {
  const url = `${serving.url}/fixture`
  const { stdout } = await promisify(execFile)(process.execPath, [suite, 'server', '--url', url, ...args], {
    maxBuffer: 64 * 1024 * 1024,
  })
  return stdout
}

describe('the conformance suite', () => {
  it('passes entirely through the gateway', async () => {
    // The suite waits only a few seconds for some answers, so a busy machine may need more than one try.
    let printed = ''
    for (let tries = 0; tries < 5 && (tries === 0 || printed.includes('✗')); tries++) printed = await conformance()
    expect(printed.match(/^Total: .*$/m)?.[0]).toMatch(/^Total: \d{2} passed, 0 failed$/)
    expect(printed).not.toContain('✗')
  }, 600_000)

  it('finds the keywords of JSON Schema 2020-12, which it does not count by default', async () => {
    expect(await conformance('--scenario', 'json-schema-2020-12')).toMatch(/Passed: 4\/4, 0 failed/)
  })
})
