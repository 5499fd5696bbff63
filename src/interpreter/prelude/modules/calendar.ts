// The module `calendar`: facts about months and weeks.

import { wantInt } from '../calls/expect.js'
import { builtin } from '../calls/signature.js'
import { exceptionClass } from '../classes/known-classes.js'
import { items } from '../containers/iterate.js'
import { printText } from '../host/output.js'
import { valueError } from '../values/errors.js'
import { said, spelled } from '../values/said.js'
import { type Int, TUPLE, toNumber } from '../values/values.js'
import { calendarClass, month, spacing, textCalendarClass, year, yearSpacing } from './calendar/classes.js'
import { monthText, weekHeader, weeksOf, yearText } from './calendar/layout.js'
import { daysInMonth, isLeap, MONTHS, toOrdinal, WEEKDAYS, weekdayOf } from './datetime/days.js'
import { type Module, module } from './module.js'

/** The first day of the week for the module's own functions, in this run. */
let first = 0

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
  monthcalendar: builtin('monthcalendar', 'year, month', (y, m) => weeksOf(year(y), month(m), first)),
  month: builtin('month', 'theyear, themonth, w=, l=', (y, m, w, l) =>
    monthText(year(y), month(m), first, spacing(w, l)),
  ),
  prmonth: builtin('prmonth', 'theyear, themonth, w=, l=', (y, m, w, l) => {
    printText(monthText(year(y), month(m), first, spacing(w, l)), '')
    return null
  }),
  calendar: builtin('calendar', 'theyear, w=, l=, c=, m=', (y, w, l, c, m) =>
    yearText(year(y), first, yearSpacing(w, l, c, m)),
  ),
  prcal: builtin('prcal', 'theyear, w=, l=, c=, m=', (y, w, l, c, m) => {
    printText(yearText(year(y), first, yearSpacing(w, l, c, m)), '')
    return null
  }),
  weekheader: builtin('weekheader', 'width', (w) => weekHeader(first, wantInt(w!, 'weekheader', 'width'))),
  firstweekday: builtin('firstweekday', '', () => first),
  setfirstweekday: builtin('setfirstweekday', 'firstweekday', (day) => {
    const d = wantInt(day!, 'setfirstweekday', 'firstweekday')
    if (d < 0 || d > 6) return valueError(said`bad weekday number ${spelled(d)}; must be 0 (Monday) to 6 (Sunday)`)
    first = d
    return null
  }),
  IllegalMonthError: exceptionClass('IllegalMonthError').$value,
  Calendar: calendarClass.$value,
  TextCalendar: textCalendarClass.$value,
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
