// Gives every name its meaning before anything runs (specification: Name binding and variables), and refuses misplaced
// statements. Each block is walked twice: the first walk (collect.ts) collects the names that the block binds, and the
// second, here, resolves uses. Therefore a function may refer to globals that are defined later. The body of a function
// is resolved after the enclosing block has been collected. Knows which names exist outside the program, not what they
// mean.
// Invariant: after a resolution without diagnostics, every identifier that is read or assigned has a binding.

import { type Diagnostic, nearestNames } from '../../diagnostics/index.js'
import type {
  CallExpr,
  ClassStmt,
  Comprehension,
  DefStmt,
  ExceptClause,
  Expression,
  File,
  Identifier,
  IfStmt,
  LambdaExpr,
  Statement,
  TryStmt,
} from '../syntax/nodes.js'
import { eachBlock, eachOwn, eachTarget, forEachInside, forEachStatement } from '../syntax/walk.js'
import { Collector, type Place } from './collect.js'
import { messages } from './messages.js'
import { Mistakes } from './mistakes.js'
import { Modules } from './modules.js'
import { forEachNamed } from './named-expressions.js'
import { Names } from './names.js'
import type { ResolveOptions } from './options.js'
import { refusedNames } from './refusals.js'
import { type Binding, frameOf, type Resolution, type Scope } from './scope.js'

/** The place of a statement at the top of the program or of a class. */
const TOP: Place = { inFunction: false, inLoop: false, inBranch: false }

interface Resolved extends Resolution {
  readonly diagnostics: readonly Diagnostic[]
}

export function resolve(file: File, options: ResolveOptions): Resolved {
  return new Resolver(file, options).resolve()
}

class Resolver {
  readonly #file: File
  readonly #options: ResolveOptions
  readonly #mistakes: Mistakes
  readonly #names: Names
  readonly #modules: Modules
  readonly #collector: Collector
  /** Walks of the bodies of functions. They come last, when the names of the enclosing blocks are complete. */
  readonly #deferred: (() => void)[] = []
  readonly #lazy = new Set<Comprehension>()
  readonly #consumed = new Set<Expression>()
  /** Variables of enclosing functions that classes read, by the class's scope. */
  readonly #readFromFunctions = new Map<Scope, Identifier[]>()
  #inDecorator = false
  /** True if the current statement is in a block that may not run, or may run again after later statements. */
  #inBranch = false

  constructor(file: File, options: ResolveOptions) {
    this.#file = file
    this.#options = options
    this.#mistakes = new Mistakes(options.positions)
    this.#names = new Names(file, options, this.#mistakes)
    this.#modules = new Modules(file.text, options, this.#names, this.#mistakes)
    this.#collector = new Collector(file, options, this.#names, this.#modules, this.#mistakes)
  }

  resolve(): Resolved {
    const { top, bindingOf, scopeOf } = this.#names
    this.#collector.block(this.#file.body, top, TOP)
    this.#block(this.#file.body, top)
    while (this.#deferred.length > 0) this.#deferred.shift()!()
    this.#modules.refuseUnused()
    return {
      bindingOf,
      scopeOf,
      lazy: this.#lazy,
      missing: this.#modules.missing,
      unusedImports: this.#modules.unused,
      imported: this.#modules.imported,
      outside: this.#names.outsideBindings,
      diagnostics: this.#mistakes.inOrder(),
    }
  }

  // ---- the use of a name ---------------------------------------------------------------------------------------

  #use(id: Identifier, scope: Scope, asCallee = false): void {
    const binding = this.#names.lookUp(id.name, scope)
    if (binding === undefined) return this.#mistakes.add(this.#undefinedName(id, scope))
    this.#names.bind(id, binding)
    this.#noteInClass(id, binding, scope)
    if (this.#usedTooEarly(id, binding, scope)) {
      const first = this.#names.firstGlobal.get(binding)!
      this.#mistakes.add(messages.usedTooEarly(this.#mistakes.span(id), id.name, this.#mistakes.span(first)))
    }
    if (!asCallee) binding.usedAsValue = true
    if (binding.scope === undefined || binding.scope === scope) return
    if (frameOf(binding.scope) !== frameOf(scope)) binding.captured = true
    this.#names.noteCapture(binding, scope)
  }

