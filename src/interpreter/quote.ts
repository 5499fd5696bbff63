// Quotes program text for generated code: as an escaped string literal, a checked number or an identifier of our own
// namespace. Program text enters generated code only through these functions.

/** ASCII text that needs no escapes in a literal. */
const PLAIN = /^[ !#-[\]-~]*$/

/** A JavaScript string literal in ASCII. Its content can't end the literal, the line or the script. */
export function quote(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`
  let out = '"'
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === 0x22 || c === 0x5c) out += `\\${text[i]}`
    else if (c >= 0x20 && c < 0x7f) out += text[i]
    else if (c === 0x0a) out += '\\n'
    else out += `\\u${c.toString(16).padStart(4, '0')}`
  }
  return `${out}"`
}

/** True for a JavaScript property name that needs no quotes. Knows ASCII only. */
export function isPlainName(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(text)
}
