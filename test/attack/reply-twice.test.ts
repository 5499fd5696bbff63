// Wall: the end of a call. A call is answered once: later settlements of its promise are ignored.

import { expect, it } from 'vitest'
import { forgedRun, WAKE } from './forged-worker.js'

it('the second answer is dropped', async () => {
  const forged = forgedRun(
    () =>
      ({
        then: (done: (reply: string) => void) => {
          done('first')
          done('second')
          done('x'.repeat(100_000))
        },
      }) as Promise<string>,
  )
  forged.request(1, 'x')
  forged.run.announced(WAKE)
  await new Promise((done) => setImmediate(done))
  expect(forged.replies()).toEqual(['1 first'])
  expect(forged.posted).toHaveLength(1)
  forged.run.lost(new Error('over'))
})
