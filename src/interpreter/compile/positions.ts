// Where generated code came from. While code is put together, a mark stands in front of every token that QuickJS names in a stack trace: the
// parenthesis of a call, the bracket of a property read, the word `return`. It is `\uE000` and two digits of characters that are for private
// use, too. When the text is complete the marks are taken out and their lines and columns written into a table. Quoted program text is ASCII,
// so no program can forge a mark.

import type { PositionTable, SourceRange } from '../program.js'

type Origin = SourceRange

const OPEN = '\uE000'
/** The digit 0; there are as many digits as BASE. */
const ZERO = 0xe001
const BASE = 4096
const MARK_LENGTH = 3

interface Place {
  readonly column: number
  readonly origin: Origin
}

export class Origins {
  readonly #all: Origin[] = []

  /** A mark for the next token. */
  mark(origin: Origin): string {
    const n = this.#all.push(origin) - 1
    return OPEN + String.fromCharCode(ZERO + Math.floor(n / BASE), ZERO + (n % BASE))
  }

  /** Takes the marks out of the text and builds the table. */
  settle(marked: string): { readonly code: string; readonly table: GeneratedPositions } {
    const places = new Map<number, Place[]>()
    let row: Place[] | undefined
    let line = 1
    // Where in the text the line would begin if the marks before its end had never been in it.
    let lineStart = 0
    let nextBreak = marked.indexOf('\n')
    const parts: string[] = []
    let from = 0
    for (let at = marked.indexOf(OPEN); at >= 0; at = marked.indexOf(OPEN, from)) {
      parts.push(marked.slice(from, at))
      for (; nextBreak >= 0 && nextBreak < at; nextBreak = marked.indexOf('\n', nextBreak + 1)) {
        line++
        lineStart = nextBreak + 1
        row = undefined
      }
      if (row === undefined) {
        row = []
        places.set(line, row)
      }
      const n = (marked.charCodeAt(at + 1) - ZERO) * BASE + marked.charCodeAt(at + 2) - ZERO
      row.push({ column: at - lineStart + 1, origin: this.#all[n]! })
      lineStart += MARK_LENGTH
      from = at + MARK_LENGTH
    }
    parts.push(marked.slice(from))
    return { code: parts.join(''), table: new GeneratedPositions(places) }
  }
}

/** The table of one compiled program. */
export class GeneratedPositions implements PositionTable {
  readonly #places: ReadonlyMap<number, readonly Place[]>

  constructor(places: ReadonlyMap<number, readonly Place[]>) {
    this.#places = places
  }

  find(line: number, column: number): Origin | undefined {
    const row = this.#places.get(line)
    if (row === undefined) return undefined
    let best: Origin | undefined
    for (const place of row) {
      if (place.column > column) break
      best = place.origin
    }
    return best ?? row[0]!.origin
  }
}
