// The methods of bytes: `elems` (specification: bytes·elems) and, in the default dialect, Python's. They work on a text
// with one character for each byte, which JavaScript searches and splits in C.

import {
  asIndex,
  endBound,
  given,
  optionalInt,
  startBound,
  wantFlag,
  wantInt,
  wantShortInt,
  wantString,
  wrongCount,
} from '../calls/expect.js'
import { method, onType, textMethod } from '../calls/method-tables.js'
import { builtin, type Callable, type Native } from '../calls/signature.js'
import { items } from '../containers/iterate.js'
import { decodeBytes } from '../text/codecs.js'
import { fill as fillText } from '../text/fill.js'
import { splitBy, splitLastBy } from '../text/splitting.js'
import { textInside } from '../values/contents.js'
import { raise, typeError, valueError } from '../values/errors.js'
import { python } from '../values/mode.js'
import { asName, said } from '../values/said.js'
import { ByteArray, Bytes, isInt, isTuple, TUPLE, toNumber, typeOf, unbool, type Value } from '../values/values.js'
import { Elems } from './elems.js'

type Absent = undefined

function define(name: string, parameters: string, fn: (this: Bytes, ...args: never[]) => Value): void {
  method('bytes', Bytes.prototype, name, parameters, fn as never)
  if (!python) return
  // Methods of a bytearray return bytearrays.
  method('bytearray', ByteArray.prototype, name, parameters, function (this: Bytes, ...args: never[]) {
    return changeable(fn.apply(this, args))
  } as never)
}

function changeable(x: Value): Value {
  if (x instanceof Bytes) return new ByteArray(x.b)
  return Array.isArray(x) && x.some((e) => e instanceof Bytes) ? x.map((e) => changeable(e as Value)) : x
}

/** The bytes as text, with one character for each byte. */
export function latin(b: Uint8Array): string {
  let text = ''
  for (let i = 0; i < b.length; i++) text += String.fromCharCode(b[i]!)
  return text
}

/** The bytes that are the codes of the characters. */
export function fromLatin(text: string): Bytes {
  const b = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) b[i] = text.charCodeAt(i)
  return new Bytes(b)
}

define('elems', '/', function (extra?: Value) {
  if (extra !== undefined) throw wrongCount('bytes', 'elems', 1, 0, 0)
  return new Elems(this, 'elems')
})

function like(x: Value | Absent, name: string): string {
  given(x, 'bytes', name)
  if (x instanceof Bytes) return latin(x.b)
  return typeError(said`a bytes-like object is required, not '${typeOf(x)}'`)
}

function sought(x0: Value | Absent, name: string): string {
  const x = x0 === undefined ? x0 : unbool(asIndex(x0))
  if (x !== undefined && isInt(x)) {
    const byte = toNumber(x)
    if (byte < 0 || byte > 255) valueError('byte must be in range(0, 256)')
    return String.fromCharCode(byte)
  }
  if (x instanceof Bytes) return latin(x.b)
  given(x, 'bytes', name)
  return typeError(said`argument should be integer or bytes-like object, not '${typeOf(x)}'`)
}

function definePython(): void {
  defineSearching()
  defineParts()
  defineTransformations()
  defineQuestions()
}

function defineSearching(): void {
  const find = (
    b: Bytes,
    sub: Value | Absent,
    start: Value | Absent,
    end: Value | Absent,
    name: string,
    last: boolean,
  ): number => {
    const s = latin(b.b)
    const part = sought(sub, name)
    const from = startBound(start, s.length, name)
    const to = endBound(end, s.length, name)
    if (from > to) return -1
    const at = last ? s.slice(from, to).lastIndexOf(part) : s.slice(from, to).indexOf(part)
    return at < 0 ? -1 : at + from
  }
  for (const name of ['find', 'rfind', 'index', 'rindex']) {
    define(name, 'sub, start=, end=, /', function (sub: Value | Absent, start: Value | Absent, end: Value | Absent) {
      const at = find(this, sub, start, end, name, name.startsWith('r'))
      return at < 0 && name.endsWith('index') ? valueError('subsection not found') : at
    })
  }
  define('count', 'sub, start=, end=, /', function (sub: Value | Absent, start: Value | Absent, end: Value | Absent) {
    const part = sought(sub, 'count')
    const s = latin(this.b).slice(startBound(start, this.b.length, 'count'), endBound(end, this.b.length, 'count'))
    return part === '' ? s.length + 1 : s.split(part).length - 1
  })
  for (const name of ['startswith', 'endswith'] as const) {
    define(
      name,
      'affix, start=, end=, /',
      function (affix: Value | Absent, start: Value | Absent, end: Value | Absent) {
        given(affix, 'bytes', name, 1, 3)
        const s = latin(this.b).slice(startBound(start, this.b.length, name), endBound(end, this.b.length, name))
        const all = isTuple(affix) ? affix.slice(1) : [affix]
        return all.some((a) => {
          if (!(a instanceof Bytes))
            return typeError(said`${name} first arg must be bytes or a tuple of bytes, not ${typeOf(affix)}`)
          return name === 'startswith' ? s.startsWith(latin(a.b)) : s.endsWith(latin(a.b))
        })
      },
    )
  }
}

