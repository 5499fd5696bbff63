/**
 * The next step after a failure. `program error`: the model edits the program. `tool error`: it changes the arguments
 * or its plan. `limit`: it does less. `host error`: a person has to act. `paused`: a person has to answer, and then the
 * run continues.
 *
 * @example
 * import type { DiagnosticClass } from 'starbind'
 *
 * export const whoseMove: Readonly<Record<DiagnosticClass, string>> = {
 *   'program error': 'the model edits its program',
 *   'tool error': 'the model changes arguments or its plan',
 *   limit: 'the model asks for less',
 *   'host error': 'a person has to act',
 *   paused: 'a person answers',
 * }
 */
export type DiagnosticClass = 'program error' | 'tool error' | 'limit' | 'host error' | 'paused'

/**
 * A source range. Lines and columns start at 1, columns count UTF-16 units, and the end is exclusive.
 *
 * @example
 * import type { Span } from 'starbind'
 *
 * export const textOf = (line: string, { column, endColumn }: Span) => line.slice(column - 1, endColumn - 1)
 */
export interface Span {
  /** The saved program that contains the range, as `programs/NAME.star`; absent for the program itself. */
  readonly file?: string
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
}

/**
 * A function of the program that was active when it failed.
 *
 * @example
 * import type { TraceFrame } from 'starbind'
 *
 * export const trace = (frames: readonly TraceFrame[]) => frames.map(({ name, span }) => `${name} (line ${span.line})`)
 */
export interface TraceFrame {
  /** The function's name as the program wrote it; `<toplevel>` for the program itself. */
  readonly name: string
  readonly span: Span
}

/**
 * A call that the run had already made.
 *
 * @example
 * import type { CallMade, Diagnostic } from 'starbind'
 *
 * export const unsafe = ({ done = [] }: Diagnostic): CallMade[] => done.filter(({ safeToRepeat }) => !safeToRepeat)
 */
export interface CallMade {
  readonly server: string
  readonly tool: string
  readonly count: number
  readonly ok: boolean
  /** The upstream declares that a repetition does no harm (`readOnlyHint` or `idempotentHint`). */
  readonly safeToRepeat: boolean
}

/**
 * One explained failure, as JSON data.
 *
 * @example
 * import { CodeMode, type Diagnostic } from 'starbind'
 *
 * await using codeMode = await CodeMode.open()
 * const checked = await codeMode.check('print(totl)')
 * const diagnostics: readonly Diagnostic[] = checked.ok ? checked.warnings : checked.diagnostics
 * for (const { span, message, hint } of diagnostics) console.log(span?.line, message, hint)
 */
export interface Diagnostic {
  readonly class: DiagnosticClass
  /** Kebab-case, stable, and different for each template: `undefined-name`. */
  readonly code: string
  /** One fact, in the words of the program, without a full stop at the end. */
  readonly message: string
  readonly span?: Span
  /** One imperative sentence. Only a certain hint is given. */
  readonly hint?: string
  /** The active functions of the program, innermost first; absent if the program did not run. */
  readonly trace?: readonly TraceFrame[]
  /** The calls that the run had already made. */
  readonly done?: readonly CallMade[]
}

/**
 * The exception that carries diagnostics. Its message contains the hints, too. Its stack starts at the line that called
 * the library.
 *
 * @example
 * import { CodeMode, DiagnosticError } from 'starbind'
 *
 * try {
 *   await CodeMode.open({ limits: { wallMs: -1 } })
 * } catch (error) {
 *   if (!(error instanceof DiagnosticError)) throw error
 *   for (const { code, message } of error.diagnostics) console.error(code, message)
 * }
 */
export class DiagnosticError extends Error {
  declare readonly diagnostics: readonly Diagnostic[]

  constructor(diagnostics: Diagnostic | readonly Diagnostic[]) {
    const all = Array.isArray(diagnostics) ? (diagnostics as readonly Diagnostic[]) : [diagnostics as Diagnostic]
    super(all.map(textOf).join('\n'))
    this.name = 'DiagnosticError'
    // Not enumerable: Node prints enumerable properties of an error, and the message has everything already.
    Object.defineProperty(this, 'diagnostics', { value: all })
  }
}

function textOf({ class: kind, code, message, hint }: Diagnostic): string {
  return `${kind} [${code}] ${message}${hint === undefined ? '' : `\nhint: ${hint}`}`
}

/**
 * Returns the error. If it is a DiagnosticError, its stack now starts at the caller of `door`, because the mistake is
 * in that line and not in this package.
 */
export function seenFrom(door: (...args: never[]) => unknown, error: unknown): unknown {
  if (error instanceof DiagnosticError) Error.captureStackTrace(error, door)
  return error
}
