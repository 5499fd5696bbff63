// The names of all characters, as in the Unicode standard and Python's `unicodedata`, from the package `unicode-name`.
// Each character has a line, or each range of characters whose names end in their numbers. Aliases have lines of their
// own.
import { unicodeAliases, unicodeBaseName } from 'unicode-name'

/** The planes with named characters. */
const PLANES = [0, 1, 2, 3, 14]
/** The kinds of aliases that Python accepts in `\N{…}` and `lookup`. */
const KINDS = ['correction', 'control', 'figment', 'alternate', 'abbreviation']

/**
 * `U+1F600 GRINNING FACE`, `U+4E00-9FFF CJK UNIFIED IDEOGRAPH-`, `U+A=LINE FEED`. A name alone belongs to the code after
 * the last one with a name.
 */
export function characterNames() {
  const lines = []
  let range
  let next
  const codes = PLANES.flatMap((plane) => Array.from({ length: 0x10000 }, (_, i) => plane * 0x10000 + i))
  for (const code of codes) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const name = unicodeBaseName(String.fromCodePoint(code))
    const hex = code.toString(16).toUpperCase()
    const prefix = name?.endsWith(`-${hex.padStart(4, '0')}`) ? name.slice(0, -hex.padStart(4, '0').length) : undefined
    if (prefix !== undefined && range?.prefix === prefix && range.last === code - 1) range.last = code
    else if (prefix !== undefined) lines.push((range = { first: code, last: code, prefix }))
    else if (name !== undefined) {
      lines.push(code === next ? name : `U+${hex} ${name}`)
      next = code + 1
    }
    const aliases = unicodeAliases(String.fromCodePoint(code)) ?? {}
    for (const kind of KINDS) for (const alias of aliases[kind] ?? []) lines.push(`U+${hex}=${alias}`)
  }
  return lines
    .map((line) =>
      typeof line === 'string'
        ? line
        : `U+${line.first.toString(16)}-${line.last.toString(16)} ${line.prefix}`.toUpperCase(),
    )
    .join('\n')
}
