// The changes that can still be undone.
// Invariant: their number and the bytes that they keep are bounded; the oldest ones go first.

import { Failure, quoted } from '../tool.js'
import type { Changed } from './change.js'

const MOST_CHANGES = 200
const MOST_BYTES = 64 * 1024 * 1024

export class History {
  readonly #changes = new Map<string, Changed>()
  #count = 0
  #bytes = 0

  /** The name of the change. */
  add(changed: Changed): string {
    const name = `c${++this.#count}`
    this.#changes.set(name, changed)
    this.#bytes += bytesOf(changed)
    for (const old of this.#changes.keys()) {
      if (old === name || (this.#changes.size <= MOST_CHANGES && this.#bytes <= MOST_BYTES)) break
      this.forget(old)
    }
    return name
  }

  /** The change of that name, or the last one. */
  find(asked: string | undefined): { readonly name: string; readonly changed: Changed } {
    const name = asked ?? [...this.#changes.keys()].at(-1)
    if (name === undefined) throw new Failure('there is nothing to undo')
    const changed = this.#changes.get(name)
    if (changed === undefined) throw new Failure(`there is no change ${quoted(name)}, or it is too old to be undone`)
    return { name, changed }
  }

  forget(name: string): void {
    const changed = this.#changes.get(name)
    this.#changes.delete(name)
    if (changed !== undefined) this.#bytes -= bytesOf(changed)
  }
}

function bytesOf(changed: Changed): number {
  return 'before' in changed ? (changed.before?.length ?? 0) : 0
}
