// Text to bytes and back, in the encodings that a program can name (UTF-8, UTF-16, UTF-32, ASCII, Latin-1, Latin-9,
// Windows-1252, those of domain names and those of escapes), with Python's error handlers.

import { type GuestError, guestError, raise } from '../values/errors.js'
import { said, spelled, word } from '../values/said.js'
import { Bytes } from '../values/values.js'
import { fromAscii, fromPunycode, toAscii, toPunycode } from './domain-names.js'
import { ESCAPE, escaped, unescaped } from './escapes.js'
import { quoted } from './repr.js'
import { decodeUtf8, encodeUtf8 } from './utf8.js'

type Codec =
  | 'utf-8'
  | 'utf-8-sig'
  | 'ascii'
  | 'latin-1'
  | 'latin-9'
  | 'cp1252'
  | 'utf-16'
  | 'utf-16-le'
  | 'utf-16-be'
  | 'utf-32'
  | 'utf-32-le'
  | 'utf-32-be'
  | 'unicode-escape'
  | 'raw-unicode-escape'
  | 'idna'
  | 'punycode'

const NAMES: Record<string, Codec> = {
  utf8: 'utf-8',
  u8: 'utf-8',
  utf8sig: 'utf-8-sig',
  ascii: 'ascii',
  usascii: 'ascii',
  latin1: 'latin-1',
  iso88591: 'latin-1',
  l1: 'latin-1',
  iso885915: 'latin-9',
  latin9: 'latin-9',
  cp1252: 'cp1252',
  windows1252: 'cp1252',
  utf16: 'utf-16',
  utf16le: 'utf-16-le',
  utf16be: 'utf-16-be',
  utf32: 'utf-32',
  utf32le: 'utf-32-le',
  utf32be: 'utf-32-be',
  unicodeescape: 'unicode-escape',
  rawunicodeescape: 'raw-unicode-escape',
  idna: 'idna',
  punycode: 'punycode',
}

/** The characters beyond ASCII that differ from Latin-1, for each byte. U+FFFD means no character. */
const CHARMAPS = {
  'latin-9': charmap(0xa4, '€¥Š§š©ª«¬\xad®¯°±²³Žµ¶·ž¹º»ŒœŸ'),
  cp1252: charmap(0x80, '€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ'),
}

interface Charmap {
  readonly characters: ReadonlyMap<number, string>
  readonly bytes: ReadonlyMap<string, number>
  readonly unfit: RegExp
}

function charmap(from: number, characters: string): Charmap {
  const pairs = [...characters].map((c, i) => [from + i, c] as const)
  const outside = `\\x${(from + pairs.length).toString(16)}-\\xff`
  return {
    characters: new Map(pairs),
    bytes: new Map(pairs.map(([byte, c]) => [c, byte])),
    unfit: new RegExp(`[^\\0-\\x${(from - 1).toString(16)}${outside}${characters.replaceAll('\ufffd', '')}]`, 'u'),
  }
}

function codec(name: string): Codec {
  const found = NAMES[name.toLowerCase().replace(/[-_ ]/g, '')]
  return (
    found ??
    raise('LookupError', said`unknown encoding: ${spelled(name)}`, {
      hint: 'use utf-8, ascii, latin-1, cp1252, utf-16 or utf-32',
    })
  )
}

/** `text.encode(encoding, errors)`. */
export function encodeText(text: string, encoding: string, errors: string): Bytes {
  const c = codec(encoding)
  switch (c) {
    case 'utf-8':
      return errors === 'surrogateescape' && ESCAPED.test(text)
        ? new Bytes(Uint8Array.from(text.split(ESCAPED).flatMap((part) => [...bytesOfPart(part)])))
        : new Bytes(encodeUtf8(fitting(text, 'utf-8', /\p{Cs}/u, errors, 'surrogates not allowed')))
    case 'utf-8-sig':
      return new Bytes(encodeUtf8(`\ufeff${fitting(text, 'utf-8', /\p{Cs}/u, errors, 'surrogates not allowed')}`))
    case 'ascii':
      return singleBytes(fitting(text, 'ascii', /[^\0-\x7f]/u, errors, 'ordinal not in range(128)'))
    case 'latin-1':
      return singleBytes(fitting(text, 'latin-1', /[^\0-\xff]/u, errors, 'ordinal not in range(256)'))
    case 'latin-9':
    case 'cp1252': {
      const { bytes, unfit } = CHARMAPS[c]
      const fit = fitting(text, 'charmap', unfit, errors, 'character maps to <undefined>')
      return singleBytes(fit.replace(/[^\0-\x7f]/g, (x) => String.fromCharCode(bytes.get(x) ?? x.charCodeAt(0))))
    }
    case 'unicode-escape':
    case 'raw-unicode-escape':
      return singleBytes(escaped(text, c === 'raw-unicode-escape'))
    case 'idna':
      return singleBytes(toAscii(text, errors))
    case 'punycode':
      return singleBytes(toPunycode(text))
    default:
      return new Bytes(wide(fitting(text, c, /\p{Cs}/u, errors, 'surrogates not allowed'), c))
  }
}

