// Programs mean the same whether they run ahead of their reads or not: what they print, their result, their failure and
// their calls.

import { expect, it } from 'vitest'
import type { RunResult } from '../../dist/meta-tools/index.js'
import { amount, random as newRandom, type Random, usualSeed } from '../random.js'
import { randomProgram } from './ahead-programs.js'
import { bench, failure, structured } from './bench.js'

const PROGRAMS = amount(20, 10_000)
const AT_ONCE = 3

const id = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] }
const reads = { inputSchema: id, annotations: { readOnlyHint: true } }

/**
 * A server with a state. Replies tell what it is when they leave, so that a call that overtakes another can be seen.
 */
function world(random: Random | undefined) {
  const values = [3, 1, 4, 1, 5, 8, 2, 6, 5, 9, 5]
  const wait = async () => {
    if (random === undefined) return
    for (let n = random.below(6); n > 0; n--) await new Promise((resolve) => setImmediate(resolve))
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
  const random = newRandom(seed)
  const strict = random.chance(0.15)
  const code = randomProgram(random, { strict })
  const [inSequence, ahead] = await Promise.all([
    world(undefined).run(code, { readAhead: false, dialect: { strict } }),
    world(random).run(code, { dialect: { strict } }),
  ])
  expect(meaning(ahead), `seed ${seed}${strict ? ', strict' : ''}\n${code}`).toEqual(meaning(inSequence))
  return inSequence.ok
}

it(`random programs have the same outcome with and without read-ahead (seed ${usualSeed})`, async () => {
  let next = 0
  let ended = 0
  const worker = async () => {
    while (next < PROGRAMS) if (await compare(usualSeed + next++)) ended++
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  // Most of them run to some failure; where none ended well, little would have been compared.
  expect(ended).toBeGreaterThan(PROGRAMS / 20)
})
