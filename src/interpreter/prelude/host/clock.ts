// The run's clock. It starts at the same moment in every run, and only the program advances it. Sleeping advances it by
// the requested time and a little more, as a real sleep does. Reading it takes a microsecond, so no two readings are
// equal. Programs can't measure computing time with it.

import { int, type Value } from '../values/values.js'
import { noteWait } from './sandbox-functions.js'

/**
 * The first moment, in microseconds. Programs that compare the clock with 0 see a machine that has been running for a
 * day.
 */
const BEGINNING = 86_400_000_000
let now = BEGINNING
/** The time that readings have taken, in microseconds: the part of `now` that is not sleep. */
let computed = 0

/** The start of the run in microseconds since 1970, if programs may read it. */
let began: number | undefined

const READING = 1
/** The time by which a sleep is longer than requested, in microseconds. */
const LATENESS = 50

/** Microseconds since an arbitrary moment. */
export function readClock(): number {
  now += READING
  computed += READING
  return now
}

/** Sets the start of the run, in milliseconds since 1970. */
export function beginAt(ms: number | undefined): void {
  began = ms === undefined ? undefined : ms * 1000
}

/** Microseconds since 1970, advanced only by sleeping. Undefined if programs have no clock. */
export function timeOfDay(): number | undefined {
  return began === undefined ? undefined : began + now - BEGINNING - computed
}

/** The run's time without sleep, in microseconds. */
export function readComputed(): number {
  readClock()
  return computed
}

/** The current moment. This is not a reading, so the clock does not advance. */
export function moment(): number {
  return now
}

/** Advances the clock to a moment. A past moment changes nothing. */
export function waitUntil(at: number): void {
  if (at <= now) return
  now = at + LATENESS
  noteWait()
}

export function sleepFor(micros: number): void {
  now += micros + LATENESS
  noteWait()
}

export function microseconds(seconds: number): number {
  return Math.ceil(seconds * 1e6 - 1e-4)
}

/**
 * Runs work that happens at the same time as the program, from the moment `start`. Afterwards the clock is unchanged.
 * Returns the moment at which the work ended.
 */
export function beside(start: number, work: () => void): number {
  const before = now
  now = start
  try {
    work()
    return now
  } finally {
    now = before
  }
}

/** Waits for work that ran at the same time as the program. */
export function join(end: number): void {
  now = Math.max(now, end)
}

export function nanoseconds(micros: number): Value {
  return int(micros * 1000)
}
