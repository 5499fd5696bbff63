// `match`, `case` and `type`, which are keywords only where they can't be names. Reads ahead in the text; consumes no
// token.

import { lineEnd } from './characters.js'
import { ABANDON } from './faults.js'
import { messages } from './messages.js'
import type { Parser } from './parser.js'
import { skipBlock, skipLogicalLine } from './skip.js'

/** A name before another operand on the same line is not an operand itself. */
const OPERAND = /^[ \t]+(?!(?:in|is|and|or|if|else|for|not[ \t]+in)\b)["'\w{]/
/** Tokens that may also follow an operand, if the line does not end with a colon. */
const BRACKETED = /^[ \t]*[[(*~-]/
const COLON_LAST = /:[ \t]*(?:#.*)?$/

/** Drops the whole statement: the lines below a broken header give no further information. */
export function giveUpMatch(p: Parser, start: number): never {
  p.scanner.resume = skipBlock(p.text, skipLogicalLine(p.text, start, []).end, p.scanner.blockColumn)
  throw ABANDON
}

/** Can this only be a match statement, however broken? */
export function isMatchHeader(p: Parser): boolean {
  const rest = p.text.slice(p.token.end, lineEnd(p.text, p.token.end))
  if (OPERAND.test(rest)) return COLON_LAST.test(rest)
  return BRACKETED.test(rest) && COLON_LAST.test(rest) && caseFollows(p, p.token.start)
}

/** Is the next logical line after `from` a case? */
export function caseFollows(p: Parser, from: number): boolean {
  const { end } = skipLogicalLine(p.text, from, p.scanner.openers)
  return /^\s*(?:#[^\n\r]*\s*)*case\b(?![ \t]*=)/.test(p.text.slice(end, end + 2000))
}

/** `match`, `case` and `type` where they can't be ordinary names. */
export function refuseSoftKeyword(p: Parser): void {
  const rest = p.text.slice(p.token.end, lineEnd(p.text, p.token.end))
  if (p.token.word === 'type') {
    if (/^[ \t]+[A-Za-z_]\w*[ \t]*(?:\[[^\]]*\][ \t]*)?=(?!=)/.test(rest)) {
      p.fail(messages.unsupported('a type alias is', 'leave it out: types are not checked'))
    }
  } else if (p.token.word === 'case') {
    const isMeant = OPERAND.test(rest) || (BRACKETED.test(rest) && COLON_LAST.test(rest))
    if (p.strict || !isMeant) return
    if (p.orphaned) throw ABANDON
    p.fail(messages.orphanCase())
  } else if (isMatchHeader(p)) {
    if (!p.strict) p.fail(messages.blockOnOneLine('match'))
    const { start } = p.token
    p.faults.report(messages.unsupported('match statements are', 'write an if / elif chain'), start, start + 5)
    giveUpMatch(p, start)
  }
}
