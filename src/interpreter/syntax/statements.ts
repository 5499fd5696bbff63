// Compound statements, which have blocks.

import { dropBlock, parseBlock, parseStatements } from './blocks.js'
import { lineEnd, lineStart } from './characters.js'
import * as C from './codes.js'
import { parseLoopTarget } from './comprehensions.js'
import { parseElement } from './displays.js'
import { parseExpressions, parseNamedTest, parseOperation, parseTest } from './expressions.js'
import { parseMatchStatement } from './match.js'
import { messages } from './messages.js'
import type { ClassStmt, DefStmt, ExceptClause, Expression, IfStmt, Statement } from './nodes.js'
import { MAX_BRANCHES, type Parser } from './parser.js'
import { leaveStatement } from './recovery.js'
import { parseAnnotation, parseArguments, parseParameters } from './signatures.js'
import { parseSimpleLine, unstarred } from './simple-statements.js'
import { closingBracket, skipLogicalLine } from './skip.js'
import { checkTarget } from './targets.js'
import * as T from './tokens.js'

const nothing: readonly never[] = []

/** One compound statement or one line of simple ones; false when it was only the rest of a broken statement. */
export function parseLine(p: Parser, body: Statement[]): boolean {
  if (p.token.kind >= T.FIRST_KEYWORD && assigned(p)) p.reserved()
  switch (p.token.kind) {
    case T.NEWLINE:
      p.next()
      return true
    case T.INDENT:
      return unexpectedIndent(p, body)
    case T.ELIF:
    case T.ELSE:
    case T.EXCEPT:
    case T.FINALLY:
      return orphanClause(p)
  }
  const compound = parseCompound(p)
  if (compound === undefined) parseSimpleLine(p, body)
  else body.push(compound)
  return true
}

function parseCompound(p: Parser): Statement | undefined {
  const { kind, start, word } = p.token
  switch (kind) {
    case T.DEF:
      return parseDef(p, start, nothing, false)
    case T.IF:
      return parseIf(p)
    case T.FOR:
      return parseFor(p, start, false)
    case T.WHILE:
      return parseWhile(p)
    case T.TRY:
      return parseTry(p)
    case T.WITH:
      return parseWith(p, start, false)
    case T.CLASS:
      return parseClass(p, start, nothing)
    case T.AT:
      return parseDecorated(p)
    case T.ASYNC:
      return parseAsync(p, nothing)
    default:
      return kind === T.NAME && word === 'match' && !p.strict ? parseMatchStatement(p) : undefined
  }
}

/** Whether '=' follows the current token. */
function assigned(p: Parser): boolean {
  let at = p.token.end
  while (p.text.charCodeAt(at) === C.SPACE) at++
  return p.text.charCodeAt(at) === C.EQUALS && p.text.charCodeAt(at + 1) !== C.EQUALS
}

function unexpectedIndent(p: Parser, body: Statement[]): boolean {
  const whole = body.length === 0 && p.token.previousEnd === 0
  if (!p.broken) {
    p.faults.report(messages.unexpectedIndent(whole), lineStart(p.text, p.token.start), p.token.start)
  }
  p.next()
  body.push(...parseStatements(p))
  if (p.token.kind === T.DEDENT) p.next()
  return true
}

function orphanClause(p: Parser): boolean {
  const { word, kind } = p.token
  if (!p.broken) {
    const opener = kind === T.ELIF ? 'an if' : kind === T.ELSE ? 'an if, for, while or try' : 'a try'
    p.fail(messages.orphanClause(word, opener))
  }
  p.scanner.resume = lineEnd(p.text, skipLogicalLine(p.text, p.token.start, nothing).end)
  leaveStatement(p.scanner, p.token.start)
  dropBlock(p)
  p.broken = true
  return false
}

// ---- Blocks ----

function parseDef(p: Parser, start: number, decorators: readonly Expression[], isAsync: boolean): DefStmt {
  p.next()
  const name = p.identifier('a function name')
  if (p.token.kind !== T.LPAREN) p.unexpected("'(' after the function name")
  p.next()
  const parameters = parseParameters(p, T.RPAREN)
  p.next()
  const returns = parseAnnotation(p, T.ARROW)
  const outer = p.yields
  p.yields = false
  const body = parseBlock(p, `def ${name.name}(…)`, start)
  const { previousEnd: end } = p.token
  const { yields } = p
  p.yields = outer
  const node = { kind: 'DefStmt', start, end, name, parameters, body, decorators, isAsync, yields } as const
  return returns === undefined ? node : { ...node, returns }
}

