// Values that programs keep for later runs of the same caller.

import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { CodeMode, type Session } from '../../dist/index.js'
import { starbindHere, Workplace } from '../fixtures/command.js'

const place = new Workplace()
const gates: (() => void)[] = []
const none = { type: 'object', properties: {} } as const
const sent: string[] = []
const servers = {
  desk: {
    inProcess: {
      wait: { inputSchema: none, call: () => new Promise((resolve) => gates.push(() => resolve('done'))) },
      send: {
        inputSchema: none,
        call: () => {
          sent.push('sent')
          return 'sent'
        },
      },
      fail: {
        inputSchema: none,
        annotations: { readOnlyHint: true },
        call: () => {
          throw new Error('no luck')
        },
      },
    },
  },
} as const
const codeMode = await CodeMode.open({ servers, warm: false })
afterAll(async () => {
  await codeMode.close()
  place.remove()
})

let callers = 0
/** A caller that has kept nothing. */
const newCaller = () => codeMode.session({ name: `caller-${++callers}`, memory: 'session' })

async function resultOf(session: Session, code: string, options: Parameters<Session['run']>[1] = {}) {
  const run = await session.run(code, options)
  return run.ok ? run.result : run.error
}

const refusal = {
  class: 'program error',
  code: 'refused-name',
  message: 'memory is not available: this run keeps no values',
  line: 1,
  hint: 'submit the program with state: "session" (a person may set codeMode.memory to "session")',
}

describe('a program that names memory', () => {
  it.each([
    ['starlark', 'x = 1 if True else memory.get("a")', {}],
    ['starlark', 'm = memory', {}],
    ['starlark', 'import memory', { code: 'import-refused', message: expect.stringContaining('memory') }],
    ['starlark', 'from memory import get\nget("a")', { code: 'import-refused', message: expect.any(String) }],
    ['javascript', 'if (false) memory.set("a", 1)', {}],
  ] as const)('is refused before it runs, unless values are kept: %s, %s', async (language, code, other) => {
    const text = language === 'starlark' ? code : `${code}\nreturn 1`
    const used = code.startsWith('import') ? `${text}\nmemory.keys()` : text
    const { error, calls } = await codeMode.run(used, { language })
    expect([error, calls]).toEqual([{ ...refusal, column: expect.any(Number), ...other }, []])
    expect((await codeMode.check(used, { language })).ok).toBe(false)
    expect((await codeMode.check(used, { language, state: 'session' })).ok).toBe(true)
  })

  it('may mean something else by it', async () => {
    expect(await resultOf(codeMode, 'memory = {"a": 1}\nresult = memory.get("a")')).toBe(1)
    expect(await resultOf(codeMode, 'const memory = { get: () => 2 }\nreturn memory.get()')).toBe(2)
    const inProcess = { get: { inputSchema: none, call: () => 'of the server' } }
    await using other = await CodeMode.open({ servers: { memory: { inProcess } }, warm: false, memory: 'session' })
    expect(await resultOf(other, 'result = memory.get()')).toBe('of the server')
    expect(await resultOf(other, 'return await memory.get()', { language: 'javascript' })).toBe('of the server')
  })

  it('finds nothing to do in a computed name', async () => {
    const code = 'return globalThis["mem" + "ory"].keys()'
    expect(await resultOf(codeMode, code, { language: 'javascript' })).toMatchObject({
      message: 'TypeError: memory is not available: this run keeps no values',
      hint: 'submit the program with state: "session"',
    })
  })
})

