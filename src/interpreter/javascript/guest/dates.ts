// Dates as people in the United States write them, in UTC: `toLocaleDateString` and its like, in their common options.
// Invariant: the same text as an implementation with full data gives for the time zone UTC; what is not known here is
// refused by name.

import { rangeError, typeError } from './errors.js'
import { checkLocale } from './numbers.js'
import { said, shown, word } from './said.js'
import { present } from './world.js'

const MONTHS = 'January February March April May June July August September October November December'.split(' ')
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')

type Part = 'numeric' | '2-digit' | 'long' | 'short' | 'narrow' | undefined

interface DateOptions {
  readonly weekday?: Part
  readonly year?: Part
  readonly month?: Part
  readonly day?: Part
  readonly hour?: Part
  readonly minute?: Part
  readonly second?: Part
  readonly hour12: boolean
  /** Midnight is 24, as the option `hour12: false` has it. */
  readonly from1: boolean
  readonly zone: boolean
}

const dateParts = ['weekday', 'year', 'month', 'day'] as const
const timeParts = ['hour', 'minute', 'second'] as const

function readDateOptions(raw: Readonly<Record<string, unknown>>, usual: 'date' | 'time' | 'both'): DateOptions {
  for (const key of ['era', 'dayPeriod', 'fractionalSecondDigits', 'calendar', 'numberingSystem', 'formatMatcher'])
    if (raw[key] !== undefined)
      throw typeError(said`${word(key)} is not known to dates here`, { code: 'not-supported' })
  if (raw.timeZone !== undefined && !/^(?:UTC|GMT|Etc\/UTC)$/i.test(String(raw.timeZone)))
    throw typeError(said`timeZone: got ${shown(raw.timeZone)}, want "UTC": programs know no other time zone`, {
      code: 'not-supported',
    })
  const style = (name: string): unknown => raw[name]
  if (style('dateStyle') !== undefined || style('timeStyle') !== undefined) return styleOptions(raw)
  const given = [...dateParts, ...timeParts].filter((part) => raw[part] !== undefined)
  const hasDate = given.some((part) => (dateParts as readonly string[]).includes(part))
  const hasTime = given.some((part) => (timeParts as readonly string[]).includes(part))
  const wantsDate = usual !== 'time' && !(usual === 'date' ? hasDate : given.length > 0)
  const wantsTime = usual !== 'date' && !(usual === 'time' ? hasTime : given.length > 0)
  const part = (name: (typeof dateParts)[number] | (typeof timeParts)[number]): Part => raw[name] as Part
  return {
    weekday: part('weekday'),
    year: part('year') ?? (wantsDate ? 'numeric' : undefined),
    month: part('month') ?? (wantsDate ? 'numeric' : undefined),
    day: part('day') ?? (wantsDate ? 'numeric' : undefined),
    hour: part('hour') ?? (wantsTime ? 'numeric' : undefined),
    minute: part('minute') ?? (wantsTime ? '2-digit' : undefined),
    second: part('second') ?? (wantsTime ? '2-digit' : undefined),
    hour12: raw.hour12 !== false && raw.hourCycle !== 'h23' && raw.hourCycle !== 'h24',
    from1: raw.hour12 === false || raw.hourCycle === 'h24',
    zone: raw.timeZoneName !== undefined,
  }
}

function styleOptions({ dateStyle, timeStyle, hour12 }: Readonly<Record<string, unknown>>): DateOptions {
  const date: Partial<DateOptions> =
    dateStyle === undefined
      ? {}
      : dateStyle === 'short'
        ? { year: '2-digit', month: 'numeric', day: 'numeric' }
        : {
            year: 'numeric',
            month: dateStyle === 'medium' ? 'short' : 'long',
            day: 'numeric',
            ...(dateStyle === 'full' ? { weekday: 'long' as const } : {}),
          }
  const time: Partial<DateOptions> =
    timeStyle === undefined
      ? {}
      : { hour: 'numeric', minute: '2-digit', ...(timeStyle === 'short' ? {} : { second: '2-digit' as const }) }
  return {
    ...date,
    ...time,
    hour12: hour12 !== false,
    from1: hour12 === false,
    zone: timeStyle === 'long' || timeStyle === 'full',
  }
}

