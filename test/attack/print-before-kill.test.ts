// Wall: the output ring in shared memory. What was printed before a run was killed is kept, however it was killed.

import { expect, it } from 'vitest'
import { arena, limit } from './harness.js'

const { attack } = arena()

it.each([
  ['stopped at a poll', 'for (;;) {}'],
  ['terminated with its worker', 'const a = []; a.length = 2 ** 32 - 1; a.lastIndexOf(1)'],
])('%s', async (_, code) => {
  const { end, printed } = await attack(`for (let i = 0; i < 500; i++) hostPrint("line " + i); ${code}`, {
    limits: { wallMs: 200 },
  })
  expect(end).toEqual(limit('wallMs', 200))
  expect(printed).toEqual(Array.from({ length: 500 }, (_, i) => `line ${i}`))
})

it('and it arrives while the program still runs', async () => {
  const abort = new AbortController()
  const { end, printed } = await attack('hostPrint("started"); for (;;) {}', {
    signal: abort.signal,
    onPrint: () => abort.abort(),
  })
  expect(end).toEqual({ kind: 'cancelled' })
  expect(printed).toEqual(['started'])
})
