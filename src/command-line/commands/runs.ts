// `starbind runs`: the runs that are kept, and one of them.

import { writeFileSync } from 'node:fs'
import type { CodeMode, KeptRunFacts } from '../../index.js'
import { runHtml, runView } from '../../page/index.js'
import { wrongUsage } from '../failure.js'
import type { CommonOptions } from '../given.js'
import { withNamedRun } from '../named-run.js'
import { printJson, show } from '../print.js'
import { runLine, runText } from '../run-text.js'
import { openForRuns } from './approvals.js'

interface RunsOptions extends CommonOptions {
  readonly json?: true
  readonly html?: string
}

export async function runs(run: string | undefined, options: RunsOptions): Promise<number> {
  if (options.html !== undefined && run === undefined) throw wrongUsage('--html shows one run: name it')
  await using codeMode = await openForRuns(options)
  if (run !== undefined) {
    const facts = await withNamedRun(codeMode.runs.show(run))
    if (options.html !== undefined) writeFileSync(options.html, await htmlOf(codeMode, facts))
    else if (options.json) printJson(facts)
    else show(process.stdout, runText(facts))
    return 0
  }
  const all = await codeMode.runs.list()
  if (options.json) printJson({ runs: all })
  else show(process.stdout, all.length === 0 ? 'no runs are kept' : all.map(runLine).join('\n'))
  return 0
}

async function htmlOf(codeMode: CodeMode, facts: KeptRunFacts): Promise<string> {
  const isRecorded = facts.ending?.calls !== undefined
  return runHtml(runView(facts, undefined, isRecorded ? [] : await codeMode.runs.calls(facts.runId)))
}
