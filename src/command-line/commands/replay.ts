// `starbind replay`: run a kept run again without calling anything, and say whether it ended the same.

import type { Command } from 'commander'
import { examples, finish } from '../command.js'
import type { CommonOptions } from '../given.js'
import { withNamedRun } from '../named-run.js'
import { printJson, show } from '../print.js'
import { openForRuns } from './approvals.js'

interface ReplayOptions extends CommonOptions {
  readonly json?: true
}

export function addReplay(starbind: Command): void {
  starbind
    .command('replay <run>')
    .description('run a kept run again without calling any tool, and compare its calls and output')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples('starbind replay run-1f2e3d4c5b'))
    .action((run: string, _, command: Command) => finish(replay(run, command.optsWithGlobals())))
}

async function replay(run: string, options: ReplayOptions): Promise<number> {
  await using codeMode = await openForRuns(options)
  const { same, difference, result } = await withNamedRun(codeMode.runs.replay(run))
  if (options.json) printJson({ runId: run, same, difference })
  else
    show(
      process.stdout,
      same ? `the same: ${result.calls.length} calls, none of them made` : `not the same: ${difference}`,
    )
  return same ? 0 : 1
}
