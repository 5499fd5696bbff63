// Generated code for statements.

import { quote } from '../quote.js'
import type {
  DefStmt,
  Expression,
  ForStmt,
  IfStmt,
  ImportFromStmt,
  ImportStmt,
  ReturnStmt,
  Statement,
  TryStmt,
  WhileStmt,
  WithStmt,
} from '../syntax/nodes.js'
import { classStatement } from './classes.js'
import { captureBlock, type Generation } from './context.js'
import { awaited, effect } from './expressions.js'
import { define, returned } from './functions.js'
import { writeLoop } from './loops.js'
import { matchStatement } from './match.js'
import { memberName } from './member-names.js'
import { hasStatements } from './needs-statements.js'
import { save } from './operators.js'
import { blockMayMutate } from './purity.js'
import { guarded } from './read-ahead/statements.js'
import { assign, augmentedAssign } from './targets.js'

export function block(g: Generation, body: readonly Statement[]): void {
  for (const s of body) {
    const mark = g.frame.used
    statement(g, s)
    g.frame.used = mark
  }
}

function statement(g: Generation, s: Statement): void {
  switch (s.kind) {
    case 'DefStmt':
      return s.decorators.length > 0 ? decorated(g, s) : define(g, s)
    case 'IfStmt':
      return conditional(g, s)
    case 'ForStmt':
      return forLoop(g, s)
    case 'WhileStmt':
      return whileLoop(g, s)
    case 'ReturnStmt':
      g.out.push(g.frame.isFile ? ending(g, s) : s.value ? returned(g, s.value) : 'return null;')
      return
    case 'BreakStmt': {
      const label = g.loops[g.loops.length - 1]?.breakLabel
      g.out.push(label === undefined ? 'break;' : `break ${label};`)
      return
    }
    case 'ContinueStmt':
      g.out.push('continue;')
      return
    case 'PassStmt':
    case 'GlobalStmt':
    case 'NonlocalStmt':
      return
    case 'AssignStmt': {
      const value = g.expression(s.value)
      if (s.targets.length === 1) return assign(g, s.targets[0]!, value)
      const held = save(g, value)
      for (const t of s.targets) assign(g, t, held)
      return
    }
    case 'AugmentedAssignStmt':
      return augmentedAssign(g, s)
    case 'AnnotatedAssignStmt':
      if (s.value) assign(g, s.target, g.expression(s.value))
      return
    case 'ExprStmt':
      return effect(g, s.expression)
    case 'LoadStmt':
      for (const b of s.bindings) {
        g.out.push(
          `${g.bindingOf(b.local)!.js} = ${g.helper('load')}${g.mark(s)}(${quote(s.module.value)}, ${quote(b.original)});`,
        )
      }
      return
    case 'ImportStmt':
      return importModules(g, s)
    case 'ImportFromStmt':
      return importNames(g, s)
    case 'TryStmt':
      return guarded(g, () => tryStatement(g, s))
    case 'RaiseStmt':
      return raiseStatement(g, s)
    case 'AssertStmt': {
      g.out.push(`if (!(${g.test(s.test)})) {`)
      const message = s.message ? g.expression(s.message) : ''
      g.out.push(`throw ${g.helper('assertionFailed')}${g.mark(s)}(${message});`)
      g.out.push('}')
      return
    }
    case 'DelStmt':
      for (const t of s.targets) remove(g, t)
      return
    case 'WithStmt':
      return guarded(g, () => withStatement(g, s, 0))
    case 'ClassStmt':
      return classStatement(g, s)
    case 'MatchStmt':
      return matchStatement(g, s)
  }
}

/** `return` at the top level ends the program: with its value as the result, where it is one. */
function ending(g: Generation, s: ReturnStmt): string {
  const result = g.facts.result ?? 'undefined'
  if (s.value === undefined) return `return ${result};`
  const t = save(g, g.expression(s.value))
  return `return ${t} === null ? ${result} : ${t};`
}

/** The decorators are evaluated before the function is made, and called from the innermost outwards. */
function decorated(g: Generation, s: DefStmt): void {
  const decorators = s.decorators.map((d) => save(g, g.expression(d)))
  define(g, s)
  const { js } = g.bindingOf(s.name)!
  const annotation = registeredFor(g, s)
  if (annotation !== undefined) g.out.push(`${js} = ${g.helper('annotated')}(${js}, ${g.expression(annotation)});`)
  for (let i = decorators.length - 1; i >= 0; i--) {
    g.out.push(`${js} = ${g.helper('call1')}${g.mark(s.decorators[i]!)}(${decorators[i]}, ${js});`)
  }
}

