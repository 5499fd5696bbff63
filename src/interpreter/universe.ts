// The names, signatures and methods of the prelude. The build writes them beside it. The compiler binds arguments of
// known builtins itself and must agree with the guest, so it uses the guest's own tables.

import { bundledText } from './bundled-text.js'

/**
 * The facts about a function that the binding of arguments needs. Signature in prelude/calls/signature.ts has the same
 * fields.
 */
export interface Formal {
  readonly parameters: readonly string[]
  readonly positional: number
  readonly positionalOnly: number
  readonly required: readonly boolean[]
  readonly argsSlot: number
  readonly kwargsSlot: number
}

/** `n` is the number of positional arguments of a direct call. */
interface BuiltinSignature extends Formal {
  readonly n: number
}

export interface Universe {
  readonly name: UniverseName
  /** The universal names that are functions and that generated code may call directly. */
  readonly builtins: ReadonlyMap<string, BuiltinSignature>
  /** All universal names. */
  readonly names: ReadonlySet<string>
  /** For each name of a method, the largest number of positional arguments that a built-in type takes for it. */
  readonly methods: ReadonlyMap<string, number>
  /** The methods of each built-in type, by type name. */
  readonly types: ReadonlyMap<string, ReadonlyMap<string, BuiltinSignature>>
  /** Pre-bound modules and the names in them. */
  readonly modules: ReadonlyMap<string, readonly string[]>
  /**
   * The modules, and the members of other modules (`string.Formatter`), that are compiled from Python's own sources,
   * with the guest that has each. `mail` also has everything in `library`.
   */
  readonly library: ReadonlyMap<string, LibraryImage>
  /** The names of parameters, functions and classes in these modules. */
  readonly libraryWords: readonly string[]
  /**
   * Names of properties that every object of the guest has. A constant key of such a name can't be read as a property.
   */
  readonly ownNames: ReadonlySet<string>
}

interface Written {
  readonly builtins: Record<string, BuiltinSignature>
  readonly names: string[]
  readonly methods: Record<string, number>
  readonly types: Record<string, Record<string, BuiltinSignature>>
  readonly modules: Record<string, string[]>
  readonly ownNames: string[]
  readonly library?: Record<string, LibraryImage>
  readonly libraryWords?: string[]
}

/** The guests that have modules of Python's library in addition to the prelude. */
export type LibraryImage = 'library' | 'mail'

/** `bare`: the default dialect without the modules of Python's library, for programs that name none. */
type UniverseName = 'default' | 'bare' | 'strict'

const loaded = new Map<UniverseName, Universe>()

export function universeOf(name: UniverseName): Universe {
  let universe = loaded.get(name)
  if (universe === undefined) {
    const written = JSON.parse(bundledText('prelude.json')) as Record<string, Written>
    const own = written[name]!
    universe = {
      builtins: new Map(Object.entries(own.builtins)),
      names: new Set(own.names),
      methods: new Map(Object.entries(own.methods)),
      types: new Map(Object.entries(own.types).map(([type, all]) => [type, new Map(Object.entries(all))])),
      modules: new Map(Object.entries(own.modules)),
      library: new Map(Object.entries(own.library ?? {})),
      libraryWords: own.libraryWords ?? [],
      ownNames: new Set(own.ownNames),
      name,
    }
    loaded.set(name, universe)
  }
  return universe
}
