// Indentation: the blocks that a logical line opens and closes.
//
// The column of a line's first character is compared with the stack of open blocks. Blank lines and comment lines are
// ignored. A tab advances to the next multiple of 8. A second column counts every tab as 1: if the two columns disagree
// about which line is deeper, the indentation is ambiguous and refused. In strict mode tabs do not indent at all.
//
// Invariant: the stack starts with column 0, and its columns increase strictly.

import { afterBreak, lineEnd } from './characters.js'
import * as C from './codes.js'
import type { Faults } from './faults.js'
import { messages } from './messages.js'

/** The white space before the first character of a logical line. */
interface Margin {
  /** The start of the line. */
  readonly line: number
  /** The offset of its first character. */
  readonly end: number
  /** Its column, with tabs to multiples of 8 and with tabs as 1. */
  readonly column: number
  readonly narrow: number
  /** The offset of the first tab; -1 if there is none. */
  readonly tab: number
}

/** Skips blank and comment lines from `from`, the start of a line. The end of the text has column 0. */
export function readMargin(text: string, from: number): Margin {
  let line = from
  let at = from
  let column = 0
  let narrow = 0
  let tab = -1
  for (;;) {
    const code = text.charCodeAt(at)
    if (code === C.SPACE) {
      column++
      narrow++
      at++
    } else if (code === C.TAB) {
      column = (column | 7) + 1
      narrow++
      tab = tab < 0 ? at : tab
      at++
    } else if (code === C.FORM_FEED) {
      column = narrow = 0
      at++
    } else if (code === C.LF || code === C.CR || code === C.HASH) {
      at = code === C.HASH ? lineEnd(text, at) : at
      if (at >= text.length) continue
      line = at = afterBreak(text, at)
      column = narrow = 0
      tab = -1
    } else {
      break
    }
  }
  return at >= text.length ? { line, end: at, column: 0, narrow: 0, tab: -1 } : { line, end: at, column, narrow, tab }
}

export class Indentation {
  readonly #faults: Faults
  readonly #strict: boolean
  readonly #columns: number[] = [0]
  readonly #narrow: number[] = [0]
  #tabsReported = false

  constructor(faults: Faults, strict: boolean) {
    this.#faults = faults
    this.#strict = strict
  }

  /** The column of the innermost open block. */
  get column(): number {
    return this.#columns[this.#columns.length - 1]!
  }

  /** Enters a logical line. Returns 1 if it opens a block, -n if it closes n of them. */
  enter({ line, end, column, narrow, tab }: Margin): number {
    if (tab >= 0 && this.#strict && !this.#tabsReported) {
      this.#tabsReported = true
      this.#faults.report(messages.tabIndent(), tab, tab + 1)
    }
    const narrowest = this.#narrow[this.#narrow.length - 1]!
    if (column === this.column) {
      if (narrow !== narrowest) this.#ambiguous(line, end)
      return 0
    }
    if (column < this.column) return -this.#close(line, end, column, narrow)
    if (narrow <= narrowest) this.#ambiguous(line, end)
    this.#columns.push(column)
    this.#narrow.push(narrow)
    return 1
  }

  #close(line: number, end: number, column: number, narrow: number): number {
    const open = this.#columns.slice()
    while (column < this.column) {
      this.#columns.pop()
      this.#narrow.pop()
    }
    if (column !== this.column) this.#faults.report(messages.inconsistentDedent(column, open), line, end)
    else if (narrow !== this.#narrow[this.#narrow.length - 1]) this.#ambiguous(line, end)
    return open.length - this.#columns.length
  }

  #ambiguous(line: number, end: number): void {
    if (this.#tabsReported) return
    this.#tabsReported = true
    this.#faults.report(messages.inconsistentTabs(), line, end)
  }
}
