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
      try {
        return markedJson(text)
      } catch {
        // A string with millions of escapes overflows the stack of regular expressions.
        return UNREADABLE
      }
    case 'd':
      return writtenJson(text)
    case 'w':
      return words(text)
    default:
      return undefined
  }
}

// ---- reading JSON ------------------------------------------------------------------------------------------------

/** No JSON: the guest then reads or writes the text by itself, slowly. */
const UNREADABLE = '!'
// Texts hardly ever contain these. With the first one, most texts stay in Latin-1.
const MARKS = [
  ['\x9f', /\x9f|\\u009f/i],
  ['\ufdd0', /\ufdd0|\\ufdd0/i],
] as const
const KEY = /"(?:\d{1,10}|__proto__)"\s*:|\\u00/
const INDEX = /^(?:0|[1-9]\d{0,9})$/
const NUMBER = '-?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?'
const STRING = '"[^"\\\\]*(?:\\\\[\\s\\S][^"\\\\]*)*"'
/** Everything up to the next number, and the number. The bound keeps the engine's stack small. */
const TO_NUMBER = new RegExp(`[^"\\d-]*(?:${STRING}[^"\\d-]*){0,100}(${NUMBER}(?!\\s*:))?`, 'y')
/** Everything up to the next number or string, the number, the string, and its colon. */
const TO_EITHER = new RegExp(`[^"\\d-]*(?:(${NUMBER}(?!\\s*:))|(${STRING})(\\s*:)?)?`, 'y')

/**
 * A mark, and a JSON text in which numbers that a parser would spoil are strings that begin with the mark, as such keys
 * do. Undefined if there are none.
 */
function markedJson(text: string): string | undefined {
  if (!SPOILED.test(text)) return undefined
  const mark = MARKS.find(([, occurs]) => !occurs.test(text))?.[0]
  if (mark === undefined) return UNREADABLE
  const step = KEY.test(text) ? TO_EITHER : TO_NUMBER
  let out = ''
  let from = 0
  for (let at = 0; at < text.length; at = step.lastIndex) {
    step.lastIndex = at
    const found = step.exec(text)
    if (found === null || step.lastIndex === at) return UNREADABLE
    const [all, number, key, colon] = found
    if (number !== undefined && isSpoiled(number)) {
      out += `${text.slice(from, step.lastIndex - number.length)}"${mark}${number}"`
      from = step.lastIndex
    } else if (colon !== undefined && isSpoiledKey(key!)) {
      const name = at + all.indexOf('"') + 1
      out += text.slice(from, name) + mark
      from = name
    }
  }
  return out === '' ? undefined : mark + out + text.slice(from)
}

function isSpoiled(token: string): boolean {
  // Leading zeros are an error, so the engine must see them.
  if (/^-?0\d/.test(token)) return false
  if (!/[.eE]/.test(token)) return token.length > 15
  const value = Number(token)
  return Number.isInteger(value) || !Number.isFinite(value)
}

/** True for a key that is an array index or a prototype. */
function isSpoiledKey(key: string): boolean {
  let name = key.slice(1, -1)
  if (name.includes('\\')) {
    try {
      name = JSON.parse(key) as string
    } catch {
      return false
    }
  }
  return name === '__proto__' || INDEX.test(name)
}

// ---- writing JSON ------------------------------------------------------------------------------------------------

const OUTSIDE = /[\x7f-\uffff]/g

/**
 * A JSON text without the marks of numbers that a serialiser would spoil. The order has `s` for a text on one line with
 * spaces, whose levels are indented by U+0001, `a` for ASCII alone, the number of marks, and a line feed before the
 * text.
 */
function writtenJson(order: string): string | undefined {
  const start = order.indexOf('\n')
  const marks = Number(order.slice(2, start))
  const given = order.slice(start + 1)
  const text = marks > 0 || order[0] === 's' ? laidOut(given, order[0] === 's', marks) : given
  const written = order[1] === 'a' && OUTSIDE.test(text) ? text.replace(OUTSIDE, escaped) : text
  return written === given ? undefined : written
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
}

// In strings, line breaks and control characters are escaped, so they occur only between values.
function laidOut(text: string, isSpaced: boolean, marks: number): string {
  const units = unitsOf(text)
  let left = marks
  let size = 0
  let isMarked = false
  for (let i = 0; i < units.length; i++) {
    const unit = units[i]!
    if (unit === 0x9f && units[i + 1] === 0x9e && units[i - 1] === 34) {
      // The quotation mark before it goes, too.
      isMarked = true
      left--
      size--
      i++
    } else if (unit === 34 && isMarked) isMarked = false
    else if (unit > 10 || !isSpaced) units[size++] = unit
    else if (unit === 10 && size > 0 && units[size - 1] === 44) units[size++] = 32
    else if (unit !== 1 && unit !== 10) units[size++] = unit
  }
  // A string of the program can look like a mark.
  return left === 0 ? textOf(units, size) : UNREADABLE
}

// ---- words -------------------------------------------------------------------------------------------------------

/**
 * The words of a text with one space between them; undefined if it is that already. The order has a class of characters, as in a regular expression, and
 * a line feed before the text: words consist of other characters.
 */
function words(order: string): string | undefined {
  const start = order.indexOf('\n')
  const text = order.slice(start + 1)
  const units = unitsOf(text)
  const size = spacedUnits(units, spaceTable(order.slice(0, start), 2 ** (8 * units.BYTES_PER_ELEMENT)))
  const spaced = textOf(units, size)
  return spaced === text ? undefined : spaced
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
  return Buffer.from(units.buffer, units.byteOffset, size * units.BYTES_PER_ELEMENT).toString(
    isWide ? 'utf16le' : 'latin1',
  )
}
