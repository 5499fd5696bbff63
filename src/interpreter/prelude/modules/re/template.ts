// Replacement texts with references to groups and escapes.

import { quoted } from '../../text/repr.js'
import { guestError } from '../../values/errors.js'
import { said, spelled } from '../../values/said.js'
import { type Found, groupOf, type Pattern } from './pattern.js'
import { patternError } from './translate.js'

export type Replacement = (found: Found, s: string) => string

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', f: '\f', v: '\v', a: '\x07', b: '\b', '\\': '\\' }

/** A replacement text as alternating texts and group numbers. */
export function template(p: Pattern, text: string): Replacement {
  if (text.indexOf('\\') < 0) return () => text
  const parts: (string | number)[] = []
  let plain = ''
  const group = (n: number, at: number): void => {
    if (n > p.$translation.groups.length) throw patternError(said`invalid group reference ${spelled(n)}`, text, at)
    parts.push(plain, n)
    plain = ''
  }
  for (let i = 0; i < text.length; ) {
    const c = text[i]!
    if (c !== '\\') {
      plain += c
      i++
      continue
    }
    const rest = text.slice(i + 1)
    const named = /^g<([^>]*)>/.exec(rest)
    const octal = /^(?:0[0-7]{0,2}|[1-3][0-7]{2})/.exec(rest)
    const digits = /^[1-9]\d?/.exec(rest)
    if (named !== null) {
      group(groupNumber(p, named[1]!, text, i + 3), i + 3)
      i += 1 + named[0].length
    } else if (octal !== null) {
      plain += String.fromCharCode(Number.parseInt(octal[0], 8))
      i += 1 + octal[0].length
    } else if (digits !== null) {
      group(Number(digits[0]), i + 1)
      i += 1 + digits[0].length
    } else {
      const e = rest[0]
      if (e === undefined) throw patternError('bad escape (end of pattern)', text, i)
      if (e === 'g') throw patternError('missing <', text, i + 2)
      const known = ESCAPES[e]
      if (known === undefined && /[A-Za-z]/.test(e)) throw patternError(said`bad escape \\${spelled(e)}`, text, i)
      plain += known ?? `\\${e}`
      i += 2
    }
  }
  parts.push(plain)
  return (found) => {
    let out = ''
    for (const part of parts) out += typeof part === 'string' ? part : (groupOf(p, found, part) ?? '')
    return out
  }
}

function groupNumber(p: Pattern, name: string, text: string, at: number): number {
  if (/^\d+$/.test(name)) return Number(name)
  const n = p.$translation.names.get(name)
  if (n !== undefined) return n
  if (name === '') throw patternError('missing group name', text, at)
  if (!/^[\p{XIDS}_]\p{XIDC}*$/u.test(name))
    throw patternError(said`bad character in group name ${quoted(name)}`, text, at)
  throw guestError('IndexError', said`unknown group name ${quoted(name)}`)
}
