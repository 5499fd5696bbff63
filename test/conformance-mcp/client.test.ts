// The published MCP conformance suite against the client that we are to upstreams, its scenarios of authorisation included.

import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const suite = path.join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
const client = path.join(root, 'test/conformance-mcp/client.mjs')
const run = (...args: string[]) =>
  promisify(execFile)(process.execPath, [suite, ...args], { maxBuffer: 64 * 1024 * 1024 })

describe('the conformance suite for clients', () => {
  it('passes in every scenario', async () => {
    const { stdout } = await run('list', '--client')
    const scenarios = [...stdout.matchAll(/^ {2}- (\S+)$/gm)].map((match) => match[1]!)
    expect(scenarios.length).toBeGreaterThan(20)
    const waiting = [...scenarios]
    const failed: string[] = []
    const work = async () => {
      for (let scenario = waiting.shift(); scenario !== undefined; scenario = waiting.shift()) {
        // The exit status says whether it passed, and everything else stands on stderr.
        await run('client', '--command', `${process.execPath} ${client}`, '--scenario', scenario).catch(
          (error: { stderr: string }) => failed.push(`${scenario}\n${error.stderr}`),
        )
      }
    }
    await Promise.all([work(), work(), work()])
    expect(failed).toEqual([])
  }, 300_000)
})
