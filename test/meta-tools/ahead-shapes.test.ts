// The shapes in which programs call a tool several times, and whether these calls are underway together. The tools of a
// program whose calls are said to be together end only when all have been made.

import { describe, expect, it } from 'vitest'
import type { RunEnd, Sandbox } from '../../dist/sandbox/index.js'
import { stage } from './stage.js'

const IDS = [1, 2, 3, 4]
const names = 'result = [r["name"] for r in rs]'
const getOne = 'def one(i):\n  return api.get(id=i)\n'

const getName = 'def name(i):\n  r = api.get(id=i)\n  return r["name"]\n'
const pool = 'from concurrent.futures import ThreadPoolExecutor, as_completed\n'

const together: readonly (readonly [shape: string, code: string])[] = [
  ['a comprehension', `rs = [api.get(id=i) for i in ids]\n${names}`],
  ['a loop', `rs = []\nfor i in ids:\n  rs.append(api.get(id=i))\n${names}`],
  ['a loop that prints', `rs = []\nfor i in ids:\n  print(i)\n  rs.append(api.get(id=i))\n${names}`],
  ['a dict', 'd = {}\nfor i in ids:\n  d[i] = api.get(id=i)\nresult = [d[i]["name"] for i in ids]'],
  [
    'a dict of lists',
    'd = {}\nfor i in ids:\n  d.setdefault("a", []).append(api.get(id=i))\nresult = [r["name"] for r in d["a"]]',
  ],
  ['pairs', 'rs = [(i, api.get(id=i)) for i in ids]\nresult = [r["name"] for _, r in rs]'],
  [
    'variables and displays',
    `a = api.get(id=1)\nb, c = (api.get(id=2), api.get(id=3))\nrs = [a, b, c, api.get(id=4)]\n${names}`,
  ],
  [
    'attributes',
    `class P:\n  pass\np = P()\np.a = api.get(id=1)\np.b = api.get(id=2)\np.c = api.get(id=3)\nd = api.get(id=4)\nrs = [p.a, p.b, p.c, d]\n${names}`,
  ],
  [
    'a method with the name of one of dict',
    `class Api:\n  def get(self, key):\n    return api.get(id={"a": 1, "b": 2, "c": 3, "d": 4}[key])\ndef all(g):\n  return [g.get("a"), g.get("b"), g.get("c"), g.get("d")]\nrs = all(Api())\n${names}`,
  ],
  ['a function', `${getOne}rs = [one(i) for i in ids]\n${names}`],
  [
    'a function in a function',
    `def main():\n  def one(i):\n    return api.get(id=i)\n  return [one(i) for i in ids]\nrs = main()\n${names}`,
  ],
  ['another name', `get = api.get\nrs = [get(id=i) for i in ids]\n${names}`],
  ['await', `rs = [await api.get(id=i) for i in ids]\n${names}`],
  ['a generator expression', `rs = list(api.get(id=i) for i in ids)\n${names}`],
  ['try around a comprehension', `try:\n  rs = [api.get(id=i) for i in ids]\nexcept ToolError:\n  rs = []\n${names}`],
  [
    'try around a loop',
    `rs = []\ntry:\n  for i in ids:\n    rs.append(api.get(id=i))\nexcept ToolError as e:\n  print(e)\n${names}`,
  ],
  [
    'try around assignments',
    `try:\n  a = api.get(id=1)\n  b = api.get(id=2)\n  c = api.find(id=3)\n  d = api.get(id=4)\nexcept ToolError as e:\n  print(e)\nrs = [a, b, c, d]\n${names}`,
  ],
  [
    'try in a loop',
    `rs = []\nfor i in ids:\n  try:\n    rs.append(api.get(id=i))\n  except ToolError as e:\n    print(i, e)\n${names}`,
  ],
  [
    'try in a function',
    `def one(i):\n  try:\n    return api.get(id=i)\n  except ToolError as e:\n    return {"name": str(e)}\nrs = [one(i) for i in ids]\n${names}`,
  ],
  ['finally', `rs = []\ntry:\n  for i in ids:\n    rs.append(api.get(id=i))\nfinally:\n  done = True\n${names}`],
  [
    'with',
    `class Log:\n  def __enter__(self):\n    return self\n  def __exit__(self, *args):\n    return False\nwith Log():\n  rs = [api.get(id=i) for i in ids]\n${names}`,
  ],
  [
    'attempts',
    `def one(i):\n  for n in range(3):\n    try:\n      return api.get(id=i)\n    except ToolError as e:\n      print(n, e)\nrs = [one(i) for i in ids]\n${names}`,
  ],
  [
    'a method',
    `class Api:\n  def one(self, i):\n    return api.get(id=i)\n  def all(self, ids):\n    return [self.one(i) for i in ids]\nrs = Api().all(ids)\n${names}`,
  ],
  [
    'methods in a loop',
    `class Api:\n  def one(self, i):\n    return api.get(id=i)\na = Api()\nrs = []\nfor i in ids:\n  rs.append(a.one(i))\n${names}`,
  ],
  ['list(map(…))', `${getOne}rs = list(map(one, ids))\n${names}`],
  ['list(map(lambda))', `rs = list(map(lambda i: api.get(id=i), ids))\n${names}`],
  ['a tool that is mapped', `rs = list(map(api.get, [{"id": i} for i in ids]))\n${names}`],
  ['a lambda in a variable', `one = lambda i: api.get(id=i)\nrs = [one(i) for i in ids]\n${names}`],
  [
    'a function that is passed',
    `${getOne}def every(f, xs):\n  return [f(x) for x in xs]\nrs = every(one, ids)\n${names}`,
  ],
  [
    'a callback',
    `import functools\ndef all(n):\n  return [api.get(id=i) for i in ids]\nrs = functools.reduce(lambda a, b: b, map(all, [1]))\n${names}`,
  ],
  [
    'a generator between its values',
    `def pages():\n  rs = [api.get(id=i) for i in ids]\n  yield rs\nrs = next(pages())\n${names}`,
  ],
  [
    'await in a coroutine',
    `import asyncio\nasync def main():\n  return [await api.get(id=i) for i in ids]\nrs = asyncio.run(main())\n${names}`,
  ],
  [
    'await after await',
    `import asyncio\nasync def main():\n  a = await api.get(id=1)\n  b = await api.get(id=2)\n  c = await api.find(id=3)\n  return [a, b, c, await api.get(id=4)]\nrs = asyncio.run(main())\n${names}`,
  ],
  [
    'gather',
    `import asyncio\nasync def one(i):\n  r = await api.get(id=i)\n  return r["name"]\nasync def main():\n  return await asyncio.gather(*[one(i) for i in ids])\nresult = asyncio.run(main())`,
  ],
  [
    'gather of what was called before',
    `import asyncio\nasync def main():\n  calls = [api.get(id=i) for i in ids]\n  return await asyncio.gather(*calls)\nrs = asyncio.run(main())\n${names}`,
  ],
  [
    'tasks',
    `import asyncio\nasync def one(i):\n  return (await api.get(id=i))["name"]\nasync def main():\n  tasks = [asyncio.create_task(one(i)) for i in ids]\n  return [await t for t in tasks]\nresult = asyncio.run(main())`,
  ],
  [
    'a task group',
    `import asyncio\nasync def one(i):\n  return (await api.get(id=i))["name"]\nasync def main():\n  async with asyncio.TaskGroup() as group:\n    tasks = [group.create_task(one(i)) for i in ids]\n  return [t.result() for t in tasks]\nresult = asyncio.run(main())`,
  ],
  [
    'to_thread',
    `import asyncio\n${getName}async def main():\n  return await asyncio.gather(*[asyncio.to_thread(name, i) for i in ids])\nresult = asyncio.run(main())`,
  ],
  [
    'run_in_executor',
    `import asyncio\n${getName}async def main():\n  loop = asyncio.get_running_loop()\n  return await asyncio.gather(*[loop.run_in_executor(None, name, i) for i in ids])\nresult = asyncio.run(main())`,
  ],
  ['an executor that maps', `${pool}${getName}with ThreadPoolExecutor() as ex:\n  result = list(ex.map(name, ids))`],
  [
    'an executor that maps a lambda',
    `${pool}with ThreadPoolExecutor() as ex:\n  result = list(ex.map(lambda i: api.get(id=i)["name"], ids))`,
  ],
  [
    'an executor without with',
    `${pool}${getName}ex = ThreadPoolExecutor(max_workers=4)\nresult = list(ex.map(name, ids))`,
  ],
  [
    'what is submitted',
    `${pool}${getName}with ThreadPoolExecutor() as ex:\n  futures = [ex.submit(name, i) for i in ids]\n  result = [f.result() for f in futures]`,
  ],
  [
    'a tool that is submitted',
    `${pool}with ThreadPoolExecutor() as ex:\n  futures = [ex.submit(api.get, id=i) for i in ids]\nrs = [f.result() for f in futures]\n${names}`,
  ],
  [
    'what is completed',
    `${pool}${getName}with ThreadPoolExecutor() as ex:\n  futures = {ex.submit(name, i): i for i in ids}\n  done = {}\n  for f in as_completed(futures):\n    done[futures[f]] = f.result()\nresult = [done[i] for i in ids]`,
  ],
  [
    'an executor whose function catches',
    `${pool}def name(i):\n  try:\n    return api.get(id=i)["name"]\n  except ToolError as e:\n    return str(e)\nwith ThreadPoolExecutor() as ex:\n  result = list(ex.map(name, ids))`,
  ],
  [
    'an executor whose function calls others',
    `${pool}${getOne}def name(i, key="name"):\n  return one(i)[key]\nwith ThreadPoolExecutor() as ex:\n  result = list(ex.map(name, ids))`,
  ],
  ['parallel', `${getName}result = parallel(name, ids)`],
  [
    'parallel through functions',
    `${getOne}def name(i, key="name"):\n  r = one(i)\n  return r[key]\nresult = parallel(name, ids)`,
  ],
]

