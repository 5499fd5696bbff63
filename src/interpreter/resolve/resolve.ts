// Finds out what every name means, before anything runs (specification: Name binding and variables), and refuses statements in wrong
// places. Two walks per block: the first collects the names that the block binds, the second resolves uses, so that a function may
// refer to globals that are defined later. Functions are resolved when the block that holds them has been collected.
// Knows which names exist outside the program, not what they are. Invariant: after a resolution without diagnostics every identifier
// that is read or assigned has a binding.

import { type Diagnostic, nearestNames, type Span } from '../../diagnostics/index.js'
import type { Dialect } from '../dialect.js'
import type {
  Argument,
  Comprehension,
  DefStmt,
  DotExpr,
  ExceptClause,
  Expression,
  File,
  FStringPart,
  Identifier,
  LambdaExpr,
  Parameter,
  Statement,
} from '../syntax/nodes.js'
import type { Positions } from '../syntax/positions.js'
import { messages } from './messages.js'
import { refusedMembers, refusedModules, refusedNames, refusedRest, refusedUnused } from './refusals.js'
import { type Binding, type BindingKind, frameOf, type Resolution, type Scope } from './scope.js'

export interface ResolveOptions {
  readonly dialect: Dialect
  readonly positions: Positions
  /** Names of the prelude: builtins and pre-bound modules. */
  readonly universal: ReadonlySet<string>
  /** Names the host adds for this program. */
  readonly predeclared: ReadonlySet<string>
  /** Importable modules with the names in them. */
  readonly modules: ReadonlyMap<string, readonly string[]>
  /** The members of the predeclared names that are namespaces. */
  readonly members: ReadonlyMap<string, readonly string[]>
  /** Names that are namespaces, but can't be reached: why. */
  readonly unavailable: ReadonlyMap<string, string>
  /** Modules that `load` can reach, with their names: only for test hosts. */
  readonly loadable: ReadonlyMap<string, readonly string[]>
}

export interface Resolved extends Resolution {
  readonly diagnostics: readonly Diagnostic[]
}

interface Place {
  readonly inFunction: boolean
  readonly inLoop: boolean
  readonly inBranch: boolean
}

/** Of a program with more mistakes than this only the first ones found get a suggestion: to compare names takes time. */
const MOST_SUGGESTIONS = 50

