// Wall: the end of a run. An answer that comes after it goes nowhere: not into the next run, not into an error.

import { expect, it } from 'vitest'
import { arena, completed, limit } from './harness.js'

const { endOf } = arena()

it('a late answer does not reach the next run', async () => {
  let late: (reply: string) => void = () => undefined
  const end = await endOf('hostCall("first")', {
    limits: { wallMs: 100 },
    onCall: () => new Promise((done) => (late = done)),
  })
  expect(end).toEqual(limit('wallMs', 100))
  const next = endOf('hostCall("second")', {
    onCall: async () => {
      late('LATE')
      late('x'.repeat(200_000))
      await new Promise((done) => setImmediate(done))
      return 'own'
    },
  })
  expect(await next).toEqual(completed('own'))
})

it("a late rejection is nobody's", async () => {
  let fail: (error: Error) => void = () => undefined
  await endOf('hostCall("")', { limits: { wallMs: 100 }, onCall: () => new Promise((_, reject) => (fail = reject)) })
  fail(new Error('too late'))
  expect(await endOf('hostCall("")', { onCall: () => 'fine' })).toEqual(completed('fine'))
})
