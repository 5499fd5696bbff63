// Wall: the host distrusts its workers. Lengths are checked before anything is read, and never read twice.

import { expect, it } from 'vitest'
import { breach, forgedRun, LONG, WAKE, WIDE } from './forged-worker.js'

it.each([
  ['negative', -1],
  ['beyond everything', 2 ** 31 - 1],
  ['beyond what was written', 5],
  ['an odd number of bytes of UTF-16', WIDE | 3],
])('a call with a forged length ends the worker: %s', (_, length) => {
  const forged = forgedRun()
  forged.request(1, 'x', length)
  forged.run.announced(WAKE)
  expect(forged.state).toMatchObject({ terminated: 1, conclusion: breach('what was handed over is damaged') })
})

it.each([
  ['no text', { kind: 'long' }],
  ['a text of another length', { kind: 'long', bytes: new SharedArrayBuffer(99_999) }],
  ['a text that is not shared', { kind: 'long', bytes: new ArrayBuffer(100_000) }],
])('a long call ends the worker with %s', (_, message) => {
  const forged = forgedRun()
  forged.request(1, '', LONG | 100_000)
  forged.run.announced(message)
  expect(forged.state).toMatchObject({ terminated: 1, conclusion: breach('a long text is not what was announced') })
})

it('a long call that is announced without its text is not made', () => {
  const forged = forgedRun()
  forged.request(1, '', LONG | 100_000)
  forged.run.announced(WAKE)
  expect(forged.state).toEqual({ terminated: 0, conclusion: undefined })
  expect(forged.calls).toEqual([])
  forged.run.lost(new Error('over'))
})

it.each([
  ['a word', 'text'],
  ['nothing', null],
  ['a record of another kind', { kind: 'longer' }],
])('an announcement ends the worker if it is %s', (_, message) => {
  const forged = forgedRun()
  forged.run.announced(message)
  expect(forged.state).toMatchObject({ terminated: 1, conclusion: breach('a message arrived that is none') })
})
