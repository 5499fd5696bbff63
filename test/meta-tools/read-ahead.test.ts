// Programs mean the same whether they run ahead of their reads or not: what they print, their result, their failure and their calls.

import { expect, it } from 'vitest'
import type { RunResult } from '../../dist/meta-tools/index.js'
import { type Random, randomFrom, randomProgram } from './ahead-programs.js'
import { bench, failure, structured } from './bench.js'

const SEED = Number(process.env.STARBIND_SEED ?? 20_261_121)
const PROGRAMS = Number(process.env.STARBIND_PROGRAMS ?? 2000)
/** No new programs are begun after this time. Milliseconds. */
const PATIENCE = 45_000
const AT_ONCE = 3

const id = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] }
const reads = { inputSchema: id, annotations: { readOnlyHint: true } }

/** A server with a state. Replies tell what it is when they leave, so that a call that overtakes another can be seen. */
function world(random: Random | undefined) {
  const values = [3, 1, 4, 1, 5, 8, 2, 6, 5, 9, 5]
  const wait = async () => {
    if (random === undefined) return
    for (let n = Math.floor(random() * 6); n > 0; n--) await new Promise((resolve) => setImmediate(resolve))
  }
  const valueAt = (at: number): number => values[at % values.length] ?? 0
  return bench(
    {
      get: {
        ...reads,
        answers: async ({ id }) => {
          await wait()
          const at = Number(id)
          return valueAt(at) === 9 ? failure(`no value for ${at}`) : structured({ id: at, v: valueAt(at) })
        },
      },
      fetch: {
        ...reads,
        answers: async ({ id }) => {
          await wait()
          const at = Number(id)
          return at > 10 ? failure('out of reach') : structured({ id: at, v: valueAt(at + 1), tags: ['x'] })
        },
      },
      put: {
        answers: async ({ id, v }) => {
          await wait()
          if (Number(id) === 7) return failure('not writable')
          values[Number(id) % values.length] = Math.abs(Number(v) % 10)
          return structured({ done: true, all: [...values] })
        },
      },
    },
    { readsAhead: (_server, tool) => tool.annotations?.readOnlyHint === true },
  )
}

function meaning({ ok, result, error, report, logs, calls }: RunResult) {
  return {
    ok,
    result,
    error,
    report: report.replace(/\d+(\.\d+)? ms/g, 'N ms'),
    logs,
    calls: calls.map(({ ms: _, startedAtMs: __, ...call }) => call),
  }
}

async function compare(seed: number): Promise<boolean> {
  const random = randomFrom(seed)
  const strict = random() < 0.15
  const code = randomProgram(random, { strict })
  const [inSequence, ahead] = await Promise.all([
    world(undefined).run(code, { readAhead: false, dialect: { strict } }),
    world(random).run(code, { dialect: { strict } }),
  ])
  expect(meaning(ahead), `seed ${seed}${strict ? ', strict' : ''}\n${code}`).toEqual(meaning(inSequence))
  return inSequence.ok
}

it(`random programs mean the same (STARBIND_SEED=${SEED})`, async () => {
  const until = performance.now() + PATIENCE
  let next = 0
  let ended = 0
  const worker = async () => {
    while (next < PROGRAMS && performance.now() < until) if (await compare(SEED + next++)) ended++
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  console.log(
    `${next} random programs with and without reads ahead, ${ended} of which ended well (STARBIND_SEED=${SEED})`,
  )
  expect(next).toBeGreaterThan(0)
})
