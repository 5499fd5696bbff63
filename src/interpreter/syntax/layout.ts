// Lines and their indentation: where a logical line starts, which blocks it opens and closes, and what lies between
// tokens.
//
// At the start of a logical line the indentation is compared with the stack of open blocks and gives INDENT or DEDENT
// tokens; blank and comment lines give none. Inside brackets line breaks are white space. A line ends at \n, \r\n or a
// lone \r, and at no other character. Tabs advance to the next multiple of 8, and a second column counts every tab as
// 1: when the two disagree about which line is deeper, the indentation is ambiguous and refused. In strict mode tabs do
// not indent at all.
//
// Knows no token but those of layout. Invariant: `indents` always holds 0 first and rises strictly.

import { afterBreak, lineEnd, lineStart } from './characters.js'
import * as C from './codes.js'
import { ABANDON, type Faults } from './faults.js'
import { type Affordance, type Fault, messages } from './messages.js'
import * as T from './tokens.js'

/** A replacement field that is being read. */
export interface Field {
  /** Where its '{' stands. */
  readonly open: number
  /** The quotes that close its f-string. */
  readonly quotes: string
}

export abstract class Layout {
  readonly text: string
  readonly strict: boolean
  readonly faults: Faults

  /** The current token. */
  kind: T.TokenKind = T.NEWLINE
  start = 0
  end = 0
  /** Where the last token before the current one that is not layout ended. */
  previousEnd = 0
  /** True when the current token is the first on its line. */
  firstOnLine = true
  /** The name of a NAME or keyword, the value of a STRING, the operator of an AUGMENTED token. */
  word = ''
  integer = 0n
  float = 0
  bytes: readonly number[] = []
  /** The opening of an FSTRING token. */
  quote = 0
  triple = false
  raw = false

  /** Where reading goes on. */
  protected position = 0
  /** Offsets of the brackets that are open, outermost first. */
  protected openers: number[] = []
  /** The replacement field of an f-string that is being read, innermost. */
  protected field: Field | undefined
  /** Where to go on after the statement at hand is given up; -1 when that has to be found out. */
  protected resume = -1
  /** The start of the first line inside the open brackets that looks like a new statement; -1 when there is none. */
  protected suspect = -1
  /** Columns of the open blocks, with tabs to multiples of 8 and with tabs as 1. */
  protected indents: number[] = [0]
  #narrowIndents: number[] = [0]
  protected dedentsDue = 0
  protected atLineStart = true
  #tabsReported = false

  constructor(text: string, strict: boolean, faults: Faults) {
    this.text = text
    this.strict = strict
    this.faults = faults
    if (text.charCodeAt(0) === 0xfeff) this.position = 1
  }

  /** Reports a fault and gives up the statement at hand. */
  fail(fault: Fault, start = this.start, end = this.end): never {
    if (this.kind !== T.BAD) this.faults.report(fault, start, end)
    throw ABANDON
  }

  /** Reports what only the default dialect has; nothing outside strict mode. */
  affordance(name: Affordance, start = this.start, end = this.end): void {
    if (this.strict) this.faults.report(messages.notStarlark(name), start, end)
  }

  /** Reports text that is no token and makes it a BAD one; reading goes on after it. */
  protected bad(fault: Fault, start: number, end: number): void {
    this.faults.report(fault, start, end)
    this.position = end
    this.start = start
    this.end = end
    this.kind = T.BAD
  }

  /** Reads the indentation of a logical line; true when that gave a token. */
  protected startLine(): boolean {
    const text = this.text
    let at = this.position
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
        at = afterBreak(text, at)
        this.position = at
        column = narrow = 0
        tab = -1
      } else {
        break
      }
    }
    if (at >= text.length) column = narrow = 0
    else if (tab >= 0 && this.strict && !this.#tabsReported) {
      this.#tabsReported = true
      this.faults.report(messages.tabIndent(), tab, tab + 1)
    }
    const line = this.position
    this.position = at
    this.atLineStart = false
    this.firstOnLine = true
    return this.#indentation(line, at, column, narrow)
  }

  #indentation(line: number, at: number, column: number, narrow: number): boolean {
    const indents = this.indents
    const top = indents.length - 1
    const current = indents[top]!
    if (column === current) {
      if (narrow !== this.#narrowIndents[top]) this.#ambiguous(line, at)
      return false
    }
    this.start = at
    this.end = at
    if (column > current) {
      if (narrow <= this.#narrowIndents[top]!) this.#ambiguous(line, at)
      indents.push(column)
      this.#narrowIndents.push(narrow)
      this.kind = T.INDENT
      return true
    }
    let closed = 0
    const open = indents.slice()
    while (column < indents[indents.length - 1]!) {
      indents.pop()
      this.#narrowIndents.pop()
      closed++
    }
    if (column !== indents[indents.length - 1]) {
      this.faults.report(messages.inconsistentDedent(column, open), line, at)
    } else if (narrow !== this.#narrowIndents[indents.length - 1]) {
      this.#ambiguous(line, at)
    }
    this.kind = T.DEDENT
    this.dedentsDue = closed - 1
    return true
  }

  #ambiguous(line: number, at: number): void {
    if (this.#tabsReported) return
    this.#tabsReported = true
    this.faults.report(messages.inconsistentTabs(), line, at)
  }

  /** Skips blanks, comments, continued lines and, inside brackets, line breaks. */
  protected skipSpace(): void {
    const text = this.text
    for (;;) {
      const code = text.charCodeAt(this.position)
      if (code === C.SPACE || code === C.TAB || code === C.FORM_FEED) {
        this.position++
      } else if (code === C.HASH) {
        this.position = lineEnd(text, this.position)
      } else if (code === C.BACKSLASH && this.#continuesLine()) {
        this.position = afterBreak(text, this.position + 1)
      } else if ((code === C.LF || code === C.CR) && this.openers.length > 0) {
        this.position = afterBreak(text, this.position)
        this.firstOnLine = true
      } else {
        return
      }
    }
  }

  /** Whether the backslash at `position` hides a line break with something behind it. */
  #continuesLine(): boolean {
    const after = this.text.charCodeAt(this.position + 1)
    return (after === C.LF || after === C.CR) && afterBreak(this.text, this.position + 1) < this.text.length
  }

  /**
   * Notes the line of the current token if it looks like a statement although brackets are open: a statement's keyword,
   * or a name that is not indented further than the block.
   */
  protected suspectLine(): void {
    if (this.suspect >= 0) return
    const line = lineStart(this.text, this.start)
    const only = T.beginsStatementOnly[this.kind] === 1
    const shallow = this.start - line <= this.indents[this.indents.length - 1]!
    if (only || (shallow && (this.kind === T.NAME || this.kind >= T.FIRST_KEYWORD))) this.suspect = line
  }
}
