// A run's lookups in the host's tables. A question that was asked before, in this run or in the one that it repeats,
// gets the same answer.

import type { Lookups } from './contract.js'
import { readText, type Text } from './text.js'

/** The maximum recorded for a run: characters of questions and answers together. */
const LOOKUP_CHARACTERS = 1_000_000
/** The longest question. */
const LONGEST_QUESTION = 100_000

export type LookUp = (question: string) => string
export type Rewrite = (order: string) => string | undefined

/** The exports of an image's module. */
export interface HostTables {
  readonly lookUp: LookUp
  readonly rewrite: Rewrite
}

/** The longest order of a rewriting, in bytes: it takes a multiple of that in the thread's own memory. */
const LONGEST_ORDER_BYTES = 64 * 1024 * 1024
/** Rewriting less takes no time that counts. */
const SHORT_ORDER_BYTES = 50_000

/** What `rewrite` makes of a text. `counts`: it takes time. Throws in a guest without tables. */
export function rewriteText(
  rewrite: Rewrite | undefined,
  order: Text,
): { readonly answer: string | undefined; readonly counts: boolean } {
  const { length } = order.bytes
  if (length > LONGEST_ORDER_BYTES) throw new Error(TOO_MUCH)
  if (rewrite === undefined) throw new Error('a guest without tables asked for a text')
  return { answer: rewrite(readText(order)), counts: length > SHORT_ORDER_BYTES }
}

const TOO_MUCH = 'a guest asked for too much at once'

export class RunLookups {
  readonly #lookUp: LookUp | undefined
  readonly #known = new Map<string, string>()
  #characters = 0

  constructor(lookUp: LookUp | undefined, earlier: Lookups = {}) {
    this.#lookUp = lookUp
    for (const [question, answer] of Object.entries(earlier)) this.#record(question, answer)
  }

  /** Undefined in a guest without tables. */
  answer(question: string): string | undefined {
    if (question.length > LONGEST_QUESTION) throw new Error(TOO_MUCH)
    const known = this.#known.get(question)
    if (known !== undefined) return known
    const answer = this.#lookUp?.(question)
    if (answer === undefined) return undefined
    this.#record(question, answer)
    return answer
  }

  #record(question: string, answer: string): void {
    const characters = this.#characters + question.length + answer.length
    if (characters > LOOKUP_CHARACTERS) return
    this.#characters = characters
    this.#known.set(question, answer)
  }

  /** The lookups of the run; undefined if it made none. */
  get recorded(): Lookups | undefined {
    return this.#known.size === 0 ? undefined : Object.fromEntries(this.#known)
  }
}

/** Validates the lookups that a worker reports. */
export function readLookups(raw: unknown): Lookups | undefined {
  if (typeof raw !== 'object' || raw === null) return undefined
  let characters = 0
  for (const [question, answer] of Object.entries(raw)) {
    if (typeof answer !== 'string') return undefined
    characters += question.length + answer.length
  }
  return characters > LOOKUP_CHARACTERS ? undefined : (raw as Lookups)
}
