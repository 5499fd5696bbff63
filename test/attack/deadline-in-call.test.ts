// Wall: the deadline reaches calls in flight. A call that never returns ends with its run, and its signal aborts.

import { expect, it } from 'vitest'
import { withEnoughTime } from '../sandbox/enough-time.js'
import { arena, limit } from './harness.js'

const { endOf } = arena()

it('a deadline during a call ends the run and aborts the call’s signal', async () => {
  const seen: string[] = []
  const onCall = (_: unknown, signal: AbortSignal) => {
    seen.push('called')
    return new Promise<string>(() => signal.addEventListener('abort', () => seen.push('told')))
  }
  const attempt = async (wallMs: number) => {
    const end = await endOf('try { hostCall("") } catch {} "caught"', { limits: { wallMs }, onCall })
    expect(end).toEqual(limit('wallMs', wallMs))
  }
  await withEnoughTime(150, attempt, () => seen.length > 0)
  expect(seen).toEqual(['called', 'told'])
})