/** The type in the first annotation of a function that is registered by it: `@area.register`. */
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

/** Each item is entered inside the one before it, and left when what is inside has ended. */
function withStatement(g: Generation, s: WithStmt, at: number): void {
  const item = s.items[at]!
  const value = g.expression(item.context)
  const context = save(g, `${g.helper('enterContext')}${g.mark(item.context)}(${value}${s.isAsync ? ', true' : ''})`)
  const settled = (code: string): string => (s.isAsync ? awaited(g, item.context, code) : code)
  if (s.isAsync) g.out.push(`${context}.value = ${settled(`${context}.value`)};`)
  const thrown = save(g, 'undefined')
  g.out.push('try {')
  if (item.target) assign(g, item.target, `${context}.value`)
  if (at + 1 < s.items.length) withStatement(g, s, at + 1)
  else g.block(s.body)
  const failed = settled(`${g.helper('leaveFailed')}${g.mark(item.context)}(${context}, e)`)
  g.out.push(`} catch (e) { ${thrown} = e; if (!${g.helper('truth')}(${failed})) throw e; } finally {`)
  g.out.push(
    `if (${thrown} === undefined) ${settled(`${g.helper('leaveContext')}${g.mark(item.context)}(${context})`)}; }`,
  )
}

function conditional(g: Generation, s: IfStmt): void {
  // A chain of elif is written flat: it can be thousands long.
  let at: IfStmt = s
  let closing = 0
  for (;;) {
    g.out.push(`if (${g.test(at.test)}) {`)
    g.block(at.body)
    if (at.orelse.length === 0) break
    const next = at.orelse.length === 1 ? at.orelse[0]! : undefined
    if (next?.kind !== 'IfStmt') {
      g.out.push('} else {')
      g.block(at.orelse)
      break
    }
    if (hasStatements(g, next.test)) {
      g.out.push('} else {')
      closing++
    } else {
      g.out.push('} else')
    }
    at = next
  }
  g.out.push('}'.repeat(closing + 1))
}

/** Writes a loop's body, and an `else` that runs unless the loop was left by `break`. */
function withElse(g: Generation, orelse: readonly Statement[], write: () => void): void {
  if (orelse.length === 0) {
    g.loops.push({ breakLabel: undefined })
    write()
    g.loops.pop()
    return
  }
  const label = g.label()
  g.out.push(`${label}: {`)
  g.loops.push({ breakLabel: label })
  write()
  g.loops.pop()
  g.block(orelse)
  g.out.push('}')
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
      ...(s.isAsync ? { source: `${g.helper('asyncIterable')}(${g.expression(s.iterable)})` } : {}),
      mutates: blockMayMutate(g, s.body),
      ownCounter,
      label: undefined,
      body: () => g.block(s.body),
    })
  })
}

function whileLoop(g: Generation, s: WhileStmt): void {
  withElse(g, s.orelse, () => {
    if (hasStatements(g, s.test)) {
      g.out.push('for (;;) {')
      g.out.push(`if (!(${g.test(s.test)})) break;`)
    } else g.out.push(`while (${g.test(s.test)}) {`)
    g.block(s.body)
    g.out.push('}')
  })
}

/** In a `try` that expects it, the import of a module that is not there fails when it runs. */
function isMissing(g: Generation, s: ImportStmt | ImportFromStmt): boolean {
  const name = g.facts.resolution.missing.get(s)
  if (name !== undefined) g.out.push(`throw ${g.helper('noModule')}${g.mark(s)}(${quote(name)});`)
  return name !== undefined
}

function importModules(g: Generation, s: ImportStmt): void {
  if (isMissing(g, s)) return
  const { unusedImports } = g.facts.resolution
  for (const n of s.names) {
    if (unusedImports.has(n.alias ?? n.path[0]!)) continue
    const whole = n.path.map((p) => p.name).join('.')
    const name = n.alias ? whole : n.path[0]!.name
    g.out.push(`${g.bindingOf(n.alias ?? n.path[0]!)!.js} = ${g.module(name)};`)
  }
}

function importNames(g: Generation, s: ImportFromStmt): void {
  if (isMissing(g, s)) return
  const name = s.path.map((p) => p.name).join('.')
  if (name === '__future__') {
    for (const n of s.names) g.out.push(`${g.bindingOf(n.alias ?? n.name)!.js} = null;`)
    return
  }
  const { unusedImports } = g.facts.resolution
  for (const n of s.names) {
    if (unusedImports.has(n.alias ?? n.name)) continue
    g.out.push(
      `${g.bindingOf(n.alias ?? n.name)!.js} = ${g.helper('attribute')}${g.mark(n.name)}(${g.module(name)}, ${quote(n.name.name)});`,
    )
  }
}

