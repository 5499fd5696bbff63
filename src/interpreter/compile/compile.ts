// The stages in order: text → syntax tree → resolved → checked → JavaScript for a guest image. Reports all independent
// mistakes at once.

import type { Diagnostic } from '../../diagnostics/index.js'
import { check } from '../check/index.js'
import { dialectOf } from '../dialect.js'
import type { ForeignNamespace } from '../foreign.js'
import { guestImage } from '../images.js'
import { infer } from '../infer/index.js'
import { foreignOf, namesOf } from '../namespaces.js'
import type { Compilation, CompiledProgram, CompileOptions, GuestExtension, Program, Reach } from '../program.js'
import { type Resolution, reachOf, resolve } from '../resolve/index.js'
import type { File, Identifier } from '../syntax/nodes.js'
import { forEachStatement } from '../syntax/walk.js'
import { type LibraryImage, type Universe, universeOf } from '../universe.js'
import { type GenerateOptions, generate } from './generate.js'
import type { Reads } from './read-ahead/roles.js'
import { parseWhole } from './saved-programs.js'

/** The maximum number of diagnostics for one program. */
const MOST_DIAGNOSTICS = 10

/** Matches in all programs that inspect the parameters of functions. */
const ASKS_FOR_SIGNATURES = /\binspect\b|__(?:kwdefaults|defaults|annotations)__|\bget_type_hints\b/

