// Calls that were answered before a program ran again, for a program that need not make the same calls in the same
// order: another attempt at it waits where the first one ran ahead, and the program of a later run, or of the prompt's
// next entry, is another one. What is the very same program is repeated call by call from its ledger (run-ledger.ts).
// A longer program is not the same one, although its text begins the same: whether a call is waited for is decided for
// the whole text. Where a later entry redefines a function, an earlier read is waited for that was run ahead of; where
// one contains `await`, the earlier calls give promises. If the second of two calls was answered first, a repetition in
// the recorded order would then wait for the second call, and the program for the first reply, for ever.
//
// A read is known by what it asks and by the number of possible writes before it, because it gives the same result as
// long as nothing is written. A call that may write is known by what it asks alone: it was made, in whatever order.
// Invariant: each answer is given once, and none after the program has made a call that may write and is not known.

import type { CallRecord, CallSent } from '../../bindings/index.js'
import type { ForeignReply } from '../../interpreter/index.js'

export interface AnsweredCall {
  readonly sent: CallSent
  /** How many calls that may have written were made before it; undefined for one that may have written itself. */
  readonly writesBefore: number | undefined
  readonly record: CallRecord
  readonly reply: ForeignReply
}

export class AnsweredCalls {
  readonly #calls = new Map<string, AnsweredCall[]>()
  #isOver = false

  constructor(calls: readonly AnsweredCall[] = []) {
    for (const call of calls) {
      const key = keyOf(call)
      const same = this.#calls.get(key)
      if (same === undefined) this.#calls.set(key, [call])
      else same.push(call)
    }
  }

  /** The same call as it was answered. */
  take(call: Pick<AnsweredCall, 'sent' | 'writesBefore'>): AnsweredCall | undefined {
    if (this.#isOver || this.#calls.size === 0) return undefined
    const known = this.#calls.get(keyOf(call))?.shift()
    if (known === undefined && call.writesBefore === undefined) this.end()
    return known
  }

  /** Nothing is known from now on. */
  end(): void {
    this.#isOver = true
  }

  /** What was not taken. */
  get left(): readonly AnsweredCall[] {
    return [...this.#calls.values()].flat()
  }
}

function keyOf({ sent, writesBefore }: Pick<AnsweredCall, 'sent' | 'writesBefore'>): string {
  return `${writesBefore ?? 'write'}/${sent.server}/${sent.tool}/${sent.argumentDigest}`
}
