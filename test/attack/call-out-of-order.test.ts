// Wall: the host distrusts its workers. Calls are made once and in order, whatever the worker announces.

import { expect, it } from 'vitest'
import { breach, forgedRun, LONG, WAKE } from './forged-worker.js'

const never = () => new Promise<string>(() => undefined)

it('announcing a call again and again makes one call', () => {
  const forged = forgedRun(never)
  forged.request(1, 'once')
  for (let i = 0; i < 10; i++) forged.run.announced(WAKE)
  expect(forged.calls).toEqual(['once'])
  expect(forged.state).toEqual({ terminated: 0, conclusion: undefined })
  forged.run.lost(new Error('over'))
})

it('more unanswered calls than the limit end the run', () => {
  const forged = forgedRun(never, { callsInFlight: 2 })
  for (const id of [1, 2, 3, 4]) forged.request(id, `call ${id}`)
  forged.run.announced(WAKE)
  expect(forged.calls).toEqual(['call 1', 'call 2'])
  expect(forged.state.conclusion).toMatchObject({ kind: 'limit', limit: 'callsInFlight', allowed: 2 })
  forged.run.lost(new Error('over'))
})

it('a long text without a call is not kept for another call', () => {
  const forged = forgedRun()
  forged.run.announced({ kind: 'long', bytes: new SharedArrayBuffer(8) })
  forged.request(1, '', LONG | 40_000)
  forged.run.announced(WAKE)
  expect(forged.calls).toEqual([])
  expect(forged.state).toMatchObject({
    terminated: 1,
    conclusion: breach('a long text is not what was announced'),
  })
})

it('a call after the end is ignored', () => {
  const forged = forgedRun()
  forged.run.ended({
    kind: 'ended',
    seat: 0,
    run: 7,
    end: { kind: 'completed', payload: 'x' },
    stats: { runMs: 0, callWaitMs: 0, memoryBytes: 0 },
    isFree: true,
  })
  forged.request(1, 'late')
  forged.run.announced(WAKE)
  expect(forged.calls).toEqual([])
  expect(forged.state).toMatchObject({ terminated: 1, conclusion: { kind: 'completed', payload: 'x' } })
})
