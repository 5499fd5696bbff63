// `date`.

import { wantInt, wantShortInt, wantString } from '../../calls/expect.js'
import { builtin } from '../../calls/signature.js'
import type { Class } from '../../classes/classes.js'
import { builtinClass } from '../../classes/known-classes.js'
import { tupleClass } from '../../classes/tuple-class.js'
import { typeError, valueError } from '../../values/errors.js'
import { TUPLE, type Value } from '../../values/values.js'
import { answer, register } from '../kinds.js'
import { daysBeforeMonth, isoCalendar, weekdayOf } from './days.js'
import { isoDate, strftime } from './format.js'
import { type Clock, checkedDate, DateTimeValue, DateValue, dateOf, ordinalOf } from './moments.js'
import { isoWeekDate, parseIsoDate } from './parse.js'
import { present } from './present.js'
import { Timedelta } from './timedelta.js'

const isoTuple = tupleClass('datetime.IsoCalendarDate', ['year', 'week', 'weekday'])

const structTime = tupleClass(
  'time.struct_time',
  'tm_year tm_mon tm_mday tm_hour tm_min tm_sec tm_wday tm_yday tm_isdst'.split(' '),
)

export function timeTuple(d: DateValue, clock: Clock | undefined, dst: number): Value {
  return structTime.make([
    d.$year,
    d.$month,
    d.$day,
    clock?.$hour ?? 0,
    clock?.$minute ?? 0,
    clock?.$second ?? 0,
    weekdayOf(ordinalOf(d)),
    daysBeforeMonth(d.$year, d.$month) + d.$day,
    dst,
  ])
}

/** The methods that dates and datetimes share. */
export const shared: Readonly<
  Record<string, readonly [string, (d: DateValue, ...args: (Value | undefined)[]) => Value]>
> = {
  weekday: ['/', (d) => weekdayOf(ordinalOf(d))],
  isoweekday: ['/', (d) => weekdayOf(ordinalOf(d)) + 1],
  toordinal: ['/', (d) => ordinalOf(d)],
  isocalendar: [
    '/',
    (d) => {
      const { year, week, weekday } = isoCalendar(ordinalOf(d))
      return isoTuple.make([year, week, weekday])
    },
  ],
}

const kind = register<DateValue>({
  name: 'date',
  type: 'datetime.date',
  of: DateValue,
  base: builtinClass('object'),
  parameters: 'year, month=, day=',
  make(year, month, day) {
    if (month === undefined) typeError("function missing required argument 'month' (pos 2)")
    if (day === undefined) typeError("function missing required argument 'day' (pos 3)")
    return checkedDate(year, month, day)
  },
  attributes: { year: (d) => d.$year, month: (d) => d.$month, day: (d) => d.$day },
  protocol: {
    truth: () => true,
    binary(operator, x, other, reflected) {
      const n = ordinalOf(x as DateValue)
      if (other instanceof Timedelta) {
        if (operator === '+') return dateOf(n + other.$days)
        return operator === '-' && !reflected ? dateOf(n - other.$days) : undefined
      }
      if (!(other instanceof DateValue) || other instanceof DateTimeValue || operator !== '-') return undefined
      const m = ordinalOf(other)
      return new Timedelta(reflected ? m - n : n - m, 0, 0)
    },
    equals: (x, other) =>
      other instanceof DateValue && !(other instanceof DateTimeValue)
        ? ordinalOf(x as DateValue) === ordinalOf(other)
        : undefined,
    order: (x, other, operator) => {
      if (!(other instanceof DateValue)) return undefined
      if (other instanceof DateTimeValue) typeError("can't compare datetime.datetime to datetime.date")
      return answer(ordinalOf(x as DateValue) - ordinalOf(other), operator)
    },
    hashKey: (x) => [TUPLE, 'date', ordinalOf(x as DateValue)],
    str: (x) => isoDate(x as DateValue),
    repr: (x) => `datetime.date(${(x as DateValue).$year}, ${(x as DateValue).$month}, ${(x as DateValue).$day})`,
    format: (x, spec) => (spec === '' ? undefined : strftime(spec, x as DateValue, undefined)),
  },
})

for (const [name, [parameters, fn]] of Object.entries(shared)) kind.method(name, parameters, fn)
kind.method('isoformat', '/', (d) => isoDate(d))
kind.method('ctime', '/', (d) => strftime('%a %b %e 00:00:00 %Y', d, undefined))
kind.method('strftime', 'format', (d, format) => strftime(wantString(format, 'strftime', 'format'), d, undefined))
kind.method('timetuple', '/', (d) => timeTuple(d, undefined, -1))
kind.method('replace', 'year=, month=, day=', (d, year, month, day) =>
  checkedDate(
    year ?? (year === null ? null : d.$year),
    month ?? (month === null ? null : d.$month),
    day ?? (day === null ? null : d.$day),
  ),
)
kind.onClass(
  'today',
  builtin('today', '', () => {
    const { $year, $month, $day } = present('date.today()', null)
    return new DateValue($year, $month, $day)
  }),
)
kind.onClass(
  'fromisoformat',
  builtin('fromisoformat', 'date_string, /', (s) =>
    parseIsoDate(wantString(s, 'fromisoformat', 'date_string', 'fromisoformat: argument must be str')),
  ),
)
function ordinal(x: Value): number {
  const n = wantShortInt(x, 'fromordinal', 'ordinal')
  return n < 1 ? valueError('ordinal must be >= 1') : n
}
kind.onClass(
  'fromordinal',
  builtin('fromordinal', 'ordinal, /', (n) => dateOf(ordinal(n!))),
)
kind.onClass(
  'fromisocalendar',
  builtin('fromisocalendar', 'year, week, day', (y, w, d) =>
    isoWeekDate(
      wantInt(y!, 'fromisocalendar', 'year'),
      wantInt(w!, 'fromisocalendar', 'week'),
      wantInt(d!, 'fromisocalendar', 'day'),
    ),
  ),
)
kind.onClass('min', new DateValue(1, 1, 1))
kind.onClass('max', new DateValue(9999, 12, 31))
kind.onClass('resolution', new Timedelta(1, 0, 0))

export const date: Value = kind.value
export const dateClass: Class = kind.cls
