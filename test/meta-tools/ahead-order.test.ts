// What runs at the same time in what order, and what comes of failures.

import { describe, expect, it } from 'vitest'
import { CallSchedule } from '../../dist/bindings/index.js'
import type { RunEvent, RunResult } from '../../dist/meta-tools/index.js'
import { stage } from './stage.js'

const shown = ({ ok, result, logs, error }: RunResult) =>
  ok ? { result, logs } : { logs, error: `${error?.line}:${error?.column} ${error?.message}` }

describe('read-ahead calls', () => {
  const { run } = stage()

  it('are underway until their values are needed', async () => {
    const { groups } = await run('a = api.get(id=1)\nb = api.get(id=2)\nc = api.get(id=a["id"] + 2)\nprint(b, c)', {
      together: [2, 1],
    })
    expect(groups).toEqual([['get 1', 'get 2'], ['get 3']])
  })

  it('do not delay prints of other values, and prints wait for the values that they show', async () => {
    const { groups, result } = await run('a = api.get(id=1)\nprint("begin")\nb = api.get(id=2)\nprint(a["name"])', {
      together: [2],
    })
    expect(groups).toEqual([['get 1', 'get 2']])
    expect(result.logs).toEqual(['begin', 'n1'])
  })

  it('do not exist if read-ahead is switched off', async () => {
    const { groups } = await run('rs = [api.get(id=i) for i in range(2)]', { readAhead: false })
    expect(groups).toEqual([['get 0'], ['get 1']])
    const off = await stage({ readsAhead: () => false }).run('rs = [api.get(id=i) for i in range(2)]')
    expect(off.groups).toEqual([['get 0'], ['get 1']])
  })

  it('can be switched off by an argument of executeToolCode', async () => {
    const { execute, run } = stage()
    const code = 'rs = [api.get(id=i) for i in range(2)]\nprint(len(rs))'
    const shown = async (args: object) => (await execute({ code, ...args })).text.replace(/\d+ ms/g, 'N ms')
    expect(await shown({ readAhead: false })).toBe(await shown({}))
    expect(await shown({ readAhead: 'no' })).toContain('readAhead')
    expect((await run(code, { together: [2] })).groups).toEqual([['get 0', 'get 1']])
  })
})

describe('writes', () => {
  const { run } = stage()

  it('wait for all earlier reads, and the program waits for them', async () => {
    const { groups } = await run(
      'a = api.get(id=1)\nb = api.get(id=2)\napi.put(id=3)\napi.put(id=4)\nc = api.get(id=5)\nd = api.find(id=6)',
      { together: [2, 1, 1, 2] },
    )
    expect(groups).toEqual([['get 1', 'get 2'], ['put 3'], ['put 4'], ['get 5', 'find 6']])
  })

  it('are not made after a read that failed', async () => {
    const { groups, result } = await run(
      'print("before")\na = api.get(id=13)\nprint("after")\nb = api.get(id=2)\napi.put(id=3)',
      { together: [2] },
    )
    expect(groups).toEqual([['get 13', 'get 2']])
    expect(shown(result)).toEqual({ logs: ['before'], error: '2:5 api.get failed: "unlucky"' })
    expect(result.calls.map(({ tool, ok }) => [tool, ok])).toEqual([['get', false]])
  })
})

describe('a read that fails', () => {
  const { run } = stage()

  it('fails at its call, the earliest first, whatever follows', async () => {
    const code =
      'a = api.get(id=1)\nb = api.get(id=13)\nc = api.find(id=13)\nprint("never")\nprint(c["name"])\nresult = 1'
    expect(shown((await run(code)).result)).toEqual({ logs: [], error: '2:5 api.get failed: "unlucky"' })
  })

  it('is reported instead of a later failure of the program', async () => {
    expect(shown((await run('a = api.get(id=13)\nb = [][0]')).result)).toEqual({
      logs: [],
      error: '1:5 api.get failed: "unlucky"',
    })
  })

  it('is not caught by a later try', async () => {
    const code =
      'a = api.get(id=13)\ntry:\n  print(a["name"])\nexcept Exception as e:\n  print("caught", e)\nfinally:\n  print("finally")'
    expect(shown((await run(code)).result)).toEqual({ logs: [], error: '1:5 api.get failed: "unlucky"' })
  })

  it('is caught by a try around it, and the reads after it are not recorded', async () => {
    const code =
      'try:\n  rs = [api.get(id=i) for i in (1, 13, 2)]\nexcept ToolError as e:\n  print("caught", e)\nb = api.get(id=4)\nprint(b["name"])'
    const { groups, result } = await run(code, { together: [3, 1] })
    expect(groups).toEqual([['get 1', 'get 13', 'get 2'], ['get 4']])
    expect(result.logs).toEqual(['caught unlucky', 'n4'])
    expect(result.calls.map(({ ok }) => ok)).toEqual([true, false, true])
  })

  it('is reported instead of a limit that the program met later', async () => {
    const { result } = await run('a = api.get(id=13)\nb = api.find(id=1)["name"]\nwhile True:\n  print("x" * 1000)')
    expect(shown(result)).toEqual({ logs: [], error: '1:5 api.get failed: "unlucky"' })
  })
})

