// Parses days and times: ISO 8601 as in `fromisoformat`, and `strptime`.

import { quoted } from '../../text/repr.js'
import { valueError } from '../../values/errors.js'
import { inQuotes, said, spelled } from '../../values/said.js'
import { daysInMonth, fromOrdinal, isoYearStart, MONTHS, toOrdinal, WEEKDAYS, weekdayOf } from './days.js'
import { checkedDate, checkedTime, DateTimeValue, DateValue, dateOf, type TimeValue } from './moments.js'
import { fromMicroseconds } from './timedelta.js'
import { type TimeZone, UTC, zoneOf } from './timezone.js'

const ISO_DATE = /^(\d{4})(?:-(\d\d)-(\d\d)|(\d\d)(\d\d)|-W(\d\d)(?:-(\d))?|W(\d\d)(\d)?)/

/** A date at the beginning of a text, and its length. Undefined if there is none. */
function isoDateIn(text: string): { readonly date: DateValue; readonly length: number } | undefined {
  const m = ISO_DATE.exec(text)
  if (m === null) return undefined
  const year = Number(m[1])
  const week = m[6] ?? m[8]
  if (week === undefined)
    return { date: checkedDate(year, Number(m[2] ?? m[4]), Number(m[3] ?? m[5])), length: m[0].length }
  return { date: isoWeekDate(year, Number(week), Number(m[7] ?? m[9] ?? 1)), length: m[0].length }
}

export function isoWeekDate(year: number, week: number, day: number): DateValue {
  if (year < 1 || year > 9999) valueError(said`Year is out of range: ${spelled(year)}`)
  const weeks = Math.floor((isoYearStart(year + 1) - isoYearStart(year)) / 7)
  if (week < 1 || week > weeks) valueError(said`Invalid week: ${spelled(week)}`)
  if (day < 1 || day > 7) valueError(said`Invalid weekday: ${spelled(day)} (range is [1, 7])`)
  return dateOf(isoYearStart(year) + (week - 1) * 7 + day - 1)
}

export function parseIsoDate(text: string): DateValue {
  const found = isoDateIn(text)
  return found === undefined || found.length !== text.length
    ? valueError(said`Invalid isoformat string: ${quoted(text)}`)
    : found.date
}

const ISO_TIME =
  /^(\d\d)(?:(?::(\d\d)(?::(\d\d)(?:[.,](\d+))?)?|(\d\d)(?:(\d\d)(?:[.,](\d+))?)?))?(Z|[+-]\d\d(?::?\d\d(?::?\d\d(?:\.\d+)?)?)?)?$/

export function parseIsoTime(text: string, whole = text): TimeValue {
  const m = ISO_TIME.exec(text.startsWith('T') ? text.slice(1) : text)
  if (m === null) return valueError(said`Invalid isoformat string: ${quoted(whole)}`)
  const micros = Number((m[4] ?? m[7] ?? '').slice(0, 6).padEnd(6, '0'))
  return checkedTime([Number(m[1]), Number(m[2] ?? m[5] ?? 0), Number(m[3] ?? m[6] ?? 0), micros], zoneIn(m[8]), 0)
}

/** The zone of an offset: `Z`, `+hh:mm`, `-hhmmss`, … */
function zoneIn(text: string | undefined): TimeZone | null {
  if (text === undefined) return null
  if (text === 'Z' || text === 'z') return UTC
  const m = /^([+-])(\d\d):?(\d\d)?:?(\d\d)?(?:\.(\d+))?$/.exec(text)!
  const seconds = (Number(m[2]) * 60 + Number(m[3] ?? 0)) * 60 + Number(m[4] ?? 0)
  const micros = BigInt(seconds) * 1_000_000n + BigInt((m[5] ?? '').slice(0, 6).padEnd(6, '0'))
  if (micros >= 86_400_000_000n)
    valueError('offset must be a timedelta strictly between -timedelta(hours=24) and timedelta(hours=24)')
  return zoneOf(fromMicroseconds(m[1] === '-' ? -micros : micros))
}

