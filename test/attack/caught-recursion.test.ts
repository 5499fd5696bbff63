// Wall: the limits on stack and time, for programs that catch RecursionError. They catch a count of calls that the
// program keeps; independently of the count, the stack and the time of the run are limited as usual.

import { afterAll, expect, it } from 'vitest'
import { compile } from '../../dist/interpreter/stages.js'
import { type Limits, openSandbox } from '../../dist/sandbox/index.js'
import { noWorkersLeft } from '../sandbox/leaks.js'
import { withoutPlace } from './harness.js'

noWorkersLeft()
const sandbox = openSandbox({ maxWorkers: 1, spareWorkers: 0, limits: { wallMs: 600_000, cpuMs: 300_000 } })
afterAll(() => sandbox.close())

async function ended(text: string, limits: Partial<Limits> = {}): Promise<object> {
  const compiled = compile({ text, language: 'starlark' })
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics))
  const printed: string[] = []
  const { stats, ...end } = await sandbox.run({
    image: compiled.program.image,
    code: compiled.program.code,
    limits,
    onCall: () => '',
    onPrint: (line) => printed.push(line),
  })
  expect(stats.memoryBytes).toBeGreaterThanOrEqual(0)
  return { ...withoutPlace(end), printed }
}

it.each([
  'def f():\n    try:\n        f()\n    except RecursionError:\n        f()\nf()',
  'def f():\n    while True:\n        try:\n            f()\n        except RecursionError:\n            pass\nf()',
  'def f():\n    try:\n        f()\n    finally:\n        f()\ntry:\n    f()\nexcept RecursionError:\n    print("caught")',
  'def f(n):\n    return f(n + 1)\nwhile True:\n    try:\n        f(0)\n    except RecursionError:\n        continue',
])('a program that continues after RecursionError ends by its time: %s', async (text) => {
  expect(await ended(text, { cpuMs: 60 })).toEqual({ kind: 'limit', limit: 'cpuMs', allowed: 60, printed: [] })
})

it.each([
  'import sys\nsys.setrecursionlimit(10 ** 9)\ndef f(n):\n    return f(n + 1)\ntry:\n    f(0)\nexcept RecursionError:\n    print("caught")',
  'def g(n):\n    yield from g(n + 1)\ntry:\n    list(g(0))\nexcept RecursionError:\n    print("caught")\nfinally:\n    print("finally")',
  'def f(n):\n    return f(n + 1)\ntry:\n    f(0)\nexcept Exception:\n    print("caught")',
])('a program that exhausts the stack uncounted catches nothing: %s', async (text) => {
  expect(await ended(text)).toEqual({ kind: 'limit', limit: 'stackBytes', allowed: 1024 * 1024, printed: [] })
})
