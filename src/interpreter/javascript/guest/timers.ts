// Timers over the clock of a run, which only waiting advances: when nothing else can run, the clock jumps to the next
// timer. `performance` reads that clock. Each reading takes a microsecond, so no two are equal.
// Invariant: timers fire in the order of their times and, at the same time, of their creation. Programs can't measure
// computing time.

import { plainError, typeError } from './errors.js'
import { noteWait } from './host.js'
import { said, word } from './said.js'

/** The maximum delay. A longer one, or none, becomes one millisecond, as in other runtimes. */
const LONGEST_MS = 2 ** 31 - 1
const READING_MS = 0.001
/** The maximum number of timers after a program's last line. */
const MOST_AFTER_THE_END = 10_000

/** Milliseconds since the run began. */
let now = 0
/** The time that readings of the clock have added. */
let read = 0
/** Timers in the order of their times. */
const waiting: Timeout[] = []
let firedAfterTheEnd = 0

/** The return value of `setTimeout` and similar functions. */
class Timeout {
  readonly #act: () => unknown
  readonly #delay: number
  readonly #repeats: boolean
  #at = 0
  #isRef = true

  constructor(act: () => unknown, delay: number, repeats: boolean) {
    this.#act = act
    this.#delay = delay
    this.#repeats = repeats
    this.refresh()
  }

  static at(timer: Timeout): number {
    return timer.#at
  }

  static fire(timer: Timeout): void {
    if (timer.#repeats) timer.refresh()
    timer.#act()
  }

  refresh(): this {
    remove(this)
    this.#at = now + this.#delay
    let place = waiting.length
    while (place > 0 && Timeout.at(waiting[place - 1]!) > this.#at) place--
    waiting.splice(place, 0, this)
    return this
  }

  ref(): this {
    this.#isRef = true
    return this
  }

  /** Lets the program end without waiting for it. */
  unref(): this {
    this.#isRef = false
    return this
  }

  hasRef(): boolean {
    return this.#isRef
  }

  close(): this {
    remove(this)
    return this
  }
}

export function isTimer(value: unknown): boolean {
  return value instanceof Timeout
}

function remove(timer: unknown): void {
  const place = waiting.indexOf(timer as Timeout)
  if (place >= 0) waiting.splice(place, 1)
}

/**
 * Advances the clock to the next timer and fires it. Returns false if there is none. `isOver`: the program's last line
 * has run.
 */
export function fireNext(isOver: boolean): boolean {
  const place = isOver ? waiting.findIndex((timer) => timer.hasRef()) : 0
  const [timer] = place < 0 ? [] : waiting.splice(place, 1)
  if (timer === undefined) return false
  if (isOver && ++firedAfterTheEnd > MOST_AFTER_THE_END)
    throw plainError('the program is over, and its timers never end', {
      code: 'endless-timers',
      hint: 'clear the interval: clearInterval(id)',
    })
  if (Timeout.at(timer) > now) noteWait()
  now = Math.max(now, Timeout.at(timer))
  Timeout.fire(timer)
  return true
}

export function hasTimers(): boolean {
  return waiting.length > 0
}

/** Milliseconds that the program has waited. */
export function waitedMs(): number {
  return now - read
}

/** A timer of the library. It fires after `delay` milliseconds, unless the program is over. */
export function quietTimer(act: () => void, delay: number): void {
  new Timeout(act, milliseconds(delay), false).unref()
}

function milliseconds(delay: unknown): number {
  const ms = Math.trunc(Number(delay))
  return ms >= 1 && ms <= LONGEST_MS ? ms : 1
}

function timer(name: string, repeats: boolean) {
  return (act: unknown, delay?: unknown, ...given: unknown[]): Timeout => {
    if (typeof act !== 'function') throw typeError(said`${word(name)} takes a function`)
    return new Timeout(() => Reflect.apply(act, undefined, given), milliseconds(delay), repeats)
  }
}

function setImmediate(act: unknown, ...given: unknown[]): Timeout {
  if (typeof act !== 'function') throw typeError('setImmediate takes a function')
  return new Timeout(() => Reflect.apply(act, undefined, given), 0, false)
}

export const timers = {
  setTimeout: timer('setTimeout', false),
  setInterval: timer('setInterval', true),
  setImmediate,
  clearTimeout: remove,
  clearInterval: remove,
  clearImmediate: remove,
  performance: Object.freeze({
    now(): number {
      now += READING_MS
      read += READING_MS
      return now
    },
  }),
}
