// Lists, plurals and distances in time as English says them: `Intl.ListFormat`, `Intl.PluralRules`,
// `Intl.RelativeTimeFormat`.
// Invariant: the same text as an implementation with full data gives; what is not known here is refused by name.

import { rangeError, typeError } from './errors.js'
import { checkLocale, localeText } from './numbers.js'
import { inQuotes, named, said, shown, word } from './said.js'

type Options = Readonly<Record<string, unknown>>

function chosen<T extends string>(options: Options, name: string, all: readonly T[]): T {
  const value = options[name] ?? all[0]
  const found = all.find((one) => one === value)
  if (found !== undefined) return found
  const want = all.map((one) => JSON.stringify(one)).join(' or ')
  throw typeError(said`${word(name)}: got ${shown(value)}, want ${word(want)}`, { code: 'not-supported' })
}

export class ListFormat {
  /** Stands before the last of two, before the last of more, and between the others. */
  readonly #joints: readonly [two: string, last: string, other: string]

  constructor(locales?: unknown, options: Options = {}) {
    checkLocale(locales, 'Intl.ListFormat')
    const type = chosen(options, 'type', ['conjunction', 'disjunction', 'unit'])
    const style = chosen(options, 'style', ['long', 'short', 'narrow'])
    const word = type === 'disjunction' ? 'or' : style === 'long' ? 'and' : '&'
    const isPlain = type === 'unit' || (type === 'conjunction' && style === 'narrow')
    const between = type === 'unit' && style === 'narrow' ? ' ' : ', '
    this.#joints = isPlain ? [between, between, between] : [` ${word} `, `, ${word} `, ', ']
  }

  format(list: Iterable<string>): string {
    const texts = [...list]
    const [two, lastOfMore, other] = this.#joints
    const last = texts.pop()
    if (last === undefined) return ''
    return texts.length === 0 ? last : texts.join(other) + (texts.length === 1 ? two : lastOfMore) + last
  }
}

export class PluralRules {
  readonly #isOrdinal: boolean

  constructor(locales?: unknown, options: Options = {}) {
    checkLocale(locales, 'Intl.PluralRules')
    this.#isOrdinal = chosen(options, 'type', ['cardinal', 'ordinal']) === 'ordinal'
    for (const name of Object.keys(options))
      if (/Digits$|^rounding|^trailing/.test(name))
        throw typeError(said`${named(name)} is not known to Intl.PluralRules here`, { code: 'not-supported' })
  }

  select(value: unknown): string {
    const number = Math.abs(Number(value))
    if (!this.#isOrdinal) return number === 1 ? 'one' : 'other'
    const isTeen = number % 100 > 10 && number % 100 < 14
    return (isTeen ? undefined : { 1: 'one', 2: 'two', 3: 'few' }[number % 10]) ?? 'other'
  }
}

const UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const
const DAYS: Readonly<Record<number, string>> = { [-1]: 'yesterday', 0: 'today', 1: 'tomorrow' }
const NEARBY: Readonly<Record<number, string>> = { [-1]: 'last', 0: 'this', 1: 'next' }

export class RelativeTimeFormat {
  readonly #names: boolean

  constructor(locales?: unknown, options: Options = {}) {
    checkLocale(locales, 'Intl.RelativeTimeFormat')
    this.#names = chosen(options, 'numeric', ['always', 'auto']) === 'auto'
    chosen(options, 'style', ['long'])
  }

  format(value: unknown, unit: unknown): string {
    const number = Number(value)
    const name = UNITS.find((one) => one === unit || `${one}s` === unit)
    if (name === undefined || !Number.isFinite(number))
      throw rangeError(
        name === undefined
          ? said`Invalid unit argument for format() ${inQuotes(String(unit), 100, "'")}`
          : said`Invalid time value`,
      )
    const named = this.#names ? nearby(number, name) : undefined
    if (named !== undefined) return named
    const amount = `${localeText(Math.abs(number), undefined, undefined)} ${name}${Math.abs(number) === 1 ? '' : 's'}`
    return number < 0 || Object.is(number, -0) ? `${amount} ago` : `in ${amount}`
  }
}

/** What has a word of its own: yesterday, next week, now. */
function nearby(number: number, unit: (typeof UNITS)[number]): string | undefined {
  if (unit === 'second') return number === 0 ? 'now' : undefined
  if (unit === 'minute' || unit === 'hour') return number === 0 ? `this ${unit}` : undefined
  if (unit === 'day') return DAYS[number]
  return Object.hasOwn(NEARBY, number) ? `${NEARBY[number]} ${unit}` : undefined
}
