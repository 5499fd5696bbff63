// Kept conversations as a person reads them at a terminal.

import { type AgentTrace, figuresOf, figuresText, type TraceFacts, type TracePart, traceParts } from '../agent/index.js'
import type { Colours } from './colours.js'
import { harmless } from './print.js'
import { moment } from './run-text.js'
import { tableText } from './table.js'

const QUESTION = 40

/** One row for each conversation. */
export function traceTable(traces: readonly TraceFacts[], colours: Colours): string {
  const columns = ['trace', 'changed', 'model', 'end', 'turns', 'calls', 'tokens', 'question'].map((title) => ({
    title,
    isNumber: ['turns', 'calls', 'tokens'].includes(title),
  }))
  const rows = traces.map(({ traceId, changedAt, why, usage, question }) => {
    const { turns, toolCalls, inputTokens, outputTokens } = figuresOf(usage)
    const models = Object.keys(usage).join(', ')
    const first = question.trim().replace(/\s+/g, ' ').slice(0, QUESTION)
    const cells = [traceId, moment(changedAt), models, why, turns, toolCalls, inputTokens + outputTokens, first]
    return cells.map((cell) => harmless(`${cell}`))
  })
  return tableText(columns, rows, colours)
}

interface TraceTextOptions {
  readonly colours: Colours
  /** Longer texts are cut. */
  readonly maxLines: number
}

/** A whole conversation: what each one said, the calls with their arguments, and the sums. */
export function traceText(trace: AgentTrace, options: TraceTextOptions): string {
  const { traceId, startedAt, why, usage } = trace
  const { bold, dim } = options.colours
  const about = [Object.keys(usage).join(', '), moment(startedAt), why].map(harmless).join(' · ')
  return [
    `${bold(harmless(traceId))}\n${dim(about)}`,
    ...traceParts(trace).map((part) => partText(part, options)),
    dim(figuresText(usage)),
  ].join('\n\n')
}

function partText({ kind, title, text }: TracePart, { colours, maxLines }: TraceTextOptions): string {
  const { dim } = colours
  const isAside = kind === 'reasoning' || kind === 'gap'
  const lines = harmless(text).split('\n')
  const more = lines.length - maxLines
  return [
    headingColour(kind, colours)(harmless(title)),
    ...lines.slice(0, maxLines).map((line) => `  ${isAside ? dim(line) : line}`),
    ...(more > 0 ? [dim(`  … and ${more} more lines (--full shows them)`)] : []),
  ].join('\n')
}

function headingColour(kind: TracePart['kind'], { blue, cyan, dim, green, magenta, red, yellow }: Colours) {
  switch (kind) {
    case 'system':
      return magenta
    case 'user':
      return cyan
    case 'assistant':
      return green
    case 'call':
      return yellow
    case 'answer':
      return blue
    case 'failure':
      return red
    case 'reasoning':
    case 'gap':
      return dim
  }
}
