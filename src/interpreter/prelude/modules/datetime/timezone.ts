// `tzinfo`, the base of all zones, and `timezone`: fixed offsets from UTC. Zones with a history are in zoneinfo.ts.

import { builtinClass } from '../../classes/known-classes.js'
import { quoted, repr } from '../../text/repr.js'
import { textInside } from '../../values/contents.js'
import { typeError, valueError } from '../../values/errors.js'
import { said, word } from '../../values/said.js'
import { normal, TUPLE, typeName, typeOf, type Value } from '../../values/values.js'
import { register } from '../kinds.js'
import { pad } from './days.js'
import { microsecondsOf, Timedelta } from './timedelta.js'

/** The facts about a zone at a time. A fact is undefined if it depends on the day and there is none. */
export interface ZoneFacts {
  readonly offset: Timedelta | null
  readonly daylight: Timedelta | null
  readonly name: string | null
}

/**
 * A local time in microseconds since the beginning of the year 1. With `fold` 1 it is the second moment with this local
 * time.
 */
export interface WallTime {
  readonly wall: bigint
  readonly fold: number
}

export abstract class Zone {
  /** The facts at a time. Without a time, the constant facts. */
  abstract at(time: WallTime | undefined): ZoneFacts
  abstract fromUtc(microseconds: bigint): WallTime
}

export class TimeZone extends Zone {
  readonly $offset: Timedelta
  readonly $name: string | undefined
  readonly #facts: ZoneFacts
  constructor(offset: Timedelta, name: string | undefined) {
    super()
    this.$offset = offset
    this.$name = name
    this.#facts = { offset, daylight: null, name: zoneName(this) }
  }

  at(): ZoneFacts {
    return this.#facts
  }

  fromUtc(microseconds: bigint): WallTime {
    return { wall: microseconds + microsecondsOf(this.$offset), fold: 0 }
  }
}

const base = register<Zone>({
  name: 'tzinfo',
  type: 'datetime.tzinfo',
  of: Zone,
  base: builtinClass('object'),
  parameters: '',
  make: () => typeError('tzinfo is abstract here: use timezone or zoneinfo.ZoneInfo'),
  attributes: {},
  protocol: {},
})

const LIMIT = 86_400_000_000n

/** `+hh:mm`, with seconds and microseconds if there are any. */
export function offsetText(t: Timedelta, separator: string): string {
  let micros = microsecondsOf(t)
  const sign = micros < 0n ? '-' : '+'
  if (micros < 0n) micros = -micros
  const seconds = Number(micros / 1_000_000n)
  const fraction = Number(micros % 1_000_000n)
  let text = `${sign}${pad(Math.floor(seconds / 3600), 2)}${separator}${pad(Math.floor(seconds / 60) % 60, 2)}`
  if (seconds % 60 !== 0 || fraction !== 0) text += separator + pad(seconds % 60, 2)
  return fraction === 0 ? text : `${text}.${pad(fraction, 6)}`
}

function zoneName(z: TimeZone): string {
  if (z.$name !== undefined) return z.$name
  return microsecondsOf(z.$offset) === 0n ? 'UTC' : `UTC${offsetText(z.$offset, ':')}`
}

export const UTC = new TimeZone(new Timedelta(0, 0, 0), undefined)

/** The zone with a fixed offset. For a zero offset it is UTC itself. */
export function zoneOf(offset: Timedelta): TimeZone {
  return microsecondsOf(offset) === 0n ? UTC : new TimeZone(offset, undefined)
}

const kind = register<TimeZone>({
  name: 'timezone',
  type: 'datetime.timezone',
  of: TimeZone,
  base: base.cls,
  parameters: 'offset, name=',
  make(offset, name) {
    if (!(offset instanceof Timedelta))
      return typeError(said`timezone() argument 1 must be datetime.timedelta, not ${typeOf(offset!)}`)
    const text = textInside(name) ?? name
    if (text !== undefined && typeof text !== 'string')
      return typeError(said`timezone() argument 2 must be str, not ${typeOf(text)}`)
    const micros = microsecondsOf(offset)
    if (micros >= LIMIT || micros <= -LIMIT) {
      valueError(
        said`offset must be a timedelta strictly between -timedelta(hours=24) and timedelta(hours=24), not ${quoted(offset)}.`,
      )
    }
    return text === undefined && micros === 0n ? UTC : new TimeZone(offset, text)
  },
  attributes: {},
  protocol: {
    truth: () => true,
    equals: (x, other) =>
      other instanceof TimeZone ? microsecondsOf((x as TimeZone).$offset) === microsecondsOf(other.$offset) : undefined,
    hashKey: (x) => [TUPLE, 'timezone', normal(microsecondsOf((x as TimeZone).$offset))],
    str: (x) => zoneName(x as TimeZone),
    repr(x) {
      const z = x as TimeZone
      if (z === UTC) return 'datetime.timezone.utc'
      return `datetime.timezone(${repr(z.$offset)}${z.$name === undefined ? '' : `, ${repr(z.$name)}`})`
    },
  },
})
/** Fails unless the argument is a datetime or None. */
function checkedMoment(x: Value | undefined, name: string): void {
  if (x !== null && typeName(x!) !== 'datetime.datetime')
    typeError(said`${word(name)}(dt) argument must be a datetime instance or None, not ${typeOf(x!)}`)
}
const asked: Readonly<Record<string, (z: TimeZone) => Value>> = {
  utcoffset: (z) => z.$offset,
  tzname: zoneName,
  dst: () => null,
}
for (const [name, answer] of Object.entries(asked)) {
  kind.method(name, 'dt, /', (z, dt) => {
    checkedMoment(dt, name)
    return answer(z)
  })
}
kind.onClass('utc', UTC)
kind.onClass('min', new TimeZone(new Timedelta(-1, 60, 0), undefined))
kind.onClass('max', new TimeZone(new Timedelta(0, 86_340, 0), undefined))

export const tzinfo: Value = base.value
export const timezone: Value = kind.value
