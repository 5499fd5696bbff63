// Threads that wait for an empty queue. Programs run in order, so a thread runs when it is started. One that finds its
// queue empty is restarted when the queue has a value and the program waits: for a thread, for the queue, or at its
// end. A worker that reads from a queue has done nothing before its first value.
// Invariant: a thread is restarted only if its queue has a value.

import type { GuestError } from '../values/errors.js'

interface Parked {
  readonly hasWork: () => boolean
  readonly begin: () => void
}

/** The failure of a thread that found its queue empty. */
const waits = new WeakMap<GuestError, () => boolean>()
const parked: Parked[] = []
/** The number of running threads, each started inside the one before. */
let running = 0

/** Notes that a thread failed because it would wait for a queue, unless the program asked not to wait. */
export function waitsFor(failure: GuestError, hasWork: () => boolean): GuestError {
  if (failure.kind === 'RuntimeError') waits.set(failure, hasWork)
  return failure
}

/** Runs a thread; true if it now waits for a queue and will be restarted when there is a value. */
export function runThread(begin: () => void, failed: (e: unknown) => void): void {
  running++
  try {
    begin()
  } catch (e) {
    const hasWork = waits.get(e as GuestError)
    if (hasWork === undefined) failed(e)
    else parked.push({ hasWork, begin: () => runThread(begin, failed) })
  } finally {
    running--
  }
}

/** Called when the program waits: restarts the threads that have work. True if there was one. */
export function resumeThreads(): boolean {
  if (running > 0) return false
  let any = false
  for (let i = 0; i < parked.length; ) {
    const { hasWork, begin } = parked[i]!
    if (!hasWork()) i++
    else {
      parked.splice(i, 1)
      begin()
      any = true
      i = 0
    }
  }
  return any
}
