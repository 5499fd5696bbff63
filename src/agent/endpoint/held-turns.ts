// What clients do not send back: the messages of rounds that they never saw, until they continue the conversation. The
// place of a call that a client was handed finds them, or the id of a response.
// Invariant: a caller finds only its own, and all together stay within a number and a size.

import type { Message } from '../conversation.js'

interface Kept {
  readonly ids: readonly string[]
  readonly messages: readonly Message[]
  readonly bytes: number
}

const MOST = 10_000
const MOST_BYTES = 64 * 1024 * 1024

export class HeldTurns {
  /** From the oldest to the newest. */
  readonly #kept = new Set<Kept>()
  readonly #byId = new Map<string, Kept>()
  #bytes = 0

  /** `ids`: those that the client will send back. */
  keep(caller: string, ids: readonly string[], messages: readonly Message[]): void {
    const bytes = messages.reduce((sum, message) => sum + roughBytes(message), 0)
    if (ids.length === 0 || bytes > MOST_BYTES / 4) return
    const kept = { ids: ids.map((id) => keyOf(caller, id)), messages, bytes }
    for (const id of kept.ids) {
      const old = this.#byId.get(id)
      if (old !== undefined) this.#drop(old)
    }
    this.#kept.add(kept)
    this.#bytes += bytes
    for (const id of kept.ids) this.#byId.set(id, kept)
    for (const oldest of this.#kept) {
      if (this.#kept.size <= MOST && this.#bytes <= MOST_BYTES) return
      this.#drop(oldest)
    }
  }

  find(caller: string, id: string): readonly Message[] | undefined {
    return this.#byId.get(keyOf(caller, id))?.messages
  }

  #drop(kept: Kept): void {
    this.#kept.delete(kept)
    this.#bytes -= kept.bytes
    for (const id of kept.ids) this.#byId.delete(id)
  }
}

function keyOf(caller: string, id: string): string {
  return JSON.stringify([caller, id])
}

/** Strings are nearly all of a message. */
function roughBytes(value: unknown): number {
  if (typeof value === 'string') return value.length * 2 + 32
  if (typeof value !== 'object' || value === null) return 16
  return Object.values(value).reduce<number>((sum, inner) => sum + roughBytes(inner), 64)
}
