// Wall: the host distrusts its workers. One call is underway at a time, whatever the worker announces.

import { expect, it } from 'vitest'
import { breach, forgedRun, WAKE } from './forged-worker.js'

const never = () => new Promise<string>(() => undefined)

it('announcing a call again and again makes one call', () => {
  const forged = forgedRun(never)
  forged.request(1, 'once')
  for (let i = 0; i < 10; i++) forged.run.announced(WAKE)
  expect(forged.calls).toEqual(['once'])
  expect(forged.state).toEqual({ terminated: 0, conclusion: undefined })
  forged.run.lost(new Error('over'))
})

it('a second call before the reply waits for nobody and is not made', () => {
  const forged = forgedRun(never)
  forged.request(1, 'first')
  forged.run.announced(WAKE)
  forged.request(2, 'second')
  forged.run.announced(WAKE)
  expect(forged.calls).toEqual(['first'])
  forged.run.lost(new Error('over'))
})

it('a long text that belongs to no call', () => {
  const forged = forgedRun()
  forged.run.announced({ kind: 'long', bytes: new SharedArrayBuffer(8) })
  expect(forged.state).toMatchObject({ terminated: 1, conclusion: breach('a call arrived out of order') })
})

it('a call after the end', () => {
  const forged = forgedRun()
  forged.run.ended({
    kind: 'ended',
    run: 7,
    end: { kind: 'completed', payload: 'x' },
    stats: { runMs: 0, callWaitMs: 0, memoryBytes: 0 },
  })
  forged.request(1, 'late')
  forged.run.announced(WAKE)
  expect(forged.calls).toEqual([])
  expect(forged.state).toMatchObject({ terminated: 1, conclusion: { kind: 'completed', payload: 'x' } })
})
