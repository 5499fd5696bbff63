// `time`.

import { wantString } from '../../calls/expect.js'
import { builtin } from '../../calls/signature.js'
import { builtinClass } from '../../classes/known-classes.js'
import { repr } from '../../text/repr.js'
import { typeError } from '../../values/errors.js'
import { TUPLE, type Value } from '../../values/values.js'
import { answer, register } from '../kinds.js'
import { isoTime, strftime } from './format.js'
import { type Clock, checkedTime, comparableClock, TimeValue, zoneFacts } from './moments.js'
import { parseIsoTime } from './parse.js'
import { Timedelta } from './timedelta.js'

export const clockAttributes: Readonly<Record<string, (t: Clock) => Value>> = {
  hour: (t) => t.$hour,
  minute: (t) => t.$minute,
  second: (t) => t.$second,
  microsecond: (t) => t.$microsecond,
  tzinfo: (t) => t.$zone,
  fold: (t) => t.$fold,
}

/** The parts of a time as a constructor call shows them. */
export function clockParts(t: Clock): string {
  let text = `${t.$hour}, ${t.$minute}`
  if (t.$second !== 0 || t.$microsecond !== 0) text += `, ${t.$second}`
  if (t.$microsecond !== 0) text += `, ${t.$microsecond}`
  if (t.$fold !== 0) text += `, fold=${t.$fold}`
  return t.$zone === null ? text : `${text}, tzinfo=${repr(t.$zone)}`
}

export function replacedClock(
  t: Clock,
  [hour, minute, second, microsecond, zone, fold]: readonly (Value | undefined)[],
): TimeValue {
  const or = (x: Value | undefined, own: Value): Value => (x === undefined ? own : x)
  return checkedTime(
    [or(hour, t.$hour), or(minute, t.$minute), or(second, t.$second), or(microsecond, t.$microsecond)],
    zone === undefined ? t.$zone : zone,
    or(fold, t.$fold),
  )
}

function isNaive(t: TimeValue): boolean {
  return zoneFacts(t).offset === null
}

const kind = register<TimeValue>({
  name: 'time',
  type: 'datetime.time',
  of: TimeValue,
  base: builtinClass('object'),
  parameters: 'hour=, minute=, second=, microsecond=, tzinfo=, *, fold=',
  make: (hour, minute, second, microsecond, zone, fold) => checkedTime([hour, minute, second, microsecond], zone, fold),
  attributes: clockAttributes,
  protocol: {
    truth: () => true,
    equals: (x, other) =>
      other instanceof TimeValue
        ? isNaive(x as TimeValue) === isNaive(other) && comparableClock(x as TimeValue) === comparableClock(other)
        : undefined,
    order: (x, other, operator) => {
      if (!(other instanceof TimeValue)) return undefined
      const t = x as TimeValue
      if (isNaive(t) !== isNaive(other)) typeError("can't compare offset-naive and offset-aware times")
      return answer(comparableClock(t) - comparableClock(other), operator)
    },
    hashKey: (x) => [TUPLE, 'time', isNaive(x as TimeValue), comparableClock(x as TimeValue)],
    str: (x) => isoTime(x as TimeValue, 'auto'),
    repr: (x) => `datetime.time(${clockParts(x as TimeValue)})`,
    format: (x, spec) => (spec === '' ? undefined : strftime(spec, undefined, x as TimeValue)),
  },
})

kind.method('isoformat', 'timespec=', (t, timespec) =>
  isoTime(t, timespec === undefined ? 'auto' : wantString(timespec, 'isoformat', 'timespec')),
)
kind.method('strftime', 'format', (t, format) => strftime(wantString(format, 'strftime', 'format'), undefined, t))
kind.method('replace', 'hour=, minute=, second=, microsecond=, tzinfo=, *, fold=', (t, ...parts) =>
  replacedClock(t, parts),
)
kind.method('utcoffset', '/', (t) => zoneFacts(t).offset)
kind.method('tzname', '/', (t) => zoneFacts(t).name)
kind.method('dst', '/', (t) => zoneFacts(t).daylight)
kind.onClass(
  'fromisoformat',
  builtin('fromisoformat', 'time_string, /', (s) =>
    parseIsoTime(wantString(s, 'fromisoformat', 'time_string', 'fromisoformat: argument must be str')),
  ),
)
kind.onClass('min', new TimeValue(0, 0, 0, 0, null))
kind.onClass('max', new TimeValue(23, 59, 59, 999_999, null))
kind.onClass('resolution', new Timedelta(0, 0, 1))

export const time: Value = kind.value
