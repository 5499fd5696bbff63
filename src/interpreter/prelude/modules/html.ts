// The module `html`: `escape` and `unescape`. Numeric references are parsed here, because Python drops the ones that
// have no character.

import { decodeHTML } from 'entities/decode'
import { wantString } from '../calls/expect.js'
import { builtin } from '../calls/signature.js'
import { truth } from '../operators/membership.js'
import { type Module, module } from './module.js'

// The characters of Windows' code page. Browsers use them for control codes.
const WINDOWS =
  '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178'

function numbered(digits: string, base: number): string {
  const code = Number.parseInt(digits, base)
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return '\ufffd'
  if (code >= 0x80 && code < 0xa0) return WINDOWS[code - 0x80]!
  if (code === 13) return '\r'
  const invalid =
    (code < 32 && code !== 9 && code !== 10 && code !== 12) ||
    code === 127 ||
    (code & 0xfffe) === 0xfffe ||
    (code >= 0xfdd0 && code <= 0xfdef)
  return invalid ? '' : String.fromCodePoint(code)
}

/** The text with its character references replaced. */
export function unescapeHtml(text: string): string {
  if (text.indexOf('&') < 0) return text
  return text.replace(/&(#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[^\t\n\f <&#;]{1,32};?)/g, (all: string, body: string) => {
    if (body[0] === '#') {
      const hex = body[1] === 'x' || body[1] === 'X'
      return numbered(body.slice(hex ? 2 : 1).replace(';', ''), hex ? 16 : 10)
    }
    return decodeHTML(all)
  })
}

export const html: Module = module('html', {
  escape: builtin('escape', 's, quote=', (s, quote) => {
    const text = wantString(s, 'escape', 's').replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
    return quote === undefined || truth(quote) ? text.replace(/"/g, '&quot;').replace(/'/g, '&#x27;') : text
  }),
  unescape: builtin('unescape', 's', (s) => unescapeHtml(wantString(s, 'unescape', 's'))),
})
