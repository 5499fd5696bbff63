// Wall: termination of the worker. Loops inside the engine over billions of absent elements never poll.

import { expect, it } from 'vitest'
import { arena, limit } from './harness.js'

const { endOf } = arena()

it.each([
  'const a = []; a.length = 2 ** 32 - 1; a.lastIndexOf(1)',
  'const a = []; a.length = 2 ** 32 - 1; a.reverse()',
  'const a = []; a.length = 2 ** 32 - 1; a.join("")',
  'Array.prototype.includes.call({ length: 2 ** 53 - 1 }, 1)',
  'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)',
  'Array.prototype.copyWithin.call({ length: 2 ** 53 - 1 }, 2 ** 52, 0)',
])('a native loop ends by the wall time: %s', async (code) => {
  expect(await endOf(code, { limits: { wallMs: 100 } })).toEqual(limit('wallMs', 100))
})
