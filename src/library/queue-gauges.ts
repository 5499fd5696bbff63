// The gauges of the queue. They are read from the store every few seconds while somebody reads metrics, and never for a
// reader.

import type { Metrics } from '../gateway/index.js'
import type { QueueCounts, RunQueue } from '../state/index.js'

const EVERY_MS = 5000
/** Nobody has read for so long. */
const IDLE_MS = 5 * 60_000

/** Lasts until the returned function is called. */
export function queueGauges(metrics: Metrics, queue: RunQueue): () => void {
  let counts: QueueCounts | undefined
  let readAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  const refresh = async () => {
    timer = undefined
    counts = await queue.counts().catch(() => undefined)
    if (performance.now() - readAt < IDLE_MS) schedule(EVERY_MS)
  }
  const schedule = (ms: number) => {
    timer ??= setTimeout(() => void refresh(), ms).unref()
  }
  metrics.onRead(() => {
    readAt = performance.now()
    if (counts === undefined) schedule(0)
    else setGauges(metrics, counts)
  })
  return () => {
    readAt = Number.NEGATIVE_INFINITY
    clearTimeout(timer)
  }
}

function setGauges(metrics: Metrics, { oldestMs, ...runs }: QueueCounts): void {
  for (const [state, count] of Object.entries(runs))
    metrics.set('starbind_queue_runs', 'Background runs in the queue of all processes, by their state.', count, {
      state,
    })
  metrics.set('starbind_queue_oldest_seconds', 'How long the oldest waiting run has waited.', oldestMs / 1000)
}
