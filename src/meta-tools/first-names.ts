import { type Diagnostic, renderDiagnostics } from '../diagnostics/index.js'
import { type Answer, defaultAnswerMaxChars } from './answer.js'
import { cutText } from './cut.js'
import { namesLeftOut } from './messages.js'

const MOST_NAMES = 50

/** The distinct names that fit into one answer, and the number of the others. */
export function firstNames(all: readonly string[], maxChars: number): { names: readonly string[]; leftOut: number } {
  const distinct = [...new Set(all)]
  const most = Number.isFinite(maxChars) ? MOST_NAMES : distinct.length
  return { names: distinct.slice(0, most), leftOut: Math.max(0, distinct.length - most) }
}

/** The names without a match. */
export function failure(diagnostics: readonly Diagnostic[], leftOut = 0, maxChars = defaultAnswerMaxChars): Answer {
  const parts = [renderDiagnostics(diagnostics), ...(leftOut > 0 ? [namesLeftOut(MOST_NAMES, leftOut)] : [])]
  return { text: cutText(parts.join('\n'), maxChars), isError: true }
}
