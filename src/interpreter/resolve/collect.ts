// The first walk over a block: which names it binds, and which statements stand where they must not. Knows no uses of names.
// Invariant: when a block has been collected, every name that it binds has its binding.

import { namesBoundBy } from '../syntax/inside-patterns.js'
import type { Expression, Statement } from '../syntax/nodes.js'
import { messages } from './messages.js'
import type { Mistakes } from './mistakes.js'
import type { Modules } from './modules.js'
import { forEachNamed } from './named-expressions.js'
import type { Names } from './names.js'
import type { ResolveOptions } from './options.js'
import type { Scope } from './scope.js'

export interface Place {
  readonly inFunction: boolean
  readonly inLoop: boolean
  readonly inBranch: boolean
}

function inBranch(place: Place): Place {
  return place.inBranch ? place : { ...place, inBranch: true }
}

function inLoop(place: Place): Place {
  return place.inLoop && place.inBranch ? place : { ...place, inLoop: true, inBranch: true }
}

export class Collector {
  readonly #options: ResolveOptions
  readonly #names: Names
  readonly #modules: Modules
  readonly #mistakes: Mistakes

  constructor(options: ResolveOptions, names: Names, modules: Modules, mistakes: Mistakes) {
    this.#options = options
    this.#names = names
    this.#modules = modules
    this.#mistakes = mistakes
  }

  block(body: readonly Statement[], scope: Scope, place: Place): void {
    for (const s of body) this.#statement(s, scope, place)
  }

