// Collects the mistakes that resolving finds in one program, and returns them in the order of the text.

import type { Diagnostic, Span } from '../../diagnostics/index.js'
import type { Positions } from '../syntax/positions.js'

/** Only the first mistakes get a suggestion, because comparing names takes time. */
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

  /** True once there are too many mistakes for further suggestions. */
  get tooManyToSuggest(): boolean {
    return this.#found.length >= MOST_SUGGESTIONS
  }

  inOrder(): readonly Diagnostic[] {
    return this.#found.sort(
      (a, b) => (a.span?.line ?? 0) - (b.span?.line ?? 0) || (a.span?.column ?? 0) - (b.span?.column ?? 0),
    )
  }
}
