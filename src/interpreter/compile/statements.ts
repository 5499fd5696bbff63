// Generated code for statements.

import type {
  AssertStmt,
  AssignStmt,
  DefStmt,
  Expression,
  ForStmt,
  IfStmt,
  ImportFromStmt,
  ImportStmt,
  LoadStmt,
  RaiseStmt,
  ReturnStmt,
  Statement,
  TryStmt,
  WhileStmt,
  WithStmt,
} from '../syntax/nodes.js'
import { classStatement, decorate } from './classes.js'
import type { Code, Fragment } from './code.js'
import * as js from './code.js'
import type { Generation } from './context.js'
import { awaited, effect } from './expressions.js'
import { define, writeReturn } from './functions.js'
import { writeLoop } from './loops.js'
import { matchStatement } from './match.js'
import { memberName } from './member-names.js'
import { CAUGHT } from './names.js'
import { blockMayMutate } from './purity.js'
import { watched } from './read-ahead/statements.js'
import { assign, augmentedAssign, sliceParts } from './targets.js'

export function block(g: Generation, body: readonly Statement[]): void {
  for (const s of body) g.out.releasing(() => statement(g, s))
}

function statement(g: Generation, s: Statement): void {
  switch (s.kind) {
    case 'DefStmt':
      return s.decorators.length > 0 ? decorated(g, s) : define(g, s)
    case 'IfStmt':
      return ifStatement(g, s)
    case 'ForStmt':
      return forLoop(g, s)
    case 'WhileStmt':
      return whileLoop(g, s)
    case 'ReturnStmt':
      return returnStatement(g, s)
    case 'BreakStmt': {
      const label = g.around.breakLabel
      return label === undefined ? g.out.line`break;` : g.out.line`break ${label};`
    }
    case 'ContinueStmt':
      return g.out.line`continue;`
    case 'PassStmt':
    case 'GlobalStmt':
    case 'NonlocalStmt':
      return
    case 'AssignStmt':
      return assignStatement(g, s)
    case 'AugmentedAssignStmt':
      return augmentedAssign(g, s)
    case 'AnnotatedAssignStmt':
      if (s.value) assign(g, s.target, g.expression(s.value))
      return
    case 'ExprStmt':
      return effect(g, s.expression)
    case 'LoadStmt':
      return load(g, s)
    case 'ImportStmt':
      return importModules(g, s)
    case 'ImportFromStmt':
      return importNames(g, s)
    case 'TryStmt':
      return watched(g, () => tryStatement(g, s))
    case 'RaiseStmt':
      return raiseStatement(g, s)
    case 'AssertStmt':
      return assertStatement(g, s)
    case 'DelStmt':
      for (const t of s.targets) remove(g, t)
      return
    case 'WithStmt':
      return watched(g, () => withStatement(g, s, 0))
    case 'ClassStmt':
      return classStatement(g, s)
    case 'MatchStmt':
      return matchStatement(g, s)
  }
}

function returnStatement(g: Generation, s: ReturnStmt): void {
  if (g.around.isFile) return endProgram(g, s)
  if (s.value) return writeReturn(g, s.value)
  g.out.line`return ${js.NULL};`
}

/** `return` at the top level ends the program. Its value, if there is one, is the result. */
function endProgram(g: Generation, s: ReturnStmt): void {
  const result = g.result ?? js.UNDEFINED
  if (s.value === undefined) return g.out.line`return ${result};`
  const t = g.out.save(g.expression(s.value))
  g.out.line`return ${js.choice(js.same(t, js.NULL), result, t)};`
}

function assignStatement(g: Generation, s: AssignStmt): void {
  const value = g.expression(s.value)
  if (s.targets.length === 1) return assign(g, s.targets[0]!, value)
  const held = g.out.save(value)
  for (const t of s.targets) assign(g, t, held)
}

function load(g: Generation, s: LoadStmt): void {
  for (const { local, original } of s.bindings)
    g.out.line`${g.variable(local)} = ${g.help('load', [js.literal(s.module.value), js.literal(original)], s)};`
}

function assertStatement(g: Generation, s: AssertStmt): void {
  g.out.line`if (${js.not(g.test(s.test))}) {`
  g.out.line`throw ${g.help('assertionFailed', s.message ? [g.expression(s.message)] : [], s)};`
  g.out.line`}`
}

/** Evaluates the decorators before the function is made. */
function decorated(g: Generation, s: DefStmt): void {
  const decorators = s.decorators.map((d) => g.out.save(g.expression(d)))
  define(g, s)
  const variable = g.variable(s.name)
  const annotation = registeredFor(g, s)
  if (annotation !== undefined) g.out.line`${variable} = ${g.help('annotated', [variable, g.expression(annotation)])};`
  decorate(g, variable, s.decorators, decorators)
}

