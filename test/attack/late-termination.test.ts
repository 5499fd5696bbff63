// Wall: termination of the worker. A run that does not stop by itself is ended within a quarter of a second after its
// deadline. Here the worker is one that never stops, and time is the test's own.

import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { AWAY_SINCE } from '../../dist/sandbox/channel-memory.js'
import { forgedRun, WAKE } from './forged-worker.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const LIMIT_MS = 200
const LATE_MS = 250

/** A run whose guest has reported that it computes. */
function computing(limits: object) {
  const forged = forgedRun(() => new Promise(() => undefined), limits)
  forged.header[AWAY_SINCE] = 0
  return forged
}

it.each([
  ['wallMs', { wallMs: LIMIT_MS }],
  ['cpuMs', { cpuMs: LIMIT_MS }],
])('a run that does not stop ends by its limit %s', async (limit, limits) => {
  const { state } = computing(limits)
  await vi.advanceTimersByTimeAsync(LIMIT_MS)
  expect(state).toEqual({ terminated: 0, conclusion: undefined })
  await vi.advanceTimersByTimeAsync(LATE_MS)
  expect(state).toMatchObject({ terminated: 1, conclusion: { kind: 'limit', limit, allowed: LIMIT_MS } })
})

it('a run ends by its wall time, even while it waits', async () => {
  const forged = computing({ wallMs: LIMIT_MS })
  forged.request(1, 'never answered')
  forged.run.announced(WAKE)
  forged.header[AWAY_SINCE] = 1
  await vi.advanceTimersByTimeAsync(LIMIT_MS + LATE_MS)
  expect(forged.calls).toEqual(['never answered'])
  expect(forged.state).toMatchObject({ terminated: 1, conclusion: { kind: 'limit', limit: 'wallMs' } })
})

it('a waiting run does not end by its computing time', async () => {
  const forged = computing({ cpuMs: LIMIT_MS })
  forged.header[AWAY_SINCE] = 1
  await vi.advanceTimersByTimeAsync(10 * LIMIT_MS)
  expect(forged.state).toEqual({ terminated: 0, conclusion: undefined })
  forged.run.lost(new Error('over'))
})
