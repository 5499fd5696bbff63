// The signal that ends a command: Ctrl-C, SIGTERM, or a closed stdout.
// Invariant: a second request exits at once and kills the upstreams.

import { setMaxListeners } from 'node:events'
import { constants } from 'node:os'

const stop = new AbortController()
// Everything that a command waits for listens, and a test runs many commands.
setMaxListeners(0, stop.signal)

/** Aborted when the command is to end. */
export const stopping: AbortSignal = stop.signal

/** What a command that was interrupted fails with. */
export class Interrupted extends Error {
  readonly status: number

  constructor(status: number) {
    super('interrupted')
    this.status = status
  }
}

/** What a command ended with that a signal has interrupted, as shells count it: 130 after Ctrl-C. */
let interrupted: number | undefined

export function interruptedStatus(): number | undefined {
  return interrupted
}

/** To be called before what was found out is told: what was interrupted may be half of it. */
export function mustGoOn(): void {
  if (interrupted !== undefined) throw new Interrupted(interrupted)
}

/** Makes the process listen to those who may end it. */
export function listenForTheEnd(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      const status = 128 + constants.signals[signal]
      if (stop.signal.aborted) process.exit(status)
      interrupted = status
      stop.abort()
    })
  }
  process.stdout.once('error', (error: NodeJS.ErrnoException) => {
    stop.abort()
    // `starbind ls | head` ends as other commands do, without a word.
    const isGone = error.code === 'EPIPE'
    if (!isGone) process.stderr.write(`host error [output-failed] stdout can't be written: ${error.message}\n`)
    process.once('exit', () => {
      process.exitCode = isGone ? GONE : 2
    })
  })
  process.stdout.on('error', () => {})
  process.stderr.on('error', () => {})
}

/** As shells count a process that a closed pipe has ended. */
const GONE = 141
