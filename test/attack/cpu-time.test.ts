// Wall: the limit on computing time. It counts computing and not the time in which the run waits for calls.

import { expect, it } from 'vitest'
import { withEnoughTime } from '../sandbox/enough-time.js'
import { arena, completed, limit, plain } from './harness.js'

const { endOf, sandbox } = arena()

it('ends a run that computes for longer, long before its wall time', async () => {
  expect(await endOf('for (;;) {}', { limits: { cpuMs: 100 } })).toEqual(limit('cpuMs', 100))
})

it('does not count waiting', async () => {
  const end = await withEnoughTime(
    200,
    (cpuMs) => {
      const wait = () => new Promise<string>((done) => setTimeout(done, cpuMs * 2, 'x'))
      return endOf('hostCall("")', { limits: { cpuMs }, onCall: wait })
    },
    ({ kind }) => kind === 'completed',
  )
  expect(end).toEqual(completed('x'))
})

it('counts computing between calls', async () => {
  const code = 'for (let n = 0; ; n++) { hostCall(""); for (let i = 0; i < 1e5; i++); }'
  const end = await sandbox.run({ image: plain, code, limits: { cpuMs: 100, toolCalls: 100_000 }, onCall: () => '' })
  expect(end).toMatchObject(limit('cpuMs', 100))
  expect(end.stats.runMs - end.stats.callWaitMs).toBeGreaterThanOrEqual(100)
})
