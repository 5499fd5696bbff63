// Wall: the host distrusts its workers. A run ends once, under its own number, and within its limits.

import { expect, it } from 'vitest'
import { breach, forgedRun, WAKE } from './forged-worker.js'

const stats = { runMs: 1, callWaitMs: 0, memoryBytes: 0 }
const completed = (payload: string) => ({ kind: 'completed', payload }) as const

it('the end of another run is a fault', () => {
  const forged = forgedRun()
  forged.run.ended({ kind: 'ended', seat: 0, run: 6, end: completed('x'), stats, isFree: true })
  expect(forged.state).toMatchObject({ terminated: 1, conclusion: breach('an end arrived out of order') })
})

it('a second end changes nothing', () => {
  const forged = forgedRun()
  forged.run.ended({ kind: 'ended', seat: 0, run: 7, end: completed('first'), stats, isFree: true })
  forged.run.ended({ kind: 'ended', seat: 0, run: 7, end: completed('second'), stats, isFree: true })
  expect(forged.state).toMatchObject({ terminated: 1, conclusion: { kind: 'completed', payload: 'first' } })
})

it('a result that is too large ends at the limit', () => {
  const forged = forgedRun(undefined, { resultBytes: 3 })
  forged.run.ended({ kind: 'ended', seat: 0, run: 7, end: completed('€€'), stats, isFree: true })
  expect(forged.state.conclusion).toMatchObject({ kind: 'limit', limit: 'resultBytes', allowed: 3 })
})

it('an end on an order that the host never gave is a fault', () => {
  const forged = forgedRun()
  forged.run.ended({ kind: 'ended', seat: 0, run: 7, end: { kind: 'stopped', reason: 'outside' }, stats, isFree: true })
  expect(forged.state.conclusion).toMatchObject({ kind: 'fault', message: 'the worker stopped without being asked to' })
})

it('calls beyond the limit are not made', () => {
  const forged = forgedRun(undefined, { toolCalls: 1 })
  for (const id of [1, 2]) {
    forged.request(id, 'x')
    forged.run.announced(WAKE)
  }
  expect(forged.calls).toEqual(['x'])
  expect(forged.state.conclusion).toMatchObject({ kind: 'limit', limit: 'toolCalls', allowed: 1 })
  forged.run.lost(new Error('over'))
})

it('a payload beyond the limit is not passed on', () => {
  const forged = forgedRun(undefined, { argumentBytes: 3 })
  forged.request(1, 'four')
  forged.run.announced(WAKE)
  expect(forged.calls).toEqual([])
  expect(forged.state.conclusion).toMatchObject({ kind: 'limit', limit: 'argumentBytes', allowed: 3 })
  forged.run.lost(new Error('over'))
})
