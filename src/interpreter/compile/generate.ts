// Generates a whole program from the tables of the earlier stages: one JavaScript function that takes the prelude and
// returns the result. Invariant: only pieces and fragments (code.ts) are written.

import type { Diagnostic } from '../../diagnostics/index.js'
import type { ForeignNamespace } from '../foreign.js'
import { type Binding, messages, type Resolution } from '../resolve/index.js'
import type { AssignStmt, Expression, File } from '../syntax/nodes.js'
import type { Positions } from '../syntax/positions.js'
import { eachTarget } from '../syntax/walk.js'
import type { Code } from './code.js'
import * as js from './code.js'
import { Generation } from './context.js'
import { expression, test } from './expressions.js'
import { type FactOptions, factsOf } from './facts.js'
import { CAUGHT, PRELUDE } from './names.js'
import type { OriginTable } from './origins.js'
import { aheadExpression } from './read-ahead/code.js'
import type { Reads } from './read-ahead/roles.js'
import { block } from './statements.js'

export interface GenerateOptions extends FactOptions {
  readonly positions: Positions
}

export interface Generated {
  readonly code: string
  readonly origins: OriginTable
  readonly diagnostics: readonly Diagnostic[]
}

export function generate(file: File, resolution: Resolution, options: GenerateOptions): Generated {
  const diagnostics: Diagnostic[] = []
  const facts = factsOf(file, resolution, options)
  const g = new Generation(facts, {
    expression: facts.roles === undefined ? expression : aheadExpression,
    test,
    block,
    refuse: ({ start, end }, what, instead) =>
      void diagnostics.push(messages.unsupported(options.positions.span(start, end), what, instead)),
  })
  const toplevel = toplevelFunction(g, file)
  const { code, table } = g.out.origins.settle(
    (options.isLibrary ? toplevel : started(toplevel, resolution, options)).text,
  )
  return { code, origins: table, diagnostics }
}

/** The program as one JavaScript function. */
function toplevelFunction(g: Generation, file: File): Code {
  const { declarations, body } = g.out.inFunction(() => {
    writeFile(g, file)
    for (const b of g.facts.resolution.scopeOf.get(file)?.bindings.values() ?? []) g.out.declare(g.names.variable(b))
  })
  const head = [js.fragment`"use strict";`, ...g.names.declarations(), declarations].filter((line) => line !== '')
  return js.functionCode({
    name: js.identifier('toplevel', 'constant'),
    parameters: [PRELUDE],
    body: js.fragment`\n${js.lines([...head, body])}\n`,
  })
}

/** The code that starts a program with its inputs. */
function started(toplevel: Code, resolution: Resolution, { foreign, reads }: GenerateOptions): Code {
  const ahead = reads === undefined ? [] : readNames(reads)
  return js.call(js.identifier('$starbind', 'constant'), [namespaces(foreign, resolution), toplevel, js.array(ahead)])
}

/**
 * Writes the program's statements and returns its result: `result`, else (in the default dialect) the value of a last
 * bare expression.
 */
function writeFile(g: Generation, file: File): void {
  if (g.facts.isLibrary) return writeModule(g, file)
  const last = file.body[file.body.length - 1]
  const lastValue = !g.facts.dialect.strict && last?.kind === 'ExprStmt' ? last.expression : undefined
  const exits = !g.facts.dialect.strict && [...g.facts.resolution.outside].some((b) => exiting.has(b.name))
  if (exits) g.out.line`try {`
  g.block(lastValue === undefined ? file.body : file.body.slice(0, -1))
  const value = lastValue === undefined ? js.UNDEFINED : lastExpression(g, lastValue)
  const { result } = g
  g.out.line`return ${result === undefined ? value : js.choice(js.same(result, js.UNDEFINED), value, result)};`
  // A program that exits early keeps its result.
  if (exits) g.out.line`} catch (e) { ${g.help('exited', [CAUGHT])}; } return ${result ?? js.UNDEFINED};`
}

/** Writes the statements of a library module, and returns its members. */
function writeModule(g: Generation, file: File): void {
  g.block(file.body)
  const members = libraryMembers(g.facts.resolution, file)
  g.out.line`return ${js.record(members.map((b) => [b.name, g.names.variable(b)]))};`
}

/** The members of a module: the names in its `__all__`, else all names that it does not delete during evaluation. */
export function libraryMembers(resolution: Resolution, file: File): readonly Binding[] {
  let listed: ReadonlySet<string> | undefined
  const deleted = new Set<string>()
  for (const s of file.body) {
    if (s.kind === 'AssignStmt') listed ??= listedIn(s)
    else if (s.kind === 'DelStmt') for (const t of s.targets) eachTarget(t, (e) => deleted.add(nameOf(e)))
  }
  const all = [...(resolution.scopeOf.get(file)?.bindings.values() ?? [])]
  return all.filter((b) => listed?.has(b.name) ?? !deleted.has(b.name))
}

const nameOf = (e: Expression): string => (e.kind === 'Identifier' ? e.name : '')

function listedIn({ targets, value }: AssignStmt): ReadonlySet<string> | undefined {
  const [target] = targets
  if (target?.kind !== 'Identifier' || target.name !== '__all__') return undefined
  if (value.kind !== 'ListExpr' && value.kind !== 'TupleExpr') return undefined
  return new Set(value.elements.map((e) => (e.kind === 'StringLiteral' ? e.value : '')))
}

/** The names by which a program can exit early. */
const exiting: ReadonlySet<string> = new Set(['sys', 'exit', 'quit', 'SystemExit'])

/**
 * The value of the last expression. None does not count as a result, because most last expressions are calls for their
 * effect.
 */
function lastExpression(g: Generation, e: Expression): Code {
  const t = g.out.save(g.expression(e))
  return js.choice(js.same(t, js.NULL), js.UNDEFINED, t)
}

/** The guest's names of the reads. */
function readNames(reads: Reads): Code[] {
  return [...reads].flatMap(([space, members]) =>
    [...new Set(members.values())].map((member) => js.literal(`${space}.${member}`)),
  )
}

/** The namespaces that the program names, with their functions, as an object literal. */
function namespaces(foreign: readonly ForeignNamespace[], resolution: Resolution): Code {
  const used = new Set([...resolution.outside].filter((b) => b.kind === 'predeclared').map((b) => b.name))
  const named = foreign.filter((f) => used.has(f.name))
  return js.record(
    named.map(({ name, members }) => [
      name,
      js.array(members.map((m) => js.array([m.name, ...(m.aliases ?? [])].map(js.literal)))),
    ]),
  )
}
