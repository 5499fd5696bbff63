// Results of programs are cut, formatted and described in time linear in their size, whatever their shape.

import { describe, expect, it } from 'vitest'
import { cutJson, cutLines, cutText } from '../../dist/meta-tools/cut.js'
import { type JsonNode, pagedText, readJsonTree, shapeText } from '../../dist/meta-tools/json-tree.js'
import { formatResult } from '../../dist/meta-tools/output-format.js'
import { excess } from './growth.js'

const list = <T>(length: number, make: (i: number) => T): T[] => Array.from({ length }, (_, i) => make(i))
const keyed = (length: number, make: (i: number) => unknown) =>
  Object.fromEntries(list(length, (i) => [`k${i}`, make(i)]))

const nested = (depth: number) => list(depth, () => 0).reduce<unknown>((inner) => [inner], [])

const shapes: Record<string, readonly [size: number, make: (n: number) => unknown]> = {
  'rows of a key each': [1_000, (n) => list(n, (i) => ({ [`k${i}`]: i }))],
  'rows of equal keys': [5_000, (n) => list(n, (i) => ({ id: i, name: `n${i}`, note: null }))],
  'many keys': [20_000, (n) => keyed(n, (i) => i)],
  'nested lists': [200, nested],
  'lists in lists': [300, (n) => list(n, (i) => list(20, () => [i, `${i}`]))],
  'one long text': [500_000, (n) => '"a,\n'.repeat(n / 4)],
  'a list of line breaks': [20_000, (n) => list(n, () => '\n"\n')],
}

const ways: Record<string, (node: JsonNode) => unknown> = {
  csv: (node) => formatResult(node, 'csv'),
  toon: (node) => formatResult(node, 'toon'),
  'cut JSON': (node) => cutJson(node, 20_000),
  'pages of JSON': (node) => pagedText(node),
  'a shape': (node) => shapeText(node),
}

describe.each(Object.entries(ways))('%s', (_, way) => {
  it.each(Object.entries(shapes))('of %s', (_, [size, make]) => {
    const writing = (n: number) => {
      const node = readJsonTree(JSON.stringify(make(n)))!
      return () => way(node)
    }
    expect(excess(writing, size)).toBe(undefined)
  })
})

describe('reading', () => {
  it.each(Object.entries(shapes))('of %s', (_, [size, make]) => {
    const reading = (n: number) => {
      const text = JSON.stringify(make(n))
      return () => readJsonTree(text)
    }
    expect(excess(reading, size)).toBe(undefined)
  })
})

it.each([
  [
    'lines',
    (n: number) => () =>
      cutLines(
        list(n, (i) => `line ${i}`),
        20_000,
      ),
  ],
  ['one line', (n: number) => () => cutText('x😀'.repeat(n), 20_000)],
])('cuts %s', (_, cutting) => {
  expect(excess(cutting, 20_000)).toBe(undefined)
})
