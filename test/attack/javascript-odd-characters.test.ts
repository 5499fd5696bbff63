// Wall: parser and engine read the same program, and places stay right for all characters. Attack: characters on which
// parsers of JavaScript have disagreed.

import { describe, expect, it } from 'vitest'
import { world } from '../interpreter/javascript/world.js'

const run = world()

describe('odd characters', () => {
  it.each<[string, string, string]>([
    ['a comment of old engines', 'let a = -1, b = 1\na <!--b\n', 'true'],
    [
      'the same behind a template',
      'let a = 1, b = 3\nconst s = `<!--`; a <!--b + `\n}); print("out"); (() => {`',
      'false',
    ],
    ['an arrow of old engines', 'let n = 3, m = 0\nwhile (n --> 0) m++\nm', '3'],
    ['a first line for shells', '#!/usr/bin/env node\n5', '5'],
    ['a byte order mark', '\ufeff5', '5'],
    ['a line separator in a string', "'a\u2028b'.length", '3'],
    ['a line separator that ends a line', 'const a = 1\u2028const b = 2\u2029a + b', '3'],
    ['a lone return that ends a line', 'const a = 1 // comment\ra + 1', '2'],
    ['escapes in names', 'const \\u0061b = 1, \\u{1d4b3} = 2\nab + 𝒳', '3'],
    ['names of every alphabet', 'const größe = 1, 日本 = 2, ℵ0 = 3\ngröße + 日本 + ℵ0', '6'],
    ['spaces of every kind', 'const\u00a0a\u3000=\u20031\ufeff\na', '1'],
    ['half a character', "'\\ud800'.length + '\ud83d\ude00'.length", '3'],
    ['a separator that joins', "'a\u200db'.length", '3'],
    ['writing from right to left', "'\u202eabc'.length // \u202e", '4'],
    ['a regular expression or a quotient', 'const g = 2, a = 8\na /2/g', '2'],
    ['a regular expression with a bracket', '/[/"]/.test("/")', 'true'],
    ['templates in templates', '`${`${"}"}`}`', '"}"'],
    ['a NUL in a string', "'a\\0b'.length + 'a\0b'.length", '6'],
  ])('are read as the engine reads them: %s', async (_, program, result) => {
    const seen = await run(program)
    expect({ result: seen.result, printed: seen.printed, failure: seen.failure }).toEqual({
      result,
      printed: [],
      failure: undefined,
    })
  })

  it.each([
    ['behind characters of two units', "const s = '𝒳😀'; null.x", 19],
    ['behind a comment', '/* 𝒳\u2029 */ 1; null.x', undefined],
    ['behind a tab', '\tnull.x', 2],
  ])('a place %s is right', async (_, program, column) => {
    const { failure } = await run(program)
    expect(failure).toMatch(column === undefined ? /program:\d+:\d+\n/ : new RegExp(`program:1:${column}\\n`))
  })

  it.each(['\u200bnull', 'a\u200d = 1; b\u200b = 2', '‘x’', 'const x = 1；'])(
    '%j is a mistake, not a surprise',
    async (program) => {
      expect((await run(program)).failure).toMatch(/^program error \[(syntax-error|undefined-name)\]/)
    },
  )
})