  #noteInClass(id: Identifier, binding: Binding, scope: Scope): void {
    if (scope.kind !== 'class' || binding.scope === undefined || [scope, this.#names.top].includes(binding.scope))
      return
    const read = this.#readFromFunctions.get(scope) ?? []
    this.#readFromFunctions.set(scope, read)
    read.push(id)
  }

  #undefinedName(id: Identifier, scope: Scope): Diagnostic {
    const span = this.#mistakes.span(id)
    const unavailable = this.#options.unavailable.get(id.name)
    if (unavailable !== undefined) return messages.unavailable(span, id.name, unavailable)
    const refused = this.#options.dialect.strict ? undefined : refusedNames[id.name]
    if (refused) return messages.refusedName(span, id.name, refused.reason, refused.instead)
    const close = this.#near(id.name, scope)
    const servers = [...this.#options.members.keys(), ...this.#options.unavailable.keys()]
    const hasDot = this.#file.text[id.end] === '.'
    const tool = this.#modules.toolMeantAt(id)
    // A server with the name of a JavaScript builtin gets an underscore, in both languages.
    const own = `${id.name}_`
    if (hasDot && this.#options.members.has(own))
      return messages.toolElsewhere(span, id.name, tool?.startsWith(`${own}.`) ? tool : `${own}.…`)
    // A server with a similar name is more likely than another server that has such a tool.
    const server = hasDot ? close.find((name) => servers.includes(name)) : undefined
    if (tool !== undefined && (server === undefined || tool.startsWith(`${server}.`)))
      return messages.toolElsewhere(span, id.name, tool)
    const isServer = close.length === 0 && servers.length > 0 && hasDot
    return isServer
      ? messages.undefinedServer(span, id.name, servers)
      : messages.undefinedName(span, id.name, close, this.#inDecorator)
  }

  /**
   * True if a global is read above its first assignment, on a line that runs once and in order. Where globals are
   * assigned only once, the specification makes this an error of the run. Elsewhere it is a mistake, unless the program
   * may expect the error, as Python programs do.
   */
  #usedTooEarly(id: Identifier, binding: Binding, scope: Scope): boolean {
    const { strict, globalReassign } = this.#options.dialect
    const { top, firstGlobal } = this.#names
    if (!strict || !globalReassign || this.#inBranch || binding.scope !== top || frameOf(scope) !== top) return false
    const first = firstGlobal.get(binding)
    return first !== undefined && id.end <= first.start
  }

  #near(name: string, scope: Scope): string[] {
    if (this.#mistakes.tooManyToSuggest) return []
    const visible: string[] = []
    for (let s: Scope | undefined = scope; s !== undefined; s = s.parent) visible.push(...s.bindings.keys())
    const { predeclared, unavailable, universal } = this.#options
    return nearestNames(
      name,
      [...visible, ...predeclared, ...unavailable.keys(), ...[...universal].filter((one) => !one.includes('.'))],
      2,
    )
  }

  // ---- statements ----------------------------------------------------------------------------------------------

  #block(body: readonly Statement[], scope: Scope): void {
    for (const outer of body) {
      this.#inBranch = false
      if (!this.#statement(outer, scope)) continue
      eachBlock(outer, (inner) =>
        forEachStatement(inner, (s) => {
          this.#inBranch = true
          return this.#statement(s, scope)
        }),
      )
    }
  }

  /** Returns false if the blocks of the statement are resolved, or will be. */
  #statement(s: Statement, scope: Scope): boolean {
    const { strict } = this.#options.dialect
    switch (s.kind) {
      case 'DefStmt':
        this.#decorators(s.decorators, scope)
        this.#registered(s, scope)
        this.#function(s, scope)
        return false
      case 'ClassStmt':
        this.#class(s, scope)
        return false
      case 'ImportStmt':
        if (!strict) for (const n of s.names) this.#modules.importModule(s, n.path, n.alias)
        return false
      case 'ImportFromStmt':
        if (!strict) this.#modules.importNames(s)
        return false
      case 'AnnotatedAssignStmt':
        if (s.value) this.#own(s, scope)
        if (scope.kind === 'class') this.#annotation(s.annotation, scope)
        return false
      case 'IfStmt':
      case 'TryStmt': {
        this.#own(s, scope)
        const importsMayFail = s.kind === 'IfStmt' ? isForTypes(s.test) : s.handlers.some(expectsImportError)
        if (importsMayFail) this.#whereImportsMayFail(s, scope)
        return !importsMayFail
      }
      default:
        this.#own(s, scope)
        return s.kind !== 'ExprStmt' && s.kind !== 'AssignStmt'
    }
  }

  #own(s: Statement, scope: Scope): void {
    eachOwn(
      s,
      (e) => this.#expression(e, scope),
      (t) => this.#target(t, scope),
    )
  }

  /** Resolves the objects of attributes and subscripts. The names among the targets have been collected already. */
  #target(t: Expression, scope: Scope): void {
    eachTarget(t, (single) => {
      if (single.kind !== 'Identifier') this.#expression(single, scope)
    })
  }

