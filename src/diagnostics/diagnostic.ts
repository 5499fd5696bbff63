// What a failure is, as data. Knows no room, no language and no transport.
// Invariant: everything here is plain JSON data, so that a diagnostic can cross a process or be printed with --json.

/**
 * Whose move it is. `program error`: edit the program. `tool error`: change arguments or plan.
 * `limit`: do less. `host error`: a person has to act.
 */
export type DiagnosticClass = 'program error' | 'tool error' | 'limit' | 'host error'

/** A source range. Lines and columns are 1-based, columns count UTF-16 units; the end is exclusive. */
export interface Span {
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
}

/** One of the program's own functions that was active when a run-time failure happened, innermost first. */
export interface TraceFrame {
  /** The function's name as the program wrote it; `<toplevel>` for the program itself. */
  readonly name: string
  readonly span: Span
}

/** A call the run had already made, as the failure reports it. */
export interface CallMade {
  readonly server: string
  readonly tool: string
  readonly count: number
  readonly ok: boolean
  /** True when the upstream declares that repeating the call does no harm (`readOnlyHint` or `idempotentHint`). */
  readonly safeToRepeat: boolean
}

/** One explained failure. */
export interface Diagnostic {
  readonly class: DiagnosticClass
  /** Kebab-case, stable, unique per message template: `undefined-name`. */
  readonly code: string
  /** One fact in the program's own words, without a final full stop. */
  readonly message: string
  readonly span?: Span
  /** One imperative sentence, only when it is certain. */
  readonly hint?: string
  /** Outer frames of the program's own functions, innermost first; absent for static errors. */
  readonly trace?: readonly TraceFrame[]
  /** What the run had already done. */
  readonly done?: readonly CallMade[]
}

/** Thrown inside the host to carry diagnostics to the nearest door; never shown with a JavaScript stack. */
export class DiagnosticError extends Error {
  readonly diagnostics: readonly Diagnostic[]

  constructor(diagnostics: Diagnostic | readonly Diagnostic[]) {
    const all = Array.isArray(diagnostics) ? (diagnostics as readonly Diagnostic[]) : [diagnostics as Diagnostic]
    super(all.map((d) => `${d.class} [${d.code}] ${d.message}`).join('\n'))
    this.name = 'DiagnosticError'
    this.diagnostics = all
  }
}
