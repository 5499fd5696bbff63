// How a server spelt its structured content. Parsing a message makes `120.0` and `120` one number, rounds integers beyond what a double can hold,
// and moves keys that are whole numbers to the front. So a message in which that happens gets the text of its structured content as one
// more text beside it, before anybody parses it.
// Knows JSON as text, and where a result has its structured content. Knows nothing of tools.
// Invariant: what is added is never more than another spelling: a reader checks that it parses to the structured content. A text that is not such
// a message comes back as it is.

import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'
import { withBody } from './bounded-fetch.js'
import { memberOf, skipSpace } from './json-member.js'

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

/** What makes the text of a message one that is parsed quickly. */
export type ReadMessage = (text: string) => string | Promise<string>

/** `fetch` whose responses carry spellings, in their only message or in those of their events, and are parsed quickly. */
export function spellingFetch(fetch: FetchLike, read: ReadMessage): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init)
    const type = response.headers.get('content-type') ?? ''
    if (response.body === null) return response
    if (type.startsWith('text/event-stream')) return withBody(response, response.body.pipeThrough(spelledEvents(read)))
    return type.startsWith('application/json')
      ? withBody(response, response.body.pipeThrough(spelledWhole(read)))
      : response
  }
}

function spelledWhole(read: ReadMessage): TransformStream<Uint8Array, Uint8Array> {
  const pieces: Uint8Array[] = []
  return new TransformStream({
    transform(chunk) {
      pieces.push(chunk)
    },
    async flush(out) {
      out.enqueue(Buffer.from(keepSpelling(await read(Buffer.concat(pieces).toString()))))
    },
  })
}

/** Events have their message on one line that begins with `data:`. One that is spread over several lines goes through as it is. */
function spelledEvents(read: ReadMessage): TransformStream<Uint8Array, Uint8Array> {
  let pieces: Uint8Array[] = []
  const take = async (piece: Uint8Array): Promise<Buffer> => {
    pieces.push(piece)
    const line = Buffer.concat(pieces)
    pieces = []
    const text = line.toString()
    if (!text.startsWith('data:')) return line
    const data = text.slice(5)
    const spelled = keepSpelling(await read(data))
    return spelled === data ? line : Buffer.from(`data:${spelled}${spelled.endsWith('\n') ? '' : '\n'}`)
  }
  return new TransformStream({
    async transform(chunk, out) {
      let start = 0
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
        out.enqueue(await take(chunk.subarray(start, end + 1)))
        start = end + 1
      }
      if (start < chunk.length) pieces.push(chunk.subarray(start))
    },
    async flush(out) {
      if (pieces.length > 0) out.enqueue(await take(new Uint8Array()))
    },
  })
}

const NEWLINE = 10
