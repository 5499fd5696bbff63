// The module `email.utils`: addresses and dates of mail as text. Nothing of it makes identities.

import { wantString } from '../calls/expect.js'
import { builtin, call } from '../calls/signature.js'
import { attribute, callAttribute } from '../classes/attributes.js'
import { items } from '../containers/iterate.js'
import { truth } from '../operators/membership.js'
import { encodeText } from '../text/codecs.js'
import { str } from '../text/repr.js'
import { typeError, valueError } from '../values/errors.js'
import { inQuotes, said } from '../values/said.js'
import { type Bytes, type Tuple, tuple, typeOf, type Value } from '../values/values.js'
import { encodeBits } from './base64.js'
import { datetime } from './datetime/datetime.js'
import { MONTHS, pad, WEEKDAYS, weekdayOf } from './datetime/days.js'
import { checkedDate, checkedTime, DateTimeValue, ordinalOf, zoneFacts } from './datetime/moments.js'
import { present } from './datetime/present.js'
import { microsecondsOf, Timedelta } from './datetime/timedelta.js'
import { offsetText, TimeZone, UTC, zoneOf } from './datetime/timezone.js'
import { type Module, module } from './module.js'

// ---- addresses -------------------------------------------------------------------------------------------------

const PART =
  /\s*(?:"((?:[^"\\]|\\[\s\S])*)"?|\(((?:[^()\\]|\\[\s\S]|\([^()]*\))*)\)?|<([^>]*)>?|([,;:])|((?:[^\s"(<,;:\\]|\\[\s\S])+))/y
const unescaped = (text: string): string => text.replace(/\\([\s\S])/g, '$1')

class Address {
  readonly words: string[] = []
  readonly comments: string[] = []
  route: string | undefined

  pair(): Value {
    const comment = this.comments.join(' ')
    if (this.route !== undefined) {
      const name = this.words.join(' ')
      return tuple([comment === '' ? name : name === '' ? comment : `${name} (${comment})`, this.route])
    }
    // Without angle brackets the words are the address, or its first one is.
    const whole = this.words.join('')
    return tuple([comment, whole.includes('@') ? whole : (this.words[0] ?? '')])
  }
}

