// The answers of earlier attempts, by call and by the number of possible writes before it: a read gives the same result
// as long as nothing was written.
// Invariant: each answer is given once, in the order of its calls.

import type { CallSent } from '../../bindings/index.js'
import type { MadeCall } from './made-call.js'

export class KnownCalls {
  #calls = new Map<string, MadeCall[]>()

  /** Adds the calls of an attempt to the unused calls of earlier attempts. */
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

  /** The calls that were not repeated. */
  get left(): readonly MadeCall[] {
    return [...this.#calls.values()].flat()
  }
}

function keyOf({ server, tool, argumentDigest }: CallSent, writesBefore: number): string {
  return `${writesBefore}/${server}/${tool}/${argumentDigest}`
}
