// Compound statements and their blocks, and how reading goes on after a broken statement. What stands on one line is
// simple-statements.ts's.
//
// A fault inside a statement gives that statement up; its block goes on with the next line. What was indented below a
// broken header is still parsed, for the sake of its own faults, and then dropped; an `else` or `except` that has lost
// its opener that way is dropped silently, so that one mistake gives one diagnostic.

import { lineEnd, lineStart } from './characters.js'
import * as C from './codes.js'
import { MAX_BLOCKS, MAX_BRANCHES } from './cursor.js'
import { ABANDON } from './faults.js'
import { bracesHint, messages } from './messages.js'
import type { ClassStmt, DefStmt, ExceptClause, Expression, IfStmt, Statement } from './nodes.js'
import { SimpleStatements } from './simple-statements.js'
import { closingBracket, skipLogicalLine } from './skip.js'
import * as T from './tokens.js'

const nothing: readonly never[] = []

export class Statements extends SimpleStatements {
  /** True once a statement was left out of the tree. */
  abandonedAny = false
  /** True right after a statement of this block was given up. */
  private broken = false

  /** Reads statements into `body` up to the end of the block or program. */
  protected statements(body: Statement[] = []): Statement[] {
    this.broken = false
    while (this.kind !== T.DEDENT && this.kind !== T.END) this.attempt(() => this.line(body))
    return body
  }

  protected attempt(read: () => boolean): void {
    const { start, depth } = this
    try {
      if (read()) this.broken = false
    } catch (reason) {
      if (reason !== ABANDON) throw reason
      this.abandonedAny = true
      this.depth = depth
      this.leaveStatement(start)
      this.orphanBlock()
      this.broken = true
    }
  }

  /** Parses and drops a block whose header was broken. */
  private orphanBlock(): void {
    if (this.kind !== T.INDENT) return
    const outer = this.orphaned
    this.orphaned = true
    this.next()
    this.statements()
    if (this.kind === T.DEDENT) this.next()
    this.orphaned = outer
  }

  /** One compound statement or one line of simple ones; false when it only was what a broken statement left behind. */
  private line(body: Statement[]): boolean {
    if (this.kind >= T.FIRST_KEYWORD && this.assigned()) this.reserved()
    switch (this.kind) {
      case T.NEWLINE:
        this.next()
        return true
      case T.INDENT:
        return this.unexpectedIndent(body)
      case T.DEF:
        body.push(this.def(this.start, nothing, false))
        return true
      case T.IF:
        body.push(this.if())
        return true
      case T.FOR:
        body.push(this.for(this.start, false))
        return true
      case T.WHILE:
        body.push(this.while())
        return true
      case T.TRY:
        body.push(this.try())
        return true
      case T.WITH:
        body.push(this.with(this.start, false))
        return true
      case T.CLASS:
        body.push(this.class(this.start, nothing))
        return true
      case T.AT:
        body.push(this.decorated())
        return true
      case T.ASYNC:
        body.push(this.async(nothing))
        return true
      case T.ELIF:
      case T.ELSE:
      case T.EXCEPT:
      case T.FINALLY:
        return this.orphanClause()
      default: {
        const match = this.kind === T.NAME && this.word === 'match' && !this.strict ? this.matchStatement() : undefined
        if (match === undefined) this.simpleLine(body)
        else body.push(match)
        return true
      }
    }
  }

  /** Whether '=' follows the current token. */
  private assigned(): boolean {
    let at = this.end
    while (this.text.charCodeAt(at) === C.SPACE) at++
    return this.text.charCodeAt(at) === C.EQUALS && this.text.charCodeAt(at + 1) !== C.EQUALS
  }

  private unexpectedIndent(body: Statement[]): boolean {
    const whole = body.length === 0 && this.previousEnd === 0
    if (!this.broken) {
      this.faults.report(messages.unexpectedIndent(whole), lineStart(this.text, this.start), this.start)
    }
    this.next()
    body.push(...this.statements())
    if (this.kind === T.DEDENT) this.next()
    return true
  }

  private orphanClause(): boolean {
    const { word, kind } = this
    if (!this.broken) {
      const opener = kind === T.ELIF ? 'an if' : kind === T.ELSE ? 'an if, for, while or try' : 'a try'
      this.fail(messages.orphanClause(word, opener))
    }
    this.resume = lineEnd(this.text, skipLogicalLine(this.text, this.start, nothing).end)
    this.leaveStatement(this.start)
    this.orphanBlock()
    this.broken = true
    return false
  }

  // ---- Blocks ----

