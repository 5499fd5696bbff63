// Walls: the engine's polls while it matches, the limit on memory. Patterns that backtrack exponentially.

import { expect, it } from 'vitest'
import { arena, limit } from './harness.js'

const { endOf } = arena()

it.each([
  '/(a*)*b/.test("a".repeat(50))',
  '/(x+x+)+y/.test("x".repeat(100))',
  '/^(([a-z])+.)+[A-Z]([a-z])+$/.test("a".repeat(100))',
  '"a".repeat(60).replace(/(a|aa)+$(?<!a)/, "")',
  '/(?=(a+)+b)/.exec("a".repeat(60))',
])('a regular expression ends by the wall time: %s', async (code) => {
  expect(await endOf(code, { limits: { wallMs: 50 } })).toEqual(limit('wallMs', 50))
})

it('a match that needs too much memory ends by it', async () => {
  const code = 'try { /(a|b)*c/.test("ab".repeat(4e6)) } catch {} "caught"'
  expect(await endOf(code, { limits: { memoryBytes: 8 * 1024 * 1024 } })).toEqual(limit('memoryBytes', 8 * 1024 * 1024))
})
