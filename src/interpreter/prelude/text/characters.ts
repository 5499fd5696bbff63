// Kinds of characters, and their upper, lower and title case, by Unicode properties. Most text is ASCII, for which no
// properties are looked up.

import { python } from '../values/mode.js'

/** The white space of `strip`, `split` and `isspace`, as a class for regular expressions. */
export const OTHER_SPACES = python
  ? '\\t-\\r\\x1c-\\x1f\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000'
  : '\\t-\\r\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000'
export const SPACES = `\\x20${OTHER_SPACES}`

/** True if the UTF-16 unit is white space. */
export function isSpace(code: number): boolean {
  if (code > 32 && code < 0x80) return false
  if (code <= 32) return code === 32 || (code >= 9 && code <= 13) || (python && code >= 28)
  if (code === 0x85 || code === 0xa0 || code === 0x1680 || (code >= 0x2000 && code <= 0x200a)) return true
  return code === 0x2028 || code === 0x2029 || code === 0x202f || code === 0x205f || code === 0x3000
}

interface Property {
  /** Each ASCII character of the kind. */
  readonly singles: string
  readonly ascii: RegExp
  readonly all: RegExp
}

// Decimal digits are \p{Nd}. Digits that are not decimal, and numbers that are neither, have no property of their own
// in regular expressions.
const DIGITS =
  '\\p{Nd}\\xb2\\xb3\\xb9\\u1369-\\u1371\\u19da\\u2070\\u2074-\\u2079\\u2080-\\u2089\\u2460-\\u2468\\u2474-\\u247c\\u2488-\\u2490\\u24ea\\u24f5-\\u24fd\\u24ff' +
  '\\u2776-\\u277e\\u2780-\\u2788\\u278a-\\u2792\\u{10a40}-\\u{10a43}\\u{10e60}-\\u{10e68}\\u{11052}-\\u{1105a}\\u{1f100}-\\u{1f10a}'
const NUMERALS =
  '\\p{N}\\uf96b\\uf973\\uf978\\uf9b2\\uf9d1\\uf9d3\\uf9fd\\u3405\\u3483\\u382a\\u3b4d\\u4e00\\u4e03\\u4e07\\u4e09\\u4e5d\\u4e8c\\u4e94\\u4e96\\u4ebf\\u4ec0\\u4edf' +
  '\\u4ee8\\u4f0d\\u4f70\\u5104\\u5146\\u5169\\u516b\\u516d\\u5341\\u5343-\\u5345\\u534c\\u53c1-\\u53c4\\u56db\\u58f1\\u58f9\\u5e7a\\u5efe\\u5eff\\u5f0c-\\u5f0e' +
  '\\u5f10\\u62fe\\u634c\\u67d2\\u6f06\\u7396\\u767e\\u8086\\u842c\\u8cae\\u8cb3\\u8d30\\u9621\\u9646\\u964c\\u9678\\u96f6\\u{20001}\\u{20064}\\u{200e2}\\u{20121}' +
  '\\u{2092a}\\u{20983}\\u{2098c}\\u{2099c}\\u{20aea}\\u{20afd}\\u{20b19}\\u{22390}\\u{22998}\\u{23b1b}\\u{2626d}\\u{2f890}'

function property(ascii: string, all: string): Property {
  const ofKind = new RegExp(`^[${ascii}]+$`)
  let singles = ''
  for (let code = 0; code < 0x80; code++)
    if (ofKind.test(String.fromCharCode(code))) singles += String.fromCharCode(code)
  return { singles, ascii: ofKind, all: new RegExp(`^[${all}]+$`, 'u') }
}

export const ALPHA = property('A-Za-z', '\\p{L}')
export const DECIMAL = property('0-9', '\\p{Nd}')
export const DIGIT = property('0-9', python ? DIGITS : '\\p{Nd}')
export const NUMERIC = property('0-9', NUMERALS)
export const ALNUM = property('A-Za-z0-9', python ? `\\p{L}${DIGITS}${NUMERALS}` : '\\p{L}\\p{Nd}')
export const SPACE = property(python ? '\\t-\\r\\x1c- ' : '\\t-\\r ', SPACES)
const UNPRINTABLE = /(?! )[\p{C}\p{Z}]/u

/** True if a text has at least one character, and all are of the kind. */
export function all(s: string, kind: Property): boolean {
  if (s.length === 1 && s < '\x80') return kind.singles.includes(s)
  return kind.ascii.test(s) || (s !== '' && !isAscii(s) && kind.all.test(s))
}

const ASCII = /^[\0-\x7f]*$/

export function isAscii(s: string): boolean {
  return ASCII.test(s)
}

export function isPrintable(s: string): boolean {
  return !UNPRINTABLE.test(s)
}

/** True if there are cased characters and all of them are lower case. */
export function isLower(s: string): boolean {
  return isAscii(s)
    ? /[a-z]/.test(s) && !/[A-Z]/.test(s)
    : /\p{Lowercase}/u.test(s) && !/[\p{Uppercase}\p{Lt}]/u.test(s)
}

