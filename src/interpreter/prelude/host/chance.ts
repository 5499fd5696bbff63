// Random numbers from the seed of the run, if a person allows them. Invariant: the same program with the same seed
// draws the same numbers.

import { MersenneTwister } from '../numbers/mersenne-twister.js'

let source: MersenneTwister | undefined

/** Sets the seed of the run, an integer that is not negative. */
export function seedWith(seed: number | undefined): void {
  source =
    seed === undefined ? undefined : new MersenneTwister([seed % 0x1_0000_0000, Math.floor(seed / 0x1_0000_0000)])
}

/** Random bits. Undefined if programs have no randomness. */
export function chanceBits(count: number): bigint | undefined {
  return source?.bits(count)
}
