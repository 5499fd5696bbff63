// Finds out what every name means, before anything runs (specification: Name binding and variables), and refuses statements in wrong
// places. Two walks per block: the first (collect.ts) collects the names that the block binds, the second, here, resolves uses, so that a
// function may refer to globals that are defined later. Functions are resolved when the block that holds them has been collected.
// Knows which names exist outside the program, not what they are. Invariant: after a resolution without diagnostics every identifier
// that is read or assigned has a binding.

import { type Diagnostic, nearestNames } from '../../diagnostics/index.js'
import type {
  Argument,
  Comprehension,
  DefStmt,
  ExceptClause,
  Expression,
  File,
  FStringPart,
  Identifier,
  LambdaExpr,
  Parameter,
  Statement,
} from '../syntax/nodes.js'
import { expressionsIn } from '../syntax/walk.js'
import { Collector } from './collect.js'
import { messages } from './messages.js'
import { Mistakes } from './mistakes.js'
import { Modules } from './modules.js'
import { forEachNamed } from './named-expressions.js'
import { Names } from './names.js'
import type { ResolveOptions } from './options.js'
import { refusedNames } from './refusals.js'
import { type Binding, frameOf, type Resolution, type Scope } from './scope.js'

export interface Resolved extends Resolution {
  readonly diagnostics: readonly Diagnostic[]
}

