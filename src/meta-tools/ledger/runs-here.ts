// The runs that this process carries out, or about which it asks a person. Knows which runs have a process, here or
// elsewhere; their states are not its business.

import type { KeptRun, Store } from '../../state/index.js'
import { withController } from '../own-controller.js'
import type { RunBody } from './run-body.js'

/** So long after its last change, a run of this process is about to begin or to end here. */
const GRACE_MS = 15_000

/** How soon an answer that was given in another process is noticed. */
const LOOK_MS = 1000

export class RunsHere {
  readonly #store: Store
  readonly #tracked = new Set<Promise<void>>()
  /** Each with its cancellation. */
  readonly #underway = new Map<string, { readonly stop: AbortController; readonly ended: Promise<unknown> }>()
  /** Runs about which a person is asked. Aborted when another one has answered. */
  readonly #interviews = new Map<string, AbortController>()

  constructor(store: Store) {
    this.#store = store
  }

  /** Carries out a run, which ends early when its caller or `stop` ends it. */
  async carryOut<T>(id: string, outer: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return withController(outer, async (stop) => {
      const ended = work(stop.signal)
      this.#underway.set(id, { stop, ended: ended.catch(() => {}) })
      try {
        return await ended
      } finally {
        this.#underway.delete(id)
      }
    })
  }

  /** Ends a run, if it is here. Resolves when it has ended. */
  async stop(id: string): Promise<void> {
    const run = this.#underway.get(id)
    run?.stop.abort()
    await run?.ended
  }

  /** Closing waits for runs in progress. */
  track(work: Promise<unknown>): void {
    const tracked: Promise<void> = work.then(
      () => void this.#tracked.delete(tracked),
      () => void this.#tracked.delete(tracked),
    )
    this.#tracked.add(tracked)
  }

  /** True if some process carries it out. */
  async isCarriedOut({ id, state, changedAt }: KeptRun, { holder }: RunBody): Promise<boolean> {
    if (state !== 'underway' || holder === undefined) return false
    const isOurs = holder.processId !== undefined && holder.processId === this.#store.holder.processId
    // A run that is not here any more was to be stored while the store was gone.
    if (isOurs && !this.#underway.has(id) && !this.#interviews.has(id)) return this.#store.now() - changedAt < GRACE_MS
    return this.#store.isAlive(holder)
  }

  /** A person is asked about a run here, and it continues with the answer, whoever gives it. */
  waitsHere(id: string): boolean {
    return this.#interviews.has(id)
  }

  /**
   * A person is asked about a run. `elsewhere` aborts when the run has been answered or has ended meanwhile, here or in
   * another process.
   */
  async interview<T>(id: string, ask: (elsewhere: AbortSignal) => Promise<T>): Promise<T> {
    const elsewhere = new AbortController()
    const { revision } = (await this.#store.run(id)) ?? {}
    const looking = setInterval(async () => {
      const kept = await this.#store.run(id).catch(() => undefined)
      if (kept?.revision !== revision) elsewhere.abort()
    }, LOOK_MS).unref()
    this.#interviews.set(id, elsewhere)
    try {
      return await ask(elsewhere.signal)
    } finally {
      clearInterval(looking)
      this.#interviews.delete(id)
    }
  }

  /** Nobody is asked about the run any more: it has an answer. */
  answered(id: string): void {
    this.#interviews.get(id)?.abort()
  }

  /** Asks nobody any more: such runs wait for an answer in another process. Resolves when the others have ended. */
  async close(): Promise<void> {
    for (const asking of this.#interviews.values()) asking.abort()
    await Promise.all(this.#tracked)
  }
}
