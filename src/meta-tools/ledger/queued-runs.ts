// The turns of background runs in the queue: which runs get one, and whether one whose turn has come can go on.

import { setTimeout } from 'node:timers/promises'
import type { Diagnostic } from '../../diagnostics/index.js'
import type { KeptRun, PageStart, RunQueue, Store } from '../../state/index.js'
import type { Viewer } from '../run-watch.js'
import type { KeptRunFacts } from './kept-run-facts.js'
import { bodyOf, type CallerOfRun, type RunBody, turnOf } from './run-body.js'
import type { RunsHere } from './runs-here.js'

/** A run whose turn has come. `over`: it has ended, waits for a person, or is gone. `elsewhere`: a process has it. */
type QueuedTurn =
  | (CallerOfRun & { readonly kind: 'here'; readonly servers: readonly string[] })
  | { readonly kind: 'over' | 'elsewhere' }

/** The states of runs. */
interface RunStates {
  readonly here: RunsHere
  facts(id: string, viewer: Viewer): Promise<KeptRunFacts>
  /** Ends a run that nobody carries out. */
  endedBy(run: KeptRun, reason: Diagnostic): Promise<KeptRun>
  written(body: RunBody): Pick<KeptRun, 'changedAt' | 'body'>
}

const PAGE = 100
const FIRST_LOOK_MS = 20
const LOOK_MS = 1000

export class QueuedRuns {
  readonly queue: RunQueue
  readonly #store: Store
  readonly #runs: RunStates
  #isClosed = false

  constructor(queue: RunQueue, store: Store, runs: RunStates) {
    this.queue = queue
    this.#store = store
    this.#runs = runs
  }

  /** Stores a change after which the run can go on, and gives it a turn. Undefined: another process has changed it. */
  enqueue(run: KeptRun, body: RunBody): Promise<KeptRun | undefined> {
    const change = { ...run, state: 'queued' as const, ...this.#runs.written(body) }
    return this.queue.addAfter(turnOf(run, body), () => this.#store.change(change))
  }

  /** Gives those background runs a worker whose process has ended. */
  async rescue(): Promise<void> {
    for (const run of await this.#store.runs('underway')) {
      const { holder, ...body } = bodyOf(run)
      // A run without a holder waits for something to change: see `release`.
      if (body.background !== true || holder === undefined || (await this.#store.isAlive(holder))) continue
      await this.enqueue(run, body)
    }
  }

  /** Gives those runs a turn that wait for one and that the queue has lost. */
  async requeue(): Promise<void> {
    let before: PageStart | undefined
    for (;;) {
      const start = before === undefined ? {} : { before }
      const runs = await this.#store.page({ limit: PAGE, state: 'queued', ...start })
      const known = await this.queue.known(runs.map(({ id }) => id))
      for (const run of runs) if (!known.has(run.id)) await this.queue.add(turnOf(run, bodyOf(run)))
      before = runs.at(-1)
      if (before === undefined) return
    }
  }

  /** A run whose turn has come. */
  async turn(id: string): Promise<QueuedTurn> {
    const run = await this.#store.run(id)
    if (run === undefined || run.state === 'ended' || run.state === 'paused') return { kind: 'over' }
    const body = bodyOf(run)
    if (await this.#runs.here.isCarriedOut(run, body)) return { kind: 'elsewhere' }
    // Something has to change first: see `release`.
    if (run.state === 'underway' && body.holder === undefined) return { kind: 'over' }
    return { kind: 'here', owner: run.owner, terms: body.terms, servers: body.settings.servers ?? [] }
  }

  /** Ends a run that nobody carries out. */
  async giveUp(id: string, reason: Diagnostic): Promise<void> {
    const run = await this.#store.run(id)
    if (run !== undefined && run.state !== 'ended') await this.#runs.endedBy(run, reason)
  }

  /** Resolves when a run has ended or waits for a person, wherever it is carried out, or this process closes. */
  async rested(id: string): Promise<KeptRunFacts | undefined> {
    const viewer = { name: '', seesAll: true }
    for (let ms = FIRST_LOOK_MS; !this.#isClosed; ms = Math.min(2 * ms, LOOK_MS)) {
      const run = await this.#runs.facts(id, viewer).catch(() => undefined)
      if (run?.state === 'ended' || run?.state === 'paused') return run
      await setTimeout(ms, undefined, { ref: false })
    }
    return undefined
  }

  close(): void {
    this.#isClosed = true
  }
}
