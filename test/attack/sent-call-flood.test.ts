// Wall: the limits on calls that are sent and not awaited. A program that sends without end, or never receives, fills
// neither the host's memory nor its queue, and leaves no call in flight.

import { expect, it } from 'vitest'
import { withEnoughTime } from '../sandbox/enough-time.js'
import { arena, completed, limit } from './harness.js'

const { attack, endOf } = arena()
const MIB = 1024 * 1024

it('ends at the limit on the number of calls', async () => {
  const { end, calls } = await attack('for (;;) try { hostSend("x") } catch {}', { limits: { toolCalls: 300 } })
  expect(end).toEqual(limit('toolCalls', 300))
  expect(calls.length).toBeLessThanOrEqual(300)
})

it('waits if nothing is answered, up to its time limit', async () => {
  let open = 0
  let most = 0
  const onCall = (_: unknown, signal: AbortSignal) => {
    most = Math.max(most, ++open)
    return new Promise<string>(() => signal.addEventListener('abort', () => open--, { once: true }))
  }
  const attempt = async (wallMs: number) => {
    const end = await endOf('for (;;) hostSend("x")', { onCall, limits: { wallMs, callsInFlight: 20 } })
    expect(end).toEqual(limit('wallMs', wallMs))
    expect(open).toBe(0)
  }
  await withEnoughTime(300, attempt, () => most === 20)
  expect(most).toBe(20)
})

it('large payloads wait for the memory that the program may have', async () => {
  let bytes = 0
  const onCall = ({ payload }: { payload: string }) => {
    bytes += payload.length
    return new Promise<string>(() => undefined)
  }
  const code = 'const x = "x".repeat(900000); for (;;) hostSend(x)'
  expect(await endOf(code, { onCall, limits: { wallMs: 400, memoryBytes: 8 * MIB } })).toEqual(limit('wallMs', 400))
  expect(bytes).toBeLessThanOrEqual(8 * MIB)
})

it('unreceived replies count as memory of the program', async () => {
  const code = 'for (let i = 0; i < 100; i++) hostSend("x"); for (let i = 0; i < 100; i++) hostCall("y"); "kept"'
  const onCall = ({ payload }: { payload: string }) => (payload === 'x' ? 'x'.repeat(MIB) : '')
  expect(await endOf(code, { onCall, limits: { memoryBytes: 16 * MIB } })).toEqual(limit('memoryBytes', 16 * MIB))
})

it('sending is not caught up with after the end', async () => {
  const { end, calls } = await attack('hostSend("only"); "done"')
  expect(end).toEqual(completed('done'))
  expect(calls.length).toBeLessThanOrEqual(1)
})
