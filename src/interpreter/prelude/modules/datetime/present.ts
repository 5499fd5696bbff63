// The present, if a person allows it: the start of the run, advanced only by the program's own sleeping.

import { timeOfDay } from '../../host/clock.js'
import { raise } from '../../values/errors.js'
import { said, word } from '../../values/said.js'
import { toOrdinal } from './days.js'
import { type DateTimeValue, fromUtc } from './moments.js'
import type { Zone } from './timezone.js'

const EPOCH = BigInt(toOrdinal(1970, 1, 1)) * 86_400_000_000n

/** Microseconds since 1970. If programs have no clock, the failure names `what`, the function that needs it. */
export function presentMicroseconds(what: string): number {
  return (
    timeOfDay() ??
    raise('RuntimeError', said`${word(what)} is not available: programs have no clock`, {
      code: 'no-clock',
      hint: 'write the date into the program as text, or take it from a tool',
    })
  )
}

/** The present in a zone. Without a zone it is in UTC, which is local time here. */
export function present(what: string, zone: Zone | null): DateTimeValue {
  return fromUtc(EPOCH + BigInt(Math.floor(presentMicroseconds(what))), zone)
}
