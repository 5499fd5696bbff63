// `starbind traces`: the kept conversations with models, and one of them.

import { writeFileSync } from 'node:fs'
import { listTraces, showTrace, traceHtml } from '../../agent/index.js'
import { coloursFor } from '../colours.js'
import { wrongUsage } from '../failure.js'
import type { CommonOptions } from '../given.js'
import { withNamedRun } from '../named-run.js'
import { printJson, show } from '../print.js'
import { traceTable, traceText } from '../trace-text.js'
import { openForRuns } from './approvals.js'

interface TracesOptions extends CommonOptions {
  readonly json?: true
  readonly html?: string
  readonly full?: true
  readonly delete?: true
}

/** A terminal shows this many lines of a text. */
const MOST_LINES = 30

export async function traces(traceId: string | undefined, options: TracesOptions): Promise<number> {
  const { json, html, full, delete: isDeleted } = options
  const colours = coloursFor(process.stdout)
  await using codeMode = await openForRuns(options)
  if (traceId === undefined) {
    if (html !== undefined || isDeleted)
      throw wrongUsage(`${isDeleted ? '--delete' : '--html'} needs the name of a trace`, LISTS)
    const all = await listTraces(codeMode)
    if (json) printJson({ traces: all })
    else if (all.length === 0) show(process.stdout, 'no traces are kept')
    else process.stdout.write(`${traceTable(all, colours)}\n`)
    return 0
  }
  if (isDeleted) {
    await withNamedRun(codeMode.traces.delete(traceId))
    if (json) printJson({ deleted: traceId })
    else show(process.stdout, `deleted ${traceId}`)
    return 0
  }
  const trace = await withNamedRun(showTrace(codeMode, traceId))
  if (html !== undefined) write(html, traceHtml(trace))
  if (json) printJson(trace)
  else if (html === undefined) {
    const maxLines = full ? Number.POSITIVE_INFINITY : MOST_LINES
    process.stdout.write(`${traceText(trace, { colours, maxLines })}\n`)
  }
  return 0
}

const LISTS = 'starbind traces lists the traces that are kept'

function write(file: string, page: string): void {
  try {
    writeFileSync(file, page, { mode: 0o600 })
  } catch (error) {
    throw wrongUsage(`${file} can't be written: ${(error as NodeJS.ErrnoException).code}`)
  }
}
