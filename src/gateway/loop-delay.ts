// Measures how late the event loop is: a short timer that fires late was blocked, and so was everything else.
// Invariant: it keeps no process alive and logs little, however often the loop is blocked.

import type { Log } from './log.js'
import type { Metrics } from './metrics.js'

const LOOK_MS = 20
/** The maximum time that any work may hold the loop. */
const LONG_MS = 50
const QUIET_MS = 5000
/** A starting process is loading its modules. */
const WARM_MS = 5000
const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]
const NAME = 'starbind_loop_delay_seconds'
const LONG_NAME = 'starbind_loop_held_total'

export class LoopDelay {
  readonly #metrics: Metrics
  readonly #log: Log
  readonly #timer: NodeJS.Timeout
  #due = performance.now() + LOOK_MS
  #saidAt = Number.NEGATIVE_INFINITY
  #isTold = false
  /** The number of delays since the last log line. */
  #times = 0
  #longestMs = 0

  constructor(metrics: Metrics, log: Log) {
    this.#metrics = metrics
    this.#log = log
    metrics.count(LONG_NAME, `How often the event loop was held for more than ${LONG_MS} ms.`, {}, 0)
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref()
  }

  /** Reports delays in the log from now on, because callers may wait. */
  tell(): void {
    this.#isTold = true
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const now = performance.now()
    const lateMs = Math.max(0, now - this.#due)
    this.#due = now + LOOK_MS
    this.#metrics.observe(NAME, 'How late the event loop was.', lateMs / 1000, { bounds: SECONDS })
    if (lateMs > LONG_MS) this.#note(lateMs)
    if (!this.#isTold || now < WARM_MS) {
      this.#times = 0
      this.#longestMs = 0
    }
    if (this.#times > 0 && now - this.#saidAt >= QUIET_MS) this.#say(now)
  }

  #note(lateMs: number): void {
    this.#metrics.count(LONG_NAME, '')
    this.#times++
    this.#longestMs = Math.max(this.#longestMs, lateMs)
  }

  #say(now: number): void {
    const times = this.#times === 1 ? '' : `${this.#times} times, at the longest `
    const message = `the event loop was held ${times}for ${Math.round(this.#longestMs)} ms; all callers waited`
    this.#log({ level: 'warn', message })
    this.#saidAt = now
    this.#times = 0
    this.#longestMs = 0
  }
}
