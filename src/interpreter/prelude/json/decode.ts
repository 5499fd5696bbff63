// JSON text to values, exactly: the order of keys is kept, `1.0` is a float and `1` an int of any size, and of
// duplicate keys the last one counts.
//
// JavaScript's parser is a hundred times as fast as one written in the guest, but it loses integral floats and long
// ints, and puts keys that are array indices first. So a text is cut at its quotation marks: the odd pieces are
// strings, the even ones punctuation and numbers. The few numbers that JavaScript would spoil are put in quotation
// marks, after a character that does not occur in the text. The engine parses the result, and one walk restores the
// numbers. Texts without such numbers need no walk. Texts that the engine refuses are parsed again by a parser that
// reports the mistake or accepts Python's extensions (NaN, Infinity). Invariant: a record that is returned never has a
// key that JavaScript orders differently.

import { dictOf } from '../containers/dict.js'
import { float, normal, type RecordDict, type Value } from '../values/values.js'
import { readJson } from './reader.js'

const { parse, stringify } = JSON

// U+FDD0 is a noncharacter, which other texts do not contain.
const MARK = '\ufdd0'

// Matches numbers with a fraction of zeros or nines, an exponent, or sixteen digits, and keys. For speed, strings are
// searched too. The engine tries every alternative at every character, so their common beginning is written once.
const SUSPECT = /\d(?:\.(?:0|9{5})|[eE]|\d{15}|\d{9}\.)/
const SUSPECT_KEY = /"(?:\d{1,10}|__proto__)"\s*:|\\u00/
const EITHER = new RegExp(`${SUSPECT.source}|${SUSPECT_KEY.source}`)
// Numbers that are no small ints, although the engine writes them as it read them.
const LARGE = /\d(?:\d{15}|[eE])/

/** The value of a JSON text. Throws a GuestError that states the mistake and its position. */
export function decodeJson(text: string): Value {
  try {
    const value = parse(text) as Value
    // A text that the engine serialises unchanged was parsed without loss. Most servers use such a serialiser.
    const maySame = !isSpaced(text) && !LARGE.test(text)
    if (maySame && stringify(value, null, indentOf(text)) === text && text.indexOf('__proto__') < 0) return value
    if (!EITHER.test(text)) return value
    const numbers = SUSPECT.test(text)
    const keys = SUSPECT_KEY.test(text)
    const marked = text.indexOf(MARK) >= 0 ? undefined : mark(text, numbers, keys)
    if (marked === text) return value
    if (marked !== undefined) return restored(parse(marked) as Value)
  } catch {
    // Not JSON, or nested too deeply for the engine: the reader below finds out which.
  }
  return readJson(text)
}

/** The value of a text that contains nothing that the engine's parser would spoil. */
export function decodePlainJson(text: string): Value {
  try {
    return parse(text) as Value
  } catch {
    return readJson(text)
  }
}

/** True for a text on one line with spaces, as Python writes it and the engine does not. */
function isSpaced(text: string): boolean {
  return text.charCodeAt(1) !== 10 && text.charCodeAt(text.indexOf('":') + 2) === 32
}

/** The indentation of the first line that has one. */
function indentOf(text: string): string | undefined {
  return text.charCodeAt(1) === 10 ? /^ {1,10}|^\t/.exec(text.slice(2, 14))?.[0] : undefined
}

const ESCAPED_BACKSLASH = '\u0001\u0001'
const ESCAPED_QUOTE = '\u0001\u0002'
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
const INDEX = /^(?:0|[1-9]\d{0,9})$/

/** The text with marks on numbers and keys that JavaScript would spoil. Undefined if it can't be cut. */
function mark(text: string, numbers: boolean, keys: boolean): string | undefined {
  const escapes = text.indexOf('\\') >= 0
  // A key with escapes is known only after parsing.
  if (escapes && (text.indexOf('\u0001') >= 0 || (keys && /\\u00/.test(text)))) return undefined
  const cut = escapes ? text.replaceAll('\\\\', ESCAPED_BACKSLASH).replaceAll('\\"', ESCAPED_QUOTE) : text
  const pieces = cut.split('"')
  if (pieces.length % 2 === 0) return undefined
  let changed = false
  for (let i = 0; i < pieces.length; i += 2) {
    const piece = pieces[i]!
    if (numbers && piece.length > 2 && SUSPECT.test(piece)) {
      pieces[i] = piece.replace(NUMBER, markNumber)
      changed = true
    }
    if (keys && i > 0 && /^\s*:/.test(piece)) {
      const name = pieces[i - 1]!
      if (INDEX.test(name) || name === '__proto__') {
        pieces[i - 1] = MARK + name
        changed = true
      }
    }
  }
  if (!changed) return text
  const joined = pieces.join('"')
  return escapes ? joined.replaceAll(ESCAPED_QUOTE, '\\"').replaceAll(ESCAPED_BACKSLASH, '\\\\') : joined
}

function markNumber(token: string): string {
  const isFloat = /[.eE]/.test(token)
  const spoiled = isFloat ? Number.isInteger(Number(token)) || !Number.isFinite(Number(token)) : token.length > 15
  // Leading zeros are an error, so the engine must see them.
  return spoiled && !/^-?0\d/.test(token) ? `"${MARK}${token}"` : token
}

function number(token: string): Value {
  return /[.eE]/.test(token) ? float(Number(token)) : normal(BigInt(token))
}

/** Restores marked numbers and keys. */
function restored(x: Value): Value {
  if (typeof x === 'string') return x.charCodeAt(0) === 0xfdd0 ? number(x.slice(1)) : x
  if (typeof x !== 'object' || x === null) return x
  if (Array.isArray(x)) {
    for (let i = 0; i < x.length; i++) {
      const e = x[i] as Value
      if (typeof e === 'string' ? e.charCodeAt(0) === 0xfdd0 : typeof e === 'object' && e !== null) x[i] = restored(e)
    }
    return x
  }
  return restoredRecord(x as RecordDict)
}

function restoredRecord(record: RecordDict): Value {
  let special = false
  for (const k in record) {
    if (k.charCodeAt(0) === 0xfdd0) special = true
    const e = record[k]!
    if (typeof e === 'string' ? e.charCodeAt(0) === 0xfdd0 : typeof e === 'object' && e !== null)
      record[k] = restored(e)
  }
  if (!special) return record
  const flat: Value[] = []
  for (const k in record) flat.push(k.charCodeAt(0) === 0xfdd0 ? k.slice(1) : k, record[k]!)
  return dictOf(flat)
}
