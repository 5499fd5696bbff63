// Long texts of guests, rewritten by the host's engine, whose regular expressions are twenty times as fast as QuickJS's.
// Runs in the guests' threads, on texts of guests. The prelude has the other half (prelude/text/rewriting.ts): a letter
// says what to do, the text follows.
// Invariant: the answer follows from the order alone, nothing throws, and the time is linear in the text's length.

import { SPOILED } from './foreign.js'

/** The answer to an order. Undefined: the text need not change. */
export function rewrite(order: string): string | undefined {
  const text = order.slice(1)
  switch (order[0]) {
    case 'j':
      return markedJson(text)
    case 's':
    case 'c':
      return writtenJson(text, order[0] === 's')
    case 'w':
      return words(text)
    default:
      return undefined
  }
}

// ---- reading JSON ------------------------------------------------------------------------------------------------

/** Says that the guest has to read the text by itself. It is no JSON. */
const UNREADABLE = '!'
// U+FDD0 is a noncharacter, which other texts do not contain.
const MARK = '\ufdd0'
const MARKED = /\ufdd0|\\ufdd0/i
const INDEX = /^(?:0|[1-9]\d{0,9})$/
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const COLON = /\s*:/y

/**
 * A JSON text in which numbers that a parser would spoil are strings, after a mark, and such keys have one. Undefined
 * if there are none.
 */
function markedJson(text: string): string | undefined {
  if (!SPOILED.test(text)) return undefined
  if (MARKED.test(text)) return UNREADABLE
  let out = ''
  let from = 0
  for (let at = 0; at < text.length; ) {
    const c = text.charCodeAt(at)
    let end = at + 1
    if (c === 34) {
      end = endOfString(text, at)
      if (isSpoiledKey(text, at, end)) {
        out += `${text.slice(from, at + 1)}${MARK}`
        from = at + 1
      }
    } else if (c === 45 || (c >= 48 && c <= 57)) {
      NUMBER.lastIndex = at
      const token = NUMBER.exec(text)?.[0] ?? '-'
      end = at + token.length
      if (isSpoiled(token)) {
        // A number is no key, although its mark would be one.
        if (before(COLON, text, end)) return UNREADABLE
        out += `${text.slice(from, at)}"${MARK}${token}"`
        from = end
      }
    }
    at = end
  }
  return out === '' ? undefined : out + text.slice(from)
}

/** The offset after a string's closing quotation mark. */
function endOfString(text: string, open: number): number {
  let at = open + 1
  for (; at < text.length; at++) {
    const c = text.charCodeAt(at)
    if (c === 34) return at + 1
    if (c === 92) at++
  }
  return at
}

function isSpoiledKey(text: string, open: number, end: number): boolean {
  const first = text.charCodeAt(open + 1)
  if (first !== 95 && first !== 92 && !(first >= 48 && first <= 57)) return false
  const name = text.slice(open + 1, end - 1)
  return isIndexOrPrototype(name.includes('\\') ? unescaped(name) : name) && before(COLON, text, end)
}

function isIndexOrPrototype(name: string): boolean {
  return name === '__proto__' || INDEX.test(name)
}

function unescaped(name: string): string {
  try {
    return JSON.parse(`"${name}"`) as string
  } catch {
    return name
  }
}

function before(what: RegExp, text: string, at: number): boolean {
  what.lastIndex = at
  return what.test(text)
}

function isSpoiled(token: string): boolean {
  // Leading zeros are an error, so the engine must see them.
  if (/^-?0\d/.test(token)) return false
  if (!/[.eE]/.test(token)) return token.length > 15
  const value = Number(token)
  return Number.isInteger(value) || !Number.isFinite(value)
}

// ---- writing JSON ------------------------------------------------------------------------------------------------

const OUTSIDE = /[\x7f-\uffff]/g

/**
 * A JSON text without the marks of numbers that a serialiser would spoil. `isSpaced`: on one line with spaces; the text
 * is indented by U+0001. The order has `a` before the text for ASCII alone.
 */
function writtenJson(order: string, isSpaced: boolean): string | undefined {
  const given = order.slice(1)
  const text = isSpaced || given.includes(MARK) ? withoutMarks(given, isSpaced) : given
  const written = order[0] === 'a' && OUTSIDE.test(text) ? text.replace(OUTSIDE, escaped) : text
  return written === given ? undefined : written
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

// In strings, line breaks and control characters are escaped, so they occur only between values.
function withoutMarks(text: string, isSpaced: boolean): string {
  const units = unitsOf(text)
  let size = 0
  let isMarked = false
  for (let i = 0; i < units.length; i++) {
    const unit = units[i]!
    if (unit === 0xfdd0 && units[i + 1] === 0xfdd1) {
      // The quotation mark before it goes, too.
      isMarked = true
      size--
      i++
    } else if (unit === 34 && isMarked) isMarked = false
    else if (unit > 10 || !isSpaced) units[size++] = unit
    else if (unit === 10 && size > 0 && units[size - 1] === 44) units[size++] = 32
    else if (unit !== 1 && unit !== 10) units[size++] = unit
  }
  return textOf(units, size)
}

// ---- words -------------------------------------------------------------------------------------------------------

/**
 * The words of a text with one space between them. The order has a class of characters, as in a regular expression, and
 * a line feed before the text: words consist of other characters.
 */
function words(order: string): string {
  const start = order.indexOf('\n')
  const units = unitsOf(order.slice(start + 1))
  return textOf(units, spacedUnits(units, spaceTable(order.slice(0, start), 2 ** (8 * units.BYTES_PER_ELEMENT))))
}

/** Puts one space for each stretch of spaces, and none at the ends. Returns the new length. */
function spacedUnits(units: Units, isSpace: Uint8Array): number {
  let size = 0
  let after = 1
  for (let i = 0; i < units.length; i++) {
    const unit = units[i]!
    const space = isSpace[unit]!
    units[size] = space === 1 ? 32 : unit
    size += 1 - (space & after)
    after = space
  }
  return size > 0 && after === 1 ? size - 1 : size
}

const tables = new Map<string, Uint8Array>()

/** Which units are in a class of characters. Preludes have few classes. */
function spaceTable(space: string, units: number): Uint8Array {
  const name = `${units} ${space}`
  let table = tables.get(name)
  if (table === undefined) {
    const isSpace = new RegExp(`[${space}]`)
    table = Uint8Array.from({ length: units }, (_, unit) => Number(isSpace.test(String.fromCharCode(unit))))
    tables.set(name, table)
  }
  return table
}

// ---- units -------------------------------------------------------------------------------------------------------

type Units = Uint8Array | Uint16Array

/** The UTF-16 units of a text, as bytes if that is enough. */
function unitsOf(text: string): Units {
  if (!/[^\0-\xff]/.test(text)) return Uint8Array.from(Buffer.from(text, 'latin1'))
  const units = new Uint16Array(text.length)
  Buffer.from(units.buffer).write(text, 'utf16le')
  return units
}

function textOf(units: Units, size: number): string {
  const isWide = units.BYTES_PER_ELEMENT === 2
  return Buffer.from(units.buffer, units.byteOffset, size * units.BYTES_PER_ELEMENT).toString(isWide ? 'utf16le' : 'latin1')
}