function parseClass(p: Parser, start: number, decorators: readonly Expression[]): ClassStmt {
  p.affordance('class')
  p.next()
  const name = p.identifier('a class name')
  let bases: ClassStmt['bases'] = nothing
  if (p.token.kind === T.LPAREN) {
    bases = parseArguments(p)
    p.next()
  }
  const body = parseBlock(p, `class ${name.name}`, start)
  return { kind: 'ClassStmt', start, end: p.token.previousEnd, name, bases, body, decorators }
}

function parseDecorated(p: Parser): Statement {
  const { start } = p.token
  const decorators: Expression[] = []
  while (p.token.kind === T.AT) {
    p.affordance('decorator')
    p.next()
    decorators.push(parseNamedTest(p))
    p.expect(T.NEWLINE, 'end of line after a decorator')
  }
  if (p.token.kind === T.DEF) return parseDef(p, start, decorators, false)
  if (p.token.kind === T.CLASS) return parseClass(p, start, decorators)
  if (p.token.kind === T.ASYNC) return parseAsync(p, decorators, start)
  p.unexpected("'def' or 'class' after a decorator")
}

function parseAsync(p: Parser, decorators: readonly Expression[], start = p.token.start): Statement {
  p.affordance('async')
  p.next()
  if (p.token.kind === T.DEF) return parseDef(p, start, decorators, true)
  if (decorators.length === 0 && p.token.kind === T.FOR) return parseFor(p, start, true)
  if (decorators.length === 0 && p.token.kind === T.WITH) return parseWith(p, start, true)
  p.unexpected("'def', 'for' or 'with' after 'async'")
}

/** An `if` with all its `elif` clauses: read in a loop, then nested from the last to the first. */
function parseIf(p: Parser): IfStmt {
  const clauses: { start: number; test: Expression; body: readonly Statement[] }[] = []
  let orelse: readonly Statement[] = nothing
  let more: boolean
  do {
    const { start, word } = p.token
    p.next()
    const test = parseCondition(p, word)
    clauses.push({ start, test, body: parseBlock(p, `the condition of ${word}`, start) })
    if (clauses.length > MAX_BRANCHES) p.tooDeep(messages.nestedTooDeep('the branches of an if', MAX_BRANCHES))
    more = p.token.kind === T.ELIF
    if (p.token.kind === T.ELSE) {
      const elseStart = p.token.start
      p.next()
      more = p.token.kind === T.IF
      if (more) p.faults.report(messages.elseIf(), elseStart, p.token.end)
      else orelse = parseBlock(p, 'else', elseStart)
    }
  } while (more)
  return nested(p, clauses, orelse)
}

function nested(
  p: Parser,
  clauses: readonly { start: number; test: Expression; body: readonly Statement[] }[],
  last: readonly Statement[],
): IfStmt {
  const end = p.token.previousEnd
  let orelse = last
  for (let i = clauses.length - 1; i > 0; i--) orelse = [{ kind: 'IfStmt', ...clauses[i]!, end, orelse }]
  return { kind: 'IfStmt', ...clauses[0]!, end, orelse }
}

/** The test of an if, elif or while. */
function parseCondition(p: Parser, word: string): Expression {
  const test = parseNamedTest(p)
  if (p.token.kind === T.ASSIGN) p.fail(messages.assignInCondition(p.strict))
  if (p.token.kind === T.COMMA)
    p.unexpected(`':' after the condition of ${word}`, 'put a tuple in parentheses, or join conditions with and')
  if (p.token.kind === T.NAME && p.token.word === 'then')
    p.unexpected(`':' after the condition of ${word}`, "write ':' instead of then")
  return test
}

