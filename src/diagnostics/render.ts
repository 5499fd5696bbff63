import type { CallMade, Diagnostic, Span } from './diagnostic.js'

/** The program's text, or the text of the program or of a saved program by `Span.file`. */
type SourceText = string | ((file: string | undefined) => string | undefined)

/**
 * Renders one diagnostic as the text that a model reads. With `source`, it quotes the failing line under its place.
 * Long source lines are cut around the failing columns, and long messages in the middle.
 */
export function renderDiagnostic(diagnostic: Diagnostic, source?: SourceText): string {
  const lines = [`${diagnostic.class} [${diagnostic.code}] ${shortened(diagnostic)}`]
  if (diagnostic.span) lines.push(...place(diagnostic.span, source))
  const outer = diagnostic.trace?.slice(1) ?? []
  for (const frame of foldRepeats(outer.map((f) => `  in ${f.name} at ${placeOf(f.span, '')}`))) lines.push(frame)
  if (diagnostic.hint) lines.push(`hint: ${diagnostic.hint}`)
  if (diagnostic.done && diagnostic.done.length > 0)
    lines.push(`done before this: ${diagnostic.done.map(callMade).join(', ')}`)
  return lines.join('\n')
}

/**
 * Renders several diagnostics, separated by an empty line.
 *
 * @example
 * import { CodeMode, renderDiagnostics } from 'starbind'
 *
 * await using codeMode = await CodeMode.open()
 * const program = 'total = 1\nprint(totl)'
 * const checked = await codeMode.check(program)
 * if (!checked.ok) console.error(renderDiagnostics(checked.diagnostics, program))
 */
export function renderDiagnostics(diagnostics: readonly Diagnostic[], source?: SourceText): string {
  return diagnostics.map((d) => renderDiagnostic(d, source)).join('\n\n')
}

/** The maximum length of a message. A server's words get more room than names and values of a program. */
const MOST_OF_TOOL = 4_000
const MOST = 1_000

function shortened({ class: kind, message }: Diagnostic): string {
  const most = kind === 'tool error' ? MOST_OF_TOOL : MOST
  if (message.length <= most) return message
  const end = Math.floor(most / 4)
  return `${message.slice(0, most - end).replace(/[\ud800-\udbff]$/, '')} … ${message.slice(-end).replace(/^[\udc00-\udfff]/, '')}`
}

const WIDTH = 100

/** `own` is the prefix of a place in the program itself. */
function placeOf({ file, line, column }: Span, own: string): string {
  return `${file === undefined ? own : `${file}:`}${line}:${column}`
}

function place(span: Span, source: SourceText | undefined): string[] {
  const out = [`  ${placeOf(span, 'program:')}`]
  const own = span.file === undefined && typeof source === 'string' ? source : undefined
  const whole = typeof source === 'function' ? source(span.file) : own
  const text = whole?.split(/\r\n|\r|\n/)[span.line - 1]
  if (text === undefined) return out
  const from = span.column - 1
  const to = span.endLine === span.line ? span.endColumn - 1 : text.length
  const start = from > WIDTH - 20 ? Math.max(0, from - 40) : 0
  const shown = (start > 0 ? '…' : '') + text.slice(start, start + WIDTH) + (start + WIDTH < text.length ? '…' : '')
  const number = String(span.line)
  const caretFrom = from - start + (start > 0 ? 1 : 0)
  const length = Math.max(1, Math.min(to, start + WIDTH) - from)
  const lead = shown.slice(0, caretFrom).replace(/[^\t]/g, ' ')
  out.push(`  ${number} | ${shown}`, `  ${' '.repeat(number.length)} | ${lead}${'^'.repeat(length)}`)
  return out
}

function foldRepeats(frames: string[]): string[] {
  if (frames.length <= 6) return frames
  return [...frames.slice(0, 3), `  … ${frames.length - 5} more calls`, ...frames.slice(-2)]
}

function callMade(call: CallMade): string {
  const times = call.count > 1 ? ` ×${call.count}` : ''
  const outcome = call.ok ? '' : ' (failed)'
  return `${call.server}.${call.tool}${times}${outcome}${call.safeToRepeat ? ' (safe to repeat)' : ''}`
}
