// The published MCP conformance suite against starbind's client, including the scenarios of authorisation.

import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLong } from '../random.js'
import { type ClientPlace, openClientPlace } from './client-place.js'

const root = path.resolve(import.meta.dirname, '../..')
const suite = path.join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')

/** Measures a reconnection after half a second, with a tolerance of 200 ms, so a busy machine may need some tries. */
const TIMED = 'sse-retry'
const TRIES = 20
/** In these the client is to give up. */
const HOPELESS = ['auth/resource-mismatch', 'auth/scope-retry-limit']

let place: ClientPlace
beforeAll(async () => {
  place = await openClientPlace(({ scenario }) => scenario !== TIMED || isLong)
})
afterAll(() => place.close())

/** What the suite prints with these options. It rejects with that if a check fails. */
function run(...options: string[]): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const args = [suite, 'client', ...place.options, ...options]
  return promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 26 })
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
    expect([...place.failures].filter(([scenario]) => !HOPELESS.includes(scenario))).toEqual([])
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
