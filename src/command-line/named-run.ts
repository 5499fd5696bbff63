// Mistakes in the name of a run, in words for the person who typed it.

import { DiagnosticError } from '../index.js'
import { wrongUsage } from './failure.js'

const HINTS: Readonly<Record<string, string | undefined>> = {
  'no-such-run': 'starbind runs lists the runs that are kept',
  'nothing-to-answer': 'starbind approvals lists what waits',
  'no-such-trace': 'starbind traces lists the traces that are kept',
  'run-underway': undefined,
}

/** Awaits work on a named run. Rejects with wrong usage if this run does not allow the work. */
export async function withNamedRun<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    const [diagnostic] = error instanceof DiagnosticError ? error.diagnostics : []
    if (diagnostic === undefined || !(diagnostic.code in HINTS)) throw error
    throw wrongUsage(diagnostic.message, HINTS[diagnostic.code])
  }
}
