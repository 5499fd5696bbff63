// `Intl`, and the methods of numbers, dates and texts that depend on a language. The engine has no locale data, so the
// host's data is queried (locales/ has the permitted queries). The default locale is `en-US` and the default time zone
// UTC: no result depends on the host's settings. Invariant: the texts are those of the host's runtime with the settings
// `en-US` and UTC.

import { compareAscii } from './collation.js'
import { rangeError, typeError } from './errors.js'
import { askTables } from './host.js'
import { type Said, Shown, said, shown, spelled, word } from './said.js'
import { present } from './world.js'

type Options = Readonly<Record<string, unknown>>

/** The maximum length of a query in characters; sandbox/lookups.ts has the same figure. */
const LONGEST_QUESTION = 100_000

const { parse, stringify } = JSON
const UnitedStates = 'en-US'

/** Queries the host's tables. `values`: the texts of the program that the message of a failure may repeat. */
function ask(question: unknown, values: readonly unknown[]): unknown {
  const text = stringify(['format', question])
  if (text.length > LONGEST_QUESTION) throw rangeError('the text is too long to be formatted for a language')
  const answer = askTables(text)
  const rest = answer.slice(1)
  if (answer[0] === '=') return rest === '' ? undefined : parse(rest)
  const [name, message] = parse(rest) as [string, string]
  const words = wordsWith(message, values)
  throw name === 'RangeError' ? rangeError(words) : typeError(words)
}

/** A host name in Punycode; empty if it is invalid. */
export function asciiHost(host: string): string {
  return ask({ method: 'asciiHost', args: [host] }, [host]) as string
}