/**
 * Declares a method that applies a string method to the characters of the bytes. A text that it returns becomes bytes.
 */
function asText(name: string, parameters: string, wanted: readonly number[], takesNone = false): void {
  const names = parameters.split(', ').filter((parameter) => parameter !== '/')
  const least = names.filter((parameter) => !parameter.endsWith('=')).length
  define(name, parameters, function (this: Bytes, ...args: (Value | Absent)[]) {
    const got = args.filter((a) => a !== undefined).length
    if (got < least) throw wrongCount('bytes', name, got, least, names.length)
    const mayBeNone = least === 0 || takesNone
    const texts = args.map((a, i) =>
      wanted.includes(i) && a !== undefined && !(a === null && i === 0 && mayBeNone) ? like(a, name) : a,
    )
    const own = asciiMethods[name]!
    return back(own(latin(this.b), texts as never[]))
  } as never)
}

function back(x: Value): Value {
  if (typeof x === 'string') return fromLatin(x)
  return Array.isArray(x) ? x.map((e) => (e === TUPLE ? e : back(e as Value))) : x
}

const SPACE = '\t\n\v\f\r '

function strip(s: string, chars: string, left: boolean, right: boolean): string {
  let from = 0
  let to = s.length
  if (left) while (from < to && chars.indexOf(s[from]!) >= 0) from++
  if (right) while (from < to && chars.indexOf(s[to - 1]!) >= 0) to--
  return s.slice(from, to)
}

function split(s: string, sep: Value | Absent, most: number, fromRight: boolean): string[] {
  if (sep === '') valueError('empty separator')
  if (sep === undefined || sep === null)
    return most < 0 ? (s.match(/[^\t-\r ]+/g) ?? []) : splitWords(s, most, fromRight)
  return fromRight ? splitLastBy(s, sep as string, most) : splitBy(s, sep as string, most)
}

function splitWords(s: string, most: number, fromRight: boolean): string[] {
  const words: string[] = []
  let rest = fromRight ? strip(s, SPACE, false, true) : strip(s, SPACE, true, false)
  while (rest !== '' && words.length < most) {
    const m = fromRight ? /[^\t-\r ]+$/.exec(rest)! : /^[^\t-\r ]+/.exec(rest)!
    if (fromRight) {
      words.unshift(m[0])
      rest = strip(rest.slice(0, -m[0].length), SPACE, false, true)
    } else {
      words.push(m[0])
      rest = strip(rest.slice(m[0].length), SPACE, true, false)
    }
  }
  if (rest !== '') fromRight ? words.unshift(rest) : words.push(rest)
  return words
}