/** A byte that could not be decoded, in the form of `surrogateescape`. */
const ESCAPED = /([\udc80-\udcff])/u

function bytesOfPart(part: string): Uint8Array {
  return ESCAPED.test(part) ? Uint8Array.of(part.charCodeAt(0) - 0xdc00) : encodeText(part, 'utf-8', 'strict').b
}

/** The text without the characters that an encoding lacks. `errors` decides what becomes of them. */
function fitting(text: string, encoding: string, unfit: RegExp, errors: string, why: string): string {
  if (!unfit.test(text)) return text
  const strict = (): never => {
    throw cannotEncode(Array.from(text), encoding, unfit, why)
  }
  if (errors === 'strict') strict()
  let out = ''
  for (const c of text) out += unfit.test(c) ? (replaced(c, errors) ?? strict()) : c
  return out
}

function cannotEncode(all: readonly string[], encoding: string, unfit: RegExp, why: string): GuestError {
  const from = all.findIndex((c) => unfit.test(c))
  let to = from + 1
  while (to < all.length && unfit.test(all[to]!)) to++
  const what =
    to === from + 1
      ? said`character ${spelled(`'${quoteCode(all[from]!.codePointAt(0)!)}'`, all[from])} in position ${from}`
      : said`characters in position ${from}-${to - 1}`
  return guestError('UnicodeEncodeError', said`'${word(encoding)}' codec can't encode ${what}: ${word(why)}`)
}

/** The replacement of a character. Undefined if the handler has none. */
function replaced(c: string, errors: string): string | undefined {
  const code = c.codePointAt(0)!
  switch (errors) {
    case 'ignore':
      return ''
    case 'replace':
      return '?'
    case 'xmlcharrefreplace':
      return `&#${code};`
    case 'backslashreplace':
      return quoteCode(code)
    case 'surrogateescape':
      return ESCAPED.test(c) ? String.fromCharCode(code - 0xdc00) : undefined
    default:
      return raise('LookupError', said`unknown error handler name ${quoted(errors)}`)
  }
}

function quoteCode(code: number): string {
  const hex = code.toString(16)
  return code < 256
    ? `\\x${hex.padStart(2, '0')}`
    : code < 0x10000
      ? `\\u${hex.padStart(4, '0')}`
      : `\\U${hex.padStart(8, '0')}`
}

function singleBytes(text: string): Bytes {
  const b = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) b[i] = text.charCodeAt(i)
  return new Bytes(b)
}

function wide(text: string, c: Codec): Uint8Array {
  const size = c.startsWith('utf-16') ? 2 : 4
  const units: number[] = c === 'utf-16' || c === 'utf-32' ? [0xfeff] : []
  if (size === 2) for (let i = 0; i < text.length; i++) units.push(text.charCodeAt(i))
  else for (const ch of text) units.push(ch.codePointAt(0)!)
  const b = new Uint8Array(units.length * size)
  const bigEndian = c.endsWith('be')
  for (let i = 0; i < units.length; i++) {
    for (let k = 0; k < size; k++) b[i * size + k] = (units[i]! >>> (8 * (bigEndian ? size - 1 - k : k))) & 255
  }
  return b
}

