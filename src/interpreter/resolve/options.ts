// The names that a program may use without defining them, and its dialect. Plain data, given by the caller of the
// compiler.

import type { Dialect } from '../dialect.js'
import type { Positions } from '../syntax/positions.js'

export interface ResolveOptions {
  readonly dialect: Dialect
  readonly positions: Positions
  /** Names of the prelude: builtins and pre-bound modules. */
  readonly universal: ReadonlySet<string>
  /** Names the host adds for this program. */
  readonly predeclared: ReadonlySet<string>
  /** Importable modules with the names in them. */
  readonly modules: ReadonlyMap<string, readonly string[]>
  /** The members of the predeclared names that are namespaces. */
  readonly members: ReadonlyMap<string, readonly string[]>
  /** Names of methods that values have. */
  readonly methods: ReadonlyMap<string, unknown>
  /** Namespaces that can't be reached, with the reason. */
  readonly unavailable: ReadonlyMap<string, string>
  /** Does the program ask for annotations? Their names are resolved then. */
  readonly keepsAnnotations?: boolean
  /** Modules that `load` can reach, with their names: only for test hosts. */
  readonly loadable: ReadonlyMap<string, readonly string[]>
}
