// The history of time zones, derived from ICU. ICU gives only the local time of a moment; the moments at which an
// offset changes are searched for.

/** A time in which a zone has one offset. Seconds east of UTC. */
export type Span = readonly [fromMs: number, offset: number, daylight: number, name: string]

const DAY_MS = 86_400_000
/** The step of the search in a year. Within a step no offset changes and changes back. */
const STEP_MS = 5 * DAY_MS

const formats = new Map<string, { readonly clock: Intl.DateTimeFormat; readonly long: Intl.DateTimeFormat }>()
const KEPT = 12

/** The languages in which ICU has abbreviations, by the beginning of the zone's name. */
const ABBREVIATING: readonly (readonly [area: RegExp, language: string])[] = [
  [/^(?:America\/St_Johns|Canada)/, 'en-CA'],
  [/^(?:America|US|Pacific\/Honolulu|Etc|UTC|[A-Z]{3})/, 'en-US'],
  [/^Europe\/Dublin/, 'en-IE'],
  [/^(?:Europe|Africa|Atlantic|Arctic|GB|Asia\/(?:Beirut|Nicosia|Damascus|Amman))/, 'en-GB'],
  [/^Africa/, 'en-ZA'],
  [/^(?:Australia|Antarctica\/Macquarie)\/(?!Lord_Howe|LHI|Eucla)/, 'en-AU'],
  [/^(?:Pacific\/Auckland|NZ|Antarctica\/McMurdo)$/, 'en-NZ'],
  [/^(?:Asia\/Tokyo|Japan)$/, 'ja'],
]
/** Abbreviations that ICU has in no language. If there are two, the second is that of summer. */
const ABBREVIATIONS: Readonly<Record<string, readonly [string, string?]>> = {
  'America/Hermosillo': ['MST'],
  'America/Havana': ['CST', 'CDT'],
  'Asia/Calcutta': ['IST'],
  'Asia/Kolkata': ['IST'],
  'Asia/Hong_Kong': ['HKT', 'HKST'],
  'Asia/Jakarta': ['WIB'],
  'Asia/Jerusalem': ['IST', 'IDT'],
  'Asia/Karachi': ['PKT'],
  'Asia/Manila': ['PST'],
  'Asia/Seoul': ['KST', 'KDT'],
  'Asia/Shanghai': ['CST'],
  'Europe/Moscow': ['MSK', 'MSD'],
  'Pacific/Guam': ['ChST'],
  'Pacific/Honolulu': ['HST'],
  'Pacific/Pago_Pago': ['SST'],
}
/** ICU has no names before this; an earlier time gets the name of a later one with the same offset. */
const NAMED_SINCE = Date.UTC(1972, 0)
const LATER = [Date.UTC(1999, 0), Date.UTC(1999, 6)]

/** Is it a zone, spelled as in the database, with capitals? */
export function isZone(name: string): boolean {
  if (!/^(?:[A-Z][\w+-]*\/)*[A-Z][\w+-]*$/.test(name)) return false
  try {
    formatsOf(name)
    return true
  } catch {
    return false
  }
}

export function zoneNames(): readonly string[] {
  return Intl.supportedValuesOf('timeZone')
}

/** The spans of a zone in a year of its local time and two days around it. The first span began earlier. */
export function spansOf(zone: string, year: number): readonly Span[] {
  const begin = startOf(year) - 2 * DAY_MS
  const end = startOf(year + 1) + 2 * DAY_MS
  const { long, clock } = formatsOf(zone)
  const changes = [begin]
  let before = offsetAt(clock, begin)
  for (let at = begin; at < end; at += STEP_MS) {
    const after = offsetAt(clock, at + STEP_MS)
    if (after === before) continue
    changes.push(changeBetween(clock, at, at + STEP_MS))
    before = after
  }
  const spans = changes.map((from) => {
    const offset = offsetAt(clock, from)
    const namedAt = from >= NAMED_SINCE ? from : (LATER.find((later) => offsetAt(clock, later) === offset) ?? from)
    return { from, offset, namedAt, isDaylight: /Summer|Daylight/.test(nameIn(long, namedAt)) }
  })
  return spans.map(({ from, offset, namedAt, isDaylight }, i) => {
    const standard = isDaylight ? (spans[i - 1] ?? spans[i + 1]) : undefined
    const daylight = standard === undefined ? (isDaylight ? 3600 : 0) : offset - standard.offset
    return [from, offset, daylight, abbreviation(zone, namedAt, offset, isDaylight)]
  })
}

function formatsOf(timeZone: string) {
  let known = formats.get(timeZone)
  if (known === undefined) {
    known = {
      clock: new Intl.DateTimeFormat('en-US', {
        timeZone,
        hourCycle: 'h23',
        era: 'short',
        year: 'numeric',
        month: 'numeric',
        day: 'numeric',
        hour: 'numeric',
        minute: 'numeric',
        second: 'numeric',
      }),
      long: new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'long' }),
    }
    if (formats.size >= KEPT) formats.clear()
    formats.set(timeZone, known)
  }
  return known
}

/** Midnight of a year's first day in UTC. */
function startOf(year: number): number {
  return new Date(0).setUTCFullYear(year, 0, 1)
}

/** The number of seconds by which the zone's clock is ahead of UTC. */
function offsetAt(clock: Intl.DateTimeFormat, ms: number): number {
  const parts = Object.fromEntries(clock.formatToParts(ms).map(({ type, value }) => [type, value]))
  const year = parts.era === 'BC' ? 1 - Number(parts.year) : Number(parts.year)
  const shown = new Date(0)
  shown.setUTCFullYear(year, Number(parts.month) - 1, Number(parts.day))
  shown.setUTCHours(Number(parts.hour), Number(parts.minute), Number(parts.second))
  return Math.round((shown.getTime() - ms) / 1000)
}

/** The first moment, to the second, at which the clock is as far ahead as at `late`. */
function changeBetween(clock: Intl.DateTimeFormat, early: number, late: number): number {
  const offset = offsetAt(clock, late)
  let [before, after] = [early, late]
  while (after - before > 1000) {
    const middle = before + Math.floor((after - before) / 2000) * 1000
    if (offsetAt(clock, middle) === offset) after = middle
    else before = middle
  }
  return after
}

function nameIn(format: Intl.DateTimeFormat, ms: number): string {
  return format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? ''
}

/** The abbreviation as in the database: letters if any are in use, else the offset. */
function abbreviation(timeZone: string, ms: number, offset: number, isDaylight: boolean): string {
  if (/^(?:Etc\/)?(?:GMT|Greenwich)/.test(timeZone) && offset === 0) return 'GMT'
  const { timeZone: canonical } = formatsOf(timeZone).clock.resolvedOptions()
  const known = ABBREVIATIONS[canonical]
  if (known !== undefined) return (isDaylight ? known[1] : undefined) ?? known[0]
  for (const [area, language] of ABBREVIATING) {
    if (!area.test(timeZone)) continue
    const name = nameIn(new Intl.DateTimeFormat(language, { timeZone, timeZoneName: 'short' }), ms)
    if (/^[A-Z]{2,5}$/.test(name)) return name
  }
  const minutes = Math.round(Math.abs(offset) / 60)
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'))
  return `${offset < 0 ? '-' : '+'}${hour}${minute === '00' ? '' : minute}`
}
