// Random tokens and broken programs. The parser must always answer with a tree and sound diagnostics. A failure names
// the seed; STARBIND_SEED gives another one.

import { describe, expect, it } from 'vitest'
import { renderDiagnostics } from '../../../dist/diagnostics/index.js'
import { parse } from '../../../dist/interpreter/syntax/index.js'
import { amount, random, usualSeed } from '../../random.js'
import { readGolden } from './golden.js'

const rounds = amount(250, 20_000)

const words = (
  'and as assert async await break class continue def del elif else except finally for from global if import in is lambda ' +
  'nonlocal not or pass raise return try while with yield load match case type print None True x y foo _ é ' +
  '( ) [ ] { } , : ; . ... -> ! @ = := += //= ** * / // % + - ~ & | ^ << >> < > <= >= == != <> && || ? ` $ => === ++ \\ # ' +
  '0 1 1.5 0x1F 007 1j 1_0 1e999 "a" \'b\' """c""" r"\\d" b"e" f"{x}" f"{x:{y}}" f"{ f\' { " \' """ f""" f\' {x \\N{A} “ \u2028 \ufeff \0 \ud800'
).split(' ')
const layout = [' ', ' ', ' ', '\n', '\n    ', '\n  ', '\n\t', '\n        ', '\r\n', '\r', '']

function check(text: string, strict: boolean): void {
  const { file, diagnostics } = parse(text, { strict })
  const lines = text.split(/\r\n|\r|\n/).length
  expect(diagnostics.length).toBeLessThanOrEqual(10)
  for (const { span, code, message } of diagnostics) {
    expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/)
    expect(message).not.toMatch(/undefined|\[object/)
    expect(span && span.line >= 1 && span.endLine >= span.line && span.endLine <= lines).toBe(true)
  }
  const starts = diagnostics.map((d) => (d.span?.line ?? 0) * 1e6 + (d.span?.column ?? 0))
  expect(starts).toEqual([...new Set(starts)].sort((a, b) => a - b))
  expect(renderDiagnostics(diagnostics, text)).not.toContain('undefined')
  for (const statement of file.body) expect(statement.start < statement.end && statement.end <= text.length).toBe(true)
}

/** Runs `make` many times and reports the text and seed of a failure. */
function storm(make: (roll: (n: number) => number) => string): void {
  const { seed, below: roll } = random()
  for (let i = 0; i < rounds; i++) {
    const text = make(roll)
    try {
      check(text, i % 2 === 0)
    } catch (error) {
      throw new Error(`seed ${seed}, text ${JSON.stringify(text)}`, { cause: error })
    }
  }
}

describe(`with seed ${usualSeed}`, () => {
  it('token soup is answered', () => {
    storm((roll) => {
      let text = ''
      for (let n = roll(40); n > 0; n--) text += words[roll(words.length)]! + layout[roll(layout.length)]!
      return text
    })
  })

  it('character soup is answered', () => {
    const characters = [...new Set([...words.join(''), ...layout.join('')])]
    storm((roll) => {
      let text = ''
      for (let n = roll(60); n > 0; n--) text += characters[roll(characters.length)]!
      return text
    })
  })

  it('broken programs are answered', () => {
    const programs = readGolden('trees.txt').map((c) => c.program)
    storm((roll) => {
      let text = programs[roll(programs.length)]!
      for (let n = 1 + roll(3); n > 0; n--) {
        const at = roll(text.length + 1)
        const cut = roll(4) === 0 ? roll(8) : 0
        text = text.slice(0, at) + (cut > 0 ? '' : words[roll(words.length)]!) + text.slice(at + cut)
      }
      return text
    })
  })

  it('programs that end early are answered', () => {
    for (const { program } of readGolden('trees.txt')) {
      for (let end = 0; end < program.length; end++) check(program.slice(0, end), false)
    }
  })
})
