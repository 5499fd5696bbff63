// The module `time`: the clock of the run (host/clock.ts), which only the program advances, and moments in UTC. The
// moments are those that the program passes and, if a person allows it, the present.

import { wantString } from '../calls/expect.js'
import { builtin } from '../calls/signature.js'
import { items } from '../containers/iterate.js'
import { microseconds, nanoseconds, readClock, readComputed, sleepFor } from '../host/clock.js'
import { raise, typeError, valueError } from '../values/errors.js'
import { said } from '../values/said.js'
import { float, floatValue, isInt, normal, TUPLE, toNumber, typeOf, unbool, type Value } from '../values/values.js'
import { timeTuple } from './datetime/date.js'
import { toOrdinal } from './datetime/days.js'
import { strftime } from './datetime/format.js'
import {
  checkedDate,
  checkedTime,
  type DateTimeValue,
  type DateValue,
  fromWall,
  type TimeValue,
} from './datetime/moments.js'
import { strptime } from './datetime/parse.js'
import { present, presentMicroseconds } from './datetime/present.js'
import { type Module, module } from './module.js'

const EPOCH_DAY = toOrdinal(1970, 1, 1)
const CTIME = '%a %b %e %H:%M:%S %Y'

function seconds(x0: Value | undefined): number {
  const x = unbool(x0!)
  const f = floatValue(x)
  if (f !== undefined) return f
  return isInt(x) ? toNumber(x) : typeError(said`'${typeOf(x)}' object cannot be interpreted as an integer`)
}

/** A moment in seconds since 1970. */
function utc(x: Value | undefined, name: string): DateTimeValue {
  if (x === undefined || x === null) return present(`time.${name}()`, null)
  return fromWall(BigInt(EPOCH_DAY) * 86_400_000_000n + BigInt(Math.floor(seconds(x))) * 1_000_000n, null)
}

function nine(x: Value): readonly number[] {
  const all = Array.isArray(x) ? items(x) : typeError('Tuple or struct_time argument required')
  return all.length === 9 ? all.map(seconds) : typeError('time tuple must have exactly 9 elements')
}

/** The moment of a `struct_time` or a tuple of nine numbers. */
function moment(x: Value | undefined, name: string): { readonly date: DateValue; readonly clock: TimeValue } {
  if (x === undefined || x === null) {
    const now = present(`time.${name}()`, null)
    return { date: now, clock: now }
  }
  const [year, month, day, hour, minute, second] = nine(x) as [number, number, number, number, number, number]
  return {
    date: checkedDate(year, Math.max(1, month), Math.max(1, day)),
    clock: checkedTime([hour, minute, Math.min(59, second), 0], null, 0),
  }
}

const clocks: Record<string, Value> = {}
for (const [name, read] of Object.entries({
  monotonic: readClock,
  perf_counter: readClock,
  process_time: readComputed,
  thread_time: readComputed,
})) {
  clocks[name] = builtin(name, '', () => float(read() / 1e6))
  clocks[`${name}_ns`] = builtin(`${name}_ns`, '', () => nanoseconds(read()))
}
clocks.time = builtin('time', '', () => float(presentMicroseconds('time.time()') / 1e6))
clocks.time_ns = builtin('time_ns', '', () => normal(BigInt(Math.floor(presentMicroseconds('time.time_ns()'))) * 1000n))

export const time: Module = module('time', {
  ...clocks,
  sleep: builtin('sleep', 'seconds, /', (x) => {
    const n = seconds(x)
    if (Number.isNaN(n)) valueError('Invalid value NaN (not a number)')
    if (n < 0) valueError('sleep length must be non-negative')
    if (n > 9.2e9) raise('OverflowError', 'timestamp too large to convert to C _PyTime_t')
    sleepFor(microseconds(n))
    return null
  }),
  ...Object.fromEntries(
    ['gmtime', 'localtime'].map((name) => [
      name,
      builtin(name, 'seconds=, /', (s) => {
        const t = utc(s, name)
        return timeTuple(t, t, 0)
      }),
    ]),
  ),
  strftime: builtin('strftime', 'format, t=, /', (format, t) => {
    const { date, clock } = moment(t, 'strftime')
    return strftime(wantString(format, 'strftime', 'format'), date, clock)
  }),
  strptime: builtin('strptime', 'string, format=, /', (s, format) => {
    const t = strptime(
      wantString(s, 'strptime', 'string'),
      format === undefined ? CTIME : wantString(format, 'strptime', 'format'),
    )
    return timeTuple(t, t, -1)
  }),
  mktime: builtin('mktime', 't, /', (t) => {
    const [year, month, day, hour, minute, second] = nine(t!) as [number, number, number, number, number, number]
    // Months and days beyond their range carry over.
    const first = toOrdinal(year + Math.floor((month - 1) / 12), ((((month - 1) % 12) + 12) % 12) + 1, 1)
    return float((((first - EPOCH_DAY + day - 1) * 24 + hour) * 60 + minute) * 60 + second)
  }),
  asctime: builtin('asctime', 't=, /', (t) => {
    const { date, clock } = moment(t, 'asctime')
    return strftime(CTIME, date, clock)
  }),
  ctime: builtin('ctime', 'seconds=, /', (s) => {
    const t = utc(s, 'ctime')
    return strftime(CTIME, t, t)
  }),
  timezone: 0,
  altzone: 0,
  daylight: 0,
  tzname: [TUPLE, 'UTC', 'UTC'],
})
