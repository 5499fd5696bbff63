// Wall: lines of the program and lines of generated code are different things. Attack: characters that end a line for
// JavaScript and not for the language, in every place a program can put them; and places reported after them.

import { describe, expect, it } from 'vitest'
import { stage } from './program-harness.js'

const perform = stage()

describe('a line separator', () => {
  it.each([
    ['U+2028', '\u2028'],
    ['U+2029', '\u2029'],
    ['U+0085', '\u0085'],
    ['form feed', '\f'],
    ['vertical tab', '\v'],
  ])('%s in a string or a comment ends neither', async (_, separator) => {
    const { result, failure } = await perform(`x = "a${separator}b"  # c${separator}boom()\nresult = [x, len(x)]`)
    expect(failure).toBe(undefined)
    expect(JSON.parse(result!)).toEqual([`a${separator}b`, 3])
  })

  it('does not shift the place of a later failure', async () => {
    const { failure } = await perform('a = "\u2028\u2029"\nb = {"x": 1}\nc = b["y"]')
    expect(failure).toBe(
      [
        "program error [key-error] KeyError: 'y'",
        '  program:3:5',
        '  3 | c = b["y"]',
        '    |     ^^^^^^',
        "hint: the dict has the keys 'x'",
      ].join('\n'),
    )
  })
})
