// Responses as they are read: with the spelling of structured content, slowly where a server says too much, and with long messages taken out. The SDK parses a
// message at once, however long it is; so a long one is parsed here, in turns, and the SDK gets a short one in its place, which `LongMessages` knows again.
// Knows bodies and event streams; what a message means is not read.
// Invariant: a message that was taken out is given back once, for the short one that stands for it, and nobody else can name it.

import { randomUUID } from 'node:crypto'
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { Intake } from '../intake.js'
import { withBody } from './bounded-fetch.js'
import { insteadOf, mayBeLong, type ReadingOptions, Remains, readAnyMessage } from './read-message.js'
import { keepSpelling } from './spelling.js'
import { mebibytes } from './wire.js'

/** Where a short message says which long one it stands for. */
const LONG = 'starbind/long'
/** More than can be between being read and being asked for. */
const MOST_LONG = 16

export class LongMessages {
  readonly #messages = new Map<string, JSONRPCMessage>()

  /** The text that stands for a message. */
  put(message: JSONRPCMessage): string {
    const key = randomUUID()
    this.#messages.set(key, message)
    // What was cancelled meanwhile nobody asks for.
    for (const oldest of this.#messages.keys()) if (this.#messages.size > MOST_LONG) this.#messages.delete(oldest)
    const id = 'id' in message ? { id: message.id } : {}
    const rest = 'method' in message ? { method: message.method, params: { [LONG]: key } } : { result: { [LONG]: key } }
    return JSON.stringify({ jsonrpc: '2.0', ...id, ...rest })
  }

  /** The message that one stands for; the same message where it stands for none. */
  take(message: JSONRPCMessage): JSONRPCMessage {
    const { params, result } = message as { params?: Record<string, unknown>; result?: Record<string, unknown> }
    const key = params?.[LONG] ?? result?.[LONG]
    const long = typeof key === 'string' ? this.#messages.get(key) : undefined
    if (long === undefined) return message
    this.#messages.delete(key as string)
    return long
  }
}

/** `fetch` whose responses are read so, in their only message or in those of their events. */
export function readingFetch(fetch: FetchLike, longs: LongMessages, options: ReadingOptions): FetchLike {
  const { intake } = options
  const read = (text: string) => readText(text, longs, options)
  return async (url, init) => {
    const response = await fetch(url, init)
    const type = response.headers.get('content-type') ?? ''
    if (response.body === null) return response
    if (type.startsWith('text/event-stream'))
      return withBody(
        response,
        response.body.pipeThrough(paced(intake)).pipeThrough(readEvents(read, intake.partMaxBytes)),
      )
    return type.startsWith('application/json')
      ? withBody(response, response.body.pipeThrough(readWhole(read, intake.partMaxBytes)))
      : response
  }
}

type ReadText = (text: string) => Promise<string>

async function readText(text: string, longs: LongMessages, options: ReadingOptions): Promise<string> {
  if (!mayBeLong(text)) return keepSpelling(text)
  // What is no message is for the SDK to complain about.
  return readAnyMessage(text, options).then(
    (message) => longs.put(message),
    () => '{"jsonrpc":"2.0"}',
  )
}

/** Passes on a little at a time, and slowly what a server says too much of. */
function paced(intake: Intake): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    async transform(chunk, out) {
      for (let at = 0; at < chunk.length; at += PACED_BYTES) {
        if (intake.isTurnOver) await intake.rest()
        out.enqueue(chunk.subarray(at, at + PACED_BYTES))
        if (chunk.length > PACED_BYTES) await intake.rest()
      }
    },
  })
}

const PACED_BYTES = 16_384

/** The pieces of one message, up to so many bytes; of a longer one what is needed to answer for it. */
class Pieces {
  readonly #maxBytes: number
  #pieces: Uint8Array[] = []
  #length = 0
  #remains: Remains | undefined

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get isEmpty(): boolean {
    return this.#length === 0
  }

  add(piece: Uint8Array): void {
    this.#length += piece.length
    this.#pieces.push(piece)
    if (this.#length <= this.#maxBytes) return
    this.#remains ??= new Remains()
    for (const one of this.#pieces.splice(0)) this.#remains.take(one)
  }

  /** The text of it all, which is then forgotten, as `read` reads it. Rejects when it is too long and nobody waits for it. */
  async end(read: (text: string) => Promise<string>, prefix = ''): Promise<string> {
    const [pieces, remains] = [this.#pieces, this.#remains]
    this.#pieces = []
    this.#length = 0
    this.#remains = undefined
    if (remains === undefined) return read(Buffer.concat(pieces).toString())
    const what = `a message of more than ${mebibytes(this.#maxBytes)}`
    return prefix + JSON.stringify(insteadOf(String(remains).slice(prefix.length), what))
  }
}

function readWhole(readText: ReadText, maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  const pieces = new Pieces(maxBytes)
  return new TransformStream({
    transform(chunk) {
      pieces.add(chunk)
    },
    async flush(out) {
      out.enqueue(Buffer.from(await pieces.end(readText)))
    },
  })
}

/** Events have their message on one line that begins with `data:`. One that is spread over several lines goes through as it is. */
function readEvents(readText: ReadText, maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  const pieces = new Pieces(maxBytes)
  const readLine = async (text: string): Promise<string> => {
    if (!text.startsWith('data:')) return text
    const message = text.slice(5).replace(/\r$/, '')
    return `data:${await readText(message)}`
  }
  return new TransformStream({
    async transform(chunk, out) {
      let start = 0
      for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
        pieces.add(chunk.subarray(start, end))
        out.enqueue(Buffer.from(`${await pieces.end(readLine, 'data:')}\n`))
        start = end + 1
      }
      if (start < chunk.length) pieces.add(chunk.subarray(start))
    },
    async flush(out) {
      if (!pieces.isEmpty) out.enqueue(Buffer.from(await pieces.end(readLine, 'data:')))
    },
  })
}

const NEWLINE = 10
