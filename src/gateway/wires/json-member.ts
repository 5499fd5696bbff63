// Just enough of JSON to find a member in a text. Texts that are not JSON find none, or a wrong one: parsing them fails afterwards, for everybody.

export interface Place {
  readonly start: number
  readonly end: number
}

/** Where the value of a key is in the object that begins at a place. The last one counts, as it does when parsed. */
export function memberOf(text: string, object: number, wanted: string): Place | undefined {
  if (text[object] !== '{') return undefined
  let found: Place | undefined
  let at = skipSpace(text, object + 1)
  while (text[at] === '"') {
    const keyEnd = skipString(text, at)
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1)
    const end = skipValue(text, start)
    if (end <= start) return undefined
    if (text.slice(at + 1, keyEnd - 1) === wanted) found = { start, end }
    const comma = skipSpace(text, end)
    if (text[comma] === '}') return found
    at = skipSpace(text, comma + 1)
  }
  return undefined
}

export function skipSpace(text: string, at: number): number {
  let end = at
  while (' \t\r\n'.includes(text[end] ?? '.')) end++
  return end
}

/** The place after a value; the place itself where there is none. */
function skipValue(text: string, at: number): number {
  if (text[at] === '"') return skipString(text, at)
  if (text[at] !== '{' && text[at] !== '[') {
    SCALAR.lastIndex = at
    return SCALAR.test(text) ? SCALAR.lastIndex : at
  }
  let depth = 0
  let end = at
  do {
    BRACKET.lastIndex = end
    const bracket = BRACKET.exec(text)?.[0]
    if (bracket === undefined) return at
    if (bracket === '"') {
      end = skipString(text, BRACKET.lastIndex - 1)
      continue
    }
    depth += bracket === '{' || bracket === '[' ? 1 : -1
    end = BRACKET.lastIndex
  } while (depth > 0)
  return end
}

const SCALAR = /[-+.\w]+/y
const BRACKET = /["{}[\]]/g

/** The place after a string that begins at a place. */
function skipString(text: string, at: number): number {
  let quote = text.indexOf('"', at + 1)
  while (quote >= 0 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1)
  return quote < 0 ? text.length : quote + 1
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0
  while (text[at - 1 - backslashes] === '\\') backslashes++
  return backslashes % 2 === 1
}