const asciiMethods: Record<string, (s: string, args: (Value | Absent)[]) => Value> = {
  strip: (s, [chars]) => strip(s, (chars as string) ?? SPACE, true, true),
  lstrip: (s, [chars]) => strip(s, (chars as string) ?? SPACE, true, false),
  rstrip: (s, [chars]) => strip(s, (chars as string) ?? SPACE, false, true),
  split: (s, [sep, most]) => split(s, sep, optionalInt(most, -1, 'split', 'maxsplit'), false),
  rsplit: (s, [sep, most]) => split(s, sep, optionalInt(most, -1, 'rsplit', 'maxsplit'), true),
  partition: (s, [sep]) => {
    if (sep === '') valueError('empty separator')
    const at = s.indexOf(sep as string)
    return at < 0 ? [TUPLE, s, '', ''] : [TUPLE, s.slice(0, at), sep as string, s.slice(at + (sep as string).length)]
  },
  rpartition: (s, [sep]) => {
    if (sep === '') valueError('empty separator')
    const at = s.lastIndexOf(sep as string)
    return at < 0 ? [TUPLE, '', '', s] : [TUPLE, s.slice(0, at), sep as string, s.slice(at + (sep as string).length)]
  },
  removeprefix: (s, [p]) => (s.startsWith(p as string) ? s.slice((p as string).length) : s),
  removesuffix: (s, [p]) => (p !== '' && s.endsWith(p as string) ? s.slice(0, -(p as string).length) : s),
  replace: (s, [old, by, most]) => {
    const n = optionalInt(most, -1, 'replace', 'count')
    const parts = old === '' ? ['', ...s.split(''), ''] : s.split(old as string)
    if (n < 0 || parts.length <= n + 1) return parts.join(by as string)
    return (
      parts.slice(0, n + 1).join(by as string) +
      (n < parts.length - 1 ? (old as string) + parts.slice(n + 1).join(old as string) : '')
    )
  },
  splitlines: (s, [keepends]) => {
    const lines = s.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? []
    return wantFlag(keepends, 'splitlines', 'keepends') ? lines : lines.map((l) => l.replace(/(?:\r\n|\r|\n)$/, ''))
  },
  upper: (s) => s.replace(/[a-z]+/g, (c) => c.toUpperCase()),
  lower: (s) => s.replace(/[A-Z]+/g, (c) => c.toLowerCase()),
  swapcase: (s) => s.replace(/[a-z]+|[A-Z]+/g, (c) => (c < 'a' ? c.toLowerCase() : c.toUpperCase())),
  capitalize: (s) => s.replace(/[A-Z]+/g, (c) => c.toLowerCase()).replace(/^[a-z]/, (c) => c.toUpperCase()),
  expandtabs: (s, args) => textMethod('expandtabs')!.apply(s, args),
  translate: (s, [table, gone]) => {
    if (table !== null && (table as string).length !== 256) valueError('translation table must be 256 characters long')
    let text = ''
    for (const c of s)
      if (gone === undefined || !(gone as string).includes(c))
        text += table === null ? c : (table as string)[c.charCodeAt(0)]!
    return text
  },
  title: (s) => s.replace(/[A-Za-z]+/g, (c) => c[0]!.toUpperCase() + c.slice(1).toLowerCase()),
}

function defineParts(): void {
  for (const name of ['strip', 'lstrip', 'rstrip']) asText(name, 'chars=, /', [0])
  for (const name of ['split', 'rsplit']) asText(name, 'sep=, maxsplit=', [0])
  for (const name of ['partition', 'rpartition']) asText(name, 'sep, /', [0])
  for (const name of ['removeprefix', 'removesuffix']) asText(name, 'affix, /', [0])
  asText('replace', 'old, new, count=, /', [0, 1])
  asText('expandtabs', 'tabsize=', [])
  asText('translate', 'table, /, delete=', [0, 1], true)
  asText('splitlines', 'keepends=', [])
  for (const name of ['upper', 'lower', 'swapcase', 'capitalize', 'title']) asText(name, '/', [])
}

function hexText(b: Uint8Array, sep: Value | Absent, perGroup: Value | Absent): string {
  const pairs = Array.from(b, (n) => n.toString(16).padStart(2, '0'))
  if (sep === undefined) return pairs.join('')
  const by = textInside(sep) ?? (typeof sep === 'string' ? sep : like(sep, 'hex'))
  if (by.length !== 1) valueError('sep must be length 1.')
  const size = perGroup === undefined ? 1 : wantShortInt(perGroup, 'hex', 'bytes_per_sep')
  if (size === 0) return pairs.join('')
  const groups: string[] = []
  const n = Math.abs(size)
  const first = size > 0 ? pairs.length % n || n : n
  for (let i = 0; i < pairs.length; ) {
    const end = i === 0 ? first : i + n
    groups.push(pairs.slice(i, end).join(''))
    i = end
  }
  return groups.join(by)
}

