// Finds calls that a program makes concurrently: the arguments of `parallel`, and awaitables of `asyncio`. Knows the
// usual forms of such calls. A call in another form is made sequentially.

import type { ForeignNamespace } from '../foreign.js'
import { isKnownFunction, type Resolution } from '../resolve/index.js'
import type { CallExpr, DefStmt, Expression, File, LambdaExpr } from '../syntax/nodes.js'
import { forEachExpression, forEachIn, forEachStatement } from '../syntax/walk.js'

/**
 * The methods of executors and of asyncio that run a function concurrently, with its position among their arguments.
 */
const RUNNERS: ReadonlyMap<string, number> = new Map([
  ['map', 0],
  ['submit', 0],
  ['to_thread', 0],
  ['run_in_executor', 1],
])

/** Functions of `asyncio` that start their arguments without waiting for them. */
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

  /** The tool that a call names: the namespace, and the name that is sent. */
  toolOf(e: Expression): readonly [space: string, member: string] | undefined {
    if (e.kind !== 'CallExpr' || e.callee.kind !== 'DotExpr' || e.callee.object.kind !== 'Identifier') return undefined
    const { object, name } = e.callee
    const binding = this.#resolution.bindingOf.get(object)
    const member = binding?.kind === 'predeclared' ? this.#tools.get(binding.name)?.get(name.name) : undefined
    return member === undefined ? undefined : [binding!.name, member]
  }

  /** True if the function is passed to `parallel`. It must then also be compiled in steps. */
  isStepping(fn: DefStmt | LambdaExpr): boolean {
    return this.#stepping.has(fn)
  }

  /** True if the call of a tool starts here and is awaited later. */
  isStarted(e: Expression): boolean {
    return this.#started.has(e)
  }

  #call({ callee, arguments: args }: CallExpr): void {
    if (callee.kind === 'Identifier') {
      const isOurs = callee.name === 'parallel' && this.#resolution.bindingOf.get(callee)?.kind === 'universal'
      if (isOurs && args[0]?.form === 'positional') this.#steps(args[0].value)
      return
    }
    if (callee.kind !== 'DotExpr') return
    const run = args[RUNNERS.get(callee.name.name) ?? args.length]
    if (run?.form === 'positional') this.#steps(run.value)
    if (STARTERS.has(callee.name.name) && this.#isAsyncio(callee.object))
      for (const a of args) if (a.form === 'positional' || a.form === 'args') this.#start(a.value)
  }

  #steps(e: Expression): void {
    eachElement(e, (x) => {
      const fn = x.kind === 'LambdaExpr' ? x : this.#definition(x)
      if (fn !== undefined) this.#step(fn)
    })
  }

  #definition(e: Expression): DefStmt | undefined {
    const binding = e.kind === 'Identifier' ? this.#resolution.bindingOf.get(e) : undefined
    return binding !== undefined && isKnownFunction(binding) ? binding.definition : undefined
  }

  /** Records the function, and the functions of the program that it calls and that call tools. */
  #step(fn: DefStmt | LambdaExpr): void {
    if (this.#stepping.has(fn) || !this.#canStep(fn)) return
    this.#stepping.add(fn)
    for (const { callee } of this.#callsIn(fn)) {
      const called = this.#definition(callee)
      if (called !== undefined && this.#reaches(called, new Set())) this.#step(called)
    }
  }

  /** True if the function can be compiled in steps. A `with` may hold a lock, and no other task may run in its body. */
  #canStep(fn: DefStmt | LambdaExpr): boolean {
    if (fn.yields || (fn.kind === 'DefStmt' && fn.isAsync)) return false
    if (fn.kind === 'LambdaExpr') return true
    let isExclusive = this.#callsIn(fn).some(
      ({ callee }) => callee.kind === 'DotExpr' && callee.name.name === 'acquire',
    )
    forEachStatement(fn.body, (s) => {
      if (s.kind !== 'WithStmt') return
      forEachExpression(s.body, (e) => {
        if (this.toolOf(e) !== undefined || (e.kind === 'CallExpr' && this.#definition(e.callee) !== undefined))
          isExclusive = true
      })
    })
    return !isExclusive
  }

  #callsIn(fn: DefStmt | LambdaExpr): readonly CallExpr[] {
    const calls: CallExpr[] = []
    const note = (e: Expression): void => {
      if (e.kind === 'CallExpr') calls.push(e)
    }
    if (fn.kind === 'DefStmt') forEachExpression(fn.body, note)
    else forEachIn(fn.body, note)
    return calls
  }

  #reaches(fn: DefStmt, seen: Set<DefStmt>): boolean {
    if (seen.has(fn)) return false
    seen.add(fn)
    return this.#callsIn(fn).some((call) => {
      const called = this.#definition(call.callee)
      return this.toolOf(call) !== undefined || (called !== undefined && this.#reaches(called, seen))
    })
  }

  #start(e: Expression): void {
    eachElement(e, (x) => {
      if (x.kind === 'CallExpr' && this.toolOf(x) !== undefined) this.#started.add(x)
    })
  }

  #isAsyncio(e: Expression): boolean {
    if (e.kind !== 'Identifier') return false
    const binding = this.#resolution.bindingOf.get(e)
    // `import asyncio` binds the name to the pre-bound module.
    return e.name === 'asyncio' && binding !== undefined && binding.assignments <= 1
  }
}

/** The elements of a list, tuple or comprehension, or the expression itself. */
function eachElement(e: Expression, visit: (e: Expression) => void): void {
  switch (e.kind) {
    case 'ParenExpr':
      return eachElement(e.expression, visit)
    case 'ListExpr':
    case 'TupleExpr':
      for (const x of e.elements) eachElement(x, visit)
      return
    case 'Comprehension':
      return eachElement(e.element, visit)
    default:
      return visit(e)
  }
}
