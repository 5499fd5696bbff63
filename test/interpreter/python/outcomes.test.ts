// The result of a program, the ways to end itself, and uncatchable failures.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compile, explainThrow, readOutcome } from '../../../dist/interpreter/stages.js'
import type { Sandbox } from '../../../dist/sandbox/index.js'
import { openGuests, run } from './guest.js'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await openGuests()
})
afterAll(() => sandbox.close())

describe('the result', () => {
  it.each([
    ['the variable result', 'result = [1, 2]\nprint("x")\n5', '[1, 2]'],
    ['the last expression', 'x = 3\nx + 4', '7'],
    ['of a call that gives None is none', 'x = []\nx.append(1)', undefined],
    ['None alone is none', 'None', undefined],
    ['of a return at the top level', 'if True:\n    return {"a": 1}\nprint("never")', "{'a': 1}"],
    ['of a bare return is the variable', 'result = 1\nif result:\n    return\nresult = 2', '1'],
    ['of a coroutine that is awaited at the top', 'async def f():\n    return 7\nawait f()', '7'],
    ['of asyncio.run', 'import asyncio\nasync def f():\n    return "r"\nasyncio.run(f())', "'r'"],
    ['stays when the program exits', 'import sys\nresult = 3\nsys.exit()\nresult = 4', '3'],
    ['stays when the program exits with 0', 'result = 3\nexit(0)', '3'],
    ['of an instance is its text', 'class A:\n    def __repr__(self): return "A!"\nA()', 'A!'],
  ])('%s', async (_, text, result) => {
    expect(await run(sandbox, text)).toEqual({
      printed: text.includes('print("x")') ? 'x\n' : '',
      result,
      failure: undefined,
    })
  })

  it.each([
    ['import sys\nsys.exit("broken")', 'SystemExit: broken'],
    ['import sys\nsys.exit(2)', 'SystemExit: 2'],
    ['raise SystemExit(1)', 'SystemExit: 1'],
    ['raise KeyboardInterrupt', 'KeyboardInterrupt'],
    ['class Boom(Exception):\n    def __str__(self): return "custom"\nraise Boom(1)', 'Boom: custom'],
    ['raise ValueError', 'ValueError'],
  ])('%s fails', async (text, failure) => {
    expect(await run(sandbox, text)).toEqual({ printed: '', result: undefined, failure })
  })
})

describe('limits', () => {
  const greedy = `
try:
    try:
        LOOP
    except BaseException:
        print("caught")
    finally:
        print("finally")
except:
    print("caught outside")
print("went on")
`
  it.each([
    ['time', 'while True: pass', { wallMs: 300, cpuMs: 300 }],
    ['memory', 'x = [0]\n        while True: x = x + x', { memoryBytes: 16 * 2 ** 20 }],
  ])('%s cannot be caught, and nothing of the program runs after it', async (_, loop, limits) => {
    const compiled = compile({ text: greedy.replace('LOOP', loop), language: 'starlark' })
    if (!compiled.ok) throw new Error(compiled.diagnostics[0]!.message)
    const printed: string[] = []
    const end = await sandbox.run({
      image: compiled.program.image,
      code: compiled.program.code,
      limits,
      onCall: () => Promise.reject(new Error('no tools here')),
      onPrint: (text) => {
        printed.push(text)
      },
    })
    const diagnostic =
      end.kind === 'completed'
        ? readOutcome(compiled.program, end.payload)
        : end.kind === 'threw'
          ? explainThrow(compiled.program, end)
          : end
    expect(printed).toEqual([])
    expect(JSON.stringify(diagnostic)).toMatch(/limit/)
  })
})

describe('the failures of the engine', () => {
  it('are exceptions of the language inside a try', async () => {
    const text = `
def late():
    return early()
def methods(x):
    out = []
    for f in (lambda: x.append(1), lambda: x.strip(), lambda: x.items(), lambda: x.foo, lambda: x[0]):
        try:
            f()
        except (AttributeError, TypeError) as e:
            out.append(f"{type(e).__name__}: {e}")
    return out
try:
    late()
except NameError as e:
    print(e)
def early(): return 1
print(late())
print("\\n".join(methods(None)))
`
    expect((await run(sandbox, text)).printed).toBe(`name 'early' is not defined
1
AttributeError: 'NoneType' object has no attribute 'append'
AttributeError: 'NoneType' object has no attribute 'strip'
AttributeError: 'NoneType' object has no attribute 'items'
AttributeError: 'NoneType' object has no attribute 'foo'
TypeError: 'NoneType' object is not subscriptable
`)
  })
})
