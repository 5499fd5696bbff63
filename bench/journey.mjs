// The time of calls and runs through the library: node bench/journey.mjs Wall time and processor time of the whole
// process, starbind's threads included. A server over stdio is the SDK's own, and so is the client that it is compared
// with, in turns with ours.

import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { z } from 'zod'
import { CodeMode } from '../dist/bundle/index.js'

const self = fileURLToPath(import.meta.url)
const numbers = { a: z.int(), b: z.int() }
const reads = { readOnlyHint: true }

if (process.argv[2] === 'serve') {
  const server = new McpServer({ name: 'adder', version: '1.0.0' })
  server.registerTool('add', { inputSchema: numbers, annotations: reads }, ({ a, b }) => ({
    content: [{ type: 'text', text: JSON.stringify({ sum: a + b }) }],
  }))
  await server.connect(new StdioServerTransport())
} else await measure()

async function measure() {
  const inProcess = {
    add: { inputSchema: z.object(numbers), annotations: reads, call: ({ a, b }) => ({ sum: a + b }) },
  }
  const started = { command: process.execPath, args: [self, 'serve'] }
  const codeMode = await CodeMode.open({
    servers: { here: { inProcess }, apart: started },
    limits: { toolCalls: 100_000, wallMs: 300_000, cpuMs: 300_000 },
  })
  const client = new Client({ name: 'bench', version: '1.0.0' })
  await client.connect(new StdioClientTransport(started))
  const run = async (code) => {
    const { ok, error } = await codeMode.run(code)
    if (!ok) throw new Error(error.message)
  }

  const rows = []
  const note = (what, each) => rows.push({ what, ...each })
  note('function, the first 1,000 calls, each', await perUnit(1, 1000, () => run(inSequence('here', 1000))))
  note('function, 10,000 calls in sequence, each', await perUnit(5, 10_000, () => run(inSequence('here', 10_000))))
  note('function, 10,000 calls read ahead, each', await perUnit(5, 10_000, () => run(ahead('here', 10_000))))
  const direct = async () => {
    for (let i = 0; i < 2000; i++) await client.callTool({ name: 'add', arguments: { a: i, b: 1 } })
  }
  const [sdk, seq, early] = await inTurns(5, 2000, [
    direct,
    () => run(inSequence('apart', 2000)),
    () => run(ahead('apart', 2000)),
  ])
  note("stdio, the SDK's client, each call", sdk)
  note(`stdio, in a program, in sequence: ${(seq.wall / sdk.wall).toFixed(2)} of that`, seq)
  note(`stdio, in a program, read ahead: ${(early.wall / sdk.wall).toFixed(2)} of that`, early)
  note('trivial run, warm', await perUnit(5, 400, () => times(400, () => run('result = 1'))))
  note('200 trivial runs at once, each', await perUnit(5, 200, () => Promise.all(times200(() => run('result = 1')))))
  for (const { what, wall, cpu } of rows)
    console.log(`${what.padEnd(60)} ${shown(wall).padStart(9)} wall ${shown(cpu).padStart(9)} processor`)
  console.log(`resident memory at the end: ${Math.round(process.memoryUsage.rss() / 1e6)} MB`)
  await client.close()
  await codeMode.close()
}

function inSequence(server, n) {
  return `t = 0\nfor i in range(${n}):\n    r = ${server}.add(a=i, b=1)\n    t = t + r["sum"] if t < 10**9 else 0\nresult = t`
}

function ahead(server, n) {
  return `rows = [${server}.add(a=i, b=1) for i in range(${n})]\nresult = sum(r["sum"] for r in rows)`
}

async function times(n, act) {
  for (let i = 0; i < n; i++) await act()
}

function times200(act) {
  return Array.from({ length: 200 }, act)
}

/** Medians over rounds of what one unit takes, in milliseconds. */
async function perUnit(rounds, units, act) {
  const [one] = await inTurns(rounds, units, [act])
  return one
}

async function inTurns(rounds, units, acts) {
  const taken = acts.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (const [i, act] of acts.entries()) {
      const [wall, cpu] = [performance.now(), process.cpuUsage()]
      await act()
      const { user, system } = process.cpuUsage(cpu)
      taken[i].push({ wall: (performance.now() - wall) / units, cpu: (user + system) / 1000 / units })
    }
  }
  return taken.map((all) => ({ wall: median(all.map((x) => x.wall)), cpu: median(all.map((x) => x.cpu)) }))
}

function median(values) {
  return values.sort((a, b) => a - b)[values.length >> 1]
}

function shown(ms) {
  return ms < 1 ? `${Math.round(ms * 1000)} µs` : `${ms.toFixed(2)} ms`
}
