// `datetime`. In conversions to seconds since 1970, a datetime without an offset counts as UTC, because there is no
// local time here.

import { asIndex, wantInt, wantString } from '../../calls/expect.js'
import { builtin } from '../../calls/signature.js'
import { nearest } from '../../numbers/float-text.js'
import { exactly, nearestFloat } from '../../numbers/rationals.js'
import { width } from '../../text/format-spec.js'
import { contentOf } from '../../values/contents.js'
import { raise, typeError, valueError } from '../../values/errors.js'
import { type Said, said, word } from '../../values/said.js'
import { big, float, floatValue, isInt, normal, TUPLE, typeOf, unbool, type Value } from '../../values/values.js'
import { answer, register } from '../kinds.js'
import { dateClass, shared, timeTuple } from './date.js'
import { isoDate, isoTime, strftime } from './format.js'
import {
  absoluteMicroseconds,
  checkedDate,
  checkedTime,
  DateTimeValue,
  DateValue,
  dateOf,
  difference,
  fromUtc,
  fromWall,
  moved,
  TimeValue,
  wallMicroseconds,
  zoneArgument,
  zoneFacts,
} from './moments.js'
import { isoWeekDate, parseIsoDateTime, strptime } from './parse.js'
import { present } from './present.js'
import { clockAttributes, clockParts, replacedClock } from './time.js'
import { microsecondsOf, Timedelta } from './timedelta.js'
import { UTC, type Zone } from './timezone.js'

const EPOCH = wallMicroseconds(new DateTimeValue(new DateValue(1970, 1, 1), new TimeValue(0, 0, 0, 0, null)))

const MOST_SECONDS = 2n ** 63n * 1_000_000n

/** The moment `seconds` after the beginning of 1970, in the local time of a zone. */
function fromTimestamp(seconds0: Value | undefined, zone: Zone | null): DateTimeValue {
  const seconds = unbool(contentOf(seconds0) ?? asIndex(seconds0!))
  const f = floatValue(seconds)
  let micros: bigint
  if (f !== undefined) {
    if (Number.isNaN(f)) valueError('cannot convert float NaN to integer')
    if (!Number.isFinite(f)) raise('OverflowError', 'cannot convert float infinity to integer')
    const { top, bottom } = exactly(Math.abs(f))
    micros = nearest(top * 1_000_000n, bottom) * (f < 0 ? -1n : 1n)
  } else if (isInt(seconds)) micros = big(seconds) * 1_000_000n
  else return typeError(said`'${typeOf(seconds0!)}' object cannot be interpreted as an integer`)
  const utc = EPOCH + micros
  if (micros >= MOST_SECONDS || micros < -MOST_SECONDS)
    raise('OverflowError', 'timestamp out of range for platform time_t')
  if (utc < 86_400_000_000n || utc >= 3_652_060n * 86_400_000_000n) valueError(`year is out of range`)
  return fromUtc(utc, zone)
}

/** True if its offset does not depend on `fold`. */
function isOnce(t: DateTimeValue): boolean {
  return absoluteMicroseconds(t, 0) === absoluteMicroseconds(t, 1)
}

function sameAwareness(a: DateTimeValue, b: DateTimeValue, what: string): void {
  if ((a.$zone === null) !== (b.$zone === null))
    typeError(said`can't ${word(what)} offset-naive and offset-aware datetimes`)
}

/** The values by which two datetimes are compared: local times if both have the same zone, otherwise times in UTC. */
function comparable(a: DateTimeValue, b: DateTimeValue): readonly [bigint, bigint] {
  const measure = a.$zone === b.$zone ? wallMicroseconds : absoluteMicroseconds
  return [measure(a), measure(b)]
}

function compareMoments(a: DateTimeValue, b: DateTimeValue): number {
  const [x, y] = comparable(a, b)
  return x < y ? -1 : x > y ? 1 : 0
}