export function isUpper(s: string): boolean {
  return isAscii(s)
    ? /[A-Z]/.test(s) && !/[a-z]/.test(s)
    : /\p{Uppercase}/u.test(s) && !/[\p{Lowercase}\p{Lt}]/u.test(s)
}

/**
 * True if every word is a capital followed by small letters. In Starlark the capital must be in title case, if the
 * letter has a title case.
 */
export function isTitle(s: string): boolean {
  let afterCased = false
  let any = false
  for (const c of s) {
    if (/[\p{Uppercase}\p{Lt}]/u.test(c)) {
      if (afterCased || (!python && titleForm(c) !== c)) return false
      afterCased = true
      any = true
    } else if (/\p{Lowercase}/u.test(c)) {
      if (!afterCased) return false
      any = true
    } else afterCased = false
  }
  return any
}

export function title(s: string): string {
  if (isAscii(s)) return s.toLowerCase().replace(/(?<![a-z])[a-z]/g, (c) => c.toUpperCase())
  let text = ''
  let afterCased = false
  for (let i = 0; i < s.length; ) {
    const c = String.fromCodePoint(s.codePointAt(i)!)
    text += afterCased ? lowerWithin(c, s, i) : titleForm(c)
    afterCased = /[\p{Lowercase}\p{Uppercase}\p{Lt}]/u.test(c)
    i += c.length
  }
  return text
}

/** The lower case of a character in its context: a capital sigma at the end of a word becomes a final sigma. */
function lowerWithin(c: string, s: string, i: number): string {
  if (c !== '\u03a3') return c.toLowerCase()
  return /\p{Cased}\p{Case_Ignorable}*$/u.test(s.slice(0, i)) && !/^\p{Case_Ignorable}*\p{Cased}/u.test(s.slice(i + 1))
    ? '\u03c2'
    : '\u03c3'
}

export function capitalize(s: string): string {
  if (s === '') return s
  if (isAscii(s)) return s.charAt(0).toUpperCase() + s.slice(1).toLowerCase()
  const first = String.fromCodePoint(s.codePointAt(0)!)
  // The whole text is converted, so that the other characters keep their context.
  return titleForm(first) + s.toLowerCase().slice(first.toLowerCase().length)
}

/** A character in the case for the start of a word. */
function titleForm(c: string): string {
  const code = c.codePointAt(0)!
  if (code < 128) return c.toUpperCase()
  if (/\p{Lt}/u.test(c)) return c
  if (code >= 0x1c4 && code <= 0x1cc) return code <= 0x1c6 ? '\u01c5' : code <= 0x1c9 ? '\u01c8' : '\u01cb'
  if (code >= 0x1f1 && code <= 0x1f3) return '\u01f2'
  // Georgian capitals occur only in texts that are all capitals.
  if ((code >= 0x10d0 && code <= 0x10fa) || (code >= 0x10fd && code <= 0x10ff)) return c
  if (code >= 0x1f80 && code <= 0x1fff) return greekTitleForm(c, code)
  if (code === 0x149) return '\u02bcN'
  const upper = c.toUpperCase()
  const first = String.fromCodePoint(upper.codePointAt(0)!)
  return upper === first ? upper : first + upper.slice(first.length).toLowerCase()
}

// Greek vowels with a iota below: one character in title case, two in upper case.
function greekTitleForm(c: string, code: number): string {
  if (code <= 0x1faf) return String.fromCharCode(code | 8)
  if (code === 0x1fb3 || code === 0x1fc3 || code === 0x1ff3) return String.fromCharCode(code + 9)
  const upper = c.toUpperCase()
  return upper.length > 1 && upper.endsWith('\u0399') ? `${upper.slice(0, -1)}\u0345` : upper
}

export function swapCase(s: string): string {
  let text = ''
  for (let i = 0; i < s.length; ) {
    const c = String.fromCodePoint(s.codePointAt(i)!)
    text += /\p{Uppercase}/u.test(c) ? lowerWithin(c, s, i) : /\p{Lowercase}/u.test(c) ? c.toUpperCase() : c
    i += c.length
  }
  return text
}

/** A text that is the same for all texts that differ only in case. */
export function casefold(s: string): string {
  if (isAscii(s)) return s.toLowerCase()
  let text = ''
  for (const c of s) text += foldCharacter(c)
  return text
}

function foldCharacter(c: string): string {
  const code = c.codePointAt(0)!
  // Cherokee folds to upper case letters, which are older.
  if (code >= 0x13f8 && code <= 0x13fd) return String.fromCharCode(code - 8)
  if (code >= 0xab70 && code <= 0xabbf) return String.fromCharCode(code - 0xab70 + 0x13a0)
  if ((code >= 0x13a0 && code <= 0x13f5) || code === 0x131) return c
  if (code === 0x130) return 'i\u0307'
  if (code === 0x1e9e) return 'ss'
  const upper = c.toUpperCase()
  let text = ''
  for (const u of upper) text += u.toLowerCase()
  return text
}

const IDENTIFIER = /^[\p{XIDS}_]\p{XIDC}*$/u

export function isIdentifier(s: string): boolean {
  return IDENTIFIER.test(s)
}

/** The characters of a text. Surrogate pairs are not split. */
export function characters(s: string): string[] {
  return Array.from(s)
}
