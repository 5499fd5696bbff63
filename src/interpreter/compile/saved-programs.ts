// Puts the saved programs that a program calls in front of it, each as a function: `programs.report(month="May")` is
// then a call like any other. So the reach, the checks, the read-ahead and the ledger are those of one program, and a
// second run of it makes the same calls.
// Invariant: a program that calls no saved program is unchanged, and no saved program calls itself.

import { type Diagnostic, nearestNames } from '../../diagnostics/index.js'
import { messages } from '../messages.js'
import type { Program, SavedProgram } from '../program.js'
import {
  type DefStmt,
  type DotExpr,
  type Expression,
  type File,
  type Parameter,
  Positions,
  parse,
  type Statement,
} from '../syntax/index.js'
import { eachBound, eachTarget, forEachExpression, forEachStatement } from '../syntax/walk.js'
import { fileOf, type Part, partsOf, wholeText } from '../whole-text.js'
import { mainOf } from './main-definition.js'

export interface ParsedWhole {
  readonly file: File
  readonly diagnostics: readonly Diagnostic[]
  readonly complete: boolean
  readonly text: string
  readonly positions: Positions
}

/** Parses a program and the saved programs that it calls. */
export function parseWhole(program: Program, strict: boolean): ParsedWhole {
  const text = wholeText(program)
  const parts = partsOf(program)
  const positions = new Positions(text, parts)
  const own = parse(text, { strict, part: parts.at(-1)!, positions })
  if (program.saved === undefined) return { ...own, text, positions }
  const linker = new Linker(program.saved, parts, { text, positions, strict })
  linker.link(own.file.body, [])
  const body = [...linker.functions.values(), ...own.file.body]
  return {
    file: { ...own.file, start: 0, body },
    diagnostics: [...linker.diagnostics, ...own.diagnostics],
    complete: own.complete && linker.isComplete,
    text,
    positions,
  }
}

const NAMESPACE = 'programs'

/** Replaces a mention that has been reported, so that it is not reported again. */
const NOTHING = { kind: 'Identifier', name: 'None' }

interface Whole {
  readonly text: string
  readonly positions: Positions
  readonly strict: boolean
}

class Linker {
  /** The functions by name. Each comes after the ones that it calls. */
  readonly functions = new Map<string, DefStmt>()
  readonly diagnostics: Diagnostic[] = []
  isComplete = true
  readonly #saved: readonly SavedProgram[]
  readonly #parts: readonly Part[]
  readonly #whole: Whole

  constructor(saved: readonly SavedProgram[], parts: readonly Part[], whole: Whole) {
    this.#saved = saved
    this.#parts = parts
    this.#whole = whole
  }

