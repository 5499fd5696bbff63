// Where a program itself asks for calls that are underway together: what `parallel` is given, and what `asyncio` waits for. Knows the shapes in which
// programs write that; a call in another shape is made like any other, one after the other.

import { forEachExpression } from '../check/expressions.js'
import type { ForeignNamespace } from '../foreign.js'
import type { Resolution } from '../resolve/index.js'
import type { CallExpr, DefStmt, Expression, File, LambdaExpr } from '../syntax/nodes.js'
import { isKnownFunction } from './known-functions.js'

/** A function is written a second time for its steps; defaults are computed once, so it may have none. */
function canStep(fn: DefStmt | LambdaExpr): boolean {
  const isLater = fn.yields || (fn.kind === 'DefStmt' && fn.isAsync)
  return !isLater && fn.parameters.every((p) => p.form === 'plain' && p.default === undefined)
}

/** Functions of `asyncio` whose arguments are begun and not waited for. */
const STARTERS: ReadonlySet<string> = new Set(['gather', 'create_task', 'ensure_future', 'wait', 'as_completed'])

export class Concurrency {
  readonly #resolution: Resolution
  readonly #tools = new Map<string, Map<string, string>>()
  readonly #stepping = new Set<DefStmt | LambdaExpr>()
  readonly #started = new Set<Expression>()

  constructor(file: File, resolution: Resolution, foreign: readonly ForeignNamespace[]) {
    this.#resolution = resolution
    const used = new Set([...resolution.outside].map(({ name }) => name))
    for (const { name, members } of foreign) {
      if (!used.has(name)) continue
      const names = members.flatMap((m) => [m.name, ...(m.aliases ?? [])].map((alias) => [alias, m.name] as const))
      this.#tools.set(name, new Map(names))
    }
    if (this.#tools.size === 0) return
    forEachExpression(file.body, (e) => {
      if (e.kind === 'CallExpr') this.#call(e)
    })
  }

  /** The tool that a call names, by namespace and the name that is sent. */
  toolOf(e: Expression): readonly [space: string, member: string] | undefined {
    if (e.kind !== 'CallExpr' || e.callee.kind !== 'DotExpr' || e.callee.object.kind !== 'Identifier') return undefined
    const { object, name } = e.callee
    const binding = this.#resolution.bindingOf.get(object)
    const member = binding?.kind === 'predeclared' ? this.#tools.get(binding.name)?.get(name.name) : undefined
    return member === undefined ? undefined : [binding!.name, member]
  }

  /** Is the function given to `parallel`, so that it is to be compiled in steps, too? */
  isStepping(fn: DefStmt | LambdaExpr): boolean {
    return this.#stepping.has(fn)
  }

  /** Is the call of a tool begun where it stands, and waited for later? */
  isStarted(e: Expression): boolean {
    return this.#started.has(e)
  }

  #call({ callee, arguments: args }: CallExpr): void {
    if (callee.kind === 'Identifier') {
      const isOurs = callee.name === 'parallel' && this.#resolution.bindingOf.get(callee)?.kind === 'universal'
      if (isOurs && args[0]?.form === 'positional') this.#steps(args[0].value)
    } else if (callee.kind === 'DotExpr' && STARTERS.has(callee.name.name) && this.#isAsyncio(callee.object))
      for (const a of args) if (a.form === 'positional' || a.form === 'args') this.#start(a.value)
  }

  #steps(e: Expression): void {
    switch (e.kind) {
      case 'LambdaExpr':
        if (canStep(e)) this.#stepping.add(e)
        return
      case 'ParenExpr':
        return this.#steps(e.expression)
      case 'ListExpr':
      case 'TupleExpr':
        for (const x of e.elements) this.#steps(x)
        return
      case 'Comprehension':
        return this.#steps(e.element)
      case 'Identifier': {
        const binding = this.#resolution.bindingOf.get(e)
        const fn = binding !== undefined && isKnownFunction(binding) ? binding.definition : undefined
        if (fn !== undefined && canStep(fn)) this.#stepping.add(fn)
        return
      }
      default:
        return
    }
  }

  #start(e: Expression): void {
    switch (e.kind) {
      case 'CallExpr':
        if (this.toolOf(e) !== undefined) this.#started.add(e)
        return
      case 'ParenExpr':
        return this.#start(e.expression)
      case 'ListExpr':
      case 'TupleExpr':
        for (const x of e.elements) this.#start(x)
        return
      case 'Comprehension':
        return this.#start(e.element)
      default:
        return
    }
  }

  #isAsyncio(e: Expression): boolean {
    if (e.kind !== 'Identifier') return false
    const binding = this.#resolution.bindingOf.get(e)
    // `import asyncio` binds the name to the module that is there anyway.
    return e.name === 'asyncio' && binding !== undefined && binding.assignments <= 1
  }
}
