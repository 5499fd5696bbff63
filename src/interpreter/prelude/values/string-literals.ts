// Strings as literals of the language that denote them.

import { python, strict } from './mode.js'

const PLAIN = strict ? /^[ !#-[\]-~]*$/ : /^[ -&(-[\]-~]*$/
const UNPRINTABLE = /[\p{C}\p{Z}]/u

/** A string literal that denotes `s`. */
export function quote(s: string): string {
  const q = strict ? '"' : "'"
  if (PLAIN.test(s)) return q + s + q
  return strict ? escapeText(s, '"') : escapeText(s, s.indexOf("'") >= 0 && s.indexOf('"') < 0 ? '"' : "'")
}

export function escapeText(s: string, q: string): string {
  let text = q
  for (const c of s) {
    const code = c.codePointAt(0)!
    text += code >= 32 && code < 127 ? (c === q || c === '\\' ? `\\${c}` : c) : escapeCharacter(c, code)
  }
  return text + q
}

function escapeCharacter(c: string, code: number): string {
  const short = shortEscape(code)
  if (short !== undefined) return short
  if (code > 127 && !UNPRINTABLE.test(c)) return c
  if (code < 128 || (python && code < 256)) return `\\x${hex(code, 2)}`
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`
}

export function shortEscape(code: number): string | undefined {
  if (code === 10) return '\\n'
  if (code === 13) return '\\r'
  if (code === 9) return '\\t'
  if (python) return undefined
  return code === 7 ? '\\a' : code === 8 ? '\\b' : code === 11 ? '\\v' : code === 12 ? '\\f' : undefined
}

export function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0')
}