  /**
   * The body after a header: an indented block, or simple statements on the header's own line. `after` names the
   * header.
   */
  protected block(after: string, headerStart: number): Statement[] {
    if (this.kind === T.NEWLINE) {
      this.faults.report(messages.missingColon(after), this.previousEnd, this.previousEnd)
    } else if (this.kind === T.LBRACE) {
      this.fail(messages.unexpected("'{'", "':'", bracesHint))
    } else {
      this.expect(T.COLON, `':' after ${after}`)
    }
    if (this.kind !== T.NEWLINE) return this.oneLineBlock()
    this.next()
    // The next statement starts where the body was wanted; an indent would have been given before it.
    if (this.kind !== T.INDENT) {
      this.faults.report(messages.missingBlock(after, this.faults.line(headerStart)), this.start, this.end)
      return []
    }
    if (++this.blocks > MAX_BLOCKS) this.tooDeep(messages.nestedTooDeep('blocks', MAX_BLOCKS))
    this.next()
    const body = this.statements()
    if (this.kind === T.DEDENT) this.next()
    this.blocks--
    return body
  }

  private oneLineBlock(): Statement[] {
    const body: Statement[] = []
    this.simpleLine(body)
    return body
  }

  private def(start: number, decorators: readonly Expression[], isAsync: boolean): DefStmt {
    this.next()
    const name = this.identifier('a function name')
    if (this.kind !== T.LPAREN) this.unexpected("'(' after the function name")
    this.next()
    const parameters = this.parameters(T.RPAREN)
    this.next()
    const returns = this.annotation(T.ARROW)
    const outer = this.yields
    this.yields = false
    const body = this.block(`def ${name.name}(…)`, start)
    const { previousEnd: end, yields } = this
    this.yields = outer
    const node = { kind: 'DefStmt', start, end, name, parameters, body, decorators, isAsync, yields } as const
    return returns === undefined ? node : { ...node, returns }
  }

  private class(start: number, decorators: readonly Expression[]): ClassStmt {
    this.affordance('class')
    this.next()
    const name = this.identifier('a class name')
    let bases: ClassStmt['bases'] = nothing
    if (this.kind === T.LPAREN) {
      bases = this.arguments()
      this.next()
    }
    const body = this.block(`class ${name.name}`, start)
    return { kind: 'ClassStmt', start, end: this.previousEnd, name, bases, body, decorators }
  }

  private decorated(): Statement {
    const { start } = this
    const decorators: Expression[] = []
    while (this.kind === T.AT) {
      this.affordance('decorator')
      this.next()
      decorators.push(this.namedTest())
      this.expect(T.NEWLINE, 'end of line after a decorator')
    }
    if (this.kind === T.DEF) return this.def(start, decorators, false)
    if (this.kind === T.CLASS) return this.class(start, decorators)
    if (this.kind === T.ASYNC) return this.async(decorators, start)
    this.unexpected("'def' or 'class' after a decorator")
  }

  private async(decorators: readonly Expression[], start = this.start): Statement {
    this.affordance('async')
    this.next()
    if (this.kind === T.DEF) return this.def(start, decorators, true)
    if (decorators.length === 0 && this.kind === T.FOR) return this.for(start, true)
    if (decorators.length === 0 && this.kind === T.WITH) return this.with(start, true)
    this.unexpected("'def', 'for' or 'with' after 'async'")
  }

  /** An `if` with all its `elif` clauses: read in a loop, then nested from the last to the first. */
  private if(): IfStmt {
    const clauses: { start: number; test: Expression; body: readonly Statement[] }[] = []
    let orelse: readonly Statement[] = nothing
    let more: boolean
    do {
      const { start, word } = this
      this.next()
      const test = this.condition(word)
      clauses.push({ start, test, body: this.block(`the condition of ${word}`, start) })
      if (clauses.length > MAX_BRANCHES) this.tooDeep(messages.nestedTooDeep('the branches of an if', MAX_BRANCHES))
      more = this.kind === T.ELIF
      if (this.kind === T.ELSE) {
        const elseStart = this.start
        this.next()
        more = this.kind === T.IF
        if (more) this.faults.report(messages.elseIf(), elseStart, this.end)
        else orelse = this.block('else', elseStart)
      }
    } while (more)
    return this.nested(clauses, orelse)
  }

  private nested(
    clauses: readonly { start: number; test: Expression; body: readonly Statement[] }[],
    last: readonly Statement[],
  ): IfStmt {
    const end = this.previousEnd
    let orelse = last
    for (let i = clauses.length - 1; i > 0; i--) orelse = [{ kind: 'IfStmt', ...clauses[i]!, end, orelse }]
    return { kind: 'IfStmt', ...clauses[0]!, end, orelse }
  }

  /** The test of an if, elif or while. */
  private condition(word: string): Expression {
    const test = this.namedTest()
    if (this.kind === T.ASSIGN) this.fail(messages.assignInCondition(this.strict))
    if (this.kind === T.COMMA)
      this.unexpected(`':' after the condition of ${word}`, 'put a tuple in parentheses, or join conditions with and')
    if (this.kind === T.NAME && this.word === 'then')
      this.unexpected(`':' after the condition of ${word}`, "write ':' instead of then")
    return test
  }

