// Numbers as people write them: `toLocaleString` and `Intl.NumberFormat` for English as it is written in the United
// States, in their common options. Other languages and options are refused by name, because a quiet difference would be
// a wrong answer.
// Invariant: the same text as an implementation with full data gives.

import { rangeError, typeError } from './errors.js'
import { said, shown, spelled, word } from './said.js'

interface NumberOptions {
  readonly style: 'decimal' | 'percent' | 'currency' | 'unit'
  readonly currency?: string | undefined
  readonly currencyDisplay: 'symbol' | 'narrowSymbol' | 'code' | 'name'
  readonly unit?: string | undefined
  readonly unitDisplay: 'short' | 'narrow' | 'long'
  readonly grouping: boolean
  readonly minimumIntegerDigits: number
  readonly minimumFractionDigits: number
  readonly maximumFractionDigits: number
  readonly minimumSignificantDigits?: number | undefined
  readonly maximumSignificantDigits?: number | undefined
  readonly notation: 'standard' | 'compact'
  readonly signDisplay: 'auto' | 'always' | 'exceptZero' | 'never' | 'negative'
  readonly currencySign: 'standard' | 'accounting'
  /** Were digits asked for? Compact notation has its own rule otherwise. */
  readonly digitsGiven: boolean
}

const SYMBOLS: Readonly<Record<string, string>> = {
  USD: '$',
  EUR: '€',
  GBP: '£',
  JPY: '¥',
  INR: '₹',
  CNY: 'CN¥',
  KRW: '₩',
  BRL: 'R$',
  CAD: 'CA$',
  AUD: 'A$',
  MXN: 'MX$',
  NZD: 'NZ$',
  ILS: '₪',
  VND: '₫',
  TWD: 'NT$',
  HKD: 'HK$',
  XAF: 'FCFA',
  XOF: 'F\u202fCFA',
  PHP: '₱',
} // prettier-ignore
const NARROW: Readonly<Record<string, string>> = {
  CNY: '¥',
  CAD: '$',
  AUD: '$',
  MXN: '$',
  NZD: '$',
  TWD: '$',
  HKD: '$',
  PLN: 'zł',
  SEK: 'kr',
  NOK: 'kr',
  DKK: 'kr',
}
const NO_CENTS = ['JPY', 'KRW', 'VND', 'CLP', 'ISK', 'XAF', 'XOF', 'PYG', 'UGX']
const UNITS: Readonly<Record<string, readonly [short: string, narrow: string, long: string]>> = {
  byte: [' byte', 'B', ' byte'],
  kilobyte: [' kB', 'kB', ' kilobyte'],
  megabyte: [' MB', 'MB', ' megabyte'],
  gigabyte: [' GB', 'GB', ' gigabyte'],
  percent: ['%', '%', ' percent'],
  second: [' sec', 's', ' second'],
  minute: [' min', 'm', ' minute'],
  hour: [' hr', 'h', ' hour'],
  kilometer: [' km', 'km', ' kilometer'],
  meter: [' m', 'm', ' meter'],
  kilogram: [' kg', 'kg', ' kilogram'],
  celsius: ['°C', '°C', ' degree Celsius'],
}

function refuse(name: string, got: unknown, want: string): never {
  throw typeError(said`${word(name)}: got ${shown(got)}, want ${word(want)}`, {
    code: 'not-supported',
  })
}

/** The first language of a list is the one that is taken. */
function languageOf(locales: unknown): unknown {
  return Array.isArray(locales) ? (locales as unknown[])[0] : locales
}

export function checkLocale(locales: unknown, what: string, hint?: string): void {
  const locale = languageOf(locales)
  if (locale === undefined || (typeof locale === 'string' && /^en(?:-US)?(?:-u-.*)?$/i.test(locale))) return
  throw typeError(said`the language of ${word(what)}: got ${shown(locale)}, want "en-US", the only one here`, {
    code: 'not-supported',
    hint,
  })
}

/** Languages that order texts as English does. */
export function checkOrder(locales: unknown): void {
  const locale = languageOf(locales)
  if (typeof locale === 'string' && /^(?:en|de|it|nl|pt|fr(?!-CA))(?:-[A-Z]{2})?$/i.test(locale)) return
  checkLocale(locales, 'localeCompare')
}

