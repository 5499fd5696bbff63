// The contents of string and bytes literals: where they end, and their escapes in both dialects.

import { characterNamed } from '../character-names.js'
import { afterBreak } from './characters.js'
import * as C from './codes.js'
import { type Fault, messages } from './messages.js'

interface TextForm {
  readonly raw: boolean
  readonly strict: boolean
}

/** Called with a fault and the offsets it concerns. */
type Complain = (fault: Fault, start: number, end: number) => void

/**
 * The end of the literal's text that starts at `from`: the offset of the closing quotes, or -1 if they are missing. A
 * literal in single quotes ends before the line does.
 */
export function findClose(text: string, from: number, quote: number, triple: boolean): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      if (!triple || (text.charCodeAt(at + 1) === quote && text.charCodeAt(at + 2) === quote)) return at
    } else if (code === C.BACKSLASH) {
      // A backslash skips the next character, even a line break of two characters.
      at = text.charCodeAt(at + 1) === C.CR ? afterBreak(text, at + 1) - 1 : at + 1
    } else if (!triple && (code === C.LF || code === C.CR)) {
      return -1
    }
  }
  return -1
}

const simpleEscapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
}

/** The string that the literal text from `from` to `to` stands for. */
export function decodeText(text: string, from: number, to: number, form: TextForm, complain: Complain): string {
  let out = ''
  let plain = from
  let at = from
  while (at < to) {
    const code = text.charCodeAt(at)
    if (code === C.CR) {
      out += `${text.slice(plain, at)}\n`
      at = afterBreak(text, at)
      plain = at
    } else if (code === C.BACKSLASH && form.raw) {
      // The character after the backslash can't end the literal, but a line break after it is still normalised.
      at += text.charCodeAt(at + 1) === C.CR ? 1 : 2
    } else if (code === C.BACKSLASH) {
      out += text.slice(plain, at)
      const read = readEscape(text, at, to, form.strict, complain)
      out += read.value
      at = read.end
      plain = at
    } else {
      at++
    }
  }
  return out + text.slice(plain, to)
}

interface Escape {
  readonly value: string
  readonly end: number
}

function readEscape(text: string, at: number, to: number, strict: boolean, complain: Complain): Escape {
  const letter = text.charAt(at + 1)
  const simple = simpleEscapes[letter]
  if (simple !== undefined) return { value: simple, end: at + 2 }
  if (letter === '\n' || letter === '\r') return { value: '', end: Math.min(to, afterBreak(text, at + 1)) }
  if (letter >= '0' && letter <= '7') return octalEscape(text, at, to, strict, complain)
  if (letter === 'x') return hexEscape(text, at, to, 2, strict, complain)
  if (letter === 'u') return hexEscape(text, at, to, 4, strict, complain)
  if (letter === 'U') return hexEscape(text, at, to, 8, strict, complain)
  if (letter === 'N' && !strict) {
    return namedEscape(text, at, to, complain)
  }
  const end = Math.min(to, at + 1 + String.fromCodePoint(text.codePointAt(at + 1) ?? 0x20).length)
  const spelled = text.slice(at, end)
  if (strict) complain(messages.badEscape(spelled, 'is unknown', `write \\${spelled} for a backslash`), at, end)
  return { value: spelled, end }
}

function namedEscape(text: string, at: number, to: number, complain: Complain): Escape {
  const close = text.indexOf('}', at)
  const isClosed = text[at + 2] === '{' && close > at + 3 && close < to
  const end = isClosed ? close + 1 : at + 2
  const code = isClosed ? characterNamed(text.slice(at + 3, close)) : undefined
  if (code !== undefined) return { value: String.fromCodePoint(code), end }
  const what = isClosed ? 'names no character' : 'has no name in braces'
  complain(messages.badEscape(text.slice(at, end), what, 'write the character itself, or \\u and its number'), at, end)
  return { value: '', end }
}

