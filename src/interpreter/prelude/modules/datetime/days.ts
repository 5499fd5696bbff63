// Dates as day numbers in the proleptic Gregorian calendar. Day 1 is the first of January of the year 1.

const MAX_YEAR = 9999
export const MAX_ORDINAL = 3652059

const BEFORE = [0, 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]
const LENGTHS = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

export function isLeap(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

export function daysInMonth(year: number, month: number): number {
  return month === 2 && isLeap(year) ? 29 : LENGTHS[month]!
}

function daysBeforeYear(year: number): number {
  const y = year - 1
  return y * 365 + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400)
}

/** The number of days in the year before the first of the month. */
export function daysBeforeMonth(year: number, month: number): number {
  return BEFORE[month]! + (month > 2 && isLeap(year) ? 1 : 0)
}

export function toOrdinal(year: number, month: number, day: number): number {
  return daysBeforeYear(year) + daysBeforeMonth(year, month) + day
}

export interface Day {
  readonly year: number
  readonly month: number
  readonly day: number
}

export function fromOrdinal(ordinal: number): Day {
  // A guess from the mean length of a year is wrong by at most one.
  let year = Math.max(1, Math.floor((ordinal - 1) / 365.2425) + 1)
  while (daysBeforeYear(year) >= ordinal) year--
  while (daysBeforeYear(year + 1) < ordinal) year++
  let rest = ordinal - daysBeforeYear(year)
  let month = 1
  while (rest > daysInMonth(year, month)) rest -= daysInMonth(year, month++)
  return { year, month, day: rest }
}

/** The day of the week; Monday is 0. */
export function weekdayOf(ordinal: number): number {
  return (ordinal + 6) % 7
}

/** The day on which the first ISO week of a year begins. */
export function isoYearStart(year: number): number {
  const first = toOrdinal(year, 1, 1)
  const weekday = weekdayOf(first)
  return first - weekday + (weekday > 3 ? 7 : 0)
}

interface IsoDay {
  readonly year: number
  readonly week: number
  readonly weekday: number
}

export function isoCalendar(ordinal: number): IsoDay {
  const { year: calendarYear } = fromOrdinal(ordinal)
  let year = calendarYear
  if (ordinal < isoYearStart(year)) year--
  else if (year < MAX_YEAR + 1 && ordinal >= isoYearStart(year + 1)) year++
  return { year, week: Math.floor((ordinal - isoYearStart(year)) / 7) + 1, weekday: weekdayOf(ordinal) + 1 }
}

export const MONTHS = 'January February March April May June July August September October November December'.split(' ')
export const WEEKDAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ')

export function pad(n: number, width: number): string {
  return String(n).padStart(width, '0')
}
