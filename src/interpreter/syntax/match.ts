// Match statements. `match` begins a statement only if an expression and a colon at the end of the line follow it.
// Otherwise the parser goes back and parses `match` as a name.

import { attempt, parseBlock } from './blocks.js'
import { lineEnd } from './characters.js'
import { parseElement } from './displays.js'
import { parseNamedTest } from './expressions.js'
import { ABANDON } from './faults.js'
import { messages } from './messages.js'
import type { Expression, MatchCase, MatchStmt } from './nodes.js'
import { MAX_BLOCKS, type Parser } from './parser.js'
import { matchFaults } from './pattern-rules.js'
import { parseOpenPattern, patternHint } from './patterns.js'
import { skipBlock, skipLogicalLine } from './skip.js'
import { caseFollows, giveUpMatch, isMatchHeader } from './soft-keywords.js'
import * as T from './tokens.js'

/** A match statement, if the name `match` begins one here; otherwise undefined, with nothing consumed. */
export function parseMatchStatement(p: Parser): MatchStmt | undefined {
  const { start } = p.token
  const subject = parseMatchHeader(p)
  if (subject === undefined) return undefined
  if (p.token.kind === T.COLON) p.next()
  else p.faults.report(messages.missingColon('the subject of match'), p.token.previousEnd, p.token.previousEnd)
  p.next()
  const cases = parseMatchCases(p, start)
  const node: MatchStmt = { kind: 'MatchStmt', start, end: p.token.previousEnd, subject, cases }
  for (const { fault, node } of matchFaults(cases)) p.faults.report(fault, node.start, node.end)
  return node
}

/** The subject; the current token is then the end of the header. */
function parseMatchHeader(p: Parser): Expression | undefined {
  const before = p.bookmark()
  const { start } = p.token
  const isMeant = isMatchHeader(p)
  try {
    p.next()
    if (T.startsExpression[p.token.kind] === 1 || p.token.kind === T.STAR) {
      const subject = parseSubject(p)
      if (p.token.kind === T.COLON && atColonOfHeader(p)) return subject
      if (p.token.kind === T.NEWLINE && caseFollows(p, p.token.end)) return subject
      if (isMeant) p.unexpected("':' after the subject of match")
    }
  } catch (reason) {
    if (reason !== ABANDON) throw reason
    if (isMeant) giveUpMatch(p, start)
  }
  p.goBack(before)
  return undefined
}

/** An expression, or several with commas, which make a tuple. */
function parseSubject(p: Parser): Expression {
  const { start } = p.token
  const first = parseElement(p)
  if (p.token.kind !== T.COMMA) {
    if (first.kind === 'StarredExpr') p.failAt(messages.starredHere('write: match *x,:'), first.start, first.end)
    return first
  }
  const elements = [first]
  while (p.eat(T.COMMA) && p.token.kind !== T.COLON) elements.push(parseElement(p))
  return { kind: 'TupleExpr', start, end: p.token.previousEnd, elements, parenthesized: false }
}

function atColonOfHeader(p: Parser): boolean {
  return /^[ \t\f]*(?:#.*)?$/.test(p.text.slice(p.token.end, lineEnd(p.text, p.token.end)))
}

function parseMatchCases(p: Parser, matchStart: number): MatchCase[] {
  const cases: MatchCase[] = []
  const indented = p.token.kind === T.INDENT
  if (!indented) {
    const line = p.faults.line(matchStart)
    p.faults.report(messages.missingBlock('the subject of match', line, 'indent the cases'), p.token.start, p.token.end)
  } else {
    if (++p.blocks > MAX_BLOCKS) p.tooDeep(messages.nestedTooDeep('blocks', MAX_BLOCKS))
    p.next()
  }
  // Cases that are not indented still belong to the statement.
  while (indented ? p.token.kind !== T.DEDENT && p.token.kind !== T.END : atCase(p)) {
    attempt(p, () => {
      cases.push(parseMatchCase(p, matchStart))
      return true
    })
  }
  if (indented) {
    if (p.token.kind === T.DEDENT) p.next()
    p.blocks--
  }
  return cases
}

function atCase(p: Parser): boolean {
  return p.token.kind === T.NAME && p.token.word === 'case'
}

function parseMatchCase(p: Parser, matchStart: number): MatchCase {
  const { start } = p.token
  if (!atCase(p)) noCase(p, matchStart)
  p.next()
  const pattern = parseOpenPattern(p)
  const guard = p.eat(T.IF) ? parseNamedTest(p) : undefined
  if (p.token.kind !== T.COLON && p.token.kind !== T.NEWLINE && p.token.kind !== T.LBRACE) {
    p.unexpected(`':' after the ${guard === undefined ? 'pattern' : 'guard'} of case`, patternHint(p))
  }
  const body = parseBlock(p, `the ${guard === undefined ? 'pattern' : 'guard'} of case`, start)
  const node = { kind: 'MatchCase', start, end: p.token.previousEnd, pattern, body } as const
  return guard === undefined ? node : { ...node, guard }
}

function noCase(p: Parser, matchStart: number): never {
  const column = matchStart - p.text.lastIndexOf('\n', matchStart) - 1
  p.scanner.resume = skipBlock(p.text, skipLogicalLine(p.text, p.token.start, []).end, column)
  const isDefault = p.token.kind === T.ELSE || /^(?:default|otherwise)$/.test(p.token.word)
  const hint = isDefault ? 'write: case _:' : 'write it before match, or inside a case'
  p.fail(messages.caseWanted(p.found(), hint))
}
