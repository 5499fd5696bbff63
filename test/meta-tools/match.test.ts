// What tools answer, taken apart by match statements: data, text, text that is data as well, and values that the
// program has not waited for yet.

import { describe, expect, it } from 'vitest'
import { bench, failure, structured, text } from './bench.js'
import { stage } from './stage.js'

const api = bench({
  issue: {
    answers: ({ number }) =>
      structured({
        number,
        state: Number(number) % 2 === 0 ? 'open' : 'closed',
        user: { login: 'ann' },
        labels: Number(number) > 2 ? ['bug', 'ui'] : [],
        score: Number(number) / 2,
      }),
  },
  count: { answers: text('7') },
  status: { answers: text('green') },
  json: { answers: text('{"kind": "report", "rows": [1, 2]}') },
  list: { answers: text('[{"id": 1}, {"id": 2}]') },
  broken: { answers: failure('not today') },
})

describe('a tool’s answer', () => {
  it('matches mapping and sequence patterns as data', async () => {
    const code = `def describe(issue):
    match issue:
        case {"state": "open", "labels": []}:
            return "open, no labels"
        case {"state": "closed", "user": {"login": who}, "labels": [first, *_]}:
            return f"{who} closed a {first}"
        case {"state": state, "score": float(score)}:
            return f"{state} {score}"
        case {"state": state, "number": int(n), **rest}:
            return f"{state} {n} {sorted(rest)}"
print([describe(api.issue(number=n)) for n in [2, 3, 4, 1]])`
    expect(await api.printed(code)).toEqual([
      "['open, no labels', 'ann closed a bug', \"open 4 ['labels', 'score', 'user']\", 'closed 0.5']",
    ])
  })

  it('matches as text', async () => {
    const code = `match api.status():
    case "red" | "yellow":
        print("wait")
    case "green":
        print("go")
match api.count():
    case str(n) if n.isdigit():
        print(int(n) + 1)`
    expect(await api.printed(code)).toEqual(['go', '8'])
  })

  it('matches as data and as text if it is both', async () => {
    const code = `match api.json():
    case {"kind": "report", "rows": [*rows]}:
        print("data", rows)
match api.json():
    case '{"kind": "report", "rows": [1, 2]}':
        print("text")
match api.json():
    case str(s):
        print(s.upper())
match api.list():
    case [{"id": a}, {"id": b}]:
        print(a, b)
match api.list(), api.status():
    case [first, *_], "green":
        print(first)`
    expect(await api.printed(code)).toEqual([
      'data [1, 2]',
      'text',
      '{"KIND": "REPORT", "ROWS": [1, 2]}',
      '1 2',
      "{'id': 1}",
    ])
  })

  it('matches as an exception if the call failed', async () => {
    const code = `try:
    api.broken()
except Exception as e:
    match e:
        case ToolError(tool="broken", message=words):
            print(words)
match api.broken.safe():
    case r if r.ok:
        print("ok")
    case r:
        print(r.error)`
    expect(await api.printed(code)).toEqual(['not today', 'not today'])
  })
})

describe('calls of tools in a match statement', () => {
  it('are made in the order of subject, guard and case', async () => {
    const code = `match api.issue(number=2):
    case {"state": "closed"} if api.count() == "7":
        api.broken()
    case {"state": "open"} if api.count() == "8":
        api.broken()
    case {"number": n}:
        api.json()
        result = api.issue(number=n + 1)["state"]`
    const { result, calls } = await api.run(code)
    expect(result).toBe('closed')
    expect(calls.map(({ tool }) => tool)).toEqual(['issue', 'count', 'json', 'issue'])
  })

  it('are checked before anything runs', async () => {
    const code = `match api.status():
    case "green":
        api.isue(number=1)
    case _ if api.count(1, 2, 3):
        pass`
    const { error, calls } = await api.run(code)
    expect(error?.message).toBe('api has no tool isue')
    expect(calls).toEqual([])
  })
})

describe('pending values', () => {
  it('stay underway together until a pattern needs one', async () => {
    const code = `a = api.get(id=1)
b = api.get(id=2)
c = [api.get(id=3), api.get(id=4)]
match c:
    case [{"name": third}, last]:
        pass
match a, b:
    case {"name": "n1", **rest}, {"name": second}:
        result = [rest, second, third, last]`
    const { groups, result } = await stage().run(code, { together: [4] })
    expect(result.result).toEqual([{ id: 1 }, 'n2', 'n3', { id: 4, name: 'n4' }])
    expect(groups).toEqual([['get 1', 'get 2', 'get 3', 'get 4']])
  })

  it('are read again after a guard stored one', async () => {
    const code = `xs = [1]
def more():
    xs.append(api.get(id=2))
    return False
match xs:
    case [_] if more():
        result = "no"
    case [1, {"name": name}]:
        result = name
    case _:
        result = "no second"`
    const { result } = await stage().run(code)
    expect(result.report).not.toContain('error')
    expect(result.result).toBe('n2')
  })

  it('stay pending through captures', async () => {
    const code = `rs = []
for i in [1, 2, 3]:
    match i:
        case 2:
            rs.append(api.find(id=i))
        case n:
            rs.append(api.get(id=n))
result = [r["name"] for r in rs]`
    const { groups, result } = await stage().run(code, { together: [3] })
    expect(result.result).toEqual(['n1', 'n2', 'n3'])
    expect(groups).toEqual([['get 1', 'find 2', 'get 3']])
  })
})
