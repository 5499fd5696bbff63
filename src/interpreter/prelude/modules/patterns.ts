// Small modules for text: `fnmatch`, `shlex`, `unicodedata`.

import { wantString } from '../calls/expect.js'
import { builtin } from '../calls/signature.js'
import { items } from '../containers/iterate.js'
import { hostLookUp } from '../host/sandbox-functions.js'
import { truth } from '../operators/membership.js'
import { quoted } from '../text/repr.js'
import { guestError, valueError } from '../values/errors.js'
import { asName, said } from '../values/said.js'
import type { Value } from '../values/values.js'
import { combiningClass } from './combining-classes.js'
import { type Module, module } from './module.js'

// ---- fnmatch ---------------------------------------------------------------------------------------------------

/** The regular expression for a file name pattern. */
function wildcard(pattern: string): string {
  let out = ''
  for (let i = 0; i < pattern.length; i++) {
    const c = pattern[i]!
    if (c === '*') {
      if (!out.endsWith('[\\s\\S]*')) out += '[\\s\\S]*'
    } else if (c === '?') out += '[\\s\\S]'
    else if (c === '[') {
      let end = i + 1
      if (pattern[end] === '!') end++
      if (pattern[end] === ']') end++
      while (end < pattern.length && pattern[end] !== ']') end++
      if (end >= pattern.length) {
        out += '\\['
        continue
      }
      const negative = pattern[i + 1] === '!'
      const body = pattern
        .slice(i + (negative ? 2 : 1), end)
        .replace(/[\\\]^]/g, '\\$&')
        .replace(/\[/g, '\\[')
      out += `[${negative ? '^' : ''}${body}]`
      i = end
    } else out += c.replace(/[\\^$.*+?()[\]{}|]/, '\\$&')
  }
  return out
}

const wildcards = new Map<string, RegExp>()

function matches(name: Value | undefined, pattern: Value | undefined): boolean {
  const text = wantString(pattern, 'fnmatch', 'pat')
  let r = wildcards.get(text)
  if (r === undefined) {
    r = new RegExp(`^(?:${wildcard(text)})$`)
    wildcards.set(text, r)
  }
  return r.test(wantString(name, 'fnmatch', 'name'))
}

export const fnmatch: Module = module('fnmatch', {
  fnmatch: builtin('fnmatch', 'name, pat', matches),
  fnmatchcase: builtin('fnmatchcase', 'name, pat', matches),
  filter: builtin('filter', 'names, pat', (names, pattern) => items(names!).filter((n) => matches(n, pattern))),
  translate: builtin(
    'translate',
    'pat',
    (pattern) => `(?s:${wildcard(wantString(pattern, 'translate', 'pat')).replace(/\[\\s\\S\]/g, '.')})\\Z`,
  ),
})

// ---- shlex -----------------------------------------------------------------------------------------------------

/** The words of a command line, as a POSIX shell splits it. */
function words(text: string, comments: boolean): string[] {
  const out: string[] = []
  let word: string | undefined
  let quote: string | undefined
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!
    if (quote !== undefined) {
      if (c === quote) quote = undefined
      else if (c === '\\' && quote === '"') {
        const next = text[i + 1]
        if (next === undefined) throw guestError('ValueError', 'No escaped character')
        if (next === '"' || next === '\\') i++
        word += next === '"' || next === '\\' ? next : c
      } else word += c
    } else if (c === "'" || c === '"') {
      quote = c
      word ??= ''
    } else if (c === '\\') {
      if (++i >= text.length) throw guestError('ValueError', 'No escaped character')
      word = (word ?? '') + text[i]!
    } else if (' \t\r\n'.includes(c)) {
      if (word !== undefined) out.push(word)
      word = undefined
    } else if (c === '#' && comments) {
      while (i + 1 < text.length && text[i + 1] !== '\n') i++
    } else word = (word ?? '') + c
  }
  if (quote !== undefined) throw guestError('ValueError', 'No closing quotation')
  if (word !== undefined) out.push(word)
  return out
}

function shellQuote(text: string): string {
  if (text === '') return "''"
  return /[^\w@%+=:,./-]/.test(text) ? `'${text.replace(/'/g, `'"'"'`)}'` : text
}

export const shlex: Module = module('shlex', {
  split: builtin('split', 's, comments=, posix=', (s, comments) =>
    words(wantString(s, 'split', 's'), comments !== undefined && truth(comments)),
  ),
  quote: builtin('quote', 's', (s) => shellQuote(wantString(s, 'quote', 's'))),
  join: builtin('join', 'split_command', (all) =>
    items(all!)
      .map((w) => shellQuote(wantString(w, 'join', 'split_command')))
      .join(' '),
  ),
})

// ---- unicodedata -----------------------------------------------------------------------------------------------

const CATEGORIES = 'Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Cs Co'.split(' ')
const tests = CATEGORIES.map((c) => new RegExp(`^\\p{${c}}$`, 'u'))

function character(x: Value | undefined, fn: string): string {
  const c = wantString(x, fn, 'chr')
  return Array.from(c).length === 1
    ? c
    : valueError(
        said`${asName(fn)}() argument must be a unicode character, not a string of length ${Array.from(c).length}`,
      )
}

export const unicodedata: Module = module('unicodedata', {
  name: builtin('name', 'chr, default=, /', (c, fallback) => {
    const name = hostLookUp(['name', character(c, 'name').codePointAt(0)!]) as string | undefined
    return name ?? (fallback === undefined ? valueError('no such name') : fallback)
  }),
  lookup: builtin('lookup', 'name, /', (name) => {
    const text = wantString(name, 'lookup', 'name')
    const code = hostLookUp(['named', text]) as number | undefined
    if (code === undefined) throw guestError('KeyError', said`undefined character name ${quoted(text)}`)
    return String.fromCodePoint(code)
  }),
  normalize: builtin('normalize', 'form, unistr, /', (form, text) => {
    if (form !== 'NFC' && form !== 'NFD' && form !== 'NFKC' && form !== 'NFKD')
      return valueError('invalid normalization form')
    return wantString(text, 'normalize', 'unistr').normalize(form)
  }),
  is_normalized: builtin('is_normalized', 'form, unistr, /', (form, text) => {
    const s = wantString(text, 'is_normalized', 'unistr')
    return s.normalize(wantString(form, 'is_normalized', 'form')) === s
  }),
  combining: builtin('combining', 'chr, /', (c) => combiningClass(character(c, 'combining').codePointAt(0)!)),
  category: builtin('category', 'chr, /', (c) => {
    const text = character(c, 'category')
    const at = tests.findIndex((t) => t.test(text))
    return at < 0 ? 'Cn' : CATEGORIES[at]!
  }),
})
