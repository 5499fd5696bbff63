// The module `zoneinfo`, from the host's tables. The transitions of a zone in a year are requested once.

import { wantString } from '../calls/expect.js'
import { builtin } from '../calls/signature.js'
import { classIn } from '../classes/classes.js'
import { exceptionClasses } from '../classes/exceptions.js'
import { setOf } from '../containers/set.js'
import { hostLookUp } from '../host/sandbox-functions.js'
import { repr } from '../text/repr.js'
import { guestError, typeError } from '../values/errors.js'
import { asName, said } from '../values/said.js'
import { typeOf, type Value } from '../values/values.js'
import { fromOrdinal, toOrdinal } from './datetime/days.js'
import { DateTimeValue, wallMicroseconds, zoneFacts } from './datetime/moments.js'
import { fromMicroseconds } from './datetime/timedelta.js'
import { tzinfo, type WallTime, Zone, type ZoneFacts } from './datetime/timezone.js'
import { register } from './kinds.js'
import { type Module, module } from './module.js'

/** A span in which a zone has a single offset. It begins at a moment in seconds since 1970. */
interface Span extends ZoneFacts {
  readonly from: number
  readonly seconds: number
}

const DAY = 86_400
const EPOCH_DAYS = toOrdinal(1970, 1, 1)
const MICROSECONDS = 1_000_000n

const zones = new Map<string, ZoneInfo>()

class ZoneInfo extends Zone {
  readonly $key: string
  readonly #spans = new Map<number, readonly Span[]>()
  constructor(key: string) {
    super()
    this.$key = key
  }

  at(time: WallTime | undefined): ZoneFacts {
    if (time !== undefined) return this.#spanAt(secondsOf(time.wall), time.fold)
    const [always, ...others] = this.#spansNear(0)
    return others.length === 0 && !this.$key.includes('/') ? always! : { offset: null, daylight: null, name: null }
  }

  fromUtc(microseconds: bigint): WallTime {
    const seconds = secondsOf(microseconds)
    const spans = this.#spansNear(seconds)
    const i = spans.findLastIndex(({ from }) => from <= seconds)
    const span = spans[Math.max(i, 0)]!
    const back = i > 0 ? spans[i - 1]!.seconds - span.seconds : 0
    const fold = back > seconds - span.from ? 1 : 0
    return { wall: microseconds + BigInt(span.seconds) * MICROSECONDS, fold }
  }

  // A clock that is set forward skips some times. They count as times before the change, or with `fold` 1 as times
  // after it.
  #spanAt(seconds: number, fold: number): Span {
    const spans = this.#spansNear(seconds)
    for (let i = spans.length - 1; i > 0; i--) {
      const [before, span] = [spans[i - 1]!.seconds, spans[i]!]
      const change = fold === 1 ? Math.min(before, span.seconds) : Math.max(before, span.seconds)
      if (seconds >= span.from + change) return span
    }
    return spans[0]!
  }

  #spansNear(seconds: number): readonly Span[] {
    const { year } = fromOrdinal(Math.min(Math.max(Math.floor(seconds / DAY) + EPOCH_DAYS, 1), 3_652_059))
    let spans = this.#spans.get(year)
    if (spans === undefined) {
      const answer = hostLookUp(['zone', this.$key, year]) as [
        fromMs: number,
        offset: number,
        daylight: number,
        name: string,
      ][]
      spans = answer.map(([fromMs, offset, daylight, name]) => ({
        from: fromMs / 1000,
        seconds: offset,
        offset: fromMicroseconds(BigInt(offset) * MICROSECONDS),
        daylight: fromMicroseconds(BigInt(daylight) * MICROSECONDS),
        name,
      }))
      this.#spans.set(year, spans)
    }
    return spans
  }
}

/** Seconds since 1970, from microseconds since the beginning of the year 1. */
function secondsOf(microseconds: bigint): number {
  return Number(microseconds / MICROSECONDS) - EPOCH_DAYS * DAY
}

const kind = register<ZoneInfo>({
  name: 'ZoneInfo',
  type: 'zoneinfo.ZoneInfo',
  of: ZoneInfo,
  base: classIn(tzinfo)!,
  parameters: 'key',
  make(key0) {
    const key = wantString(key0, 'ZoneInfo', 'key')
    const known = zones.get(key)
    if (known !== undefined) return known
    if (hostLookUp(['is zone', key]) !== true) {
      throw guestError('ZoneInfoNotFoundError', said`No time zone found with key ${asName(key)}`, {
        args: [`No time zone found with key ${key}`],
      })
    }
    const zone = new ZoneInfo(key)
    zones.set(key, zone)
    return zone
  },
  attributes: { key: (z) => z.$key },
  protocol: {
    truth: () => true,
    str: (x) => (x as ZoneInfo).$key,
    repr: (x) => `zoneinfo.ZoneInfo(key=${repr((x as ZoneInfo).$key)})`,
  },
})

function factsFor(zone: ZoneInfo, dt: Value): ZoneFacts {
  if (dt === null) return zone.at(undefined)
  if (!(dt instanceof DateTimeValue))
    return typeError(said`tzinfo argument must be None or of a datetime, not ${typeOf(dt)}`)
  return dt.$zone === zone ? zoneFacts(dt) : zone.at({ wall: wallMicroseconds(dt), fold: dt.$fold })
}
kind.method('utcoffset', 'dt, /', (z, dt) => factsFor(z, dt!).offset)
kind.method('tzname', 'dt, /', (z, dt) => factsFor(z, dt!).name)
kind.method('dst', 'dt, /', (z, dt) => factsFor(z, dt!).daylight)

export const zoneinfo: Module = module('zoneinfo', {
  ZoneInfo: kind.value,
  ZoneInfoNotFoundError: exceptionClasses.ZoneInfoNotFoundError!,
  available_timezones: builtin('available_timezones', '', () => setOf(hostLookUp(['zones']) as string[])),
})
