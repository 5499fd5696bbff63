// The names of past runs, and the calls of failed ones, so that a corrected program can reuse them.
// Invariant: bounded in runs and bytes, and only answered calls are kept.

import type { RunWorld } from '../interpreter/index.js'
import type { Lookups } from '../sandbox/index.js'
import type { Keeper, Room } from '../vfs/index.js'
import type { AnsweredCall } from './ledger/answered-calls.js'

const MOST_RUNS = 50

/** The reusable facts of a run besides the replies to its calls. */
export interface RunSurroundings {
  readonly world: RunWorld
  readonly lookups: Lookups | undefined
}

/** A run that another one reuses. */
export interface EarlierRun extends RunSurroundings {
  readonly calls: readonly AnsweredCall[]
}

interface Kept extends EarlierRun {
  readonly size: number
}

export class RunHistory implements Keeper {
  readonly #runs = new Map<string, Kept>()
  readonly #maxBytes: number
  readonly #room: Room | undefined
  #begun = 0
  held = 0

  /** `maxBytes`: of the replies together, by characters. `room`: the quota that they share with others. */
  constructor(maxBytes: number, room?: Room) {
    this.#maxBytes = maxBytes
    this.#room = room
    room?.enter(this)
  }

  /** The name of a new run: `run-1`, `run-2` … */
  begin(): string {
    this.#begun++
    return `run-${this.#begun}`
  }

  /**
   * Keeps the calls of a failed run, in the order in which the program made them. The oldest runs are deleted if
   * necessary. False: the run had no calls, or too many.
   */
  remember(runId: string, calls: readonly AnsweredCall[], { world, lookups }: RunSurroundings): boolean {
    const told = Object.entries(lookups ?? {}).reduce((sum, pair) => sum + pair.join('').length, 0)
    const size = calls.reduce((sum, call) => sum + call.reply.length + 200, told)
    if (calls.length === 0 || size > this.#maxBytes) return false
    this.#runs.set(runId, { calls, size, world, lookups })
    this.held += size
    while (this.held > this.#maxBytes || this.#runs.size > MOST_RUNS) this.dropOldest()
    this.#room?.settle()
    return this.#runs.has(runId)
  }

  dropOldest(): void {
    const [runId, { size }] = this.#runs.entries().next().value!
    this.#runs.delete(runId)
    this.held -= size
  }

  /** Undefined for an unknown run. */
  earlier(runId: string): EarlierRun | undefined {
    return this.#runs.get(runId)
  }

  /** The runs that can be reused, newest first. */
  get names(): readonly string[] {
    return [...this.#runs.keys()].reverse()
  }
}
