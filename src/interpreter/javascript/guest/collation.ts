// Texts in the order of a dictionary: `localeCompare` and `Intl.Collator` for English. Letters count first, then their
// accents, then their case; signs come before digits and digits before letters.
// Invariant: a total order on texts without unassigned characters, the same as that of an implementation with full data
// for Latin letters, digits and ASCII.

import { typeError } from './errors.js'
import { checkOrder } from './numbers.js'
import { said, shown } from './said.js'

/** Signs of ASCII in their order. */
const SIGNS = '\t\n\v\f\r _-,;:!?.\'"()[]{}@*/\\&#%`^+<=>|~$'
/** Letters that are others with something added, but do not take apart. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  ı: 'i',
  ð: 'd',
  þ: 'th',
}

export interface CollatorRules {
  readonly numeric: boolean
  readonly sensitivity: 'base' | 'accent' | 'case' | 'variant'
  readonly upperFirst: boolean
  readonly ignorePunctuation: boolean
}

const usual: CollatorRules = { numeric: false, sensitivity: 'variant', upperFirst: false, ignorePunctuation: false }

interface Element {
  readonly primary: number
  readonly accent: string
  readonly upper: boolean
  /** A number of several digits that counts as one. */
  readonly number?: bigint
}

function elementsOf(text: string, rules: CollatorRules): Element[] {
  const elements: Element[] = []
  const chars = [...text.normalize('NFD')]
  for (let i = 0; i < chars.length; i++) {
    const char = chars[i]!
    if (/\p{M}/u.test(char) && elements.length > 0) {
      const last = elements.pop()!
      elements.push({ ...last, accent: last.accent + char })
      continue
    }
    if (rules.numeric && /[0-9]/.test(char)) {
      let digits = char
      while (i + 1 < chars.length && /[0-9]/.test(chars[i + 1]!)) digits += chars[++i]!
      elements.push({ primary: DIGITS, accent: '', upper: false, number: BigInt(digits) })
      continue
    }
    const lower = char.toLowerCase()
    const upper = lower !== char
    const letters = Object.hasOwn(LETTERS, lower) ? LETTERS[lower]! : lower
    for (const letter of letters)
      elements.push({ primary: primaryOf(letter), accent: letters === lower ? '' : lower, upper })
  }
  return elements.filter(({ primary }) => primary > 0 && !(rules.ignorePunctuation && primary < DIGITS))
}

const DIGITS = 10_000
const LATIN = 20_000

function primaryOf(char: string): number {
  const sign = SIGNS.indexOf(char)
  if (sign >= 0) return sign < 5 ? sign + 1 : 100 + sign
  const code = char.codePointAt(0)!
  if (code < 0x20 || code === 0x7f) return 0
  if (code >= 0x30 && code <= 0x39) return DIGITS + code
  if (code >= 0x61 && code <= 0x7a) return LATIN + code
  return /\p{L}/u.test(char)
    ? 100_000 + code
    : /\p{N}/u.test(char)
      ? DIGITS + 1000 + (code % 9000)
      : 1000 + (code % 8999)
}

export function compareTexts(a: string, b: string, rules: CollatorRules = usual): number {
  const left = elementsOf(a, rules)
  const right = elementsOf(b, rules)
  const first = (differ: (x: Element, y: Element) => number): number => {
    for (let i = 0; i < left.length && i < right.length; i++) {
      const difference = differ(left[i]!, right[i]!)
      if (difference !== 0) return difference
    }
    return 0
  }
  const primary =
    first((x, y) => Math.sign(x.primary - y.primary) || numbers(x, y)) || Math.sign(left.length - right.length)
  if (primary !== 0) return primary
  if (rules.sensitivity === 'accent' || rules.sensitivity === 'variant') {
    const accent = first((x, y) => (x.accent === y.accent ? 0 : x.accent < y.accent ? -1 : 1))
    if (accent !== 0) return accent
  }
  if (rules.sensitivity === 'base' || rules.sensitivity === 'accent') return 0
  const lowerFirst = first((x, y) => Number(x.upper) - Number(y.upper))
  return rules.upperFirst ? -lowerFirst : lowerFirst
}

function numbers(x: Element, y: Element): number {
  if (x.number === undefined || y.number === undefined) return 0
  return x.number < y.number ? -1 : x.number > y.number ? 1 : 0
}

export function readRules(locales: unknown, options: unknown): CollatorRules {
  checkOrder(locales)
  if (options === undefined) return usual
  const raw = Object(options) as Readonly<Record<string, unknown>>
  const sensitivity = raw.sensitivity ?? 'variant'
  if (sensitivity !== 'base' && sensitivity !== 'accent' && sensitivity !== 'case' && sensitivity !== 'variant')
    throw typeError(said`sensitivity: got ${shown(sensitivity)}, want "base", "accent", "case" or "variant"`, {
      code: 'not-supported',
    })
  return {
    sensitivity,
    numeric: raw.numeric === true,
    upperFirst: raw.caseFirst === 'upper',
    ignorePunctuation: raw.ignorePunctuation === true,
  }
}

export class Collator {
  readonly compare: (a: unknown, b: unknown) => number

  constructor(locales?: unknown, options?: unknown) {
    const rules = readRules(locales, options)
    const compare = (a: unknown, b: unknown): number => compareTexts(String(a), String(b), rules)
    this.compare = compare
    Object.defineProperty(this, 'compare', { value: compare, enumerable: false })
  }
}
