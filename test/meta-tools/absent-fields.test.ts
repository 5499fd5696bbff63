// What a program in JavaScript takes of declared results: a field that the type does not have is found before anything
// runs, in loops, callbacks and patterns too. What is left to the run is explained by the fields that there are.

import { describe, expect, it } from 'vitest'
import { bench, structured } from './bench.js'

const closed = (properties: object) => ({
  type: 'object' as const,
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})
const row = closed({
  id: { type: 'integer' },
  name: { type: 'string' },
  tags: { type: 'array', items: { type: 'string' } },
  owner: closed({ login: { type: 'string' } }),
})
const outputSchema = closed({ items: { type: 'array', items: row }, total: { type: 'integer' } })
const data = { items: [{ id: 1, name: 'a', tags: ['x'], owner: { login: 'ann' } }], total: 1 }
const tools = {
  rows: {
    inputSchema: { type: 'object' } as const,
    outputSchema,
    annotations: { readOnlyHint: true },
    answers: structured(data),
  },
}

async function said(code: string): Promise<unknown> {
  const { ok, report, result } = await bench(tools, { language: 'javascript' }).run(code)
  return !ok ? report.split('\n').filter((line) => /error|hint/.test(line)) : result
}

const FIELDS = 'its fields are id, name, tags, owner'

describe('a field that a declared result lacks', () => {
  it.each<[where: string, code: string, fact: string, hint: string]>([
    [
      'what is returned',
      'const r = await api.rows()\nreturn r.item.length',
      'r has no field item',
      'did you mean items?',
    ],
    [
      'a loop',
      'const r = await api.rows()\nconst out = []\nfor (const row of r.items) out.push(row.title.length)\nreturn out',
      'row has no field title',
      FIELDS,
    ],
    [
      'a callback',
      'const { items } = await api.rows()\nreturn items.map((i) => i.owner.name.length)',
      'i.owner has no field name',
      'its fields are login',
    ],
    [
      'a filter',
      'return api.rows().items.filter((x) => x.labels.includes("a")).length',
      'x has no field labels',
      FIELDS,
    ],
    ['an order', 'return api.rows().items.sort((a, b) => a.id - b.id || b.title.localeCompare(a.title))', '', ''],
    [
      'a sum',
      'return api.rows().items.reduce((n, x) => n + x.tag.length, 0)',
      'x has no field tag',
      'did you mean tags?',
    ],
    [
      'a pattern of parameters',
      'const r = await api.rows()\nreturn r.items.map(({ title }) => title.length)',
      'the result has no field title',
      FIELDS,
    ],
    [
      'a pattern in a loop',
      'for (const { labels, id } of api.rows().items) for (const label of labels) console.log(label)',
      'the result has no field labels',
      FIELDS,
    ],
    [
      'what a filter leaves',
      'const big = api.rows().items.filter((x) => x.id > 0)\nreturn big.find((x) => x.id === 1).title.length',
      'big.find((x) => x.id === 1) has no field title',
      FIELDS,
    ],
    [
      'then',
      'return api.rows().then((r) => r.entries.length)',
      'r has no field entries',
      'its fields are items, total',
    ],
  ])('in %s', async (_, code, fact, hint) => {
    const expected = fact === '' ? expect.anything() : [`program error [no-field] ${fact}`, `hint: ${hint}`]
    expect(await said(code)).toEqual(expected)
  })

  it('is no mistake if the program tests for it first', async () => {
    const head = 'const r = await api.rows()\n'
    expect(await said(`${head}return r.items.map((x) => x.title ?? x.name)`)).toEqual(['a'])
    expect(await said(`${head}return r.items.map((x) => x.title?.length ?? 0)`)).toEqual([0])
    expect(await said(`${head}if (!r.entries) return 'none'\nreturn r.entries.map((e) => e.id)`)).toBe('none')
    expect(await said(`${head}return r.items.map((x) => ('title' in x ? x.title.length : 0))`)).toEqual([0])
    expect(
      await said(`${head}for (const x of r.items) x.title = 'T' + x.id\nreturn r.items.map((x) => x.title.length)`),
    ).toEqual([2])
    expect(await said(`${head}return r.items.map(({ title = 'none' }) => title.length)`)).toEqual([4])
  })

  it('is explained when the run meets it', async () => {
    const head = 'const r = await api.rows()\n'
    expect(await said(`${head}r.items.forEach((x) => { if (x.id > 0) console.log(x.title.length) })`)).toEqual([
      'program error [type-error] TypeError: x.title is undefined, so it has no .length',
      `hint: x has no field title: ${FIELDS}`,
    ])
    expect(await said(`${head}if (r.total > 0) for (const e of r.entry) console.log(e)`)).toEqual([
      'program error [type-error] TypeError: r.entry is undefined and cannot be iterated over',
      'hint: r has no field entry: its fields are items, total',
    ])
    expect(await said(`${head}const { entry } = r\nif (r.total > 0) console.log(entry.length)`)).toEqual([
      'program error [type-error] TypeError: entry is undefined, so it has no .length',
      'hint: the result has no field entry: its fields are items, total',
    ])
  })
})
