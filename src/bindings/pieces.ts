/** Work that yields after each piece and gives its result at the end. */
export type Pieces<T> = Generator<void, T, void>

/** All pieces now, for callers with an event loop of their own. */
export function atOnce<T>(pieces: Pieces<T>): T {
  for (;;) {
    const { done, value } = pieces.next()
    if (done) return value
  }
}
