// Wall: the limit on stack. Recursion of the engine's own functions over deeply nested data.

import { expect, it } from 'vitest'
import { arena, limit } from './harness.js'

const { endOf } = arena()
const STACK = 1024 * 1024
const nested = 'let a = []; for (let i = 0; i < 1e5; i++) a = [a]; '

it.each([
  `${nested}String(a)`,
  `${nested}a.flat(Infinity)`,
  'JSON.parse("[".repeat(1e5))',
  `JSON.parse('{"a":'.repeat(1e5))`,
])('native recursion ends by the stack limit: %s', async (code) => {
  expect(await endOf(`try { ${code} } catch {} "caught"`)).toEqual(limit('stackBytes', STACK))
})

it('what takes the engine long before it runs out of stack ends by its time', async () => {
  expect(await endOf(`${nested}JSON.stringify(a)`, { limits: { cpuMs: 50 } })).toEqual(limit('cpuMs', 50))
})
