// Wall: the limit on a call's arguments. Larger ones never reach the host's function.

import { expect, it } from 'vitest'
import { arena, completed, limit } from './harness.js'

const { attack } = arena()

it.each(['"x".repeat(1024 * 1024 + 1)', '"€".repeat(400000)', '"x".repeat(2 ** 26 - 10)'])(
  'an argument ends the run by its limit: %s',
  async (payload) => {
    const limits = { memoryBytes: 512 * 1024 * 1024 }
    expect(await attack(`try { hostCall(${payload}) } catch {} "caught"`, { limits })).toEqual({
      end: limit('argumentBytes', 1024 * 1024),
      printed: [],
      calls: [],
    })
  },
)

it('a large payload within the limit arrives whole', async () => {
  const { end, calls } = await attack('hostCall("ä€".repeat(1e5)); "sent"')
  expect(end).toEqual(completed('sent'))
  expect(calls).toEqual(['ä€'.repeat(1e5)])
})
