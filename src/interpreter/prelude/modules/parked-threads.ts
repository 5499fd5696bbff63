// Threads that wait for an empty queue. Programs run in order, so a thread runs when it is started. A thread that finds
// its queue empty is parked. It runs again from its beginning when the queue has a value and the program waits: for a
// thread, for the queue, or at its end. This is right for a worker, which does nothing before it reads its first value.
// Invariant: a thread is restarted only if its queue has a value.

import type { GuestError } from '../values/errors.js'

interface Parked {
  readonly hasWork: () => boolean
  readonly begin: () => void
}

/** The failures of threads that found their queue empty, with a test whether it has a value now. */
const waits = new WeakMap<GuestError, () => boolean>()
const parked: Parked[] = []
/** The number of running threads. Each was started inside the one before. */
let running = 0

/** Records that a thread failed because it would wait for a queue, unless the program asked not to wait. */
export function waitsFor(failure: GuestError, hasWork: () => boolean): GuestError {
  if (failure.kind === 'RuntimeError') waits.set(failure, hasWork)
  return failure
}

/** Runs a thread. If it would wait for a queue, it is parked instead of failing. */
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

/** Called when the program waits. Restarts the threads that have work, and returns true if there was one. */
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
