// How a server spelt its structured content. Parsing a message makes `120.0` and `120` one number, rounds integers beyond what a double can hold,
// and moves keys that are whole numbers to the front. So a message in which that happens gets the text of its structured content as one
// more text beside it, before anybody parses it.
// Knows JSON as text, and where a result has its structured content. Knows nothing of tools.
// Invariant: what is added is never more than another spelling: a reader checks that it parses to the structured content. A text that is not such
// a message comes back as it is.

import { endOfString } from './json-in-turns.js'

/** Where a result has the text of its structured content. A server that sends this itself can only spell it differently. */
export const SPELLING = 'starbind/spelling'

/** The text of a message, with the spelling of its structured content where parsing would lose it. */
export function keepSpelling(message: string): string {
  const content = lossyContent(message)
  if (content === undefined) return message
  const text = message.slice(content.start, content.end)
  return `${message.slice(0, content.end)},${JSON.stringify(SPELLING)}:${JSON.stringify(text)}${message.slice(content.end)}`
}

/** Where a message has structured content of which parsing would lose something. */
function lossyContent(message: string): Place | undefined {
  if (!message.includes('"structuredContent"') || !LOSSY.test(message)) return undefined
  const result = memberOf(message, skipSpace(message, 0), 'result')
  const content = result && memberOf(message, result.start, 'structuredContent')
  return content !== undefined && LOSSY.test(message.slice(content.start, content.end)) ? content : undefined
}

/** The spelling of the structured content of a message, for who parses the message in another way. */
export function spellingIn(message: string): string | undefined {
  const content = lossyContent(message)
  return content && message.slice(content.start, content.end)
}

/** A long integer, a whole number with a point or an exponent, or a key that is a whole number. Matches more than that, in texts for example. */
const LOSSY = /\d{16}|\d\.0|\d[eE][+-]?\d|"\d+"\s*:/

// Just enough of JSON to find a member. Texts that are not JSON find none, or a wrong one: parsing them fails afterwards, for everybody.

interface Place {
  readonly start: number
  readonly end: number
}

/** Where the value of a key is in the object that begins at a place. The last one counts, as it does when parsed. */
function memberOf(text: string, object: number, wanted: string): Place | undefined {
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

function skipSpace(text: string, at: number): number {
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

/** The place after a string that begins at a place. */
function skipString(text: string, at: number): number {
  return Math.min(text.length, endOfString(text, at) + 1)
}
