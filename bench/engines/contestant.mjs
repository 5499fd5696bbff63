// One engine in a process of its own: node contestant.mjs ADAPTER. Each line on stdin is a request
// `{op: "time" | "at-once", text, times}`; each line on stdout its answer, `{ms: [...], result: [value]}` or `{error}`.
// `time` runs a program so often, one after the other; `at-once` runs it so often at the same time.

import { createInterface } from 'node:readline'
import { timed } from '../measure.mjs'

const statuses = ['open', 'closed', 'pending', 'merged']

/** The answer of the tool. */
function record(x) {
  return {
    id: x,
    name: `item-${x}`,
    active: x % 3 !== 0,
    score: x * 1.5,
    count: (x * 7) % 1000,
    status: statuses[x % 4],
    tags: ['a', 'b', `t${x % 10}`],
    owner: { login: `user${x % 50}`, level: x % 5 },
    created: '2024-01-01T00:00:00Z',
    note: null,
  }
}

function after(delayMs) {
  return (x) => new Promise((resolve) => setTimeout(resolve, delayMs, record(x)))
}

const { open } = await import(`./adapters/${process.argv[2]}.mjs`)
const engine = await open({ tool: record, slow: after(100), wait: after(1000) })

async function answer({ op, text, times }) {
  try {
    const ms = []
    let result
    const once = async () => {
      result = await engine.run(text)
    }
    if (op === 'at-once') ms.push(await timed(() => Promise.all(Array.from({ length: times }, once))))
    else for (let i = 0; i < times; i++) ms.push(await timed(once))
    return { ms, result: [result] }
  } catch (error) {
    return { error: String(error?.message ?? error) }
  }
}

const plain = (_key, value) => (typeof value === 'bigint' ? Number(value) : value)
for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await answer(JSON.parse(line)), plain))
}
await engine.close?.()
process.exit(0)
