// Bounds request bodies that are still arriving: their number, their bytes, and the time since the last byte.
// Invariant: the buffered bytes stay within the bounds, for one caller and in all, and a stalled body is dropped.

import type { IncomingMessage } from 'node:http'
import { GrowingBytes } from '../transports/growing-bytes.js'

/** The reason why a body is not read further. */
export class BodyRefused extends Error {
  /** The HTTP status. */
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

interface UnreadOptions {
  /** The maximum size of one body. */
  readonly maxBytes: number
  /** The maximum size of all bodies that are being read, and of those of one caller. */
  readonly maxUnreadBytes: number
  readonly maxUnreadBytesPerKey: number
  /** The longest wait for the next piece. */
  readonly bodyIdleMs: number
}

/** Bodies up to this size are always read. */
const SHORT_BYTES = 65_536
/** This number of pieces may be of any length; with more, the mean must exceed CRUMB_BYTES. */
const FEW_PIECES = 1_024
/** Reading shorter pieces costs more than sending them. */
const CRUMB_BYTES = 16
const CRUMBS = 'the body arrives in too many small pieces'

function isCrumbs(pieces: number, bytes: number): boolean {
  return pieces > FEW_PIECES && bytes < pieces * CRUMB_BYTES
}

function stalled(bodyIdleMs: number): string {
  return `the body made no progress within ${bodyIdleMs} ms`
}

/**
 * The body of a request in pieces, for those who don't hold it. Throws BodyRefused where it is not to be read further; the
 * request is left as it is.
 */
export async function* piecesOf(
  request: IncomingMessage,
  { bodyIdleMs, maxBytes, tooLong }: { bodyIdleMs: number; maxBytes: number; tooLong: BodyRefused },
): AsyncGenerator<Uint8Array> {
  const iterator = request[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>
  let stall = (_: BodyRefused): void => {}
  const refused = new Promise<never>((_, reject) => {
    stall = reject
  })
  refused.catch(() => {})
  const timer = setTimeout(() => stall(new BodyRefused(408, stalled(bodyIdleMs))), bodyIdleMs)
  let pieces = 0
  let bytes = 0
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), refused])
      if (next.done === true) return
      timer.refresh()
      bytes += next.value.length
      if (bytes > maxBytes) throw tooLong
      if (isCrumbs(++pieces, bytes)) throw new BodyRefused(400, CRUMBS)
      yield next.value
    }
  } finally {
    clearTimeout(timer)
  }
}

export class Unread {
  readonly #options: UnreadOptions
  readonly #held = new Map<string, number>()
  #all = 0

  constructor(options: UnreadOptions) {
    this.#options = options
  }

  /** The body of a request. Rejects with BodyRefused when reading stops. */
  async read(request: IncomingMessage, whose: string): Promise<string> {
    const { maxBytes, bodyIdleMs } = this.#options
    const tooLong = `the body is longer than ${maxBytes} bytes`
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw new BodyRefused(413, tooLong)
    const body = new GrowingBytes()
    let pieces = 0
    let counted = 0
    let timer: NodeJS.Timeout | undefined
    try {
      return await new Promise<string>((resolve, reject) => {
        let isRefused = false
        const refuse = (status: number, message: string) => {
          isRefused = true
          reject(new BodyRefused(status, message))
        }
        timer = setTimeout(() => refuse(408, stalled(bodyIdleMs)), bodyIdleMs)
        request.on('data', (chunk: Buffer) => {
          // Thousands of pieces may have come together with the one that is too much.
          if (isRefused) return
          timer?.refresh()
          const length = body.length + chunk.length
          if (length > maxBytes) return refuse(413, tooLong)
          if (isCrumbs(++pieces, length)) {
            // Written directly to the socket: Node would parse the rest of the body before it sent an answer.
            request.socket.write('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
            request.socket.destroy()
            return refuse(400, CRUMBS)
          }
          const more = Math.max(0, length - SHORT_BYTES) - counted
          if (more > 0 && !this.#take(whose, more)) return refuse(503, 'too many long bodies are being read; try again')
          counted += more
          body.add(chunk)
        })
        request.on('end', () => resolve(body.take().toString('utf8')))
        request.on('error', reject)
        request.on('close', () => reject(new Error('the request was aborted')))
      })
    } finally {
      clearTimeout(timer)
      this.#give(whose, counted)
    }
  }

  /** False if there is no room for more. */
  #take(whose: string, bytes: number): boolean {
    const { maxUnreadBytes, maxUnreadBytesPerKey } = this.#options
    const own = (this.#held.get(whose) ?? 0) + bytes
    if (own > maxUnreadBytesPerKey || this.#all + bytes > maxUnreadBytes) return false
    this.#held.set(whose, own)
    this.#all += bytes
    return true
  }

  #give(whose: string, bytes: number): void {
    const own = (this.#held.get(whose) ?? 0) - bytes
    this.#all -= bytes
    if (own > 0) this.#held.set(whose, own)
    else this.#held.delete(whose)
  }
}
