// The values that programs keep for later runs of the same caller: the module `memory`. A run sees them as they were
// when it began, with its own changes. If it succeeds, the last change of each key is stored.
// Invariant: a run that fails changes nothing, so the corrected program finds the same values.

import { errorReply, type ProgramQuestion } from '../bindings/index.js'
import { type Diagnostic, DiagnosticError } from '../diagnostics/index.js'
import type { ForeignReply } from '../interpreter/index.js'
import { charactersOf, type KeptValues, type Store, type ValueChanges } from '../state/index.js'
import { memoryFull, memoryOff, valueKeyTooLong } from './messages.js'

/** The place of all callers' values. */
export interface ValuesOfCallers {
  /** The caller. */
  readonly owner: string
  readonly store: Pick<Store, 'values' | 'keepValues'>
}

/** A megabyte of text for each caller, in most cases. */
const BOUNDS = { keys: 1_000, characters: 1_000_000, allCharacters: 64_000_000 }
const LONGEST_KEY = 200

/** The values as one run sees them. */
export class RunValues {
  readonly #values: ValuesOfCallers
  readonly #before: KeptValues
  #now: Map<string, string>
  #characters: number
  #changes: { readonly id: number; readonly key: string; readonly text: string | undefined }[] = []

  private constructor(values: ValuesOfCallers, before: KeptValues) {
    this.#values = values
    this.#before = before
    this.#now = new Map(before)
    this.#characters = charactersOf(before)
  }

  /** Reads the values. Rejects with a DiagnosticError if they can't be read. */
  static async of(values: ValuesOfCallers): Promise<RunValues> {
    return new RunValues(values, await values.store.values(values.owner))
  }

  /** Discards the changes, because the program runs again from its beginning. */
  rewind(): void {
    this.#now = new Map(this.#before)
    this.#characters = charactersOf(this.#before)
    this.#changes = []
  }

  /** The reply to call `id` of the run. */
  answer({ member, args }: ProgramQuestion, id: number): ForeignReply {
    const key = String(args.key)
    switch (member) {
      case 'get':
        return `J[${this.#now.get(key) ?? ''}]`
      case 'keys':
        return `J${JSON.stringify([...this.#now.keys()].sort())}`
      case 'delete': {
        const had = this.#now.has(key)
        this.#change(id, key, undefined)
        return `J${had}`
      }
      default:
        return this.#set(id, key, String(args.value))
    }
  }

  /** Repeats a call whose reply is known. */
  repeat({ member, args }: ProgramQuestion, id: number, reply: ForeignReply): void {
    if (reply[0] === 'E' || (member !== 'set' && member !== 'delete')) return
    this.#change(id, String(args.key), member === 'set' ? String(args.value) : undefined)
  }

  /** Stores the changes made before call `end`. Resolves with the reason if they can't be stored. */
  async store(end: number): Promise<Diagnostic | undefined> {
    const changes: ValueChanges = new Map(this.#changes.flatMap(({ id, key, text }) => (id < end ? [[key, text]] : [])))
    if (changes.size === 0) return undefined
    const { store, owner } = this.#values
    try {
      const kept = await store.keepValues(owner, changes, BOUNDS)
      return kept === undefined ? memoryFull(BOUNDS) : undefined
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error
      return error.diagnostics[0]
    }
  }

  #set(id: number, key: string, text: string): ForeignReply {
    if (key.length > LONGEST_KEY) return errorReply(valueKeyTooLong(key.length, LONGEST_KEY))
    const before = this.#now.get(key)
    const added = key.length + text.length - (before === undefined ? 0 : key.length + before.length)
    const keys = this.#now.size + (before === undefined ? 1 : 0)
    if (this.#characters + added > BOUNDS.characters || keys > BOUNDS.keys) {
      const { code, message, hint } = memoryFull(BOUNDS)
      return errorReply({ kind: 'limit', code, message, hint: hint! })
    }
    this.#change(id, key, text)
    return 'Jnull'
  }

  #change(id: number, key: string, text: string | undefined): void {
    const before = this.#now.get(key)
    this.#characters -= before === undefined ? 0 : key.length + before.length
    if (text === undefined) this.#now.delete(key)
    else {
      this.#now.set(key, text)
      this.#characters += key.length + text.length
    }
    this.#changes.push({ id, key, text })
  }
}

/** The reply in a run that keeps no values. */
export function noValues(): ForeignReply {
  return errorReply(memoryOff)
}
