// The module `datetime`.

import { date } from './datetime/date.js'
import { datetime as datetimeClass } from './datetime/datetime.js'
import { time } from './datetime/time.js'
import { timedelta } from './datetime/timedelta.js'
import { timezone, tzinfo, UTC } from './datetime/timezone.js'
import { type Module, module } from './module.js'

export const datetime: Module = module('datetime', {
  date,
  datetime: datetimeClass,
  time,
  timedelta,
  timezone,
  tzinfo,
  UTC,
  MINYEAR: 1,
  MAXYEAR: 9999,
})