export function resolve(file: File, options: ResolveOptions): Resolved {
  const { dialect, positions } = options
  const diagnostics: Diagnostic[] = []
  const bindingOf = new Map<Identifier, Binding>()
  const scopeOf = new Map<Scope['node'], Scope>()
  const outsideBindings = new Map<string, Binding>()
  let bindingCount = 0
  const jsNames = new Map<string, number>()
  const firstGlobal = new Map<Binding, Identifier>()
  const deferred: (() => void)[] = []
  const lazy = new Set<Comprehension>()
  const missing = new Map<Statement, string>()
  let importsMayFail = 0
  let inDecorator = false
  const imported = new Map<Binding, string>()
  const consumed = new Set<Expression>()
  // Of some modules only a part is there: an import that leads to nothing of it is refused as a whole.
  const imports: (readonly [name: string, at: Span])[] = []
  const usedModules = new Set<string>()
  let branches = 0

  const span = (node: { start: number; end: number }): Span => positions.span(node.start, node.end)

  const top = newScope('file', file, undefined)
  collectBlock(file.body, top, { inFunction: false, inLoop: false, inBranch: false })
  resolveBlock(file.body, top)
  while (deferred.length > 0) deferred.shift()!()
  for (const [name, at] of imports) if (!usedModules.has(name)) refuseImport(name, at)
  diagnostics.sort((a, b) => (a.span?.line ?? 0) - (b.span?.line ?? 0) || (a.span?.column ?? 0) - (b.span?.column ?? 0))
  return { bindingOf, scopeOf, lazy, missing, outside: new Set(outsideBindings.values()), diagnostics }

  // ---- scopes and bindings -------------------------------------------------------------------------------------

  function newScope(kind: Scope['kind'], node: Scope['node'], parent: Scope | undefined): Scope {
    const scope: Scope = { kind, node, parent, bindings: new Map(), elsewhere: new Map(), captures: new Set() }
    scopeOf.set(node, scope)
    return scope
  }

  function jsName(name: string): string {
    const plain = `v_${name.replace(/[^A-Za-z0-9_]/g, (c) => `$${c.codePointAt(0)!.toString(16)}$`)}`
    const used = jsNames.get(plain) ?? 0
    jsNames.set(plain, used + 1)
    return used === 0 ? plain : `${plain}$${used}`
  }

  function newBinding(name: string, kind: BindingKind, scope: Scope | undefined): Binding {
    return {
      number: bindingCount++,
      name,
      kind,
      js: jsName(name),
      scope,
      assignments: 0,
      assignedFromInside: false,
      captured: false,
      definition: undefined,
      shadowed: undefined,
      usedAsValue: false,
    }
  }

  function declare(id: Identifier, scope: Scope, kind?: BindingKind): Binding {
    const taken = scope.elsewhere.get(id.name)
    if (taken !== undefined) {
      bindingOf.set(id, taken)
      taken.assignments++
      taken.assignedFromInside = true
      taken.captured = true
      noteCapture(taken, scope)
      return taken
    }
    let binding = scope.bindings.get(id.name)
    if (binding === undefined) {
      binding = newBinding(id.name, kind ?? (scope.kind === 'file' ? 'global' : 'local'), scope)
      if ((scope.kind === 'file' || scope.kind === 'class') && !dialect.strict) binding.shadowed = outside(id.name)
      scope.bindings.set(id.name, binding)
    } else if (scope.kind === 'file' && !dialect.globalReassign) {
      diagnostics.push(messages.globalReassigned(span(id), id.name, span(firstGlobal.get(binding) ?? id)))
    }
    if (scope.kind === 'file' && !firstGlobal.has(binding)) firstGlobal.set(binding, id)
    binding.assignments++
    bindingOf.set(id, binding)
    return binding
  }

  /** The binding of a name that the prelude or the host has. */
  function outside(name: string): Binding | undefined {
    const found = outsideBindings.get(name)
    if (found !== undefined) return found
    const kind = options.predeclared.has(name) ? 'predeclared' : options.universal.has(name) ? 'universal' : undefined
    if (kind === undefined || (name === 'set' && !dialect.set)) return undefined
    const binding = newBinding(name, kind, undefined)
    outsideBindings.set(name, binding)
    return binding
  }

  function noteCapture(binding: Binding, from: Scope): void {
    if (binding.scope === undefined) return
    for (let s: Scope | undefined = from; s !== undefined && s !== binding.scope; s = s.parent) s.captures.add(binding)
  }

  function lookUp(name: string, from: Scope): Binding | undefined {
    for (let s: Scope | undefined = from; s !== undefined; s = s.parent) {
      const found = s.elsewhere.get(name) ?? s.bindings.get(name)
      // The names of a class body are not visible in the functions and comprehensions inside it.
      if (found !== undefined && !(s.kind === 'class' && from !== s)) return found
    }
    return outside(name)
  }

  function use(id: Identifier, scope: Scope, asCallee = false): void {
    const binding = lookUp(id.name, scope)
    const unavailable = binding === undefined ? options.unavailable.get(id.name) : undefined
    if (unavailable !== undefined) {
      diagnostics.push(messages.unavailable(span(id), id.name, unavailable))
      return
    }
    if (binding === undefined) {
      diagnostics.push(undefinedName(id, scope))
      return
    }
    bindingOf.set(id, binding)
    if (usedTooEarly(id, binding, scope)) {
      diagnostics.push(messages.usedTooEarly(span(id), id.name, span(firstGlobal.get(binding)!)))
    }
    if (!asCallee) binding.usedAsValue = true
    if (binding.scope !== undefined && frameOf(binding.scope) !== frameOf(scope)) binding.captured = true
    noteCapture(binding, scope)
  }

  function undefinedName(id: Identifier, scope: Scope): Diagnostic {
    const refused = dialect.strict ? undefined : refusedNames[id.name]
    if (refused) return messages.refusedName(span(id), id.name, refused.reason, refused.instead)
    const close = near(id.name, scope)
    const servers = [...options.members.keys()]
    const isServer = close.length === 0 && servers.length > 0 && file.text[id.end] === '.'
    return isServer
      ? messages.undefinedServer(span(id), id.name, servers)
      : messages.undefinedName(span(id), id.name, close, inDecorator)
  }

  /**
   * Is a global read above its first assignment, on a line that runs once and in its turn? Where globals are assigned once, the specification
   * leaves this to the run; where they are variables, it is a mistake. Python programs may expect the error.
   */
  function usedTooEarly(id: Identifier, binding: Binding, scope: Scope): boolean {
    if (!dialect.strict || !dialect.globalReassign || branches > 0 || binding.scope !== top || frameOf(scope) !== top)
      return false
    const first = firstGlobal.get(binding)
    return first !== undefined && id.end <= first.start
  }

  /** The path of what a name or a chain of attributes stands for in a pre-bound module: `datetime.datetime.now`. */
  function pathOf(e: Expression): string | undefined {
    if (e.kind === 'DotExpr') {
      const inner = pathOf(e.object)
      return inner === undefined ? undefined : `${inner}.${e.name.name}`
    }
    if (e.kind !== 'Identifier') return undefined
    const binding = bindingOf.get(e)
    if (binding === undefined) return undefined
    if (binding.kind === 'universal') return options.modules.has(binding.name) ? binding.name : undefined
    return binding.assignments === 1 ? imported.get(binding) : undefined
  }

  function checkModuleMember(e: DotExpr): void {
    const module = pathOf(e.object)
    if (module === undefined || dialect.strict) return
    const { name } = e.name
    const has = options.modules.get(module)?.includes(name) ?? true
    if (has) usedModules.add(module)
    const refused = refusedMembers[`${module}.${name}`] ?? (has ? undefined : refusedRest[module])
    if (refused !== undefined) {
      diagnostics.push(messages.refusedName(span(e), `${module}.${name}`, refused.reason, refused.instead))
      return
    }
    const members = options.modules.get(module)
    if (
      members === undefined ||
      members.includes(name) ||
      options.modules.has(`${module}.${name}`) ||
      /^__\w+__$/.test(name)
    )
      return
    diagnostics.push(messages.notInModule(span(e.name), module, name, nearestNames(name, members, 2)))
  }

  function checkMember(e: DotExpr): void {
    checkModuleMember(e)
    if (e.object.kind === 'Identifier' && bindingOf.get(e.object)?.kind === 'predeclared')
      checkNamespaceMember(e.object.name, e.name)
  }

  /** A namespace's members are known: a wrong one is said before anything runs. */
  function checkNamespaceMember(namespace: string, { name, ...place }: Identifier): void {
    const members = options.members.get(namespace)
    if (members === undefined || members.includes(name) || /^__\w+__$/.test(name)) return
    diagnostics.push(messages.unknownMember(span(place), namespace, name, nearestNames(name, members, 3)))
  }

  function near(name: string, scope: Scope): string[] {
    if (diagnostics.length >= MOST_SUGGESTIONS) return []
    const visible: string[] = []
    for (let s: Scope | undefined = scope; s !== undefined; s = s.parent) visible.push(...s.bindings.keys())
    return nearestNames(name, [...visible, ...options.predeclared, ...options.universal], 2)
  }

  // ---- first walk: what a block binds, and statements in wrong places -------------------------------------------

  function collectBlock(body: readonly Statement[], scope: Scope, place: Place): void {
    for (const s of body) collectStatement(s, scope, place)
  }

  function controlAtTop(s: Statement, what: string, place: Place): void {
    if (!place.inFunction && !dialect.topLevelControl)
      diagnostics.push(messages.notInFunction(positions.span(s.start, s.start + what.split(' ')[0]!.length), what))
  }

  function collectStatement(s: Statement, scope: Scope, place: Place): void {
    const branch: Place = { ...place, inBranch: true }
    const loop: Place = { ...place, inLoop: true, inBranch: true }
    switch (s.kind) {
      case 'DefStmt': {
        const binding = declare(s.name, scope)
        binding.definition = binding.assignments === 1 && !place.inBranch && !binding.assignedFromInside ? s : undefined
        for (const p of s.parameters) if (p.default) collectExpression(p.default, scope)
        return
      }
      case 'IfStmt':
        controlAtTop(s, 'if statement', place)
        collectExpression(s.test, scope)
        collectBlock(s.body, scope, branch)
        return collectBlock(s.orelse, scope, branch)
      case 'ForStmt':
        controlAtTop(s, 'for loop', place)
        collectExpression(s.iterable, scope)
        collectTarget(s.target, scope)
        collectBlock(s.body, scope, loop)
        return collectBlock(s.orelse, scope, branch)
      case 'WhileStmt':
        if (!dialect.while) diagnostics.push(messages.whileOff(positions.span(s.start, s.start + 5)))
        else controlAtTop(s, 'while loop', place)
        collectExpression(s.test, scope)
        collectBlock(s.body, scope, loop)
        return collectBlock(s.orelse, scope, branch)
      case 'ReturnStmt':
        if (!place.inFunction && dialect.strict) diagnostics.push(messages.returnOutside(span(s)))
        if (scope.kind === 'class') diagnostics.push(messages.returnOutside(span(s)))
        if (s.value) collectExpression(s.value, scope)
        return
      case 'BreakStmt':
      case 'ContinueStmt':
        if (!place.inLoop) diagnostics.push(messages.loopOnly(span(s), s.kind === 'BreakStmt' ? 'break' : 'continue'))
        return
      case 'PassStmt':
        return
      case 'AssignStmt':
        collectExpression(s.value, scope)
        for (const t of s.targets) collectTarget(t, scope)
        return
      case 'AugmentedAssignStmt':
        collectExpression(s.value, scope)
        return collectTarget(s.target, scope)
      case 'AnnotatedAssignStmt':
        if (s.value) collectExpression(s.value, scope)
        if (s.value || s.target.kind === 'Identifier') collectTarget(s.target, scope)
        return
      case 'ExprStmt':
        return collectExpression(s.expression, scope)
      case 'LoadStmt': {
        if (options.loadable.size === 0) diagnostics.push(messages.loadRefused(span(s)))
        else if (place.inFunction) diagnostics.push(messages.loadPlace(span(s), 'a function'))
        else if (place.inLoop) diagnostics.push(messages.loadPlace(span(s), 'a loop'))
        else if (place.inBranch) diagnostics.push(messages.loadPlace(span(s), 'a conditional'))
        for (const b of s.bindings) {
          if (options.loadable.size > 0) checkLoadName(s.module.value, b.original, b.local)
          declare(b.local, scope)
        }
        return
      }
      case 'ImportStmt':
        for (const n of s.names) {
          const binding = declare(n.alias ?? n.path[0]!, scope)
          imported.set(binding, n.alias ? n.path.map((p) => p.name).join('.') : n.path[0]!.name)
        }
        return
      case 'ImportFromStmt':
        if (s.star && scope === top) nameAll(s)
        for (const n of s.names) {
          const binding = declare(n.alias ?? n.name, scope)
          imported.set(binding, `${s.path.map((p) => p.name).join('.')}.${n.name.name}`)
        }
        return
      case 'TryStmt':
        collectBlock(s.body, scope, branch)
        for (const h of s.handlers) {
          if (h.name) declare(h.name, scope)
          if (h.type) collectExpression(h.type, scope)
          collectBlock(h.body, scope, branch)
        }
        collectBlock(s.orelse, scope, branch)
        return collectBlock(s.finalbody, scope, branch)
      case 'RaiseStmt':
        if (s.exception) collectExpression(s.exception, scope)
        if (s.cause) collectExpression(s.cause, scope)
        return
      case 'AssertStmt':
        collectExpression(s.test, scope)
        if (s.message) collectExpression(s.message, scope)
        return
      case 'DelStmt':
        for (const t of s.targets) collectTarget(t, scope)
        return
      case 'GlobalStmt':
        for (const id of s.names) takeElsewhere(id, scope, 'global')
        return
      case 'NonlocalStmt':
        for (const id of s.names) takeElsewhere(id, scope, 'nonlocal')
        return
      case 'WithStmt':
        for (const item of s.items) {
          collectExpression(item.context, scope)
          if (item.target) collectTarget(item.target, scope)
        }
        return collectBlock(s.body, scope, branch)
      case 'ClassStmt': {
        declare(s.name, scope)
        return
      }
    }
  }

  /** `from math import *` is written out: the names of pre-bound modules are known. */
  function nameAll(s: Statement & { kind: 'ImportFromStmt' }): void {
    const members = options.modules.get(s.path.map((p) => p.name).join('.')) ?? []
    for (const name of members) {
      if (!name.startsWith('_')) s.names.push({ name: { kind: 'Identifier', start: s.start, end: s.end, name } })
    }
  }

  function checkLoadName(module: string, original: string, local: Identifier): void {
    if (original === '') diagnostics.push(messages.loadName(span(local), 'load: empty identifier'))
    else if (original.startsWith('_')) {
      diagnostics.push(
        messages.loadName(span(local), `load: names with leading underscores are not exported: ${original}`),
      )
    } else {
      const names = options.loadable.get(module)
      if (names !== undefined && !names.includes(original))
        diagnostics.push(messages.notInModule(span(local), module, original, nearestNames(original, names, 2)))
    }
  }

  function takeElsewhere(id: Identifier, scope: Scope, word: 'global' | 'nonlocal'): void {
    if (scope.bindings.has(id.name)) diagnostics.push(messages.scopeAfterUse(span(id), id.name, word))
    if (word === 'global') {
      if (scope === top) return
      let binding = top.bindings.get(id.name)
      if (binding === undefined) {
        binding = newBinding(id.name, 'global', top)
        binding.shadowed = outside(id.name)
        top.bindings.set(id.name, binding)
      }
      scope.elsewhere.set(id.name, binding)
      binding.captured = true
      return
    }
    for (let s = scope.parent; s !== undefined && s.kind !== 'file'; s = s.parent) {
      const found = s.kind === 'class' ? undefined : (s.elsewhere.get(id.name) ?? s.bindings.get(id.name))
      if (found !== undefined) {
        scope.elsewhere.set(id.name, found)
        found.captured = true
        return
      }
    }
    diagnostics.push(messages.nonlocalUnknown(span(id), id.name))
  }

  function collectTarget(t: Expression, scope: Scope): void {
    switch (t.kind) {
      case 'Identifier':
        declare(t, scope)
        return
      case 'ParenExpr':
        return collectTarget(t.expression, scope)
      case 'StarredExpr':
        return collectTarget(t.value, scope)
      case 'TupleExpr':
      case 'ListExpr':
        for (const e of t.elements) collectTarget(e, scope)
        return
      default:
        return collectExpression(t, scope)
    }
  }

  /** `:=` binds in the block around; everything else in an expression binds nothing. */
  function collectExpression(e: Expression, scope: Scope): void {
    if (dialect.strict) return
    forEachNamed(e, (id) => {
      declare(id, scope)
    })
  }

  // ---- second walk: what names mean -----------------------------------------------------------------------------

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
        resolveBranch(s.body, scope)
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
        if (!dialect.strict) for (const n of s.names) importModule(s, n.path, n.alias)
        return
      case 'ImportFromStmt':
        return dialect.strict ? undefined : importNames(s)
      case 'TryStmt':
        if (s.handlers.some(expectsImportError)) importsMayFail++
        resolveBlock(s.body, scope)
        if (s.handlers.some(expectsImportError)) importsMayFail--
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
        const inner = newScope('class', s, scope)
        collectBlock(s.body, inner, { inFunction: false, inLoop: false, inBranch: false })
        return resolveBlock(s.body, inner)
      }
      case 'LoadStmt':
      case 'BreakStmt':
      case 'ContinueStmt':
      case 'PassStmt':
      case 'GlobalStmt':
      case 'NonlocalStmt':
        return
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
    if (e.kind === 'Identifier') return lookUp(e.name, scope) !== undefined
    if (e.kind === 'DotExpr') return namesTypes(e.object, scope)
    return e.kind === 'BinaryExpr' && namesTypes(e.left, scope) && namesTypes(e.right, scope)
  }

  function importModule(s: Statement, path: readonly Identifier[], alias: Identifier | undefined): void {
    const name = path.map((p) => p.name).join('.')
    const first = path[0]!
    if (!knownModule(s, name, positions.span(first.start, path[path.length - 1]!.end))) return
    outside(alias ? name : first.name)
  }

  function knownModule(s: Statement, name: string, at: Span): boolean {
    if (refusedUnused.has(name)) imports.push([name, at])
    if (options.modules.has(name) || options.predeclared.has(name)) return true
    if (importsMayFail > 0) {
      missing.set(s, name)
      return false
    }
    refuseImport(name, at)
    return false
  }

  function refuseImport(name: string, at: Span): void {
    const refused = refusedModules[name] ?? refusedModules[name.split('.')[0]!]
    diagnostics.push(
      refused
        ? messages.importRefused(at, name, refused.reason, refused.instead)
        : messages.importUnknown(at, name, nearestNames(name, [...options.modules.keys(), ...options.predeclared], 2)),
    )
  }

  function importNames(s: Statement & { kind: 'ImportFromStmt' }): void {
    const name = s.path.map((p) => p.name).join('.')
    const at = s.path.length > 0 ? positions.span(s.path[0]!.start, s.path[s.path.length - 1]!.end) : span(s)
    if (name === '__future__') return
    if (s.level > 0 || !knownModule(s, name, at)) {
      if (s.level > 0) diagnostics.push(messages.importUnknown(at, `${'.'.repeat(s.level)}${name}`, []))
      return
    }
    if (s.star && s.names.length === 0) {
      diagnostics.push(messages.importStar(at, name))
      return
    }
    outside(name)
    const members = options.modules.get(name)
    for (const n of s.names) {
      checkNamespaceMember(name, n.name)
      const refused = refusedMembers[`${name}.${n.name.name}`]
      if (refused !== undefined || (members !== undefined && !members.includes(n.name.name))) {
        diagnostics.push(
          refused
            ? messages.refusedName(span(n.name), `${name}.${n.name.name}`, refused.reason, refused.instead)
            : messages.notInModule(span(n.name), name, n.name.name, nearestNames(n.name.name, members ?? [], 2)),
        )
      }
    }
  }

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
    const inner = newScope('function', fn, scope)
    for (const p of fn.parameters) if (p.name) declare(p.name, inner, 'parameter')
    // The names of the blocks around are complete only when those have been walked to their end.
    deferred.push(() => {
      if (fn.kind === 'LambdaExpr') {
        collectExpression(fn.body, inner)
        resolveExpression(fn.body, inner)
      } else {
        collectBlock(fn.body, inner, { inFunction: true, inLoop: false, inBranch: false })
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
        ? bindingOf.get(callee)?.kind === 'universal' && consumers.has(callee.name)
        : callee.kind === 'DotExpr' && callee.name.name === 'join' && callee.object.kind === 'StringLiteral'
    if (takes) consumed.add(first.value)
  }

  function resolveComprehension(c: Comprehension, scope: Scope): void {
    const isLazy = c.form === 'generator' && !dialect.strict && !consumed.has(c)
    if (isLazy) {
      lazy.add(c)
      forEachNamed(c, (id) => {
        const binding = bindingOf.get(id)
        if (binding !== undefined) binding.assignedFromInside = binding.captured = true
      })
    }
    const inner = newScope(isLazy ? 'function' : 'comprehension', c, scope)
    // One block for all clauses: a variable of a later clause is meant in an earlier one too. The first iterable stands outside.
    for (const clause of c.clauses) if (clause.kind === 'ForClause') collectTarget(clause.target, inner)
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
        return resolveArguments(e.arguments, scope)
      case 'DotExpr':
        resolveExpression(e.object, scope)
        return checkMember(e)
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
        if (frameOf(scope).kind !== 'function') diagnostics.push(messages.yieldOutside(span(e)))
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

/** Calls `found` for the target of every `:=` in an expression that binds in the block around it: not those inside a lambda. */
function forEachNamed(e: Expression, found: (id: Identifier) => void): void {
  const walk = (x: Expression | undefined): void => {
    if (x === undefined) return
    switch (x.kind) {
      case 'NamedExpr':
        found(x.target)
        return walk(x.value)
      case 'FString':
        for (const part of x.parts) if (typeof part !== 'string') walk(part.expression)
        return
      case 'ListExpr':
      case 'TupleExpr':
      case 'SetExpr':
        return x.elements.forEach(walk)
      case 'DictExpr':
        for (const entry of x.entries) {
          walk(entry.key)
          walk(entry.value)
        }
        return
      case 'Comprehension':
        walk(x.element)
        walk(x.value)
        for (const c of x.clauses) walk(c.kind === 'IfClause' ? c.test : c.iterable)
        return
      case 'CondExpr':
        walk(x.test)
        walk(x.body)
        return walk(x.orelse)
      case 'UnaryExpr':
        return walk(x.operand)
      case 'BinaryExpr':
      case 'LogicalExpr': {
        let left: Expression = x
        while (left.kind === 'BinaryExpr' || left.kind === 'LogicalExpr') {
          walk(left.right)
          left = left.left
        }
        return walk(left)
      }
      case 'CompareExpr':
        walk(x.left)
        for (const r of x.rest) walk(r.operand)
        return
      case 'CallExpr':
        walk(x.callee)
        for (const a of x.arguments) walk(a.value)
        return
      case 'DotExpr':
        return walk(x.object)
      case 'IndexExpr':
        walk(x.object)
        return walk(x.index)
      case 'SliceExpr':
        walk(x.object)
        walk(x.lower)
        walk(x.upper)
        return walk(x.step)
      case 'YieldExpr':
        return walk(x.value)
      case 'StarredExpr':
      case 'AwaitExpr':
        return walk(x.value)
      case 'ParenExpr':
        return walk(x.expression)
      default:
        return
    }
  }
  walk(e)
}