  private for(start: number, isAsync: boolean): Statement {
    this.next()
    if (
      this.kind === T.LPAREN &&
      /^\(\s*(?:(?:let|var|const|int|auto)\b|\w+\s*=|;)/.test(this.text.slice(this.start, this.start + 60))
    ) {
      this.fail(messages.foreignSyntax('for (…; …; …)', 'write: for i in range(n):'))
    }
    const target = this.loopTarget()
    if (this.kind !== T.IN) this.unexpected("'in' after the loop variable", this.loopHint(target))
    this.next()
    const iterable = this.unstarred(this.expressions())
    const body = this.block('the for loop', start)
    const orelse = this.loopElse()
    return { kind: 'ForStmt', start, end: this.previousEnd, target, iterable, body, orelse, isAsync }
  }

  private loopHint(target: Expression): string | undefined {
    if (this.kind === T.ASSIGN) return 'write: for i in range(n):'
    const word = target.kind === 'Identifier' && this.kind === T.NAME ? this.word : ''
    return word === 'of' ? 'write in instead of of' : undefined
  }

  private while(): Statement {
    const { start } = this
    this.next()
    const test = this.condition('while')
    const body = this.block('the condition of while', start)
    const orelse = this.loopElse()
    return { kind: 'WhileStmt', start, end: this.previousEnd, test, body, orelse }
  }

  private loopElse(): readonly Statement[] {
    if (this.kind !== T.ELSE) return nothing
    const { start } = this
    this.affordance('loopElse')
    this.next()
    return this.block('else', start)
  }

  private try(): Statement {
    const { start } = this
    this.affordance('try')
    this.next()
    const body = this.block('try', start)
    const handlers: ExceptClause[] = []
    while (this.kind === T.EXCEPT) handlers.push(this.except())
    for (const handler of handlers.slice(0, -1)) {
      if (!handler.type) this.faults.report(messages.bareExceptLast(), handler.start, handler.start + 6)
    }
    let orelse: readonly Statement[] = nothing
    let finalbody: readonly Statement[] = nothing
    if (this.kind === T.ELSE && handlers.length > 0) {
      const at = this.start
      this.next()
      orelse = this.block('else', at)
    }
    if (this.kind === T.FINALLY) {
      const at = this.start
      this.next()
      finalbody = this.block('finally', at)
    } else if (handlers.length === 0 && !(this.kind === T.NAME && this.word === 'catch')) {
      this.faults.report(messages.tryWithoutHandler(), start, start + 3)
    }
    return { kind: 'TryStmt', start, end: this.previousEnd, body, handlers, orelse, finalbody }
  }

  private except(): ExceptClause {
    const { start } = this
    this.next()
    if (this.kind === T.STAR) this.fail(messages.unsupported('except* is', 'write: except'), start, this.end)
    const type = this.kind === T.COLON || this.kind === T.NEWLINE ? undefined : this.test()
    if (this.kind === T.COMMA) {
      this.unexpected("':' or 'as'", 'several types go in parentheses: except (A, B) as e:')
    }
    const name = type && this.eat(T.AS) ? this.identifier('a name after as') : undefined
    const body = this.block('except', start)
    const node = { kind: 'ExceptClause', start, end: this.previousEnd, body } as const
    if (!type) return node
    return name ? { ...node, type, name } : { ...node, type }
  }

  // ---- with ----

  private with(start: number, isAsync: boolean): Statement {
    this.affordance('with')
    this.next()
    const items = (this.kind === T.LPAREN ? this.parenthesizedItems() : undefined) ?? this.items()
    const body = this.block('with', start)
    return { kind: 'WithStmt', start, end: this.previousEnd, items, body, isAsync }
  }

  private items() {
    const items = [this.item()]
    while (this.eat(T.COMMA)) items.push(this.item())
    return items
  }

  private item(): { context: Expression; target?: Expression } {
    const context = this.test()
    if (!this.eat(T.AS)) return { context }
    const target = this.kind === T.STAR ? this.element() : this.operation(T.BITWISE_OR_LEVEL)
    this.checkTarget(target, 'assign')
    return { context, target }
  }

  /** `with (a as b, c):`; undefined, with nothing read, when the parenthesis only opens an expression. */
  private parenthesizedItems() {
    const before = this.bookmark()
    const closing = closingBracket(this.text, this.start)
    if (closing < 0 || !/^[ \t]*:/.test(this.text.slice(closing, closing + 20))) return undefined
    this.enter()
    this.next()
    const items: { context: Expression; target?: Expression }[] = []
    do {
      if (this.kind === T.RPAREN && items.length > 0) break
      if (T.startsExpression[this.kind] === 0 || this.kind === T.YIELD) break
      items.push(this.item())
    } while (this.eat(T.COMMA))
    this.leave()
    if (items.length > 0 && this.kind === T.RPAREN) {
      this.next()
      return items
    }
    this.goBack(before)
    return undefined
  }
}