export function parseIsoDateTime(text: string): DateTimeValue {
  const found = isoDateIn(text)
  if (found === undefined) return valueError(said`Invalid isoformat string: ${quoted(text)}`)
  const rest = text.slice(found.length)
  if (rest === '') return new DateTimeValue(found.date, checkedTime([0, 0, 0, 0], null, 0))
  // Any single character may separate date and time.
  const separator = String.fromCodePoint(rest.codePointAt(0)!)
  return new DateTimeValue(found.date, parseIsoTime(rest.slice(separator.length), text))
}

// ---- strptime --------------------------------------------------------------------------------------------------

const short = (names: readonly string[]): string => names.map((n) => n.slice(0, 3)).join('|')
const DIRECTIVES: Record<string, string> = {
  d: '3[01]|[12]\\d|0[1-9]|[1-9]| [1-9]',
  f: '\\d{1,6}',
  H: '2[0-3]|[01]\\d|\\d',
  I: '1[0-2]|0[1-9]|[1-9]',
  G: '\\d{4}',
  j: '36[0-6]|3[0-5]\\d|[12]\\d\\d|0[1-9]\\d|00[1-9]|[1-9]\\d|0[1-9]|[1-9]',
  m: '1[0-2]|0[1-9]|[1-9]',
  M: '[0-5]\\d|\\d',
  S: '6[01]|[0-5]\\d|\\d',
  U: '5[0-3]|[0-4]\\d|\\d',
  W: '5[0-3]|[0-4]\\d|\\d',
  V: '5[0-3]|0[1-9]|[1-4]\\d|\\d',
  w: '[0-6]',
  u: '[1-7]',
  y: '\\d\\d',
  Y: '\\d{4}',
  z: '[+-]\\d\\d:?[0-5]\\d(?::?[0-5]\\d(?:\\.\\d{1,6})?)?|Z',
  A: WEEKDAYS.join('|'),
  a: short(WEEKDAYS),
  B: MONTHS.join('|'),
  b: short(MONTHS),
  p: 'AM|PM',
  Z: 'UTC|GMT',
}
const SHORTHANDS: Record<string, string> = {
  c: '%a %b %d %H:%M:%S %Y',
  x: '%m/%d/%y',
  X: '%H:%M:%S',
  D: '%m/%d/%y',
  F: '%Y-%m-%d',
  T: '%H:%M:%S',
  R: '%H:%M',
  r: '%I:%M:%S %p',
  h: '%b',
}

interface Scanner {
  readonly pattern: RegExp
  readonly letters: readonly string[]
}

const scanners = new Map<string, Scanner>()

function scanner(format: string): Scanner {
  const known = scanners.get(format)
  if (known !== undefined) return known
  const letters: string[] = []
  let source = ''
  const spelling = format.replace(/%([A-Za-z])/g, (all: string, c: string) => SHORTHANDS[c] ?? all)
  for (let i = 0; i < spelling.length; i++) {
    const c = spelling[i]!
    if (c === '%') {
      const letter = spelling[++i]
      if (letter === undefined) valueError(said`stray % in format ${quoted(format)}`)
      if (letter === '%') {
        source += '%'
        continue
      }
      const body = DIRECTIVES[letter]
      if (body === undefined) valueError(said`${inQuotes(letter)} is a bad directive in format ${quoted(format)}`)
      if (letters.includes(letter))
        valueError(
          said`redefinition of group name ${inQuotes(letter)} as group ${letters.length + 1}; was group ${letters.indexOf(letter) + 1}`,
        )
      letters.push(letter)
      source += `(${body})`
    } else if (/\s/.test(c)) {
      while (i + 1 < spelling.length && /\s/.test(spelling[i + 1]!)) i++
      source += '\\s+'
    } else source += c.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&')
  }
  const made = { pattern: new RegExp(`^${source}`, 'i'), letters }
  scanners.set(format, made)
  return made
}

