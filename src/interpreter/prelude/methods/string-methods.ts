// Starlark's methods of strings (specification: Built-in methods, string·…), for both dialects. Indices count UTF-16
// units. python-string-methods.ts has Python's further methods.

import {
  endBound,
  given,
  optionalInt,
  startBound,
  wantFlag,
  wantString,
  wrongCount,
  wrongType,
} from '../calls/expect.js'
import { method } from '../calls/method-tables.js'
import { dictIsEmpty } from '../containers/dict.js'
import { items, notIterable } from '../containers/iterate.js'
import * as characters from '../text/characters.js'
import { isRewritable, rewritten } from '../text/rewriting.js'
import { splitBy, splitLastBy } from '../text/splitting.js'
import { textInside } from '../values/contents.js'
import { GuestError, guestError, valueError } from '../values/errors.js'
import { python } from '../values/mode.js'
import { asName, type Said, said, word } from '../values/said.js'
import { isTuple, TUPLE, type Tuple, typeOf, type Value } from '../values/values.js'
import { formatBraces } from './brace-format.js'
import { Elems } from './elems.js'

const prototype = String.prototype
type Absent = undefined

function define(name: string, parameters: string, fn: (this: string, ...args: never[]) => Value): void {
  method('str', prototype, name, parameters, fn as never)
}

// ---- searching -------------------------------------------------------------------------------------------------

define('find', 'sub, start=, end=, /', function (sub: Value | Absent, start: Value | Absent, end: Value | Absent) {
  if (start === undefined && typeof sub === 'string') return this.indexOf(sub)
  return find(this, sub, start, end, 'find')
})

define('rfind', 'sub, start=, end=, /', function (sub: Value | Absent, start: Value | Absent, end: Value | Absent) {
  return findLast(this, sub, start, end, 'rfind')
})

// The `index` of lists, tuples and bytes takes no more arguments than this one.
define('index', 'sub, start=, end=, /', function (sub: Value | Absent, start: Value | Absent, end: Value | Absent) {
  const at = find(this, sub, start, end, 'index')
  if (at < 0) throw notFound()
  return at
})

define('rindex', 'sub, start=, end=, /', function (sub: Value | Absent, start: Value | Absent, end: Value | Absent) {
  const at = findLast(this, sub, start, end, 'rindex')
  if (at < 0) throw notFound()
  return at
})

function notFound(): GuestError {
  return guestError('ValueError', 'substring not found')
}

function find(s: string, sub0: Value | Absent, start: Value | Absent, end: Value | Absent, fn: string): number {
  const sub = wantString(sub0, fn, 'sub')
  const from = startBound(start, s.length, fn)
  const to = endBound(end, s.length, fn)
  if (from > to) return -1
  const at = to === s.length ? s.indexOf(sub, from) : s.slice(0, to).indexOf(sub, from)
  return at
}

function findLast(s: string, sub0: Value | Absent, start: Value | Absent, end: Value | Absent, fn: string): number {
  const sub = wantString(sub0, fn, 'sub')
  const from = startBound(start, s.length, fn)
  const to = endBound(end, s.length, fn)
  if (from > to) return -1
  const at = s.lastIndexOf(sub, to - sub.length)
  return at < from || to - sub.length < from ? -1 : at
}

define('count', 'sub, start=, end=, /', function (sub0: Value | Absent, start: Value | Absent, end: Value | Absent) {
  const sub = wantString(sub0, 'count', 'sub')
  if (start === undefined) return count(this, sub)
  const from = startBound(start, this.length, 'count')
  const to = endBound(end, this.length, 'count')
  return from > to ? 0 : count(this.slice(from, to), sub)
})

function count(s: string, sub: string): number {
  if (sub === '') return (python ? characters.characters(s).length : s.length) + 1
  let n = 0
  for (let at = s.indexOf(sub); at >= 0; at = s.indexOf(sub, at + sub.length)) n++
  return n
}

define(
  'startswith',
  'prefix, start=, end=, /',
  function (prefix: Value | Absent, start: Value | Absent, end: Value | Absent) {
    if (start === undefined && typeof prefix === 'string') return this.startsWith(prefix)
    return affix(this, prefix, start, end, 'startswith', 'prefix')
  },
)

