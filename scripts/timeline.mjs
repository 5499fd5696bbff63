// Draws docs/images/read-ahead.svg: the calls of one program from its ledgers, once in sequence and once with
// read-ahead. Run it after a build: node scripts/timeline.mjs. The upstreams are functions of this process that answer
// after a time.

import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { bindServers, CallSchedule, Observations } from '../dist/bindings/index.js'
import { RunHistory, runProgram } from '../dist/meta-tools/index.js'
import { openSandbox } from '../dist/sandbox/index.js'
import { openVfs } from '../dist/vfs/index.js'

const program = `
ids = crm.list_customers()
customers = [crm.get_customer(id=i) for i in ids]
orders = {}
for c in customers:
    orders[c["id"]] = shop.orders(customer=c["id"])
crm.add_note(text=str(len(orders)))
result = [o["total"] for o in orders.values()]
`

const reads = { readOnlyHint: true }
const schema = { type: 'object' }
const servers = [
  {
    name: 'crm',
    tools: [
      { name: 'list_customers', inputSchema: schema, annotations: reads },
      { name: 'get_customer', inputSchema: schema, annotations: reads },
      { name: 'add_note', inputSchema: schema },
    ],
  },
  { name: 'shop', tools: [{ name: 'orders', inputSchema: schema, annotations: reads }] },
]
const answers = {
  list_customers: () => ({ result: [1, 2, 3, 4, 5, 6] }),
  get_customer: ({ id }) => ({ id }),
  orders: ({ customer }) => ({ total: customer * 10 }),
  add_note: () => ({ ok: true }),
}

/** The duration of a call: some are slower than others. */
const milliseconds = (args) => 60 + (((args.id ?? args.customer ?? 0) * 37) % 50)

const sandbox = openSandbox()
const context = {
  bindings: bindServers(servers, { observations: new Observations() }),
  unavailable: () => ({}),
  caller: {
    async call(_server, tool, args) {
      await new Promise((resolve) => setTimeout(resolve, milliseconds(args)))
      const answer = answers[tool](args)
      return { isError: false, content: [{ type: 'text', text: JSON.stringify(answer.result ?? answer) }] }
    },
  },
  schedule: new CallSchedule(),
  sandbox,
  vfs: openVfs(),
  language: 'starlark',
  dialect: {},
  limits: {},
  answerMaxChars: 24_000,
  history: new RunHistory(32_000_000),
  readsAhead: (_server, tool) => tool.annotations?.readOnlyHint === true,
}

async function ledger(readAhead) {
  const result = await runProgram({ text: program, language: 'starlark' }, context, { readAhead })
  if (!result.ok) throw new Error(result.report)
  const first = Math.min(...result.calls.map((call) => call.startedAtMs))
  return result.calls.map((call) => ({
    ...call,
    from: call.startedAtMs - first,
    to: call.startedAtMs - first + call.ms,
  }))
}

await ledger(true)
const lanes = [
  ['one after the other', await ledger(false)],
  ['reads run ahead', await ledger(true)],
]
await sandbox.close()

const WIDTH = 760
const LEFT = 20
const ROW = 9
const end = Math.max(...lanes.flatMap(([, calls]) => calls.map(({ to }) => to)))
const x = (ms) => (LEFT + (ms / end) * (WIDTH - 2 * LEFT)).toFixed(1)
const colours = { list_customers: '#6b7fd7', get_customer: '#3f9c8f', orders: '#d39b3c', add_note: '#c4564e' }
const drawn = []
let y = 30
for (const [title, calls] of lanes) {
  const total = Math.round(Math.max(...calls.map(({ to }) => to)))
  drawn.push(`<text x="${LEFT}" y="${y}" class="title">${title}: ${total} ms</text>`)
  y += 10
  for (const { tool, server, from, to } of calls) {
    const width = Math.max(1, Number(x(to)) - Number(x(from))).toFixed(1)
    drawn.push(
      `<rect x="${x(from)}" y="${y}" width="${width}" height="${ROW - 2}" rx="1.5" fill="${colours[tool]}"><title>${server}.${tool}: ${Math.round(from)} to ${Math.round(to)} ms</title></rect>`,
    )
    y += ROW
  }
  y += 30
}
let legend = LEFT
for (const [tool, colour] of Object.entries(colours)) {
  const name = `${tool}${tool === 'add_note' ? ' (a write)' : ''}`
  drawn.push(`<rect x="${legend}" y="${y - 9}" width="10" height="10" rx="2" fill="${colour}"/>`)
  drawn.push(`<text x="${legend + 15}" y="${y}">${name}</text>`)
  legend += 35 + name.length * 7
}
const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y + 15}" role="img" aria-label="The calls of one program over time, in sequence and run ahead of">
<style>text { font: 12px sans-serif; fill: #555 } .title { font-weight: bold; font-size: 13px }</style>
${drawn.join('\n')}
</svg>
`
const file = path.join(import.meta.dirname, '../docs/images/read-ahead.svg')
writeFileSync(file, svg)
for (const [title, calls] of lanes) console.log(`${title}: ${Math.round(Math.max(...calls.map(({ to }) => to)))} ms`)
