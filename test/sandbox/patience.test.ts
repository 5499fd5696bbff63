import { expect, it } from 'vitest'
import { Patience } from '../../dist/sandbox/patience.js'

function skipped(patience: Patience): number {
  let count = 0
  while (!patience.isWorthPolling()) count++
  return count
}

it('polls for fewer and fewer events that do not come in time, and for each one after one that came', () => {
  const patience = new Patience()
  expect(skipped(patience)).toBe(0)
  const skips = Array.from({ length: 8 }, () => {
    patience.missed()
    return skipped(patience)
  })
  expect(skips).toEqual([1, 3, 7, 15, 31, 63, 63, 63])
  patience.met()
  expect(skipped(patience)).toBe(0)
  patience.missed()
  expect(skipped(patience)).toBe(1)
})
