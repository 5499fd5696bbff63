// `starbind runs`: the runs that are kept, and one of them.

import type { Command } from 'commander'
import { examples, finish } from '../command.js'
import type { CommonOptions } from '../given.js'
import { withNamedRun } from '../named-run.js'
import { printJson, show } from '../print.js'
import { runLine, runText } from '../run-text.js'
import { openForRuns } from './approvals.js'

interface RunsOptions extends CommonOptions {
  readonly json?: true
}

export function addRuns(starbind: Command): void {
  starbind
    .command('runs [run]')
    .description('list the kept runs, or show one: its program, its open calls, how it ended')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples('starbind runs', 'starbind runs run-1f2e3d4c5b', 'starbind runs --json'))
    .action((run: string | undefined, _, command: Command) => finish(runs(run, command.optsWithGlobals())))
}

async function runs(run: string | undefined, options: RunsOptions): Promise<number> {
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
