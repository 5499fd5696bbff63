// A process as a worker: it carries out the background runs that wait in the queue, of whatever process, each with its
// caller's rights. Knows when a run is given up or left to another worker; the queue knows whose turn it is.

import { DiagnosticError } from '../diagnostics/index.js'
import type { Log } from '../gateway/index.js'
import { type CallerOfRun, type QueuedRuns, type RunResult, runGivenUp } from '../meta-tools/index.js'
import type { QueueWorker, RunTurn, TurnEnd } from '../state/index.js'
import type { SharedParts } from './session-parts.js'

/**
 * This process as a worker for background runs.
 *
 * @example
 * import { CodeMode, type RunWorker } from 'starbind'
 *
 * await using codeMode = await CodeMode.open({ state: 'redis://127.0.0.1:6379' })
 * const worker: RunWorker = codeMode.work({ runs: 8 })
 * process.once('SIGTERM', () => worker.drain({ graceMs: 10_000 }))
 */
export interface RunWorker {
  /**
   * Takes no further run, and waits for those underway, at most so long (default: 10 seconds). `CodeMode.close` then hands
   * the others over to other workers.
   */
  drain(options?: { readonly graceMs?: number }): Promise<void>
}

interface Work {
  readonly runs: number
  readonly log: Log
  /** Carries out a run with its caller's rights. */
  readonly resume: (runId: string, caller: CallerOfRun) => Promise<RunResult>
}

/** A run that was underway in so many processes that ended without a word ends, too. */
const MOST_LOSSES = 5
const GRACE_MS = 10_000

const over: TurnEnd = { kind: 'over' }
const again: TurnEnd = { kind: 'again' }

export class QueueWork implements RunWorker {
  readonly #shared: SharedParts
  readonly #runs: QueuedRuns
  readonly #work: Work
  readonly #worker: QueueWorker
  /** The servers about which it has warned. */
  readonly #lacking = new Set<string>()

  constructor(shared: SharedParts, runs: QueuedRuns, work: Work) {
    this.#shared = shared
    this.#runs = runs
    this.#work = work
    this.#worker = runs.queue.work(work.runs, {
      carryOut: (turn) => this.#turn(turn),
      rescue: () => runs.rescue(),
    })
    runs.requeue().catch((error) => work.log({ level: 'warn', message: String(error) }))
  }

  drain({ graceMs = GRACE_MS }: { readonly graceMs?: number } = {}): Promise<void> {
    return this.#worker.drain(graceMs)
  }

  close(): Promise<void> {
    return this.#worker.close()
  }

  async #turn({ runId, losses }: RunTurn): Promise<TurnEnd> {
    const turn = await this.#runs.turn(runId)
    if (turn.kind !== 'here') return turn.kind === 'over' ? over : again
    if (losses >= MOST_LOSSES) {
      await this.#runs.giveUp(runId, runGivenUp(runId, losses))
      return this.#told(`${runId} of ${turn.owner}`, 'given up')
    }
    const known = this.#shared.upstreams.names()
    const lacks = turn.servers.find((name) => !known.includes(name))
    if (lacks !== undefined) return this.#refused(`${runId} of ${turn.owner}`, lacks)
    return this.#carriedOut(runId, turn)
  }

  async #carriedOut(runId: string, caller: CallerOfRun): Promise<TurnEnd> {
    const { log, resume } = this.#work
    const name = `${runId} of ${caller.owner}`
    log({ level: 'info', message: `${name}: begins here` })
    const began = performance.now()
    try {
      const { ok, error, paused } = await resume(runId, caller)
      const isHandedOver = this.#shared.context.sandbox.isClosed && !ok
      const outcome = paused
        ? 'waits for a person'
        : isHandedOver
          ? 'handed over'
          : ok
            ? 'ok'
            : `failed (${error?.code})`
      this.#told(name, outcome, began)
      return !ok && AGAIN.includes(error.code) ? again : over
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error
      const { code, message } = error.diagnostics[0]!
      if (AGAIN.includes(code)) return again
      log({ level: 'warn', message: `${name} can't go on: ${message}` })
      return over
    }
  }

  #told(name: string, outcome: string, began = performance.now()): TurnEnd {
    const { metrics } = this.#shared.watch
    const seconds = Math.round((performance.now() - began) / 100) / 10
    this.#work.log({ level: 'info', message: `${name}: ${outcome}, after ${seconds} s` })
    const labels = { outcome: outcome.replace(/ \(.*/, '').replaceAll(' ', '-') }
    metrics.count('starbind_queue_turns_total', 'Turns of background runs in this process.', labels)
    return over
  }

  #refused(name: string, lacks: string): TurnEnd {
    if (!this.#lacking.has(lacks)) {
      const message = `${name} needs the server ${lacks}, which this worker does not have; such runs are left to others`
      this.#work.log({ level: 'warn', message })
      this.#lacking.add(lacks)
    }
    return { kind: 'again', lacks }
  }
}

/** Another process has the run, or the store was gone for a moment. */
const AGAIN: readonly string[] = ['run-underway', 'run-taken', 'store-unusable', 'busy', 'closed']
