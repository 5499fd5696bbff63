// Long work beside other work on the event loop. Knows how long a turn may take, and nothing of the work.
// Invariant: work that yields often enough never holds the loop for long.

/** Work in small pieces: it yields between them. */
export type Pieces<T> = Generator<void, T, void>

const TURN_MS = 5

/** All pieces now, for callers whose loop nobody else waits for. */
export function atOnce<T>(pieces: Pieces<T>): T {
  for (;;) {
    const { done, value } = pieces.next()
    if (done) return value
  }
}

/** A few pieces in each turn of the loop. */
export async function inTurns<T>(pieces: Pieces<T>): Promise<T> {
  for (let since = performance.now(); ; ) {
    const { done, value } = pieces.next()
    if (done) return value
    if (performance.now() - since < TURN_MS) continue
    await new Promise((turn) => setImmediate(turn))
    since = performance.now()
  }
}
