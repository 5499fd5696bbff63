// Wall: the deadline reaches calls in flight. A call that never returns ends with its run, and is told so.

import { expect, it } from 'vitest'
import { arena, limit } from './harness.js'

const { endOf } = arena()

it('the run ends and the signal of the call aborts', async () => {
  let told = false
  const end = await endOf('try { hostCall("") } catch {} "caught"', {
    limits: { wallMs: 150 },
    onCall: (_, signal) => new Promise(() => signal.addEventListener('abort', () => (told = true))),
  })
  expect(end).toEqual(limit('wallMs', 150))
  expect(told).toBe(true)
})
