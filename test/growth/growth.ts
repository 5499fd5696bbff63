// Measures how time grows with input: once with an input, and with four inputs a quarter as long. Linear work takes the
// same time either way, quadratic work four times as long.

import { amount } from '../random.js'

/** Between 1 and 4, nearer to 4: n log n, fuller caches and garbage collection add less. */
const MOST = 2.75
/** Processor time below which differences are noise. */
const LEAST_MS = 20
/**
 * The number of repetitions, fewer for slow work: disturbances by other processes cancel out in the sum, growth does
 * not.
 */
const ROUNDS = 12
const LONG_MS = 5_000

/** Prepares the input of a size, and returns the measured work. */
export type Grower = (size: number) => () => unknown

/**
 * What was measured, where four times a size takes much more than four times as long. The size is `most` in the long
 * form, and a third of it every time.
 */
export function excess(prepare: Grower, most: number): string | undefined {
  const size = Math.ceil(most / amount(3, 1))
  prepare(size)()
  let quarters = 0
  let whole = 0
  for (let round = 1; round <= ROUNDS && whole < LONG_MS; round++) {
    for (let i = 0; i < 4; i++) quarters += processorMs(prepare(size))
    whole += processorMs(prepare(4 * size))
    if (whole < LEAST_MS * round || whole <= MOST * quarters) return undefined
  }
  return `${quarters.toFixed(0)} ms in quarters, ${whole.toFixed(0)} ms as a whole`
}

function processorMs(act: () => unknown): number {
  const before = process.cpuUsage()
  act()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
