// Wall: the end of a call. A call is answered once; a second answer writes nothing.

import { expect, it } from 'vitest'
import { forgedRun, WAKE } from './forged-worker.js'

it('the second answer is dropped', () => {
  const forged = forgedRun(() => 'first')
  forged.request(1, 'x')
  forged.run.announced(WAKE)
  const text = () => Buffer.from(forged.exchange.subarray(0, forged.header[3]!)).toString('latin1')
  expect(text()).toBe('first')
  forged.channel.reply('second')
  expect(text()).toBe('first')
  forged.channel.reply('x'.repeat(100_000))
  expect(forged.posted.map((message) => message.kind)).toEqual(['run'])
  forged.run.lost(new Error('over'))
})
