import type { Diagnostic, Span } from '../diagnostics/index.js'

/** A mistake in a program, which is reported before the program runs. */
export function mistake(code: string, span: Span, message: string, hint?: string): Diagnostic {
  return { class: 'program error', code, message, span, ...(hint === undefined ? {} : { hint }) }
}

/** The hint that proposes other names; undefined if there are none. */
export function didYouMean(names: readonly string[]): string | undefined {
  return names.length === 0 ? undefined : `did you mean ${names.join(' or ')}?`
}