const oneByOne: readonly (readonly [shape: string, code: string])[] = [
  ['a function that looks', 'def one(i):\n  return api.get(id=i)["name"]\nresult = [one(i) for i in ids]'],
  ['a loop that looks', 'result = []\nfor i in ids:\n  r = api.get(id=i)\n  result.append(r["name"])'],
  ['a key', 'result = sorted(ids, key=lambda i: api.get(id=i)["name"])\nresult = [f"n{i}" for i in result]'],
  ['a filter', 'result = [r["name"] for i in ids if (r := api.get(id=i))]'],
  ['safe', 'rs = [api.get.safe(id=i) for i in ids]\nresult = [r.value["name"] for r in rs]'],
  [
    'an object whose constructor reads',
    'class One:\n  def __init__(self, i):\n    self.r = api.get(id=i)\nresult = [o.r["name"] for o in [One(i) for i in ids]]',
  ],
  [
    'a worker',
    'from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(max_workers=1) as ex:\n  result = list(ex.map(lambda i: api.get(id=i)["name"], ids))',
  ],
  [
    'what keeps others out',
    'import threading\nfrom concurrent.futures import ThreadPoolExecutor\nlock = threading.Lock()\ndef one(i):\n  with lock:\n    return api.get(id=i)["name"]\nwith ThreadPoolExecutor() as ex:\n  result = list(ex.map(one, ids))',
  ],
  [
    'a function that coroutines call',
    'import asyncio\ndef one(i):\n  return api.get(id=i)["name"]\nasync def work(i):\n  return one(i)\nasync def main():\n  return await asyncio.gather(*[work(i) for i in ids])\nresult = asyncio.run(main())',
  ],
  ['a generator', 'def all():\n  for i in ids:\n    yield api.get(id=i)\nresult = [r["name"] for r in all()]'],
]

