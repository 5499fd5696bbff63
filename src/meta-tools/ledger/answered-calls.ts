// Calls that were answered before a program ran again. The program need not make the same calls in the same order:
// another attempt waits where the first one ran ahead, and a later run, or the prompt's next entry, has another
// program. An identical program is repeated call by call from its ledger (run-ledger.ts). A longer program with the
// same beginning is not identical, because the compiler decides for the whole text whether the program waits for a
// call. If a later entry redefines a function, the program waits for an earlier read that ran ahead; if it contains
// `await`, the earlier calls return promises. If the second of two calls was answered first, a repetition in the
// recorded order would wait for the second call while the program waits for the first reply: a deadlock.
//
// The identity of a read is its request and the number of possible writes before it, because it gives the same result
// as long as nothing is written. The identity of a call that may write is its request alone: it was made, in whatever
// order.
// Invariant: each answer is given once, and none after the program has made an unknown call that may write.

import type { CallRecord, CallSent } from '../../bindings/index.js'
import type { ForeignReply } from '../../interpreter/index.js'

export interface AnsweredCall {
  readonly sent: CallSent
  /** The number of possible writes before a read; undefined for a call that may write. */
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

  /** Takes the answered call with the same identity. */
  take(call: Pick<AnsweredCall, 'sent' | 'writesBefore'>): AnsweredCall | undefined {
    if (this.#isOver || this.#calls.size === 0) return undefined
    const known = this.#calls.get(keyOf(call))?.shift()
    if (known === undefined && call.writesBefore === undefined) this.end()
    return known
  }

  /** Discards all answers. */
  end(): void {
    this.#isOver = true
  }

  /** The calls that were not taken. */
  get left(): readonly AnsweredCall[] {
    return [...this.#calls.values()].flat()
  }
}

function keyOf({ sent, writesBefore }: Pick<AnsweredCall, 'sent' | 'writesBefore'>): string {
  return `${writesBefore ?? 'write'}/${sent.server}/${sent.tool}/${sent.argumentDigest}`
}
