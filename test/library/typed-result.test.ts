// Results that are checked against a schema.

import { afterAll, beforeAll, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { CodeMode } from '../../dist/index.js'

let codeMode: CodeMode
beforeAll(async () => {
  codeMode = await CodeMode.open({ warm: false })
})
afterAll(() => codeMode.close())

const resultSchema = z.object({ total: z.number(), names: z.array(z.string().toUpperCase()).default([]) })

it('a typed result is the output of the schema', async () => {
  const run = await codeMode.run('result = {"total": 3, "names": ["a"]}', { resultSchema })
  expect(run).toMatchObject({ ok: true, result: { total: 3, names: ['A'] }, error: null })
  if (run.ok) expectTypeOf(run.result).toEqualTypeOf<{ total: number; names: string[] }>()
})

it('a result that does not fit is a failure that keeps the report of the run', async () => {
  const run = await codeMode.run('print("x")\nresult = {"total": "3", "names": ["a", 2]}', { resultSchema })
  expect(run).toMatchObject({
    ok: false,
    result: null,
    logs: ['x'],
    error: {
      class: 'program error',
      code: 'result-misfit',
      message:
        "the program ran, but its result does not match the caller's schema: result.total: Invalid input: expected number, received string; " +
        'result.names[1]: Invalid input: expected string, received number',
      line: null,
      column: null,
      hint: null,
    },
  })
  expect(run.report).toBe(`program error [result-misfit] ${run.error?.message}`)
})

it('a schema leaves a failure of the program unchanged', async () => {
  expect(await codeMode.run('1 // 0', { resultSchema })).toMatchObject({
    ok: false,
    error: { code: 'zero-division-error' },
  })
})
