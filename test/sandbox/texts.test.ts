// The transfer of texts between guest and host, and the depth of JSON texts.

import { describe, expect, it } from 'vitest'
import { nestingDepth } from '../../dist/sandbox/index.js'
import { isWide, lineFeeds, readText, sizeOf, type Text, utf8Bytes, writeText } from '../../dist/sandbox/text.js'
import { random } from '../random.js'

function crossing(text: string): Text {
  const wide = isWide(text)
  const bytes = new Uint8Array(new SharedArrayBuffer(sizeOf(text, wide)))
  writeText(text, wide, bytes)
  return { wide, bytes }
}

const texts = ['', 'plain', 'é\xff\0', '€uro', '\ud800 alone', '😀 pair', 'a\nb\n', '€\n\n']

describe('a text', () => {
  it.each(texts)('%j crosses unchanged', (text) => {
    expect(readText(crossing(text))).toBe(text)
  })

  it('takes one byte for each unit when all fit, else two', () => {
    expect(texts.map((text) => crossing(text).bytes.length)).toEqual([0, 5, 3, 8, 14, 14, 4, 6])
  })

  it.each(texts.filter((text) => !text.includes('\ud800 ')))('%j is measured as UTF-8', (text) => {
    expect(utf8Bytes(crossing(text))).toBe(Buffer.byteLength(text))
  })

  it('is measured only until it is too long', () => {
    expect(utf8Bytes(crossing('x'.repeat(100)), 50)).toBeGreaterThan(50)
    expect(utf8Bytes(crossing('€'.repeat(100)), 50)).toBeGreaterThan(50)
  })

  it('reports its line feeds', () => {
    expect(texts.map((text) => lineFeeds(crossing(text)))).toEqual([0, 0, 0, 0, 0, 0, 2, 2])
    // U+0A00 and U+000A differ in which byte is ten.
    expect(lineFeeds(crossing('\u0a00\n\u0a0a'))).toBe(1)
  })
})

describe('the nesting of a JSON text', () => {
  it.each([
    ['', 0],
    ['1', 0],
    ['"[[["', 0],
    ['[]', 1],
    ['{"a":[{"b":[1]},[[2]]]}', 4],
    ['["\\"[[", "\\\\", [[]]]', 3],
    ['["\\\\"[[', 3],
    ['"unfinished [[[', 0],
    [']]]][[', 0],
    ['[[[[', 4],
    [`[${'"'.repeat(3)}[`, 1],
  ])('%s is %i', (text, depth) => {
    expect(nestingDepth(text)).toBe(depth)
  })

  it('equals that of a parser', () => {
    const depthOf = (value: unknown): number =>
      typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0
    for (let seed = 1; seed < 200; seed++) {
      const { below: next } = random(seed)
      const make = (room: number): unknown => {
        const kind = room === 0 ? next(2) : next(4)
        if (kind === 0) return next(100)
        if (kind === 1) return ['[', '{"', '\\', '"]', ''][next(5)]
        const parts = Array.from({ length: next(4) }, () => make(room - 1))
        return kind === 2 ? parts : Object.fromEntries(parts.map((part, i) => [`"[${i}`, part]))
      }
      const value = make(6)
      expect({ seed, depth: nestingDepth(JSON.stringify(value)) }).toEqual({ seed, depth: depthOf(value) })
    }
  })
})
