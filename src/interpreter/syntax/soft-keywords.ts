// `match`, `case` and `type`, which are keywords only where they can't be names. Looks ahead in the text, and consumes
// no token.

import { lineEnd } from './characters.js'
import { ABANDON } from './faults.js'
import { messages } from './messages.js'
import type { Parser } from './parser.js'
import { skipBlock, skipLogicalLine } from './skip.js'

/** Text after a name that must be another operand on the same line, so the name before it is no operand. */
const OPERAND = /^[ \t]+(?!(?:in|is|and|or|if|else|for|not[ \t]+in)\b)["'\w{]/
/** Tokens that may also follow an operand, if the line does not end with a colon. */
const BRACKETED = /^[ \t]*[[(*~-]/
const COLON_LAST = /:[ \t]*(?:#.*)?$/

/** Abandons the whole statement, with the lines below its broken header. */
export function giveUpMatch(p: Parser, start: number): never {
  p.scanner.resume = skipBlock(p.text, skipLogicalLine(p.text, start, []).end, p.scanner.blockColumn)
  throw ABANDON
}

/** True if this can only be the header of a match statement, broken or not. */
export function isMatchHeader(p: Parser): boolean {
  const rest = p.text.slice(p.token.end, lineEnd(p.text, p.token.end))
  if (OPERAND.test(rest)) return COLON_LAST.test(rest)
  return BRACKETED.test(rest) && COLON_LAST.test(rest) && caseFollows(p, p.token.start)
}

/** True if the next logical line after `from` is a case. */
export function caseFollows(p: Parser, from: number): boolean {
  const { end } = skipLogicalLine(p.text, from, p.scanner.openers)
  return /^\s*(?:#[^\n\r]*\s*)*case\b(?![ \t]*=)/.test(p.text.slice(end, end + 2000))
}

/** Reports `match`, `case` and `type` where they can't be ordinary names. */
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
