// Data that outlives a run or a process: runs, each with its ledger. Knows names, owners, states and order; the content
// of a run or an entry is opaque text.
// Invariant: once a promise has resolved, its change is visible to every process that opens the same store afterwards,
// however this one ends.

/** `underway`: a process runs it, or died while running it. `paused`: it waits for an answer. `ended`: it is final. */
export type RunState = 'underway' | 'paused' | 'ended'

export interface KeptRun {
  readonly id: string
  /** The owner of the run. */
  readonly owner: string
  readonly state: RunState
  /** When it was kept like this, in milliseconds since 1970. */
  readonly changedAt: number
  /** The number of changes: a change requires the current revision. */
  readonly revision: number
  /** Its content, as JSON text. */
  readonly body: string
}

/** One entry of a ledger. */
export interface KeptEntry {
  /** Its place in the ledger; a later entry at the same place replaces it. */
  readonly place: number
  readonly text: string
}

/** Every method rejects with a DiagnosticError where the store can't be read or written. */
export interface Store {
  /** Stores a new run. */
  begin(run: Omit<KeptRun, 'revision'>): Promise<KeptRun>
  /**
   * Stores the current state of a run. Undefined: another process has changed it since `run.revision`, and nothing was
   * stored.
   */
  change(run: KeptRun): Promise<KeptRun | undefined>
  run(id: string): Promise<KeptRun | undefined>
  /** All runs, or those in one state; the last changed comes first. */
  runs(state?: RunState): Promise<readonly KeptRun[]>
  /** Keeps entries of a run's ledger, all of them or none. */
  note(id: string, entries: readonly KeptEntry[]): Promise<void>
  /** By their places. */
  entries(id: string): Promise<readonly KeptEntry[]>
  /** Deletes the runs that ended longest ago, until the rest is within the bounds. */
  makeRoom(bounds: StoreBounds): Promise<void>
  close(): Promise<void>
}

export interface StoreBounds {
  /** Of runs that have ended: the oldest that is kept, in milliseconds since 1970. */
  readonly since: number
  /** The total size, in bytes. Runs that have not ended are never deleted. */
  readonly maxBytes: number
}