function parseFor(p: Parser, start: number, isAsync: boolean): Statement {
  p.next()
  if (
    p.token.kind === T.LPAREN &&
    /^\(\s*(?:(?:let|var|const|int|auto)\b|\w+\s*=|;)/.test(p.text.slice(p.token.start, p.token.start + 60))
  ) {
    p.fail(messages.foreignSyntax('for (…; …; …)', 'write: for i in range(n):'))
  }
  const target = parseLoopTarget(p)
  if (p.token.kind !== T.IN) p.unexpected("'in' after the loop variable", loopHint(p, target))
  p.next()
  const iterable = unstarred(p, parseExpressions(p))
  const body = parseBlock(p, 'the for loop', start)
  const orelse = parseLoopElse(p)
  return { kind: 'ForStmt', start, end: p.token.previousEnd, target, iterable, body, orelse, isAsync }
}

function loopHint(p: Parser, target: Expression): string | undefined {
  if (p.token.kind === T.ASSIGN) return 'write: for i in range(n):'
  const word = target.kind === 'Identifier' && p.token.kind === T.NAME ? p.token.word : ''
  return word === 'of' ? 'write in instead of of' : undefined
}

function parseWhile(p: Parser): Statement {
  const { start } = p.token
  p.next()
  const test = parseCondition(p, 'while')
  const body = parseBlock(p, 'the condition of while', start)
  const orelse = parseLoopElse(p)
  return { kind: 'WhileStmt', start, end: p.token.previousEnd, test, body, orelse }
}

function parseLoopElse(p: Parser): readonly Statement[] {
  if (p.token.kind !== T.ELSE) return nothing
  const { start } = p.token
  p.affordance('loopElse')
  p.next()
  return parseBlock(p, 'else', start)
}

function parseTry(p: Parser): Statement {
  const { start } = p.token
  p.affordance('try')
  p.next()
  const body = parseBlock(p, 'try', start)
  const handlers: ExceptClause[] = []
  while (p.token.kind === T.EXCEPT) handlers.push(parseExcept(p))
  for (const handler of handlers.slice(0, -1)) {
    if (!handler.type) p.faults.report(messages.bareExceptLast(), handler.start, handler.start + 6)
  }
  let orelse: readonly Statement[] = nothing
  let finalbody: readonly Statement[] = nothing
  if (p.token.kind === T.ELSE && handlers.length > 0) {
    const at = p.token.start
    p.next()
    orelse = parseBlock(p, 'else', at)
  }
  if (p.token.kind === T.FINALLY) {
    const at = p.token.start
    p.next()
    finalbody = parseBlock(p, 'finally', at)
  } else if (handlers.length === 0 && !(p.token.kind === T.NAME && p.token.word === 'catch')) {
    p.faults.report(messages.tryWithoutHandler(), start, start + 3)
  }
  return { kind: 'TryStmt', start, end: p.token.previousEnd, body, handlers, orelse, finalbody }
}

function parseExcept(p: Parser): ExceptClause {
  const { start } = p.token
  p.next()
  if (p.token.kind === T.STAR) p.fail(messages.unsupported('except* is', 'write: except'), start, p.token.end)
  const type = p.token.kind === T.COLON || p.token.kind === T.NEWLINE ? undefined : parseTest(p)
  if (p.token.kind === T.COMMA) {
    p.unexpected("':' or 'as'", 'several types go in parentheses: except (A, B) as e:')
  }
  const name = type && p.eat(T.AS) ? p.identifier('a name after as') : undefined
  const body = parseBlock(p, 'except', start)
  const node = { kind: 'ExceptClause', start, end: p.token.previousEnd, body } as const
  if (!type) return node
  return name ? { ...node, type, name } : { ...node, type }
}

// ---- with ----

function parseWith(p: Parser, start: number, isAsync: boolean): Statement {
  p.affordance('with')
  p.next()
  const items = (p.token.kind === T.LPAREN ? parseParenthesizedItems(p) : undefined) ?? parseItems(p)
  const body = parseBlock(p, 'with', start)
  return { kind: 'WithStmt', start, end: p.token.previousEnd, items, body, isAsync }
}

function parseItems(p: Parser) {
  const items = [parseItem(p)]
  while (p.eat(T.COMMA)) items.push(parseItem(p))
  return items
}

function parseItem(p: Parser): { context: Expression; target?: Expression } {
  const context = parseTest(p)
  if (!p.eat(T.AS)) return { context }
  const target = p.token.kind === T.STAR ? parseElement(p) : parseOperation(p, T.BITWISE_OR_LEVEL)
  checkTarget(p, target, 'assign')
  return { context, target }
}

/** `with (a as b, c):`; undefined, with nothing read, when the parenthesis only opens an expression. */
function parseParenthesizedItems(p: Parser) {
  const before = p.bookmark()
  const closing = closingBracket(p.text, p.token.start)
  if (closing < 0 || !/^[ \t]*:/.test(p.text.slice(closing, closing + 20))) return undefined
  p.enter()
  p.next()
  const items: { context: Expression; target?: Expression }[] = []
  do {
    if (p.token.kind === T.RPAREN && items.length > 0) break
    if (T.startsExpression[p.token.kind] === 0 || p.token.kind === T.YIELD) break
    items.push(parseItem(p))
  } while (p.eat(T.COMMA))
  p.leave()
  if (items.length > 0 && p.token.kind === T.RPAREN) {
    p.next()
    return items
  }
  p.goBack(before)
  return undefined
}
