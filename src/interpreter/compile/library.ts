// Compiles modules of Python's library from CPython's own sources, when this package is built.
// Invariant: these sources obey the dialect like a program. If one does not, the build fails.

import type { Diagnostic } from '../../diagnostics/index.js'
import { type Dialect, defaultDialect } from '../dialect.js'
import { infer } from '../infer/index.js'
import { resolve } from '../resolve/index.js'
import { Positions, parse } from '../syntax/index.js'
import type { Expression, File } from '../syntax/nodes.js'
import { forEachExpression, forEachStatement } from '../syntax/walk.js'
import { type Universe, universeOf } from '../universe.js'
import { generate, libraryMembers } from './generate.js'

/** A compiled module, for the compiler and for the guest. */
interface LibraryModule {
  readonly code: string
  /** The names that programs may import. */
  readonly members: readonly string[]
  /** The names of its parameters, functions, classes and fields of named tuples. */
  readonly words: readonly string[]
}

/** The compiled modules, and the members of all modules. */
interface Library {
  readonly compiled: ReadonlyMap<string, LibraryModule>
  readonly members: ReadonlyMap<string, readonly string[]>
}

/**
 * Compiles modules of Python's library. Each may import those before it. Throws for a module that is not in our
 * dialect.
 */
export function compileLibrary(sources: Iterable<readonly [name: string, text: string]>): Library {
  const { modules, names } = universeOf('default')
  const universe = { ...universeOf('default'), modules: new Map(modules), names: new Set(names) }
  const add = (name: string, members: readonly string[]): void => {
    universe.modules.set(name, [...(universe.modules.get(name) ?? []), ...members])
    universe.names.add(name)
    const dot = name.lastIndexOf('.')
    const [inside, own] = [name.slice(0, dot), name.slice(dot + 1)]
    if (dot > 0 && !universe.modules.get(inside)?.includes(own)) add(inside, [own])
  }
  const compiled = new Map<string, LibraryModule>()
  for (const [name, text] of sources) {
    const one = compileModule(name, text, universe)
    add(name, one.members)
    compiled.set(name, one)
  }
  return { compiled, members: universe.modules }
}

/** Whether there is a clock or randomness is known only at run time. */
const dialect: Dialect = { ...defaultDialect, clock: true, random: true }

function compileModule(name: string, text: string, universe: Universe): LibraryModule {
  const refuse = (faults: readonly Diagnostic[]): void => {
    if (faults.length > 0) throw new Error(faults.map((d) => `${name}:${d.span?.line}: ${d.message}`).join('\n'))
  }
  const { file, diagnostics } = parse(text, { strict: false })
  refuse(diagnostics)
  const positions = new Positions(text)
  const resolved = resolve(file, {
    dialect,
    positions,
    universal: universe.names,
    predeclared: new Set(),
    modules: universe.modules,
    methods: universe.methods,
    members: new Map(),
    unavailable: new Map(),
    loadable: new Map(),
  })
  refuse(resolved.diagnostics)
  const members = libraryMembers(resolved, file)
  // An importer uses these functions as values.
  for (const member of members) member.usedAsValue = true
  const inference = infer(file, resolved, {
    strict: false,
    library: true,
    ahead: false,
    foreign: new Map(),
    methods: universe.types,
  })
  const generated = generate(file, resolved, {
    dialect,
    universe,
    inference,
    positions,
    foreign: [],
    freezes: false,
    keepsHandled: true,
    keepsDocs: false,
    namesLibrary: true,
    isLibrary: true,
  })
  refuse(generated.diagnostics)
  return { code: generated.code, members: members.map((b) => b.name), words: wordsOf(file) }
}

function wordsOf(file: File): readonly string[] {
  const words = new Set<string>()
  forEachStatement(file.body, (s) => {
    if (s.kind === 'DefStmt' || s.kind === 'ClassStmt') words.add(s.name.name)
    if (s.kind === 'DefStmt') for (const p of s.parameters) if (p.name !== undefined) words.add(p.name.name)
  })
  forEachExpression(file.body, (e) => {
    for (const field of fieldsOf(e)) words.add(field)
  })
  return [...words]
}

/** The fields of a named tuple, if the expression creates its class. */
function fieldsOf(e: Expression): readonly string[] {
  if (e.kind !== 'CallExpr' || e.callee.kind !== 'Identifier' || e.callee.name !== 'namedtuple') return []
  const fields = e.arguments[1]?.value
  return fields?.kind === 'StringLiteral' ? fields.value.split(/[\s,]+/) : []
}
