// Wall: the limits on a call's reply and on memory. A reply that is too large ends the run and never enters the guest.

import { expect, it } from 'vitest'
import { arena, completed, limit } from './harness.js'

const { endOf } = arena()

it('is refused by its own limit', async () => {
  const code = 'try { hostCall("") } catch {} "caught"'
  expect(await endOf(code, { limits: { responseBytes: 1000 }, onCall: () => 'x'.repeat(1001) })).toEqual(
    limit('responseBytes', 1000),
  )
  expect(await endOf(code, { limits: { responseBytes: 1000 }, onCall: () => '€'.repeat(334) })).toEqual(
    limit('responseBytes', 1000),
  )
})

it('ends by the memory limit if it does not fit', async () => {
  const code = 'try { hostCall("") } catch {} "caught"'
  const limits = { memoryBytes: 2 * 1024 * 1024 }
  expect(await endOf(code, { limits, onCall: () => 'x'.repeat(5e6) })).toEqual(limit('memoryBytes', 2 * 1024 * 1024))
})

it('arrives whole if it is large and fits', async () => {
  const reply = `${'x'.repeat(5e6)}€`
  expect(await endOf('const r = hostCall(""); r.length + r.at(-1)', { onCall: () => reply })).toEqual(
    completed('5000001€'),
  )
})
