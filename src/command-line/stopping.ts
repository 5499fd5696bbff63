// The one signal that ends whatever a command does: a person pressed Ctrl-C, or whoever read stdout has had enough.
// Invariant: asked twice, the process exits at once; upstreams are killed as it does.

const stop = new AbortController()

/** Aborted when the command is to end. */
export const stopping: AbortSignal = stop.signal

/** Makes the process listen to those who may end it. */
export function listenForTheEnd(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (stop.signal.aborted) process.exit(130)
      stop.abort()
    })
  }
  // `starbind ls | head`
  process.stdout.on('error', () => stop.abort())
  process.stderr.on('error', () => {})
}