  #whereImportsMayFail(s: IfStmt | TryStmt, scope: Scope): void {
    eachBlock(s, (body) => {
      const isThere = body === s.body
      if (isThere) this.#modules.importsMayFail++
      this.#block(body, scope)
      if (isThere) this.#modules.importsMayFail--
    })
  }

  #class(s: ClassStmt, scope: Scope): void {
    this.#decorators(s.decorators, scope)
    for (const b of s.bases) this.#expression(b.value, scope)
    const inner = this.#names.newScope('class', s, scope)
    for (const m of s.body) this.#member(m, inner)
    this.#rebindEarly(inner)
  }

  /**
   * Resolves one statement of a class body. Until the class has bound a name, the name means that of the enclosing
   * block: `x = x`.
   */
  #member(m: Statement, scope: Scope): void {
    const isAssignment = m.kind === 'AssignStmt' || m.kind === 'AnnotatedAssignStmt'
    if (isAssignment) this.#block([m], scope)
    this.#collector.block([m], scope, TOP)
    if (!isAssignment) this.#block([m], scope)
  }

  /** Until a class binds a name, the name means the global, not a variable of an enclosing function. */
  #rebindEarly(scope: Scope): void {
    for (const id of this.#readFromFunctions.get(scope) ?? []) {
      if (!scope.bindings.has(id.name)) continue
      const binding = this.#names.top.bindings.get(id.name) ?? this.#names.outside(id.name)
      if (binding === undefined) {
        this.#mistakes.add(this.#undefinedName(id, scope))
        continue
      }
      this.#names.bind(id, binding)
      binding.captured = binding.usedAsValue = true
      this.#names.noteCapture(binding, scope)
    }
  }

  #decorators(decorators: readonly Expression[], scope: Scope): void {
    this.#inDecorator = true
    for (const d of decorators) this.#expression(d, scope)
    this.#inDecorator = false
  }

  /** Resolves annotations for `@area.register`, which reads the first parameter's that has one. */
  #registered(s: DefStmt, scope: Scope): void {
    if (!s.decorators.some((d) => d.kind === 'DotExpr' && d.name.name === 'register')) return
    const annotation = s.parameters.find((p) => p.annotation !== undefined)?.annotation
    if (annotation !== undefined && this.#namesTypes(annotation, scope)) this.#expression(annotation, scope)
  }

  #namesTypes(e: Expression, scope: Scope): boolean {
    if (e.kind === 'Identifier') return this.#names.lookUp(e.name, scope) !== undefined
    if (e.kind === 'DotExpr') return this.#namesTypes(e.object, scope)
    return e.kind === 'BinaryExpr' && this.#namesTypes(e.left, scope) && this.#namesTypes(e.right, scope)
  }

  // ---- functions and expressions -------------------------------------------------------------------------------

  #annotation(annotation: Expression | undefined, scope: Scope): void {
    if (annotation !== undefined && this.#options.keepsAnnotations) this.#expression(annotation, scope)
  }

  #function(fn: DefStmt | LambdaExpr, scope: Scope): void {
    for (const p of fn.parameters) if (p.default) this.#expression(p.default, scope)
    if (fn.kind === 'DefStmt')
      for (const one of [...fn.parameters.map((p) => p.annotation), fn.returns]) this.#annotation(one, scope)
    const inner = this.#names.newScope('function', fn, scope)
    for (const p of fn.parameters) if (p.name) this.#names.declare(p.name, inner, 'parameter')
    this.#deferred.push(() => {
      if (fn.kind === 'LambdaExpr') {
        this.#collector.expression(fn.body, inner)
        this.#expression(fn.body, inner)
      } else {
        this.#collector.block(fn.body, inner, { ...TOP, inFunction: true })
        this.#block(fn.body, inner)
      }
    })
  }

  #expression(e: Expression, scope: Scope): void {
    if (this.#resolveIn(e, scope)) forEachInside(e, (x) => this.#resolveIn(x, scope))
  }

  /** Returns false if the inner expressions are resolved. */
  #resolveIn(e: Expression, scope: Scope): boolean {
    switch (e.kind) {
      case 'Identifier':
        this.#use(e, scope)
        return false
      case 'IntLiteral':
      case 'StringLiteral':
        return false
      case 'Comprehension':
        this.#comprehension(e, scope)
        return false
      case 'LambdaExpr':
        this.#function(e, scope)
        return false
      case 'CallExpr':
        this.#call(e, scope)
        return false
      case 'DotExpr':
        this.#expression(e.object, scope)
        this.#modules.checkMember(e)
        return false
      case 'NamedExpr':
        this.#expression(e.value, scope)
        return false
      case 'YieldExpr':
        if (scope.node.kind === 'Comprehension')
          this.#mistakes.add(messages.yieldInComprehension(this.#mistakes.span(e)))
        else if (scope.kind !== 'function') this.#mistakes.add(messages.yieldOutside(this.#mistakes.span(e)))
        return true
      default:
        return true
    }
  }

  #call(e: CallExpr, scope: Scope): void {
    if (e.callee.kind === 'Identifier') this.#use(e.callee, scope, true)
    else this.#expression(e.callee, scope)
    this.#consume(e)
    this.#modules.checkCall(e)
    for (const { value } of e.arguments) this.#expression(value, scope)
  }

  /** Records a generator expression whose consumer exhausts it at once. It can become a list. */
  #consume({ callee, arguments: [first] }: CallExpr): void {
    if (first?.form !== 'positional' || first.value.kind !== 'Comprehension') return
    const takes =
      callee.kind === 'Identifier'
        ? this.#names.bindingOf.get(callee)?.kind === 'universal' && consumers.has(callee.name)
        : callee.kind === 'DotExpr' && callee.name.name === 'join' && callee.object.kind === 'StringLiteral'
    if (takes) this.#consumed.add(first.value)
  }

  #comprehension(c: Comprehension, scope: Scope): void {
    const isLazy = c.form === 'generator' && !this.#options.dialect.strict && !this.#consumed.has(c)
    if (isLazy) this.#makeLazy(c)
    const inner = this.#names.newScope(isLazy ? 'function' : 'comprehension', c, scope)
    // One block for all clauses: a variable of a later clause is visible in an earlier one too. The first iterable is
    // outside the block.
    for (const clause of c.clauses) if (clause.kind === 'ForClause') this.#collector.target(clause.target, inner)
    c.clauses.forEach((clause, i) => {
      if (clause.kind === 'IfClause') this.#expression(clause.test, inner)
      else {
        this.#expression(clause.iterable, i === 0 ? scope : inner)
        this.#target(clause.target, inner)
      }
    })
    this.#expression(c.element, inner)
    if (c.value) this.#expression(c.value, inner)
  }

  /** Records that targets of `:=` inside are assigned by a function. */
  #makeLazy(c: Comprehension): void {
    this.#lazy.add(c)
    forEachNamed(c, (id) => {
      const binding = this.#names.bindingOf.get(id)
      if (binding !== undefined) binding.assignedFromInside = binding.captured = true
    })
  }
}

/** True for conditions that are true only for type checkers. Imports below them never run. */
function isForTypes(test: Expression): boolean {
  return (test.kind === 'DotExpr' ? test.name : test.kind === 'Identifier' ? test : undefined)?.name === 'TYPE_CHECKING'
}

/** True if an `except` clause catches the failure of an import. */
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
const consumers: ReadonlySet<string> = new Set('all any dict frozenset list max min set sorted sum tuple'.split(' '))