/** The type in the first annotation of a function, if a decorator registers the function by it: `@area.register`. */
function registeredFor(g: Generation, s: DefStmt): Expression | undefined {
  if (!s.decorators.some((d) => d.kind === 'DotExpr' && d.name.name === 'register')) return undefined
  const annotation = s.parameters.find((p) => p.annotation !== undefined)?.annotation
  return annotation !== undefined && isResolved(g, annotation) ? annotation : undefined
}

function isResolved(g: Generation, e: Expression): boolean {
  if (e.kind === 'Identifier') return g.bindingOf(e) !== undefined
  if (e.kind === 'DotExpr') return isResolved(g, e.object)
  return e.kind === 'BinaryExpr' && isResolved(g, e.left) && isResolved(g, e.right)
}

/** Each item is entered inside the previous one, and left after the inner ones have ended. */
function withStatement(g: Generation, s: WithStmt, at: number): void {
  const item = s.items[at]!
  const node = item.context
  const entered = [g.expression(node), ...(s.isAsync ? [js.TRUE] : [])]
  const context = g.out.save(g.help('enterContext', entered, node))
  const value = js.property(context, 'value')
  const settled = (code: Code): Code => (s.isAsync ? awaited(g, node, code) : code)
  if (s.isAsync) g.out.line`${value} = ${settled(value)};`
  const thrown = g.out.save(js.UNDEFINED)
  g.out.line`try {`
  if (item.target) assign(g, item.target, value)
  if (at + 1 < s.items.length) withStatement(g, s, at + 1)
  else g.block(s.body)
  const isHandled = g.help('truth', [settled(g.help('leaveFailed', [context, CAUGHT], node))])
  g.out.line`} catch (e) { ${thrown} = ${CAUGHT}; if (${js.not(isHandled)}) throw ${CAUGHT}; } finally {`
  g.out.line`if (${js.same(thrown, js.UNDEFINED)}) ${settled(g.help('leaveContext', [context], node))}; }`
}

function ifStatement(g: Generation, s: IfStmt): void {
  // A chain of elif is written flat, because it can be thousands long.
  let at: IfStmt = s
  let test = g.test(s.test)
  let closing = js.lines([])
  for (;;) {
    g.out.line`if (${test.text}) {`
    g.block(at.body)
    if (at.orelse.length === 0) break
    const next = at.orelse.length === 1 ? at.orelse[0]! : undefined
    if (next?.kind !== 'IfStmt') {
      g.out.line`} else {`
      g.block(at.orelse)
      break
    }
    const { made, before } = g.out.apart(() => g.test(next.test))
    if (before === '') g.out.line`} else`
    else {
      g.out.line`} else {`
      g.out.add(before)
      closing = js.fragment`${closing}}`
    }
    at = next
    test = made
  }
  g.out.line`}${closing}`
}

/** Writes a loop's body, and an `else` that runs unless `break` has left the loop. */
function withElse(g: Generation, orelse: readonly Statement[], write: () => void): void {
  if (orelse.length === 0) return g.within({ breakLabel: undefined }, write)
  const label = g.names.label()
  g.out.line`${label}: {`
  g.within({ breakLabel: label }, write)
  g.block(orelse)
  g.out.line`}`
}

function forLoop(g: Generation, s: ForStmt): void {
  const target = s.target.kind === 'Identifier' ? g.bindingOf(s.target) : undefined
  const ownCounter =
    target !== undefined &&
    target.kind === 'local' &&
    !target.captured &&
    target.assignments === 1 &&
    g.facts.onlyUsedIn(target, s)
  withElse(g, s.orelse, () => {
    writeLoop(g, {
      target: s.target,
      iterable: s.iterable,
      source: s.isAsync ? g.help('asyncIterable', [g.expression(s.iterable)]) : undefined,
      mutates: blockMayMutate(g, s.body),
      ownCounter,
      body: () => g.block(s.body),
    })
  })
}

function whileLoop(g: Generation, s: WhileStmt): void {
  withElse(g, s.orelse, () => {
    const { made: test, before } = g.out.apart(() => g.test(s.test))
    if (before === '') g.out.line`while (${test.text}) {`
    else {
      g.out.line`for (;;) {`
      g.out.add(before)
      g.out.line`if (${js.not(test)}) break;`
    }
    g.block(s.body)
    g.out.line`}`
  })
}

/** True for the import of a missing module in a `try` that expects the failure. It fails when it runs. */
function isMissing(g: Generation, s: ImportStmt | ImportFromStmt): boolean {
  const name = g.facts.resolution.missing.get(s)
  if (name !== undefined) g.out.line`throw ${g.help('noModule', [js.literal(name)], s)};`
  return name !== undefined
}

function importModules(g: Generation, s: ImportStmt): void {
  if (isMissing(g, s)) return
  const { unusedImports } = g.facts.resolution
  for (const n of s.names) {
    const bound = n.alias ?? n.path[0]!
    if (unusedImports.has(bound)) continue
    const whole = n.path.map((p) => p.name).join('.')
    g.out.line`${g.variable(bound)} = ${g.names.module(n.alias ? whole : n.path[0]!.name)};`
  }
}

