// The compiler's proofs about variables, containers and functions never change the meaning of a program: programs that
// break every possible assumption (aliases, elements of several types, big ints, calls with floats and strings) have
// CPython's results, which are stored beside them.

import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { compile, readOutcome } from '../../../dist/interpreter/stages.js'
import { openSandbox } from '../../../dist/sandbox/index.js'

const folder = new URL('programs/', import.meta.url)
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8')
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.py'))
  .map((name) => name.slice(0, -3))

const sandbox = openSandbox({ spareWorkers: 0, limits: { wallMs: 600_000, cpuMs: 300_000 } })
afterAll(() => sandbox.close())

async function resultOf(text: string, strict: boolean): Promise<string | undefined> {
  const compiled = compile({ text, language: 'starlark' }, { dialect: { strict } })
  if (!compiled.ok) throw new Error(compiled.diagnostics.map((d) => d.message).join('\n'))
  const { program } = compiled
  const end = await sandbox.run({ image: program.image, code: program.code, onCall: () => '' })
  if (end.kind !== 'completed') throw new Error(end.kind)
  const outcome = readOutcome(program, end.payload)
  return outcome.ok ? outcome.result?.text : outcome.diagnostic.message
}

describe('the inference', () => {
  it.each(names)('keeps the meaning of %s.py', async (name) => {
    expect(await resultOf(read(`${name}.py`), false)).toBe(read(`${name}.txt`).trimEnd())
  })

  it('compiles a recursive function of sums again for small ints, and calls that version', () => {
    const text = 'def fib(n):\n    if n < 2:\n        return n\n    return fib(n - 1) + fib(n - 2)\nresult = fib(24)\n'
    const compiled = compile({ text, language: 'starlark' })
    expect(compiled.ok && compiled.program.code.split('\n').filter((line) => line.startsWith('v_result ='))).toEqual([
      'v_result = v_fib$int(24);',
    ])
  })

  it('keeps the lock on a container that a strict program iterates over and changes', async () => {
    const change = 'def f():\n    xs = [1, 2]\n    for x in xs:\n        xs.append(x)\n    return xs\nresult = f()\n'
    const alias =
      'def f():\n    d = {}\n    d["a"] = 1\n    e = d\n    for k in d:\n        e[k + "b"] = 2\n    return d\nresult = f()\n'
    expect(await resultOf(change, true)).toBe('cannot change a list during iteration over it')
    expect(await resultOf(alias, true)).toBe('cannot change a dict during iteration over it')
  })

  it('lets a strict program change a dict during a loop over its items, which are a new list', async () => {
    const text =
      'def f():\n    d = {}\n    d["a"] = 1\n    for k, v in d.items():\n        d[k + "b"] = v + 1\n    return d\nresult = f()\n'
    expect(await resultOf(text, true)).toBe('{"a": 1, "ab": 2}')
  })
})
