// Wall: the limit on the result. A result that is too large never leaves the guest.

import { expect, it } from 'vitest'
import { arena, completed, limit } from './harness.js'

const { endOf } = arena()

it.each([
  '"x".repeat(4 * 1024 * 1024 + 1)',
  '"€".repeat(2 * 1024 * 1024)',
  'Promise.resolve("x".repeat(5e6))',
  '"x".repeat(4e6) + "€".repeat(1e6)',
])('a result ends the run by its limit: %s', async (code) => {
  expect(await endOf(code)).toEqual(limit('resultBytes', 4 * 1024 * 1024))
})

it('a result of just the allowed size arrives', async () => {
  expect(await endOf('"é".repeat(50)', { limits: { resultBytes: 100 } })).toEqual(completed('é'.repeat(50)))
  expect(await endOf('"é".repeat(50) + "x"', { limits: { resultBytes: 100 } })).toEqual(limit('resultBytes', 100))
})
