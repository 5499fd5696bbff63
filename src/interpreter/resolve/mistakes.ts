// The mistakes that resolving finds in one program. Knows places, not rules; messages.ts has the words.
// Invariant: in the end the mistakes are in the order of the text.

import type { Diagnostic, Span } from '../../diagnostics/index.js'
import type { Positions } from '../syntax/positions.js'

/**
 * Of a program with more mistakes than this only the first ones found get a suggestion: to compare names takes time.
 */
const MOST_SUGGESTIONS = 10

export class Mistakes {
  readonly #positions: Positions
  readonly #found: Diagnostic[] = []

  constructor(positions: Positions) {
    this.#positions = positions
  }

  add(diagnostic: Diagnostic): void {
    this.#found.push(diagnostic)
  }

  span(node: { readonly start: number; readonly end: number }): Span {
    return this.#positions.span(node.start, node.end)
  }

  /** Are there so many that names are no longer compared? */
  get tooManyToSuggest(): boolean {
    return this.#found.length >= MOST_SUGGESTIONS
  }

  inOrder(): readonly Diagnostic[] {
    return this.#found.sort(
      (a, b) => (a.span?.line ?? 0) - (b.span?.line ?? 0) || (a.span?.column ?? 0) - (b.span?.column ?? 0),
    )
  }
}
