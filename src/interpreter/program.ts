// A program before and after compilation, and its outcome, as plain data.

import type { Diagnostic, MarkedTexts } from '../diagnostics/index.js'
import type { Dialect } from './dialect.js'
import type { ForeignNamespace } from './foreign.js'

/**
 * The languages of programs.
 *
 * @example
 * import { CodeMode, type Language } from 'starbind'
 *
 * const language: Language = 'javascript'
 * await using codeMode = await CodeMode.open({ language })
 * console.log((await codeMode.run('return [1, 2].map((n) => n * 21)')).result)
 */
export type Language = 'starlark' | 'javascript'

/** A program as submitted. */
export interface Program {
  readonly text: string
  readonly language: Language
  /** True if the language was not given. It is then the usual one, unless the text is clearly in another. */
  readonly guessed?: boolean
  /** The saved programs when the run begins. Absent if there are none, or if the text names none. */
  readonly saved?: readonly SavedProgram[]
}

/** A program that others call as `programs.NAME(…)`. */
export interface SavedProgram {
  readonly name: string
  readonly language: Language
  /** Absent if the program can't call it, because no text names it. */
  readonly text?: string
}

/** The description of a saved program for its callers. */
export interface DescribedProgram {
  readonly name: string
  readonly doc: string
  /** A JSON Schema of type object. */
  readonly inputSchema: Readonly<Record<string, unknown>>
  /** Mistakes. Empty if it can be called. */
  readonly diagnostics: readonly Diagnostic[]
}

export interface CompileOptions {
  readonly dialect?: Partial<Dialect>
  /** The namespaces that the program can reach, by guest name. */
  readonly foreign?: readonly ForeignNamespace[]
  /** Namespaces that can't be reached now, each with the reason. */
  readonly unavailable?: Readonly<Record<string, string>>
  /**
   * True if the program may run ahead of calls of this function, because they change nothing. Default: it runs ahead of
   * none.
   */
  readonly runsAheadOf?: (namespace: string, member: string) => boolean
  /** Skips the checks of values and calls, so that mistakes fail in the run. */
  readonly unchecked?: boolean
  /** Values that an embedding host, such as a test suite, puts into the guest. */
  readonly extension?: GuestExtension
}

/**
 * Guest code of the embedding host. It runs inside the guest with the prelude's rights and is trusted like the prelude.
 */
export interface GuestExtension {
  /** The name that distinguishes its guest image. */
  readonly name: string
  /**
   * The text of a JavaScript function expression. It receives the prelude's helpers and returns `{ predeclared: {name:
   * value}, modules: {module: {name: value}} }`.
   */
  readonly source: string
  /** The names it predeclares. */
  readonly predeclared: readonly string[]
  /** The modules that `load` finds, with their names. Without any, `load` is refused. */
  readonly modules: Readonly<Record<string, readonly string[]>>
}

/**
 * The origins of generated code: from the generated line and column (1-based) of every call to its offsets in the
 * source.
 */
export interface PositionTable {
  /** The source range for a place in the generated text; undefined if the place belongs to no expression. */
  find(line: number, column: number): SourceRange | undefined
}

export interface SourceRange {
  readonly start: number
  readonly end: number
  /** The meaning of a failure of the engine itself at this place. */
  readonly native?: NativeMeaning
}

/** The engine's own TypeErrors: a call of a function that is not assigned yet, or of a method of None. */
export type NativeMeaning =
  | { readonly kind: 'unassigned'; readonly name: string; readonly global: boolean }
  | { readonly kind: 'method-of-none'; readonly name: string }

/** JavaScript text that runs on a guest of `image`. */
export interface CompiledProgram {
  readonly source: Program
  readonly code: string
  readonly positions: PositionTable
  readonly dialect: Dialect
  /** True if the program runs ahead of reads. Absent if it waits for every call. */
  readonly runsAhead?: true
  /** The tools that it can call. */
  readonly reach: Reach
  /** The guest in which it runs. Structurally this is the sandbox's GuestImage. */
  readonly image: {
    readonly name: string
    readonly source: string
    readonly date?: boolean
    readonly lookUp?: string
    readonly kept?: boolean
  }
}

/**
 * The functions of the host that a program can call: those it names, and any of the namespaces that it hands on.
 *
 * @example
 * import { CodeMode, type Reach } from 'starbind'
 *
 * await using codeMode = await CodeMode.open({ servers: { files: { command: 'my-mcp-server' } } })
 * const checked = await codeMode.check('for f in files.list_files(): print(f)')
 * const reach: Reach | undefined = checked.ok ? checked.reach : undefined
 * console.log(reach?.tools, reach?.widened)
 */
export interface Reach {
  /** The tools by the host's names, in the order of the program's text, without those of widened namespaces. */
  readonly tools: readonly { readonly namespace: string; readonly member: string }[]
  /** Namespaces of which any function may be called; `all` if that can't be known. */
  readonly widened: readonly string[] | 'all'
}

export type Compilation =
  | {
      readonly ok: true
      readonly program: CompiledProgram
      /** Mistakes in places that the program may not reach. */
      readonly warnings: readonly Diagnostic[]
    }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] }

/** The program's result in the forms that an answer needs. */
export interface ResultValue {
  /** Compact JSON. Null if JSON can't express the value, because it contains itself or is nested too deeply. */
  readonly json: string | null
  /** The value in the language's own notation. */
  readonly text: string
  /** The places where the JSON differs from the program's value, and how. */
  readonly notes?: readonly string[] | undefined
}

/** A failure in the program's terms. */
export interface Explained {
  readonly diagnostic: Diagnostic
  /** The parts of the texts that came from values. */
  readonly values?: MarkedTexts
  /** True if the program raised this itself, in its own words. */
  readonly isOwn?: boolean
}

/** The outcome of a finished program. `result` is absent if the program set none. */
export type Outcome = { readonly ok: true; readonly result?: ResultValue } | ({ readonly ok: false } & Explained)

/**
 * The command line parameters of a program's function `main`.
 *
 * @example
 * import { CodeMode, type MainFunction } from 'starbind'
 *
 * await using codeMode = await CodeMode.open()
 * const program = 'def main(name: str, count: int = 1):\n    print(name * count)'
 * const main: MainFunction | undefined = await codeMode.mainOf(program)
 * console.log(main?.parameters.map(({ name }) => name))
 */
export interface MainFunction {
  readonly parameters: readonly MainParameter[]
  /** Its docstring; empty if there is none. */
  readonly doc: string
}

/**
 * One parameter of `main`.
 *
 * @example
 * import type { MainParameter } from 'starbind'
 *
 * export const isNeeded = ({ default: usual }: MainParameter) => usual === undefined
 */
export interface MainParameter {
  readonly name: string
  readonly type: 'str' | 'int' | 'float' | 'bool'
  /** True if it takes several values, as a list. */
  readonly isList: boolean
  /** The only texts that it accepts. */
  readonly choices?: readonly string[]
  /** The text of the default in the program; absent if the parameter is required. */
  readonly default?: string
}
