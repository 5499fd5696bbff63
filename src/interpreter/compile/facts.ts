// The facts about a program before any code is written. They do not change afterwards.

import type { Dialect } from '../dialect.js'
import type { ForeignNamespace } from '../foreign.js'
import { type Inference, readings, type StarlarkReadings } from '../infer/index.js'
import type { Binding, Resolution } from '../resolve/index.js'
import type { ClassStmt, DefStmt, Expression, File, LambdaExpr, NodeBase, Statement } from '../syntax/nodes.js'
import { forEachStatement } from '../syntax/walk.js'
import type { Universe } from '../universe.js'
import { Concurrency } from './concurrency.js'
import { type Reads, Roles } from './read-ahead/roles.js'

export interface FactOptions {
  readonly dialect: Dialect
  readonly universe: Universe
  readonly foreign: readonly ForeignNamespace[]
  readonly inference: Inference
  /** The reads that the program runs ahead of. Absent if it waits for every call. */
  readonly reads?: Reads
  /** True if the embedding host can freeze values. */
  readonly freezes: boolean
  /** True if the program reads docstrings anywhere. */
  readonly keepsDocs: boolean
  /** True if the program reads the exception in progress, or raises it again from another function. */
  readonly keepsHandled: boolean
  /**
   * Present if the program reads the parameters of functions, which are then kept. If `texts` is set, annotations are
   * slices of it.
   */
  readonly signatures?: { readonly texts?: string }
  /** True if the program names a module that is compiled from Python's own sources. */
  readonly namesLibrary: boolean
  /**
   * True for such a module itself. Its globals are its members, and the words of its exceptions are not the program's.
   */
  readonly isLibrary: boolean
}

/** Facts that follow from the statements that occur in a program. */
interface Features {
  /** True if the program has `try` statements, so that the engine's failures must be raised as the guest's own. */
  readonly catches: boolean
  /** True if the program defines classes. Their objects may define operators and methods. */
  readonly hasClasses: boolean
  /** The names of the methods of the program's classes. */
  readonly methodNames: ReadonlySet<string>
  /** True if a class defines `__format__`. */
  readonly formatsItself: boolean
  /** True if a class defines `+=` or a similar operator. */
  readonly changesInPlace: boolean
}

export interface Facts extends Features {
  readonly dialect: Dialect
  readonly universe: Universe
  readonly resolution: Resolution
  readonly inference: Inference
  /** The program's use of the answers of tools: as text, or as data. */
  readonly readings: StarlarkReadings
  /** The names of the host's namespaces. */
  readonly namespaces: ReadonlySet<string>
  /** True if a value that is no string may equal one: an object of the program's classes, or a type. */
  readonly hasOwnEquality: boolean
  /** The program's variable `result`, if it has one. */
  readonly result: Binding | undefined
  /** The roles of values in a program that runs ahead of its reads (read-ahead/roles.ts). */
  readonly roles: Roles | undefined
  /** The calls that the program makes concurrently. */
  readonly concurrency: Concurrency
  /** True if the program catches RecursionError, so that its calls must be counted. */
  readonly countsCalls: boolean
  /** True if the exception in progress must be kept, because the program reads it. */
  readonly keepsHandled: boolean
  /** True if the embedding host can freeze values, including functions and what they capture. */
  readonly freezes: boolean
  readonly isLibrary: boolean
  /** See FactOptions. */
  readonly signatures: FactOptions['signatures']
  /** The docstring of a function or class, if the program reads docstrings. */
  docOf(body: readonly Statement[] | undefined): string | undefined
  /** The variables that live in a function's own frame. */
  localsOf(fn: DefStmt | LambdaExpr): readonly Binding[]
  /** True if all uses of a variable are inside this statement. */
  onlyUsedIn(binding: Binding, s: NodeBase): boolean
}

export function factsOf(file: File, resolution: Resolution, options: FactOptions): Facts {
  const { dialect, universe, inference, reads, foreign, keepsHandled, freezes } = options
  const features = featuresOf(file, options.namesLibrary, options.isLibrary)
  const classes = features.hasClasses
  const namespaces = new Set(foreign.map((f) => f.name))
  const names = (universal: string): boolean =>
    [...resolution.outside].some((b) => b.name === universal && b.kind === 'universal')
  return {
    ...features,
    dialect,
    universe,
    resolution,
    inference,
    readings: readings(file, resolution, namespaces),
    namespaces,
    hasOwnEquality: classes || names('type'),
    result: resolution.scopeOf.get(file)?.bindings.get('result'),
    roles: reads === undefined ? undefined : new Roles(file, resolution, reads),
    concurrency: new Concurrency(file, resolution, foreign),
    countsCalls: names('RecursionError'),
    keepsHandled,
    freezes,
    isLibrary: options.isLibrary,
    signatures: options.signatures,
    docOf: (body) => (options.keepsDocs ? docstring(body) : undefined),
    localsOf: (fn) => [...(resolution.scopeOf.get(fn)?.bindings.values() ?? [])],
    onlyUsedIn: (binding, s) => binding.from >= s.start && binding.to <= s.end,
  }
}

/** The objects of a library module are objects of classes, too. */
function featuresOf(file: File, hasLibrary: boolean, isLibrary: boolean): Features {
  const methodNames = new Set<string>()
  // The caller of a library module may catch its failures.
  let catches = isLibrary
  let hasClasses = hasLibrary
  let formatsItself = hasLibrary
  let changesInPlace = hasLibrary
  forEachStatement(file.body, (s) => {
    if (s.kind === 'TryStmt' || s.kind === 'WithStmt') catches = true
    if (s.kind === 'DefStmt') {
      formatsItself ||= s.name.name === '__format__'
      changesInPlace ||= inPlaceMethod.test(s.name.name)
    }
    if (s.kind === 'ClassStmt') {
      hasClasses = true
      changesInPlace ||= s.bases.some((b) => changesItself(b.value))
      for (const name of methodsOf(s)) methodNames.add(name)
    }
  })
  return { catches, hasClasses, methodNames, formatsItself, changesInPlace }
}

function methodsOf({ body }: ClassStmt): string[] {
  return body.flatMap((m) => (m.kind === 'DefStmt' ? [m.name.name] : []))
}

const inPlaceMethod = /^__i(?:add|sub|mul|matmul|truediv|floordiv|mod|pow|and|or|xor|lshift|rshift)__$/
const mutableBases = /^(?:dict|list|set|deque|Counter|defaultdict|OrderedDict|UserDict|UserList|Mutable\w+)$/

/** True if objects of classes with this base change in place in `x += y`. */
function changesItself(base: Expression): boolean {
  if (base.kind === 'IndexExpr') return changesItself(base.object)
  return mutableBases.test(base.kind === 'DotExpr' ? base.name.name : base.kind === 'Identifier' ? base.name : '')
}

/** The string at the start of a body. */
function docstring(body: readonly Statement[] | undefined): string | undefined {
  const first = body?.[0]
  return first?.kind === 'ExprStmt' && first.expression.kind === 'StringLiteral' ? first.expression.value : undefined
}
