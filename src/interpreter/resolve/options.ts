// The dialect of a program, and the names that it may use without defining them. The caller of the compiler gives them
// as plain data.

import type { Dialect } from '../dialect.js'
import type { Positions } from '../syntax/positions.js'

export interface ResolveOptions {
  readonly dialect: Dialect
  readonly positions: Positions
  /** Names of the prelude: builtins and pre-bound modules. */
  readonly universal: ReadonlySet<string>
  /** Names that the host adds for this program. */
  readonly predeclared: ReadonlySet<string>
  /** Importable modules, each with its names. */
  readonly modules: ReadonlyMap<string, readonly string[]>
  /** The members of those predeclared names that are namespaces. */
  readonly members: ReadonlyMap<string, readonly string[]>
  /** The names of all methods of values. */
  readonly methods: ReadonlyMap<string, unknown>
  /** Namespaces that can't be reached, each with the reason. */
  readonly unavailable: ReadonlyMap<string, string>
  /** True if the program reads annotations. Their names are then resolved. */
  readonly keepsAnnotations?: boolean
  /** Modules that `load` can reach, each with its names. Only test hosts set this. */
  readonly loadable: ReadonlyMap<string, readonly string[]>
}
