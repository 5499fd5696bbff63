// Days and times as text: ISO 8601 and `strftime`.

import { raise, valueError } from '../../values/errors.js'
import { daysBeforeMonth, isoCalendar, MONTHS, pad, WEEKDAYS, weekdayOf } from './days.js'
import { type Clock, type DateValue, ordinalOf, zoneFacts } from './moments.js'
import { offsetText } from './timezone.js'

export function isoDate(d: DateValue): string {
  return `${pad(d.$year, 4)}-${pad(d.$month, 2)}-${pad(d.$day, 2)}`
}

/** A time of day in ISO 8601. `timespec` is Python's: `auto`, `hours`, … `microseconds`. */
export function isoTime(t: Clock, timespec: string): string {
  const chosen = timespec === 'auto' ? (t.$microsecond === 0 ? 'seconds' : 'microseconds') : timespec
  const widths = ['hours', 'minutes', 'seconds', 'milliseconds', 'microseconds']
  const n = widths.indexOf(chosen)
  if (n < 0) valueError('Unknown timespec value')
  let text = pad(t.$hour, 2)
  if (n > 0) text += `:${pad(t.$minute, 2)}`
  if (n > 1) text += `:${pad(t.$second, 2)}`
  if (n === 3) text += `.${pad(Math.floor(t.$microsecond / 1000), 3)}`
  if (n === 4) text += `.${pad(t.$microsecond, 6)}`
  const { offset } = zoneFacts(t)
  return offset === null ? text : text + offsetText(offset, ':')
}

const MIDNIGHT: Clock = { $hour: 0, $minute: 0, $second: 0, $microsecond: 0, $zone: null, $fold: 0 }
const NEW_YEAR: DateValue = { $year: 1900, $month: 1, $day: 1 }

/** `strftime`. A date alone is at midnight, and a time alone is on the first day of 1900. */
export function strftime(format: string, date: DateValue | undefined, clock: Clock | undefined): string {
  const d = date ?? NEW_YEAR
  const t = clock ?? MIDNIGHT
  return format.replace(/%([-_0^#]?)(:?)([A-Za-z%])/g, (all: string, flag: string, colon: string, letter: string) => {
    const part = directive(letter, colon, d, t)
    return part === undefined ? all : flagged(part, flag)
  })
}

interface Part {
  readonly text: string
  /** The value as a number, for the flags that omit leading zeros. */
  readonly number?: number
}

function flagged({ text, number }: Part, flag: string): string {
  switch (flag) {
    case '-':
      return number === undefined ? text : String(number)
    case '_':
      return number === undefined ? text : String(number).padStart(text.length, ' ')
    case '^':
      return text.toUpperCase()
    case '#':
      return text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase()
    default:
      return text
  }
}

function digits(n: number, width: number): Part {
  return { text: pad(n, width), number: n }
}

function directive(letter: string, colon: string, d: DateValue, t: Clock): Part | undefined {
  const composed = COMPOSED[letter]
  if (composed !== undefined) return { text: strftime(composed, d, t) }
  return dateDirective(letter, d) ?? clockDirective(letter, colon, t) ?? textDirective(letter)
}

const COMPOSED: Readonly<Record<string, string>> = {
  c: '%a %b %e %H:%M:%S %Y',
  x: '%m/%d/%y',
  D: '%m/%d/%y',
  X: '%H:%M:%S',
  T: '%H:%M:%S',
  F: '%Y-%m-%d',
  R: '%H:%M',
  r: '%I:%M:%S %p',
}

function dateDirective(letter: string, d: DateValue): Part | undefined {
  const ordinal = ordinalOf(d)
  const weekday = weekdayOf(ordinal)
  const dayOfYear = daysBeforeMonth(d.$year, d.$month) + d.$day
  switch (letter) {
    case 'a':
      return { text: WEEKDAYS[weekday]!.slice(0, 3) }
    case 'A':
      return { text: WEEKDAYS[weekday]! }
    case 'w':
      return { text: String((weekday + 1) % 7) }
    case 'u':
      return { text: String(weekday + 1) }
    case 'd':
      return digits(d.$day, 2)
    case 'e':
      return { text: String(d.$day).padStart(2, ' '), number: d.$day }
    case 'b':
    case 'h':
      return { text: MONTHS[d.$month - 1]!.slice(0, 3) }
    case 'B':
      return { text: MONTHS[d.$month - 1]! }
    case 'm':
      return digits(d.$month, 2)
    case 'y':
      return digits(d.$year % 100, 2)
    case 'Y':
      return { text: String(d.$year) }
    case 'C':
      return digits(Math.floor(d.$year / 100), 2)
    case 'G':
      return { text: String(isoCalendar(ordinal).year) }
    case 'g':
      return digits(isoCalendar(ordinal).year % 100, 2)
    case 'V':
      return digits(isoCalendar(ordinal).week, 2)
    case 'j':
      return digits(dayOfYear, 3)
    case 'U':
      return digits(Math.floor((dayOfYear + 6 - ((weekday + 1) % 7)) / 7), 2)
    case 'W':
      return digits(Math.floor((dayOfYear + 6 - weekday) / 7), 2)
    default:
      return undefined
  }
}

function clockDirective(letter: string, colon: string, t: Clock): Part | undefined {
  const hour12 = t.$hour % 12 === 0 ? 12 : t.$hour % 12
  switch (letter) {
    case 'H':
      return digits(t.$hour, 2)
    case 'k':
      return { text: String(t.$hour).padStart(2, ' '), number: t.$hour }
    case 'I':
      return digits(hour12, 2)
    case 'l':
      return { text: String(hour12).padStart(2, ' '), number: hour12 }
    case 'p':
      return { text: t.$hour < 12 ? 'AM' : 'PM' }
    case 'P':
      return { text: t.$hour < 12 ? 'am' : 'pm' }
    case 'M':
      return digits(t.$minute, 2)
    case 'S':
      return digits(t.$second, 2)
    case 'f':
      return { text: pad(t.$microsecond, 6) }
    case 'z': {
      const { offset } = zoneFacts(t)
      return { text: offset === null ? '' : offsetText(offset, colon) }
    }
    case 'Z':
      return { text: zoneFacts(t).name ?? '' }
    default:
      return undefined
  }
}

function textDirective(letter: string): Part | undefined {
  switch (letter) {
    case 'n':
      return { text: '\n' }
    case 't':
      return { text: '\t' }
    case '%':
      return { text: '%' }
    case 's':
      return raise('ValueError', '%s needs a clock: use timestamp()')
    default:
      return undefined
  }
}