define(
  'endswith',
  'suffix, start=, end=, /',
  function (suffix: Value | Absent, start: Value | Absent, end: Value | Absent) {
    if (start === undefined && typeof suffix === 'string') return this.endsWith(suffix)
    return affix(this, suffix, start, end, 'endswith', 'suffix')
  },
)

function affix(
  s: string,
  sought: Value | Absent,
  start: Value | Absent,
  end: Value | Absent,
  fn: 'startswith' | 'endswith',
  parameter: string,
): boolean {
  given(sought, 'str', fn, 1, 3)
  const from = startBound(start, s.length, fn)
  const to = endBound(end, s.length, fn)
  const part = from === 0 && to === s.length ? s : from > to ? undefined : s.slice(from, to)
  if (typeof sought === 'string') return part !== undefined && has(part, sought, fn)
  if (!isTuple(sought)) {
    const text = textInside(sought)
    if (text !== undefined) return part !== undefined && has(part, text, fn)
    throw wrongType(
      fn,
      parameter,
      sought,
      python ? 'str' : 'string or tuple',
      said`${fn} first arg must be str or a tuple of str, not ${typeOf(sought)}`,
    )
  }
  for (let i = 1; i < sought.length; i++) {
    const one = textInside(sought[i]) ?? (sought[i] as Value)
    if (typeof one !== 'string') {
      if (python) throw guestError('TypeError', said`tuple for ${fn} must only contain str, not ${typeOf(one)}`)
      throw guestError('TypeError', said`${fn}: got ${typeOf(one)}, for element ${i - 1}, want string`)
    }
    if (part !== undefined && has(part, one, fn)) return true
  }
  return false
}

function has(s: string, affixed: string, fn: 'startswith' | 'endswith'): boolean {
  return fn === 'startswith' ? s.startsWith(affixed) : s.endsWith(affixed)
}

// ---- parts -----------------------------------------------------------------------------------------------------

define('partition', 'sep, /', function (sep0: Value | Absent) {
  const sep = separator(sep0, 'partition')
  const at = this.indexOf(sep)
  return at < 0 ? [TUPLE, `${this}`, '', ''] : [TUPLE, this.slice(0, at), sep, this.slice(at + sep.length)]
})

define('rpartition', 'sep, /', function (sep0: Value | Absent) {
  const sep = separator(sep0, 'rpartition')
  const at = this.lastIndexOf(sep)
  return at < 0 ? [TUPLE, '', '', `${this}`] : [TUPLE, this.slice(0, at), sep, this.slice(at + sep.length)]
})

function separator(sep0: Value | Absent, fn: string): string {
  const sep = wantString(sep0, fn, 'sep')
  if (sep === '') valueError('empty separator')
  return sep
}

define('removeprefix', 'prefix, /', function (prefix0: Value | Absent) {
  const prefix = wantString(prefix0, 'removeprefix', 'prefix', removal('removeprefix', prefix0))
  return this.startsWith(prefix) ? this.slice(prefix.length) : `${this}`
})

define('removesuffix', 'suffix, /', function (suffix0: Value | Absent) {
  const suffix = wantString(suffix0, 'removesuffix', 'suffix', removal('removesuffix', suffix0))
  return suffix !== '' && this.endsWith(suffix) ? this.slice(0, -suffix.length) : `${this}`
})

function removal(fn: string, x: Value | Absent): Said | undefined {
  return typeof x === 'string' || x === undefined
    ? undefined
    : said`${word(fn)}() argument must be str, not ${typeOf(x)}`
}

define(
  'split',
  python ? 'sep=, maxsplit=' : 'sep=, maxsplit=, /',
  function (sep0: Value | Absent, maxsplit: Value | Absent) {
    const sep = textInside(sep0) ?? sep0
    if (typeof sep === 'string') {
      if (sep === '') valueError('empty separator')
      return maxsplit === undefined
        ? this.split(sep)
        : splitBy(this, sep, optionalInt(maxsplit, -1, 'split', 'maxsplit'))
    }
    wantNone(sep, 'split')
    return splitWords(this, optionalInt(maxsplit, -1, 'split', 'maxsplit'))
  },
)