function choice<T extends string>(name: string, value: unknown, all: readonly T[], usual: T): T {
  if (value === undefined) return usual
  const found = all.find((one) => one === value)
  return found ?? refuse(name, value, all.map((one) => `"${one}"`).join(' or '))
}

function digits(name: string, value: unknown, least: number, most: number): number | undefined {
  if (value === undefined) return undefined
  const n = Math.floor(Number(value))
  if (!(n >= least && n <= most)) throw rangeError(said`${word(name)} value is out of range.`)
  return n
}

const KNOWN = new Set(
  (
    'style currency currencyDisplay currencySign unit unitDisplay useGrouping minimumIntegerDigits minimumFractionDigits maximumFractionDigits ' +
    'minimumSignificantDigits maximumSignificantDigits notation compactDisplay signDisplay localeMatcher numberingSystem roundingMode roundingPriority ' +
    'roundingIncrement trailingZeroDisplay'
  ).split(' '),
)

function readOptions(raw: Readonly<Record<string, unknown>>): NumberOptions {
  for (const key of ['roundingMode', 'roundingIncrement', 'trailingZeroDisplay', 'roundingPriority', 'numberingSystem'])
    if (KNOWN.has(key) && raw[key] !== undefined) refuse(key, raw[key], 'none: only the usual one is here')
  const style = choice('style', raw.style, ['decimal', 'percent', 'currency', 'unit'], 'decimal')
  const currency = raw.currency === undefined ? undefined : String(raw.currency).toUpperCase()
  if (style === 'currency' && currency === undefined) throw typeError('Currency code is required with currency style.')
  if (currency !== undefined && !/^[A-Z]{3}$/.test(currency))
    throw rangeError(said`Invalid currency code : ${spelled(String(raw.currency))}`)
  const unit = raw.unit === undefined ? undefined : String(raw.unit)
  if (style === 'unit' && (unit === undefined || !Object.hasOwn(UNITS, unit)))
    refuse('unit', raw.unit, Object.keys(UNITS).join(', '))
  const cents = style === 'currency' ? (NO_CENTS.includes(currency!) ? 0 : 2) : 0
  const leastGiven = digits('minimumFractionDigits', raw.minimumFractionDigits, 0, 100)
  const mostGiven = digits('maximumFractionDigits', raw.maximumFractionDigits, 0, 100)
  const most = mostGiven ?? Math.max(leastGiven ?? 0, style === 'currency' ? cents : style === 'percent' ? 0 : 3)
  const least = leastGiven ?? Math.min(cents, most)
  if (least > most) throw rangeError('maximumFractionDigits value is out of range.')
  const leastSignificant = digits('minimumSignificantDigits', raw.minimumSignificantDigits, 1, 21)
  const mostSignificant = digits('maximumSignificantDigits', raw.maximumSignificantDigits, leastSignificant ?? 1, 21)
  return {
    style,
    currency,
    unit,
    currencyDisplay: choice(
      'currencyDisplay',
      raw.currencyDisplay,
      ['symbol', 'narrowSymbol', 'code', 'name'],
      'symbol',
    ),
    currencySign: choice('currencySign', raw.currencySign, ['standard', 'accounting'], 'standard'),
    unitDisplay: choice('unitDisplay', raw.unitDisplay, ['short', 'narrow', 'long'], 'short'),
    grouping: raw.useGrouping !== false && raw.useGrouping !== 'false',
    minimumIntegerDigits: digits('minimumIntegerDigits', raw.minimumIntegerDigits, 1, 21) ?? 1,
    minimumFractionDigits: least,
    maximumFractionDigits: most,
    minimumSignificantDigits: leastSignificant,
    maximumSignificantDigits: mostSignificant,
    notation: choice('notation', raw.notation, ['standard', 'compact'], 'standard'),
    signDisplay: choice('signDisplay', raw.signDisplay, ['auto', 'always', 'exceptZero', 'never', 'negative'], 'auto'),
    digitsGiven:
      leastGiven !== undefined ||
      mostGiven !== undefined ||
      leastSignificant !== undefined ||
      mostSignificant !== undefined,
  }
}

