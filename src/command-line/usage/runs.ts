import type { Command } from 'commander'
import { examples, finish } from '../command.js'

export function addRuns(starbind: Command): void {
  starbind
    .command('runs [run]')
    .description('list the kept runs, or show one: its program, its open calls, how it ended')
    .option('--json', 'print one JSON object')
    .option('--html <file>', 'write one run as a page: program, waterfall, output, result')
    .addHelpText(
      'after',
      examples(
        'starbind runs',
        'starbind runs run-1f2e3d4c5b',
        'starbind runs --json',
        'starbind runs run-1f2e3d4c5b --html run.html',
      ),
    )
    .action(async (run: string | undefined, _, command: Command) => {
      const { runs } = await import('../commands/runs.js')
      await finish(runs(run, command.optsWithGlobals()))
    })
}
