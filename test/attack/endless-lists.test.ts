// Lists of tools and resources without end, too long, too slow, or with giant entries: the accepted part is bounded,
// cuts are reported, and the rest works.

import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { checkConfiguration, Upstreams } from '../../dist/gateway/index.js'
import { CodeMode, type LogLine, type ServerEntry } from '../../dist/index.js'
import { starbind, Workplace } from '../fixtures/command.js'

const script = fileURLToPath(new URL('../fixtures/flooding-server.mjs', import.meta.url))

async function open(kind: string, more: ServerEntry = {}) {
  const lines: LogLine[] = []
  const entry = { command: process.execPath, args: [script, kind], ...more }
  const codeMode = await CodeMode.open({ servers: { odd: entry }, log: (line) => lines.push(line), warm: false })
  const [{ state, tools, cut } = { state: '', tools: [], cut: [] }] = codeMode.servers.status()
  const warned = lines.filter(({ level, server }) => level === 'warn' && server === 'odd').map(({ message }) => message)
  return { codeMode, state, tools, cut, warned }
}

it.each([
  ['endless-pages', {}, 1003, 'the list of tools was cut after 1001: it has more than 1000 pages'],
  ['long-pages', { maxBytes: 8_000_000 }, 200, 'the list of tools was cut after 198: it is longer than 2000000 bytes'],
  ['slow-pages', { connectTimeoutMs: 20_000 }, undefined, undefined],
  ['many', {}, 5002, 'the list of tools was cut after 5000: more are not taken'],
  ['long-entry', {}, 3, 'the list of tools lacks 1 entry of more than 262144 bytes'],
] as const)(
  'a list is cut or refused, and the two functions for resources are there: %s',
  async (kind, more, count, cut) => {
    if (kind === 'slow-pages') {
      // If a list takes longer than the time for connecting, the server is unavailable, with the reason.
      const { codeMode, state } = await open(kind, { connectTimeoutMs: 2000 })
      expect(state).toBe('failed')
      await codeMode.close()
      return
    }
    const { codeMode, state, tools, ...said } = await open(kind, more)
    expect([state, tools.length]).toEqual(['ready', count])
    expect(said).toEqual({ cut: [cut], warned: [cut] })
    expect((await codeMode.run(`odd.${tools[0]}()`)).ok).toBe(true)
    await codeMode.close()
  },
)

it('many tools are processed in turns with other work', async () => {
  let turns = 0
  let isOpen = false
  const count = () => {
    turns++
    if (!isOpen) setImmediate(count)
  }
  const servers = { odd: { command: process.execPath, args: [script, 'many'] } }
  const { servers: configs } = checkConfiguration({ mcpServers: servers }, { folder: '/', placeOf: () => 'test' })
  setImmediate(count)
  const options = { log: () => {}, version: '0', connectTimeoutMs: 60_000 }
  const upstreams = await Upstreams.open(configs, options)
  isOpen = true
  expect(upstreams.status()[0]?.tools).toHaveLength(5_002)
  expect(turns).toBeGreaterThan(10)
  await upstreams.close()
})

it('endless lists of resources are cut', async () => {
  const { codeMode } = await open('', { resources: true })
  const { resources } = (await codeMode.direct.ask('resources/list', {})) as { resources: unknown[] }
  expect(resources).toHaveLength(1001)
  expect(codeMode.servers.status()[0]?.cut).toEqual([
    'the list of its resources was cut after 1001: it has more than 1000 pages',
  ])
  await codeMode.close()
})

it('is reported by starbind doctor', async () => {
  const place = new Workplace()
  const entry = { command: process.execPath, args: [script, 'long-entry'] }
  place.write('starbind.json', { mcpServers: { odd: entry } })
  const { stdout } = await starbind(['doctor'], { cwd: place.folder })
  expect(stdout).toContain('ok   odd  3 tools; the list of tools lacks 1 entry of more than 262144 bytes\n')
  place.remove()
})
