// The scale of a waterfall: round numbers, so that it changes seldom while a run goes on.

import { duration } from '../elements/amounts.js'

export interface Axis {
  /** The whole width, in milliseconds. */
  readonly endMs: number
  readonly ticks: readonly { readonly share: number; readonly label: string }[]
}

/** An axis that shows `lastMs`, with at most `most` ticks. */
export function axisOf(lastMs: number, most: number): Axis {
  const step = stepOf(Math.max(lastMs, 1) / most)
  const steps = Math.max(1, Math.ceil(lastMs / step))
  const endMs = step * steps
  return {
    endMs,
    ticks: Array.from({ length: steps + 1 }, (_, at) => ({
      share: at / steps,
      label: at === 0 ? '0' : duration(step * at),
    })),
  }
}

/** The next larger 1, 2 or 5 times a power of ten. */
function stepOf(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  return power * ([1, 2, 5, 10].find((times) => times * power >= least) ?? 10)
}
