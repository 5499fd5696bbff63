// What a tool's answer that is JSON text is for a program: the text, the data, or a question. Each program is told from
// what it does with the answer, wherever that gets to.

import { describe, expect, it } from 'vitest'
import { bench, text } from './bench.js'

const rows = '[{"id": 1, "title": "Acme"}, {"id": 2, "title": "Beta"}]'
const object = '{"name": "acme", "total": 3}'
const size = object.length
const path = { type: 'object', properties: { path: { type: 'string' } } } as const
const read = { inputSchema: path, annotations: { readOnlyHint: true } }

const tools = {
  list: { inputSchema: path, answers: text(rows) },
  rows: { ...read, answers: text(rows) },
  read: { ...read, answers: text(object) },
  spaced: { inputSchema: path, answers: text('{"total":3,"name":"acme"}') },
  names: { inputSchema: path, answers: text('["ann", "bob"]') },
  declared: {
    inputSchema: path,
    outputSchema: { type: 'object', properties: { result: { type: 'array' } } } as const,
    answers: text(rows),
  },
}

async function resultOf(code: string, language: 'starlark' | 'javascript'): Promise<unknown> {
  const { report, result } = await bench(tools, { language }).run(code)
  return result === undefined ? report : result
}

describe('in Starlark an answer', () => {
  it.each<[string, string, unknown]>([
    [
      'a method of texts',
      't = api.read()\nt.splitlines()\nresult = [len(t), "acme" in t, t[:7], t[0]]',
      [size, true, '{"name"', '{'],
    ],
    [
      'json.loads',
      'import json\nt = api.rows()\nd = json.loads(t)\nresult = [len(t), len(d), d[0]["id"]]',
      [rows.length, 2, 1],
    ],
    ['a regular expression', 'import re\nt = api.read()\nre.findall("a", t)\nresult = len(t)', size],
    ['a compiled one', 'import re\nt = api.read()\nre.compile("a").search(t)\nresult = len(t)', size],
    ['a sum with text', 't = api.read()\nx = "<" + t + ">"\nresult = [len(t), len(x)]', [size, size + 2]],
    ['a format', 't = api.read()\nresult = [f"{t:.4}", type(t) is str]', ['{"na', true]],
    [
      'a list of texts',
      'ts = []\nfor p in ["a", "b"]:\n    ts.append(api.read(path=p))\nresult = [sum(len(t.split()) for t in ts), sum(len(t) for t in ts)]',
      [8, 2 * size],
    ],
    ['a dict of texts', 'd = {"a": api.read()}\nd["a"].upper()\nresult = len(d["a"])', size],
    [
      'a function that splits',
      'def words(t):\n    return t.split()\nt = api.read()\nresult = [len(words(t)), len(t)]',
      [4, size],
    ],
    [
      'what a function returns',
      'def load(p):\n    return api.read(path=p)\nresult = [len(load("a").strip()), len(load("b"))]',
      [size, size],
    ],
    [
      'an attribute',
      'class Doc:\n    def __init__(self, text):\n        self.text = text\n    def words(self):\n        return self.text.split()\nd = Doc(api.read())\nresult = [len(d.words()), len(d.text)]',
      [4, size],
    ],
    ['a value of .safe', 'r = api.read.safe()\nresult = [r.value.upper()[:3], len(r.value)]', ['{"N', size]],
    [
      'several at once',
      'ts = parallel(lambda p: api.read(path=p), ["a", "b"])\nresult = [len(t) for t in ts if t.strip()]',
      [size, size],
    ],
    [
      'a counter of characters',
      'from collections import Counter\nt = api.read()\nt.lower()\nresult = Counter(t)["a"]',
      3,
    ],
    [
      'an element of JSON',
      'import json\nt = api.read()\nt.strip()\nresult = json.dumps({"content": t})',
      '{"content": "{\\"name\\": \\"acme\\", \\"total\\": 3}"}',
    ],
    ['a key of a dict', 't = api.read()\ncache = {}\ncache[t] = 1\nresult = [list(cache)[0], len(t)]', [object, size]],
    ['a set', 'result = len({api.read(), api.read()})', 1],
    ['a set that grows', 'seen = set()\nt = api.read()\nseen.add(t)\nresult = [t in seen, len(t)]', [true, size]],
    [
      'a counter of texts',
      'from collections import Counter\nresult = Counter([api.read(), api.read()]).most_common(1)',
      [[object, 2]],
    ],
  ])('is text to %s', async (_, code, expected) => {
    expect(await resultOf(code, 'starlark')).toEqual(expected)
  })

  it.each<[string, string, unknown]>([
    [
      'a key',
      't = api.read()\nt["name"]\nresult = [len(t), "acme" in t, [k for k in t]]',
      [2, false, ['name', 'total']],
    ],
    ['a key of a row', 't = api.list()\nresult = [len(t), [r["id"] for r in t], t[0]["title"]]', [2, [1, 2], 'Acme']],
    ['a key of what is sorted', 'result = len(sorted(api.rows(), key=lambda r: r["title"]))', 2],
    [
      'a loop that gives elements to tools',
      'ns = api.names()\nfor n in ns:\n    api.read(path=n)\nresult = len(ns)',
      2,
    ],
    [
      'a function that takes keys',
      'def ids(rs):\n    return [r["id"] for r in rs]\nt = api.rows()\nresult = [ids(t), len(t)]',
      [[1, 2], 2],
    ],
    [
      'what a function returns',
      'def load(p):\n    return api.rows(path=p)\na = load("x")\nresult = [len(a) + len(load("y")), a[0]["id"]]',
      [4, 1],
    ],
    ['taking apart', 'a, b = api.list()\nresult = b["id"]', 2],
    ['a pattern', 'match api.read():\n    case {"name": n}:\n        result = n', 'acme'],
    [
      'a program that looks what it is',
      'import json\nt = api.list()\nif isinstance(t, str):\n    t = json.loads(t)\nresult = [len(t), t[0]["id"]]',
      [2, 1],
    ],
    ['a tool that declares data', 'result = len(api.declared())', 2],
    [
      'a key, whatever it is hashed for',
      'def key(r):\n    return {r["name"]: r}\nresult = key(api.read())',
      { acme: { name: 'acme', total: 3 } },
    ],
    [
      'equality, where texts and data agree',
      'result = [api.read() == api.read(), api.read() == api.list()]',
      [true, false],
    ],
  ])('is data to %s', async (_, code, expected) => {
    expect(await resultOf(code, 'starlark')).toEqual(expected)
  })

  it.each([
    ['t = api.list()\nprint(len(t))', '2:11', 'len(json.loads(t))', 'len(str(t))'],
    ['print("acme" in api.read())', '1:17', 'in json.loads(api.read(…))', 'in str(api.read(…))'],
    ['for x in api.list():\n    print(x)', '1:10', 'json.loads(api.list(…))', 'str(api.list(…))'],
    ['t = api.rows()\nprint(t[:1])', '2:7', 'json.loads(t)[…]', 'str(t)[…]'],
    ['t = api.rows()\nprint(t[0])', '2:7', 'json.loads(t)[…]', 'str(t)[…]'],
    ['t = api.list()\nt.strip()\nt[0]["id"]\nprint(len(t))', '4:11', 'len(json.loads(t))', 'len(str(t))'],
    ['def f(x):\n    return len(x)\nf(api.list())', '2:16', 'len(json.loads(x))', 'len(str(x))'],
    ['print(api.read() == api.spaced())', '1:7', 'json.loads(a) == json.loads(b)', 'str(a) == str(b)'],
    ['print(api.list() + api.list())', '1:7', 'json.loads(a) + json.loads(b)', 'str(a) + str(b)'],
    ['print(api.list() * 2)', '1:7', 'json.loads(a) * n', 'str(a) * n'],
    ['print(api.list() < api.names())', '1:7', 'json.loads(a) < json.loads(b)', 'str(a) < str(b)'],
    ['ts = parallel(api.list, ["a"])\nprint(len(ts[0]))', '2:11', 'len(json.loads(x))', 'len(str(x))'],
  ])('is asked for where nothing tells: %j', async (code, place, data, asText) => {
    const { error } = await bench(tools).run(code)
    expect({ ...error, place: `${error?.line}:${error?.column}` }).toMatchObject({
      code: 'text-or-data',
      place,
      message: 'TypeError: a tool answered text that is JSON: do you mean the text or the data?',
      hint: `write ${data} for the data, or ${asText} for the text`,
    })
  })

  it('follows the type hint', async () => {
    const asked = 'import json\nt = api.list()\nresult = '
    expect(await resultOf(`${asked}len(json.loads(t))`, 'starlark')).toBe(2)
    expect(await resultOf(`${asked}len(str(t))`, 'starlark')).toBe(rows.length)
  })

  it('is data if the tool had returned data before the run', async () => {
    const { run } = bench(tools)
    const twice = 'a = api.list()\nb = api.list()\nprint(b)\nresult = len(b)'
    expect((await run(twice)).error?.code).toBe('text-or-data')
    expect((await run(twice)).result).toBe(2)
  })
})