define(
  'rsplit',
  python ? 'sep=, maxsplit=' : 'sep=, maxsplit=, /',
  function (sep0: Value | Absent, maxsplit: Value | Absent) {
    const sep = textInside(sep0) ?? sep0
    const most = optionalInt(maxsplit, -1, 'rsplit', 'maxsplit')
    if (typeof sep === 'string') {
      if (sep === '') valueError('empty separator')
      return splitLastBy(this, sep, most)
    }
    wantNone(sep, 'rsplit')
    return splitLastWords(this, most)
  },
)

function wantNone(sep: Value | Absent, fn: string): void {
  if (sep === undefined || sep === null) return
  throw wrongType(fn, 'sep', sep, 'string or None', said`must be str or None, not ${typeOf(sep)}`)
}

const WORDS = new RegExp(`[^${characters.SPACES}]+`, 'g')
/** Shorter texts are not worth the way to the host. */
const SHORTEST = 1000
const OTHER_SPACE = new RegExp(`[${characters.OTHER_SPACES}]`)

/** The words of a text with one space between them. */
function wordsOf(text: string): string[] {
  return text === '' ? [] : text.split(' ')
}

function splitWords(s: string, most: number): string[] {
  if (most < 0) {
    if (s.length >= SHORTEST && isRewritable(s)) return wordsOf(rewritten(`w${characters.SPACES}\n`, s) ?? s)
    if (OTHER_SPACE.test(s)) return s.match(WORDS) ?? []
    const parts = s.split(' ')
    return parts.includes('') ? parts.filter((part) => part !== '') : parts
  }
  const words: string[] = []
  let i = 0
  for (;;) {
    while (i < s.length && characters.isSpace(s.charCodeAt(i))) i++
    if (i >= s.length) return words
    if (words.length >= most) {
      words.push(s.slice(i))
      return words
    }
    const from = i
    while (i < s.length && !characters.isSpace(s.charCodeAt(i))) i++
    words.push(s.slice(from, i))
  }
}

function splitLastWords(s: string, most: number): string[] {
  if (most < 0) return splitWords(s, -1)
  const words: string[] = []
  let i = s.length
  for (;;) {
    while (i > 0 && characters.isSpace(s.charCodeAt(i - 1))) i--
    if (i === 0) return words.reverse()
    if (words.length >= most) {
      words.push(s.slice(0, i))
      return words.reverse()
    }
    const to = i
    while (i > 0 && !characters.isSpace(s.charCodeAt(i - 1))) i--
    words.push(s.slice(i, to))
  }
}

const LINE = python ? /\r\n|[\n-\r\x1c-\x1e\x85\u2028\u2029]/g : /\r\n|\n|\r/g

define('splitlines', python ? 'keepends=' : 'keepends=, /', function (keepends: Value | Absent) {
  if (!python && keepends !== undefined && typeof keepends !== 'boolean')
    throw wrongType('splitlines', 'keepends', keepends, 'bool')
  const keep = wantFlag(keepends, 'splitlines', 'keepends')
  const s = `${this}`
  const lines: string[] = []
  let from = 0
  LINE.lastIndex = 0
  for (let m = LINE.exec(s); m !== null; m = LINE.exec(s)) {
    const end = m.index + m[0].length
    lines.push(s.slice(from, keep ? end : m.index))
    from = end
  }
  if (from < s.length) lines.push(s.slice(from))
  return lines
})

for (const view of ['elems', 'elem_ords', 'codepoints', 'codepoint_ords'] as const) {
  define(view, '/', function (extra?: Value) {
    none(extra, view)
    return new Elems(this, view)
  })
}

function none(extra: Value | Absent, fn: string): void {
  if (extra !== undefined) throw wrongCount('str', fn, 1, 0, 0)
}

// ---- joining and replacing -------------------------------------------------------------------------------------

