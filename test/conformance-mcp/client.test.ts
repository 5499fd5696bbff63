// The published MCP conformance suite against starbind's client, including the scenarios of authorisation.

import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLong } from '../random.js'
import { beClient } from './client.mjs'

const root = path.resolve(import.meta.dirname, '../..')
const suite = path.join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
const relay = path.join(root, 'test/conformance-mcp/relay.mjs')

/** Measures a reconnection after half a second, with a tolerance of 200 ms, so a busy machine may need some tries. */
const TIMED = 'sse-retry'
const TRIES = 20
/** In these the client is to give up. */
const HOPELESS = ['auth/resource-mismatch', 'auth/scope-retry-limit']

let turn: Promise<unknown> = Promise.resolve()
/** Why clients failed, by scenario. */
const failures = new Map<string, string>()
/** Runs the client that the suite has started. Clients run in turns, each with a home folder of its own. */
const here = createServer(async (request, response) => {
  const asked = JSON.parse(await text(request)) as { url: string; scenario: string; context: object }
  turn = turn
    .then(() => (asked.scenario === TIMED && !isLong ? undefined : beClient(asked)))
    .catch((error: Error) => {
      failures.set(asked.scenario, `${error.stack}`)
      response.writeHead(500)
    })
    .finally(() => response.end())
})
let place = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => here.listen(0, '127.0.0.1', resolve))
  place = `http://127.0.0.1:${(here.address() as AddressInfo).port}/`
})
afterAll(() => void here.close())

/** What the suite prints with these options. It rejects with that if a check fails. */
function run(...options: string[]): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const command = ['--command', `${process.execPath} ${relay} ${place}`, '--timeout', '200000']
  return promisify(execFile)(process.execPath, [suite, 'client', ...command, ...options], { maxBuffer: 2 ** 26 })
}

describe('the conformance suite for clients', () => {
  it('passes in every scenario', async () => {
    const { stdout } = await run('--suite', 'all', '--verbose').catch((error: { stdout: string }) => error)
    const [, summary = ''] = stdout.split('=== SUITE SUMMARY ===')
    const ends = [...summary.matchAll(/^([✓✗]) (\S+): /gm)].map(([, sign, scenario]) => [scenario, sign])
    expect(ends.length).toBeGreaterThan(20)
    expect(ends.map(([scenario]) => scenario)).toContain(TIMED)
    expect(
      ends.filter(([scenario, sign]) => sign !== '✓' && scenario !== TIMED),
      summary,
    ).toEqual([])
    expect([...failures].filter(([scenario]) => !HOPELESS.includes(scenario))).toEqual([])
  })

  it.runIf(isLong)('passes in the scenario that measures time, when nothing else is underway', async () => {
    const complaint = () =>
      run('--scenario', TIMED).then(
        () => undefined,
        ({ stderr }: { stderr: string }) => stderr,
      )
    let wrong = await complaint()
    for (let tries = 1; tries < TRIES && wrong !== undefined; tries++) wrong = await complaint()
    expect(wrong).toBeUndefined()
  })
})