function octalEscape(text: string, at: number, to: number, strict: boolean, complain: Complain): Escape {
  const end = octalEnd(text, at, to)
  const value = Number.parseInt(text.slice(at + 1, end), 8)
  if (strict && value > 127) complain(tooLarge(text.slice(at, end), value), at, end)
  return { value: String.fromCharCode(value), end }
}

function octalEnd(text: string, at: number, to: number): number {
  let end = at + 1
  while (end < to && end < at + 4 && text[end]! >= '0' && text[end]! <= '7') end++
  return end
}

function hexEscape(text: string, at: number, to: number, digits: number, strict: boolean, complain: Complain): Escape {
  const end = hexEnd(text, at, to, digits)
  const spelled = text.slice(at, end)
  const value = Number.parseInt(text.slice(at + 2, end), 16)
  if (end < at + 2 + digits) {
    complain(messages.badEscape(spelled, `needs ${digits} hexadecimal digits`), at, end)
    return { value: '', end }
  }
  if (value > 0x10ffff) {
    complain(messages.badEscape(spelled, 'is beyond the last character U+10FFFF'), at, end)
    return { value: '', end }
  }
  if (strict && digits === 2 && value > 127) complain(tooLarge(spelled, value), at, end)
  if (strict && value >= 0xd800 && value <= 0xdfff)
    complain(messages.badEscape(spelled, 'is half of a surrogate pair'), at, end)
  return { value: String.fromCodePoint(value), end }
}

function tooLarge(spelled: string, value: number): Fault {
  const instead = `\\u${value.toString(16).toUpperCase().padStart(4, '0')}`
  return messages.badEscape(spelled, 'is above 127', `write ${instead}, or a bytes literal`)
}

function hexEnd(text: string, at: number, to: number, digits: number): number {
  let end = at + 2
  while (end < to && end < at + 2 + digits && /[0-9a-fA-F]/.test(text[end]!)) end++
  return end
}

const utf8 = new TextEncoder()

/**
 * The bytes that the literal text from `from` to `to` stands for. Strict: characters beyond ASCII and \u escapes are
 * encoded as UTF-8. Otherwise, as in Python: only ASCII characters, and \u is no escape.
 */
export function decodeBytes(text: string, from: number, to: number, form: TextForm, complain: Complain): number[] {
  const out: number[] = []
  let at = from
  while (at < to) {
    const code = text.charCodeAt(at)
    if (code === C.BACKSLASH && !form.raw) {
      at = byteEscape(text, at, to, form.strict, complain, out)
    } else if (code === C.CR) {
      out.push(10)
      at = afterBreak(text, at)
    } else if (code < C.BEYOND_ASCII) {
      out.push(code)
      at++
    } else {
      const character = String.fromCodePoint(text.codePointAt(at)!)
      if (!form.strict) complain(messages.bytesCharacter(`'${character}'`), at, at + character.length)
      out.push(...utf8.encode(character))
      at += character.length
    }
  }
  return out
}

function byteEscape(text: string, at: number, to: number, strict: boolean, complain: Complain, out: number[]): number {
  const letter = text.charAt(at + 1)
  if (letter === 'x') {
    const end = hexEnd(text, at, to, 2)
    if (end < at + 4) complain(messages.badEscape(text.slice(at, end), 'needs 2 hexadecimal digits'), at, end)
    out.push(Number.parseInt(text.slice(at + 2, end), 16) & 255)
    return end
  }
  if (letter >= '0' && letter <= '7') {
    const end = octalEnd(text, at, to)
    const value = Number.parseInt(text.slice(at + 1, end), 8)
    if (strict && value > 255) complain(messages.badEscape(text.slice(at, end), 'is above 255'), at, end)
    out.push(value & 255)
    return end
  }
  if (!strict && (letter === 'u' || letter === 'U' || letter === 'N')) {
    out.push(92, letter.charCodeAt(0))
    return at + 2
  }
  if (!strict && text.charCodeAt(at + 1) >= C.BEYOND_ASCII) {
    out.push(92)
    return at + 1
  }
  const read = readEscape(text, at, to, strict, complain)
  out.push(...utf8.encode(read.value))
  return read.end
}
