const FIRST_MS = 500
const LONGEST_MS = 60_000

/**
 * The delay after a number of consecutive failures, in milliseconds. `random` returns numbers from 0 up to 1; at least
 * half of the delay remains.
 */
export function backOffMs(failures: number, random: () => number = Math.random): number {
  const whole = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, failures - 1))
  return Math.round(whole * (0.5 + random() / 2))
}
