// Wall: the place of a failure is read from a text that the program may have written, so every number in it is checked.
// Attack: stacks with lines, columns, frames and names beyond every program, in both languages' ways of saying how they
// ended.

import { describe, expect, it } from 'vitest'
import { runProgram } from '../../dist/meta-tools/index.js'
import type { RunEnd, Sandbox } from '../../dist/sandbox/index.js'
import { bench } from '../meta-tools/bench.js'

const stacks: readonly (readonly [string, string])[] = [
  ['a column beyond every line', '    at x (program.js:2:99999999999999)\n'],
  ['a column beyond this line', '    at x (program.js:2:999999999)\n'],
  ['a line beyond the program', '    at x (program.js:999999999:1)\n'],
  ['numbers without an end', `    at x (program.js:${'9'.repeat(100_000)}:${'9'.repeat(100_000)})\n`],
  ['nothing at all', '    at x (program.js:0:0)\n'],
  ['signs', '    at x (program.js:-1:-1)\n    at x (program.js:1e9:1.5)\n'],
  ['frames that are nowhere', '    at x (program.js:9999:9)\n'.repeat(40_000)],
  ['a name without an end', `    at ${'x'.repeat(1_000_000)} (program.js:2:1)\n`],
  ['names with places in them', `    at ${'(program.js:2:1) '.repeat(50_000)}\n`],
  ['line breaks', '\n'.repeat(1_000_000)],
]

/** Ends a run with a failure report that a guest may forge. */
function forged(stack: string): Sandbox {
  const stats: RunEnd['stats'] = { wallMs: 1, queueMs: 0, runMs: 1, callWaitMs: 0, memoryBytes: 0 }
  const payload = JSON.stringify({ ok: false, error: { kind: 'ValueError', message: 'no', stack } })
  return {
    run: async () => ({ kind: 'completed', payload, stats }),
    isClosed: false,
    async warm() {},
    practise() {},
    async close() {},
  }
}

describe.each(['javascript', 'starlark'] as const)('in %s', (language) => {
  it.each(stacks)('%s', async (_, stack) => {
    const { context } = bench({}, { sandbox: forged(stack) })
    const { ok, report } = await runProgram({ text: 'x = 1\ny = 2\n', language }, context)
    // JavaScript has no such error, and an error's name may be a value.
    const code = language === 'javascript' ? 'error' : 'value-error'
    expect({ ok, report }).toEqual({ ok: false, report: `program error [${code}] ValueError: no` })
  })
})

it.each(stacks)('by a program: %s', async (_, stack) => {
  const { context } = bench({})
  const text = `const e = new Error("no")\ne.stack = ${JSON.stringify(stack)}\nthrow e`
  const { report } = await runProgram({ text, language: 'javascript' }, context, {
    limits: { sourceBytes: 3_000_000 },
  })
  expect(report.split('\n')[0]).toBe('program error [error] Error: no')
})

it('reports at most a hundred places', async () => {
  const { context } = bench({})
  const text = 'const e = new Error("no")\ne.stack = "    at f (program.js:2:7)\\n".repeat(100000)\nthrow e'
  const { report } = await runProgram({ text, language: 'javascript' }, context)
  expect(report.length).toBeLessThan(10_000)
})
