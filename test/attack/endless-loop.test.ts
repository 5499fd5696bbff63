// Wall: the interrupt handler. A program that computes forever is stopped at a poll of the engine.

import { expect, it } from 'vitest'
import { arena, limit } from './harness.js'

const { endOf } = arena()

it.each([
  'for (;;) {}',
  'while (true) {}',
  'do {} while (1)',
  'let i = 0; a: for (;;) { for (;;) { i++; continue a } }',
  'const f = () => { for (const x of (function* () { for (;;) yield 1 })()) x }; f()',
])('ends by its wall time: %s', async (code) => {
  expect(await endOf(code, { limits: { wallMs: 50 } })).toEqual(limit('wallMs', 50))
})
