// The places of pending values, and the number of active handlers that could observe their failure. foreign/ahead.ts
// describes when homes are recorded and settled.

import { dictReplace } from '../containers/dict.js'
import type { Value } from '../values/values.js'
import { answerOf, Pending } from './pending.js'

interface Home {
  /** Absent if any element of the list may be pending. */
  readonly pending: Pending | undefined
  readonly container: object
  /** The key in a dict, or the position in a list when it was recorded. Elements of a list may move. */
  readonly key: Value
}

/** The places that hold a Pending. */
export let homes: Home[] = []
/**
 * The number of active `try` and `with` statements, and of functions that the prelude has called. They could observe
 * effects after a failed call.
 */
export let guards = 0

/** Records a place. */
export function note(place: Home): void {
  homes.push(place)
}

/** Puts the values of all stored reads into their places. */
export function settleHomes(): void {
  const all = homes
  homes = []
  for (const { pending, container, key } of all) {
    if (pending === undefined) {
      settleElements(container as Value[])
      continue
    }
    const value = answerOf(pending)
    if (!Array.isArray(container)) dictReplace(container, key, pending, value)
    else if (container[key as number] === pending) container[key as number] = value
    else for (let i = 0; i < container.length; i++) if (container[i] === pending) container[i] = value
  }
}

function settleElements(list: Value[]): void {
  for (let i = 0; i < list.length; i++) {
    const v = list[i]
    if (v instanceof Pending) list[i] = answerOf(v)
  }
}

/** Steps before and after a function of the program that the prelude calls. */
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

/** `home` in programs that run ahead; undefined in programs that wait for every call. */
export let boundary: typeof home | undefined

/** Sets `boundary`. Called for a program that runs ahead. */
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
