// Error recovery: the place where parsing continues after an abandoned statement, and whether an unclosed bracket
// caused the error.

import { lineEnd, lineStart } from './characters.js'
import type { Literal, Scanner } from './scan.js'
import { skipBrokenLine, skipLogicalLine } from './skip.js'
import { findClose } from './strings.js'
import * as T from './tokens.js'

/**
 * The innermost open bracket that nothing after the current token closes; -1 when all are closed. Inside an f-string
 * only its own text counts, since quotes and brackets after it can't be told apart from there.
 */
export function unclosedOpener(s: Scanner): number {
  const least = s.literal?.openBefore ?? 0
  const text = s.literal ? s.text.slice(0, literalEnd(s.text, s.literal)) : s.text
  const { open } = skipLogicalLine(text, afterBracket(s), s.openers)
  for (let i = Math.min(open.length, s.openers.length) - 1; i >= least; i--) {
    if (open[i] === s.openers[i]) return open[i]!
  }
  return -1
}

/** The offset at which parsing continues after a statement with an unclosed bracket. */
export function afterUnclosed(s: Scanner): number {
  if (s.suspect >= 0) return s.suspect
  const line = skipBrokenLine(s.text, afterBracket(s), s.openers)
  if (line.open.length === 0) return line.end
  return s.token.firstOnLine ? lineStart(s.text, s.token.start) : lineEnd(s.text, s.token.start)
}

/** Moves to the first line after the abandoned statement that started at `from`. */
export function leaveStatement(s: Scanner, from: number): void {
  const to = s.resume >= 0 ? s.resume : statementEnd(s)
  s.jump(to > from ? to : lineEnd(s.text, from))
}

function statementEnd(s: Scanner): number {
  const { kind, start, end } = s.token
  let from = kind === T.NEWLINE || kind === T.END ? start : end
  if (s.literal) {
    from = literalEnd(s.text, s.literal) + (s.literal.triple ? 3 : 1)
    s.openers.length = s.literal.openBefore
  }
  const line = skipBrokenLine(s.text, from, s.openers)
  return line.open.length > 0 ? lineEnd(s.text, from) : line.end
}

/** The offset of the quotes that close an f-string, if none of its fields holds such quotes. */
function literalEnd(text: string, { from, quote, triple }: Literal): number {
  const close = findClose(text, from, quote, triple)
  return close < 0 ? lineEnd(text, from) : close
}

/** Continues after the current bracket, which the scanner has counted already. */
function afterBracket({ token }: Scanner): number {
  return token.kind >= T.LPAREN && token.kind <= T.RBRACE ? token.end : token.start
}
