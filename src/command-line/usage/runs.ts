import type { Command } from 'commander'
import { examples, finish } from '../command.js'

export function addRuns(starbind: Command): void {
  starbind
    .command('runs [run]')
    .description('list the runs that are kept, or show one: its program, what it waits for, how it ended')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples('starbind runs', 'starbind runs run-1f2e3d4c5b', 'starbind runs --json'))
    .action(async (run: string | undefined, _, command: Command) => {
      const { runs } = await import('../commands/runs.js')
      await finish(runs(run, command.optsWithGlobals()))
    })
}