const kind = register<DateTimeValue>({
  name: 'datetime',
  type: 'datetime.datetime',
  of: DateTimeValue,
  base: dateClass,
  parameters: 'year, month=, day=, hour=, minute=, second=, microsecond=, tzinfo=, *, fold=',
  make(year, month, day, hour, minute, second, microsecond, zone, fold) {
    if (month === undefined) typeError("function missing required argument 'month' (pos 2)")
    if (day === undefined) typeError("function missing required argument 'day' (pos 3)")
    return new DateTimeValue(
      checkedDate(year, month, day),
      checkedTime([hour, minute, second, microsecond], zone, fold),
    )
  },
  attributes: { year: (d) => d.$year, month: (d) => d.$month, day: (d) => d.$day, ...clockAttributes },
  protocol: {
    truth: () => true,
    binary(operator, x, other, reflected) {
      const t = x as DateTimeValue
      if (other instanceof Timedelta) {
        if (operator === '+') return moved(t, other, 1n)
        return operator === '-' && !reflected ? moved(t, other, -1n) : undefined
      }
      if (!(other instanceof DateTimeValue) || operator !== '-') return undefined
      const [a, b] = reflected ? [other, t] : [t, other]
      sameAwareness(a, b, 'subtract')
      return difference(...comparable(a, b))
    },
    equals: (x, other) => {
      if (!(other instanceof DateTimeValue)) return other instanceof DateValue ? false : undefined
      const t = x as DateTimeValue
      if ((t.$zone === null) !== (other.$zone === null) || compareMoments(t, other) !== 0) return false
      // A time that occurs twice in its own zone equals no time of another zone.
      return t.$zone === other.$zone || (isOnce(t) && isOnce(other))
    },
    order: (x, other, operator) => {
      if (!(other instanceof DateTimeValue)) {
        return other instanceof DateValue ? typeError("can't compare datetime.datetime to datetime.date") : undefined
      }
      sameAwareness(x as DateTimeValue, other, 'compare')
      return answer(compareMoments(x as DateTimeValue, other), operator)
    },
    hashKey: (x) => [
      TUPLE,
      'datetime',
      (x as DateTimeValue).$zone === null,
      normal(absoluteMicroseconds(x as DateTimeValue, 0)),
    ],
    str: (x) => isoDateTime(x as DateTimeValue, ' ', 'auto'),
    repr: (x) => {
      const t = x as DateTimeValue
      return `datetime.datetime(${t.$year}, ${t.$month}, ${t.$day}, ${clockParts(t)})`
    },
    format: (x, spec) => (spec === '' ? undefined : strftime(spec, x as DateTimeValue, x as DateTimeValue)),
  },
})

function oneCharacter(text: string): string {
  return width(text) === 1 ? text : typeError('isoformat() argument 1 must be a unicode character, not str')
}

function isoDateTime(t: DateTimeValue, separator: string, timespec: string): string {
  return isoDate(t) + separator + isoTime(t, timespec)
}

for (const [name, [parameters, fn]] of Object.entries(shared)) kind.method(name, parameters, fn)
kind.method('isoformat', 'sep=, timespec=', (t, sep, timespec) =>
  isoDateTime(
    t,
    sep === undefined ? 'T' : oneCharacter(wantString(sep, 'isoformat', 'sep')),
    timespec === undefined ? 'auto' : wantString(timespec, 'isoformat', 'timespec'),
  ),
)
kind.method('strftime', 'format', (t, format) => strftime(wantString(format, 'strftime', 'format'), t, t))
kind.method('ctime', '/', (t) => strftime('%a %b %e %H:%M:%S %Y', t, t))
kind.method('date', '/', (t) => new DateValue(t.$year, t.$month, t.$day))
kind.method('time', '/', (t) => new TimeValue(t.$hour, t.$minute, t.$second, t.$microsecond, null, t.$fold))
kind.method('timetz', '/', (t) => new TimeValue(t.$hour, t.$minute, t.$second, t.$microsecond, t.$zone, t.$fold))
kind.method('timetuple', '/', (t) => {
  const { daylight } = zoneFacts(t)
  return timeTuple(t, t, daylight === null ? -1 : Number(microsecondsOf(daylight) !== 0n))
})
kind.method('utctimetuple', '/', (t) => {
  const utc = fromWall(absoluteMicroseconds(t), null)
  return timeTuple(utc, utc, 0)
})
kind.method('timestamp', '/', (t) => float(nearestFloat({ top: absoluteMicroseconds(t) - EPOCH, bottom: 1_000_000n })))
kind.method('utcoffset', '/', (t) => zoneFacts(t).offset)
kind.method('tzname', '/', (t) => zoneFacts(t).name)
kind.method('dst', '/', (t) => zoneFacts(t).daylight)
kind.method('astimezone', 'tz=', (t, tz) => {
  const zone = tz === undefined || tz === null ? UTC : zoneArgument(tz)!
  return zone === t.$zone ? t : fromUtc(absoluteMicroseconds(t), zone)
})
kind.method(
  'replace',
  'year=, month=, day=, hour=, minute=, second=, microsecond=, tzinfo=, *, fold=',
  (t, year, month, day, ...clock) =>
    new DateTimeValue(checkedDate(year ?? t.$year, month ?? t.$month, day ?? t.$day), replacedClock(t, clock)),
)