describe('calls in a loop', () => {
  it.each(together)('are underway together: %s', async (_, code) => {
    const { groups, result } = await stage().run(`ids = [1, 2, 3, 4]\n${code}`, { together: [IDS.length] })
    expect(result.report).not.toContain('error')
    expect(result.result).toEqual(IDS.map((id) => `n${id}`))
    expect(groups.map((group) => group.map((call) => call.replace('find', 'get')))).toEqual([
      IDS.map((id) => `get ${id}`),
    ])
    expect(result.calls).toHaveLength(IDS.length)
  })

  it.each(oneByOne)('are made one by one: %s', async (_, code) => {
    const { groups, result } = await stage().run(`ids = [1, 2, 3, 4]\n${code}`)
    expect(result.report).not.toContain('error')
    expect(result.result).toEqual(IDS.map((id) => `n${id}`))
    expect(groups).toEqual(IDS.map((id) => [`get ${id}`]))
  })
})

describe('a read that failed inside of try', () => {
  it('is raised at its call with the work done until then, and no call is sent twice', async () => {
    const code = `rs = []
try:
  for i in [1, 2, 13, 4, 5]:
    last = i
    print("asking for", i)
    rs.append(api.get(id=i))
except ToolError as e:
  print(e, last, [r["name"] for r in rs])
finally:
  print("finally")
rs.append(api.get(id=5))
api.put(id=6)
result = [r["name"] for r in rs]`
    const printed: string[] = []
    const sent: string[] = []
    const { groups, result } = await stage().run(code, {
      together: [6, 1],
      onEvent: (event) => {
        if (event.type === 'print') printed.push(event.text)
        if (event.type === 'call.started') sent.push(event.tool)
      },
    })
    const logs = ['asking for 1', 'asking for 2', 'asking for 13', "unlucky 13 ['n1', 'n2']", 'finally']
    expect(result.logs).toEqual(logs)
    expect(printed).toEqual(logs)
    expect(result.result).toEqual(['n1', 'n2', 'n5'])
    expect(result.calls.map(({ tool, ok, outcome }) => [tool, ok, outcome])).toEqual([
      ['get', true, 'answered'],
      ['get', true, 'answered'],
      ['get', false, 'failed'],
      ['get', true, 'answered'],
      ['put', true, 'answered'],
    ])
    // Those of the attempt that is void from the third on, with the one after the statement; then the write.
    expect(sent).toEqual([...Array(6).fill('get'), 'put'])
    expect(groups).toEqual([['get 1', 'get 2', 'get 13', 'get 4', 'get 5', 'get 5'], ['put 6']])
  })

  it('does not discard calls that wait for a slot', async () => {
    const call = '?0-1 {"namespace":"api","member":"get","positional":[],"named":{"id":13}}'
    const stats: RunEnd['stats'] = { wallMs: 1, queueMs: 0, runMs: 1, callWaitMs: 0, memoryBytes: 0 }
    let attempts = 0
    const sandbox: Sandbox = {
      async run({ onCall }) {
        attempts++
        if (attempts === 1) await onCall({ id: 1, payload: call, waits: false }, new AbortController().signal)
        return attempts === 2 ? { kind: 'busy', stats } : { kind: 'completed', payload: '{"ok":true}', stats }
      },
      isClosed: false,
      async warm() {},
      practise() {},
      async close() {},
    }
    const { result } = await stage({ sandbox }).run('api.get(id=13)')
    expect([result.ok, attempts]).toEqual([true, 3])
  })

  it('does not affect earlier writes', async () => {
    const code = `api.put(id=1)
try:
  a = api.get(id=2)
  api.put(id=3)
  b = api.get(id=13)
  c = api.get(id=4)
  api.put(id=5)
except ToolError as e:
  print(e)
api.put(id=6)`
    const { sent, run } = stage()
    const { result } = await run(code)
    expect(result.logs).toEqual(['unlucky'])
    const shown = ['put 1', 'get 2', 'put 3', 'get 13', 'put 6']
    expect(sent.map(({ tool, args }) => `${tool} ${args.id}`).filter((call) => call !== 'get 4')).toEqual(shown)
    expect(result.calls.map(({ tool }) => tool)).toEqual(shown.map((call) => call.split(' ')[0]))
  })

  it('may fail repeatedly, until the program waits for each read', async () => {
    const steps = Array.from(
      { length: 9 },
      (_, n) => `try:\n  api.get(id=${n})\n  api.find(id=13)\nexcept ToolError as e:\n  print(${n}, e)`,
    )
    const { result } = await stage().run(steps.join('\n'))
    expect(result.logs).toEqual(steps.map((_, n) => `${n} unlucky`))
    expect(result.calls.map(({ tool }) => tool)).toEqual(steps.flatMap(() => ['get', 'find']))
  })

  it('does not allow more calls than the limit', async () => {
    const code =
      'for i in range(100):\n  try:\n    api.get(id=13 + i)\n  except ToolError as e:\n    print(i)\n  api.put(id=i)'
    const { sent, run } = stage()
    const { result } = await run(code, { limits: { toolCalls: 7 } })
    expect(result.error?.message).toBe('the program made more than 7 calls (limit toolCalls)')
    expect(sent).toHaveLength(7)
    expect(result.calls).toHaveLength(7)
  })

  it('ends a program that would loop for ever without it', async () => {
    const { result } = await stage().run(
      'n = 10\ntry:\n  while True:\n    api.get(id=n)\n    n += 1\nexcept ToolError:\n  result = n',
    )
    expect(result.result).toBe(13)
    expect(result.calls).toHaveLength(4)
  })
})

