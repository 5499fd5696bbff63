// Chance, where a person allows it: numbers that follow from the seed of the run. Invariant: the same seed and the same
// program give the same numbers.

import { MersenneTwister } from '../numbers/mersenne-twister.js'

let source: MersenneTwister | undefined

/** Tells the seed of the run: a whole number that is not negative. */
export function seedWith(seed: number | undefined): void {
  source =
    seed === undefined ? undefined : new MersenneTwister([seed % 0x1_0000_0000, Math.floor(seed / 0x1_0000_0000)])
}

/** So many random bits; undefined where programs have none. */
export function chanceBits(count: number): bigint | undefined {
  return source?.bits(count)
}
