// Which variables hold a list or dict that nothing else can reach: every use of the variable reads from the container, copies it or changes it
// in place, and no use gives it away (to another variable, a container, a function, a closure). What is inside such a container can be
// followed statement by statement; see Type.parts. A variable whose container is changed while a loop walks over it, or inside a
// comprehension, does not count, so that loops over the others need no lock.
// Invariant: what is not known to be harmless gives the container away.

import { type Binding, frameOf, type Resolution } from '../resolve/index.js'
import type { CallExpr, Expression, File, Statement } from '../syntax/nodes.js'
import { expressionsIn } from '../syntax/walk.js'

/** Builtins that only read their first argument and do not give it back. */
const readers = new Set([
  'len',
  'sorted',
  'list',
  'tuple',
  'set',
  'dict',
  'str',
  'repr',
  'enumerate',
  'any',
  'all',
  'sum',
  'bool',
  'type',
  'reversed',
  'isinstance',
])
/** … and all their arguments. */
const readersOfAll = new Set(['print', 'zip'])
const readingMethods = new Set(['get', 'keys', 'values', 'items', 'index', 'count', 'copy'])
const changingMethods = new Set([
  'append',
  'extend',
  'insert',
  'pop',
  'remove',
  'clear',
  'setdefault',
  'sort',
  'reverse',
])
const views = new Set(['keys', 'values', 'items'])
/** Methods that only read their arguments. */
const readsArguments = new Set(['join', 'extend', 'update'])

