// The runs in progress of the sessions that share them, for the end of these sessions.
// Runs without a signal of their own share one, because an abort controller takes a tenth of a short run's time in this
// thread.

import { setMaxListeners } from 'node:events'
import { withController } from '../meta-tools/index.js'

export class RunsUnderway {
  /** Ends the runs that have no signal of their own. */
  #common = newCommon()
  /** Those that have one. */
  readonly #single = new Set<AbortController>()

  /** Works on a run that `outer` or `end` ends. `work` leaves no listener at its signal. */
  async during<T>(outer: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (outer === undefined) return work(this.#common.signal)
    return withController(outer, async (controller) => {
      this.#single.add(controller)
      try {
        return await work(controller.signal)
      } finally {
        this.#single.delete(controller)
      }
    })
  }

  /** Ends all of them. Later runs are not affected. */
  end(): void {
    const common = this.#common
    this.#common = newCommon()
    common.abort()
    for (const run of this.#single) run.abort()
  }
}

function newCommon(): AbortController {
  const controller = new AbortController()
  // Many runs listen at once.
  setMaxListeners(0, controller.signal)
  return controller
}
