// Messages of the host that quote values. A message consists of our own words and of values with their ranges; the code
// that shows it decides which values the reader may see (values.ts).
// Invariant: text outside the ranges is ours or comes from a declaration.

import { type MarkedValue, shifted } from './values.js'

/** A message, or a part of one. */
export interface Said {
  readonly text: string
  readonly values: readonly MarkedValue[]
}

/** A message: said`no key ${quotedText(key)}`. Strings and numbers in it count as our own words. */
export function said(words: TemplateStringsArray, ...parts: readonly (string | number | Said)[]): Said {
  let text = words[0]!
  const values: MarkedValue[] = []
  for (const [i, part] of parts.entries()) {
    if (typeof part === 'object') {
      values.push(...shifted(part.values, text.length))
      text += part.text
    } else text += part
    text += words[i + 1]!
  }
  return { text, values }
}

/** Several messages, separated by our own words. */
export function joined(parts: readonly Said[], separator: string): Said {
  return parts.reduce((all, part, i) => (i === 0 ? part : said`${all}${separator}${part}`), said``)
}

/** Longer texts are not searched for. */
const LONGEST_PLAIN = 1_000

/**
 * A value: its text in the message, its description, and the text to search for in everything that a reader has seen.
 */
export function marked(text: string, instead: string, plain: string): Said {
  const { length } = text
  return { text, values: [plain.length > LONGEST_PLAIN ? [0, length, instead] : [0, length, instead, plain]] }
}

const SORTS: readonly (readonly [string, RegExp])[] = [
  ['letters', /\p{L}/u],
  ['digits', /\p{N}/u],
  ['spaces', /\s/],
  ['other signs', /[^\p{L}\p{N}\s]/u],
]

/** The description of a text: `a str of 7 characters (letters, digits)`. `word` is the language's word for a text. */
export function describedText(text: string, word: string): string {
  const sorts = SORTS.filter(([, sort]) => sort.test(text)).map(([name]) => name)
  let length = 0
  for (const _ of text) length++
  return `a ${word} of ${length} character${length === 1 ? '' : 's'}${sorts.length === 0 ? '' : ` (${sorts.join(', ')})`}`
}