kind.onClass(
  'now',
  builtin('now', 'tz=', (tz) => present('datetime.now()', zoneArgument(tz))),
)
for (const name of ['today', 'utcnow'])
  kind.onClass(
    name,
    builtin(name, '', () => present(`datetime.${name}()`, null)),
  )
kind.onClass(
  'fromtimestamp',
  builtin('fromtimestamp', 'timestamp, tz=', (s, tz) => fromTimestamp(s, zoneArgument(tz))),
)
kind.onClass(
  'utcfromtimestamp',
  builtin('utcfromtimestamp', 'timestamp, /', (s) => fromTimestamp(s, null)),
)
kind.onClass(
  'fromisoformat',
  builtin('fromisoformat', 'date_string, /', (s) =>
    parseIsoDateTime(wantString(s, 'fromisoformat', 'date_string', 'fromisoformat: argument must be str')),
  ),
)
kind.onClass(
  'strptime',
  builtin('strptime', 'date_string, format, /', (s, format) => {
    const message = (n: number, x: Value | undefined): Said =>
      said`strptime() argument ${n} must be str, not ${typeOf(x!)}`
    return strptime(
      wantString(s, 'strptime', 'date_string', typeof s === 'string' ? undefined : message(1, s)),
      wantString(format, 'strptime', 'format', typeof format === 'string' ? undefined : message(2, format)),
    )
  }),
)
kind.onClass(
  'combine',
  builtin('combine', 'date, time, tzinfo=', (d, t, zone) => {
    if (!(d instanceof DateValue)) return typeError(said`combine() argument 1 must be datetime.date, not ${typeOf(d!)}`)
    if (!(t instanceof TimeValue)) return typeError(said`combine() argument 2 must be datetime.time, not ${typeOf(t!)}`)
    return new DateTimeValue(
      d,
      zone === undefined ? t : replacedClock(t, [undefined, undefined, undefined, undefined, zone]),
    )
  }),
)
const midnight = new TimeValue(0, 0, 0, 0, null)
dateClass.$members.fromtimestamp = builtin('fromtimestamp', 'timestamp, /', (seconds) => {
  const { $year, $month, $day } = fromTimestamp(seconds, null)
  return new DateValue($year, $month, $day)
})
kind.onClass(
  'fromordinal',
  builtin(
    'fromordinal',
    'ordinal, /',
    (n) => new DateTimeValue(dateOf(wantInt(n!, 'fromordinal', 'ordinal')), midnight),
  ),
)
kind.onClass(
  'fromisocalendar',
  builtin(
    'fromisocalendar',
    'year, week, day',
    (y, w, d) =>
      new DateTimeValue(
        isoWeekDate(
          wantInt(y!, 'fromisocalendar', 'year'),
          wantInt(w!, 'fromisocalendar', 'week'),
          wantInt(d!, 'fromisocalendar', 'day'),
        ),
        midnight,
      ),
  ),
)
kind.onClass('min', new DateTimeValue(new DateValue(1, 1, 1), midnight))
kind.onClass('max', new DateTimeValue(new DateValue(9999, 12, 31), new TimeValue(23, 59, 59, 999_999, null)))
kind.onClass('resolution', new Timedelta(0, 0, 1))

export const datetime: Value = kind.value