function defineTransformations(): void {
  define('decode', 'encoding=, errors=', function (encoding: Value | Absent, errors: Value | Absent) {
    return decodeBytes(
      this.b,
      encoding === undefined ? 'utf-8' : wantString(encoding, 'decode', 'encoding'),
      errors === undefined ? 'strict' : wantString(errors, 'decode', 'errors'),
    )
  })
  define('hex', 'sep=, bytes_per_sep=', function (sep: Value | Absent, perGroup: Value | Absent) {
    return hexText(this.b, sep, perGroup)
  })
  define('join', 'iterable, /', function (iterable: Value | Absent) {
    given(iterable, 'bytes', 'join')
    const parts = items(iterable).map((x, i) => {
      if (!(x instanceof Bytes))
        return typeError(said`sequence item ${i}: expected a bytes-like object, ${typeOf(x)} found`)
      return latin(x.b)
    })
    return fromLatin(parts.join(latin(this.b)))
  })
  for (const name of ['ljust', 'rjust', 'center']) {
    define(name, 'width, fillbyte=, /', function (width: Value | Absent, fill: Value | Absent) {
      given(width, 'bytes', name, 1, 2)
      const missing = Math.max(0, wantInt(width, name, 'width') - this.b.length)
      const f = fill === undefined ? ' ' : like(fill, name)
      if (f.length !== 1) typeError(said`${asName(name)}() argument 2 must be a byte string of length 1, not bytes`)
      const left =
        name === 'ljust'
          ? 0
          : name === 'rjust'
            ? missing
            : Math.floor(missing / 2) + (missing & (missing + this.b.length) & 1)
      return fromLatin(fillText(f, left) + latin(this.b) + fillText(f, missing - left))
    })
  }
  define('zfill', 'width, /', function (width: Value | Absent) {
    given(width, 'bytes', 'zfill')
    const s = latin(this.b)
    const zeros = fillText('0', wantInt(width, 'zfill', 'width') - s.length)
    return fromLatin(/^[+-]/.test(s) ? s[0]! + zeros + s.slice(1) : zeros + s)
  })
}

function defineQuestions(): void {
  const questions: Record<string, (s: string) => boolean> = {
    isalnum: (s) => /^[A-Za-z0-9]+$/.test(s),
    isalpha: (s) => /^[A-Za-z]+$/.test(s),
    isascii: (s) => /^[\0-\x7f]*$/.test(s),
    isdigit: (s) => /^[0-9]+$/.test(s),
    isspace: (s) => /^[\t-\r ]+$/.test(s),
    islower: (s) => /[a-z]/.test(s) && !/[A-Z]/.test(s),
    isupper: (s) => /[A-Z]/.test(s) && !/[a-z]/.test(s),
    istitle: (s) => /[A-Za-z]/.test(s) && !/[A-Za-z][A-Z]|(?<![A-Za-z])[a-z]/.test(s),
  }
  for (const name of Object.keys(questions)) {
    define(name, '/', function () {
      return questions[name]!(latin(this.b))
    })
  }
}

/** `bytes.maketrans`. */
const maketrans: Callable = builtin('maketrans', 'frm, to, /', (from, to) => {
  const [a, b] = [like(from, 'maketrans'), like(to, 'maketrans')]
  if (a.length !== b.length) valueError('maketrans arguments must have same length')
  const table = Uint8Array.from({ length: 256 }, (_, i) => i)
  for (let i = 0; i < a.length; i++) table[a.charCodeAt(i)] = b.charCodeAt(i)
  return new Bytes(table)
})

/** `bytes.fromhex`. */
export const fromhex: Callable = builtin('fromhex', 'string, /', (text) => {
  const digits = wantString(text, 'fromhex', 'string').replace(/[\t-\r ]/g, '')
  const bad = /[^0-9a-fA-F]/.exec(digits)
  if (bad !== null || digits.length % 2 === 1) {
    raise(
      'ValueError',
      said`non-hexadecimal number found in fromhex() arg at position ${bad === null ? digits.length : bad.index}`,
    )
  }
  const b = new Uint8Array(digits.length / 2)
  for (let i = 0; i < b.length; i++) b[i] = Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16)
  return new Bytes(b)
})

const byteArrayFromhex: Callable = builtin('fromhex', 'string, /', (text) =>
  changeable((fromhex as unknown as Native)(text)),
)

if (python) definePython()
onType('bytearray', 'fromhex', byteArrayFromhex)
onType('bytes', 'fromhex', fromhex)
onType('bytes', 'maketrans', maketrans)
onType('bytearray', 'maketrans', maketrans)
