// Fails the tests of a file that leaves a worker thread alive. Call `noWorkersLeft()` at the top of the file, before
// hooks that close things: hooks after all tests run in the opposite order.

import type { Worker } from 'node:worker_threads'
import { afterAll, expect } from 'vitest'
import { parkedGuestThreads } from '../../dist/sandbox/guest-thread.js'
import { parkedHostWorkers } from '../../dist/sandbox/host-workers.js'

const alive = new Map<Worker, string>()

const note = (worker: Worker): void => {
  alive.set(worker, `worker ${worker.threadId}`)
  worker.once('exit', () => alive.delete(worker))
}

process.on('worker', note)
afterAll(() => void process.off('worker', note))

/** The current number of worker threads of this file. */
export function workersAlive(): number {
  return alive.size
}

/** The number of idle threads of closed owners. */
export function workersParked(): number {
  return parkedHostWorkers.size + parkedGuestThreads.size
}

/** Ends the idle threads of closed owners, of earlier files too. */
export async function endParkedWorkers(): Promise<void> {
  await Promise.all([parkedHostWorkers.endAll(), parkedGuestThreads.endAll()])
}

export function noWorkersLeft(): void {
  afterAll(async () => {
    await endParkedWorkers()
    expect([...alive.values()]).toEqual([])
  })
}
