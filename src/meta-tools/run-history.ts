// The runs of one CodeMode: their names, and of the runs that failed the calls they had made, so that a corrected program need not make them
// again. Knows digests and replies, not what is in them. Invariant: bounded in runs and bytes, and only calls that were answered are kept.

import type { CallSent } from '../bindings/index.js'
import type { ForeignReply } from '../interpreter/index.js'

export interface AnsweredCall extends CallSent {
  /** Undefined for a call that failed: nothing after it is taken over. */
  readonly reply: ForeignReply | undefined
}

const MOST_RUNS = 50
const MOST_CHARACTERS = 32_000_000

export class RunHistory {
  readonly #runs = new Map<string, readonly AnsweredCall[]>()
  #begun = 0

  /** The name of a new run: `run-1`, `run-2` … */
  begin(): string {
    this.#begun++
    return `run-${this.#begun}`
  }

  /** Keeps the calls of a run that failed, in the order in which the program made them. The oldest runs make room. False: there is nothing to keep, or too much. */
  remember(runId: string, calls: readonly AnsweredCall[]): boolean {
    if (calls.length === 0 || sizeOf(calls) > MOST_CHARACTERS) return false
    this.#runs.set(runId, calls)
    let held = [...this.#runs.values()].reduce((sum, one) => sum + sizeOf(one), 0)
    for (const [id, one] of this.#runs) {
      if (held <= MOST_CHARACTERS && this.#runs.size <= MOST_RUNS) break
      this.#runs.delete(id)
      held -= sizeOf(one)
    }
    return true
  }

  /**
   * Gives the replies of a run's leading calls, one after the other, for as long as the calls are the same. Undefined when nothing is known of
   * the run.
   */
  replay(runId: string): ((call: CallSent) => ForeignReply | undefined) | undefined {
    const calls = this.#runs.get(runId)
    if (calls === undefined) return undefined
    let next = 0
    return ({ server, tool, argumentDigest }) => {
      const before = calls[next]
      const same = before?.server === server && before.tool === tool && before.argumentDigest === argumentDigest
      if (!same || before.reply === undefined) {
        next = calls.length
        return undefined
      }
      next++
      return before.reply
    }
  }

  /** The runs that can be taken up, newest first. */
  get names(): readonly string[] {
    return [...this.#runs.keys()].reverse()
  }
}

function sizeOf(calls: readonly AnsweredCall[]): number {
  return calls.reduce((sum, call) => sum + (call.reply?.length ?? 0) + 200, 0)
}
