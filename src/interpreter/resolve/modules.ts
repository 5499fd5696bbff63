// Import statements, and the known members of modules and namespaces. Knows which modules exist, not what they do.
// Invariant: an unknown module or member is refused here, unless the program expects the failure.

import { nearestNames, type Span } from '../../diagnostics/index.js'
import { isZone, zoneNames } from '../locales/zones.js'
import { noClock, type Refusal } from '../refusals.js'
import type { CallExpr, DotExpr, Expression, Identifier, Statement } from '../syntax/nodes.js'
import { meantTool } from './meant.js'
import { messages } from './messages.js'
import type { Mistakes } from './mistakes.js'
import { moduleNamed } from './module-named.js'
import type { Names } from './names.js'
import type { ResolveOptions } from './options.js'

import { needsMoment, refusedMembers, refusedModules, refusedRest } from './refusals.js'
import type { Binding } from './scope.js'
import { Seeds } from './seeds.js'

/** Modules through which other systems call tools. */
const HOST_MODULES: ReadonlySet<string> = new Set(['mcp', 'mcp.runtime', 'runtime'])

export class Modules {
  /** Imports of unknown modules in places where the program expects the failure. */
  readonly missing = new Map<Statement, string>()
  /** Names that failed imports would bind and that nothing reads. */
  readonly unused = new Set<Identifier>()
  /** The members of modules that imports bind. */
  readonly imported = new Map<Binding, string>()
  /** The number of enclosing `try` statements that expect an import to fail. */
  importsMayFail = 0
  readonly #text: string
  readonly #options: ResolveOptions
  readonly #names: Names
  readonly #mistakes: Mistakes
  /** Names that failed imports would bind. They are refused where they are read. */
  readonly #absent: { readonly bound: readonly Identifier[]; readonly refuse: () => void }[] = []
  /** Names that imports bind to members of modules. */
  readonly #named: (readonly [bound: Identifier, path: string])[] = []
  readonly #seeds = new Seeds()

  constructor(text: string, options: ResolveOptions, names: Names, mistakes: Mistakes) {
    this.#text = text
    this.#options = options
    this.#names = names
    this.#mistakes = mistakes
  }

  /** Records the module or member that an imported name means. */
  bind(binding: Binding, path: string): void {
    this.imported.set(binding, path)
  }

