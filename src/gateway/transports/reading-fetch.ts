// Reads responses: keeps the spelling of structured content, slows down servers that send too much, and takes long
// messages out. The SDK would parse a long message at once. Here it is parsed over several turns of the event loop, and
// the SDK receives a short placeholder, which `LongMessages` resolves.
// Invariant: each long message is restored once, and no server can forge its placeholder.

import { randomUUID } from 'node:crypto'
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { Intake } from '../intake.js'
import { insteadOf, mayBeLong, type ReadingOptions, Remains, readAnyMessage } from '../reading/read-message.js'
import { keepSpelling } from '../reading/spelling.js'
import { withBody } from './bounded-fetch.js'
import { GrowingBytes } from './growing-bytes.js'
import { mebibytes } from './transport.js'

/** The key of a placeholder's reference to the long message that it replaces. */
const LONG = 'starbind/long'
/** The maximum of long messages that wait to be taken. More than these are never waiting at once. */
const MOST_LONG = 16

export class LongMessages {
  readonly #messages = new Map<string, JSONRPCMessage>()

  /** Keeps a message. Returns the text of its placeholder. */
  put(message: JSONRPCMessage): string {
    const key = randomUUID()
    this.#messages.set(key, message)
    // Nobody takes the answer of a cancelled request.
    for (const oldest of this.#messages.keys()) if (this.#messages.size > MOST_LONG) this.#messages.delete(oldest)
    const id = 'id' in message ? { id: message.id } : {}
    const rest = 'method' in message ? { method: message.method, params: { [LONG]: key } } : { result: { [LONG]: key } }
    return JSON.stringify({ jsonrpc: '2.0', ...id, ...rest })
  }

  /** The message behind a placeholder. Any other message is returned unchanged. */
  take(message: JSONRPCMessage): JSONRPCMessage {
    const { params, result } = message as { params?: Record<string, unknown>; result?: Record<string, unknown> }
    const key = params?.[LONG] ?? result?.[LONG]
    const long = typeof key === 'string' ? this.#messages.get(key) : undefined
    if (long === undefined) return message
    this.#messages.delete(key as string)
    return long
  }
}

/** `fetch` that reads the message of each JSON response, and those of each event stream, in this way. */
export function readingFetch(fetch: FetchLike, longs: LongMessages, options: ReadingOptions): FetchLike {
  const { intake } = options
  const read = (text: string) => readText(text, longs, options)
  return async (url, init) => {
    const response = await fetch(url, init)
    const type = response.headers.get('content-type') ?? ''
    if (response.body === null) return response
    if (type.startsWith('text/event-stream'))
      return withBody(response, response.body.pipeThrough(new TransformStream(new EventReader(read, intake))))
    return type.startsWith('application/json')
      ? withBody(response, response.body.pipeThrough(readWhole(read, intake)))
      : response
  }
}

type ReadText = (text: string) => Promise<string>

async function readText(text: string, longs: LongMessages, options: ReadingOptions): Promise<string> {
  if (!mayBeLong(text)) return keepSpelling(text)
  // The SDK reports a text that is not a message.
  return readAnyMessage(text, options).then(
    (message) => longs.put(message),
    () => '{"jsonrpc":"2.0"}',
  )
}

/**
 * Collects the pieces of one message, up to a number of bytes. Of a longer one it keeps the parts that identify its
 * request.
 */
class Pieces {
  readonly #maxBytes: number
  readonly #bytes = new GrowingBytes()
  #remains: Remains | undefined

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  get isEmpty(): boolean {
    return this.#bytes.length === 0 && this.#remains === undefined
  }

  add(piece: Uint8Array): void {
    if (this.#remains === undefined && this.#bytes.length + piece.length <= this.#maxBytes)
      return this.#bytes.add(piece)
    if (this.#remains === undefined) {
      this.#remains = new Remains()
      this.#remains.take(this.#bytes.take())
    }
    this.#remains.take(piece)
  }

  /** Ends the message: its text goes through `read`. Rejects if it is too long and no request waits for it. */
  async end(read: (text: string) => Promise<string>, prefix = ''): Promise<string> {
    const remains = this.#remains
    this.#remains = undefined
    if (remains === undefined) return read(this.#bytes.take().toString())
    const what = `a message of more than ${mebibytes(this.#maxBytes)}`
    return prefix + JSON.stringify(insteadOf(String(remains).slice(prefix.length), what))
  }
}

function readWhole(readText: ReadText, intake: Intake): TransformStream<Uint8Array, Uint8Array> {
  const pieces = new Pieces(intake.partMaxBytes)
  return new TransformStream({
    async transform(chunk) {
      if (intake.isTurnOver) await intake.rest()
      pieces.add(chunk)
    },
    async flush(out) {
      out.enqueue(Buffer.from(await pieces.end(readText)))
    },
  })
}

/**
 * Reads an event stream. An event's message is on one line that begins with `data:`; a message on several lines is
 * passed on unchanged. Lines without a message count as unsolicited, and lines without a meaning are left out.
 */
class EventReader {
  readonly #read: ReadText
  readonly #intake: Intake
  readonly #line: Pieces
  #written: string[] = []
  /** True inside an event. A blank line ends it. */
  #isBegun = false
  /** The number of lines since the last message. */
  #idle = 0

  constructor(read: ReadText, intake: Intake) {
    this.#read = async (line) =>
      line.startsWith('data:') ? `data:${await read(line.slice(5).replace(/\r$/, ''))}` : line
    this.#intake = intake
    this.#line = new Pieces(intake.partMaxBytes)
  }

  async transform(chunk: Uint8Array, out: Out): Promise<void> {
    for (let start = 0; start < chunk.length; ) {
      if (this.#intake.isTurnOver) {
        this.#pass(out)
        await this.#intake.rest()
      }
      const most = Math.min(chunk.length, start + PACED_BYTES)
      const found = chunk.subarray(start, most).indexOf(NEWLINE)
      const end = found < 0 ? most : start + found
      if (end > start) this.#line.add(chunk.subarray(start, end))
      if (found >= 0) this.#take(await this.#line.end(this.#read, 'data:'))
      if (this.#written.length >= PASSED_LINES) this.#pass(out)
      start = found < 0 ? end : end + 1
    }
    this.#pass(out)
  }

  async flush(out: Out): Promise<void> {
    if (!this.#line.isEmpty) out.enqueue(Buffer.from(await this.#line.end(this.#read, 'data:')))
  }

  #take(line: string): void {
    if (line.startsWith('data:') && line.length > 'data: '.length) this.#idle = 0
    else if (++this.#idle % IDLE_LINES === 0) this.#intake.takesMessage()
    const isBlank = line === '' || line === '\r'
    if (line.startsWith(':') || (isBlank && !this.#isBegun)) return
    this.#isBegun = !isBlank
    this.#written.push(`${line}\n`)
  }

  #pass(out: Out): void {
    if (this.#written.length > 0) out.enqueue(Buffer.from(this.#written.join('')))
    this.#written = []
  }
}

type Out = TransformStreamDefaultController<Uint8Array>

/** The bytes that are read between two checks of the time. */
const PACED_BYTES = 16_384
/** The number of lines that are passed on at once, because their processing takes time, too. */
const PASSED_LINES = 16
/**
 * The number of lines without a message that counts as one message. Events have a name and an id, and servers send
 * keep-alive lines.
 */
const IDLE_LINES = 64
const NEWLINE = 10
