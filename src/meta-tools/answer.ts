// What a model gets to read after a meta-tool call. Knows text and budgets; knows neither languages nor tools.
// Invariant: an answer is never longer than its budget, and says so where something was left out.

import type { RunResult } from './run-result.js'

/** What every meta-tool answers. */
export interface Answer {
  readonly text: string
  /** True when what was asked for was not done. */
  readonly isError: boolean
  /** The same as data, for callers that are programs. */
  readonly structured?: unknown
}

export const defaultAnswerMaxChars = 24_000

export interface AnswerOptions {
  /** The longest answer. */
  readonly maxChars: number
  /** Keeps what does not fit and says where it can be read. */
  readonly keep: (whole: string) => string
}

/** What a run says: its output, its result, and the report about it. */
export function answerRun(result: RunResult, options: AnswerOptions): Answer {
  const output = result.logs.join('\n')
  const shown = result.resultText === undefined ? '' : `result: ${result.resultText}`
  const isLong = [output, shown, result.report].join('\n').length > options.maxChars
  const whole = isLong ? `; ${options.keep(wholeOutput(result))} has all of it` : ''
  const sections = [
    { text: output, remedy: `filter and sum up in the program${whole}` },
    { text: shown, remedy: `this is not valid JSON any more${whole}` },
    { text: result.report },
  ]
  return { text: fitSections(sections, options.maxChars), isError: !result.ok, structured: result }
}

/** One JSON object, a printed line on each line, so that it can be read in pages. */
function wholeOutput({ logs, resultJson, resultText }: RunResult): string {
  const lines = logs.map((line) => JSON.stringify(line)).join(',\n')
  const result = resultJson ?? (resultText === undefined ? 'null' : JSON.stringify(resultText))
  return `{"logs":[\n${lines}\n],\n"result":\n${result}}\n`
}

/** One stretch of an answer. */
export interface Section {
  readonly text: string
  /** What to do about it when it is too long; absent for sections that are short by nature and never cut first. */
  readonly remedy?: string
}

/**
 * Joins sections with newlines within `maxChars`. When they are too long, sections with a remedy share what the others leave, each gets at
 * least its equal part, and what is left out of one is replaced by a note that names the amount and the remedy.
 */
export function fitSections(sections: readonly Section[], maxChars: number): string {
  const filled = sections.filter((section) => section.text !== '')
  const whole = filled.map((section) => section.text).join('\n')
  if (whole.length <= maxChars) return whole
  const firm = filled
    .filter((section) => section.remedy === undefined)
    .reduce((sum, section) => sum + section.text.length + 1, 0)
  const shares = fairShares(
    filled.map((section) => (section.remedy === undefined ? 0 : section.text.length + 1)),
    Math.max(0, maxChars - firm),
  )
  const fitted = filled.map((section, i) =>
    section.remedy === undefined ? section.text : cut(section.text, shares[i]! - 1, section.remedy),
  )
  return cut(fitted.filter((text) => text !== '').join('\n'), maxChars, '')
}

/** Gives everyone what is asked for, and where that is too much, an equal part to those who ask for more than it. */
function fairShares(wanted: readonly number[], available: number): number[] {
  const shares = wanted.map(() => 0)
  const hungry = wanted.map((_, i) => i).filter((i) => wanted[i]! > 0)
  hungry.sort((a, b) => wanted[a]! - wanted[b]!)
  let left = available
  hungry.forEach((i, served) => {
    shares[i] = Math.min(wanted[i]!, Math.floor(left / (hungry.length - served)))
    left -= shares[i]!
  })
  return shares
}

/** Keeps the beginning and the end of a text, three to one, and says between them what is missing. */
export function cut(text: string, maxChars: number, remedy: string): string {
  if (text.length <= maxChars) return text
  const note = (missing: number) =>
    `\n[… ${missing} of ${text.length} characters left out${remedy === '' ? '' : `; ${remedy}`} …]\n`
  const room = maxChars - note(text.length).length
  if (room <= 0) return text.slice(0, Math.max(0, maxChars))
  const head = wholeCharacters(text.slice(0, Math.ceil(room * 0.75)), 'end')
  const tail = wholeCharacters(text.slice(text.length - Math.floor(room * 0.25)), 'start')
  return head + note(text.length - head.length - tail.length) + tail
}

/** Drops half of a surrogate pair at the edge of a cut. */
function wholeCharacters(text: string, edge: 'start' | 'end'): string {
  if (edge === 'end') return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text
  return /^[\udc00-\udfff]/.test(text) ? text.slice(1) : text
}