  importModule(s: Statement, path: readonly Identifier[], alias: Identifier | undefined): void {
    const name = path.map((p) => p.name).join('.')
    const first = path[0]!
    const at = this.#mistakes.span({ start: first.start, end: path[path.length - 1]!.end })
    if (!this.#knownModule(s, name, at, [alias ?? first])) return
    this.#names.outside(alias ? name : first.name)
  }

  importNames(s: Statement & { kind: 'ImportFromStmt' }): void {
    const name = s.path.map((p) => p.name).join('.')
    const [first, last] = [s.path[0], s.path[s.path.length - 1]]
    const at = this.#mistakes.span(first && last ? { start: first.start, end: last.end } : s)
    if (name === '__future__') return
    const bound = s.names.map((n) => n.alias ?? n.name)
    if (s.level > 0 || !this.#knownModule(s, name, at, bound)) {
      if (s.level > 0) this.#mistakes.add(messages.importUnknown(at, `${'.'.repeat(s.level)}${name}`, []))
      return
    }
    if (s.star && s.names.length === 0) {
      this.#mistakes.add(messages.importStar(at, name))
      return
    }
    this.#names.outside(name)
    const members = this.#options.modules.get(name)
    for (const n of s.names) {
      this.checkNamespaceMember(name, n.name)
      const path = `${name}.${n.name.name}`
      const known = members === undefined || members.includes(n.name.name)
      if (!known || this.#refusalOf(path) !== undefined)
        this.#absent.push({ bound: [n.alias ?? n.name], refuse: () => this.#refuseMember(name, n.name, members) })
      else this.#named.push([n.alias ?? n.name, path])
    }
  }

  /** Expands `from math import *`: the names of pre-bound modules are known. */
  nameAll(s: Statement & { kind: 'ImportFromStmt' }): void {
    const members = this.#options.modules.get(s.path.map((p) => p.name).join('.')) ?? []
    for (const name of members) {
      if (!name.startsWith('_')) s.names.push({ name: { kind: 'Identifier', start: s.start, end: s.end, name } })
    }
  }

  checkLoadName(module: string, original: string, local: Identifier): void {
    if (original === '') this.#mistakes.add(messages.loadName(this.#mistakes.span(local), 'load: empty identifier'))
    else if (original.startsWith('_')) {
      this.#mistakes.add(
        messages.loadName(
          this.#mistakes.span(local),
          `load: names with leading underscores are not exported: ${original}`,
        ),
      )
    } else {
      const names = this.#options.loadable.get(module)
      if (names !== undefined && !names.includes(original))
        this.#mistakes.add(
          messages.notInModule(this.#mistakes.span(local), module, original, nearestNames(original, names, 2)),
        )
    }
  }

  checkMember(e: DotExpr): void {
    this.#checkModuleMember(e)
    this.#checkBuiltinMember(e)
    if (e.object.kind === 'Identifier' && this.#names.bindingOf.get(e.object)?.kind === 'predeclared')
      this.checkNamespaceMember(e.object.name, e.name)
  }

  /** Refuses functions that ask for the time of day when they get no moment. */
  checkCall(e: CallExpr): void {
    const path = this.#pathOf(e.callee)
    if (path !== undefined && e.arguments.length === 0) this.#seeds.callEmpty(path)
    if (path === 'zoneinfo.ZoneInfo') this.#checkZone(e)
    const wanted = path === undefined ? undefined : needsMoment[path]
    if (wanted === undefined || e.arguments.length >= wanted || e.arguments.some((a) => a.form !== 'positional')) return
    if (this.#options.dialect.clock) return
    this.#mistakes.add(
      messages.refusedName(this.#mistakes.span(e), `${path} without a moment`, noClock.reason, noClock.instead),
    )
  }

  #checkZone(e: CallExpr): void {
    const key = e.arguments[0]?.value
    if (key?.kind !== 'StringLiteral' || isZone(key.value)) return
    this.#mistakes.add(
      messages.unknownZone(this.#mistakes.span(key), key.value, nearestNames(key.value, zoneNames(), 2)),
    )
  }

  /** Reports a wrong member of a namespace before the run, because the members are known. */
  checkNamespaceMember(namespace: string, { name, ...place }: Identifier): void {
    const members = this.#options.members.get(namespace)
    if (members === undefined || members.includes(name) || /^__\w+__$/.test(name)) return
    this.#mistakes.add(
      messages.unknownMember(this.#mistakes.span(place), namespace, name, nearestNames(name, members, 3)),
    )
  }

  /** The expression for the tool that this expression probably means. */
  toolMeantAt({ start }: { readonly start: number }): string | undefined {
    if (this.#mistakes.tooManyToSuggest || this.#options.dialect.strict) return undefined
    return meantTool(this.#text, start, this.#options.members, (name) => this.#options.methods.has(name))
  }

  /** Must be called after the walk over the whole program. */
  refuseUnused(): void {
    for (const { bound, refuse } of this.#absent) {
      if (bound.length === 0 || bound.some((id) => this.#isRead(id))) refuse()
      else for (const id of bound) this.unused.add(id)
    }
    for (const [id, path] of this.#named) if (this.#isRead(id)) this.#seeds.name(path, this.#mistakes.span(id))
    if (!this.#options.dialect.random) this.#seeds.refuse(this.#mistakes)
  }

  /** True if the name is used anywhere besides its binding. */
  #isRead(id: Identifier): boolean {
    const binding = this.#names.bindingOf.get(id)
    return binding === undefined || binding.from < id.start || binding.to > id.end
  }

  #knownModule(s: Statement, name: string, at: Span, bound: readonly Identifier[]): boolean {
    const { modules, predeclared, dialect } = this.#options
    if (predeclared.has(name) || (modules.has(name) && (name !== 'memory' || dialect.memory))) return true
    if (this.importsMayFail > 0) {
      this.missing.set(s, name)
      return false
    }
    this.#absent.push({ bound, refuse: () => this.#refuseImport(name, at) })
    return false
  }

  #refuseImport(name: string, at: Span): void {
    const refused = refusedModules[name] ?? refusedModules[name.split('.')[0]!]
    this.#mistakes.add(
      refused
        ? messages.importRefused(at, name, refused.reason, refused.instead)
        : messages.importUnknown(
            at,
            name,
            nearestNames(name, [...this.#options.modules.keys(), ...this.#options.predeclared], 2),
          ),
    )
  }

  /** Why a member of a module is refused; undefined if it is not. */
  #refusalOf(path: string): Refusal | undefined {
    const refused = refusedMembers[path] ?? refusedMembers[`${path.slice(0, path.lastIndexOf('.'))}.*`]
    return refused?.unless !== undefined && this.#options.dialect[refused.unless] ? undefined : refused
  }

  #refuseMember(module: string, { name, ...place }: Identifier, members: readonly string[] = []): void {
    const at = this.#mistakes.span(place)
    if (this.#refuseTool(module, name, at)) return
    const refused = this.#refusalOf(`${module}.${name}`) ?? refusedRest[module]
    this.#mistakes.add(
      refused
        ? messages.refusedName(at, `${module}.${name}`, refused.reason, refused.instead)
        : messages.notInModule(at, module, name, nearestNames(name, members, 2)),
    )
  }

  /**
   * A server with the name of a module or a builtin has another name here. Returns true, with the mistake reported, if
   * the expression asks for a tool of such a server.
   */
  #refuseTool(name: string, tool: string, at: Span): boolean {
    const server = [...this.#options.members.keys()].find(
      (one) => one.startsWith(`${name}_`) && /^_(_\d+)?$/.test(one.slice(name.length)),
    )
    if (server === undefined || !this.#options.members.get(server)!.includes(tool)) return false
    this.#mistakes.add(messages.toolOfServer(at, name, tool, server))
    return true
  }

  /** A builtin has no members except the methods of its type. */
  #checkBuiltinMember({ object, name, ...place }: DotExpr): void {
    const binding = object.kind === 'Identifier' ? this.#names.bindingOf.get(object) : undefined
    if (binding?.kind !== 'universal' || this.#options.modules.has(binding.name)) return
    if (!this.#options.methods.has(name.name)) this.#refuseTool(binding.name, name.name, this.#mistakes.span(place))
  }

  #checkModuleMember(e: DotExpr): void {
    const module = this.#pathOf(e.object)
    if (module === undefined) return
    const { name } = e.name
    if (!this.#options.modules.get(module)?.includes(name) && this.#refuseTool(module, name, this.#mistakes.span(e)))
      return
    if (this.#options.dialect.strict) return
    const has = this.#options.modules.get(module)?.includes(name) ?? true
    this.#seeds.name(`${module}.${name}`, this.#mistakes.span(e))
    const refused = this.#refusalOf(`${module}.${name}`) ?? (has ? undefined : refusedRest[module])
    if (refused !== undefined) {
      this.#mistakes.add(
        messages.refusedName(this.#mistakes.span(e), `${module}.${name}`, refused.reason, refused.instead),
      )
      return
    }
    const members = this.#options.modules.get(module)
    if (
      members === undefined ||
      members.includes(name) ||
      this.#options.modules.has(`${module}.${name}`) ||
      /^__\w+__$/.test(name)
    )
      return
    const near = this.#options.predeclared.has(name) ? [name] : nearestNames(name, members, 2)
    const tool = HOST_MODULES.has(module) ? this.toolMeantAt(e) : undefined
    this.#mistakes.add(messages.notInModule(this.#mistakes.span(e.name), module, name, near, tool))
  }

  /** The path that an expression means in a pre-bound module: `datetime.datetime.now`. */
  #pathOf(e: Expression): string | undefined {
    if (e.kind === 'DotExpr') {
      const inner = this.#pathOf(e.object)
      return inner === undefined ? undefined : `${inner}.${e.name.name}`
    }
    // An object from `Path(…)` has the methods of the class.
    if (e.kind === 'CallExpr') {
      const made = this.#pathOf(e.callee)
      return made === 'pathlib.Path' ? made : undefined
    }
    return moduleNamed(e, { bindingOf: this.#names.bindingOf, imported: this.imported }, this.#options.modules)
  }
}
