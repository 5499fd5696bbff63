/** Work that yields after each piece and gives its result at the end. */
export type Pieces<T> = Generator<void, T, void>

/** All pieces now, for callers whose event loop nobody else waits for. */
export function atOnce<T>(pieces: Pieces<T>): T {
  for (;;) {
    const { done, value } = pieces.next()
    if (done) return value
  }
}
