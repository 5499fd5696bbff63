// Data that outlives a run or a process: runs, each with its ledger. A store knows names, owners, states and order; the
// content of a run or an entry is opaque text.
// Invariant: once a promise has resolved, every process that opens the same store sees the change, however this process
// ends.

import type { Holder } from './holder.js'

/**
 * `queued`: it waits for a worker. `underway`: a process runs it, or died while running it. `paused`: it waits for an
 * answer. `ended`: it is over.
 */
export type RunState = 'queued' | 'underway' | 'paused' | 'ended'

export interface KeptRun {
  readonly id: string
  readonly owner: string
  readonly state: RunState
  /** The time of the last change, in milliseconds since 1970. */
  readonly changedAt: number
  /** The number of changes. A change must name the current revision. */
  readonly revision: number
  /** JSON text. */
  readonly body: string
}

/** One entry of a ledger. */
export interface KeptEntry {
  /** The place in the ledger. A later entry at the same place replaces this one. */
  readonly place: number
  readonly text: string
}

/** Every method rejects with a DiagnosticError if the store can't be read or written. */
export interface Store {
  /** This process, as the one that carries out a run. */
  readonly holder: Holder
  /** The moment in milliseconds since 1970, by the clock that all processes with this store have in common. */
  now(): number
  /** True if that process can still carry out its runs. */
  isAlive(holder: Holder): Promise<boolean>
  /** Loads the parts that the first use needs, ahead of need. */
  expect?(): void
  /** Stores a new run. */
  begin(run: Omit<KeptRun, 'revision'>): Promise<KeptRun>
  /** Replaces a run. Undefined: another process has changed it since `run.revision`, and nothing was stored. */
  change(run: KeptRun): Promise<KeptRun | undefined>
  run(id: string): Promise<KeptRun | undefined>
  /** All runs, or those in one state; the last changed run is first, and of equal ones that with the first name. */
  runs(state?: RunState): Promise<readonly KeptRun[]>
  /** Some of all runs, or of one owner's, in the same order. */
  page(wanted: RunPageWanted): Promise<readonly KeptRun[]>
  /**
   * Stores all of these entries of a run's ledger, or none. False: the run is no longer in this revision, and nothing
   * was stored.
   */
  note(id: string, entries: readonly KeptEntry[], revision: number): Promise<boolean>
  /** In the order of their places. */
  entries(id: string): Promise<readonly KeptEntry[]>
  /** The values of an owner by their keys, as JSON texts, in the order of the keys. */
  values(owner: string): Promise<KeptValues>
  /**
   * Stores the values of an owner and deletes those that are undefined, all of them or none. Other keys stay. Undefined:
   * the owner would then have more than the bounds allow, and nothing was stored.
   */
  keepValues(owner: string, changes: ValueChanges, bounds: ValueBounds): Promise<KeptValues | undefined>
  /** Deletes ended runs, the oldest first, until the rest is within the bounds. */
  makeRoom(bounds: StoreBounds): Promise<void>
  close(): Promise<void>
}

/** A page starts after this run. */
export interface PageStart {
  readonly changedAt: number
  readonly id: string
}

export interface RunPageWanted {
  readonly limit: number
  readonly owner?: string
  readonly state?: RunState
  readonly before?: PageStart
}

export type KeptValues = ReadonlyMap<string, string>

export type ValueChanges = ReadonlyMap<string, string | undefined>

export interface ValueBounds {
  /** The bounds of one owner: keys, and characters of keys and values together. */
  readonly keys: number
  readonly characters: number
  /** The bound of all owners together. The owner whose values changed longest ago loses them first. */
  readonly allCharacters: number
}

/** The characters of keys and values together. */
export function charactersOf(values: KeptValues): number {
  return [...values].reduce((sum, [key, value]) => sum + key.length + value.length, 0)
}

/** The values after the changes; undefined: more than the bounds allow. */
export function changedValues(
  before: KeptValues,
  changes: ValueChanges,
  { keys, characters }: ValueBounds,
): KeptValues | undefined {
  const after = new Map(before)
  for (const [key, value] of changes) {
    if (value === undefined) after.delete(key)
    else after.set(key, value)
  }
  return after.size > keys || charactersOf(after) > characters ? undefined : after
}

export interface StoreBounds {
  /** Runs that ended earlier are deleted. In milliseconds since 1970. */
  readonly since: number
  /** The total size. Runs that have not ended are never deleted. */
  readonly maxBytes: number
}
