// Skips text without parsing it, to the end of a logical line, a bracket or a block. Tracks quotes, comments, brackets
// and indentation. Never fails.

import { afterBreak, lineEnd } from './characters.js'
import * as C from './codes.js'
import { findClose } from './strings.js'

interface LineEnd {
  /** The offset of the line break that ends the logical line, or of the place where the scan stopped. */
  readonly end: number
  /**
   * Offsets of the brackets that are still open there. There are some if the text ended first, or if a bracket of
   * another kind closed.
   */
  readonly open: readonly number[]
}

/**
 * Scans from `from`, where the brackets at `openers` are open, to the end of the logical line. Stops at a bracket that
 * closes wrongly.
 */
export function skipLogicalLine(text: string, from: number, openers: readonly number[]): LineEnd {
  return walk(text, from, openers.slice(), 'line')
}

/** Like `skipLogicalLine`, but a bracket that closes wrongly closes everything up to its own kind. */
export function skipBrokenLine(text: string, from: number, openers: readonly number[]): LineEnd {
  return walk(text, from, openers.slice(), 'broken line')
}

/** The offset after the bracket that closes the one at `opener`; -1 when nothing does. */
export function closingBracket(text: string, opener: number): number {
  const { end, open } = walk(text, opener + 1, [opener], 'bracket')
  return open.length === 0 ? end : -1
}

function walk(text: string, from: number, open: number[], goal: 'line' | 'broken line' | 'bracket'): LineEnd {
  let at = from
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === C.LF || code === C.CR) {
      if (open.length === 0) return { end: at, open }
      at++
    } else if (code === C.HASH) {
      at = lineEnd(text, at)
    } else if (code === C.DOUBLE_QUOTE || code === C.SINGLE_QUOTE) {
      at = skipString(text, at, code)
    } else if (code === C.BACKSLASH) {
      at = isBreak(text.charCodeAt(at + 1)) ? afterBreak(text, at + 1) : at + 1
    } else if (code === C.LPAREN || code === C.LBRACKET || code === C.LBRACE) {
      open.push(at)
      at++
    } else if (code === C.RPAREN || code === C.RBRACKET || code === C.RBRACE) {
      const left = leftOpen(text, open, code)
      if (goal !== 'broken line' && open.length > 0 && left !== open.length - 1) return { end: lineEnd(text, at), open }
      open.length = left
      at++
      if (goal === 'bracket' && open.length === 0) return { end: at, open }
    } else {
      at++
    }
  }
  return { end: at, open }
}

/** The number of brackets that stay open at a closing one: all of them if it is of another kind. */
function leftOpen(text: string, open: readonly number[], closing: number): number {
  let left = open.length - 1
  while (left >= 0 && !closes(text.charCodeAt(open[left]!), closing)) left--
  return left < 0 ? open.length : left
}

/** The end of the block that is indented further than `column` and starts on the line after `from`. */
export function skipBlock(text: string, from: number, column: number): number {
  let end = from
  for (;;) {
    let at = end
    let lineStart = end
    // Blank and comment lines belong to the next statement.
    while (at < text.length) {
      const code = text.charCodeAt(at)
      if (isBreak(code)) {
        at = afterBreak(text, at)
        lineStart = at
      } else if (code === C.HASH) at = lineEnd(text, at)
      else if (code === C.SPACE || code === C.TAB || code === C.FORM_FEED) at++
      else break
    }
    if (at >= text.length || at - lineStart <= column) return end
    end = skipLogicalLine(text, at, []).end
  }
}

function skipString(text: string, at: number, quote: number): number {
  const triple = text.charCodeAt(at + 1) === quote && text.charCodeAt(at + 2) === quote
  const from = at + (triple ? 3 : 1)
  const close = findClose(text, from, quote, triple)
  if (close >= 0) return close + (triple ? 3 : 1)
  return triple ? text.length : lineEnd(text, from)
}

function isBreak(code: number): boolean {
  return code === C.LF || code === C.CR
}

function closes(opening: number, closing: number): boolean {
  return opening === C.LPAREN ? closing === C.RPAREN : closing === opening + 2
}
