// Draws docs/images/read-ahead.svg: the calls of one program from its ledgers, once in sequence and once with
// read-ahead. Run it after a build: node scripts/timeline.mjs. The servers are functions of this process that answer
// after a time.

import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { CodeMode } from '../dist/index.js'
import { drawTimeline } from '../dist/page/timeline/index.js'

const program = `
ids = crm.list_customers()
customers = [crm.get_customer(id=i) for i in ids]
orders = {}
for c in customers:
    orders[c["id"]] = shop.orders(customer=c["id"])
crm.add_note(text=str(len(orders)))
result = [o["total"] for o in orders.values()]
`

/** Some calls are slower than others. */
const tool = (answer, annotations) => ({
  ...annotations,
  call: async (args) => {
    await setTimeout(60 + (((args.id ?? args.customer ?? 0) * 37) % 50))
    return answer(args)
  },
})
const reads = { annotations: { readOnlyHint: true } }
const crm = {
  list_customers: tool(() => [1, 2, 3, 4, 5, 6], reads),
  get_customer: tool(({ id }) => ({ id }), reads),
  add_note: tool(() => 'noted'),
}
const shop = { orders: tool(({ customer }) => ({ total: customer * 10 }), reads) }
const codeMode = await CodeMode.open({ servers: { crm: { inProcess: crm }, shop: { inProcess: shop } } })

async function section(title, readAhead) {
  const result = await codeMode.run(program, { readAhead })
  if (!result.ok) throw new Error(result.report)
  const first = Math.min(...result.calls.map((call) => call.startedAtMs))
  const calls = result.calls.map(({ server, tool, startedAtMs, ms, bytes }) => {
    const startMs = startedAtMs - first
    const nothing = { state: 'ok', reused: false, line: null, approval: null, waitedMs: null }
    return { ...nothing, server, tool, startMs, endMs: startMs + ms, bytes, ahead: readAhead && tool !== 'add_note' }
  })
  const endMs = Math.max(...calls.map((call) => call.endMs))
  return { title: `${title}: ${Math.round(endMs)} ms`, calls: calls.toSorted((a, b) => a.startMs - b.startMs), endMs }
}

await section('once, so that everything is loaded', true)
const sections = [await section('one after the other', false), await section('reads run ahead', true)]
const label = 'The calls of one program over time, one after the other and run ahead of'
writeFileSync(
  path.join(import.meta.dirname, '../docs/images/read-ahead.svg'),
  drawTimeline(sections, { label, rowHeight: 12 }),
)
for (const { title } of sections) console.log(title)
await codeMode.close()