export function resolve(file: File, options: ResolveOptions): Resolved {
  const { dialect } = options
  const mistakes = new Mistakes(options.positions)
  const names = new Names(file, options, mistakes)
  const modules = new Modules(options, names, mistakes)
  const collector = new Collector(options, names, modules, mistakes)
  const deferred: (() => void)[] = []
  const lazy = new Set<Comprehension>()
  const consumed = new Set<Expression>()
  /** What classes read of the functions around them. */
  const readFromFunctions = new Map<Scope, Identifier[]>()
  let inDecorator = false
  let branches = 0

  collector.block(file.body, names.top, { inFunction: false, inLoop: false, inBranch: false })
  resolveBlock(file.body, names.top)
  while (deferred.length > 0) deferred.shift()!()
  modules.refuseUnused()
  return {
    bindingOf: names.bindingOf,
    scopeOf: names.scopeOf,
    lazy,
    missing: modules.missing,
    outside: names.outsideBindings,
    diagnostics: mistakes.inOrder(),
  }

  // ---- the use of a name ---------------------------------------------------------------------------------------

  function use(id: Identifier, scope: Scope, asCallee = false): void {
    const binding = names.lookUp(id.name, scope)
    const unavailable = binding === undefined ? options.unavailable.get(id.name) : undefined
    if (unavailable !== undefined) {
      mistakes.add(messages.unavailable(mistakes.span(id), id.name, unavailable))
      return
    }
    if (binding === undefined) {
      mistakes.add(undefinedName(id, scope))
      return
    }
    names.bind(id, binding)
    if (scope.kind === 'class' && binding.scope !== undefined && ![scope, names.top].includes(binding.scope))
      readFromFunctions
        .set(scope, readFromFunctions.get(scope) ?? [])
        .get(scope)!
        .push(id)
    if (usedTooEarly(id, binding, scope)) {
      mistakes.add(messages.usedTooEarly(mistakes.span(id), id.name, mistakes.span(names.firstGlobal.get(binding)!)))
    }
    if (!asCallee) binding.usedAsValue = true
    if (binding.scope === undefined || binding.scope === scope) return
    if (frameOf(binding.scope) !== frameOf(scope)) binding.captured = true
    names.noteCapture(binding, scope)
  }

  function undefinedName(id: Identifier, scope: Scope): Diagnostic {
    const refused = dialect.strict ? undefined : refusedNames[id.name]
    if (refused) return messages.refusedName(mistakes.span(id), id.name, refused.reason, refused.instead)
    const close = near(id.name, scope)
    const servers = [...options.members.keys()]
    const isServer = close.length === 0 && servers.length > 0 && file.text[id.end] === '.'
    return isServer
      ? messages.undefinedServer(mistakes.span(id), id.name, servers)
      : messages.undefinedName(mistakes.span(id), id.name, close, inDecorator)
  }

  /**
   * Is a global read above its first assignment, on a line that runs once and in its turn? Where globals are assigned once, the specification
   * leaves this to the run; where they are variables, it is a mistake. Python programs may expect the error.
   */
  function usedTooEarly(id: Identifier, binding: Binding, scope: Scope): boolean {
    if (
      !dialect.strict ||
      !dialect.globalReassign ||
      branches > 0 ||
      binding.scope !== names.top ||
      frameOf(scope) !== names.top
    )
      return false
    const first = names.firstGlobal.get(binding)
    return first !== undefined && id.end <= first.start
  }

  function near(name: string, scope: Scope): string[] {
    if (mistakes.tooManyToSuggest) return []
    const visible: string[] = []
    for (let s: Scope | undefined = scope; s !== undefined; s = s.parent) visible.push(...s.bindings.keys())
    return nearestNames(name, [...visible, ...options.predeclared, ...options.universal], 2)
  }

  // ---- statements ----------------------------------------------------------------------------------------------

  function resolveBlock(body: readonly Statement[], scope: Scope): void {
    for (const s of body) resolveStatement(s, scope)
  }

  /** A block that may run never, or again after what follows it. */
  function resolveBranch(body: readonly Statement[], scope: Scope): void {
    branches++
    resolveBlock(body, scope)
    branches--
  }

  function resolveStatement(s: Statement, scope: Scope): void {
    switch (s.kind) {
      case 'DefStmt':
        resolveDecorators(s.decorators, scope)
        resolveRegistered(s, scope)
        return resolveFunction(s, scope)
      case 'IfStmt':
        resolveExpression(s.test, scope)
        if (isForTypes(s.test)) modules.importsMayFail++
        resolveBranch(s.body, scope)
        if (isForTypes(s.test)) modules.importsMayFail--
        return resolveBranch(s.orelse, scope)
      case 'ForStmt':
        resolveExpression(s.iterable, scope)
        resolveTarget(s.target, scope)
        resolveBranch(s.body, scope)
        return resolveBranch(s.orelse, scope)
      case 'WhileStmt':
        resolveExpression(s.test, scope)
        resolveBranch(s.body, scope)
        return resolveBranch(s.orelse, scope)
      case 'ReturnStmt':
        if (s.value) resolveExpression(s.value, scope)
        return
      case 'AssignStmt':
        resolveExpression(s.value, scope)
        for (const t of s.targets) resolveTarget(t, scope)
        return
      case 'AugmentedAssignStmt':
        resolveExpression(s.value, scope)
        return resolveTarget(s.target, scope)
      case 'AnnotatedAssignStmt':
        if (s.value) {
          resolveExpression(s.value, scope)
          resolveTarget(s.target, scope)
        }
        return
      case 'ExprStmt':
        return resolveExpression(s.expression, scope)
      case 'ImportStmt':
        if (!dialect.strict) for (const n of s.names) modules.importModule(s, n.path, n.alias)
        return
      case 'ImportFromStmt':
        return dialect.strict ? undefined : modules.importNames(s)
      case 'TryStmt':
        if (s.handlers.some(expectsImportError)) modules.importsMayFail++
        resolveBlock(s.body, scope)
        if (s.handlers.some(expectsImportError)) modules.importsMayFail--
        for (const h of s.handlers) {
          if (h.type) resolveExpression(h.type, scope)
          resolveBlock(h.body, scope)
        }
        resolveBlock(s.orelse, scope)
        return resolveBlock(s.finalbody, scope)
      case 'RaiseStmt':
        if (s.exception) resolveExpression(s.exception, scope)
        if (s.cause) resolveExpression(s.cause, scope)
        return
      case 'AssertStmt':
        resolveExpression(s.test, scope)
        if (s.message) resolveExpression(s.message, scope)
        return
      case 'DelStmt':
        for (const t of s.targets) resolveTarget(t, scope)
        return
      case 'WithStmt':
        for (const item of s.items) {
          resolveExpression(item.context, scope)
          if (item.target) resolveTarget(item.target, scope)
        }
        return resolveBlock(s.body, scope)
      case 'ClassStmt': {
        resolveDecorators(s.decorators, scope)
        for (const b of s.bases) resolveExpression(b.value, scope)
        const inner = names.newScope('class', s, scope)
        for (const m of s.body) resolveMember(m, inner)
        return rebindEarly(inner)
      }
      case 'MatchStmt':
        resolveExpression(s.subject, scope)
        for (const { pattern, guard, body } of s.cases) {
          for (const e of expressionsIn(pattern)) resolveExpression(e, scope)
          if (guard) resolveExpression(guard, scope)
          resolveBranch(body, scope)
        }
        return
      case 'LoadStmt':
      case 'BreakStmt':
      case 'ContinueStmt':
      case 'PassStmt':
      case 'GlobalStmt':
      case 'NonlocalStmt':
        return
    }
  }

  /** A name of a class is that of the block around until the class has bound it: `x = x`. */
  function resolveMember(m: Statement, scope: Scope): void {
    const isAssignment = m.kind === 'AssignStmt' || m.kind === 'AnnotatedAssignStmt'
    if (isAssignment) resolveBlock([m], scope)
    collector.block([m], scope, { inFunction: false, inLoop: false, inBranch: false })
    if (!isAssignment) resolveBlock([m], scope)
  }

  /** What a class binds later is, until then, a name of the program and not one of a function around. */
  function rebindEarly(scope: Scope): void {
    for (const id of readFromFunctions.get(scope) ?? []) {
      if (!scope.bindings.has(id.name)) continue
      const binding = names.top.bindings.get(id.name) ?? names.outside(id.name)
      if (binding === undefined) {
        mistakes.add(undefinedName(id, scope))
        continue
      }
      names.bind(id, binding)
      binding.captured = binding.usedAsValue = true
      names.noteCapture(binding, scope)
    }
  }

  function resolveDecorators(decorators: readonly Expression[], scope: Scope): void {
    inDecorator = true
    for (const d of decorators) resolveExpression(d, scope)
    inDecorator = false
  }

  /** `@area.register` looks at the annotation of the first parameter that has one. */
  function resolveRegistered(s: DefStmt, scope: Scope): void {
    if (!s.decorators.some((d) => d.kind === 'DotExpr' && d.name.name === 'register')) return
    const annotation = s.parameters.find((p) => p.annotation !== undefined)?.annotation
    if (annotation !== undefined && namesTypes(annotation, scope)) resolveExpression(annotation, scope)
  }

  function namesTypes(e: Expression, scope: Scope): boolean {
    if (e.kind === 'Identifier') return names.lookUp(e.name, scope) !== undefined
    if (e.kind === 'DotExpr') return namesTypes(e.object, scope)
    return e.kind === 'BinaryExpr' && namesTypes(e.left, scope) && namesTypes(e.right, scope)
  }

  // ---- functions and expressions -------------------------------------------------------------------------------

  function resolveTarget(t: Expression, scope: Scope): void {
    switch (t.kind) {
      case 'Identifier':
        return
      case 'ParenExpr':
        return resolveTarget(t.expression, scope)
      case 'StarredExpr':
        return resolveTarget(t.value, scope)
      case 'TupleExpr':
      case 'ListExpr':
        for (const e of t.elements) resolveTarget(e, scope)
        return
      default:
        return resolveExpression(t, scope)
    }
  }

  function resolveParameters(parameters: readonly Parameter[], scope: Scope): void {
    for (const p of parameters) if (p.default) resolveExpression(p.default, scope)
  }

  function resolveFunction(fn: DefStmt | LambdaExpr, scope: Scope): void {
    resolveParameters(fn.parameters, scope)
    const inner = names.newScope('function', fn, scope)
    for (const p of fn.parameters) if (p.name) names.declare(p.name, inner, 'parameter')
    // The names of the blocks around are complete only when those have been walked to their end.
    deferred.push(() => {
      if (fn.kind === 'LambdaExpr') {
        collector.expression(fn.body, inner)
        resolveExpression(fn.body, inner)
      } else {
        collector.block(fn.body, inner, { inFunction: true, inLoop: false, inBranch: false })
        resolveBlock(fn.body, inner)
      }
    })
  }

  /** A generator expression that its consumer takes whole, at once, can be made a list. */
  function consume(e: Expression & { kind: 'CallExpr' }): void {
    const [first] = e.arguments
    if (first?.form !== 'positional' || first.value.kind !== 'Comprehension') return
    const { callee } = e
    const takes =
      callee.kind === 'Identifier'
        ? names.bindingOf.get(callee)?.kind === 'universal' && consumers.has(callee.name)
        : callee.kind === 'DotExpr' && callee.name.name === 'join' && callee.object.kind === 'StringLiteral'
    if (takes) consumed.add(first.value)
  }

  function resolveComprehension(c: Comprehension, scope: Scope): void {
    const isLazy = c.form === 'generator' && !dialect.strict && !consumed.has(c)
    if (isLazy) {
      lazy.add(c)
      forEachNamed(c, (id) => {
        const binding = names.bindingOf.get(id)
        if (binding !== undefined) binding.assignedFromInside = binding.captured = true
      })
    }
    const inner = names.newScope(isLazy ? 'function' : 'comprehension', c, scope)
    // One block for all clauses: a variable of a later clause is meant in an earlier one too. The first iterable stands outside.
    for (const clause of c.clauses) if (clause.kind === 'ForClause') collector.target(clause.target, inner)
    c.clauses.forEach((clause, i) => {
      if (clause.kind === 'IfClause') resolveExpression(clause.test, inner)
      else {
        resolveExpression(clause.iterable, i === 0 ? scope : inner)
        resolveTarget(clause.target, inner)
      }
    })
    resolveExpression(c.element, inner)
    if (c.value) resolveExpression(c.value, inner)
  }

  function resolveArguments(args: readonly Argument[], scope: Scope): void {
    for (const a of args) resolveExpression(a.value, scope)
  }

  function resolveParts(parts: readonly FStringPart[], scope: Scope): void {
    for (const part of parts) {
      if (typeof part === 'string') continue
      resolveExpression(part.expression, scope)
      if (part.spec) resolveParts(part.spec, scope)
    }
  }

  function resolveExpression(e: Expression, scope: Scope): void {
    switch (e.kind) {
      case 'Identifier':
        return use(e, scope)
      case 'FString':
        return resolveParts(e.parts, scope)
      case 'ListExpr':
      case 'TupleExpr':
      case 'SetExpr':
        for (const x of e.elements) resolveExpression(x, scope)
        return
      case 'DictExpr':
        for (const entry of e.entries) {
          if (entry.key) resolveExpression(entry.key, scope)
          resolveExpression(entry.value, scope)
        }
        return
      case 'Comprehension':
        return resolveComprehension(e, scope)
      case 'CondExpr':
        resolveExpression(e.test, scope)
        resolveExpression(e.body, scope)
        return resolveExpression(e.orelse, scope)
      case 'LambdaExpr':
        return resolveFunction(e, scope)
      case 'UnaryExpr':
        return resolveExpression(e.operand, scope)
      case 'BinaryExpr':
      case 'LogicalExpr': {
        // Chains lean to the left and can be long: walk down without recursion.
        const rights: Expression[] = []
        let x: Expression = e
        while (x.kind === 'BinaryExpr' || x.kind === 'LogicalExpr') {
          rights.push(x.right)
          x = x.left
        }
        resolveExpression(x, scope)
        while (rights.length > 0) resolveExpression(rights.pop()!, scope)
        return
      }
      case 'CompareExpr':
        resolveExpression(e.left, scope)
        for (const r of e.rest) resolveExpression(r.operand, scope)
        return
      case 'CallExpr':
        if (e.callee.kind === 'Identifier') use(e.callee, scope, true)
        else resolveExpression(e.callee, scope)
        consume(e)
        modules.checkCall(e)
        return resolveArguments(e.arguments, scope)
      case 'DotExpr':
        resolveExpression(e.object, scope)
        return modules.checkMember(e)
      case 'IndexExpr':
        resolveExpression(e.object, scope)
        return resolveExpression(e.index, scope)
      case 'SliceExpr':
        resolveExpression(e.object, scope)
        if (e.lower) resolveExpression(e.lower, scope)
        if (e.upper) resolveExpression(e.upper, scope)
        if (e.step) resolveExpression(e.step, scope)
        return
      case 'NamedExpr':
        return resolveExpression(e.value, scope)
      case 'YieldExpr':
        if (e.value) resolveExpression(e.value, scope)
        if (scope.node.kind === 'Comprehension') mistakes.add(messages.yieldInComprehension(mistakes.span(e)))
        else if (scope.kind !== 'function') mistakes.add(messages.yieldOutside(mistakes.span(e)))
        return
      case 'StarredExpr':
      case 'AwaitExpr':
        return resolveExpression(e.value, scope)
      case 'ParenExpr':
        return resolveExpression(e.expression, scope)
      case 'IntLiteral':
      case 'FloatLiteral':
      case 'StringLiteral':
      case 'BytesLiteral':
      case 'EllipsisLiteral':
        return
    }
  }
}

/** Is it what only type checkers take for true? What is imported under it is never run. */
function isForTypes(test: Expression): boolean {
  return (test.kind === 'DotExpr' ? test.name : test.kind === 'Identifier' ? test : undefined)?.name === 'TYPE_CHECKING'
}

/** Does an `except` clause catch the failure of an import? */
function expectsImportError(h: ExceptClause): boolean {
  const names = (e: Expression): string[] =>
    e.kind === 'Identifier'
      ? [e.name]
      : e.kind === 'TupleExpr'
        ? e.elements.flatMap(names)
        : e.kind === 'ParenExpr'
          ? names(e.expression)
          : []
  return (
    h.type === undefined || names(h.type).some((n) => ['ImportError', 'ModuleNotFoundError', 'Exception'].includes(n))
  )
}

/** Builtins that take all elements of their first argument before they do anything else. */
const consumers: ReadonlySet<string> = new Set([
  'all',
  'any',
  'dict',
  'frozenset',
  'list',
  'max',
  'min',
  'set',
  'sorted',
  'sum',
  'tuple',
])