describe('an executor', () => {
  const begin = 'from concurrent.futures import ThreadPoolExecutor, as_completed\n'

  it('prints in the order of submission and continues in the order of the calls', async () => {
    const code = `${begin}def work(i):
  print("begin", i)
  r = api.get(id=i)
  print("got", i)
  api.put(id=i + 10)
  print("end", i)
  return r["name"]
with ThreadPoolExecutor(max_workers=2) as ex:
  futures = [ex.submit(work, i) for i in [1, 2, 4]]
  print("submitted")
  result = [f.result() for f in futures]`
    for (const readAhead of [true, false]) {
      const { result } = await stage().run(code, { readAhead })
      expect(result.logs).toEqual([
        ...['begin 1', 'begin 2', 'submitted', 'got 1', 'got 2', 'end 1', 'begin 4', 'end 2', 'got 4', 'end 4'],
      ])
      expect(result.result).toEqual(['n1', 'n2', 'n4'])
      expect(result.calls.map(({ tool }) => tool)).toEqual(['get', 'get', 'put', 'put', 'get', 'put'])
    }
  })

  it('raises a failure when its result is read', async () => {
    const code = `${begin}with ThreadPoolExecutor() as ex:
  futures = [ex.submit(api.get, id=i) for i in [1, 13, 2]]
  for f in as_completed(futures):
    print(f.done(), f.exception() or f.result()["name"])
  try:
    list(ex.map(lambda i: api.get(id=i), [2, 13]))
  except ToolError as e:
    print(e)`
    const { result } = await stage().run(code)
    const unlucky = 'unlucky'
    expect(result.logs).toEqual(['True n1', `True ${unlucky}`, 'True n2', unlucky])
  })

  it('finishes its work before the program ends', async () => {
    const { sent, run } = stage()
    const { result } = await run(
      `${begin}ThreadPoolExecutor().submit(lambda: api.put(id=api.get(id=1)["id"] + 1))\nresult = 1`,
    )
    expect(result.report).not.toContain('error')
    expect(sent.map(({ tool, args }) => `${tool} ${args.id}`)).toEqual(['get 1', 'put 2'])
  })
})
