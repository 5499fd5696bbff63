// Text as UTF-8 and back. The guest has no TextEncoder.

import { python } from '../values/mode.js'

const REPLACEMENT = 0xfffd

/** Encodes a text. A lone surrogate becomes U+FFFD. */
export function encodeUtf8(s: string): Uint8Array {
  const out: number[] = []
  for (let i = 0; i < s.length; i++) {
    let c = s.charCodeAt(i)
    if (c >= 0xd800 && c < 0xe000) {
      const low = c < 0xdc00 ? s.charCodeAt(i + 1) : 0
      if (low >= 0xdc00 && low < 0xe000) {
        c = ((c - 0xd800) << 10) + (low - 0xdc00) + 0x10000
        i++
      } else c = REPLACEMENT
    }
    if (c < 0x80) out.push(c)
    else if (c < 0x800) out.push(0xc0 | (c >> 6), 0x80 | (c & 63))
    else if (c < 0x10000) out.push(0xe0 | (c >> 12), 0x80 | ((c >> 6) & 63), 0x80 | (c & 63))
    else out.push(0xf0 | (c >> 18), 0x80 | ((c >> 12) & 63), 0x80 | ((c >> 6) & 63), 0x80 | (c & 63))
  }
  return Uint8Array.from(out)
}

/** Decodes bytes. `onBad` returns the text for a malformed part of `b`. Default: U+FFFD. */
export function decodeUtf8(b: Uint8Array, onBad: (from: number, to: number) => string = () => '\ufffd'): string {
  let text = ''
  for (let i = 0; i < b.length; ) {
    const n = characterLength(b, i)
    if (n === 1) text += String.fromCharCode(b[i]!)
    else if (n > 1) {
      let code = n === 2 ? b[i]! & 31 : n === 3 ? b[i]! & 15 : b[i]! & 7
      for (let k = 1; k < n; k++) code = (code << 6) | (b[i + k]! & 63)
      text += String.fromCodePoint(code)
    }
    if (n > 0) {
      i += n
      continue
    }
    // Starlark replaces each byte, Python the longest valid beginning of a character.
    const end = python ? i + Math.max(1, wellBegun(b, i)) : i + 1
    text += onBad(i, end)
    i = end
  }
  return text
}

/** The length of the well-formed character at `i`, or 0. */
export function characterLength(b: Uint8Array, i: number): number {
  const n = announced(b[i]!)
  return n > 0 && wellBegun(b, i) === n ? n : 0
}

/** The length of a character that begins with this byte; 0 if none does. */
function announced(c: number): number {
  if (c < 0x80) return 1
  return c < 0xc2 || c > 0xf4 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4
}

/** The number of bytes from `i` on that can belong to one character. */
function wellBegun(b: Uint8Array, i: number): number {
  const c = b[i]!
  const n = announced(c)
  if (n < 2) return n
  if (i + 1 >= b.length) return 1
  const second = b[i + 1]!
  const least = c === 0xe0 ? 0xa0 : c === 0xf0 ? 0x90 : 0x80
  const most = c === 0xed ? 0x9f : c === 0xf4 ? 0x8f : 0xbf
  if (second < least || second > most) return 1
  let k = 2
  while (k < n && i + k < b.length && (b[i + k]! & 0xc0) === 0x80) k++
  return k
}
