// A controller that a longer-lived signal aborts, too.
// Invariant: nothing stays at that signal when the work is over. `AbortSignal.any` would keep each signal that somebody
// listens to for as long as its sources live.

/** Works with a controller of its own, which `outer` aborts, too. */
export async function withController<T>(
  outer: AbortSignal | undefined,
  work: (controller: AbortController) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const abort = () => controller.abort()
  if (outer?.aborted) abort()
  outer?.addEventListener('abort', abort, { once: true })
  try {
    return await work(controller)
  } finally {
    outer?.removeEventListener('abort', abort)
  }
}
