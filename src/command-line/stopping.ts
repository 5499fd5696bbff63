// The signal that ends a command: Ctrl-C, SIGTERM, or a closed stdout.
// Invariant: a second request exits at once and kills the upstreams.

import { setMaxListeners } from 'node:events'
import { constants } from 'node:os'

const stop = new AbortController()
// All parts of a command listen, and a test runs many commands.
setMaxListeners(0, stop.signal)

/** Aborts when the command must end. */
export const stopping: AbortSignal = stop.signal

/** The failure of an interrupted command. */
export class Interrupted extends Error {
  readonly status: number

  constructor(status: number) {
    super('interrupted')
    this.status = status
  }
}

/** The exit status after an interruption, as in shells: 130 after Ctrl-C. */
let interrupted: number | undefined

export function interruptedStatus(): number | undefined {
  return interrupted
}

/** Throws if the command was interrupted. Call it before printing results, which may be incomplete then. */
export function mustGoOn(): void {
  if (interrupted !== undefined) throw new Interrupted(interrupted)
}

/** Resolves when the command must end. */
export function stopped(): Promise<void> {
  return new Promise((resolve) => {
    if (stopping.aborted) resolve()
    stopping.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** Installs the signal handlers of the process. */
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
    // `starbind ls | head` ends silently, like other commands.
    const isGone = error.code === 'EPIPE'
    if (!isGone) process.stderr.write(`host error [output-failed] stdout can't be written: ${error.message}\n`)
    process.once('exit', () => {
      process.exitCode = isGone ? GONE : 2
    })
  })
  process.stdout.on('error', () => {})
  process.stderr.on('error', () => {})
}

/** The status that shells give to a process that ended by a closed pipe. */
const GONE = 141