/** The words of the host's runtime, with the program's values marked. */
function wordsWith(message: string, values: readonly unknown[]): Said {
  for (const value of values) {
    const at = typeof value === 'string' && value !== '' ? message.indexOf(value) : -1
    if (at < 0) continue
    const end = at + (value as string).length
    return said`${word(message.slice(0, at))}${spelled(value as string)}${word(message.slice(end))}`
  }
  const isOurs =
    /^(?:Incorrect locale information provided|[\w ]+ value is out of range\.?|Invalid time value|[\w ]+ is required with \w+ style\.?|Can't set option \w+ when \w+ is used|Intl\.\w+ \w+ not a constructor|Invalid option : \w+)$/
  return isOurs.test(message) ? said`${word(message)}` : said`${new Shown(message, 'engine', message)}`
}

/** A value in the form in which it crosses to the host: JSON, with forms for values that JSON can't express. */
function crossing(value: unknown): unknown {
  if (typeof value === 'bigint') return { integer: `${value}` }
  if (typeof value === 'number')
    return Number.isFinite(value) && !Object.is(value, -0)
      ? value
      : { number: `${Object.is(value, -0) ? '-0' : value}` }
  if (value === undefined) return { number: 'NaN' }
  return Array.isArray(value) ? value.map(crossing) : value
}

function localesOf(locales: unknown): string | readonly string[] {
  if (locales === undefined) return UnitedStates
  if (typeof locales === 'string') return locales
  if (locales === null) throw typeError('Cannot convert undefined or null to object')
  const list = Array.isArray(locales) ? (locales as unknown[]) : locales instanceof Locale ? [locales] : []
  for (const one of list)
    if (typeof one !== 'string' && !(one instanceof Locale)) throw typeError('Language ID should be string or object.')
  return list.length === 0 ? UnitedStates : list.map(String)
}

function optionsOf(options: unknown): Options {
  if (options === undefined) return {}
  if (options === null) throw typeError('Cannot convert undefined or null to object')
  const read: Record<string, unknown> = {}
  if (typeof options !== 'object') return read
  for (const name in options) {
    const value = (options as Options)[name]
    if (value !== undefined)
      read[name] = typeof value === 'object' || typeof value === 'symbol' ? `${String(value)}` : crossing(value)
  }
  return read
}

interface Asked {
  readonly kind: string
  readonly locales: string | readonly string[]
  readonly options: Options
}

function askFormatter({ kind, locales, options }: Asked, method?: string, args: readonly unknown[] = []): unknown {
  const texts = [...args.flat(), ...Object.values(options), ...(Array.isArray(locales) ? locales : [locales])]
  const values = texts.filter((one) => typeof one === 'string')
  return ask({ kind, locales, options, ...(method === undefined ? {} : { method, args: args.map(crossing) }) }, values)
}

/** An object of `Intl`: its arguments, and the options that the host resolved them to. */
abstract class Formatter {
  readonly #asked: Asked
  readonly #resolved: object

  constructor(kind: string, locales: unknown, options: Options) {
    this.#asked = { kind, locales: localesOf(locales), options }
    this.#resolved = askFormatter(this.#asked) as object
  }

  protected ask(method: string, ...args: readonly unknown[]): unknown {
    return askFormatter(this.#asked, method, args)
  }

  resolvedOptions(): object {
    return { ...this.#resolved }
  }
}

/** Gives an object a function of its own that needs no `this`, as the language requires. */
function bind(object: object, name: string, value: (...args: never[]) => unknown): void {
  Object.defineProperty(object, name, { value, enumerable: false })
}

function numeric(value: unknown): unknown {
  if (typeof value === 'bigint' || typeof value === 'string') return value
  return typeof value === 'object' && value !== null ? Number(value) : Number(value as number)
}

class NumberFormat extends Formatter {
  declare readonly format: (value: unknown) => string
  constructor(locales?: unknown, options?: unknown) {
    super('NumberFormat', locales, optionsOf(options))
    bind(this, 'format', (value: unknown) => this.ask('format', numeric(value)))
  }
  formatToParts(value: unknown): unknown {
    return this.ask('formatToParts', numeric(value))
  }
  formatRange(start: unknown, end: unknown): unknown {
    return this.ask('formatRange', numeric(start), numeric(end))
  }
  formatRangeToParts(start: unknown, end: unknown): unknown {
    return this.ask('formatRangeToParts', numeric(start), numeric(end))
  }
}

function momentOf(date: unknown): number {
  const at = date === undefined ? present() : date
  if (at === undefined) throw typeError('there is no clock: give format an explicit date')
  const ms = Number(at)
  if (Number.isNaN(new Date(ms).getTime())) throw rangeError('Invalid time value')
  return ms
}

/** Options with the time zone UTC, unless the program names another. */
function zoned(options: Options): Options {
  return { timeZone: 'UTC', ...options }
}

class DateTimeFormat extends Formatter {
  declare readonly format: (date?: unknown) => string
  constructor(locales?: unknown, options?: unknown) {
    super('DateTimeFormat', locales, zoned(optionsOf(options)))
    bind(this, 'format', (date?: unknown) => this.ask('format', momentOf(date)))
  }
  formatToParts(date?: unknown): unknown {
    return this.ask('formatToParts', momentOf(date))
  }
  formatRange(start: unknown, end: unknown): unknown {
    return this.ask('formatRange', momentOf(start), momentOf(end))
  }
  formatRangeToParts(start: unknown, end: unknown): unknown {
    return this.ask('formatRangeToParts', momentOf(start), momentOf(end))
  }
}

class Collator extends Formatter {
  declare readonly compare: (a: unknown, b: unknown) => number
  constructor(locales?: unknown, options?: unknown) {
    const given = optionsOf(options)
    super('Collator', locales, given)
    bind(this, 'compare', (a: unknown, b: unknown) => compareTexts(String(a), String(b), locales, given))
  }
}

class ListFormat extends Formatter {
  constructor(locales?: unknown, options?: unknown) {
    super('ListFormat', locales, optionsOf(options))
  }
  format(list: Iterable<string> = []): unknown {
    return this.ask('format', textsOf(list))
  }
  formatToParts(list: Iterable<string> = []): unknown {
    return this.ask('formatToParts', textsOf(list))
  }
}

function textsOf(list: Iterable<unknown>): readonly unknown[] {
  const texts = [...list]
  for (const one of texts)
    if (typeof one !== 'string') throw typeError(said`Iterable yielded ${shown(one)} which is not a string`)
  return texts
}

class PluralRules extends Formatter {
  constructor(locales?: unknown, options?: unknown) {
    super('PluralRules', locales, optionsOf(options))
  }
  select(value: unknown): unknown {
    return this.ask('select', Number(value))
  }
  selectRange(start: unknown, end: unknown): unknown {
    return this.ask('selectRange', Number(start), Number(end))
  }
}

class RelativeTimeFormat extends Formatter {
  constructor(locales?: unknown, options?: unknown) {
    super('RelativeTimeFormat', locales, optionsOf(options))
  }
  format(value: unknown, unit: unknown): unknown {
    return this.ask('format', Number(value), String(unit))
  }
  formatToParts(value: unknown, unit: unknown): unknown {
    return this.ask('formatToParts', Number(value), String(unit))
  }
}

class DisplayNames extends Formatter {
  constructor(locales: unknown, options: unknown) {
    super('DisplayNames', locales, optionsOf(options))
  }
  of(code: unknown): unknown {
    return this.ask('of', String(code))
  }
}

class Segmenter extends Formatter {
  constructor(locales?: unknown, options?: unknown) {
    super('Segmenter', locales, optionsOf(options))
  }
  segment(text: unknown): object {
    const input = String(text)
    const found = this.ask('segment', input) as { readonly index: number; readonly segment: string }[]
    const segments = found.map((segment) => ({ ...segment, input }))
    return {
      [Symbol.iterator]: () => segments[Symbol.iterator](),
      containing: (at: unknown = 0) =>
        segments.find(({ index, segment }) => Number(at) >= index && Number(at) < index + segment.length),
    }
  }
}

interface LocaleRecord {
  readonly text: string
  readonly language: string
}

class Locale {
  readonly #record: LocaleRecord
  readonly #asked: Asked
  constructor(tag: unknown, options?: unknown) {
    if (typeof tag !== 'string' && !(tag instanceof Locale))
      throw typeError("First argument to Intl.Locale constructor can't be empty or missing")
    this.#asked = { kind: 'Locale', locales: String(tag), options: optionsOf(options) }
    this.#record = askFormatter(this.#asked) as LocaleRecord
    for (const [name, value] of Object.entries(this.#record))
      if (name !== 'text') Object.defineProperty(this, name, { value, enumerable: false })
  }
  maximize(): Locale {
    return new Locale((askFormatter(this.#asked, 'maximize') as LocaleRecord).text)
  }
  minimize(): Locale {
    return new Locale((askFormatter(this.#asked, 'minimize') as LocaleRecord).text)
  }
  toString(): string {
    return this.#record.text
  }
}

/** Makes a class callable without `new`. */
function callable<C extends new (...args: never[]) => object>(made: C): C {
  return new Proxy(made, { apply: (_target, _self, args: never[]) => new made(...args) })
}

const classes = {
  Collator,
  DateTimeFormat,
  DisplayNames,
  ListFormat,
  NumberFormat,
  PluralRules,
  RelativeTimeFormat,
  Segmenter,
}
for (const [kind, made] of Object.entries(classes)) {
  const value = (locales: unknown) =>
    ask({ kind, locales: localesOf(locales), method: 'supportedLocalesOf' }, [locales])
  Object.defineProperty(made, 'supportedLocalesOf', { value, configurable: true, writable: true })
  Object.defineProperty(made.prototype, Symbol.toStringTag, { value: `Intl.${kind}`, configurable: true })
}

export const international: object = Object.freeze({
  ...classes,
  Collator: callable(Collator),
  DateTimeFormat: callable(DateTimeFormat),
  NumberFormat: callable(NumberFormat),
  Locale,
  getCanonicalLocales: (locales: unknown) =>
    ask({ method: 'getCanonicalLocales', args: [locales === undefined ? [] : localesOf(locales)] }, [locales]),
  supportedValuesOf: (key: unknown) => ask({ method: 'supportedValuesOf', args: [String(key)] }, [String(key)]),
})

// ---- methods of numbers, dates and texts -------------------------------------------------------------------------

export function localeText(value: number | bigint, locales: unknown, options: unknown): unknown {
  return askFormatter({ kind: 'NumberFormat', locales: localesOf(locales), options: optionsOf(options) }, 'format', [
    value,
  ])
}

const DATE_PARTS = ['weekday', 'year', 'month', 'day']
const TIME_PARTS = ['dayPeriod', 'hour', 'minute', 'second', 'fractionalSecondDigits']
const USUAL_DATE = { year: 'numeric', month: 'numeric', day: 'numeric' }
const USUAL_TIME = { hour: 'numeric', minute: 'numeric', second: 'numeric' }

/** `usual`: the fields that are shown if the options name none (ECMA-402, ToDateTimeOptions). */
export function localeDate(date: Date, locales: unknown, options: unknown, usual: 'date' | 'time' | 'both'): unknown {
  const ms = date.getTime()
  const given = optionsOf(options)
  if (Number.isNaN(ms)) return 'Invalid Date'
  const has = (parts: readonly string[]): boolean => parts.some((part) => given[part] !== undefined)
  const isNamed =
    (usual !== 'time' && has(DATE_PARTS)) ||
    (usual !== 'date' && has(TIME_PARTS)) ||
    given.dateStyle !== undefined ||
    given.timeStyle !== undefined
  if (usual === 'date' && given.timeStyle !== undefined) throw typeError('Invalid option : timeStyle')
  if (usual === 'time' && given.dateStyle !== undefined) throw typeError('Invalid option : dateStyle')
  const parts = isNamed
    ? given
    : { ...given, ...(usual === 'time' ? {} : USUAL_DATE), ...(usual === 'date' ? {} : USUAL_TIME) }
  return askFormatter({ kind: 'DateTimeFormat', locales: localesOf(locales), options: zoned(parts) }, 'format', [ms])
}

/** Languages that order the letters of English as English does. */
const LIKE_ENGLISH = /^(?:en|de|it|nl|pt|fr(?!-CA))(?:-[A-Z]{2})?$/

function compareTexts(a: string, b: string, locales: unknown, options: Options): number {
  if (locales === undefined || (typeof locales === 'string' && LIKE_ENGLISH.test(locales))) {
    let isPlain = true
    for (const _ in options) isPlain = false
    const order = isPlain ? compareAscii(a, b) : undefined
    if (order !== undefined) return order
  }
  return askFormatter({ kind: 'Collator', locales: localesOf(locales), options }, 'compare', [a, b]) as number
}

export function localeCompare(text: string, other: string, locales: unknown, options: unknown): number {
  return compareTexts(text, other, locales, optionsOf(options))
}

/** `method`: `toLocaleLowerCase` or `toLocaleUpperCase`. */
export function localeCase(text: string, locales: unknown, method: 'toLocaleLowerCase' | 'toLocaleUpperCase'): unknown {
  if (locales === undefined) return method === 'toLocaleLowerCase' ? text.toLowerCase() : text.toUpperCase()
  return ask({ method, args: [text, localesOf(locales)] }, [locales])
}
