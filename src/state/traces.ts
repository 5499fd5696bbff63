// Traces: conversations of agents that were kept to be read later. A trace store knows names, owners and order; the
// content of a trace is opaque text.
// Invariant: after every write all traces together are within the bounds.

export interface KeptTrace {
  readonly id: string
  readonly owner: string
  /** The time of the last change, in milliseconds since 1970. */
  readonly changedAt: number
  /** JSON text: what a list shows. */
  readonly facts: string
}

export interface WholeTrace extends KeptTrace {
  /** JSON text: the messages. */
  readonly messages: string
}

export interface TraceBounds {
  /** Traces that changed earlier are deleted. In milliseconds since 1970. */
  readonly since: number
  readonly maxTraces: number
  /** The maximum size of all traces, in characters. */
  readonly maxCharacters: number
}

/** Every method rejects with a DiagnosticError if the store can't be read or written. */
export interface TraceStore {
  /**
   * Stores a trace in place of that of the same name. Then deletes traces that are out of bounds, the last changed last.
   * False: the name belongs to another owner, and nothing was stored.
   */
  keep(trace: WholeTrace, bounds: TraceBounds): Promise<boolean>
  /** The last changed is first. */
  all(): Promise<readonly KeptTrace[]>
  named(id: string): Promise<WholeTrace | undefined>
  /** Deletes a trace of this owner, if there is one. */
  remove(id: string, owner: string): Promise<void>
  close(): Promise<void>
}