define('join', 'iterable, /', function (iterable: Value | Absent) {
  given(iterable, 'str', 'join')
  const all = joinable(iterable)
  let texts = all
  for (let i = 0; i < all.length; i++) {
    if (typeof all[i] === 'string') continue
    const text = textInside(all[i])
    if (text === undefined) throw notText(i, all[i]!)
    if (texts === all) texts = all.slice()
    ;(texts as Value[])[i] = text
  }
  return texts.join(this as string)
})

function joinable(x: Value): readonly Value[] {
  if (Array.isArray(x) && x[0] !== TUPLE) return x as Value[]
  try {
    return items(x)
  } catch (e) {
    if (python && e instanceof GuestError && e.message === notIterable(x).message)
      throw guestError('TypeError', 'can only join an iterable')
    throw e
  }
}

function notText(i: number, x: Value): GuestError {
  if (python) {
    return guestError('TypeError', said`sequence item ${i}: expected str instance, ${typeOf(x)} found`, {
      hint: 'convert the elements first: sep.join([str(x) for x in items])',
    })
  }
  return guestError('TypeError', said`join: in list, want string, got ${typeOf(x)}`)
}

define('replace', 'old, new, count=, /', function (old0: Value | Absent, new0: Value | Absent, count0: Value | Absent) {
  const argument = (n: number, x: Value | Absent): Said | undefined =>
    typeof x === 'string' || x === undefined ? undefined : said`replace() argument ${n} must be str, not ${typeOf(x)}`
  if (old0 === undefined || new0 === undefined) throw wrongCount('str', 'replace', old0 === undefined ? 0 : 1, 2, 3)
  const old = typeof old0 === 'string' ? old0 : wantString(old0, 'replace', 'old', argument(1, old0))
  const by = typeof new0 === 'string' ? new0 : wantString(new0, 'replace', 'new', argument(2, new0))
  const most = count0 === undefined ? -1 : optionalInt(count0, -1, 'replace', 'count')
  if (most < 0) {
    if (old === '') return between(this, by, -1)
    return by.indexOf('$') < 0 ? this.replaceAll(old, by) : this.split(old).join(by)
  }
  return old === '' ? between(this, by, most) : splitBy(this, old, most).join(by)
})

/** Puts a text before each of the first `most` characters and, if `most` allows one more, at the end. */
function between(s: string, by: string, most: number): string {
  const all = python ? characters.characters(s) : s.split('')
  if (most < 0 || most > all.length) return by + all.map((c) => c + by).join('')
  let text = ''
  for (let i = 0; i < all.length; i++) text += i < most ? by + all[i] : all[i]
  return text
}

// ---- trimming --------------------------------------------------------------------------------------------------

define('strip', 'chars=, /', function (chars: Value | Absent) {
  return strip(this, chars, 'strip', true, true)
})
define('lstrip', 'chars=, /', function (chars: Value | Absent) {
  return strip(this, chars, 'lstrip', true, false)
})
define('rstrip', 'chars=, /', function (chars: Value | Absent) {
  return strip(this, chars, 'rstrip', false, true)
})

function strip(s: string, chars0: Value | Absent, fn: string, left: boolean, right: boolean): string {
  const chars = typeof chars0 === 'object' ? (textInside(chars0) ?? chars0) : chars0
  // starlark-go treats an empty set of characters as white space.
  if (chars === undefined || chars === null || (!python && chars === '')) return stripSpace(s, left, right)
  if (typeof chars !== 'string') {
    throw wrongType(fn, 'chars', chars, 'string', said`${asName(fn)} arg must be None or str, not ${typeOf(chars)}`)
  }
  if (chars !== lastChars) {
    if (python && /[\ud800-\udfff]/.test(chars)) return stripCharacters(s, chars, left, right)
    tabulate(chars)
  }
  // If the last text lost many characters, this one probably does.
  const text = stripsMany && left && right ? s.replace(atEnds, '') : stripUnits(s, left, right)
  stripsMany = s.length - text.length > MANY
  return text
}

/** With fewer characters to strip, a loop is faster than a regular expression. */
const MANY = 3

// Programs strip the same few characters again and again, so the last ones are kept as a table of UTF-16 units and as a
// regular expression.
let lastChars = ''
let inLastChars: number[] = []
let atEnds = /(?!)/g
let stripsMany = false

