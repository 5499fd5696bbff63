// Walls: the limits on stack and memory, and the engine's own bounds. Patterns that are hostile before they match
// anything.

import { expect, it } from 'vitest'
import { arena, limit } from './harness.js'

const { endOf } = arena()

it('nested groups end by the stack', async () => {
  const code = 'try { new RegExp("(?:".repeat(30000) + "a" + ")*".repeat(30000)) } catch (e) {} "caught"'
  expect(await endOf(code)).toEqual(limit('stackBytes', 1024 * 1024))
})

it('many captures are refused', async () => {
  expect(await endOf('new RegExp("()".repeat(70000))')).toMatchObject({
    name: 'SyntaxError',
    message: 'too many captures',
  })
})

it('huge repetitions end by a limit or are refused', async () => {
  const end = await endOf('new RegExp("(?:a{1,65535}){1,65535}".repeat(50)).test("a".repeat(1e6)) + ""', {
    limits: { wallMs: 200 },
  })
  expect(['limit', 'threw']).toContain(end.kind)
})
