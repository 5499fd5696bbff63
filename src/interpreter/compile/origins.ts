// The origins of generated code. During generation, a mark precedes every token that QuickJS names in a stack trace:
// the parenthesis of a call, the bracket of a property read, the word `return`. A mark is `\uE000` followed by two
// digits, which are private-use characters too. When the text is complete, the marks are removed, and their lines and
// columns are stored in a table. Quoted program text is ASCII, so no program can forge a mark.

import type { PositionTable, SourceRange } from '../program.js'
import type { Fragment } from './code.js'

type Origin = SourceRange

const OPEN = '\uE000'
/** The character for the digit 0. There are BASE digits. */
const ZERO = 0xe001
const BASE = 4096
const MARK_LENGTH = 3

/** More than the number of columns in a line of generated code. */
const COLUMNS = 2 ** 26

export class Origins {
  readonly #all: Origin[] = []

  /** A mark for the next token. */
  mark(origin: Origin): Fragment {
    const n = this.#all.push(origin) - 1
    return (OPEN + String.fromCharCode(ZERO + Math.floor(n / BASE), ZERO + (n % BASE))) as Fragment
  }

  /** Removes the marks from the text and builds the table. */
  settle(marked: Fragment): { readonly code: string; readonly table: OriginTable } {
    const places: number[] = []
    const origins: Origin[] = []
    let line = 1
    // The offset at which the line would begin if all earlier marks were removed.
    let lineStart = 0
    let nextBreak = marked.indexOf('\n')
    const parts: string[] = []
    let from = 0
    for (let at = marked.indexOf(OPEN); at >= 0; at = marked.indexOf(OPEN, from)) {
      parts.push(marked.slice(from, at))
      for (; nextBreak >= 0 && nextBreak < at; nextBreak = marked.indexOf('\n', nextBreak + 1)) {
        line++
        lineStart = nextBreak + 1
      }
      const n = (marked.charCodeAt(at + 1) - ZERO) * BASE + marked.charCodeAt(at + 2) - ZERO
      places.push(line * COLUMNS + at - lineStart + 1)
      origins.push(this.#all[n]!)
      lineStart += MARK_LENGTH
      from = at + MARK_LENGTH
    }
    parts.push(marked.slice(from))
    return { code: parts.join(''), table: new OriginTable(places, origins) }
  }
}

/** The table of one compiled program. */
export class OriginTable implements PositionTable {
  /** Lines and columns, combined into one number each and in order. */
  readonly #places: readonly number[]
  readonly #origins: readonly Origin[]

  constructor(places: readonly number[], origins: readonly Origin[]) {
    this.#places = places
    this.#origins = origins
  }

  /** The origin of the last mark before a position in its line, or else of the first mark in the line. */
  find(line: number, column: number): Origin | undefined {
    const places = this.#places
    let low = 0
    let high = places.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (places[middle]! <= line * COLUMNS + column) low = middle + 1
      else high = middle
    }
    const isInLine = (i: number): boolean => Math.floor((places[i] ?? 0) / COLUMNS) === line
    return isInLine(low - 1) ? this.#origins[low - 1] : isInLine(low) ? this.#origins[low] : undefined
  }
}
