// A guest's sleep with stack switching: it releases its thread and continues when the host has woken it and its turn
// has come. If nobody else wants the thread it polls for a moment first, because two turns of an event loop cost more.
// Invariant: whatever ends a sleep (a message, a large text, a timeout) ends it once.

import { BELL, SUSPENDED } from './channel-memory.js'
import type { Sleep } from './guest-end.js'
import type { Pace } from './turns.js'

/** A guest keeps its thread for this time, because a reply may be quick. */
const QUICK_MS = 0.2

export class SuspendingSleep implements Sleep {
  readonly #pace: Pace
  readonly #longs: SharedArrayBuffer[] = []
  #wake: (() => void) | undefined
  #quick = true

  constructor(pace: Pace) {
    this.#pace = pace
  }

  /** A new run begins. */
  reset(): void {
    this.#longs.length = 0
    this.#wake = undefined
    this.#quick = true
  }

  /** The host announces data. */
  wake(): void {
    this.#wake?.()
  }

  /** A separate block arrived. */
  arrived(bytes: SharedArrayBuffer): void {
    this.#longs.push(bytes)
    this.wake()
  }

  until(header: Int32Array, bell: number, ms: number): Promise<void> | undefined {
    if (this.#quick && this.#pace.alone) {
      if (Atomics.wait(header, BELL, bell, Math.min(ms, QUICK_MS)) !== 'timed-out') return undefined
      this.#quick = false
    }
    Atomics.store(header, SUSPENDED, 1)
    // The bell rang before the host knew of the sleep, so the sleep is withdrawn. A message on its way wakes nobody.
    if (Atomics.load(header, BELL) !== bell && Atomics.exchange(header, SUSPENDED, 0) === 1) return undefined
    this.#pace.leave()
    return this.#suspended(ms)
  }

  takeLong(): SharedArrayBuffer | undefined {
    return this.#longs.shift()
  }

  async #suspended(ms: number): Promise<void> {
    const since = performance.now()
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.min(ms + 1, 2 ** 31 - 1))
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#wake = undefined
    this.#quick = performance.now() - since < 2 * QUICK_MS
    await this.#pace.enter()
  }
}
