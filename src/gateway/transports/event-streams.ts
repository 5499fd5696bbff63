// Repairs two gaps in how the SDK's client resumes event streams. A resumed stream that breaks before its next event
// has lost its position. And if a stream ends without an event id and without an answer, its request would wait until
// its timeout.
// Invariant: a server's data is passed on unchanged; text is only added before or after it.

import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'
import { UNANSWERED } from '../http-error.js'
import { withBody } from './bounded-fetch.js'

/** `fetch` whose streams keep their position, and which report that they ended without an answer. */
export function steadyFetch(fetch: FetchLike): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init)
    const isEvents = response.headers.get('content-type')?.startsWith('text/event-stream') === true
    if (response.body === null || !isEvents) return response
    const place = new Headers(init?.headers).get('last-event-id')
    if (place !== null) return withBody(response, startingWith(`id: ${place}\ndata:\n\n`, response.body))
    const id = requestOf(init?.body)
    return id === undefined ? response : withBody(response, endingWithAnswer(id, response.body))
  }
}

/** The id of the request whose answer a message says is missing. */
export function unansweredIn(message: object): string | number | undefined {
  const { id, error } = message as { readonly id?: string | number; readonly error?: { readonly data?: unknown } }
  return error?.data === UNANSWERED ? id : undefined
}

/** The id of the request in a body. The SDK's client writes it last. */
function requestOf(body: unknown): string | undefined {
  return typeof body === 'string' ? /"jsonrpc":"2\.0","id":(\d+)\}$/.exec(body.slice(-60))?.[1] : undefined
}

function startingWith(text: string, body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const start = (out: TransformStreamDefaultController<Uint8Array>) => out.enqueue(Buffer.from(text))
  return body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>({ start }))
}

/** Turns a break of the stream into an end, so that earlier data is read first. A resumable stream is unchanged. */
function endingWithAnswer(id: string, body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const numbered = new NumberFinder()
  return new ReadableStream({
    pull: async (out) => {
      try {
        const { value, done } = await reader.read()
        if (value !== undefined) numbered.take(value)
        if (!done) return out.enqueue(value)
      } catch (error) {
        if (numbered.isFound) return out.error(error)
      }
      const error = { code: -32000, message: 'the stream ended without an answer', data: UNANSWERED }
      const event = `\n\ndata: {"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}\n\n`
      if (!numbered.isFound) out.enqueue(Buffer.from(event))
      out.close()
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

/** Finds a line with an event id. */
class NumberFinder {
  isFound = false
  #line = ''

  take(chunk: Uint8Array): void {
    if (this.isFound) return
    const lines = (this.#line + Buffer.from(chunk).toString('latin1')).split(/[\r\n]/)
    this.isFound = lines.some((line) => /^id: ?[^ ]/.test(line))
    this.#line = lines.at(-1)!.slice(0, 4)
  }
}