function readAddresses(text: string): Value[] {
  const found: Value[] = []
  let address = new Address()
  PART.lastIndex = 0
  for (let part = PART.exec(text); part !== null; part = PART.exec(text)) {
    const [, quoted, comment, route, sign, word] = part
    if (quoted !== undefined) address.words.push(unescaped(quoted))
    else if (comment !== undefined) address.comments.push(unescaped(comment))
    else if (route !== undefined) address.route = route.replace(/\s/g, '')
    else if (word !== undefined) address.words.push(word)
    else {
      // What stands before a colon is the name of a group.
      if (sign !== ':') found.push(address.pair())
      address = new Address()
    }
  }
  const last = address.pair() as Tuple
  return last[1] === '' && last[2] === '' ? found : [...found, last]
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** A name that is not ASCII as the word that stands for it in a header, in the shorter of its two forms. */
function encodedWord(name: string): string {
  const { b } = encodeText(name, 'utf-8', 'strict') as Bytes
  const spelled = Array.from(b, (byte) => {
    const c = String.fromCharCode(byte)
    if (/[-!*+/\w]/.test(c) && c !== '_') return c
    return c === ' ' ? '_' : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }).join('')
  const bits = encodeBits(b, LETTERS, 6, 4)
  return bits.length < spelled.length ? `=?utf-8?b?${bits}?=` : `=?utf-8?q?${spelled}?=`
}

function addressText(name: string, address: string): string {
  if (name === '') return address
  if (/[^\u0000-\u007f]/.test(name)) return `${encodedWord(name)} <${address}>`
  const quotes = /[[\]\\()<>@,:;".]/.test(name) ? '"' : ''
  return `${quotes}${name.replace(/[\\"]/g, '\\$&')}${quotes} <${address}>`
}

// ---- dates -----------------------------------------------------------------------------------------------------

const DATE =
  /^\s*(?:[A-Za-z]+\s*,?\s+|[A-Za-z]+,)?(\d{1,2})[\s-]+([A-Za-z]{3})[A-Za-z]*[\s-]+(\d{2,4})\s+(\d{1,2})[:.](\d{1,2})(?:[:.](\d{1,2}))?(?:\s+([^\s(]+))?/
const HOURS: Readonly<Record<string, number>> = {
  UT: 0,
  UTC: 0,
  GMT: 0,
  Z: 0,
  AST: -4,
  ADT: -3,
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
}

/** Seconds east of UTC; undefined where nothing is said, or `-0000`. */
function offsetSeconds(zone: string): number | undefined {
  const named = HOURS[zone.toUpperCase()]
  if (named !== undefined) return named * 3600
  const [, sign, hours, minutes] = /^([+-])(\d{2})(\d{2})$/.exec(zone) ?? []
  if (sign === undefined || zone === '-0000') return undefined
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60)
}

function readDate(text: string): Value {
  const [, day, monthName, yearText, hour, minute, second = '0', zone = ''] = DATE.exec(text) ?? []
  const month = MONTHS.findIndex((m) => m.slice(0, 3).toLowerCase() === monthName?.toLowerCase()) + 1
  if (month === 0) return valueError(said`Invalid date value or format ${inQuotes(text, '"')}`)
  let year = Number(yearText)
  if (year < 100) year += year > 68 ? 1900 : 2000
  const seconds = offsetSeconds(zone)
  const at =
    seconds === undefined
      ? null
      : zoneOf(new Timedelta(Math.floor(seconds / 86400), ((seconds % 86400) + 86400) % 86400, 0))
  const clock = checkedTime([hour, minute, second, '0'].map(Number), at, 0)
  return new DateTimeValue(checkedDate(year, month, Number(day)), clock)
}

function dateText(x: Value, usesGmt: boolean): string {
  if (!(x instanceof DateTimeValue)) return typeError(said`want a datetime, got ${typeOf(x)}`)
  const { offset } = zoneFacts(x)
  const isUtc = x.$zone instanceof TimeZone && microsecondsOf(x.$zone.$offset) === 0n
  if (usesGmt && !isUtc) valueError('usegmt option requires a UTC datetime')
  const zone = usesGmt ? 'GMT' : offset === null ? '-0000' : offsetText(offset, '')
  const day = `${WEEKDAYS[weekdayOf(ordinalOf(x))]!.slice(0, 3)}, ${pad(x.$day, 2)} ${MONTHS[x.$month - 1]!.slice(0, 3)}`
  return `${day} ${pad(x.$year, 4)} ${pad(x.$hour, 2)}:${pad(x.$minute, 2)}:${pad(x.$second, 2)} ${zone}`
}

export const emailUtils: Module = module('email.utils', {
  formatdate: builtin('formatdate', 'timeval=, localtime=, usegmt=', (at, local, gmt) => {
    const usesGmt = gmt !== undefined && truth(gmt)
    const zone = usesGmt || (local !== undefined && truth(local)) ? UTC : null
    const isNow = at === undefined || at === null
    const day = isNow
      ? present('email.utils.formatdate()', zone)
      : call(attribute(datetime, 'fromtimestamp'), [at, zone])
    return dateText(day, usesGmt)
  }),
  localtime: builtin('localtime', 'dt=', (dt) =>
    dt instanceof DateTimeValue ? callAttribute(dt, 'astimezone', [UTC]) : present('email.utils.localtime()', UTC),
  ),
  parseaddr: builtin('parseaddr', 'addr', (text) => {
    const [first] = readAddresses(wantString(text, 'parseaddr', 'addr'))
    return first ?? tuple(['', ''])
  }),
  getaddresses: builtin('getaddresses', 'fieldvalues', (values) => readAddresses(items(values!).map(str).join(', '))),
  formataddr: builtin('formataddr', 'pair, charset=', (pair) => {
    const [name, address] = items(pair!)
    return addressText(
      name === null ? '' : wantString(name, 'formataddr', 'pair'),
      wantString(address, 'formataddr', 'pair'),
    )
  }),
  parsedate_to_datetime: builtin('parsedate_to_datetime', 'data', (text) =>
    readDate(wantString(text, 'parsedate_to_datetime', 'data')),
  ),
  format_datetime: builtin('format_datetime', 'dt, usegmt=', (x, gmt) => dateText(x!, gmt !== undefined && truth(gmt))),
})

export const email: Module = module('email', { utils: emailUtils })