describe('a later run', () => {
  it.each([
    [
      'starlark',
      `kept = {"b": [1, 2.0, 1e300, 10**30, "ü\\u2028", None, True], "a": ()}
memory.set("x", kept)
memory.set(key="y", value=0)
print(memory.get("x") == json.loads(json.dumps(kept)), memory.keys(), memory.get("z"), memory.get("z", 5), memory.get("y", 5))`,
      'result = [json.dumps(memory.get("x")), memory.delete("y"), memory.delete("y"), memory.keys(), memory.get("y", [])]',
      ['True ["x", "y"] None 5 0'],
      [
        '{"b": [1, 2.0, 1e+300, 1000000000000000000000000000000, "\\u00fc\\u2028", null, true], "a": []}',
        true,
        false,
        ['x'],
        [],
      ],
    ],
    [
      'javascript',
      `memory.set("x", { b: [1, 2.5, 10n ** 30n, "ü\\u2028", null, true], a: [] })
memory.set("y", 0)
const before = memory.get("z", 5)
await desk.send()
console.log(JSON.stringify([before, memory.keys(), memory.get("z") === undefined, await memory.get("y", 5)]))`,
      'return [JSON.stringify(memory.get("x")), memory.delete("y"), memory.delete("y"), memory.keys(), memory.get("y", [])]',
      ['[5,["x","y"],true,0]'],
      ['{"b":[1,2.5,1000000000000000000000000000000,"ü\u2028",null,true],"a":[]}', true, false, ['x'], []],
    ],
  ] as const)('of %s finds what an earlier one has kept', async (language, first, second, printed, found) => {
    const caller = newCaller()
    const run = await caller.run(first, { language })
    expect([run.error, run.logs]).toEqual([
      null,
      printed.map((line) => line.replaceAll('["x", "y"]', language === 'starlark' ? "['x', 'y']" : '["x", "y"]')),
    ])
    expect(await resultOf(caller, second, { language })).toEqual(found)
  })

  it('is one of the same caller', async () => {
    const [ada, bob] = [newCaller(), newCaller()]
    const [unnamed, another] = [codeMode.session({ memory: 'session' }), codeMode.session({ memory: 'session' })]
    const all = [ada, bob, unnamed, another, ada.session({ results: 'shared' }), unnamed.session({ results: 'shared' })]
    for (const [i, one] of [ada, bob, unnamed].entries())
      expect(await resultOf(one, `memory.set("who", ${i})\nresult = memory.get("who")`)).toBe(i)
    expect(await Promise.all(all.map((one) => resultOf(one, 'result = memory.get("who", "none")')))).toEqual([
      0,
      1,
      2,
      'none',
      0,
      2,
    ])
    expect(await resultOf(codeMode, 'result = memory.keys()', { state: 'session' })).toEqual([])
  })

  it('says whether it keeps values: in the run, the session, the key or the configuration', async () => {
    const caller = newCaller()
    const code = 'memory.set("n", memory.get("n", 0) + 1)\nresult = memory.get("n")'
    expect((await caller.executeToolCode({ code })).text).toContain('1')
    expect((await caller.executeToolCode({ code, state: 'none' })).text).toContain('this run keeps no values')
    expect(await resultOf(caller, code, { state: 'none' })).toMatchObject({ code: 'refused-name' })
    const plain = codeMode.session({ name: 'plain' })
    expect((await plain.executeToolCode({ code, state: 'session' })).text).toContain('1')
    expect((await plain.executeToolCode({ code })).isError).toBe(true)
    expect((await plain.executeToolCode({ code, state: 'all' as 'none' })).text).toBe(
      'program error [wrong-argument] executeToolCode: state is "all", want "none" or "session"',
    )
    const key = { clientName: 'x', headers: {}, name: 'a-key', memory: 'session' } as const
    for (const n of [1, 2])
      expect((await codeMode.accept(key).call('executeToolCode', { code })).text).toContain(`${n}`)
    await using always = await CodeMode.open({ warm: false, memory: 'session' })
    expect([await resultOf(always, code), await resultOf(always, code)]).toEqual([1, 2])
    await expect(CodeMode.open({ memory: 'all' as never })).rejects.toThrow(
      'CodeMode.open: memory: got "all", want "none" or "session"',
    )
  })
})

