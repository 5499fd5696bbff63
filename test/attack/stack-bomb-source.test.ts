// Wall: the limit on stack. Source text that is nested deeper than the parser can follow.

import { expect, it } from 'vitest'
import { arena, limit } from './harness.js'

const { endOf } = arena()

it.each([
  ['parentheses', `${'('.repeat(50_000)}1${')'.repeat(50_000)}`],
  ['brackets', '['.repeat(50_000) + ']'.repeat(50_000)],
  ['braces', '{'.repeat(50_000) + '}'.repeat(50_000)],
  ['functions', `${'x=>'.repeat(50_000)}1`],
  ['templates', `${'`${'.repeat(20_000)}1${'}`'.repeat(20_000)}`],
  ['conditions', `${'1?'.repeat(50_000)}1${':1'.repeat(50_000)}`],
])('nested source text ends by the stack limit: %s', async (_, code) => {
  expect(await endOf(code, { limits: { sourceBytes: 1024 * 1024 } })).toEqual(limit('stackBytes', 1024 * 1024))
})
