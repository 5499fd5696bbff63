// Unicode's names of characters, for `\N{…}` and `unicodedata`. The table is read on first use.
// scripts/character-names.mjs describes its form.

import { bundledText } from './bundled-text.js'

interface Table {
  readonly names: ReadonlyMap<number, string>
  readonly codes: ReadonlyMap<string, number>
  /** Ranges of characters whose names end in their numbers. */
  readonly ranges: readonly Range[]
}

interface Range {
  readonly first: number
  readonly last: number
  readonly prefix: string
}

let read: Table | undefined

/** The name of a character; undefined if it has none. */
export function characterName(code: number): string | undefined {
  const { names, ranges } = table()
  const range = ranges.find(({ first, last }) => code >= first && code <= last)
  return range === undefined ? names.get(code) : `${range.prefix}${numberOf(code)}`
}

/** The character with this name or alias, whatever the case of its letters. */
export function characterNamed(name: string): number | undefined {
  const { codes, ranges } = table()
  const capitals = name.toUpperCase()
  const known = codes.get(capitals)
  if (known !== undefined) return known
  const dash = capitals.lastIndexOf('-') + 1
  const code = Number.parseInt(capitals.slice(dash), 16)
  const isIn = ({ first, last, prefix }: Range) =>
    prefix === capitals.slice(0, dash) && code >= first && code <= last && numberOf(code) === capitals.slice(dash)
  return ranges.some(isIn) ? code : undefined
}

function numberOf(code: number): string {
  return code.toString(16).toUpperCase().padStart(4, '0')
}

function table(): Table {
  if (read !== undefined) return read
  const names = new Map<number, string>()
  const codes = new Map<string, number>()
  const ranges: Range[] = []
  let next = 0
  for (const line of bundledText('character-names.txt').split('\n')) {
    const [, first, last, sign = ' ', name = line] = /^U\+([0-9A-F]+)(?:-([0-9A-F]+))?([ =])(.*)$/.exec(line) ?? []
    const code = first === undefined ? next : Number.parseInt(first, 16)
    if (last !== undefined) ranges.push({ first: code, last: Number.parseInt(last, 16), prefix: name })
    else {
      codes.set(name, code)
      if (sign === '=') continue
      names.set(code, name)
      next = code + 1
    }
  }
  read = { names, codes, ranges }
  return read
}
