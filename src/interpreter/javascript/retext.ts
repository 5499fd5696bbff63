// A text with edits, and the mapping from positions in the new text to positions in the old one. Knows no language.
// Invariant: lines stay the same. A position in an insertion maps to the position of the insertion.

interface Change {
  readonly start: number
  readonly end: number
  readonly by: string
}

export class Retext {
  readonly #text: string
  readonly #changes: Change[] = []

  constructor(text: string) {
    this.#text = text
  }

  /** Replaces a range, and keeps the line breaks of the removed text. */
  replace(start: number, end: number, by: string): void {
    const lines = this.#text.slice(start, end).replace(/[^\r\n\u2028\u2029]/g, '')
    this.#changes.push({ start, end, by: by + lines })
  }

  insert(at: number, text: string): void {
    this.#changes.push({ start: at, end: at, by: text })
  }

  /** Replaces a range by `by`, padded with spaces. */
  blank(start: number, end: number, by: string): void {
    const spaces = this.#text.slice(start, end).replace(/[^\r\n\u2028\u2029]/g, ' ')
    this.#changes.push({ start, end, by: by + spaces.slice(by.length) })
  }

  /** The new text, and a function that maps its offsets to the old text. Of overlapping changes the first counts. */
  written(): { readonly text: string; readonly origin: (offset: number) => number } {
    const kept: (Change & { readonly at: number })[] = []
    let text = ''
    let from = 0
    for (const change of this.#changes.toSorted((a, b) => a.start - b.start)) {
      if (change.start < from) continue
      text += this.#text.slice(from, change.start)
      kept.push({ ...change, at: text.length })
      text += change.by
      from = change.end
    }
    text += this.#text.slice(from)
    const moved = kept.filter(({ start, end, by }) => by.length !== end - start)
    return { text, origin: (offset) => originIn(moved, offset) }
  }
}

function originIn(moved: readonly (Change & { readonly at: number })[], offset: number): number {
  let low = 0
  let high = moved.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (moved[middle]!.at <= offset) low = middle + 1
    else high = middle
  }
  const last = moved[low - 1]
  if (last === undefined) return offset
  const { start, end, by, at } = last
  return offset < at + by.length ? start : offset - (at + by.length - end)
}
