// Finds the host functions that a program can call. Every mention of a namespace counts: a named member is reachable,
// and if the namespace goes anywhere else (into a list, a call, a variable with several assignments), all its members
// are. Knows names, not values.
// Invariant: every function that a run can call is in the result, or its namespace is, or the result is `all`.

import type { Foreign } from '../namespaces.js'
import type { Reach } from '../program.js'
import type { CallExpr, Expression, File, Identifier, Statement } from '../syntax/nodes.js'
import { forEachExpression, forEachStatement } from '../syntax/walk.js'
import { type ReachByName, reachByName } from './by-name.js'
import type { Binding, Resolution } from './scope.js'

/** Builtins that inspect a value and do not keep it. */
const ONLOOKERS = ['hasattr', 'dir', 'help', 'type', 'print', 'repr', 'str', 'bool', 'callable', 'isinstance', 'id']

export function reachOf(file: File, resolution: Resolution, foreign: Foreign): Reach {
  const given = [...resolution.outside].filter(({ kind }) => kind === 'predeclared')
  if (given.some(({ name }) => !foreign.has(name))) return { tools: [], widened: 'all' }
  const byName = reachByName(file, resolution, foreign)
  if (byName === 'all') return { tools: [], widened: 'all' }
  return given.length === 0 ? byName : new Mentions(file, resolution, foreign, byName).reach()
}

class Mentions {
  readonly #resolution: Resolution
  readonly #foreign: Foreign
  readonly #tools = new Map<string, { namespace: string; member: string }>()
  readonly #widened = new Set<string>()
  /** Variables that are further names for a namespace. */
  readonly #aliases = new Map<Binding, string>()
  /** Mentions of a namespace that do not pass it on. */
  readonly #seen = new Set<Expression>()

  constructor(file: File, resolution: Resolution, foreign: Foreign, byName: ReachByName) {
    this.#resolution = resolution
    this.#foreign = foreign
    for (const { namespace, member } of byName.tools) this.#member(namespace, member)
    for (const namespace of byName.widened) this.#widened.add(namespace)
    for (let found = -1; found < this.#aliases.size; ) {
      found = this.#aliases.size
      forEachStatement(file.body, (s) => this.#names(s))
    }
    forEachExpression(file.body, (e) => this.#uses(e))
  }

  reach(): Reach {
    const tools = [...this.#tools.values()].filter(({ namespace }) => !this.#widened.has(namespace))
    return { tools, widened: [...this.#widened].sort() }
  }

  /** Handles statements that give a namespace, or a function in one, a further name. */
  #names(s: Statement): void {
    const nameOf = (path: readonly Identifier[]): string => path.map((p) => p.name).join('.')
    if (s.kind === 'AssignStmt') {
      const namespace = this.#namespaceOf(s.value)
      if (namespace === undefined) return
      const named = s.targets.filter((t) => t.kind === 'Identifier' && this.#alias(t, namespace))
      for (const t of named) this.#pass(t)
      if (named.length === s.targets.length) this.#pass(s.value)
    } else if (s.kind === 'ImportStmt') {
      for (const { path, alias } of s.names) {
        const name = nameOf(path)
        if (this.#foreign.has(name) && !this.#alias(alias ?? path[0]!, name)) this.#widened.add(name)
      }
    } else if (s.kind === 'ImportFromStmt') {
      const name = nameOf(s.path)
      if (this.#foreign.has(name)) for (const n of s.names) this.#member(name, n.name.name)
    }
  }

  #uses(e: Expression): void {
    if (e.kind === 'CallExpr') return this.#call(e)
    if (e.kind === 'DotExpr') {
      const namespace = this.#namespaceOf(e.object)
      if (namespace === undefined) return
      this.#member(namespace, e.name.name)
      this.#pass(e.object)
    } else if (e.kind === 'Identifier' && !this.#seen.has(e)) {
      const namespace = this.#namespaceOf(e)
      if (namespace !== undefined) this.#widened.add(namespace)
    }
  }

  #call({ callee, arguments: args }: CallExpr): void {
    if (callee.kind !== 'Identifier' || this.#resolution.bindingOf.get(callee)?.kind !== 'universal') return
    const [first, second] = args
    const namespace = first?.form === 'positional' ? this.#namespaceOf(first.value) : undefined
    if (namespace === undefined) return
    if (callee.name === 'getattr') {
      const isNamed = second?.form === 'positional' && second.value.kind === 'StringLiteral'
      if (isNamed) this.#member(namespace, second.value.value)
      else this.#widened.add(namespace)
    } else if (!ONLOOKERS.includes(callee.name)) return
    this.#pass(first!.value)
  }

  #namespaceOf(e: Expression): string | undefined {
    if (e.kind === 'ParenExpr') return this.#namespaceOf(e.expression)
    const binding = e.kind === 'Identifier' ? this.#resolution.bindingOf.get(e) : undefined
    if (binding === undefined) return undefined
    const isGiven = binding.kind === 'predeclared' && this.#foreign.has(binding.name)
    return isGiven ? binding.name : this.#aliases.get(binding)
  }

  #member(namespace: string, name: string): void {
    const fn = this.#foreign.get(namespace)?.get(name)
    if (fn !== undefined) this.#tools.set(`${namespace}.${fn.name}`, { namespace, member: fn.name })
    else if (/^__\w+__$/.test(name) && name !== '__name__') this.#widened.add(namespace)
  }

  #pass(e: Expression): void {
    this.#seen.add(e)
    if (e.kind === 'ParenExpr') this.#pass(e.expression)
  }

  /** Records a further name for a namespace. Returns false if the name can mean something else, too. */
  #alias(id: Identifier, namespace: string): boolean {
    const binding = this.#resolution.bindingOf.get(id)
    if (binding === undefined || binding.assignments !== 1 || binding.scope?.kind === 'class') return false
    this.#aliases.set(binding, namespace)
    return true
  }
}
