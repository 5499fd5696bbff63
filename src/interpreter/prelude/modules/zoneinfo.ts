// The module `zoneinfo` without its database: UTC by its names. Other zones say what to use instead.

import { wantString } from '../calls/expect.js'
import { builtin } from '../calls/signature.js'
import { classIn } from '../classes/classes.js'
import { exceptionClasses } from '../classes/exceptions.js'
import { setOf } from '../containers/set.js'
import { guestError } from '../values/errors.js'
import { asName, said } from '../values/said.js'
import { quote } from '../values/string-literals.js'
import { TimeZone, tzinfo, UTC } from './datetime/timezone.js'
import { register } from './kinds.js'
import { type Module, module } from './module.js'

class ZoneInfo extends TimeZone {}

const names = new Set(['UTC', 'Etc/UTC', 'GMT', 'Etc/GMT', 'Zulu'])
const zones = new Map<string, ZoneInfo>()
const nameOf = (z: TimeZone): string => z.$name!

const kind = register<ZoneInfo>({
  name: 'ZoneInfo',
  type: 'zoneinfo.ZoneInfo',
  of: ZoneInfo,
  base: classIn(tzinfo)!,
  parameters: 'key',
  make(key) {
    const name = wantString(key, 'ZoneInfo', 'key')
    if (!names.has(name)) {
      throw guestError('KeyError', said`No time zone found with key ${asName(name)}`, {
        args: [`No time zone found with key ${name}`],
        hint: 'there is no database of time zones here: use datetime.timezone(timedelta(hours=…))',
      })
    }
    const zone = zones.get(name) ?? new ZoneInfo(UTC.$offset, name)
    zones.set(name, zone)
    return zone
  },
  attributes: { key: nameOf },
  protocol: {
    truth: () => true,
    str: (x) => nameOf(x as ZoneInfo),
    repr: (x) => `zoneinfo.ZoneInfo(key=${quote(nameOf(x as ZoneInfo))})`,
  },
})
kind.method('utcoffset', 'dt, /', (z) => z.$offset)
kind.method('tzname', 'dt, /', (z) => nameOf(z).replace(/^Etc\/|^Zulu$/, (m) => (m === 'Zulu' ? 'UTC' : '')))
kind.method('dst', 'dt, /', (z) => z.$offset)

export const zoneinfo: Module = module('zoneinfo', {
  ZoneInfo: kind.value,
  ZoneInfoNotFoundError: exceptionClasses.KeyError!,
  available_timezones: builtin('available_timezones', '', () => setOf([...names])),
})
