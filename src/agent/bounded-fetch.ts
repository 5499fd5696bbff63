// The fetch of a model's client: a reply comes in whole lines, within a bound, and not too slowly.
// Invariant: work and memory are linear in the bytes, however a server cuts its reply into pieces.

import { modelReplyTooLong, modelTimedOut } from './messages.js'
import { ModelError } from './model-error.js'

export interface ReplyBounds {
  /** The endpoint, for messages. */
  readonly where: string
  /** Of a stream, most of which is not the reply's text. */
  readonly maxBytes: number
  /** Of one event of a stream, and of a reply that is no stream: each is parsed at once. */
  readonly maxBytesAtOnce: number
  /** The longest silence. */
  readonly timeoutMs: number
}

export function boundedFetch(bounds: ReplyBounds): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    if (response.body === null) return response
    const { status, statusText, headers } = response
    const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true
    const { maxBytesAtOnce, maxBytes } = bounds
    const lines = wholeLines(response.body, { ...bounds, maxBytes: isStream ? maxBytes : maxBytesAtOnce })
    return new Response(lines, { status, statusText, headers })
  }
}

/** The client's reader joins the pieces of a line anew for each piece, so it gets lines and no pieces. */
function wholeLines(body: ReadableStream<Uint8Array>, bounds: ReplyBounds): ReadableStream<Uint8Array> {
  const { where, maxBytes, maxBytesAtOnce } = bounds
  const reader = body.getReader()
  const held = new HeldBytes()
  let bytes = 0
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    for (;;) {
      const { done, value } = await readInTime(reader, bounds)
      if (done) {
        if (held.length > 0) controller.enqueue(held.take())
        return controller.close()
      }
      bytes += value.length
      if (bytes > maxBytes || held.length + value.length > maxBytesAtOnce)
        throw new ModelError(modelReplyTooLong(where, Math.min(maxBytes, maxBytesAtOnce)), 502)
      const end = value.lastIndexOf(LINE_FEED) + 1
      held.add(end === 0 ? value : value.subarray(0, end))
      if (end === 0) continue
      controller.enqueue(held.take())
      held.add(value.subarray(end))
      return
    }
  }
  return new ReadableStream<Uint8Array>({
    pull: (controller) =>
      pull(controller).catch(async (error: unknown) => {
        controller.error(error)
        await reader.cancel().catch(() => {})
      }),
    cancel: (reason) => reader.cancel(reason),
  })
}

async function readInTime(reader: ReadableStreamDefaultReader<Uint8Array>, { where, timeoutMs }: ReplyBounds) {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ModelError(modelTimedOut(where, timeoutMs), 504)), timeoutMs)
  })
  try {
    return await Promise.race([reader.read(), late])
  } finally {
    clearTimeout(timer)
  }
}

const LINE_FEED = 10

/** Bytes that are not a whole line yet. */
class HeldBytes {
  #room = Buffer.alloc(1024)
  length = 0

  add(bytes: Uint8Array): void {
    const length = this.length + bytes.length
    if (length > this.#room.length) {
      const larger = Buffer.alloc(Math.max(length, 2 * this.#room.length))
      larger.set(this.#room.subarray(0, this.length))
      this.#room = larger
    }
    this.#room.set(bytes, this.length)
    this.length = length
  }

  /** A copy of all of them; none is held then. */
  take(): Uint8Array {
    const bytes = Uint8Array.from(this.#room.subarray(0, this.length))
    this.length = 0
    return bytes
  }
}
