// Wall: termination of the worker. A run that does not stop by itself is ended within a quarter of a second after its deadline.

import { expect, it } from 'vitest'
import { arena, plain } from './harness.js'

const { sandbox } = arena()

const LIMIT_MS = 200
const native = 'hostPrint("go"); const a = []; a.length = 2 ** 32 - 1; a.lastIndexOf(1)'

// The clock is a timer of this very event loop, so a machine that stands still holds up both. One that is merely busy gets two more tries.
it.each([
  ['wall time', { wallMs: LIMIT_MS }],
  ['computing time', { cpuMs: LIMIT_MS }],
])('%s', { retry: 2 }, async (_, limits) => {
  let begun: () => void = () => undefined
  const beginning = new Promise<void>((done) => {
    begun = done
  })
  const run = sandbox.run({ image: plain, code: native, limits, onCall: () => '', onPrint: () => begun() })
  await beginning
  const late = new Promise((done) => setTimeout(done, LIMIT_MS + 250, 'late'))
  expect(await Promise.race([run, late])).toMatchObject({ kind: 'limit' })
  await run
})
