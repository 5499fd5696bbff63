// The threads of desks, which may be started before the rest of the library has been loaded.

import { type HostWorkers, openHostWorkers } from '../sandbox/index.js'

/** The tasks of a desk's threads. */
export const deskWork = new URL('./desk-work.js', import.meta.url).href

const options = { module: deskWork, handsOn: true }

let begun: HostWorkers | undefined

/** Starts the first thread of the next desk. It keeps no process alive. */
export function beginDeskThreads(): void {
  begun ??= openHostWorkers(options)
  begun.warm()
}

/** Threads for one desk. */
export function openDeskThreads(): HostWorkers {
  const threads = begun ?? openHostWorkers(options)
  begun = undefined
  return threads
}
