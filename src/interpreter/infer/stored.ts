// Collects the values that a program may store in lists and dicts after their creation. Knows no syntax.
//
// A type describes the contents of a container at its creation, and aliases are not followed. Instead, every value that
// the program stores anywhere is collected here, and counts for every container that could have received it. If a walk
// stores a value after an earlier place has read such contents, the program is walked again.
// Invariant: what a walk has read is right if it stored nothing afterwards.

import { DICT, LIST, MAP } from './kinds.js'
import { ANY, alternatives, isUnknown, join, loose, NOTHING, same, type Type } from './types.js'

export class Stored {
  /** Keys that the program may have added to records of the host; undefined for any key. */
  #keys: Set<string> | undefined = new Set()
  /** The types of values stored in lists of the host and of the program. */
  #items: { host: Type; program: Type } = { host: NOTHING, program: NOTHING }
  /** The kinds of values that this walk has read. */
  #read = { keys: false, host: false, program: false }
  #wasMissing = false

  /** Ends a walk. Returns true if something was stored after it had been read. */
  takeMissing(): boolean {
    const wasMissing = this.#wasMissing
    this.#wasMissing = false
    this.#read = { keys: false, host: false, program: false }
    return wasMissing
  }

  /** Assumes from now on that any value may be in any container. */
  giveUp(): void {
    this.storeKey(ANY, undefined)
    this.storeItem(ANY, ANY)
  }

  /** Records a value under a key; undefined if the key is unknown. */
  storeKey(object: Type, key: string | undefined): void {
    if (this.#keys === undefined || !alternatives(object).some((one) => mayBeHosted(one))) return
    if (key === undefined) this.#keys = undefined
    else if (this.#keys.has(key)) return
    else this.#keys.add(key)
    this.#wasMissing ||= this.#read.keys
  }

  storeItem(object: Type, item: Type): void {
    const all = alternatives(object)
    if (all.some((one) => mayBeHosted(one))) this.#store('host', item)
    if (all.some((one) => isUnknown(one) || (one.kinds === LIST && !mayBeHosted(one)))) this.#store('program', item)
  }

  #store(owner: 'host' | 'program', item: Type): void {
    const old = this.#items[owner]
    const next = join(old, loose(item))
    if (same(old, next)) return
    this.#items[owner] = next
    this.#wasMissing ||= this.#read[owner]
  }

  /** True if the program may have assigned this key of a record of the host. */
  mayHaveKey(key: string): boolean {
    this.#read.keys = true
    return this.#keys === undefined || this.#keys.has(key)
  }

  get anyKey(): boolean {
    this.#read.keys = true
    return this.#keys === undefined || this.#keys.size > 0
  }

  /** The contents of a list whose element was `item` at its creation. */
  itemOf(owner: 'host' | 'program', item: Type): Type {
    this.#read[owner] = true
    return join(item, this.#items[owner])
  }
}

function mayBeHosted(one: Type): boolean {
  if (isUnknown(one)) return true
  return (one.kinds & (LIST | DICT | MAP)) !== 0 && one.about?.kind === 'host'
}
