// The time that running ahead of reads saves, and its cost: node bench/read-ahead.mjs Upstreams are functions of this
// process, which answer after a time, so that the figures are those of starbind alone.

import { bindServers, CallSchedule, Observations } from '../dist/bindings/index.js'
import { Desk, RunHistory, runProgram } from '../dist/meta-tools/index.js'
import { openSandbox } from '../dist/sandbox/index.js'
import { openVfs } from '../dist/vfs/index.js'

const sandbox = openSandbox({ limits: { toolCalls: 100_000 } })
const desk = new Desk()
const schema = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] }
const tool = (name) => ({ name, inputSchema: schema, annotations: { readOnlyHint: true } })

/** Runs a program whose calls take `latencyMs` each. */
async function run(code, { latencyMs = 0, callsAtOnce, readAhead = true } = {}) {
  const answer = (id) => ({ isError: false, content: [], structuredContent: { id } })
  const caller = {
    async call(_server, _tool, { id }) {
      if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs))
      return answer(id)
    },
  }
  const callsPerServer = () => callsAtOnce
  const context = {
    bindings: bindServers([{ name: 'crm', tools: ['a', 'b', 'c'].map(tool) }], { observations: new Observations() }),
    unavailable: () => ({}),
    caller,
    schedule: new CallSchedule({ callsPerRun: callsAtOnce, callsPerServer }),
    sandbox,
    desk,
    vfs: openVfs(),
    language: 'starlark',
    dialect: {},
    limits: { toolCalls: 100_000 },
    answerMaxChars: 24_000,
    history: new RunHistory(32_000_000),
    readsAhead: () => true,
  }
  const result = await runProgram({ text: code, language: 'starlark' }, context, { readAhead })
  if (!result.ok) throw new Error(result.report)
  return result
}

async function seconds(code, options) {
  const began = performance.now()
  await run(code, options)
  return (performance.now() - began) / 1000
}

/** The median of the ratio of two programs' times, measured by turns. */
async function ratio(one, other, rounds = 15) {
  const ratios = []
  for (let i = 0; i < rounds; i++) ratios.push((await one()) / (await other()))
  return ratios.sort((a, b) => a - b)[rounds >> 1]
}

const show = (what, figure, target) => console.log(`${what.padEnd(66)} ${figure.padStart(8)}   ${target}`)
const inSeconds = (s) => `${s.toFixed(2)} s`

await run('result = crm.a(id=1)')
const fifty = 'result = len([x["id"] for x in [crm.a(id=i) for i in range(50)]])'
const sequence = await seconds(fifty, { latencyMs: 100, readAhead: false })
show('50 reads of 100 ms, one after the other', inSeconds(sequence), '')
show('50 reads of 100 ms, run ahead of', inSeconds(await seconds(fifty, { latencyMs: 100 })), 'at most 0.80 s')
const wide = await seconds(fifty, { latencyMs: 100, callsAtOnce: 64 })
show('50 reads of 100 ms, 64 at once', inSeconds(wide), 'at most 0.25 s')

const pipeline = `
first = [crm.a(id=i) for i in range(40)]
second = [crm.b(id=x["id"]) for x in first]
third = [crm.c(id=x["id"]) for x in second]
result = [x["id"] for x in third]
`
const ideal = (3 * 40 * 100) / 8 / 1000
const pipelined = await seconds(pipeline, { latencyMs: 100 })
show('three dependent stages over 40 items, of the ideal schedule', (pipelined / ideal).toFixed(2), 'at most 1.30')

const many = 'result = len([x["id"] for x in [crm.a(id=i) for i in range(10000)]])'
show('10,000 reads in this process', inSeconds(await seconds(many)), 'at most 0.50 s')
show('10,000 reads in this process, one after the other', inSeconds(await seconds(many, { readAhead: false })), '')

const busy = 'total = 0\nfor i in range(300000):\n  total = (total * 31 + i) % 1000003\nresult = total'
const cost = await ratio(
  () => seconds(busy),
  () => seconds(busy, { readAhead: false }),
)
show('a program without calls, against the same with the feature off', cost.toFixed(3), 'at most 1.020')
await Promise.all([sandbox.close(), desk.close()])
