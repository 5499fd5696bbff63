// The escapes of characters in programs: `\n`, `\x41`, `\u00e9`.

/** An escape, or a backslash and its next character. */
export const ESCAPE = /\\(?:\r?\n|x[\da-fA-F]{0,2}|u[\da-fA-F]{0,4}|U[\da-fA-F]{0,8}|[0-7]{1,3}|[\s\S]?)/g
const LENGTHS: Readonly<Record<string, number>> = { x: 4, u: 6, U: 10 }

const SIMPLE: Readonly<Record<string, string>> = {
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

/** The character of an escape. The text itself if it is no escape, undefined if it is incomplete. */
export function unescaped(spelled: string, isBytes = false): string | undefined {
  const letter = spelled[1]
  if (letter === undefined) return undefined
  if (SIMPLE[letter] !== undefined) return SIMPLE[letter]
  if (letter === '\n' || letter === '\r') return ''
  if (letter >= '0' && letter <= '7') return String.fromCharCode(Number.parseInt(spelled.slice(1), 8))
  if (isBytes ? letter !== 'x' : !'xuUN'.includes(letter)) return spelled
  const code = Number.parseInt(spelled.slice(2), 16)
  return spelled.length !== LENGTHS[letter] || code > 0x10ffff ? undefined : String.fromCodePoint(code)
}

/** `unicode_escape`. With `raw` only characters that Latin-1 lacks are escaped, as in `raw_unicode_escape`. */
export function escaped(text: string, raw: boolean): string {
  let out = ''
  for (const c of text) {
    const code = c.codePointAt(0)!
    const hex = code.toString(16)
    if (code > 0xffff) out += `\\U${hex.padStart(8, '0')}`
    else if (code > 0xff) out += `\\u${hex.padStart(4, '0')}`
    else if (raw) out += c
    else if (c === '\\') out += '\\\\'
    else if (c === '\n' || c === '\r' || c === '\t') out += { '\n': '\\n', '\r': '\\r', '\t': '\\t' }[c]
    else out += code < 0x20 || code > 0x7e ? `\\x${hex.padStart(2, '0')}` : c
  }
  return out
}
