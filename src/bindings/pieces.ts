/** Work that yields after each piece and returns its result at the end. */
export type Pieces<T> = Generator<void, T, void>

/** Does all pieces at once, for callers that may block their event loop. */
export function atOnce<T>(pieces: Pieces<T>): T {
  for (;;) {
    const { done, value } = pieces.next()
    if (done) return value
  }
}