describe('in JavaScript an answer', () => {
  it.each<[string, string, unknown]>([
    [
      'a method of texts',
      'const t = await api.read({}); t.split(","); return [t.length, [...t].length, t.includes("acme"), t[0]]',
      [size, size, true, '{'],
    ],
    [
      'JSON.parse',
      'const t = await api.list({}); const d = JSON.parse(t); return [t.length, d.length, d[0].id]',
      [rows.length, 2, 1],
    ],
    [
      'the texts of promises',
      'const ts = await Promise.all(["a", "b"].map(async (path) => api.read({ path }))); return ts.map(t => t.trim().length + t.length)',
      [2 * size, 2 * size],
    ],
    ['a program without promises', 'const t = api.read({}); result = [t.trim() === t, t.length]', [true, size]],
    [
      'a field',
      'class Doc { constructor(text) { this.text = text } words() { return this.text.split(" ") } }\nconst d = new Doc(await api.list({})); return [d.words().length, d.text.length]',
      [8, rows.length],
    ],
    [
      'several at once',
      'const ts = parallel([() => api.list({}), () => api.read({})]); result = ts.map(t => t.trim().length + t.length)',
      [2 * rows.length, 2 * size],
    ],
    [
      'being compared',
      'const a = await api.read({}), b = await api.read({}); return [a === b, a.length]',
      [true, size],
    ],
    [
      'a switch',
      `switch (await api.names({})) { case '["ann", "bob"]': return 'same'; default: return 'other' }`,
      'same',
    ],
    ['a set', 'return new Set([await api.read({}), await api.read({})]).size', 1],
    ['a map', 'const m = new Map(); m.set(await api.read({}), 1); return [...m.keys()]', [object]],
    ['being looked for', 'return [await api.list({})].includes(await api.list({}))', true],
  ])('is text to %s', async (_, code, expected) => {
    expect(await resultOf(code, 'javascript')).toEqual(expected)
  })

  it.each<[string, string, unknown]>([
    ['a method of arrays', 'const t = await api.list({}); return [t.length, t.map(r => r.id)]', [2, [1, 2]]],
    [
      'a key of a row',
      'const t = await api.list({}); let n = 0; for (const r of t) n += r.id; return [t.length, n]',
      [2, 3],
    ],
    [
      'taking apart',
      'const [a, b] = await Promise.all([api.read({}), api.list({})]); return [a.trim().length, b.length, b[0].id]',
      [size, 2, 1],
    ],
    [
      'a program that looks what it is',
      'const raw = await api.list({}); const t = typeof raw === "string" ? JSON.parse(raw) : raw; return t.length + t[0].id',
      3,
    ],
    [
      'a loop that gives elements to tools',
      'const ns = await api.names({}); for (const path of ns) await api.read({ path }); return ns.length',
      2,
    ],
  ])('is data to %s', async (_, code, expected) => {
    expect(await resultOf(code, 'javascript')).toEqual(expected)
  })

  it.each([
    ['const t = await api.list({}); return t.length', '1:38', 'JSON.parse(t).length', 'String(t).length'],
    ['for (const x of api.list({})) console.log(x)', '1:17', 'JSON.parse(r)', 'String(r)'],
    ['api.list({}).then(r => r.slice(0, 1))', '1:24', 'JSON.parse(r).slice(…)', 'String(r).slice(…)'],
    ['const t = api.list({}); result = t[0]', '1:34', 'JSON.parse(t)[…]', 'String(t)[…]'],
  ])('is asked for where nothing tells: %s', async (code, place, data, asText) => {
    const { error } = await bench(tools, { language: 'javascript' }).run(code)
    expect({ ...error, place: `${error?.line}:${error?.column}` }).toMatchObject({
      code: 'text-or-data',
      place,
      hint: `write ${data} for the data, or ${asText} for the text`,
    })
  })
})
