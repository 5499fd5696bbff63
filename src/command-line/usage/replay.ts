import type { Command } from 'commander'
import { examples, finish, withThreads } from '../command.js'

export function addReplay(starbind: Command): void {
  starbind
    .command('replay <run>')
    .description('run a kept run again without calling any tool, and compare its calls and output')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples('starbind replay run-1f2e3d4c5b'))
    .action(async (run: string, _, command: Command) => {
      const { replay } = await withThreads(import('../commands/replay.js'))
      await finish(replay(run, command.optsWithGlobals()))
    })
}
