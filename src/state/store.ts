// What outlives a run or a process: runs, each with its ledger. Knows names, owners, states and order; what a run or an
// entry says is text that others write and read.
// Invariant: what a promise has resolved for is there for every process that opens the same store afterwards, however
// this one ends.

/** `underway`: a process carries it out, or has died of it. `paused`: it waits for somebody. `ended`: nothing follows. */
export type RunState = 'underway' | 'paused' | 'ended'

export interface KeptRun {
  readonly id: string
  /** Whose run it is. */
  readonly owner: string
  readonly state: RunState
  /** When it was kept like this, in milliseconds since 1970. */
  readonly changedAt: number
  /** Counts the changes: whoever changes a run has to have seen the last one. */
  readonly revision: number
  /** What is known of it, as JSON text. */
  readonly body: string
}

/** One entry of a ledger. */
export interface KeptEntry {
  /** Its place in the ledger; what is kept later at the same place replaces it. */
  readonly place: number
  readonly text: string
}

/** Every method rejects with a DiagnosticError where the store can't be read or written. */
export interface Store {
  /** Keeps a run that nobody has kept before. */
  begin(run: Omit<KeptRun, 'revision'>): Promise<KeptRun>
  /**
   * Keeps a run as it is now. Undefined: somebody else has changed it since `run.revision`, and nothing was done.
   */
  change(run: KeptRun): Promise<KeptRun | undefined>
  run(id: string): Promise<KeptRun | undefined>
  /** All of them, or those in one state; what changed last comes first. */
  runs(state?: RunState): Promise<readonly KeptRun[]>
  /** Keeps entries of a run's ledger, all of them or none. */
  note(id: string, entries: readonly KeptEntry[]): Promise<void>
  /** By their places. */
  entries(id: string): Promise<readonly KeptEntry[]>
  /** Forgets what ended longest ago, until what is left keeps to the bounds. */
  makeRoom(bounds: StoreBounds): Promise<void>
  close(): Promise<void>
}

export interface StoreBounds {
  /** Of runs that have ended: the oldest that is kept, in milliseconds since 1970. */
  readonly since: number
  /** Of all that is kept, in bytes. Runs that have not ended stay, whatever they take. */
  readonly maxBytes: number
}
