// Wall: the limit on printed bytes. One piece that is larger than everything that may be printed never leaves the
// guest.

import { expect, it } from 'vitest'
import { arena, completed, limit } from './harness.js'

const { attack } = arena()

it('is refused before it crosses', async () => {
  expect(await attack('hostPrint("before"); hostPrint("x".repeat(2e7))')).toEqual({
    end: limit('printedBytes', 1024 * 1024),
    printed: ['before'],
    calls: [],
  })
})

it('a large piece within the limit arrives whole', async () => {
  const { end, printed } = await attack('hostPrint("ä€".repeat(2e5)); hostPrint("x".repeat(3e5)); "done"', {
    limits: { printedBytes: 2 * 1024 * 1024 },
  })
  expect(end).toEqual(completed('done'))
  expect(printed).toEqual(['ä€'.repeat(2e5), 'x'.repeat(3e5)])
})
