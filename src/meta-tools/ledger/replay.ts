// Runs a kept run again from its ledger alone. Knows how two outcomes are compared.
// Invariant: no server is called, whatever the program does.

import { type Diagnostic, DiagnosticError } from '../../diagnostics/index.js'
import type { RunContext } from '../run-context.js'
import { runAgain } from '../run-program.js'
import type { RunResult } from '../run-result.js'
import type { Viewer } from '../run-watch.js'
import type { RunEnding } from './run-body.js'

/**
 * The outcome of replaying a kept run.
 *
 * @example
 * import { CodeMode, type ReplayReport } from 'starbind'
 *
 * await using codeMode = await CodeMode.open({ state: '.starbind' })
 * const [last] = await codeMode.runs.list()
 * const report: ReplayReport | undefined = last && (await codeMode.runs.replay(last.runId))
 * console.log(report?.same, report?.difference)
 */
export interface ReplayReport {
  readonly runId: string
  /** True if it made the same calls and ended the same way. */
  readonly same: boolean
  /** The difference; null if there is none. */
  readonly difference: string | null
  readonly result: RunResult
}

/** Rejects with a DiagnosticError where the viewer may see no such run. */
export async function replayRun(runId: string, context: RunContext, viewer: Viewer): Promise<ReplayReport> {
  const { runs } = context.keeping!
  const { run, ending } = await runs.rehearsal(runId, viewer)
  const caller = {
    call: async (): Promise<never> => {
      throw new DiagnosticError(beyondLedger)
    },
  }
  const keeping = { ...context.keeping!, interviewer: undefined }
  // The ledger has the values that the run read.
  const nothing = async () => new Map()
  const values = { owner: '', store: { values: nothing, keepValues: nothing } }
  const result = await runAgain(run, { ...context, caller, keeping, values }, {})
  const difference = differenceOf(result, ending)
  return { runId, same: difference === null, difference, result }
}

/** The end of the ledger of a run that has not ended. */
const beyondLedger: Diagnostic = {
  class: 'host error',
  code: 'beyond-ledger',
  message: 'the ledger of the run ends here',
}

function differenceOf(
  { ok, error, resultJson, resultText, logs }: RunResult,
  ending: RunEnding | undefined,
): string | null {
  if (ending === undefined) {
    if (error?.class === 'paused' || error?.code === beyondLedger.code) return null
    return 'the kept run has not ended, but this one has'
  }
  if (ok !== ending.ok) return `the kept run ${ending.ok ? 'went through' : 'failed'}, and this one did not`
  if (error?.code !== ending.error?.code)
    return `it failed with ${error?.code}, and the kept run with ${ending.error?.code}`
  if (error?.message !== ending.error?.message) return 'its message is different'
  if (resultJson !== ending.resultJson || resultText !== ending.resultText) return 'its result is different'
  return logs.join('\n') === ending.logs.join('\n') ? null : 'its printed lines are different'
}
