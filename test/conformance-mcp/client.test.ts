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
const run = (...args: string[]) =>
  promisify(execFile)(process.execPath, [suite, ...args], { maxBuffer: 64 * 1024 * 1024 })

let turn: Promise<unknown> = Promise.resolve()
/** Runs the client that the suite has started. Clients run in turns, each with a home folder of its own. */
const here = createServer(async (request, response) => {
  const asked = JSON.parse(await text(request)) as Parameters<typeof beClient>[0]
  turn = turn
    .then(() => beClient(asked))
    .then(
      () => response.end(),
      (error: Error) => response.writeHead(500).end(error.stack),
    )
})
let place = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => here.listen(0, '127.0.0.1', resolve))
  place = `http://127.0.0.1:${(here.address() as AddressInfo).port}/`
})
afterAll(() => void here.close())

/** The failure of a scenario; undefined if it passes. The exit status decides, and details are on stderr. */
async function complaint(scenario: string): Promise<string | undefined> {
  const args = ['--command', `${process.execPath} ${relay} ${place}`, '--scenario', scenario, '--timeout', '200000']
  return run('client', ...args).then(
    () => undefined,
    (error: { stderr: string }) => `${scenario}\n${error.stderr}`,
  )
}

/** Measures a reconnection after half a second, with a tolerance of 200 ms, so a busy machine may need some tries. */
const TIMED = 'sse-retry'
const TRIES = 20

describe('the conformance suite for clients', () => {
  it('passes in every scenario', async () => {
    const { stdout } = await run('list', '--client')
    const scenarios = [...stdout.matchAll(/^ {2}- (\S+)$/gm)].map((match) => match[1]!)
    expect(scenarios.length).toBeGreaterThan(20)
    expect(scenarios).toContain(TIMED)
    const waiting = scenarios.filter((scenario) => scenario !== TIMED)
    const failed: string[] = []
    const work = async () => {
      for (let scenario = waiting.shift(); scenario !== undefined; scenario = waiting.shift()) {
        const wrong = await complaint(scenario)
        if (wrong !== undefined) failed.push(wrong)
      }
    }
    await Promise.all([work(), work(), work()])
    expect(failed).toEqual([])
  })

  it.runIf(isLong)('passes in the scenario that measures time, when nothing else is underway', async () => {
    let wrong = await complaint(TIMED)
    for (let tries = 1; tries < TRIES && wrong !== undefined; tries++) wrong = await complaint(TIMED)
    expect(wrong).toBeUndefined()
  })
})
