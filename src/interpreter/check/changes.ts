// What a program may put into lists and dicts after they were made. Knows no syntax.
//
// A type says what was in a container when it appeared; aliases are not followed. Instead everything that the program
// stores anywhere is gathered here and counts for every container that it could have met. The program is walked again
// until no walk stores what an earlier place of it had to know.
// Invariant: what a walk reads under these changes is right if nothing was missing in any reading.

import { ANY, alternatives, join, NEVER, type Type } from './types.js'

export class Changes {
  /** Keys that records of the host may have got; undefined for any key. */
  #keys: Set<string> | undefined = new Set()
  /** What was put into lists of the host, and into lists of the program. */
  #hostItems: Type = NEVER
  #madeItems: Type = NEVER
  /** What was asked for in this walk. */
  #read = { keys: false, hostItems: false, madeItems: false }
  #wasMissing = false

  /** Ends a walk: true when something was stored after it had been asked for. */
  takeMissing(): boolean {
    const wasMissing = this.#wasMissing
    this.#wasMissing = false
    this.#read = { keys: false, hostItems: false, madeItems: false }
    return wasMissing
  }

  /** From now on everything may be anywhere. */
  giveUp(): void {
    this.storeKey(ANY, undefined)
    this.storeItem(ANY, ANY)
  }

  /** A value is stored under a key; undefined: nobody knows which. */
  storeKey(object: Type, key: string | undefined): void {
    if (!alternatives(object).some(mayBeHosted) || this.#keys === undefined) return
    if (key === undefined) this.#keys = undefined
    else if (this.#keys.has(key)) return
    else this.#keys.add(key)
    this.#wasMissing ||= this.#read.keys
  }

  storeItem(object: Type, item: Type): void {
    const all = alternatives(object)
    if (all.some(mayBeHosted)) {
      const next = join(this.#hostItems, item)
      if (next !== this.#hostItems && !covers(this.#hostItems, next)) {
        this.#hostItems = next
        this.#wasMissing ||= this.#read.hostItems
      }
    }
    if (all.some((one) => one.kind === 'any' || (one.kind === 'list' && one.made))) {
      const next = join(this.#madeItems, item)
      if (next !== this.#madeItems && !covers(this.#madeItems, next)) {
        this.#madeItems = next
        this.#wasMissing ||= this.#read.madeItems
      }
    }
  }

  /** Can the key of a record of the host have been assigned? */
  mayHaveKey(key: string): boolean {
    this.#read.keys = true
    return this.#keys === undefined || this.#keys.has(key)
  }

  get anyKey(): boolean {
    this.#read.keys = true
    return this.#keys === undefined || this.#keys.size > 0
  }

  itemOf(list: Type & { kind: 'list' }): Type {
    const more = list.made ? this.#madeItems : this.#hostItems
    this.#read[list.made ? 'madeItems' : 'hostItems'] = true
    return join(list.item, more)
  }
}

function mayBeHosted(one: Type): boolean {
  if (one.kind === 'list' || one.kind === 'dict') return !one.made
  return one.kind === 'any' || one.kind === 'record'
}

/** Joining made no new alternative. */
function covers(old: Type, next: Type): boolean {
  return old.kind === next.kind && alternatives(old).length === alternatives(next).length && old.kind !== 'never'
}
