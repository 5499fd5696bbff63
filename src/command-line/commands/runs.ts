// `starbind runs`: the runs that are kept, and one of them.

import type { CommonOptions } from '../given.js'
import { withNamedRun } from '../named-run.js'
import { printJson, show } from '../print.js'
import { runLine, runText } from '../run-text.js'
import { openForRuns } from './approvals.js'

interface RunsOptions extends CommonOptions {
  readonly json?: true
}

export async function runs(run: string | undefined, options: RunsOptions): Promise<number> {
  await using codeMode = await openForRuns(options)
  if (run !== undefined) {
    const facts = await withNamedRun(codeMode.runs.show(run))
    if (options.json) printJson(facts)
    else show(process.stdout, runText(facts))
    return 0
  }
  const all = await codeMode.runs.list()
  if (options.json) printJson({ runs: all })
  else show(process.stdout, all.length === 0 ? 'no runs are kept' : all.map(runLine).join('\n'))
  return 0
}
