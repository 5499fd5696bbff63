// The run's clock. It starts at the same moment in every run, and only the program moves it. Sleeping moves it by the
// requested time and a little more, as a real sleep does; reading it takes a microsecond, so no two readings are equal.
// Computing time cannot be seen in it.

import { int, type Value } from '../values/values.js'
import { noteWait } from './sandbox-functions.js'

/**
 * In microseconds: programs that compare the clock with 0 find one that has been running for a day, as they would on a
 * machine.
 */
const BEGINNING = 86_400_000_000
let now = BEGINNING
/** The time that readings have taken: the part of `now` that is not sleep. */
let computed = 0

/** The start of the run in microseconds since 1970, if programs may know it. */
let began: number | undefined

const READING = 1
/** The delay of a sleep beyond its time, in microseconds. */
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

/** Microseconds since 1970, moved by sleeping alone; undefined if programs have no clock. */
export function timeOfDay(): number | undefined {
  return began === undefined ? undefined : began + now - BEGINNING - computed
}

/** The run's time without sleep, in microseconds. */
export function readComputed(): number {
  readClock()
  return computed
}

/** The current moment, without a reading that moves the clock. */
export function moment(): number {
  return now
}

/** Moves the clock forward to a moment; a past moment changes nothing. */
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
 * Runs work that happens beside the program, from `start`: afterwards the clock is unchanged, and the result is the
 * time of its end.
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

/** Waits for work that happened beside the program. */
export function join(end: number): void {
  now = Math.max(now, end)
}

export function nanoseconds(micros: number): Value {
  return int(micros * 1000)
}
