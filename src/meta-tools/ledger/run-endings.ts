// Stores how the runs of this process end. Where several processes share a store, one that can't be reached is waited
// for: no other may take up a run that has ended here.

import { setTimeout } from 'node:timers/promises'
import type { LiveRun } from './live-run.js'
import type { RunEnding } from './run-body.js'

export interface EndingComplaint {
  readonly reason: string
  /** It is stored as soon as the store can be used. */
  readonly isDeferred: boolean
}

/** More runs are not stored later. */
const MOST_DEFERRED = 1_000
const AGAIN_MS = 1000

interface Deferred {
  readonly write: () => Promise<void>
  /** Undefined: the run was only released. */
  readonly lost?: () => void
}

export class RunEndings {
  readonly #waits: boolean
  readonly #complain: (complaint: EndingComplaint) => void
  readonly #writing = new Set<Promise<void>>()
  readonly #deferred = new Map<LiveRun, Deferred>()
  #isClosed = false

  /** `waits`: for a store that can't be reached. */
  constructor({
    waits,
    complain,
  }: { readonly waits: boolean; readonly complain: (complaint: EndingComplaint) => void }) {
    this.#waits = waits
    this.#complain = complain
  }

  /** Stores the outcome of a run in the background. */
  storeLater(run: LiveRun, ending: RunEnding): void {
    const written = new Promise<void>((resolve) => setImmediate(resolve))
      .then(() => this.store(run, ending))
      .finally(() => this.#writing.delete(written))
    this.#writing.add(written)
  }

  /** Stores the outcome of a run. Failures are reported. */
  async store(run: LiveRun, ending: RunEnding): Promise<void> {
    const complain = (error: unknown, isDeferred: boolean) =>
      this.#complain({ reason: error instanceof Error ? error.message : String(error), isDeferred })
    const write = () => run.end(ending)
    try {
      await write()
    } catch (error) {
      if (!run.isTaken) complain(error, this.#defer(run, { write, lost: () => complain(error, false) }))
    }
  }

  /** Releases a run that can't continue here. `isReady`: a worker can continue it at once. */
  async release(run: LiveRun, isReady?: boolean): Promise<void> {
    const write = () => run.release(isReady)
    await write().catch(() => run.isTaken || this.#defer(run, { write }))
  }

  /** Resolves when everything is stored that is stored in the background, as far as it can be. */
  async settled(): Promise<void> {
    await Promise.all(this.#writing)
  }

  async close(): Promise<void> {
    await this.settled()
    this.#isClosed = true
    for (const { lost } of this.#deferred.values()) lost?.()
  }

  /** False: it is not stored later. */
  #defer(run: LiveRun, deferred: Deferred): boolean {
    if (!this.#waits || this.#isClosed || this.#deferred.size >= MOST_DEFERRED) return false
    this.#deferred.set(run, deferred)
    if (this.#deferred.size === 1) void this.#storeDeferred()
    return true
  }

  async #storeDeferred(): Promise<void> {
    while (this.#deferred.size > 0 && !this.#isClosed) {
      await setTimeout(AGAIN_MS, undefined, { ref: false })
      for (const [run, { write }] of this.#deferred) {
        const isOver = await write().then(
          () => true,
          () => run.isTaken,
        )
        if (!isOver) break
        this.#deferred.delete(run)
      }
    }
  }
}