// ---- decimal digits ----------------------------------------------------------------------------------------------

/** `digits` × 10^`exponent`, `digits` without leading zeros ("" for zero). */
interface Decimal {
  readonly digits: string
  readonly exponent: number
}

function decimalOf(value: number | bigint): Decimal {
  const text = typeof value === 'bigint' ? value.toString() : Math.abs(value).toString()
  const [, whole = '', fraction = '', power = '0'] = /^-?(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(text) ?? []
  return { digits: (whole + fraction).replace(/^0+/, ''), exponent: Number(power) - fraction.length }
}

/** Rounded to a multiple of 10^`to`, halves away from zero. */
function rounded({ digits: all, exponent }: Decimal, to: number): Decimal {
  if (exponent >= to) return { digits: all, exponent }
  const kept = all.length - (to - exponent)
  if (kept < 0) return { digits: '', exponent: to }
  const up = all[kept]! >= '5'
  const head = BigInt(all.slice(0, kept) || '0') + (up ? 1n : 0n)
  return { digits: head === 0n ? '' : head.toString(), exponent: to }
}

function magnitude({ digits: all, exponent }: Decimal): number {
  return all.length + exponent - 1
}

interface Precision {
  readonly minimumFraction: number
  readonly maximumFraction: number
  readonly minimumSignificant?: number | undefined
  readonly maximumSignificant?: number | undefined
}

function plainText(value: Decimal, precision: Precision): string {
  const significant = precision.maximumSignificant ?? (precision.minimumSignificant === undefined ? undefined : 21)
  let least = precision.minimumFraction
  let number: Decimal
  if (significant !== undefined) {
    number = value.digits === '' ? value : rounded(value, magnitude(value) - significant + 1)
    const at = number.digits === '' ? 0 : magnitude(number)
    least = Math.max(0, (precision.minimumSignificant ?? 1) - at - 1)
  } else number = rounded(value, -precision.maximumFraction)
  const { digits: all, exponent } = number
  const whole =
    exponent >= 0 ? all + (all === '' ? '' : '0'.repeat(exponent)) : all.slice(0, Math.max(0, all.length + exponent))
  const fraction = exponent >= 0 ? '' : all.slice(Math.max(0, all.length + exponent)).padStart(-exponent, '0')
  const trimmed = fraction.replace(/0+$/, '').padEnd(least, '0')
  return `${whole === '' ? '0' : whole}${trimmed === '' ? '' : `.${trimmed}`}`
}

function grouped(text: string, options: Pick<NumberOptions, 'grouping' | 'minimumIntegerDigits'>): string {
  const [whole = '', fraction] = text.split('.')
  const padded = whole.padStart(options.minimumIntegerDigits, '0')
  const separated = options.grouping ? padded.replace(/\B(?=(?:\d{3})+$)/g, ',') : padded
  return fraction === undefined ? separated : `${separated}.${fraction}`
}

const STEPS = ['', 'K', 'M', 'B', 'T']

function compact(value: Decimal, options: NumberOptions): string {
  const precision: Precision = options.digitsGiven ? precisionOf(options) : { minimumFraction: 0, maximumFraction: 0 }
  const at = (step: number): string => {
    const scaled = { digits: value.digits, exponent: value.exponent - 3 * step }
    // Two digits are shown where there would be one.
    if (!options.digitsGiven && value.digits !== '' && magnitude(scaled) < 1)
      return plainText(scaled, { minimumFraction: 0, maximumFraction: 1, maximumSignificant: 2 })
    return plainText(scaled, precision)
  }
  let step = value.digits === '' ? 0 : Math.min(STEPS.length - 1, Math.max(0, Math.floor(magnitude(value) / 3)))
  if (step < STEPS.length - 1 && at(step).split('.')[0]!.length > 3) step++
  return (
    grouped(at(step), { ...options, grouping: at(step).split('.')[0]!.length > 4 && options.grouping }) + STEPS[step]
  )
}

function precisionOf(options: NumberOptions): Precision {
  return {
    minimumFraction: options.minimumFractionDigits,
    maximumFraction: options.maximumFractionDigits,
    minimumSignificant: options.minimumSignificantDigits,
    maximumSignificant: options.maximumSignificantDigits,
  }
}

function formatNumber(value: number | bigint, options: NumberOptions): string {
  const negative = value < 0 || Object.is(value, -0)
  let body: string
  if (typeof value === 'number' && Number.isNaN(value)) body = 'NaN'
  else if (value === Infinity || value === -Infinity) body = '∞'
  else {
    const { digits: all, exponent } = decimalOf(value)
    const decimal = { digits: all, exponent: options.style === 'percent' ? exponent + 2 : exponent }
    body =
      options.notation === 'compact'
        ? compact(decimal, options)
        : grouped(plainText(decimal, precisionOf(options)), options)
  }
  const isZero = /^[0.,]+\D*$/.test(body) || body === 'NaN'
  return signed(styled(body, options), { negative, isZero, options })
}

function styled(body: string, options: NumberOptions): string {
  if (options.style === 'percent') return `${body}%`
  if (options.style === 'unit') {
    const [short, narrow, long] = UNITS[options.unit!]!
    const mark = { short, narrow, long }[options.unitDisplay]
    const plural = options.unitDisplay === 'long' && body !== '1' && !/percent/.test(mark)
    return (
      body +
      (plural ? mark.replace(/^( degree)?/, (d) => (d === '' ? '' : `${d}s`)) + (/degree/.test(mark) ? '' : 's') : mark)
    )
  }
  if (options.style !== 'currency') return body
  const code = options.currency!
  if (options.currencyDisplay === 'name') return refuse('currencyDisplay', 'name', '"symbol" or "code"')
  const narrow = options.currencyDisplay === 'narrowSymbol' ? NARROW[code] : undefined
  const symbol = options.currencyDisplay === 'code' ? undefined : (narrow ?? SYMBOLS[code])
  return symbol === undefined ? `${code}${/^\d/.test(body) ? '\u00a0' : ''}${body}` : `${symbol}${body}`
}

function signed(
  text: string,
  { negative, isZero, options }: { negative: boolean; isZero: boolean; options: NumberOptions },
): string {
  const { signDisplay } = options
  const minus = negative && (signDisplay === 'auto' || signDisplay === 'always' || (!isZero && signDisplay !== 'never'))
  if (minus) return options.style === 'currency' && options.currencySign === 'accounting' ? `(${text})` : `-${text}`
  const plus = !negative && (signDisplay === 'always' || (signDisplay === 'exceptZero' && !isZero))
  return plus ? `+${text}` : text
}

// ---- what programs call ------------------------------------------------------------------------------------------

const plainStyle = readOptions({})

function toNumeric(value: unknown): number | bigint {
  return typeof value === 'bigint'
    ? value
    : typeof value === 'string' && /^-?\d{16,}$/.test(value)
      ? BigInt(value)
      : Number(value)
}

export function localeText(value: number | bigint, locales: unknown, options: unknown): string {
  checkLocale(locales, 'toLocaleString')
  return formatNumber(
    value,
    options === undefined ? plainStyle : readOptions(Object(options) as Record<string, unknown>),
  )
}

export class NumberFormat {
  readonly #options: NumberOptions
  readonly format: (value: unknown) => string

  constructor(locales?: unknown, options: unknown = {}) {
    checkLocale(locales, 'Intl.NumberFormat')
    this.#options = readOptions(Object(options) as Record<string, unknown>)
    const format = (value: unknown): string => formatNumber(toNumeric(value), this.#options)
    this.format = format
    Object.defineProperty(this, 'format', { value: format, enumerable: false })
  }

  resolvedOptions(): object {
    const { style, currency, minimumIntegerDigits, minimumFractionDigits, maximumFractionDigits, notation } =
      this.#options
    return {
      locale: 'en-US',
      numberingSystem: 'latn',
      style,
      currency,
      minimumIntegerDigits,
      minimumFractionDigits,
      maximumFractionDigits,
      notation,
    }
  }

  static supportedLocalesOf(locales: unknown): string[] {
    return [locales]
      .flat()
      .filter((locale): locale is string => typeof locale === 'string' && /^en(-US)?$/i.test(locale))
  }
}
