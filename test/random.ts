// Reproducible random values, and the number of them in a test. Every property test prints its seed.

export interface Random {
  readonly seed: number
  /** From 0 up to but not including 1. */
  next(): number
  /** From 0 up to but not including `n`. */
  below(n: number): number
  pick<T>(all: readonly T[]): T
  chance(part: number): boolean
}

/** STARBIND_SEED selects other values. */
export const usualSeed = Number(process.env.STARBIND_SEED ?? 20_261_121)

export function random(seed = usualSeed): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (n: number): number => Math.floor(next() * n)
  return { seed, next, below, pick: (all) => all[below(all.length)]!, chance: (part) => next() < part }
}

/** Is this `npm run test:long`? */
export const isLong = process.env.LONG_TESTS === '1'

/** An amount: by default, and in `npm run test:long`. */
export function amount(usual: number, long: number): number {
  return isLong ? long : usual
}
