// Wall: termination of the worker. A sort without a function of the program never polls.

import { expect, it } from 'vitest'
import { arena, limit } from './harness.js'

const { endOf } = arena()

it.each([
  'const a = new Float64Array(6e6); for (let i = 0; i < 6e6; i++) a[i] = (i * 7919) % 1000003; for (;;) { a.sort(); a.reverse() }',
  'const a = []; for (let i = 0; i < 4e5; i++) a.push("k" + ((i * 7919) % 1000003)); for (;;) { a.sort(); a.reverse() }',
])('a native sort ends by the wall time: %s', async (code) => {
  expect(await endOf(code, { limits: { wallMs: 1500 } })).toEqual(limit('wallMs', 1500))
})
