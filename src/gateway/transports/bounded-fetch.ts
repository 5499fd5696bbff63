// Bounds the size of responses. Of an event stream (SSE), which may last for days, each event is bounded.

import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'
import { mebibytes } from './transport.js'

interface BoundOptions {
  readonly maxBytes: () => number
  /** Called before a response fails, with the reason in words for people. */
  readonly onTooLong?: (words: string) => void
}

/** `fetch` whose responses fail at a message that is longer than the limit. */
export function boundedFetch(fetch: FetchLike, { maxBytes: most, onTooLong = () => {} }: BoundOptions): FetchLike {
  return async (url, init) => {
    const maxBytes = most()
    const fail = (): Error => {
      const words = `it sent a message of more than ${mebibytes(maxBytes)}`
      onTooLong(words)
      return new Error(words)
    }
    const response = await fetch(url, init)
    if (response.body === null) return response
    const isEvents = response.headers.get('content-type')?.startsWith('text/event-stream') === true
    const body = response.body.pipeThrough(isEvents ? boundedEvents(maxBytes, fail) : boundedBytes(maxBytes, fail))
    return withBody(response, body)
  }
}

/** The same response with another body. */
export function withBody(response: Response, body: ReadableStream<Uint8Array>): Response {
  const made = new Response(body, response)
  // A constructed response has no URL, and the event source needs it.
  Object.defineProperty(made, 'url', { value: response.url })
  return made
}

function boundedBytes(maxBytes: number, fail: () => Error): TransformStream<Uint8Array, Uint8Array> {
  let length = 0
  return new TransformStream({
    transform(chunk, out) {
      length += chunk.length
      if (length > maxBytes) out.error(fail())
      else out.enqueue(chunk)
    },
  })
}

/** Counts the bytes from one blank line to the next. */
function boundedEvents(maxBytes: number, fail: () => Error): TransformStream<Uint8Array, Uint8Array> {
  let length = 0
  let isLineStart = true
  return new TransformStream({
    transform(chunk, out) {
      const end = lastBlankLine(chunk, isLineStart)
      length = end < 0 ? length + chunk.length : chunk.length - end
      isLineStart = chunk.at(-1) === NEWLINE
      if (length > maxBytes) out.error(fail())
      else out.enqueue(chunk)
    },
  })
}

const NEWLINE = 10
const RETURN = 13

/** The offset where the last empty line of a piece ends; -1 if there is none. */
function lastBlankLine(chunk: Uint8Array, isLineStart: boolean): number {
  for (let at = chunk.lastIndexOf(NEWLINE); at >= 0; at = at === 0 ? -1 : chunk.lastIndexOf(NEWLINE, at - 1)) {
    const before = chunk[at - 1] === RETURN ? at - 2 : at - 1
    if (before < 0 ? isLineStart : chunk[before] === NEWLINE) return at
  }
  return -1
}
