// The cost of running programs in a process of their own: node bench/isolation.mjs It runs the same programs through
// the library, in threads of this process and in a child process, in turns.

import { CodeMode } from '../dist/bundle/index.js'

const inputSchema = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] }
const servers = { sums: { inProcess: { next: { inputSchema, call: ({ a }) => a + 1 } } } }
const both = {
  thread: await CodeMode.open({ servers, isolation: 'thread', limits: { toolCalls: 10_000 } }),
  process: await CodeMode.open({ servers, isolation: 'process', limits: { toolCalls: 10_000 } }),
}
const ROUNDS = 300
const CALLS = 1000

async function took(codeMode, code) {
  const begun = performance.now()
  const run = await codeMode.run(code)
  if (!run.ok) throw new Error(run.report)
  return performance.now() - begun
}

/** The median of each, measured in turns. */
async function medians(rounds, code) {
  const times = { thread: [], process: [] }
  for (let i = 0; i < rounds; i++)
    for (const [name, codeMode] of Object.entries(both)) times[name].push(await took(codeMode, code(i)))
  return Object.fromEntries(
    Object.entries(times).map(([name, all]) => [name, all.slice(rounds >> 2).sort((a, b) => a - b)[(rounds * 3) >> 3]]),
  )
}

function show(what, { thread, process }, unit) {
  const ratio = (process / thread).toFixed(2)
  console.log(
    `${what.padEnd(28)} thread ${thread.toFixed(3)} ${unit}, process ${process.toFixed(3)} ${unit}, ratio ${ratio}`,
  )
}

show('a run without calls', await medians(ROUNDS, (i) => `result = ${i}`), 'ms')
const calls = await medians(12, (i) => `t = ${i}\nfor i in range(${CALLS}):\n    t += sums.next(a=i)\nresult = t`)
show('a call in a run of 1,000', { thread: calls.thread / CALLS, process: calls.process / CALLS }, 'ms')
await Promise.all(Object.values(both).map((codeMode) => codeMode.close()))