function tryStatement(g: Generation, s: TryStmt): void {
  const done = s.orelse.length > 0 ? g.temporary() : ''
  const body = (): void => {
    if (done !== '') g.out.push(`${done} = false;`)
    g.out.push('try {')
    g.block(s.body)
    if (done !== '') g.out.push(`${done} = true;`)
    g.out.push(handlers(g, s))
    if (done !== '') {
      g.out.push(`if (${done}) {`)
      g.block(s.orelse)
      g.out.push('}')
    }
  }
  if (s.finalbody.length === 0) return body()
  // A limit ends the run at once: nothing of the program runs after it.
  const thrown = save(g, 'undefined')
  g.out.push('try {')
  if (s.handlers.length > 0) body()
  else g.block(s.body)
  g.out.push(`} catch (e) { ${thrown} = e; throw e; } finally { if (!${g.helper('isFatal')}(${thrown})) {`)
  const end = beginHandling(g, thrown)
  g.block(s.finalbody)
  g.out.push(`${end}} }`)
}

/** Keeps what is being handled; returns what ends it. */
function beginHandling(g: Generation, thrown: string): string {
  if (!g.facts.keepsHandled) return ''
  const handling = g.helper('handling')
  const before = g.temporary()
  g.out.push(`${before} = ${handling}.now; ${handling}.now = ${thrown} ?? ${before}; try {`)
  return `} finally { ${handling}.now = ${before}; }`
}

function handlers(g: Generation, s: TryStmt): string {
  return captureBlock(g, () => {
    const raw = g.temporary()
    const outer = g.frame.exception
    g.frame.exception = raw
    g.out.push(`} catch (e) { ${raw} = ${g.helper('caught')}(e);`)
    const end = beginHandling(g, raw)
    let closing = 0
    let catchesAll = false
    for (const h of s.handlers) {
      if (h.type === undefined) {
        g.out.push('{')
        catchesAll = true
      } else {
        g.out.push(`if (${g.helper('matches')}${g.mark(h.type)}(${raw}, ${g.expression(h.type)})) {`)
      }
      if (h.name) g.out.push(`${g.bindingOf(h.name)!.js} = ${g.helper('exceptionValue')}(${raw});`)
      g.block(h.body)
      if (h.name) g.out.push(`${g.bindingOf(h.name)!.js} = undefined;`)
      if (catchesAll) break
      g.out.push('} else {')
      closing++
    }
    g.out.push(catchesAll ? '}' : `throw ${raw};`)
    g.out.push('}'.repeat(closing))
    g.out.push(`${end}}`)
    g.frame.exception = outer
  })
}

function raiseStatement(g: Generation, s: Statement & { kind: 'RaiseStmt' }): void {
  if (s.exception === undefined) {
    g.out.push(`throw ${g.frame.exception ?? `${g.helper('nothingToRaise')}${g.mark(s)}()`};`)
    return
  }
  const value = g.expression(s.exception)
  if (s.cause === undefined) {
    g.out.push(`throw ${g.helper(g.facts.isLibrary ? 'raisedByLibrary' : 'raised')}${g.mark(s)}(${value});`)
    return
  }
  const held = save(g, value)
  g.out.push(
    `throw ${g.helper(g.facts.isLibrary ? 'raisedByLibrary' : 'raised')}${g.mark(s)}(${held}, ${g.expression(s.cause)});`,
  )
}

function remove(g: Generation, target: Expression): void {
  switch (target.kind) {
    case 'Identifier':
      g.out.push(`${g.expression(target)}; ${g.bindingOf(target)!.js} = undefined;`)
      return
    case 'ParenExpr':
      return remove(g, target.expression)
    case 'TupleExpr':
    case 'ListExpr':
      for (const e of target.elements) remove(g, e)
      return
    case 'IndexExpr': {
      const object = save(g, g.expression(target.object))
      g.out.push(`${g.helper('deleteIndex')}${g.mark(target)}(${object}, ${g.expression(target.index)});`)
      return
    }
    case 'SliceExpr': {
      const parts = [target.object, target.lower, target.upper, target.step].map((x) =>
        x === undefined ? 'undefined' : save(g, g.expression(x)),
      )
      g.out.push(`${g.helper('deleteSlice')}${g.mark(target)}(${parts.join(', ')});`)
      return
    }
    case 'DotExpr':
      g.out.push(
        `${g.helper('deleteAttribute')}${g.mark(target)}(${g.expression(target.object)}, ${quote(memberName(g, target.name.name))});`,
      )
      return
    default:
      return
  }
}
