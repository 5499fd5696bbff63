// Finds a member in a JSON text without parsing it. In text that is not JSON the result may be wrong, but such text
// fails later, when it is parsed.

import { endOfString } from './json-in-turns.js'

export interface Place {
  readonly start: number
  readonly end: number
}

/**
 * The place of a key's value in the object that begins at `object`. Of several equal keys the last one counts, as in
 * parsing.
 */
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

/** The offset after a value; `at` itself if there is no value. */
function skipValue(text: string, at: number): number {
  if (text[at] === '"') return skipString(text, at)
  if (text[at] !== '{' && text[at] !== '[') {
    SCALAR.lastIndex = at
    return SCALAR.test(text) ? SCALAR.lastIndex : at
  }
  let depth = 0
  for (let end = at; end < text.length; end++) {
    const code = text.charCodeAt(end)
    if (code === QUOTE) end = endOfString(text, end)
    else if (code === OPEN_OBJECT || code === OPEN_LIST) depth++
    else if ((code === CLOSE_OBJECT || code === CLOSE_LIST) && --depth === 0) return end + 1
  }
  return at
}

const SCALAR = /[-+.\w]+/y
const [QUOTE, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [34, 91, 93, 123, 125]

/** The offset after the string that begins at `at`. */
function skipString(text: string, at: number): number {
  return Math.min(text.length, endOfString(text, at) + 1)
}