function number(value: number, part: Part): string {
  return part === '2-digit' ? String(value % 100).padStart(2, '0') : String(value)
}

function named(names: readonly string[], index: number, part: Part): string {
  const name = names[index]!
  return part === 'short' ? name.slice(0, 3) : part === 'narrow' ? name[0]! : name
}

function dateText(date: Date, o: DateOptions): string {
  const weekday = o.weekday === undefined ? undefined : named(DAYS, date.getUTCDay(), o.weekday)
  const year = o.year === undefined ? undefined : number(date.getUTCFullYear(), o.year)
  const day = o.day === undefined ? undefined : number(date.getUTCDate(), o.day)
  const inWords = o.month !== undefined && o.month !== 'numeric' && o.month !== '2-digit'
  if (!inWords) {
    const month = o.month === undefined ? undefined : number(date.getUTCMonth() + 1, o.month)
    const figures = [month, day, year].filter((part) => part !== undefined).join('/')
    return [weekday, figures].filter((part) => part !== undefined && part !== '').join(', ')
  }
  const month = named(MONTHS, date.getUTCMonth(), o.month)
  const monthDay = day === undefined ? month : `${month} ${day}`
  const dated = year === undefined ? monthDay : day === undefined ? `${monthDay} ${year}` : `${monthDay}, ${year}`
  return weekday === undefined ? dated : `${weekday}, ${dated}`
}

function timeText(date: Date, o: DateOptions): string {
  if (o.hour === undefined && o.minute === undefined && o.second === undefined) return ''
  const hours = date.getUTCHours()
  const shown = o.hour12 ? hours % 12 || 12 : o.from1 ? hours || 24 : hours
  const hour =
    o.hour === undefined
      ? undefined
      : o.hour === '2-digit' || !o.hour12
        ? String(shown).padStart(2, '0')
        : String(shown)
  const two = (value: number, part: Part): string | undefined =>
    part === undefined
      ? undefined
      : o.hour === undefined && o.minute === undefined
        ? String(value)
        : String(value).padStart(2, '0')
  const clock = [hour, two(date.getUTCMinutes(), o.minute), two(date.getUTCSeconds(), o.second)]
    .filter((part) => part !== undefined)
    .join(':')
  const half = o.hour !== undefined && o.hour12 ? ` ${hours < 12 ? 'AM' : 'PM'}` : ''
  return `${clock}${half}${o.zone ? ' UTC' : ''}`
}

export function localeDate(date: Date, locales: unknown, options: unknown, usual: 'date' | 'time' | 'both'): string {
  checkLocale(
    locales,
    'dates',
    'write the day as date.toISOString().slice(0, 10), or put it together from getUTCDate() and its like',
  )
  if (Number.isNaN(date.getTime())) return 'Invalid Date'
  const raw = Object(options ?? {}) as Readonly<Record<string, unknown>>
  const o = readDateOptions(raw, usual)
  const parts = [dateText(date, o), timeText(date, o)].filter((part) => part !== '')
  const inWords = (raw.dateStyle === 'long' || raw.dateStyle === 'full') && parts.length === 2
  return parts.join(inWords ? ' at ' : ', ')
}

export class DateTimeFormat {
  readonly format: (date: unknown) => string

  constructor(locales?: unknown, options: unknown = {}) {
    checkLocale(locales, 'Intl.DateTimeFormat')
    const format = (date: unknown): string => {
      const at = date === undefined ? present() : date
      if (at === undefined) throw typeError('there is no clock: give format an explicit date')
      const given = at instanceof Date ? at : new Date(at as number)
      if (Number.isNaN(given.getTime())) throw rangeError('Invalid time value')
      return localeDate(given, locales, options, 'date')
    }
    this.format = format
    Object.defineProperty(this, 'format', { value: format, enumerable: false })
  }

  resolvedOptions(): object {
    return { locale: 'en-US', calendar: 'gregory', numberingSystem: 'latn', timeZone: 'UTC' }
  }
}