describe('what is kept', () => {
  it('is that of runs that succeed', async () => {
    const caller = newCaller()
    await caller.run('memory.set("a", 1)')
    const failures = [
      'memory.set("a", 2)\nmemory.delete("a")\nfail("over")',
      'memory.set("a", 2)\nx = desk.fail()\nmemory.set("b", 1)\nprint(x)',
      'memory.set("a", 2)\nwhile True:\n    pass',
    ]
    for (const code of failures) expect((await caller.run(code, { limits: { cpuMs: 100 } })).ok, code).toBe(false)
    expect(await resultOf(caller, 'result = [memory.keys(), memory.get("a")]')).toEqual([['a'], 1])
    // A read that the program ran ahead of: what came after its failure did not happen.
    const caught = `memory.set("a", 3)
try:
    x = desk.fail()
    memory.set("b", 1)
    print(x)
except ToolError:
    memory.set("c", memory.get("b", "not set"))`
    expect((await caller.run(caught)).ok).toBe(true)
    expect(await resultOf(caller, 'result = {k: memory.get(k) for k in memory.keys()}')).toEqual({ a: 3, c: 'not set' })
  })

  it('is for each key that of the run that ended last', async () => {
    const caller = newCaller()
    const slow = caller.run('memory.set("both", "slow")\nmemory.set("a", 1)\ndesk.wait()\nresult = memory.keys()')
    await expect.poll(() => gates.length).toBe(1)
    await caller.run('memory.set("both", "fast")\nmemory.set("b", memory.get("a", "unseen"))')
    gates.pop()!()
    expect((await slow).result).toEqual(['a', 'both'])
    expect(await resultOf(caller, 'result = {k: memory.get(k) for k in memory.keys()}')).toEqual({
      a: 1,
      b: 'unseen',
      both: 'slow',
    })
  })

  it('is bounded, and is JSON', async () => {
    const caller = newCaller()
    const full = {
      class: 'limit',
      code: 'memory-full',
      message: 'memory would hold more than 1000000 characters or 1000 keys',
      hint: 'delete values that are no longer needed: memory.delete(key)',
    }
    await caller.run('memory.set("a", 1)')
    for (const code of [
      'memory.set("long", "x" * 1000000)',
      'for n in range(1001):\n    memory.set(str(n), n)',
      'try:\n    memory.set("long", "x" * 1000000)\nexcept Exception:\n    pass',
    ])
      expect(await resultOf(caller, code)).toMatchObject(full)
    expect(await resultOf(caller, 'for n in range(5):\n    memory.set("x", "x" * 900000)\nmemory.delete("x")')).toBe(
      true,
    )
    expect(await resultOf(caller, 'memory.set("k" * 201, 1)')).toMatchObject({
      message: 'TypeError: memory.set: key has 201 characters; the limit is 200',
    })
    expect(await resultOf(caller, 'memory.set("f", len)')).toMatchObject({
      message: expect.stringContaining('memory.set: '),
      hint: 'keep lists, dicts, texts, numbers and None',
    })
    expect(await resultOf(caller, 'memory.set("f", () => 1)', { language: 'javascript' })).toMatchObject({
      message: "TypeError: memory.set: the value can't be sent as JSON: JSON has no functions",
    })
    expect(await resultOf(caller, 'memory.get(1)')).toMatchObject({ message: expect.stringContaining('memory.get') })
    expect(await resultOf(caller, 'memory.get(1)', { language: 'javascript' })).toMatchObject({
      message: 'TypeError: memory.get: key must be a string',
    })
    expect(await resultOf(caller, 'result = memory.keys()')).toEqual(['a'])
    // Two at once may be too much together: the second one fails.
    const slow = caller.run('memory.set("slow", "x" * 600000)\ndesk.wait()')
    await expect.poll(() => gates.length).toBe(1)
    expect((await caller.run('memory.set("fast", "x" * 600000)')).ok).toBe(true)
    gates.pop()!()
    expect((await slow).error).toMatchObject(full)
    expect(await resultOf(caller, 'result = memory.keys()')).toEqual(['a', 'fast'])
  })

  it('is what a run that goes on or is replayed has read', async () => {
    const state = path.join(place.folder, 'state')
    const code =
      'memory.set("own", 1)\nbefore = memory.get("n")\ndesk.send()\nmemory.set("n", before + 1)\nresult = [before, memory.get("n"), memory.get("own")]'
    const options = { servers, state, warm: false, memory: 'session' } as const
    let runId = ''
    {
      await using first = await CodeMode.open({ ...options, approve: 'writes' })
      await first.run('memory.set("n", 10)')
      runId = (await first.run(code)).paused!.runId
      expect(await resultOf(first, 'result = memory.keys()')).toEqual(['n'])
      await first.run('memory.set("n", 50)')
      await first.runs.approve(runId)
    }
    await using later = await CodeMode.open({ ...options, approve: 'writes' })
    expect(await later.resume(runId)).toMatchObject({ ok: true, result: [10, 11, 1] })
    const kept = 'result = {k: memory.get(k) for k in memory.keys()}'
    expect(await resultOf(later, kept)).toEqual({ n: 11, own: 1 })
    await later.run('memory.set("n", 70)')
    expect(await later.runs.replay(runId)).toMatchObject({ same: true, result: { result: [10, 11, 1] } })
    expect(await resultOf(later, kept)).toEqual({ n: 70, own: 1 })
  })

  it('is there for the next command', async () => {
    place.write('starbind.json', '{}')
    const run = (...args: string[]) => starbindHere(['run', ...args], { cwd: place.folder })
    const code = 'memory.set("n", memory.get("n", 0) + 1)\nresult = memory.get("n")'
    for (const n of [1, 2]) expect((await run('-e', code, '--memory', 'session')).stdout).toBe(`result: ${n}\n`)
    expect((await run('-e', code)).status).toBe(1)
  })
})
