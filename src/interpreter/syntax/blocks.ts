// Blocks, and recovery after a broken statement.
//
// A fault ends the parse of its statement, and parsing continues with the next line. A block below a broken header is
// still parsed, so that its own faults are reported, and is then dropped. An `else` or `except` without its opener is
// dropped silently: one mistake gives one diagnostic.

import { ABANDON } from './faults.js'
import { bracesHint, messages } from './messages.js'
import type { Statement } from './nodes.js'
import { MAX_BLOCKS, type Parser } from './parser.js'
import { leaveStatement } from './recovery.js'
import { parseSimpleLine } from './simple-statements.js'
import * as T from './tokens.js'

/** Reads statements into `body` up to the end of the block or program. */
export function parseStatements(p: Parser, body: Statement[] = []): Statement[] {
  p.broken = false
  while (p.token.kind !== T.DEDENT && p.token.kind !== T.END) attempt(p, () => p.grammar.parseLine(p, body))
  return body
}

/**
 * Parses one line with `read`. After a fault in it, moves past the line. `read` returns false for the rest of a broken
 * statement.
 */
export function attempt(p: Parser, read: () => boolean): void {
  const { start } = p.token
  const { depth } = p
  try {
    if (read()) p.broken = false
  } catch (reason) {
    if (reason !== ABANDON) throw reason
    p.abandonedAny = true
    p.depth = depth
    leaveStatement(p.scanner, start)
    dropBlock(p)
    p.broken = true
  }
}

/** Parses and drops a block whose header was broken. */
export function dropBlock(p: Parser): void {
  if (p.token.kind !== T.INDENT) return
  const outer = p.orphaned
  p.orphaned = true
  p.next()
  parseStatements(p)
  if (p.token.kind === T.DEDENT) p.next()
  p.orphaned = outer
}

/**
 * The body after a header: an indented block, or simple statements on the header's own line. `after` names the
 * header.
 */
export function parseBlock(p: Parser, after: string, headerStart: number): Statement[] {
  if (p.token.kind === T.NEWLINE) {
    p.faults.report(messages.missingColon(after), p.token.previousEnd, p.token.previousEnd)
  } else if (p.token.kind === T.LBRACE) {
    p.fail(messages.unexpected("'{'", "':'", bracesHint))
  } else {
    p.expect(T.COLON, `':' after ${after}`)
  }
  const body: Statement[] = []
  if (p.token.kind !== T.NEWLINE) {
    parseSimpleLine(p, body)
    return body
  }
  p.next()
  // The next statement starts where the body was expected; an indent token would have come before it.
  if (p.token.kind !== T.INDENT) {
    p.faults.report(messages.missingBlock(after, p.faults.line(headerStart)), p.token.start, p.token.end)
    return body
  }
  if (++p.blocks > MAX_BLOCKS) p.tooDeep(messages.nestedTooDeep('blocks', MAX_BLOCKS))
  p.next()
  parseStatements(p, body)
  if (p.token.kind === T.DEDENT) p.next()
  p.blocks--
  return body
}