describe('the report of a run', () => {
  it('names every sent call and shows only lines that the program printed', async () => {
    const events: RunEvent[] = []
    const { run } = stage()
    const { result } = await run('print("a")\nx = api.get(id=13)\nprint("b")\ny = api.get(id=2)\nprint(y["name"])', {
      together: [2],
      onEvent: (event) => events.push(event),
    })
    const told = events.map((event) => (event.type === 'print' ? `print ${event.text}` : event.type))
    expect(told.filter((one) => one.startsWith('print'))).toEqual(['print a'])
    expect(told.filter((one) => one === 'call.finished')).toHaveLength(2)
    expect(result.calls).toHaveLength(1)
  })
})

describe('equal reads', () => {
  const code = 'rs = [api.get(id=i) for i in (1, 2, 1, 1)]\nresult = [r["name"] for r in rs]'

  it('share one answer if that is configured', async () => {
    const { groups, result } = await stage({ coalesceReads: true }).run(code, { started: 4 })
    expect(groups).toEqual([['get 1', 'get 2']])
    expect(result.result).toEqual(['n1', 'n2', 'n1', 'n1'])
    expect(result.calls.map(({ outcome }) => outcome)).toEqual(['answered', 'answered', 'reused', 'reused'])
  })

  it('are all made by default', async () => {
    const { groups } = await stage().run(code, { together: [4] })
    expect(groups).toEqual([['get 1', 'get 2', 'get 1', 'get 1']])
  })
})

describe('bounds', () => {
  it('limit the concurrent calls of a run and of a server', async () => {
    const { run } = stage({ schedule: new CallSchedule({ callsPerRun: 3, callsPerServer: () => 2 }) })
    const { groups, result } = await run('rs = [api.get(id=i) for i in range(5)]\nresult = len(str(rs)) > 0', {
      together: [2, 2, 1],
    })
    expect(groups.map((group) => group.length)).toEqual([2, 2, 1])
    expect(result.ok).toBe(true)
  })
})

describe('explicitly concurrent calls', () => {
  const { run } = stage()
  const work = 'def work(i):\n  a = api.get(id=i)\n  return api.put(id=a["id"] + 10)["name"]\n'

  it.each([
    [
      'functions',
      'result = [x["name"] for x in parallel([lambda: api.put(id=1), lambda: api.get(id=2)])]',
      [2],
      [['put 1', 'get 2']],
    ],
    [
      'steps of one function',
      `${work}result = parallel(work, [1, 2])`,
      [2, 2],
      [
        ['get 1', 'get 2'],
        ['put 11', 'put 12'],
      ],
    ],
    [
      'a tool with many arguments',
      'result = [x["name"] for x in api.put.map([{"id": 1}, {"id": 2}])]',
      [2],
      [['put 1', 'put 2']],
    ],
    [
      'coroutines',
      `import asyncio\nasync ${work.replaceAll('api.', 'await api.').replace('await api.put(id=a["id"] + 10)', '(await api.put(id=a["id"] + 10))')}async def main():\n  return await asyncio.gather(work(1), work(2))\nresult = asyncio.run(main())`,
      [2, 2],
      [
        ['get 1', 'get 2'],
        ['put 11', 'put 12'],
      ],
    ],
    [
      'tools given to asyncio',
      'import asyncio\nasync def main():\n  return await asyncio.gather(*[api.put(id=i) for i in (1, 2)])\nresult = [x["name"] for x in asyncio.run(main())]',
      [2],
      [['put 1', 'put 2']],
    ],
  ])('%s', async (_, code, together, expected) => {
    for (const readAhead of [true, false]) {
      const { groups, result } = await run(code, { together, readAhead })
      expect(result.report).not.toContain('error')
      expect(groups).toEqual(expected)
      expect(result.result).toEqual(expected.at(-1)!.map((call) => call.replace(/^\w+ /, 'n')))
      expect(result.calls.map(({ tool }) => tool)).toEqual(expected.flat().map((call) => call.split(' ')[0]))
    }
  })

  it('are made after the reads before them', async () => {
    const { groups } = await run('a = api.get(id=1)\nparallel([lambda: api.put(id=2), lambda: api.put(id=3)])', {
      together: [1, 2],
    })
    expect(groups).toEqual([['get 1'], ['put 2', 'put 3']])
  })

  it('all end before the first failure is raised', async () => {
    const code =
      'ids = [1, 13, 13, 4]\ntry:\n  parallel(lambda i: api.put(id=i), ids)\nexcept ToolError as e:\n  print(e)'
    const { groups, result } = await run(code, { together: [4] })
    expect(groups).toEqual([['put 1', 'put 13', 'put 13', 'put 4']])
    expect(result.logs).toEqual(['unlucky'])
  })

  it.each([
    'parallel(lambda i: api.put(id=i), [1, 13], return_errors=True)',
    'api.put.map([{"id": 1}, {"id": 13}], return_errors=True)',
  ])('give their failures as records: %s', async (code) => {
    const { result } = await run(`result = [(x.ok, x.value and x.value["name"], x.error) for x in ${code}]`)
    expect(result.result).toEqual([
      [true, 'n1', null],
      [false, null, 'unlucky'],
    ])
  })

  it('fail at their own calls', async () => {
    const one = await run('def work(i):\n  return api.put(id=i)\nparallel(work, [13])')
    expect(shown(one.result)).toEqual({ logs: [], error: '2:10 api.put failed: "unlucky"' })
    const other = await run('parallel([1])')
    expect(shown(other.result)).toEqual({ logs: [], error: '1:1 TypeError: parallel: got int, want a function' })
  })
})
