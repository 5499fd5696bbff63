// Wall: the end of a run. A later answer is dropped: it reaches neither the next run nor an error.

import { expect, it } from 'vitest'
import { withEnoughTime } from '../sandbox/enough-time.js'
import { arena, completed, limit } from './harness.js'

const { endOf } = arena()

interface Call {
  answer(reply: string): void
  fail(error: Error): void
}

/** A call whose run has ended. */
async function lateCall(): Promise<Call> {
  const calls: Call[] = []
  const onCall = () => new Promise<string>((answer, fail) => calls.push({ answer, fail }))
  const attempt = async (wallMs: number) =>
    expect(await endOf('hostCall("first")', { limits: { wallMs }, onCall })).toEqual(limit('wallMs', wallMs))
  await withEnoughTime(100, attempt, () => calls.length > 0)
  return calls[0]!
}

it('a late answer does not reach the next run', async () => {
  const late = await lateCall()
  const next = endOf('hostCall("second")', {
    onCall: async () => {
      late.answer('LATE')
      late.answer('x'.repeat(200_000))
      await new Promise((done) => setImmediate(done))
      return 'own'
    },
  })
  expect(await next).toEqual(completed('own'))
})

it("a late rejection is nobody's", async () => {
  const late = await lateCall()
  late.fail(new Error('too late'))
  expect(await endOf('hostCall("")', { onCall: () => 'fine' })).toEqual(completed('fine'))
})
