// Finds the tools that a program calls by names that it may compute: `runtime.call(server, tool, …)` and
// `runtime.servers[server][tool](…)`. A constant name reaches one tool, any other name may reach every tool. Invariant:
// the result contains every tool that a run can call this way, or is `all`.

import { type Foreign, guestNameOf } from '../namespaces.js'
import type { CallExpr, Expression, File } from '../syntax/nodes.js'
import { forEachExpression, unparenthesised } from '../syntax/walk.js'
import { moduleNamed } from './module-named.js'
import type { Resolution } from './scope.js'

/** The meaning of an expression: the module, or one of its two members through which names reach tools. */
type Way = 'module' | 'call' | 'servers'

const WAYS: ReadonlyMap<string, Way> = new Map([
  ['mcp', 'module'],
  ['runtime', 'module'],
  ['mcp.runtime', 'module'],
  ['runtime.call', 'call'],
  ['mcp.runtime.call', 'call'],
  ['runtime.servers', 'servers'],
  ['mcp.runtime.servers', 'servers'],
])

/** True if this calls a tool by name, so that the tool may be one that only reads. */
export function callsByName({ callee }: CallExpr, resolution: Resolution): boolean {
  if (wayOf(callee, resolution) === 'call') return true
  const [tool, server] = [stepOf(callee), stepOf(stepOf(callee)?.object)]
  return tool !== undefined && server !== undefined && wayOf(server.object, resolution) === 'servers'
}

export interface ReachByName {
  readonly tools: readonly { readonly namespace: string; readonly member: string }[]
  readonly widened: readonly string[]
}

export function reachByName(file: File, resolution: Resolution, foreign: Foreign): ReachByName | 'all' {
  if (![...resolution.outside].some(({ name }) => WAYS.get(name) === 'module')) return { tools: [], widened: [] }
  const reached = new NamedReach(resolution, foreign)
  forEachExpression(file.body, (e) => reached.visit(e))
  return reached.isAll ? 'all' : { tools: reached.tools, widened: [...new Set(reached.widened)] }
}

class NamedReach {
  readonly tools: { namespace: string; member: string }[] = []
  readonly widened: string[] = []
  isAll = false
  readonly #resolution: Resolution
  readonly #foreign: Foreign
  /** Expressions that were handled with an outer one. */
  readonly #done = new Set<Expression>()

  constructor(resolution: Resolution, foreign: Foreign) {
    this.#resolution = resolution
    this.#foreign = foreign
  }

  /** Must be called for an outer expression before the ones inside it. */
  visit(e: Expression): void {
    if (this.#done.has(e)) return
    if (e.kind === 'CallExpr' && wayOf(e.callee, this.#resolution) === 'call') return this.#call(e)
    if (this.#step(e)) return
    if (wayOf(e, this.#resolution) !== undefined) this.isAll = true
    else if (e.kind === 'DotExpr' && wayOf(e.object, this.#resolution) === 'module') this.#pass(e.object)
  }

  /** `runtime.call("server", "tool", …)`. */
  #call({ callee, arguments: args }: CallExpr): void {
    const [server, tool] = args.slice(0, 2).map((a) => (a.form === 'positional' ? textOf(a.value) : undefined))
    this.#add(server, tool)
    this.#pass(callee)
  }

  /** `runtime.servers["server"]["tool"]`, or the server alone. */
  #step(e: Expression): boolean {
    const last = stepOf(e)
    if (last === undefined) return false
    const first = stepOf(last.object)
    if (first !== undefined && wayOf(first.object, this.#resolution) === 'servers') {
      this.#add(first.name, last.name)
      this.#pass(last.object)
      this.#pass(first.object)
    } else if (wayOf(last.object, this.#resolution) === 'servers') {
      const server = guestNameOf(last.name, this.#foreign)
      if (server === undefined) this.isAll = true
      else this.widened.push(server)
      this.#pass(last.object)
    } else return false
    return true
  }

  #add(server: string | undefined, tool: string | undefined): void {
    const namespace = guestNameOf(server, this.#foreign)
    if (namespace === undefined) {
      this.isAll = true
      return
    }
    const functions = this.#foreign.get(namespace)!
    const member = guestNameOf(tool, functions)
    if (member === undefined) this.widened.push(namespace)
    else this.tools.push({ namespace, member: functions.get(member)!.name })
  }

  #pass(e: Expression): void {
    this.#done.add(e)
    if (e.kind === 'ParenExpr') this.#pass(e.expression)
    if (e.kind === 'DotExpr') this.#pass(e.object)
  }
}

/** The object and the name in `x.name` and `x["name"]`; the name is undefined if the text does not show it. */
function stepOf(raw: Expression | undefined): { object: Expression; name: string | undefined } | undefined {
  const e = raw && unparenthesised(raw)
  if (e?.kind === 'DotExpr') return { object: e.object, name: e.name.name }
  return e?.kind === 'IndexExpr' ? { object: e.object, name: textOf(e.index) } : undefined
}

function textOf(e: Expression): string | undefined {
  const inner = unparenthesised(e)
  return inner.kind === 'StringLiteral' ? inner.value : undefined
}

function wayOf(e: Expression, resolution: Resolution): Way | undefined {
  const path = pathOf(e, resolution)
  return path === undefined ? undefined : WAYS.get(path)
}

function pathOf(raw: Expression, resolution: Resolution): string | undefined {
  const e = unparenthesised(raw)
  if (e.kind !== 'DotExpr') return moduleNamed(e, resolution, WAYS)
  const inner = pathOf(e.object, resolution)
  return inner === undefined ? undefined : `${inner}.${e.name.name}`
}
