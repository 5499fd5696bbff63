// How a server spelt its structured content. Parsing a message makes `120.0` and `120` one number, rounds integers beyond what a double can hold,
// and moves keys that are whole numbers to the front. So a message in which that happens gets the text of its structured content as one
// more text beside it, before anybody parses it.
// Knows JSON as text, and where a result has its structured content. Knows nothing of tools.
// Invariant: what is added is never more than another spelling: a reader checks that it parses to the structured content. A text that is not such
// a message comes back as it is.

import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'
import { withBody } from './bounded-fetch.js'

/** Where a result has the text of its structured content. A server that sends this itself can only spell it differently. */
export const SPELLING = 'starbind/spelling'

/** The text of a message, with the spelling of its structured content where parsing would lose it. */
export function keepSpelling(message: string): string {
  if (!message.includes('"structuredContent"') || !LOSSY.test(message)) return message
  const result = memberOf(message, skipSpace(message, 0), 'result')
  const content = result && memberOf(message, result.start, 'structuredContent')
  if (content === undefined) return message
  const text = message.slice(content.start, content.end)
  if (!LOSSY.test(text)) return message
  return `${message.slice(0, content.end)},${JSON.stringify(SPELLING)}:${JSON.stringify(text)}${message.slice(content.end)}`
}

/** A long integer, a whole number with a point or an exponent, or a key that is a whole number. Matches more than that, in texts for example. */
const LOSSY = /\d{16}|\d\.0|\d[eE][+-]?\d|"\d+"\s*:/

/** `fetch` whose responses carry spellings, in their only message or in those of their events. */
export function spellingFetch(fetch: FetchLike): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init)
    const type = response.headers.get('content-type') ?? ''
    if (response.body === null) return response
    if (type.startsWith('text/event-stream')) return withBody(response, response.body.pipeThrough(spelledEvents()))
    return type.startsWith('application/json')
      ? withBody(response, response.body.pipeThrough(spelledWhole()))
      : response
  }
}

function spelledWhole(): TransformStream<Uint8Array, Uint8Array> {
  const pieces: Uint8Array[] = []
  return new TransformStream({
    transform(chunk) {
      pieces.push(chunk)
    },
    flush(out) {
      out.enqueue(Buffer.from(keepSpelling(Buffer.concat(pieces).toString())))
    },
  })
}

/** Events have their message on one line that begins with `data:`. One that is spread over several lines goes through as it is. */
function spelledEvents(): TransformStream<Uint8Array, Uint8Array> {
  let pieces: Uint8Array[] = []
  const take = (piece: Uint8Array): Buffer => {
    pieces.push(piece)
    const line = Buffer.concat(pieces)
    pieces = []
    const text = line.toString()
    const spelled = text.startsWith('data:') ? `data:${keepSpelling(text.slice(5))}` : text
    return spelled === text ? line : Buffer.from(spelled)
  }
  return new TransformStream({
    transform(chunk, out) {
      let start = 0
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
        out.enqueue(take(chunk.subarray(start, end + 1)))
        start = end + 1
      }
      if (start < chunk.length) pieces.push(chunk.subarray(start))
    },
    flush(out) {
      if (pieces.length > 0) out.enqueue(take(new Uint8Array()))
    },
  })
}

const NEWLINE = 10

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
