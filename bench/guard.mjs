// npm run bench:guard: ratios of processor time to bare QuickJS and to the SDK's own client that must not get worse,
// each measured in turns in one process. Wall time would show more, but other work on the machine would disturb it. A
// ratio above its bound is measured twice more before it counts.

import { CodeMode } from '../dist/bundle/index.js'
import { connectStdio, upstreamEntry } from './callers.mjs'
import { open as openQuickJS } from './engines/adapters/quickjs.mjs'
import { textOf } from './engines/engines.mjs'
import { inTurns, median } from './measure.mjs'

const CALLS = 300
const codeMode = await CodeMode.open({
  servers: {
    counter: upstreamEntry,
    here: { inProcess: { next: { annotations: { readOnlyHint: true }, call: ({ value }) => ({ value: value + 1 }) } } },
  },
  limits: { wallMs: 120_000, cpuMs: 120_000 },
})
const quickjs = await openQuickJS({})
const client = await connectStdio(upstreamEntry)

async function run(code, language) {
  const { ok, error } = await codeMode.run(code, { language })
  if (!ok) throw new Error(error.message)
}

const starlark = (task) => textOf(task, { language: 'starlark' })
const javascript = (task) => textOf(task, { language: 'javascript' })
const inSequence = (server) => `value = 0
for i in range(${CALLS}):
    value = ${server}.next(value=value)["value"]
result = value`
const ahead = (server) => `result = sum([r["value"] for r in [${server}.next(value=i) for i in range(${CALLS})]])`
async function direct() {
  for (let value = 0; value < CALLS; value++) await client.callTool({ name: 'next', arguments: { value } })
}

/** The comparisons, as `ours` and `theirs`, each with the maximum ratio. */
const bounds = [
  {
    what: 'a trivial run, against a new context of bare QuickJS',
    ours: () => run('return 1', 'javascript'),
    theirs: () => quickjs.run('return 1'),
    rounds: 7,
    times: 50,
    most: 4.5,
  },
  ...[
    ['fib', 2.8],
    ['loop', 1.2],
    ['records', 2.8],
    ['strings', 2.2],
  ].map(([task, most]) => ({
    what: `${task} in Starlark, against JavaScript in bare QuickJS`,
    ours: () => run(starlark(task), 'starlark'),
    theirs: () => quickjs.run(javascript(task)),
    rounds: 7,
    most,
  })),
  {
    what: 'records in JavaScript, against bare QuickJS',
    ours: () => run(javascript('records'), 'javascript'),
    theirs: () => quickjs.run(javascript('records')),
    rounds: 7,
    most: 1.6,
  },
  {
    what: `${CALLS} calls over stdio in sequence, against the SDK’s client`,
    ours: () => run(inSequence('counter'), 'starlark'),
    theirs: direct,
    rounds: 7,
    most: 7,
  },
  {
    what: `${CALLS} calls over stdio read ahead, against the SDK’s client`,
    ours: () => run(ahead('counter'), 'starlark'),
    theirs: direct,
    rounds: 7,
    most: 4,
  },
  {
    what: `${CALLS} calls of a function in sequence, against the SDK’s client over stdio`,
    ours: () => run(inSequence('here'), 'starlark'),
    theirs: direct,
    rounds: 7,
    most: 7,
  },
  {
    what: `${CALLS} calls of a function read ahead, against the SDK’s client over stdio`,
    ours: () => run(ahead('here'), 'starlark'),
    theirs: direct,
    rounds: 7,
    most: 2,
  },
]

/** Milliseconds of processor time of this process, with all its threads, for an act that runs `times` times. */
async function processorTime(act, times) {
  const before = process.cpuUsage()
  for (let i = 0; i < times; i++) await act()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** The median of the ratios of neighbours in time. */
async function ratioOf({ ours, theirs, rounds, times = 1 }) {
  for (const act of [ours, theirs]) for (let i = 0; i < 3; i++) await act()
  const [one, other] = await inTurns(rounds, [() => processorTime(ours, times), () => processorTime(theirs, times)])
  return median(one.map((ms, i) => ms / other[i]))
}

for (const bound of bounds) {
  let ratio = await ratioOf(bound)
  for (let again = 0; again < 2 && ratio > bound.most; again++) ratio = Math.min(ratio, await ratioOf(bound))
  const isMet = ratio <= bound.most
  console.log(`${isMet ? 'ok    ' : 'worse '} ${ratio.toFixed(2)} (at most ${bound.most})  ${bound.what}`)
  if (!isMet) process.exitCode = 1
}
await Promise.all([codeMode.close(), client.close()])
