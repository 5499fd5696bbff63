// The module `calendar`: questions about months and weeks.

import { valueError } from '../errors.js'
import { wantInt } from '../expect.js'
import { items } from '../iterate.js'
import { printText } from '../output.js'
import { builtin } from '../signature.js'
import { type Int, TUPLE, toNumber, type Value } from '../values.js'
import { daysInMonth, isLeap, MONTHS, toOrdinal, WEEKDAYS, weekdayOf } from './datetime/days.js'
import { type Module, module } from './module.js'

function year(x: Value | undefined): number {
  return wantInt(x!, 'calendar', 'year')
}

function month(x: Value | undefined): number {
  const m = wantInt(x!, 'calendar', 'month')
  return m < 1 || m > 12 ? valueError(`bad month number ${m}; must be 1-12`) : m
}

/** Weeks of day numbers, 0 outside the month; weeks begin on Monday. */
function weeks(y: number, m: number): Value[] {
  const first = weekdayOf(toOrdinal(y, m, 1))
  const n = daysInMonth(y, m)
  const out: Value[] = []
  for (let day = 1 - first; day <= n; day += 7) {
    const week: Value[] = []
    for (let i = day; i < day + 7; i++) week.push(i >= 1 && i <= n ? i : 0)
    out.push(week)
  }
  return out
}

const centred = (text: string, width: number): string => {
  const left = (width - text.length) >> 1
  return width <= text.length
    ? text
    : ' '.repeat(left + ((width - text.length) & width & 1)) +
        text +
        ' '.repeat(width - text.length - left - ((width - text.length) & width & 1))
}

/** A month as a text of lines, days two wide. */
function monthText(y: number, m: number): string {
  const title = centred(`${MONTHS[m - 1]} ${y}`, 20).trimEnd()
  const days = WEEKDAYS.map((d) => d.slice(0, 2)).join(' ')
  const lines = weeks(y, m).map((week) =>
    (week as number[])
      .map((d) => (d === 0 ? '  ' : String(d).padStart(2)))
      .join(' ')
      .trimEnd(),
  )
  return `${[title, days, ...lines].join('\n')}\n`
}

const short = (names: readonly string[]): string[] => names.map((n) => n.slice(0, 3))

export const calendar: Module = module('calendar', {
  isleap: builtin('isleap', 'year', (y) => isLeap(year(y))),
  leapdays: builtin('leapdays', 'y1, y2', (a, b) => {
    const before = (y: number): number =>
      Math.floor((y - 1) / 4) - Math.floor((y - 1) / 100) + Math.floor((y - 1) / 400)
    return before(year(b)) - before(year(a))
  }),
  monthrange: builtin('monthrange', 'year, month', (y, m) => [
    TUPLE,
    weekdayOf(toOrdinal(year(y), month(m), 1)),
    daysInMonth(year(y), month(m)),
  ]),
  weekday: builtin('weekday', 'year, month, day', (y, m, d) =>
    weekdayOf(toOrdinal(year(y), month(m), wantInt(d!, 'weekday', 'day'))),
  ),
  monthcalendar: builtin('monthcalendar', 'year, month', (y, m) => weeks(year(y), month(m))),
  month: builtin('month', 'theyear, themonth', (y, m) => monthText(year(y), month(m))),
  prmonth: builtin('prmonth', 'theyear, themonth', (y, m) => {
    printText(monthText(year(y), month(m)), '')
    return null
  }),
  timegm: builtin('timegm', 'tuple', (t) => {
    const [y, mo, d, h, mi, s] = items(t!).map((x) => toNumber(x as Int)) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ]
    return (((toOrdinal(y, mo, 1) + d - 1 - toOrdinal(1970, 1, 1)) * 24 + h) * 60 + mi) * 60 + s
  }),
  month_name: ['', ...MONTHS],
  month_abbr: ['', ...short(MONTHS)],
  day_name: [...WEEKDAYS],
  day_abbr: short(WEEKDAYS),
  MONDAY: 0,
  TUESDAY: 1,
  WEDNESDAY: 2,
  THURSDAY: 3,
  FRIDAY: 4,
  SATURDAY: 5,
  SUNDAY: 6,
})