  /**
   * Replaces each mention of a saved program by the name of its function. `path`: the saved programs that contain this
   * one.
   */
  link(body: readonly Statement[], path: readonly string[]): void {
    if (binds(body, NAMESPACE)) return
    const { dots, others } = mentionsIn(body)
    for (const e of others) {
      this.diagnostics.push(messages.programsAsValue(this.#whole.positions.span(e.start, e.end)))
      Object.assign(e, NOTHING)
    }
    for (const dot of dots) {
      const { name } = dot.name
      Object.assign(dot, this.#found(dot, path) ? { kind: 'Identifier', name: functionName(name) } : NOTHING)
    }
  }

  #found(dot: DotExpr, path: readonly string[]): boolean {
    const { name } = dot.name
    const span = this.#whole.positions.span(dot.start, dot.end)
    const saved = this.#saved.find((one) => one.name === name)
    const part = this.#parts.find((one) => one.saved?.name === name)
    if (saved === undefined) {
      const names = this.#saved.map((one) => one.name)
      this.diagnostics.push(messages.unknownProgram(span, name, nearestNames(name, names, 2), names))
    } else if (part === undefined) this.diagnostics.push(messages.otherLanguage(span, fileOf(saved)))
    else if (path.includes(name)) this.diagnostics.push(messages.cycle(span, [...path.slice(path.indexOf(name)), name]))
    else {
      if (!this.functions.has(name)) this.#define(name, part, path)
      return this.functions.has(name)
    }
    return false
  }

  #define(name: string, part: Part, path: readonly string[]): void {
    const { text, positions, strict } = this.#whole
    const { file, diagnostics, complete } = parse(text, { strict, part, positions })
    this.diagnostics.push(...diagnostics)
    this.isComplete &&= complete
    this.link(file.body, [...path, name])
    const main = mainOf(file.body)
    this.functions.set(name, functionOf(name, file, main))
  }
}

/** The name of a saved program's function. No program can write such a name. */
function functionName(name: string): string {
  return `${NAMESPACE}.${name}`
}

/**
 * The function of a saved program. It has the parameters of `main` and returns the value of `main`; without a `main`,
 * it returns `result`.
 */
function functionOf(name: string, file: File, main: DefStmt | undefined): DefStmt {
  const { start, end } = file
  const at = main?.name ?? { start, end: start }
  const parameters = main?.parameters ?? []
  const named = parameters.flatMap((one) => (one.name === undefined ? [] : [one.name.name]))
  const frame = `def f():\n    result = None\n    return ${main === undefined ? 'result' : `main(${named.map((n) => `${n}=${n}`).join(', ')})`}\n`
  const [made] = placed(parse(frame, { strict: false }).file.body, at)
  if (made?.kind !== 'DefStmt') throw new Error('the frame of a saved program is a function')
  const [first, last] = made.body
  return {
    kind: 'DefStmt',
    start,
    end,
    name: { kind: 'Identifier', ...at, start: at.start, end: at.end, name: functionName(name) },
    parameters: parameters.map(copied),
    body: [first!, ...file.body, last!],
    decorators: [],
    isAsync: false,
    yields: false,
    isProgram: true,
  }
}

function copied({ annotation: _, ...parameter }: Parameter): Parameter {
  return structuredClone(parameter)
}

/** Generated nodes, with the position of a part of the program. */
function placed<T>(node: T, at: { readonly start: number; readonly end: number }): T {
  if (typeof node !== 'object' || node === null) return node
  if (Array.isArray(node)) return node.map((one) => placed(one, at)) as T
  const entries = Object.entries(node).map(([key, value]) => [
    key,
    key === 'start' || key === 'open' ? at.start : key === 'end' ? at.end : placed(value, at),
  ])
  return Object.fromEntries(entries) as T
}

/** All mentions of `programs.NAME`, and of `programs` in any other form. */
function mentionsIn(body: readonly Statement[]): { readonly dots: DotExpr[]; readonly others: Expression[] } {
  const dots: DotExpr[] = []
  const all: Expression[] = []
  const objects = new Set<Expression>()
  forEachExpression(body, (e) => {
    if (e.kind === 'Identifier' && e.name === NAMESPACE) all.push(e)
    if (e.kind !== 'DotExpr' || e.object.kind !== 'Identifier' || e.object.name !== NAMESPACE) return
    dots.push(e)
    objects.add(e.object)
  })
  return { dots, others: all.filter((e) => !objects.has(e)) }
}

/** True if the program gives the name a meaning of its own anywhere. */
function binds(body: readonly Statement[], name: string): boolean {
  let found = false
  const see = (e: { readonly kind: string } | undefined) => {
    if (e?.kind === 'Identifier' && (e as { readonly name?: string }).name === name) found = true
  }
  const parameters = (all: readonly Parameter[]) => all.forEach((one) => void see(one.name))
  forEachStatement(body, (s) => {
    eachBound(s, see)
    if (s.kind === 'DefStmt') parameters(s.parameters)
    return true
  })
  forEachExpression(body, (e) => {
    if (e.kind === 'LambdaExpr') parameters(e.parameters)
    if (e.kind === 'NamedExpr') see(e.target)
    if (e.kind === 'Comprehension')
      for (const clause of e.clauses) if (clause.kind === 'ForClause') eachTarget(clause.target, see)
  })
  return found
}
