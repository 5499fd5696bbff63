// What a program that runs once more has been answered before. Knows calls by what is called with what, and by how many
// calls that may have written came before: a read gives the same as long as nothing was written.
// Invariant: each answer is given once, in the order in which its calls were made.

import type { CallSent } from '../../bindings/index.js'
import type { MadeCall } from './made-call.js'

export class KnownCalls {
  #calls = new Map<string, MadeCall[]>()

  /** Keeps what an attempt has made, besides what it left of the attempts before it. */
  keep(made: readonly MadeCall[]): void {
    const { left } = this
    this.#calls = new Map()
    for (const call of [...made, ...left]) {
      if (call.sent === undefined || call.record === undefined || call.reply === undefined) continue
      const key = keyOf(call.sent, call.writesBefore)
      const same = this.#calls.get(key)
      if (same === undefined) this.#calls.set(key, [call])
      else same.push(call)
    }
  }

  /** The same call of an earlier attempt. */
  take(sent: CallSent, writesBefore: number): MadeCall | undefined {
    return this.#calls.size === 0 ? undefined : this.#calls.get(keyOf(sent, writesBefore))?.shift()
  }

  /** What was not made again. */
  get left(): readonly MadeCall[] {
    return [...this.#calls.values()].flat()
  }
}

function keyOf({ server, tool, argumentDigest }: CallSent, writesBefore: number): string {
  return `${writesBefore}/${server}/${tool}/${argumentDigest}`
}
