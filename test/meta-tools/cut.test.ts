import { describe, expect, it } from 'vitest'
import { cutJson, cutLines, cutText } from '../../dist/meta-tools/cut.js'
import { compactText, pagedText, readJsonTree, shapeText, sizeOf } from '../../dist/meta-tools/json-tree.js'
import { formatResult } from '../../dist/meta-tools/output-format.js'
import { amount, random as newRandom, type Random } from '../random.js'

const tree = (text: string) => readJsonTree(text)!

/** Any JSON of so many levels. */
function json(random: Random, depth: number): unknown {
  const kind = random.below(depth === 0 ? 4 : 7)
  if (kind === 0) return random.pick([null, true, false])
  if (kind === 1) return random.below(1_000_000) / random.pick([1, 3, 1000])
  if (kind < 4) return wordsOf(random, random.pick([3, 20, 300]))
  const inner = (most: number) => Array.from({ length: random.below(most) }, () => json(random, depth - 1))
  if (kind < 6) return inner(random.pick([3, 40]))
  return Object.fromEntries(
    inner(random.pick([4, 30])).map((value) => [`k${wordsOf(random, random.pick([4, 30]))}`, value]),
  )
}

function wordsOf(random: Random, most: number): string {
  const letters = ['a', 'b', 'é', '"', '\\', '\n', '😀', '\u0001']
  return Array.from({ length: random.below(most) }, () => random.pick(letters)).join('')
}

const cut = (value: unknown, maxChars: number) => cutJson(tree(JSON.stringify(value)), maxChars)

describe('JSON that is too long', () => {
  it.each<[unknown, number, unknown]>([
    [
      Array.from({ length: 500 }, (_, i) => i),
      70,
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, '… 486 of 500 items left out …', 497, 498, 499],
    ],
    [{ text: 'x'.repeat(500) }, 90, { text: `${'x'.repeat(35)}… 454 characters left out …${'x'.repeat(11)}` }],
    [
      { deep: { deeper: [1, 2, 3].map((n) => ({ n, rest: 'y'.repeat(200) })) } },
      60,
      { deep: { deeper: '… list of 3 …' } },
    ],
    [[{ a: 'z'.repeat(300) }], 40, ['… dict of 1 …']],
    [[{ a: 'z'.repeat(300) }], 50, [{ a: 'zzzzzz… 293 characters left out …z' }]],
    ['q'.repeat(500), 40, `${'q'.repeat(5)}… 494 characters left out …q`],
  ])('keeps first and last items, ends of texts and keys', (value, maxChars, shown) => {
    const text = cut(value, maxChars)
    expect(text.length).toBeLessThanOrEqual(maxChars)
    expect(JSON.parse(text)).toEqual(shown)
  })

  it('keeps the spelling of the kept parts', () => {
    const text = `[120.0,12345678901234567890,1E3,${'"pad",'.repeat(50)}-0.0]`
    expect(cutJson(tree(text), 90)).toBe(
      '[120.0,12345678901234567890,1E3,"pad","pad","pad","… 47 of 54 items left out …",-0.0]',
    )
  })

  it('is cut to valid JSON of at most the allowed length', () => {
    const random = newRandom()
    for (let i = 0; i < amount(300, 10_000); i++) {
      const value = json(random, 4)
      const maxChars = 40 + random.below(400)
      const node = tree(JSON.stringify(value))
      const text = cutJson(node, maxChars)
      if (text.length > maxChars)
        throw new Error(`seed ${random.seed}, round ${i}: ${text.length} > ${maxChars}: ${text}`)
      const parsed: unknown = JSON.parse(text)
      if (sizeOf(node) <= maxChars) expect(parsed).toEqual(value)
      else expect(Array.isArray(parsed)).toBe(Array.isArray(value) && Array.isArray(parsed))
    }
  })
})

describe('a tree of JSON', () => {
  it('returns the text, compact or in pages, and its shape', () => {
    const random = newRandom()
    for (let i = 0; i < amount(150, 2_000); i++) {
      const value = json(random, 4)
      const text = JSON.stringify(value)
      expect(compactText(tree(text))).toBe(text)
      expect(sizeOf(tree(text))).toBe(text.length)
      expect(JSON.parse(pagedText(tree(JSON.stringify(value, null, 3))))).toEqual(value)
    }
    expect(readJsonTree('[1,')).toBeUndefined()
    expect(
      ['[{},{}]', '[1,"a"]', '{"a":1}', '"abc"', '3', 'null', 'true'].map((text) => shapeText(tree(text))),
    ).toEqual(['list of 2 dict', 'list of 2', 'dict of 1', 'text of 3 characters', 'number', 'None', 'bool'])
  })
})

describe('text that is too long', () => {
  it('keeps whole lines at both ends and the ends of long lines', () => {
    const lines = Array.from({ length: 100 }, (_, i) => `line ${i}`)
    expect(cutLines(lines, 120).split('\n')).toEqual([
      'line 0',
      'line 1',
      'line 2',
      'line 3',
      'line 4',
      'line 5',
      'line 6',
      'line 7',
      'line 8',
      '[… 88 of 100 lines left out …]',
      'line 97',
      'line 98',
      'line 99',
    ])
    const long = cutLines(['a'.repeat(1_000), 'b'], 400)
    expect(long).toMatch(/^a+\[… \d+ characters …\]a+\nb$/)
    expect(long.length).toBeLessThanOrEqual(400)
    expect(cutLines(['x'.repeat(90)], 50).length).toBeLessThanOrEqual(50)
  })

  it('never breaks a character', () => {
    for (let n = 60; n < 90; n++) expect(cutText('😀'.repeat(200), n)).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/)
  })
})

describe('a result in another notation', () => {
  const csv = (value: unknown) => formatResult(tree(typeof value === 'string' ? value : JSON.stringify(value)), 'csv')
  it('is CSV for a list of flat dicts', () => {
    expect(csv('[{"a":120.0,"b":"x, \\"y\\""},{"b":null,"c":true,"a":12345678901234567890},{"a":""}]')).toEqual({
      ok: true,
      lines: ['a,b,c', '120.0,"x, ""y""",', '12345678901234567890,,true', '"",,'],
    })
  })

  it.each([
    [{ a: 1 }, 'CSV needs a list of flat dicts, and the result is a dict'],
    [[1], 'CSV needs a list of flat dicts, and item 0 is a single value'],
    [[{ a: 1 }, { b: [1] }], 'CSV needs a list of flat dicts, and item 1 has a list under "b"'],
    [
      Array.from({ length: 2_000 }, (_, i) => ({ [`k${i}`]: i })),
      'CSV needs a list of flat dicts, and the result would have 2000 rows of 2000 columns',
    ],
  ])('is not CSV otherwise: %.40j', (value, reason) => {
    expect(csv(value)).toEqual({ ok: false, reason })
  })

  it('is TOON', () => {
    expect(formatResult(tree('[{"id":1,"n":"a"},{"id":2,"n":"b"}]'), 'toon')).toEqual({
      ok: true,
      lines: ['[2]{id,n}:', '  1,a', '  2,b'],
    })
    expect(
      formatResult(tree('{"a":[120.0,-0.0,1e22,12345678901234567890,1.5,null,true],"b":"120.0"}'), 'toon'),
    ).toEqual({
      ok: true,
      lines: ['a[7]: 120.0,-0.0,1e22,12345678901234567890,1.5,null,true', 'b: "120.0"'],
    })
  })
})
