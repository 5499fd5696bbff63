// Wall: termination of the worker. A run that does not stop by itself is ended within a quarter of a second after its deadline.

import { expect, it } from 'vitest'
import { arena, plain } from './harness.js'

const { sandbox } = arena()

it.each([
  ['wall time', { wallMs: 200 }],
  ['computing time', { cpuMs: 200 }],
])('%s', async (_, limits) => {
  const run = sandbox.run({
    image: plain,
    code: 'const a = []; a.length = 2 ** 32 - 1; a.lastIndexOf(1)',
    limits,
    onCall: () => '',
  })
  // The clock for the quarter of a second is a timer of this very event loop, so a machine that stands still holds up both.
  await sandbox.warm(plain)
  const late = new Promise((done) => setTimeout(done, 200 + 250, 'late'))
  expect(await Promise.race([run, late])).toMatchObject({ kind: 'limit' })
})
