// The stream of events that pages follow. Events lie in a ring; a reader is a place in it. Who is slow reads later, and
// who is too slow finds a gap and fetches again what it shows.
// Invariant: a reader costs a place and what its socket holds, whatever happens meanwhile, and gets no event of a run
// that it may not see.

import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { PageEvent } from './interface.js'

interface Entry {
  readonly number: number
  /** The caller whose run it is about; undefined: everybody may know. */
  readonly owner: string | undefined
  /** JSON. */
  readonly text: string
}

interface Reader {
  readonly response: ServerResponse
  readonly sees: (owner: string | undefined) => boolean
  /** The last event that it has. */
  at: number
  isFull: boolean
}

const MOST_EVENTS = 5000
const MOST_CHARACTERS = 8_000_000
/** Events of this time are sent together. */
const BEAT_MS = 40
const KEEP_ALIVE_MS = 20_000
/** The most that one write takes. */
const PIECE = 256 * 1024

export class EventFeed {
  /** Numbers of another process mean nothing here. */
  readonly #epoch = randomBytes(6).toString('hex')
  readonly #entries: Entry[] = []
  #characters = 0
  #last = 0
  readonly #readers = new Set<Reader>()
  #beat: NodeJS.Timeout | undefined

  get readers(): number {
    return this.#readers.size
  }

  tell(event: PageEvent, owner?: string): void {
    const text = JSON.stringify(event)
    this.#entries.push({ number: ++this.#last, owner, text })
    this.#characters += text.length
    while (this.#entries.length > MOST_EVENTS || this.#characters > MOST_CHARACTERS)
      this.#characters -= this.#entries.shift()!.text.length
    if (this.#readers.size > 0) this.#beat ??= setTimeout(() => this.#sendAll(), BEAT_MS).unref()
  }

  /** Follows the events after `id` until the connection or `signal` ends. Resolves then. */
  async follow(
    response: ServerResponse,
    { after, sees, signals }: { after: string | undefined; sees: Reader['sees']; signals: readonly AbortSignal[] },
  ): Promise<void> {
    const from = this.#numberOf(after)
    const reader: Reader = { response, sees, at: from ?? this.#last, isFull: false }
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-cache, no-transform',
      'X-Content-Type-Options': 'nosniff',
      'X-Accel-Buffering': 'no',
    })
    const hello: PageEvent = { type: 'hello', resumed: from !== undefined }
    response.write(`retry: 1000\n${this.#lines(reader.at, JSON.stringify(hello))}`)
    this.#readers.add(reader)
    response.on('drain', () => {
      reader.isFull = false
      this.#send(reader)
    })
    const alive = setInterval(() => !reader.isFull && response.write(': alive\n\n'), KEEP_ALIVE_MS).unref()
    const over = AbortSignal.any([...signals])
    try {
      this.#send(reader)
      if (!over.aborted)
        await new Promise<void>((resolve) => over.addEventListener('abort', () => resolve(), { once: true }))
    } finally {
      clearInterval(alive)
      this.#readers.delete(reader)
      response.end()
    }
  }

  /** The number of an id, if all events after it are still there. */
  #numberOf(id: string | undefined): number | undefined {
    const [, epoch, text] = /^([0-9a-f]+)-(\d{1,15})$/.exec(id ?? '') ?? []
    const number = Number(text)
    const first = this.#entries[0]?.number ?? this.#last + 1
    return epoch === this.#epoch && number >= first - 1 && number <= this.#last ? number : undefined
  }

  #sendAll(): void {
    this.#beat = undefined
    for (const reader of this.#readers) this.#send(reader)
  }

  #send(reader: Reader): void {
    if (reader.isFull || reader.at === this.#last) return
    const first = this.#entries[0]!.number
    let text = ''
    if (reader.at < first - 1) {
      reader.at = this.#last
      text = this.#lines(this.#last, JSON.stringify({ type: 'hello', resumed: false } satisfies PageEvent))
    }
    for (let i = reader.at + 1 - first; i < this.#entries.length && text.length < PIECE; i++) {
      const { number, owner, text: json } = this.#entries[i]!
      reader.at = number
      if (reader.sees(owner)) text += this.#lines(number, json)
    }
    if (text !== '') reader.isFull = !reader.response.write(text)
    if (!reader.isFull && reader.at < this.#last) setImmediate(() => this.#send(reader))
  }

  #lines(number: number, json: string): string {
    return `id: ${this.#epoch}-${number}\ndata: ${json}\n\n`
  }
}
