// The first walk over a block: finds the names that the block binds, and refuses misplaced statements. Does not look at
// uses of names. Invariant: when a block has been collected, every name that it binds has its binding.

import type { Expression, File, Identifier, LoadStmt, Statement } from '../syntax/nodes.js'
import { eachBlock, eachBound, eachOwn, eachTarget } from '../syntax/walk.js'
import { messages } from './messages.js'
import type { Mistakes } from './mistakes.js'
import type { Modules } from './modules.js'
import { forEachNamed } from './named-expressions.js'
import type { Names } from './names.js'
import type { ResolveOptions } from './options.js'
import { programOf, type Scope } from './scope.js'

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
  /** True if the program may contain `:=`. Otherwise expressions bind nothing, and are not walked. */
  readonly #mayName: boolean
  readonly #options: ResolveOptions
  readonly #names: Names
  readonly #modules: Modules
  readonly #mistakes: Mistakes

  constructor({ text }: File, options: ResolveOptions, names: Names, modules: Modules, mistakes: Mistakes) {
    this.#mayName = !options.dialect.strict && text.includes(':=')
    this.#options = options
    this.#names = names
    this.#modules = modules
    this.#mistakes = mistakes
  }

  block(body: readonly Statement[], scope: Scope, place: Place): void {
    for (const s of body) this.#statement(s, scope, place)
  }

  #statement(s: Statement, scope: Scope, place: Place): void {
    this.#judge(s, scope, place)
    if (this.#mayName) eachOwn(s, (e) => this.expression(e, scope))
    if (s.kind === 'ImportFromStmt' && s.star && scope === programOf(scope)) this.#modules.nameAll(s)
    eachBound(s, (id) => this.#names.declare(id, scope))
    this.#note(s, scope, place)
    const inside = s.kind === 'ForStmt' || s.kind === 'WhileStmt' ? inLoop(place) : inBranch(place)
    if (s.kind !== 'DefStmt' && s.kind !== 'ClassStmt')
      eachBlock(s, (body) => this.block(body, scope, 'orelse' in s && body === s.orelse ? inBranch(place) : inside))
  }

  /** Refuses misplaced statements. */
  #judge(s: Statement, scope: Scope, place: Place): void {
    const { dialect } = this.#options
    switch (s.kind) {
      case 'IfStmt':
        return this.#controlAtTop(s, 'if statement', place)
      case 'ForStmt':
        return this.#controlAtTop(s, 'for loop', place)
      case 'MatchStmt':
        return this.#controlAtTop(s, 'match statement', place)
      case 'WhileStmt':
        if (dialect.while) return this.#controlAtTop(s, 'while loop', place)
        return this.#mistakes.add(messages.whileOff(this.#mistakes.span({ start: s.start, end: s.start + 5 })))
      case 'ReturnStmt':
        if (scope.kind === 'class' || (!place.inFunction && dialect.strict))
          this.#mistakes.add(messages.returnOutside(this.#mistakes.span(s)))
        return
      case 'BreakStmt':
      case 'ContinueStmt':
        if (!place.inLoop)
          this.#mistakes.add(messages.loopOnly(this.#mistakes.span(s), s.kind === 'BreakStmt' ? 'break' : 'continue'))
        return
      case 'LoadStmt':
        return this.#judgeLoad(s, place)
      default:
        return
    }
  }

  #controlAtTop(s: Statement, what: string, place: Place): void {
    if (place.inFunction || this.#options.dialect.topLevelControl) return
    const word = { start: s.start, end: s.start + what.split(' ')[0]!.length }
    this.#mistakes.add(messages.notInFunction(this.#mistakes.span(word), what))
  }

  #judgeLoad(s: LoadStmt, place: Place): void {
    const at = this.#mistakes.span(s)
    if (this.#options.loadable.size === 0) return this.#mistakes.add(messages.loadRefused(at))
    const where = place.inFunction ? 'a function' : place.inLoop ? 'a loop' : place.inBranch ? 'a conditional' : ''
    if (where !== '') this.#mistakes.add(messages.loadPlace(at, where))
    for (const b of s.bindings) this.#modules.checkLoadName(s.module.value, b.original, b.local)
  }

  /** Records further facts about the names that a statement has bound. */
  #note(s: Statement, scope: Scope, place: Place): void {
    const { bindingOf } = this.#names
    switch (s.kind) {
      case 'DefStmt': {
        const binding = bindingOf.get(s.name)!
        binding.definition = binding.assignments === 1 && !place.inBranch && !binding.assignedFromInside ? s : undefined
        return
      }
      case 'ImportStmt':
        for (const { path, alias } of s.names)
          this.#modules.bind(bindingOf.get(alias ?? path[0]!)!, alias ? pathText(path) : path[0]!.name)
        return
      case 'ImportFromStmt':
        for (const { name, alias } of s.names)
          this.#modules.bind(bindingOf.get(alias ?? name)!, `${pathText(s.path)}.${name.name}`)
        return
      case 'GlobalStmt':
      case 'NonlocalStmt':
        for (const id of s.names) this.#names.takeElsewhere(id, scope, s.kind === 'GlobalStmt' ? 'global' : 'nonlocal')
        return
      default:
        return
    }
  }

  target(t: Expression, scope: Scope): void {
    eachTarget(t, (single) => {
      if (single.kind === 'Identifier') this.#names.declare(single, scope)
      else this.expression(single, scope)
    })
  }

  /** `:=` binds in the enclosing block. Nothing else in an expression binds a name. */
  expression(e: Expression, scope: Scope): void {
    if (this.#mayName) forEachNamed(e, (id) => this.#names.declare(id, scope))
  }
}

function pathText(path: readonly Identifier[]): string {
  return path.map((part) => part.name).join('.')
}
