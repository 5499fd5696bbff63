// Texts that repeat a piece. Invariant: a text that is too long for every guest is refused with an exception that
// programs can catch.

import { type GuestError, guestError } from '../values/errors.js'
import { python } from '../values/mode.js'
import { said, spelled } from '../values/said.js'

/** The maximum number of elements of a repetition. */
export const MOST_REPEATED = 2 ** 27

/** The maximum length in CPython. */
const MOST_LENGTH = 2n ** 63n - 1n

export function excessiveRepeat(unit: number, times: bigint): GuestError {
  if (python && times > MOST_LENGTH) return guestError('OverflowError', "cannot fit 'int' into an index-sized integer")
  return guestError(
    python ? 'MemoryError' : 'ValueError',
    said`excessive repeat (${unit} * ${spelled(times)} elements)`,
    { code: 'excessive-repeat' },
  )
}

/** Fails if this number of elements, bytes or draws would not fit. */
export function boundCount(n: number): number {
  if (n > MOST_REPEATED) throw excessiveRepeat(1, BigInt(n))
  return n
}

/** A piece, repeated `times` times. Empty if that is less than one. */
export function fill(piece: string, times: number): string {
  if (piece.length * times > MOST_REPEATED) throw excessiveRepeat(piece.length, BigInt(times))
  return piece.repeat(Math.max(0, times))
}
