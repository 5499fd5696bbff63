// Wall: the limit on nesting. A payload that is nested too deep is refused before anything parses it.

import { expect, it } from 'vitest'
import { arena, completed, limit } from './harness.js'

const { attack } = arena()

it.each([
  'hostCall("[".repeat(201) + "]".repeat(201))',
  `hostCall('{"a":'.repeat(500))`,
  'hostCall("[".repeat(100000))',
])('a nested argument ends the run: %s', async (code) => {
  expect(await attack(`try { ${code} } catch {} "caught"`)).toEqual({
    end: limit('valueDepth', 200),
    printed: [],
    calls: [],
  })
})

it('brackets inside strings do not count', async () => {
  const payload = JSON.stringify({ text: '['.repeat(1000), quoted: '\\"[['.repeat(300), list: [[[1]]] })
  const { end, calls } = await attack(`hostCall(${JSON.stringify(payload)}); "sent"`)
  expect(end).toEqual(completed('sent'))
  expect(calls).toEqual([payload])
})
