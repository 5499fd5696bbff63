// Converts offsets to lines and columns.
// Invariant: a line ends at \n, \r\n or a lone \r and at nothing else, as in the scanner and the renderer.

import type { Span } from '../../diagnostics/index.js'

interface Position {
  /** The name of the saved program that contains the position. */
  readonly file?: string
  /** 1-based. */
  readonly line: number
  /** 1-based, in UTF-16 units. */
  readonly column: number
}

/** A part of a text with its own count of lines. */
interface TextPart {
  readonly file?: string
  /** The offset of the start of a line. */
  readonly start: number
}

/** Converts the offsets of one text to positions. The lines are found once, and each lookup is a binary search. */
export class Positions {
  readonly #text: string
  readonly #parts: readonly TextPart[]
  #starts: number[] | undefined

  /** The first part starts at 0. */
  constructor(text: string, parts: readonly TextPart[] = [{ start: 0 }]) {
    this.#text = text
    this.#parts = parts
  }

  /** The place of an offset; offsets outside the text are moved to its nearest end. */
  at(offset: number): Position {
    this.#starts ??= lineStarts(this.#text)
    const starts = this.#starts
    const place = Math.max(0, Math.min(offset, this.#text.length))
    const { file, start } = this.#parts.findLast((part) => part.start <= place)!
    const line = this.#line(place)
    return {
      ...(file === undefined ? {} : { file }),
      line: line + 1 - (start === 0 ? 0 : this.#line(start)),
      column: place - starts[line]! + 1,
    }
  }

  /** The index of the line of an offset, from 0. */
  #line(place: number): number {
    const starts = this.#starts!
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (starts[middle]! <= place) low = middle
      else high = middle - 1
    }
    return low
  }

  /** The span of the source range `start` (inclusive) to `end` (exclusive). */
  span(start: number, end: number): Span {
    const from = this.at(start)
    const to = this.at(Math.max(start, end))
    return { ...from, endLine: to.line, endColumn: to.column }
  }
}

/** The offset at which each line of `text` starts; the first is always 0. */
export function lineStarts(text: string): number[] {
  const starts = [0]
  const breaks = /\r\n?|\n/g
  while (breaks.exec(text) !== null) starts.push(breaks.lastIndex)
  return starts
}
