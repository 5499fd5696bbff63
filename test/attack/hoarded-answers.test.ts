// A program that reads without end: its answers are kept only up to a bound, and its meaning does not change beyond the
// bound.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { bench, failure, structured, text } from '../meta-tools/bench.js'

const ANSWER_BYTES = 2_000_000
const limits = { memoryBytes: 16_000_000, responseBytes: 3_000_000, wallMs: 600_000, cpuMs: 300_000 }

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

function heldBytes(): number {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

function library() {
  const held: number[] = []
  const read = { annotations: { readOnlyHint: true } }
  const table = bench(
    {
      page: { ...read, answers: () => text(Buffer.alloc(ANSWER_BYTES, 'x').toString('latin1')) },
      get: { ...read, answers: ({ id }) => (id === 13 ? failure('no such thing') : structured({ id })) },
      put: { answers: text('done') },
      measure: {
        answers: () => {
          held.push(heldBytes())
          return text('')
        },
      },
    },
    { limits, readsAhead: (_, { annotations }) => annotations?.readOnlyHint === true },
  )
  return { ...table, held }
}

const pages = (count: number) => `n = 0\nfor i in range(${count}):\n  n += len(api.page(number=i))\n`
const reading = {
  'that waits': { language: 'starlark', code: `api.measure()\n${pages(60)}api.measure()`, readAhead: false },
  'that runs ahead': { language: 'starlark', code: `api.measure()\n${pages(60)}api.measure()` },
  'in JavaScript': {
    language: 'javascript',
    code: 'api.measure()\nfor (let i = 0; i < 60; i++) api.page({ number: i })\napi.measure()',
  },
}

for (const [how, args] of Object.entries(reading))
  it(`a program ${how} leaves most of 120 MB behind it`, { timeout: 600_000 }, async () => {
    const { execute, held } = library()
    const answer = await execute(args)
    expect(answer.text).toContain('called api.page ×60: ')
    expect(held[1]! - held[0]!).toBeLessThan(60_000_000)
  })

it('with too many answers the run cannot be taken up again, and this is not offered', {
  timeout: 600_000,
}, async () => {
  const { execute } = library()
  const answer = await execute({ code: `api.put()\n${pages(25)}api.get(id=13)` })
  expect(answer.text).toContain('done before this: api.put, api.page ×25 (safe to repeat), api.get (failed)')
  expect(answer.text).not.toContain('reuse')
})

const attempts = 'try:\n  found = [api.get(id=i)["id"] for i in [1, 13]]\nexcept Exception as e:\n  found = str(e)\n'
const programs = {
  'a failure after it': `api.put()\n${pages(25)}api.put()\n${attempts}result = [n, found]`,
  'a failure before it that nobody looked at': `api.put()\ntry:\n  a = api.get(id=13)\n  ${pages(25).replaceAll('\n', '\n  ')}\nexcept Exception as e:\n  a = str(e)\napi.put()\nresult = a`,
  'a failure before it, and tasks': `api.put()\ntry:\n  a = api.get(id=13)\n  n = [len(p) for p in api.page.map([{"number": i} for i in range(3)])]\n  b = [api.get(id=i) for i in range(20)]\nexcept Exception as e:\n  b = str(e)\nresult = b`,
}

for (const [what, code] of Object.entries(programs))
  it(`${what} is caught as in a program that waits, and nothing is written twice`, { timeout: 600_000 }, async () => {
    const shown = async (readAhead: boolean) => {
      const { run, sent } = library()
      const { ok, result, error, calls } = await run(code, { readAhead })
      const writes = sent.filter(({ tool }) => tool === 'put').length
      return { ok, result, error, writes, calls: calls.map(({ tool, outcome }) => `${tool} ${outcome}`) }
    }
    const waiting = await shown(false)
    expect(waiting.ok).toBe(true)
    expect(await shown(true)).toEqual(waiting)
  })

it('an unnoticed failure is found before the answers exceed the kept amount', { timeout: 600_000 }, async () => {
  const { run, sent } = library()
  await run(programs['a failure before it that nobody looked at'])
  expect(sent.filter(({ tool }) => tool === 'page').length).toBeLessThan(25)
})
