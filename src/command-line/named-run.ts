// What is wrong with the name of a run that a person typed, in words for that person.

import { DiagnosticError } from '../index.js'
import { wrongUsage } from './failure.js'

const HINTS: Readonly<Record<string, string | undefined>> = {
  'no-such-run': 'starbind runs lists the runs that are kept',
  'nothing-to-answer': 'starbind approvals lists what waits',
  'run-underway': undefined,
}

/** Does something with a run that was named. Rejects with wrong usage where that can't be done with this run. */
export async function withNamedRun<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    const [diagnostic] = error instanceof DiagnosticError ? error.diagnostics : []
    if (diagnostic === undefined || !(diagnostic.code in HINTS)) throw error
    throw wrongUsage(diagnostic.message, HINTS[diagnostic.code])
  }
}