/** Matches in all programs that can observe the exception in progress. */
const ASKS_FOR_HANDLED = /__context__|exc_info|traceback|\.exception\(|^[ \t]*raise[ \t]*(?:#|$)/m

/** Matches in all programs that read docstrings. */
const ASKS_FOR_DOCS = /__doc__|\binspect\b/

/** Compiles a program in Starlark. The result contains every mistake that can be found without running it. */
export function compileStarlark(program: Program, options: CompileOptions): Compilation {
  const dialect = dialectOf(options.dialect)
  const { strict } = dialect
  const universe = universeOf(strict ? 'strict' : 'default')
  const parsed = parseWhole(program, strict)
  const { file, text, positions } = parsed
  const { foreign = [] } = options
  const asked = askedFor(file, text, strict)
  const resolved = resolve(file, {
    dialect,
    positions,
    ...knownNames(universe, options),
    keepsAnnotations: asked.signatures !== undefined && asked.signatures.texts === undefined,
  })
  // If a statement was dropped, `resolved` would report the names that it binds as undefined.
  const early = parsed.complete ? inOrder([...parsed.diagnostics, ...resolved.diagnostics]) : parsed.diagnostics
  if (parsed.diagnostics.length > 0) return refused(early)
  const functions = foreignOf(foreign)
  const reach = reachOf(file, resolved, functions)
  const reads = readsWithin(reach, foreign, options.runsAheadOf ?? (() => false))
  const named = strict ? [] : namedModules(file, resolved)
  const library = libraryOf(text, named, universe)
  const inference = infer(file, resolved, {
    strict,
    library: library !== undefined,
    ahead: reads.size > 0,
    foreign: functions,
    methods: universe.types,
  })
  const checked = check(file, resolved, { strict, universe, positions, foreign: functions, inference })
  const mistakes = options.unchecked ? early : [...early, ...checked.diagnostics]
  if (mistakes.length > 0) return refused([...mistakes, ...checked.warnings])
  const inGuest = strict || named.length > 0 ? universe : universeOf('bare')
  const understood = { file, resolved, dialect, positions, asked, reach, reads, library, inference, universe: inGuest }
  const translated = translate(program, understood, options)
  if (!('code' in translated)) return refused(translated)
  return { ok: true, program: translated, warnings: inOrder([...checked.warnings, ...checked.remarks]) }
}

/** A program without mistakes, and what is known of it. */
interface Understood extends Pick<GenerateOptions, 'dialect' | 'positions' | 'inference' | 'universe'> {
  readonly file: File
  readonly resolved: Resolution
  readonly asked: AskedFor
  readonly reach: Reach
  readonly reads: Reads
  readonly library: LibraryImage | undefined
}

/** The last stage. Returns the mistakes that only it finds, if there are any. */
function translate(
  source: Program,
  { file, resolved, asked, reach, reads, library, ...known }: Understood,
  { foreign = [], extension }: CompileOptions,
): CompiledProgram | readonly Diagnostic[] {
  const generated = generate(file, resolved, {
    ...known,
    ...asked,
    foreign,
    freezes: extension !== undefined,
    namesLibrary: library !== undefined,
    isLibrary: false,
    ...(reads.size === 0 ? {} : { reads }),
  })
  if (generated.diagnostics.length > 0) return generated.diagnostics
  const image = guestImage(`starlark-${library ?? known.universe.name}`)
  return {
    source,
    code: generated.code,
    positions: generated.origins,
    dialect: known.dialect,
    ...(reads.size === 0 ? {} : { runsAhead: true }),
    reach,
    image: extension === undefined ? image : withExtension(image, extension),
  }
}

function refused(diagnostics: readonly Diagnostic[]): Compilation {
  return { ok: false, diagnostics: inOrder(diagnostics.slice(0, MOST_DIAGNOSTICS)) }
}

/** The names that exist outside the program: builtins, modules, tools, and those of the embedding host. */
function knownNames(universe: Universe, { foreign = [], extension, unavailable = {} }: CompileOptions) {
  return {
    universal: universe.names,
    predeclared: new Set([...foreign.map((f) => f.name), ...(extension?.predeclared ?? [])]),
    modules: universe.modules,
    methods: universe.methods,
    members: new Map(foreign.map((f) => [f.name, namesOf(f)])),
    unavailable: new Map(Object.entries(unavailable)),
    loadable: new Map(Object.entries(extension?.modules ?? {})),
  }
}

/** What must be kept because the program may read it. Annotations are kept as texts if the program postpones them. */
function askedFor(file: File, text: string, strict: boolean): AskedFor {
  if (strict) return { keepsHandled: false, keepsDocs: false }
  const keepsHandled = ASKS_FOR_HANDLED.test(text)
  const keepsDocs = ASKS_FOR_DOCS.test(text)
  if (!ASKS_FOR_SIGNATURES.test(text)) return { keepsHandled, keepsDocs }
  return { keepsHandled, keepsDocs, signatures: postponesAnnotations(file) ? { texts: text } : {} }
}

type AskedFor = Pick<GenerateOptions, 'keepsHandled' | 'keepsDocs' | 'signatures'>

/** True if annotations are kept as texts: `from __future__ import annotations`. */
function postponesAnnotations(file: File): boolean {
  return file.body.some(
    (s) =>
      s.kind === 'ImportFromStmt' &&
      s.path[0]?.name === '__future__' &&
      s.names.some(({ name }) => name.name === 'annotations'),
  )
}

/** The modules that a program of the default dialect names and that are not in every guest. */
function namedModules(file: File, { outside }: Resolution): readonly string[] {
  const everywhere = universeOf('bare').modules
  const { modules } = universeOf('default')
  const pathOf = (path: readonly Identifier[]): string => path.map((part) => part.name).join('.')
  const named = new Set([...outside].map((binding) => binding.name))
  forEachStatement(file.body, (s) => {
    if (s.kind === 'ImportFromStmt') named.add(pathOf(s.path))
    if (s.kind === 'ImportStmt') for (const n of s.names) named.add(pathOf(n.path))
  })
  return [...named].filter((name) => modules.has(name) && !everywhere.has(name))
}

/** The guest with all modules of Python's library that a program names; undefined if it names none. */
function libraryOf(text: string, named: readonly string[], { library }: Universe): LibraryImage | undefined {
  let image: LibraryImage | undefined
  for (const [path, has] of library)
    if (image !== 'mail' && (named.includes(path) || namesMember(text, named, path))) image = has
  return image
}

/** True if a program that names these modules can name a member like `string.Formatter`. */
function namesMember(text: string, named: readonly string[], path: string): boolean {
  const dot = path.lastIndexOf('.')
  return named.includes(path.slice(0, dot)) && new RegExp(`\\b${path.slice(dot + 1)}\\b|import\\s*\\*`).test(text)
}

/** The reachable tools that only read, so that the program may run ahead of their answers. */
function readsWithin(
  reach: Reach,
  foreign: readonly ForeignNamespace[],
  runsAheadOf: (namespace: string, member: string) => boolean,
): Reads {
  const isWidened = (namespace: string): boolean => reach.widened === 'all' || reach.widened.includes(namespace)
  return new Map(
    foreign.flatMap(({ name, members }) => {
      const named = new Set(reach.tools.filter(({ namespace }) => namespace === name).map(({ member }) => member))
      const all = isWidened(name)
      if (!all && named.size === 0) return []
      const reads = members.filter((m) => (all || named.has(m.name)) && runsAheadOf(name, m.name))
      const names = reads.flatMap((m) => [m.name, ...(m.aliases ?? [])].map((alias) => [alias, m.name] as const))
      return names.length === 0 ? [] : [[name, new Map(names)] as const]
    }),
  )
}

function inOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const place = ({ span }: Diagnostic): number => (span?.line ?? 0) * 1e6 + (span?.column ?? 0)
  return diagnostics.toSorted((a, b) => place(a) - place(b))
}

/** The image with the extension, which is evaluated together with the prelude through the prelude's hooks. */
function withExtension(
  { name, source, lookUp }: CompiledProgram['image'],
  extension: GuestExtension,
): CompiledProgram['image'] {
  const hooks = `globalThis.$starbindHooks = (hooks) => { hooks.extend(${extension.source}) };\n`
  return {
    name: `${name}+${extension.name}`,
    source: hooks + source,
    ...(lookUp === undefined ? {} : { lookUp }),
    kept: false,
  }
}
