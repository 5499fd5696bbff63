// Statements that begin with a name: `match`, with its `case`, and `type`. The names are like any other wherever they
// do not begin such a statement, and only reading on tells: what follows `match` must be an expression and a colon at
// the end of the line. Everything else is taken back and read as usual. Knows match statements as a whole; patterns and
// blocks, others know.

import { lineEnd } from './characters.js'
import { MAX_BLOCKS } from './cursor.js'
import { ABANDON } from './faults.js'
import { messages } from './messages.js'
import type { Expression, MatchCase, MatchStmt, Statement } from './nodes.js'
import { matchFaults } from './pattern-rules.js'
import { Patterns } from './patterns.js'
import { skipBlock, skipLogicalLine } from './skip.js'
import * as T from './tokens.js'

/** What follows a name that is no operand: another operand, on the same line. */
const OPERAND = /^[ \t]+(?!(?:in|is|and|or|if|else|for|not[ \t]+in)\b)["'\w{]/
/** What may follow an operand as well, if the line does not end with a colon. */
const BRACKETED = /^[ \t]*[[(*~-]/
const COLON_LAST = /:[ \t]*(?:#.*)?$/

export abstract class SoftKeywords extends Patterns {
  protected blocks = 0
  /** True inside a block that is read for its own faults only. */
  protected orphaned = false

  /** The body after a header. */
  protected abstract block(after: string, headerStart: number): Statement[]
  /** Reads one line, or reports why that can't be done and moves past it. */
  protected abstract attempt(read: () => boolean): void

  /**
   * A match statement, if that is what the name `match` begins here; undefined, with nothing read, where it is a name
   * like others.
   */
  protected matchStatement(): MatchStmt | undefined {
    const { start } = this
    const subject = this.matchHeader()
    if (subject === undefined) return undefined
    if (this.kind === T.COLON) this.next()
    else this.faults.report(messages.missingColon('the subject of match'), this.previousEnd, this.previousEnd)
    this.next()
    const cases = this.matchCases(start)
    const node: MatchStmt = { kind: 'MatchStmt', start, end: this.previousEnd, subject, cases }
    for (const { fault, node } of matchFaults(cases)) this.faults.report(fault, node.start, node.end)
    return node
  }

  /** The subject; the current token is then what ends the header. */
  private matchHeader(): Expression | undefined {
    const before = this.bookmark()
    const { depth, start, yields } = this
    const isMeant = this.isHeader()
    try {
      this.next()
      if (T.startsExpression[this.kind] === 1 || this.kind === T.STAR) {
        const subject = this.subject()
        if (this.kind === T.COLON && this.atColonOfHeader()) return subject
        if (this.kind === T.NEWLINE && this.caseFollows(this.end)) return subject
        if (isMeant) this.unexpected("':' after the subject of match")
      }
    } catch (reason) {
      if (reason !== ABANDON) throw reason
      if (isMeant) this.giveUpMatch(start)
    }
    this.goBack(before)
    this.depth = depth
    this.yields = yields
    this.atLineStart = false
    this.literal = undefined
    this.field = undefined
    return undefined
  }

  /** An expression, or several with commas, which make a tuple. */
  private subject(): Expression {
    const { start } = this
    const first = this.element()
    if (this.kind !== T.COMMA) {
      if (first.kind === 'StarredExpr') this.failAt(messages.starredHere('write: match *x,:'), first.start, first.end)
      return first
    }
    const elements = [first]
    while (this.eat(T.COMMA) && this.kind !== T.COLON) elements.push(this.element())
    return { kind: 'TupleExpr', start, end: this.previousEnd, elements, parenthesized: false }
  }

  private atColonOfHeader(): boolean {
    return /^[ \t\f]*(?:#.*)?$/.test(this.text.slice(this.end, lineEnd(this.text, this.end)))
  }

  /** Leaves out the whole statement: what stands below a broken header says nothing more. */
  private giveUpMatch(start: number): never {
    const column = this.indents[this.indents.length - 1]!
    this.resume = skipBlock(this.text, skipLogicalLine(this.text, start, []).end, column)
    throw ABANDON
  }

  // ---- Cases ----

  private matchCases(matchStart: number): MatchCase[] {
    const cases: MatchCase[] = []
    const indented = this.kind === T.INDENT
    if (!indented) {
      const line = this.faults.line(matchStart)
      this.faults.report(messages.missingBlock('the subject of match', line, 'indent the cases'), this.start, this.end)
    } else {
      if (++this.blocks > MAX_BLOCKS) this.tooDeep(messages.nestedTooDeep('blocks', MAX_BLOCKS))
      this.next()
    }
    // Cases that were not indented belong here all the same.
    while (indented ? this.kind !== T.DEDENT && this.kind !== T.END : this.atCase()) {
      this.attempt(() => {
        cases.push(this.matchCase(matchStart))
        return true
      })
    }
    if (indented) {
      if (this.kind === T.DEDENT) this.next()
      this.blocks--
    }
    return cases
  }

  private atCase(): boolean {
    return this.kind === T.NAME && this.word === 'case'
  }

  private matchCase(matchStart: number): MatchCase {
    const { start } = this
    if (!this.atCase()) this.noCase(matchStart)
    this.next()
    const pattern = this.openPattern()
    const guard = this.eat(T.IF) ? this.namedTest() : undefined
    if (this.kind !== T.COLON && this.kind !== T.NEWLINE && this.kind !== T.LBRACE) {
      this.unexpected(`':' after the ${guard === undefined ? 'pattern' : 'guard'} of case`, this.patternHint())
    }
    const body = this.block(`the ${guard === undefined ? 'pattern' : 'guard'} of case`, start)
    const node = { kind: 'MatchCase', start, end: this.previousEnd, pattern, body } as const
    return guard === undefined ? node : { ...node, guard }
  }

  private noCase(matchStart: number): never {
    const column = matchStart - this.text.lastIndexOf('\n', matchStart) - 1
    this.resume = skipBlock(this.text, skipLogicalLine(this.text, this.start, []).end, column)
    const isDefault = this.kind === T.ELSE || /^(?:default|otherwise)$/.test(this.word)
    const hint = isDefault ? 'write: case _:' : 'write it before match, or inside a case'
    this.fail(messages.caseWanted(this.found(), hint))
  }

  // ---- Where there is none ----

  /** Is it a match statement, however broken, and nothing else? */
  private isHeader(): boolean {
    const rest = this.text.slice(this.end, lineEnd(this.text, this.end))
    if (OPERAND.test(rest)) return COLON_LAST.test(rest)
    return BRACKETED.test(rest) && COLON_LAST.test(rest) && this.caseFollows(this.start)
  }

  /** Is the next logical line after `from` a case? */
  private caseFollows(from: number): boolean {
    const { end } = skipLogicalLine(this.text, from, this.openers)
    return /^\s*(?:#[^\n\r]*\s*)*case\b(?![ \t]*=)/.test(this.text.slice(end, end + 2000))
  }

  /** `match`, `case` and `type` where no ordinary use of the name can be meant. */
  protected refuseSoftKeyword(): void {
    const rest = this.text.slice(this.end, lineEnd(this.text, this.end))
    if (this.word === 'type') {
      if (/^[ \t]+[A-Za-z_]\w*[ \t]*(?:\[[^\]]*\][ \t]*)?=(?!=)/.test(rest)) {
        this.fail(messages.unsupported('a type alias is', 'leave it out: types are not checked'))
      }
    } else if (this.word === 'case') {
      const isMeant = OPERAND.test(rest) || (BRACKETED.test(rest) && COLON_LAST.test(rest))
      if (this.strict || !isMeant) return
      if (this.orphaned) throw ABANDON
      this.fail(messages.orphanCase())
    } else if (this.isHeader()) {
      if (!this.strict) this.fail(messages.blockOnOneLine('match'))
      const { start } = this
      this.faults.report(messages.unsupported('match statements are', 'write an if / elif chain'), start, start + 5)
      this.giveUpMatch(start)
    }
  }
}
