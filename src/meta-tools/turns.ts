import type { WaitingPieces } from '../bindings/index.js'

const TURN_MS = 5

/** Does a few pieces in each turn of the event loop. Rejects if something fails that the work waits for. */
export async function inTurns<T>(pieces: WaitingPieces<T>): Promise<T> {
  for (let since = performance.now(); ; ) {
    const { done, value } = pieces.next()
    if (done) return value
    if (value !== undefined) await value
    if (performance.now() - since < TURN_MS) continue
    await new Promise((turn) => setImmediate(turn))
    since = performance.now()
  }
}
