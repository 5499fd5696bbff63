// Collects the faults of one text as diagnostics. Invariant: no two diagnostics start at the same place (the first one
// is kept), and there are at most MOST.

import type { Diagnostic } from '../../diagnostics/index.js'
import type { Fault } from './messages.js'
import type { Positions } from './positions.js'

/** A model repairs a handful of errors at a time; more would only cost it tokens. */
const MOST = 10

/** Thrown after a fault was reported, to abandon the current statement. */
export const ABANDON = Symbol('abandon the statement')
/** Thrown to end the parse: there are enough faults, or the rest of the text can't be parsed. */
export const STOP = Symbol('stop parsing')

export class Faults {
  readonly #positions: Positions
  #found: { readonly start: number; readonly diagnostic: Diagnostic }[] = []

  constructor(positions: Positions) {
    this.#positions = positions
  }

  /** Adds a fault at a source range. Throws STOP when there are enough. */
  report(fault: Fault, start: number, end: number): void {
    if (this.#found.some((f) => f.start === start)) return
    const span = this.#positions.span(start, end)
    this.#found.push({ start, diagnostic: { class: 'program error', ...fault, span } })
    if (this.#found.length >= MOST) throw STOP
  }

  get count(): number {
    return this.#found.length
  }

  /** Drops all faults after the first `count`, when the parser goes back. */
  forget(count: number): void {
    this.#found.length = count
  }

  /** Line and column as a message names them. */
  place(offset: number): string {
    const { line, column } = this.#positions.at(offset)
    return `${line}:${column}`
  }

  line(offset: number): number {
    return this.#positions.at(offset).line
  }

  /** All diagnostics in the order of the text. */
  diagnostics(): readonly Diagnostic[] {
    return [...this.#found].sort((a, b) => a.start - b.start).map((f) => f.diagnostic)
  }
}