/** `bytes.decode(encoding, errors)`. */
export function decodeBytes(b: Uint8Array, encoding: string, errors: string): string {
  const c = codec(encoding)
  switch (c) {
    case 'utf-8':
      return decodeUtf8(b, (from, to) => malformed(b, from, to, 'utf-8', errors, utf8Reason(b, from, to)))
    case 'utf-8-sig': {
      const text = decodeUtf8(b, (from, to) => malformed(b, from, to, 'utf-8', errors, utf8Reason(b, from, to)))
      return text.startsWith('\ufeff') ? text.slice(1) : text
    }
    case 'ascii':
      return decodeSingle(b, (i) =>
        b[i]! < 128 ? String.fromCharCode(b[i]!) : malformed(b, i, i + 1, 'ascii', errors, 'ordinal not in range(128)'),
      )
    case 'latin-1':
      return decodeSingle(b, (i) => String.fromCharCode(b[i]!))
    case 'latin-9':
    case 'cp1252':
      return decodeSingle(b, (i) => {
        const found = CHARMAPS[c].characters.get(b[i]!) ?? String.fromCharCode(b[i]!)
        return found === '\ufffd' ? malformed(b, i, i + 1, 'charmap', errors, 'character maps to <undefined>') : found
      })
    case 'unicode-escape':
      return decodeEscapes(b, errors)
    case 'raw-unicode-escape':
      return decodeBytes(b, 'latin-1', 'strict').replace(
        /(?<!\\)((?:\\\\)*)\\(?:u([\da-fA-F]{4})|U([\da-fA-F]{8}))/g,
        (_, before: string, short?: string, long?: string) =>
          before + String.fromCodePoint(Number.parseInt(short ?? long!, 16)),
      )
    case 'idna':
      return fromAscii(decodeBytes(b, 'ascii', 'strict'), errors)
    case 'punycode':
      return fromPunycode(decodeBytes(b, 'ascii', 'strict'))
    default:
      return decodeWide(b, c, errors)
  }
}

function decodeEscapes(b: Uint8Array, errors: string): string {
  const text = decodeBytes(b, 'latin-1', 'strict')
  return text.replace(ESCAPE, (spelled: string, at: number) => {
    const character = unescaped(spelled)
    if (character !== undefined) return character
    const letter = spelled[1]
    const digits = { x: 'XX', u: 'XXXX', U: 'XXXXXXXX' }[letter ?? '']
    const why = letter === undefined ? '\\ at end of string' : `truncated \\${letter}${digits} escape`
    return malformed(b, at, at + spelled.length, 'unicodeescape', errors, why)
  })
}

function decodeSingle(b: Uint8Array, character: (i: number) => string): string {
  let text = ''
  for (let i = 0; i < b.length; i++) text += character(i)
  return text
}

function utf8Reason(b: Uint8Array, from: number, to: number): string {
  const first = b[from]!
  if (first < 0xc2 || first > 0xf4) return 'invalid start byte'
  return to === b.length ? 'unexpected end of data' : 'invalid continuation byte'
}

function malformed(b: Uint8Array, from: number, to: number, encoding: string, errors: string, why: string): string {
  switch (errors) {
    case 'ignore':
      return ''
    case 'replace':
      return '\ufffd'
    case 'backslashreplace': {
      let text = ''
      for (let i = from; i < to; i++) text += quoteCode(b[i]!)
      return text
    }
    case 'surrogateescape':
      return String.fromCharCode(...Array.from(b.subarray(from, to), (x) => 0xdc00 + x))
    case 'strict': {
      const where =
        to - from === 1
          ? said`byte ${spelled(`0x${b[from]!.toString(16).padStart(2, '0')}`, b[from]!)} in position ${from}`
          : said`bytes in position ${from}-${to - 1}`
      throw guestError('UnicodeDecodeError', said`'${word(encoding)}' codec can't decode ${where}: ${word(why)}`)
    }
    default:
      return raise('LookupError', said`unknown error handler name ${quoted(errors)}`)
  }
}

function decodeWide(b: Uint8Array, c: Codec, errors: string): string {
  const size = c.startsWith('utf-16') ? 2 : 4
  let bigEndian = c.endsWith('be')
  let from = 0
  if (c === 'utf-16' || c === 'utf-32') {
    const little = b[0] === 0xff && b[1] === 0xfe
    const big = size === 2 ? b[0] === 0xfe && b[1] === 0xff : b[2] === 0xfe && b[3] === 0xff
    if (little || big) from = size
    bigEndian = big
  }
  let text = ''
  let i = from
  for (; i + size <= b.length; i += size) {
    let unit = 0
    for (let k = 0; k < size; k++) unit = unit * 256 + b[i + (bigEndian ? k : size - 1 - k)]!
    text +=
      unit > 0x10ffff
        ? malformed(b, i, i + size, c, errors, 'code point not in range(0x110000)')
        : String.fromCodePoint(unit)
  }
  if (i < b.length) text += malformed(b, i, b.length, c, errors, 'truncated data')
  return text
}
