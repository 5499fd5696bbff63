// The classes `Calendar` and `TextCalendar`. Their only state is the first day of the week.

import { wantInt } from '../../calls/expect.js'
import { moduleClass } from '../../classes/module-class.js'
import { fieldsOf } from '../../classes/object-attributes.js'
import { printText } from '../../host/output.js'
import { Iterator, stepper } from '../../operators/iterators.js'
import { guestError } from '../../values/errors.js'
import { said, spelled } from '../../values/said.js'
import { TUPLE, type Value } from '../../values/values.js'
import { MONTHS, toOrdinal } from '../datetime/days.js'
import { dateOf } from '../datetime/moments.js'
import {
  centred,
  monthText,
  type Spacing,
  weekdaysFrom,
  weekHeader,
  weeksAround,
  weeksOf,
  type YearSpacing,
  yearText,
} from './layout.js'

export function year(x: Value | undefined): number {
  return wantInt(x!, 'calendar', 'year')
}

export function month(x: Value | undefined): number {
  const m = wantInt(x!, 'calendar', 'month')
  return m < 1 || m > 12 ? badMonth(m) : m
}

function badMonth(m: number): never {
  throw guestError('IllegalMonthError', said`bad month number ${spelled(m)}; must be 1-12`)
}

const numberOr = (x: Value | undefined, otherwise: number): number =>
  x === undefined ? otherwise : wantInt(x, 'calendar', 'width')

export const spacing = (w: Value | undefined, l: Value | undefined): Spacing => ({
  width: numberOr(w, 0),
  lines: numberOr(l, 0),
})

export const yearSpacing = (
  w: Value | undefined,
  l: Value | undefined,
  c: Value | undefined,
  m: Value | undefined,
): YearSpacing => ({
  width: numberOr(w, 2),
  lines: numberOr(l, 1),
  between: numberOr(c, 6),
  months: numberOr(m, 3),
})

const walked = (all: readonly Value[]): Value => new Iterator('generator', stepper([...all]))

const firstOf = (self: Value | undefined): number => ((fieldsOf(self!).firstweekday as number) + 7) % 7

const { cls: calendarClass, define } = moduleClass('Calendar', 'calendar')

define('__init__', 'self, firstweekday=', (self, first) => {
  fieldsOf(self!).firstweekday = first ?? 0
  return null
})
define('getfirstweekday', 'self', (self) => firstOf(self))
define('setfirstweekday', 'self, firstweekday', (self, first) => {
  fieldsOf(self!).firstweekday = first!
  return null
})
define('iterweekdays', 'self', (self) => walked(weekdaysFrom(firstOf(self))))

/** Declares the methods that return something for each day of a month's weeks: as one list, and by week. */
function tellDays(
  one: string,
  weekly: string | undefined,
  tell: (y: number, m: number, first: number) => Value[][],
): void {
  define(one, 'self, year, month', (self, y, m) => walked(tell(year(y), month(m), firstOf(self)).flat()))
  if (weekly !== undefined) define(weekly, 'self, year, month', (self, y, m) => tell(year(y), month(m), firstOf(self)))
}

const beside = (week: readonly Value[], first: number): Value[] =>
  weekdaysFrom(first).map((weekday, i) => [TUPLE, week[i]!, weekday])

tellDays('itermonthdays', 'monthdayscalendar', weeksOf)
tellDays('itermonthdays2', 'monthdays2calendar', (y, m, first) =>
  weeksOf(y, m, first).map((week) => beside(week, first)),
)
tellDays('itermonthdates', 'monthdatescalendar', (y, m, first) =>
  weeksAround(y, m, first).map((week) => week.map((day) => dateOf(toOrdinal(y, m, 1) + day - 1))),
)
tellDays('itermonthdays3', undefined, (y, m, first) =>
  weeksAround(y, m, first).map((week) =>
    week.map((day) => {
      const d = dateOf(toOrdinal(y, m, 1) + day - 1)
      return [TUPLE, d.$year, d.$month, d.$day]
    }),
  ),
)

const { cls: textCalendarClass, define: defineText } = moduleClass('TextCalendar', 'calendar', calendarClass)

defineText('formatweekheader', 'self, width', (self, w) => weekHeader(firstOf(self), numberOr(w, 2)))
defineText('formatmonthname', 'self, theyear, themonth, width, withyear=', (_, y, m, w, withYear) =>
  centred(`${MONTHS[month(m) - 1]}${withYear === false ? '' : ` ${year(y)}`}`, numberOr(w, 0)),
)
defineText('formatmonth', 'self, theyear, themonth, w=, l=', (self, y, m, w, l) =>
  monthText(year(y), month(m), firstOf(self), spacing(w, l)),
)
defineText('prmonth', 'self, theyear, themonth, w=, l=', (self, y, m, w, l) => {
  printText(monthText(year(y), month(m), firstOf(self), spacing(w, l)), '')
  return null
})
defineText('formatyear', 'self, theyear, w=, l=, c=, m=', (self, y, w, l, c, m) =>
  yearText(year(y), firstOf(self), yearSpacing(w, l, c, m)),
)
defineText('pryear', 'self, theyear, w=, l=, c=, m=', (self, y, w, l, c, m) => {
  printText(yearText(year(y), firstOf(self), yearSpacing(w, l, c, m)), '')
  return null
})

export { calendarClass, textCalendarClass }
