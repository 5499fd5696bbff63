import type { Awaitable } from '../awaitable/index.js'

/** Work that yields after each piece and returns its result at the end. */
export type Pieces<T> = Generator<void, T, void>

/** The same, which also yields what it has to wait for. */
export type WaitingPieces<T> = Generator<Awaitable<void>, T, void>

/** Does all pieces at once, for callers that may block their event loop. Nothing is waited for. */
export function atOnce<T>(pieces: WaitingPieces<T>): T {
  for (;;) {
    const { done, value } = pieces.next()
    if (done) return value
  }
}
