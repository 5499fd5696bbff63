// Wall: the limit on the number of calls. The call beyond it does not reach the host and can't be caught.

import { expect, it } from 'vitest'
import { arena, limit } from './harness.js'

const { attack } = arena()

it('ends at the limit', async () => {
  const { end, calls } = await attack('for (let i = 0; ; i++) try { hostCall("" + i) } catch {}', {
    limits: { toolCalls: 5 },
  })
  expect(end).toEqual(limit('toolCalls', 5))
  expect(calls).toEqual(['0', '1', '2', '3', '4'])
})

it('a limit of zero allows no call', async () => {
  expect(await attack('hostCall("x")', { limits: { toolCalls: 0 } })).toEqual({
    end: limit('toolCalls', 0),
    printed: [],
    calls: [],
  })
})
