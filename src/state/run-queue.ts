// Runs that wait for a worker of any process. The queue knows names, callers and their turns; a run itself is in the
// store.
// Invariant: a run that is in the queue is handed out again until its worker says that it is over, and to one worker at a
// time as long as that shows signs of life.

/** The order among the waiting runs of one caller. */
export type RunPriority = 'high' | 'normal' | 'low'

export interface QueuedRun {
  readonly runId: string
  readonly owner: string
  readonly priority?: RunPriority
  readonly delayMs?: number
}

export interface RunTurn {
  readonly runId: string
  /** The workers that have ended without a word while they carried the run out. */
  readonly losses: number
}

/**
 * What comes of a turn. `over`: the run has ended, or waits for a person. `again`: it has another turn later; `lacks`: the
 * server for which it needs another worker.
 */
export type TurnEnd = { readonly kind: 'over' } | { readonly kind: 'again'; readonly lacks?: string }

export interface QueueCounts {
  readonly waiting: number
  /** Those that wait for a later time. */
  readonly delayed: number
  readonly active: number
  /** How long the oldest of those that wait has waited, in milliseconds. */
  readonly oldestMs: number
}

export interface QueueWorker {
  /** Takes no further run. Resolves when those underway have ended, at the latest after that time. */
  drain(graceMs: number): Promise<void>
  /** The same, without a bound. */
  close(): Promise<void>
}

export interface QueuedWork {
  /** A rejection gives the run another turn. */
  carryOut(turn: RunTurn): Promise<TurnEnd>
  /** Every few seconds, in one of the workers: looks after runs that the queue knows nothing of. */
  rescue?(): Promise<void>
}

export interface QueueBounds {
  /** The most runs of one caller that are carried out at the same time, by all workers together. */
  readonly runsAtOnce: number
  /** The most runs of one caller that wait. */
  readonly runsWaiting: number
}

/** Every method rejects with a DiagnosticError if the store can't be used. */
export interface RunQueue {
  /**
   * Gives a run a turn after this call, also if it has one now. `isNew`: rejects with a DiagnosticError if too many runs of
   * its caller wait already.
   */
  add(run: QueuedRun, options?: { readonly isNew?: boolean }): Promise<void>
  /**
   * Makes a change after which a run can go on, and gives it a turn. If this process ends in between, the run gets a turn a
   * little later. Undefined: there was no change.
   */
  addAfter<Changed>(
    run: QueuedRun,
    change: () => Promise<Changed | undefined>,
    options?: { readonly isNew?: boolean },
  ): Promise<Changed | undefined>
  /** Those of these runs that are in the queue. */
  known(runIds: readonly string[]): Promise<ReadonlySet<string>>
  /** The server that no worker of the last seconds had, for which the run waits. */
  lacks(runId: string): Promise<string | undefined>
  counts(): Promise<QueueCounts>
  /** Carries out runs, so many at once. */
  work(count: number, work: QueuedWork): QueueWorker
}
