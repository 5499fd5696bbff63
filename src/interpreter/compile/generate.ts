// Puts a whole program together: the stages' tables become one JavaScript function that takes the prelude and returns
// the result.
// Invariant: the text contains no program text but what quote() escaped, numbers, and identifiers of our own namespace.

import type { Diagnostic } from '../../diagnostics/index.js'
import type { ForeignNamespace } from '../foreign.js'
import { quote } from '../quote.js'
import type { Binding, Resolution } from '../resolve/index.js'
import type { AssignStmt, Expression, File } from '../syntax/nodes.js'
import type { Positions } from '../syntax/positions.js'
import { forEachStatement } from '../syntax/walk.js'
import { captureBlock, declarations, type Generation, newFrame } from './context.js'
import { expression, test } from './expressions.js'
import { type FactOptions, type Facts, factsOf } from './facts.js'
import { type Names, newNames } from './names.js'
import { Origins, type OriginTable } from './origins.js'
import { aheadExpression } from './read-ahead/code.js'
import type { Reads } from './read-ahead/roles.js'
import { block } from './statements.js'

export interface GenerateOptions extends FactOptions {
  readonly positions: Positions
}

export interface Generated {
  readonly code: string
  readonly positions: OriginTable
  readonly diagnostics: readonly Diagnostic[]
}

export function generate(file: File, resolution: Resolution, options: GenerateOptions): Generated {
  const { positions } = options
  const diagnostics: Diagnostic[] = []
  const facts = factsOf(file, resolution, options)
  const { names, declared } = newNames(facts)
  const refuse: Generation['refuse'] = (node, what, instead) =>
    void diagnostics.push({
      class: 'program error',
      code: 'not-supported',
      message: `${what} is not supported`,
      span: positions.span(node.start, node.end),
      hint: instead,
    })
  const g = newGeneration(facts, names, refuse)
  const body = captureBlock(g, () => writeFile(g, file))
  for (const b of resolution.scopeOf.get(file)?.bindings.values() ?? []) g.frame.variables.add(b.js)
  const head = ['"use strict";', ...declared(), declarations(g.frame)].filter((line) => line !== '')
  const toplevel = `function toplevel($) {\n${head.join('\n')}\n${body}\n}`
  const settled = g.origins.settle(options.isLibrary ? toplevel : started(toplevel, resolution, options))
  return { code: settled.code, positions: settled.table, diagnostics }
}

/** A program's code with what it is given. */
function started(toplevel: string, resolution: Resolution, { foreign, reads }: GenerateOptions): string {
  const ahead = reads === undefined ? '[]' : readNames(reads)
  return `$starbind(${namespaces(foreign, resolution)}, ${toplevel}, ${ahead})`
}

function newGeneration(facts: Facts, names: Names, refuse: Generation['refuse']): Generation {
  const { resolution, inference, roles } = facts
  const { helper, builtin, method, constant, blockConstant, signature, module, label } = names
  const origins = new Origins()
  const g: Generation = {
    helper,
    builtin,
    method,
    constant,
    blockConstant,
    signature,
    module,
    label,
    facts,
    origins,
    out: [],
    frame: newFrame(true),
    loops: [],
    enclosingClass: undefined,
    self: undefined,
    inCoroutine: false,
    runsLater: false,
    suspends: false,
    qualifiers: [],
    temporary() {
      const n = g.frame.used++
      g.frame.most = Math.max(g.frame.most, g.frame.used)
      return `t${n}`
    },
    mark: (node, native) =>
      origins.mark({ start: node.start, end: node.end, ...(native === undefined ? {} : { native }) }),
    typeOf: (e) => inference.typeOf(e),
    bindingOf: (e) => resolution.bindingOf.get(e),
    refuse,
    expression: roles === undefined ? (e) => expression(g, e) : (e) => aheadExpression(g, e),
    test: (e) => test(g, e),
    block: (body) => block(g, body),
  }
  return g
}

/**
 * The program's statements, and what it returns: `result`, else (in the default dialect) the value of a last bare
 * expression.
 */
function writeFile(g: Generation, file: File): void {
  if (g.facts.isLibrary) return writeModule(g, file)
  const last = file.body[file.body.length - 1]
  const lastValue = !g.facts.dialect.strict && last?.kind === 'ExprStmt' ? last.expression : undefined
  const exits = !g.facts.dialect.strict && [...g.facts.resolution.outside].some((b) => exiting.has(b.name))
  if (exits) g.out.push('try {')
  g.block(lastValue === undefined ? file.body : file.body.slice(0, -1))
  const value = lastValue === undefined ? 'undefined' : lastExpression(g, lastValue)
  const { result } = g.facts
  g.out.push(result === undefined ? `return ${value};` : `return ${result} === undefined ? ${value} : ${result};`)
  // An early end leaves the result as it is.
  if (exits) g.out.push(`} catch (e) { ${g.helper('exited')}(e); } return ${result ?? 'undefined'};`)
}

/** The statements of a module of the library, and its members. */
function writeModule(g: Generation, file: File): void {
  g.block(file.body)
  const members = libraryMembers(g.facts.resolution, file)
  g.out.push(`return {${members.map((b) => `${quote(b.name)}: ${b.js}`).join(', ')}};`)
}

/** What a module has for others: what its `__all__` lists, else all. */
export function libraryMembers(resolution: Resolution, file: File): readonly Binding[] {
  let listed: ReadonlySet<string> | undefined
  forEachStatement(file.body, (s) => {
    if (s.kind === 'AssignStmt') listed ??= listedIn(s)
  })
  const all = [...(resolution.scopeOf.get(file)?.bindings.values() ?? [])]
  return all.filter((b) => listed?.has(b.name) ?? true)
}

function listedIn({ targets, value }: AssignStmt): ReadonlySet<string> | undefined {
  const [target] = targets
  if (target?.kind !== 'Identifier' || target.name !== '__all__') return undefined
  if (value.kind !== 'ListExpr' && value.kind !== 'TupleExpr') return undefined
  return new Set(value.elements.map((e) => (e.kind === 'StringLiteral' ? e.value : '')))
}

/** What a program must name to end itself early. */
const exiting: ReadonlySet<string> = new Set(['sys', 'exit', 'quit', 'SystemExit'])

/** None is no value: most last expressions are calls that are made for their effect. */
function lastExpression(g: Generation, e: Expression): string {
  const t = g.temporary()
  g.out.push(`${t} = ${g.expression(e)};`)
  return `(${t} === null ? undefined : ${t})`
}

/** The names that the guest knows reads by. */
function readNames(reads: Reads): string {
  const names = [...reads].flatMap(([space, members]) => [...new Set(members.values())].map((m) => `${space}.${m}`))
  return `[${names.map(quote).join(', ')}]`
}

/** The namespaces that the program names, with their functions, as an object literal. */
function namespaces(foreign: readonly ForeignNamespace[], resolution: Resolution): string {
  const used = new Set([...resolution.outside].filter((b) => b.kind === 'predeclared').map((b) => b.name))
  const parts = foreign
    .filter((f) => used.has(f.name))
    .map(
      (f) =>
        `[${quote(f.name)}]: [${f.members.map((m) => `[${[m.name, ...(m.aliases ?? [])].map(quote).join(', ')}]`).join(', ')}]`,
    )
  return `{${parts.join(', ')}}`
}
