// Wall: termination of the worker. Searching a long text for a long text takes quadratic time in one native loop.

import { expect, it } from 'vitest'
import { arena, limit } from './harness.js'

const { endOf } = arena()

it.each([
  '"a".repeat(3e6).indexOf("a".repeat(15e5) + "b")',
  '"a".repeat(3e6).includes("a".repeat(15e5) + "b")',
  '"a".repeat(3e6).replaceAll("a".repeat(15e5) + "b", "")',
])('a text search ends by the wall time: %s', async (code) => {
  expect(await endOf(code, { limits: { wallMs: 100 } })).toEqual(limit('wallMs', 100))
})
