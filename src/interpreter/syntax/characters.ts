// Classes of characters, and the places where names and lines end.

import * as C from './codes.js'

const NAME_START = 1
const NAME_PART = 2
const DIGIT = 4

const classes = new Uint8Array(C.BEYOND_ASCII)
for (let c = 0; c < C.BEYOND_ASCII; c++) {
  const letter = (c >= C.UPPER_A && c <= C.UPPER_Z) || (c >= C.LOWER_A && c <= C.LOWER_Z) || c === C.UNDERSCORE
  const digit = c >= C.ZERO && c <= C.NINE
  classes[c] = (letter ? NAME_START : 0) | (letter || digit ? NAME_PART : 0) | (digit ? DIGIT : 0)
}

export function isDigit(code: number): boolean {
  return code >= C.ZERO && code <= C.NINE
}

/** Knows ASCII only. For other characters the caller asks `nameEnd`. */
export function startsName(code: number): boolean {
  return code < C.BEYOND_ASCII && (classes[code]! & NAME_START) !== 0
}

function continuesName(code: number): boolean {
  return code < C.BEYOND_ASCII && (classes[code]! & NAME_PART) !== 0
}

const wideStart = /\p{XID_Start}/u
const widePart = /\p{XID_Continue}/u

/** The end of the name that starts at `from`; `from` itself if no name starts there. */
export function nameEnd(text: string, from: number): number {
  let at = from
  for (;;) {
    const code = text.charCodeAt(at)
    if (at === from ? startsName(code) : continuesName(code)) {
      at++
      continue
    }
    if (!(code >= C.BEYOND_ASCII)) return at
    const character = String.fromCodePoint(text.codePointAt(at)!)
    if (!(at === from ? wideStart : widePart).test(character)) return at
    at += character.length
  }
}

/** Whether the name between two offsets is all ASCII. */
export function isPlainName(text: string, start: number, end: number): boolean {
  let at = start
  while (at < end && continuesName(text.charCodeAt(at))) at++
  return at === end
}

/** The end of the line break that starts at `at`, which is a \n or \r. */
export function afterBreak(text: string, at: number): number {
  return text.charCodeAt(at) === C.CR && text.charCodeAt(at + 1) === C.LF ? at + 2 : at + 1
}

/** The end of the line that contains `at`, before its line break. */
export function lineEnd(text: string, at: number): number {
  let end = at
  while (end < text.length) {
    const code = text.charCodeAt(end)
    if (code === C.LF || code === C.CR) break
    end++
  }
  return end
}

/** The start of the line that contains `at`. */
export function lineStart(text: string, at: number): number {
  let start = at
  while (start > 0) {
    const code = text.charCodeAt(start - 1)
    if (code === C.LF || code === C.CR) break
    start--
  }
  return start
}

/** A character as messages show it: in quotes, with its code point if it is invisible or ambiguous. */
export function showCharacter(text: string, at: number): string {
  const point = text.codePointAt(at)
  if (point === undefined) return 'the end of the program'
  const number = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`
  if (/^[\p{C}\p{Z}\p{M}]$/u.test(String.fromCodePoint(point))) return `the invisible character ${number}`
  const shown = `'${String.fromCodePoint(point)}'`
  return point < C.BEYOND_ASCII ? shown : `${shown} (${number})`
}

/** The ASCII text that probably was meant by a character that begins no token. */
export function meantBy(character: string): string | undefined {
  if ('“”„‟″'.includes(character)) return 'use straight double quotes "'
  if ('‘’‚‛′´'.includes(character)) return "use straight single quotes '"
  if (/^\p{Z}$/u.test(character) || '\u200b\u200c\u200d\u2060\ufeff'.includes(character)) return 'use an ordinary space'
  if ('–—−‐‑‒'.includes(character)) return 'use an ASCII minus sign -'
  if (character === '×') return 'use *'
  if (character === '÷') return 'use /'
  if (character === '≤') return 'use <='
  if (character === '≥') return 'use >='
  if (character === '≠') return 'use !='
  if (character === '…') return 'use three dots ...'
  if (character === '→') return 'use ->'
  const folded = character.normalize('NFKC')
  return folded !== character && /^[!-~]$/.test(folded) ? `use the ASCII character ${folded}` : undefined
}
