// Days and times of day as data, and the checks of their parts. date.ts, time.ts and datetime.ts have the operations.

import { wantShortInt } from '../../calls/expect.js'
import { raise, typeError, valueError } from '../../values/errors.js'
import { said, spelled } from '../../values/said.js'
import { typeOf, type Value } from '../../values/values.js'
import { daysInMonth, fromOrdinal, MAX_ORDINAL, toOrdinal } from './days.js'
import { fromMicroseconds, microsecondsOf, type Timedelta } from './timedelta.js'
import { Zone, type ZoneFacts } from './timezone.js'

export class DateValue {
  readonly $year: number
  readonly $month: number
  readonly $day: number
  constructor(year: number, month: number, day: number) {
    this.$year = year
    this.$month = month
    this.$day = day
  }
}

/** A time of day, with or without an offset. */
export interface Clock {
  readonly $hour: number
  readonly $minute: number
  readonly $second: number
  readonly $microsecond: number
  readonly $zone: Zone | null
  readonly $fold: number
}

export class TimeValue implements Clock {
  readonly $hour: number
  readonly $minute: number
  readonly $second: number
  readonly $microsecond: number
  readonly $zone: Zone | null
  readonly $fold: number
  constructor(hour: number, minute: number, second: number, microsecond: number, zone: Zone | null, fold = 0) {
    this.$hour = hour
    this.$minute = minute
    this.$second = second
    this.$microsecond = microsecond
    this.$zone = zone
    this.$fold = fold
  }
}

export class DateTimeValue extends DateValue implements Clock {
  readonly $hour: number
  readonly $minute: number
  readonly $second: number
  readonly $microsecond: number
  readonly $zone: Zone | null
  readonly $fold: number
  constructor(day: { $year: number; $month: number; $day: number }, clock: Clock) {
    super(day.$year, day.$month, day.$day)
    this.$hour = clock.$hour
    this.$minute = clock.$minute
    this.$second = clock.$second
    this.$microsecond = clock.$microsecond
    this.$zone = clock.$zone
    this.$fold = clock.$fold
  }
}

// ---- checks ----------------------------------------------------------------------------------------------------

function part(x: Value | undefined): number {
  if (x === undefined) return 0
  return wantShortInt(x, 'datetime', 'part')
}

export function checkedDate(year0: Value | undefined, month0: Value | undefined, day0: Value | undefined): DateValue {
  const [year, month, day] = [part(year0), part(month0), part(day0)]
  if (year < 1 || year > 9999) valueError(said`year ${spelled(year)} is out of range`)
  if (month < 1 || month > 12) valueError('month must be in 1..12')
  if (day < 1 || day > daysInMonth(year, month)) valueError('day is out of range for month')
  return new DateValue(year, month, day)
}

export function zoneArgument(x: Value | undefined): Zone | null {
  if (x === undefined || x === null) return null
  if (x instanceof Zone) return x
  return typeError(said`tzinfo argument must be None or of a tzinfo subclass, not type '${typeOf(x)}'`)
}

export function checkedTime(
  parts: readonly (Value | undefined)[],
  zone: Value | undefined,
  fold0: Value | undefined,
): TimeValue {
  const [hour, minute, second, microsecond] = parts.map(part) as [number, number, number, number]
  if (hour < 0 || hour > 23) valueError('hour must be in 0..23')
  if (minute < 0 || minute > 59) valueError('minute must be in 0..59')
  if (second < 0 || second > 59) valueError('second must be in 0..59')
  if (microsecond < 0 || microsecond > 999_999) valueError('microsecond must be in 0..999999')
  const fold = part(fold0)
  if (fold !== 0 && fold !== 1) valueError('fold must be either 0 or 1')
  return new TimeValue(hour, minute, second, microsecond, zoneArgument(zone), fold)
}

// ---- arithmetic ------------------------------------------------------------------------------------------------

export function ordinalOf(d: DateValue): number {
  return toOrdinal(d.$year, d.$month, d.$day)
}

export function dateOf(ordinal: number): DateValue {
  if (ordinal < 1 || ordinal > MAX_ORDINAL) raise('OverflowError', 'date value out of range')
  const { year, month, day } = fromOrdinal(ordinal)
  return new DateValue(year, month, day)
}

/** Microseconds since midnight. */
function clockMicroseconds(t: Clock): number {
  return ((t.$hour * 60 + t.$minute) * 60 + t.$second) * 1_000_000 + t.$microsecond
}

function clockOf(micros: number, zone: Zone | null, fold: number): TimeValue {
  const seconds = Math.floor(micros / 1_000_000)
  return new TimeValue(
    Math.floor(seconds / 3600),
    Math.floor(seconds / 60) % 60,
    seconds % 60,
    micros % 1_000_000,
    zone,
    fold,
  )
}

/** Microseconds since the beginning of the year 1, in local time. */
export function wallMicroseconds(t: DateTimeValue): bigint {
  return BigInt(ordinalOf(t)) * 86_400_000_000n + BigInt(clockMicroseconds(t))
}

export function fromWall(micros: bigint, zone: Zone | null, fold = 0): DateTimeValue {
  let days = micros / 86_400_000_000n
  let rest = micros % 86_400_000_000n
  if (rest < 0n) {
    rest += 86_400_000_000n
    days--
  }
  return new DateTimeValue(dateOf(Number(days)), clockOf(Number(rest), zone, fold))
}

export function moved(t: DateTimeValue, by: Timedelta, sign: 1n | -1n): DateTimeValue {
  return fromWall(wallMicroseconds(t) + sign * microsecondsOf(by), t.$zone)
}

/** A moment in the local time of a zone. */
export function fromUtc(micros: bigint, zone: Zone | null): DateTimeValue {
  if (zone === null) return fromWall(micros, null)
  const { wall, fold } = zone.fromUtc(micros)
  return fromWall(wall, zone, fold)
}

const NO_ZONE: ZoneFacts = { offset: null, daylight: null, name: null }

/** The facts about its zone. A time of day without a day has only the constant ones. */
export function zoneFacts(t: Clock, fold = t.$fold): ZoneFacts {
  if (t.$zone === null) return NO_ZONE
  return t.$zone.at(t instanceof DateTimeValue ? { wall: wallMicroseconds(t), fold } : undefined)
}

/** Microseconds since the beginning of the year 1, in UTC if it has an offset, otherwise in local time. */
export function absoluteMicroseconds(t: DateTimeValue, fold = t.$fold): bigint {
  const wall = wallMicroseconds(t)
  const { offset } = zoneFacts(t, fold)
  return offset === null ? wall : wall - microsecondsOf(offset)
}

export function difference(a: bigint, b: bigint): Timedelta {
  return fromMicroseconds(a - b)
}

/** A time of day in microseconds, in UTC if it has an offset. */
export function comparableClock(t: Clock): number {
  const { offset } = zoneFacts(t)
  return clockMicroseconds(t) - (offset === null ? 0 : Number(microsecondsOf(offset)))
}
