// Wall: the way of the program text into the guest. Odd characters in it are the program's own errors and reach nothing
// else.

import { expect, it } from 'vitest'
import { arena } from './harness.js'

const { endOf } = arena()

it.each([
  ['a zero', '"a\0b".length + ""', '3'],
  ['an unpaired surrogate', '"\ud800".charCodeAt(0).toString(16)', 'd800'],
  ['line separators in a string', '"\u2028\u2029".length + ""', '2'],
  ['a byte order mark', '\ufeff"x"', 'x'],
  ['wide letters', 'const größe = "€"; größe', '€'],
  ['a hash-bang', '#!/usr/bin/env node\n"x"', 'x'],
])('a program may contain %s', async (_, code, payload) => {
  expect(await endOf(code)).toEqual({ kind: 'completed', payload })
})

it.each([
  ['an unfinished comment', '"x" /*'],
  ['an unfinished string', '"x'],
  ['an unfinished template', '`x'],
  ['a closing brace too many', '} "x"'],
  ['nothing but a zero', '\0'],
])('%s is a SyntaxError', async (_, code) => {
  expect(await endOf(code)).toMatchObject({
    kind: 'threw',
    name: 'SyntaxError',
    stack: expect.stringContaining('program.js:1:'),
  })
})

it('a text that closes nothing runs nothing', async () => {
  expect(await endOf('', {})).toMatchObject({ kind: 'threw', message: 'the program did not end with a string' })
})
