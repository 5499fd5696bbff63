// The scopes and bindings of one program while they are built. Knows how names are bound and looked up, but no
// statements. Invariant: every binding has a unique name in generated code.

import type { File, Identifier } from '../syntax/nodes.js'
import { messages } from './messages.js'
import type { Mistakes } from './mistakes.js'
import type { ResolveOptions } from './options.js'
import { type Binding, type BindingKind, programOf, type Scope } from './scope.js'

export class Names {
  readonly bindingOf = new Map<Identifier, Binding>()
  readonly scopeOf = new Map<Scope['node'], Scope>()
  /** The place of each global's first assignment. */
  readonly firstGlobal = new Map<Binding, Identifier>()
  readonly top: Scope
  readonly #options: ResolveOptions
  readonly #mistakes: Mistakes
  readonly #outside = new Map<string, Binding>()
  readonly #jsNames = new Map<string, number>()
  #count = 0

  constructor(file: File, options: ResolveOptions, mistakes: Mistakes) {
    this.#options = options
    this.#mistakes = mistakes
    this.top = this.newScope('file', file, undefined)
  }

  /** The universal and predeclared bindings that the program names. */
  get outsideBindings(): ReadonlySet<Binding> {
    return new Set(this.#outside.values())
  }

  newScope(kind: Scope['kind'], node: Scope['node'], parent: Scope | undefined): Scope {
    const scope: Scope = { kind, node, parent, bindings: new Map(), elsewhere: new Map(), captures: new Set() }
    this.scopeOf.set(node, scope)
    return scope
  }

  /** Records the binding that an identifier means. */
  bind(id: Identifier, binding: Binding): void {
    this.bindingOf.set(id, binding)
    if (id.start < binding.from) binding.from = id.start
    if (id.end > binding.to) binding.to = id.end
  }

  /** The binding of a name at a place that assigns it. */
  declare(id: Identifier, scope: Scope, kind?: BindingKind): Binding {
    const taken = scope.elsewhere.get(id.name)
    if (taken !== undefined) {
      this.bind(id, taken)
      taken.assignments++
      taken.assignedFromInside = true
      taken.captured = true
      this.noteCapture(taken, scope)
      return taken
    }
    let binding = scope.bindings.get(id.name)
    if (binding === undefined) {
      binding = this.#newBinding(id.name, kind ?? (scope.kind === 'file' ? 'global' : 'local'), scope)
      if ((scope.kind === 'file' || scope.kind === 'class') && !this.#options.dialect.strict)
        binding.shadowed = this.outside(id.name)
      scope.bindings.set(id.name, binding)
    } else if (scope.kind === 'file' && !this.#options.dialect.globalReassign) {
      this.#mistakes.add(
        messages.globalReassigned(
          this.#mistakes.span(id),
          id.name,
          this.#mistakes.span(this.firstGlobal.get(binding) ?? id),
        ),
      )
    }
    if (scope.kind === 'file' && !this.firstGlobal.has(binding)) this.firstGlobal.set(binding, id)
    binding.assignments++
    this.bind(id, binding)
    return binding
  }

  /** Makes a name in this scope mean a variable outside it, as `global` and `nonlocal` do. */
  takeElsewhere(id: Identifier, scope: Scope, word: 'global' | 'nonlocal'): void {
    if (scope.bindings.has(id.name)) this.#mistakes.add(messages.scopeAfterUse(this.#mistakes.span(id), id.name, word))
    if (word === 'global') {
      const home = programOf(scope)
      if (scope === home) return
      let binding = home.bindings.get(id.name)
      if (binding === undefined) {
        binding = this.#newBinding(id.name, home === this.top ? 'global' : 'local', home)
        if (home === this.top) binding.shadowed = this.outside(id.name)
        home.bindings.set(id.name, binding)
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
    this.#mistakes.add(messages.nonlocalUnknown(this.#mistakes.span(id), id.name))
  }

  /** The binding of a name of the prelude or the host. */
  outside(name: string): Binding | undefined {
    const found = this.#outside.get(name)
    if (found !== undefined) return found
    const kind = this.#options.predeclared.has(name)
      ? 'predeclared'
      : this.#options.universal.has(name)
        ? 'universal'
        : undefined
    const { set, memory } = this.#options.dialect
    const isOff = (name === 'set' && !set) || (name === 'memory' && kind === 'universal' && !memory)
    if (kind === undefined || isOff) return undefined
    const binding = this.#newBinding(name, kind, undefined)
    this.#outside.set(name, binding)
    return binding
  }

  /** Records the capture in `from` and in every scope between it and the scope of the binding. */
  noteCapture(binding: Binding, from: Scope): void {
    if (binding.scope === undefined) return
    for (let s: Scope | undefined = from; s !== undefined && s !== binding.scope; s = s.parent) s.captures.add(binding)
  }

  /** The meaning of a name in a scope. */
  lookUp(name: string, from: Scope): Binding | undefined {
    for (let s: Scope | undefined = from; s !== undefined; s = s.parent) {
      const found = s.elsewhere.get(name) ?? s.bindings.get(name)
      // The names of a class body are not visible in the functions and comprehensions inside it.
      if (found !== undefined && !(s.kind === 'class' && from !== s)) return found
    }
    return this.outside(name)
  }

  #newBinding(name: string, kind: BindingKind, scope: Scope | undefined): Binding {
    return {
      number: this.#count++,
      name,
      kind,
      js: this.#jsName(name),
      scope,
      assignments: 0,
      assignedFromInside: false,
      captured: false,
      definition: undefined,
      shadowed: undefined,
      usedAsValue: false,
      from: Infinity,
      to: -Infinity,
    }
  }

  #jsName(name: string): string {
    const plain = `v_${name.replace(/[^A-Za-z0-9_]/g, (c) => `$${c.codePointAt(0)!.toString(16)}$`)}`
    const used = this.#jsNames.get(plain) ?? 0
    this.#jsNames.set(plain, used + 1)
    return used === 0 ? plain : `${plain}$${used}`
  }
}