function importNames(g: Generation, s: ImportFromStmt): void {
  if (isMissing(g, s)) return
  const name = s.path.map((p) => p.name).join('.')
  const { unusedImports } = g.facts.resolution
  for (const n of s.names) {
    const bound = n.alias ?? n.name
    if (name === '__future__') g.out.line`${g.variable(bound)} = ${js.NULL};`
    else if (!unusedImports.has(bound)) {
      const member = g.help('attribute', [g.names.module(name), js.literal(n.name.name)], n.name)
      g.out.line`${g.variable(bound)} = ${member};`
    }
  }
}

function tryStatement(g: Generation, s: TryStmt): void {
  if (s.finalbody.length === 0) return handled(g, s)
  // A limit ends the run at once, so no further code of the program may run.
  const thrown = g.out.save(js.UNDEFINED)
  g.out.line`try {`
  if (s.handlers.length > 0) handled(g, s)
  else g.block(s.body)
  const isFatal = g.help('isFatal', [thrown])
  g.out.line`} catch (e) { ${thrown} = ${CAUGHT}; throw ${CAUGHT}; } finally { if (${js.not(isFatal)}) {`
  const end = beginHandling(g, thrown)
  g.block(s.finalbody)
  g.out.line`${end}} }`
}

/** Writes a body with its handlers and its `else`. */
function handled(g: Generation, s: TryStmt): void {
  const done = s.orelse.length > 0 ? g.out.save(js.FALSE) : undefined
  g.out.line`try {`
  g.block(s.body)
  if (done !== undefined) g.out.line`${done} = ${js.TRUE};`
  writeHandlers(g, s)
  if (done === undefined) return
  g.out.line`if (${done}) {`
  g.block(s.orelse)
  g.out.line`}`
}

/** Writes code that keeps the exception in progress. Returns the code that ends this. */
function beginHandling(g: Generation, thrown: Code): Fragment {
  if (!g.facts.keepsHandled) return js.lines([])
  const now = js.property(g.names.helper('handling'), 'now')
  const before = g.out.temporary()
  g.out.line`${before} = ${now}; ${now} = ${js.infix(thrown, '??', before)}; try {`
  return js.fragment`} finally { ${js.assign(now, before)}; }`
}

function writeHandlers(g: Generation, s: TryStmt): void {
  const raw = g.out.temporary()
  g.out.line`} catch (e) { ${raw} = ${g.help('caught', [CAUGHT])};`
  const end = beginHandling(g, raw)
  g.within({ exception: raw }, () => {
    let closing = js.lines([])
    for (const h of s.handlers) {
      if (h.type === undefined) g.out.line`{`
      else g.out.line`if (${g.help('matches', [raw, g.expression(h.type)], h.type)}) {`
      if (h.name) g.out.line`${g.variable(h.name)} = ${g.help('exceptionValue', [raw])};`
      g.block(h.body)
      if (h.name) g.out.line`${g.variable(h.name)} = ${js.UNDEFINED};`
      if (h.type === undefined) {
        g.out.line`}`
        break
      }
      g.out.line`} else {`
      closing = js.fragment`${closing}}`
    }
    if (!s.handlers.some((h) => h.type === undefined)) g.out.line`throw ${raw};`
    g.out.line`${closing}${end}}`
  })
}

function raiseStatement(g: Generation, s: RaiseStmt): void {
  if (s.exception === undefined) return g.out.line`throw ${g.around.exception ?? g.help('nothingToRaise', [], s)};`
  const codes = [g.expression(s.exception)]
  if (s.cause !== undefined) {
    codes[0] = g.out.save(codes[0]!)
    codes.push(g.expression(s.cause))
  }
  g.out.line`throw ${g.help(g.facts.isLibrary ? 'raisedByLibrary' : 'raised', codes, s)};`
}

function remove(g: Generation, target: Expression): void {
  switch (target.kind) {
    case 'Identifier':
      return g.out.line`${g.expression(target)}; ${g.variable(target)} = ${js.UNDEFINED};`
    case 'ParenExpr':
      return remove(g, target.expression)
    case 'TupleExpr':
    case 'ListExpr':
      for (const e of target.elements) remove(g, e)
      return
    case 'IndexExpr': {
      const object = g.out.save(g.expression(target.object))
      return g.out.line`${g.help('deleteIndex', [object, g.expression(target.index)], target)};`
    }
    case 'SliceExpr':
      return g.out.line`${g.help('deleteSlice', sliceParts(g, target), target)};`
    case 'DotExpr': {
      const name = js.literal(memberName(g, target.name.name))
      return g.out.line`${g.help('deleteAttribute', [g.expression(target.object), name], target)};`
    }
    default:
      return
  }
}
