// The runs in progress of the sessions that share them, for the end of these sessions.
// Invariant: a run without a signal of its own needs no abort controller, which would take a tenth of a short run's time
// in this thread.

import { setMaxListeners } from 'node:events'

export class RunsUnderway {
  /** Ends the runs that have no signal of their own. */
  #common = newCommon()
  /** Those that have one. */
  readonly #single = new Set<AbortController>()

  /** Works on a run that `outer` or `end` ends. */
  async during<T>(outer: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (outer === undefined) return work(this.#common.signal)
    const controller = new AbortController()
    const abort = () => controller.abort()
    if (outer.aborted) abort()
    outer.addEventListener('abort', abort, { once: true })
    this.#single.add(controller)
    try {
      return await work(controller.signal)
    } finally {
      this.#single.delete(controller)
      outer.removeEventListener('abort', abort)
    }
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