/** `datetime.strptime(text, format)`. */
export function strptime(text: string, format: string): DateTimeValue {
  const { pattern, letters } = scanner(format)
  const m = pattern.exec(text)
  if (m === null) return valueError(said`time data ${quoted(text)} does not match format ${quoted(format)}`)
  if (m[0].length !== text.length) valueError(said`unconverted data remains: ${spelled(text.slice(m[0].length))}`)
  const found = new Map(letters.map((l, i) => [l, m[i + 1]!]))
  const number = (letter: string): number | undefined => {
    const s = found.get(letter)
    return s === undefined ? undefined : Number(s)
  }
  const clock = checkedTime(
    [hourOf(found), number('M') ?? 0, secondOf(number('S')), Number((found.get('f') ?? '').padEnd(6, '0'))],
    zoneOfParts(found),
    0,
  )
  return new DateTimeValue(dateOfParts(found, number), clock)
}

function secondOf(s: number | undefined): number {
  return s !== undefined && s > 59 ? valueError('second must be in 0..59') : (s ?? 0)
}

function hourOf(found: ReadonlyMap<string, string>): number {
  if (found.has('H')) return Number(found.get('H'))
  if (!found.has('I')) return 0
  const hour = Number(found.get('I')) % 12
  return found.get('p')?.toLowerCase() === 'pm' ? hour + 12 : hour
}

function zoneOfParts(found: ReadonlyMap<string, string>): TimeZone | null {
  const offset = found.get('z')
  return offset === undefined ? null : zoneIn(offset.toUpperCase())
}

function indexIn(names: readonly string[], text: string): number {
  const wanted = text.toLowerCase()
  return names.findIndex((n) => n.toLowerCase() === wanted || n.slice(0, 3).toLowerCase() === wanted)
}

function dateOfParts(found: ReadonlyMap<string, string>, number: (letter: string) => number | undefined): DateValue {
  const short = number('y')
  const year = number('Y') ?? (short === undefined ? undefined : short < 69 ? 2000 + short : 1900 + short)
  const name = found.get('B') ?? found.get('b')
  const month = name === undefined ? number('m') : indexIn(MONTHS, name) + 1
  const dayName = found.get('A') ?? found.get('a')
  const w = number('w')
  const u = number('u')
  const weekday =
    dayName !== undefined
      ? indexIn(WEEKDAYS, dayName)
      : w !== undefined
        ? (w + 6) % 7
        : u === undefined
          ? undefined
          : u - 1
  const isoYear = number('G')
  const isoWeek = number('V')
  if (isoYear !== undefined && isoWeek !== undefined && weekday !== undefined)
    return isoWeekDate(isoYear, isoWeek, weekday + 1)
  if (isoYear !== undefined || isoWeek !== undefined) {
    valueError(
      "ISO year directive '%G' must be used with the ISO week directive '%V' and a weekday directive ('%A', '%a', '%w', or '%u').",
    )
  }
  const dayOfYear = number('j')
  if (dayOfYear !== undefined && month === undefined) {
    const { year: y, month: mo, day } = fromOrdinal(toOrdinal(year ?? 1900, 1, 1) + dayOfYear - 1)
    return new DateValue(y, mo, day)
  }
  const week = number('U') ?? number('W')
  if (week !== undefined && weekday !== undefined && year !== undefined && month === undefined)
    return weekDate(year, week, weekday, found.has('W'))
  const [m, d] = [month ?? 1, number('d') ?? 1]
  // Without a year, the 29th of February is parsed as in a leap year, and then refused as a date of 1900.
  if (d > daysInMonth(year ?? 1900, m)) valueError('day is out of range for month')
  return checkedDate(year ?? 1900, m, d)
}

/**
 * A weekday in week `week`. Weeks begin on Mondays or on Sundays, and week 1 contains the first such day of the year.
 */
function weekDate(year: number, week: number, weekday: number, fromMonday: boolean): DateValue {
  const first = toOrdinal(year, 1, 1)
  const start = fromMonday ? weekdayOf(first) : (weekdayOf(first) + 1) % 7
  const place = fromMonday ? weekday : (weekday + 1) % 7
  return dateOf(first + ((7 - start) % 7) + (week - 1) * 7 + place)
}
