// Bounds answers that callers do not read.
// Invariant: an unread answer is dropped after a while, and the longest are dropped when together they take too much.

import type { ServerResponse } from 'node:http'

/** The time without a sent byte after which an answer is dropped. */
const UNSENT_MS = 30_000
const MAX_BYTES = 64 * 1024 * 1024

export class Unsent {
  /** For each response, the unsent bytes and the time of the last progress. */
  readonly #responses = new Map<ServerResponse, { left: number; sent: number; since: number }>()

  watch(response: ServerResponse): void {
    this.#responses.set(response, { left: 0, sent: 0, since: performance.now() })
    response.once('close', () => this.#responses.delete(response))
  }

  /** Call this every few seconds. */
  endStalled(): void {
    const now = performance.now()
    let all = 0
    for (const [response, seen] of this.#responses) {
      const [left, sent] = [response.writableLength, response.socket?.bytesWritten ?? 0]
      const isMoving = left === 0 || sent !== seen.sent
      if (isMoving) Object.assign(seen, { sent, since: now })
      seen.left = left
      all += left
      if (!isMoving && now - seen.since > UNSENT_MS) response.destroy()
    }
    const longestFirst = [...this.#responses].sort(([, a], [, b]) => b.left - a.left)
    for (const [response, { left }] of longestFirst) {
      if (all <= MAX_BYTES) return
      all -= left
      response.destroy()
    }
  }
}
