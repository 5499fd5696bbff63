// A program before and after compilation, and what came of running it. Plain data.

import type { Diagnostic } from '../diagnostics/index.js'
import type { Dialect } from './dialect.js'
import type { ForeignNamespace } from './foreign.js'

export type Language = 'starlark' | 'javascript'

/** What was submitted. */
export interface Program {
  readonly text: string
  readonly language: Language
}

export interface CompileOptions {
  readonly dialect?: Partial<Dialect>
  /** The namespaces that the program can reach, by guest name. */
  readonly foreign?: readonly ForeignNamespace[]
}

/** Where generated code came from: generated line and column (1-based) of every call to the source offsets it stands for. */
export interface PositionTable {
  /** Looks up the source range for a place in the generated text; undefined when the place belongs to no expression. */
  find(line: number, column: number): { readonly start: number; readonly end: number } | undefined
}

/** JavaScript text that runs on a guest of `image`. */
export interface CompiledProgram {
  readonly source: Program
  readonly code: string
  readonly positions: PositionTable
  /** The guest it runs in: structurally the sandbox's GuestImage. */
  readonly image: { readonly name: string; readonly source: string }
}

export type Compilation =
  | { readonly ok: true; readonly program: CompiledProgram }
  | { readonly ok: false; readonly diagnostics: readonly Diagnostic[] }

/** The program's result in the forms an answer needs. */
export interface ResultValue {
  /** Compact JSON, or null when the value is not JSON (a function, a NaN, a key that is not a string). */
  readonly json: string | null
  /** The value in the language's own notation. */
  readonly text: string
}

/** What a finished program says. `result` is absent when the program set none. */
export type Outcome =
  | { readonly ok: true; readonly result?: ResultValue }
  | { readonly ok: false; readonly diagnostic: Diagnostic }