  #controlAtTop(s: Statement, what: string, place: Place): void {
    if (!place.inFunction && !this.#options.dialect.topLevelControl)
      this.#mistakes.add(
        messages.notInFunction(
          this.#mistakes.span({ start: s.start, end: s.start + what.split(' ')[0]!.length }),
          what,
        ),
      )
  }

  #statement(s: Statement, scope: Scope, place: Place): void {
    switch (s.kind) {
      case 'DefStmt': {
        const binding = this.#names.declare(s.name, scope)
        binding.definition = binding.assignments === 1 && !place.inBranch && !binding.assignedFromInside ? s : undefined
        for (const p of s.parameters) if (p.default) this.expression(p.default, scope)
        return
      }
      case 'IfStmt':
        this.#controlAtTop(s, 'if statement', place)
        this.expression(s.test, scope)
        this.block(s.body, scope, inBranch(place))
        return this.block(s.orelse, scope, inBranch(place))
      case 'ForStmt':
        this.#controlAtTop(s, 'for loop', place)
        this.expression(s.iterable, scope)
        this.target(s.target, scope)
        this.block(s.body, scope, inLoop(place))
        return this.block(s.orelse, scope, inBranch(place))
      case 'WhileStmt':
        if (!this.#options.dialect.while)
          this.#mistakes.add(messages.whileOff(this.#mistakes.span({ start: s.start, end: s.start + 5 })))
        else this.#controlAtTop(s, 'while loop', place)
        this.expression(s.test, scope)
        this.block(s.body, scope, inLoop(place))
        return this.block(s.orelse, scope, inBranch(place))
      case 'ReturnStmt':
        if (!place.inFunction && this.#options.dialect.strict)
          this.#mistakes.add(messages.returnOutside(this.#mistakes.span(s)))
        if (scope.kind === 'class') this.#mistakes.add(messages.returnOutside(this.#mistakes.span(s)))
        if (s.value) this.expression(s.value, scope)
        return
      case 'BreakStmt':
      case 'ContinueStmt':
        if (!place.inLoop)
          this.#mistakes.add(messages.loopOnly(this.#mistakes.span(s), s.kind === 'BreakStmt' ? 'break' : 'continue'))
        return
      case 'PassStmt':
        return
      case 'AssignStmt':
        this.expression(s.value, scope)
        for (const t of s.targets) this.target(t, scope)
        return
      case 'AugmentedAssignStmt':
        this.expression(s.value, scope)
        return this.target(s.target, scope)
      case 'AnnotatedAssignStmt':
        if (s.value) this.expression(s.value, scope)
        if (s.value || s.target.kind === 'Identifier') this.target(s.target, scope)
        return
      case 'ExprStmt':
        return this.expression(s.expression, scope)
      case 'LoadStmt': {
        if (this.#options.loadable.size === 0) this.#mistakes.add(messages.loadRefused(this.#mistakes.span(s)))
        else if (place.inFunction) this.#mistakes.add(messages.loadPlace(this.#mistakes.span(s), 'a function'))
        else if (place.inLoop) this.#mistakes.add(messages.loadPlace(this.#mistakes.span(s), 'a loop'))
        else if (place.inBranch) this.#mistakes.add(messages.loadPlace(this.#mistakes.span(s), 'a conditional'))
        for (const b of s.bindings) {
          if (this.#options.loadable.size > 0) this.#modules.checkLoadName(s.module.value, b.original, b.local)
          this.#names.declare(b.local, scope)
        }
        return
      }
      case 'ImportStmt':
        for (const n of s.names) {
          const binding = this.#names.declare(n.alias ?? n.path[0]!, scope)
          this.#modules.bind(binding, n.alias ? n.path.map((p) => p.name).join('.') : n.path[0]!.name)
        }
        return
      case 'ImportFromStmt':
        if (s.star && scope === this.#names.top) this.#modules.nameAll(s)
        for (const n of s.names) {
          const binding = this.#names.declare(n.alias ?? n.name, scope)
          this.#modules.bind(binding, `${s.path.map((p) => p.name).join('.')}.${n.name.name}`)
        }
        return
      case 'TryStmt':
        this.block(s.body, scope, inBranch(place))
        for (const h of s.handlers) {
          if (h.name) this.#names.declare(h.name, scope)
          if (h.type) this.expression(h.type, scope)
          this.block(h.body, scope, inBranch(place))
        }
        this.block(s.orelse, scope, inBranch(place))
        return this.block(s.finalbody, scope, inBranch(place))
      case 'RaiseStmt':
        if (s.exception) this.expression(s.exception, scope)
        if (s.cause) this.expression(s.cause, scope)
        return
      case 'AssertStmt':
        this.expression(s.test, scope)
        if (s.message) this.expression(s.message, scope)
        return
      case 'DelStmt':
        for (const t of s.targets) this.target(t, scope)
        return
      case 'GlobalStmt':
        for (const id of s.names) this.#names.takeElsewhere(id, scope, 'global')
        return
      case 'NonlocalStmt':
        for (const id of s.names) this.#names.takeElsewhere(id, scope, 'nonlocal')
        return
      case 'WithStmt':
        for (const item of s.items) {
          this.expression(item.context, scope)
          if (item.target) this.target(item.target, scope)
        }
        return this.block(s.body, scope, inBranch(place))
      case 'ClassStmt': {
        this.#names.declare(s.name, scope)
        return
      }
      case 'MatchStmt':
        this.#controlAtTop(s, 'match statement', place)
        this.expression(s.subject, scope)
        for (const { pattern, guard, body } of s.cases) {
          for (const name of namesBoundBy(pattern)) this.#names.declare(name, scope)
          if (guard) this.expression(guard, scope)
          this.block(body, scope, inBranch(place))
        }
        return
    }
  }

  target(t: Expression, scope: Scope): void {
    switch (t.kind) {
      case 'Identifier':
        this.#names.declare(t, scope)
        return
      case 'ParenExpr':
        return this.target(t.expression, scope)
      case 'StarredExpr':
        return this.target(t.value, scope)
      case 'TupleExpr':
      case 'ListExpr':
        for (const e of t.elements) this.target(e, scope)
        return
      default:
        return this.expression(t, scope)
    }
  }

  /** `:=` binds in the block around; everything else in an expression binds nothing. */
  expression(e: Expression, scope: Scope): void {
    if (this.#options.dialect.strict) return
    forEachNamed(e, (id) => {
      this.#names.declare(id, scope)
    })
  }
}