function tabulate(chars: string): void {
  lastChars = chars
  inLastChars = []
  let some = ''
  for (let i = 0; i < chars.length; i++) {
    const unit = chars.charCodeAt(i)
    inLastChars[unit] = 1
    some += `\\u${unit.toString(16).padStart(4, '0')}`
  }
  atEnds = some === '' ? /(?!)/g : new RegExp(`^[${some}]+|[${some}]+$`, 'g')
  stripsMany = false
}

function stripUnits(s: string, left: boolean, right: boolean): string {
  const isIn = inLastChars
  let from = 0
  let to = s.length
  // Beyond the end, the code is NaN.
  if (left) while (isIn[s.charCodeAt(from)] === 1) from++
  if (right && from < to) while (isIn[s.charCodeAt(to - 1)] === 1) to--
  return s.slice(from, to)
}

/**
 * The engine's own trimming knows no white space of Python below U+0020 but that of JavaScript, nor U+0085, and trims a
 * byte order mark.
 */
function stripSpace(s: string, left: boolean, right: boolean): string {
  const text = left ? (right ? s.trim() : s.trimStart()) : s.trimEnd()
  const n = text.length
  if (n === 0 || (n < s.length && s.includes('\ufeff'))) return stripSpaces(s, left, right)
  const isTrimmed = !(left && isOddSpace(text.charCodeAt(0))) && !(right && isOddSpace(text.charCodeAt(n - 1)))
  return isTrimmed ? text : stripSpaces(text, left, right)
}

function isOddSpace(code: number): boolean {
  return code <= 32 || code === 0x85
}

function stripSpaces(s: string, left: boolean, right: boolean): string {
  let from = 0
  let to = s.length
  const { isSpace } = characters
  if (left) while (isSpace(s.charCodeAt(from))) from++
  if (right && from < to) while (isSpace(s.charCodeAt(to - 1))) to--
  return s.slice(from, to)
}

function stripCharacters(s: string, chars: string, left: boolean, right: boolean): string {
  const set = new Set(chars)
  const all = characters.characters(s)
  let from = 0
  let to = all.length
  if (left) while (from < to && set.has(all[from]!)) from++
  if (right) while (from < to && set.has(all[to - 1]!)) to--
  return all.slice(from, to).join('')
}

// ---- case ------------------------------------------------------------------------------------------------------

const cases: Readonly<Record<string, (s: string) => string>> = {
  upper: (s) => s.toUpperCase(),
  lower: (s) => s.toLowerCase(),
  capitalize: characters.capitalize,
  title: characters.title,
  ...(python ? { casefold: characters.casefold, swapcase: characters.swapCase } : {}),
}
for (const [name, inCase] of Object.entries(cases)) {
  define(name, '/', function (extra?: Value) {
    none(extra, name)
    return inCase(this)
  })
}

// ---- questions -------------------------------------------------------------------------------------------------

const questions: Readonly<Record<string, (s: string) => boolean>> = {
  isalnum: (s) => characters.all(s, characters.ALNUM),
  isalpha: (s) => characters.all(s, characters.ALPHA),
  isdigit: (s) => characters.all(s, characters.DIGIT),
  isspace: (s) => characters.all(s, characters.SPACE),
  islower: characters.isLower,
  isupper: characters.isUpper,
  istitle: characters.isTitle,
  ...(python
    ? {
        isascii: characters.isAscii,
        isdecimal: (s) => characters.all(s, characters.DECIMAL),
        isnumeric: (s) => characters.all(s, characters.NUMERIC),
        isidentifier: characters.isIdentifier,
        isprintable: characters.isPrintable,
      }
    : {}),
}
for (const [name, is] of Object.entries(questions)) {
  define(name, '/', function () {
    return is(this)
  })
}

// ---- formatting ------------------------------------------------------------------------------------------------

define('format', '*args, **kwargs', function (args: Value | Absent, kwargs: Value | Absent) {
  const named = kwargs === undefined || dictIsEmpty(kwargs as object) ? undefined : (kwargs as object)
  return formatBraces(this as string, args === undefined ? [] : (args as Tuple).slice(1), named)
})
