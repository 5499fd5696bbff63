// Where values of reads that the program has run ahead of are stored, and how much of the program is underway that
// would see their failure. foreign/ahead.ts tells when homes are noted and settled.

import { dictReplace } from '../containers/dict.js'
import type { Value } from '../values/values.js'
import { answerOf, type Pending } from './pending.js'

interface Home {
  readonly pending: Pending
  readonly container: object
  /** Of a dict. The place in a list, when it was noted; elements move. */
  readonly key: Value
}

/** The places that hold a Pending. */
export let homes: Home[] = []
/**
 * How many `try` and `with` statements are underway, and functions that the prelude has called: they would see what was
 * done after a call that failed.
 */
export let guards = 0

/** Notes a place. */
export function note(place: Home): void {
  homes.push(place)
}

/** Puts the values of all stored reads where they belong. */
export function settleHomes(): void {
  const all = homes
  homes = []
  for (const { pending, container, key } of all) {
    const value = answerOf(pending)
    if (!Array.isArray(container)) dictReplace(container, key, pending, value)
    else if (container[key as number] === pending) container[key as number] = value
    else for (let i = 0; i < container.length; i++) if (container[i] === pending) container[i] = value
  }
}

/** Around whatever of the program runs below the prelude. */
export const home = {
  enter(): void {
    if (homes.length > 0) settleHomes()
    guards++
  },
  leave(): void {
    guards--
    if (homes.length > 0) settleHomes()
  },
}

/** The same in programs that run ahead; undefined in programs that wait for every call. */
export let boundary: typeof home | undefined

/** The program runs ahead. */
export function guardBoundaries(): void {
  boundary = home
}

/** Begins a `try` or `with` statement. */
export function enterGuard(): void {
  guards++
}

export function leaveGuard(): void {
  guards--
}
