// Texts and bytes: `TextEncoder`, `TextDecoder` (UTF-8), `atob`, `btoa`.

import { plainError, rangeError, typeError } from './errors.js'
import { type Literal, said, shown } from './said.js'
import { bytesOf, utf8 } from './url.js'

export class TextEncoder {
  get encoding(): string {
    return 'utf-8'
  }
  encode(text: unknown = ''): Uint8Array {
    return Uint8Array.from(bytesOf(String(text)))
  }
}

export class TextDecoder {
  readonly #fatal: boolean

  constructor(label: unknown = 'utf-8', { fatal = false }: { readonly fatal?: boolean } = {}) {
    if (!/^\s*utf-?8\s*$/i.test(String(label)))
      throw rangeError(said`The encoding ${shown(label)} is not known: programs know "utf-8"`)
    this.#fatal = fatal
  }
  get encoding(): string {
    return 'utf-8'
  }
  decode(input?: unknown): string {
    if (input === undefined) return ''
    const view = input as ArrayBufferView
    const bytes = ArrayBuffer.isView(input)
      ? new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
      : new Uint8Array(input as ArrayBuffer)
    const text = utf8(bytes)
    if (this.#fatal && text.includes('\ufffd') && bytesOf(text).length !== bytes.length)
      throw typeError('The encoded data was not valid for encoding utf-8')
    return text.replace(/^\ufeff/, '')
  }
}

function invalidCharacter<M extends string>(message: Literal<M>, hint?: string): Error {
  const error = plainError(message, { hint })
  error.name = 'InvalidCharacterError'
  return error
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

export function btoa(value: unknown): string {
  const text = String(value)
  if (/[^\0-\xff]/.test(text))
    throw invalidCharacter(
      'btoa takes characters up to U+00FF',
      'encode text first: btoa(String.fromCharCode(...new TextEncoder().encode(text)))',
    )
  let out = ''
  for (let i = 0; i < text.length; i += 3) {
    const count = Math.min(3, text.length - i)
    const bits = (text.charCodeAt(i) << 16) | ((text.charCodeAt(i + 1) || 0) << 8) | (text.charCodeAt(i + 2) || 0)
    for (let j = 0; j < 4; j++) out += j > count ? '=' : LETTERS[(bits >> (18 - 6 * j)) & 63]
  }
  return out
}

export function atob(value: unknown): string {
  const text = String(value).replace(/[\t\n\f\r ]/g, '')
  const digits = text.length % 4 === 0 ? text.replace(/={1,2}$/, '') : text
  if (digits.length % 4 === 1 || /[^A-Za-z0-9+/]/.test(digits)) throw invalidCharacter('atob takes text in base64')
  let out = ''
  for (let i = 0; i < digits.length; i += 4) {
    let bits = 0
    for (let j = 0; j < 4; j++) bits = (bits << 6) | (i + j < digits.length ? LETTERS.indexOf(digits[i + j]!) : 0)
    const count = Math.min(4, digits.length - i) - 1
    for (let j = 0; j < count; j++) out += String.fromCharCode((bits >> (16 - 8 * j)) & 255)
  }
  return out
}