export function ownedVariables(file: File, resolution: Resolution, tries: boolean): (binding: Binding) => boolean {
  const given = new Set<Binding>()
  let inComprehension = 0
  let walked: Binding[] = []
  block(file.body)
  return (binding) =>
    binding.scope !== undefined &&
    !binding.captured &&
    !binding.assignedFromInside &&
    (frameOf(binding.scope).kind === 'function' || frameOf(binding.scope).kind === 'file') &&
    !given.has(binding)

  function give(e: Expression): void {
    if (e.kind !== 'Identifier') return use(e)
    const binding = resolution.bindingOf.get(e)
    if (binding) given.add(binding)
  }

  /** A place where a container is only read. */
  function read(e: Expression | undefined): void {
    let x = e
    while (x?.kind === 'ParenExpr') x = x.expression
    if (x !== undefined && x.kind !== 'Identifier') use(x)
  }

  /** A condition: only its truth matters. */
  function tested(e: Expression): void {
    let x = e
    while (x.kind === 'ParenExpr' || x.kind === 'LogicalExpr') {
      if (x.kind === 'LogicalExpr') tested(x.right)
      x = x.kind === 'LogicalExpr' ? x.left : x.expression
    }
    read(x)
  }

  function change(e: Expression): void {
    if (e.kind !== 'Identifier') return give(e)
    const binding = resolution.bindingOf.get(e)
    if (binding && (inComprehension > 0 || walked.includes(binding))) given.add(binding)
  }

  /** The variable whose container a loop over `e` walks. */
  function walkedBy(e: Expression): Binding | undefined {
    if (e.kind === 'Identifier') return resolution.bindingOf.get(e)
    if (e.kind === 'ParenExpr') return walkedBy(e.expression)
    if (e.kind !== 'CallExpr') return undefined
    if (e.callee.kind === 'DotExpr') return views.has(e.callee.name.name) ? walkedBy(e.callee.object) : undefined
    const first = e.arguments[0]
    return first !== undefined && e.callee.kind === 'Identifier' && e.callee.name === 'enumerate'
      ? walkedBy(first.value)
      : undefined
  }

  function calls(e: CallExpr): void {
    const { callee } = e
    let reads = 0
    if (callee.kind === 'DotExpr') {
      const name = callee.name.name
      if (changingMethods.has(name)) change(callee.object)
      else if (readingMethods.has(name)) read(callee.object)
      else give(callee.object)
      reads = readsArguments.has(name) ? 1 : 0
    } else if (callee.kind !== 'Identifier') give(callee)
    else if (resolution.bindingOf.get(callee)?.kind === 'universal') {
      const { name } = callee
      const extreme = (name === 'min' || name === 'max') && e.arguments.filter((a) => a.form !== 'named').length === 1
      reads = readersOfAll.has(name) ? Infinity : readers.has(name) || extreme ? 1 : 0
    }
    e.arguments.forEach((a, i) => {
      if (i < reads && a.form === 'positional') read(a.value)
      else give(a.value)
    })
  }

  /** An expression that is no variable. */
  function use(e: Expression): void {
    switch (e.kind) {
      case 'Identifier':
      case 'IntLiteral':
      case 'FloatLiteral':
      case 'StringLiteral':
      case 'BytesLiteral':
      case 'EllipsisLiteral':
        return
      case 'FString':
        return inText(e.parts)
      case 'ListExpr':
      case 'TupleExpr':
      case 'SetExpr':
        return e.elements.forEach(give)
      case 'DictExpr':
        for (const entry of e.entries) {
          if (entry.key) give(entry.key)
          give(entry.value)
        }
        return
      case 'Comprehension':
        inComprehension++
        for (const c of e.clauses) {
          if (c.kind === 'IfClause') tested(c.test)
          else {
            if (resolution.lazy.has(e)) give(c.iterable)
            else read(c.iterable)
            target(c.target)
          }
        }
        give(e.element)
        if (e.value) give(e.value)
        inComprehension--
        return
      case 'CondExpr':
        tested(e.test)
        give(e.body)
        return give(e.orelse)
      case 'LambdaExpr':
        for (const p of e.parameters) if (p.default) give(p.default)
        return give(e.body)
      case 'UnaryExpr':
        return tested(e.operand)
      case 'BinaryExpr': {
        let x: Expression = e
        while (x.kind === 'BinaryExpr') {
          read(x.right)
          x = x.left
        }
        return read(x)
      }
      case 'LogicalExpr': {
        let x: Expression = e
        while (x.kind === 'LogicalExpr') {
          give(x.right)
          x = x.left
        }
        return give(x)
      }
      case 'CompareExpr':
        read(e.left)
        for (const r of e.rest) {
          if (r.operator === 'in' || r.operator === 'not in' || r.operator === '==' || r.operator === '!=')
            read(r.operand)
          else give(r.operand)
        }
        return
      case 'CallExpr':
        return calls(e)
      case 'DotExpr':
        return give(e.object)
      case 'IndexExpr':
        read(e.object)
        return give(e.index)
      case 'SliceExpr':
        read(e.object)
        for (const x of [e.lower, e.upper, e.step]) if (x) give(x)
        return
      case 'NamedExpr':
        give(e.target)
        return give(e.value)
      case 'StarredExpr':
      case 'AwaitExpr':
        return give(e.value)
      case 'YieldExpr':
        if (e.value) give(e.value)
        return
      case 'ParenExpr':
        return give(e.expression)
    }
  }

  function inText(parts: readonly (string | { expression: Expression; spec?: readonly unknown[] })[]): void {
    for (const p of parts) {
      if (typeof p === 'string') continue
      read(p.expression)
      if (p.spec) inText(p.spec as typeof parts)
    }
  }

  function target(t: Expression): void {
    switch (t.kind) {
      case 'Identifier':
        return
      case 'TupleExpr':
      case 'ListExpr':
        return t.elements.forEach(target)
      case 'ParenExpr':
        return target(t.expression)
      case 'StarredExpr':
        return target(t.value)
      case 'IndexExpr':
        change(t.object)
        return give(t.index)
      default:
        for (const x of t.kind === 'SliceExpr' ? [t.object, t.lower, t.upper, t.step] : [t]) if (x) give(x)
    }
  }

  /** What leaves with the function: nothing of the function can change it afterwards, unless it catches what happens on the way. */
  function returns(e: Expression): void {
    if (tries) return give(e)
    if (e.kind === 'ParenExpr') return returns(e.expression)
    if (e.kind === 'ListExpr' || e.kind === 'TupleExpr') return e.elements.forEach(returns)
    if (e.kind !== 'Identifier') use(e)
  }

  function block(body: readonly Statement[]): void {
    for (const s of body) statement(s)
  }

  function statement(s: Statement): void {
    switch (s.kind) {
      case 'DefStmt':
      case 'ClassStmt': {
        s.decorators.forEach(give)
        if (s.kind === 'DefStmt') for (const p of s.parameters) if (p.default) give(p.default)
        if (s.kind === 'ClassStmt') for (const b of s.bases) give(b.value)
        const outer = walked
        walked = []
        block(s.body)
        walked = outer
        return
      }
      case 'IfStmt':
      case 'WhileStmt':
        tested(s.test)
        block(s.body)
        return block(s.orelse)
      case 'ForStmt': {
        read(s.iterable)
        target(s.target)
        const binding = walkedBy(s.iterable)
        if (binding) walked.push(binding)
        block(s.body)
        if (binding) walked.pop()
        return block(s.orelse)
      }
      case 'ReturnStmt':
        if (s.value) returns(s.value)
        return
      case 'AssignStmt':
        give(s.value)
        s.targets.forEach(s.targets.length > 1 ? give : target)
        return
      case 'AugmentedAssignStmt':
        read(s.value)
        if (s.target.kind === 'Identifier') change(s.target)
        return target(s.target)
      case 'AnnotatedAssignStmt':
        if (s.value) give(s.value)
        return target(s.target)
      case 'ExprStmt':
        return read(s.expression)
      case 'TryStmt':
        block(s.body)
        for (const h of s.handlers) {
          if (h.type) give(h.type)
          block(h.body)
        }
        block(s.orelse)
        return block(s.finalbody)
      case 'RaiseStmt':
        if (s.exception) give(s.exception)
        if (s.cause) give(s.cause)
        return
      case 'AssertStmt':
        tested(s.test)
        if (s.message) give(s.message)
        return
      case 'DelStmt':
        return s.targets.forEach(target)
      case 'WithStmt':
        for (const item of s.items) {
          give(item.context)
          if (item.target) target(item.target)
        }
        return block(s.body)
      case 'MatchStmt':
        // A pattern may bind the value, or a part of it, to a further name.
        give(s.subject)
        for (const { pattern, guard, body } of s.cases) {
          expressionsIn(pattern).forEach(give)
          if (guard) tested(guard)
          block(body)
        }
        return
      case 'BreakStmt':
      case 'ContinueStmt':
      case 'PassStmt':
      case 'GlobalStmt':
      case 'NonlocalStmt':
      case 'LoadStmt':
      case 'ImportStmt':
      case 'ImportFromStmt':
        return
    }
  }
}
