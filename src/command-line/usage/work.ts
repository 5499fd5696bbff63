import type { Command } from 'commander'
import { examples, finish } from '../command.js'
import { someNumber } from './options.js'

export function addWork(starbind: Command): void {
  starbind
    .command('work')
    .description('carry out the background runs of all processes with the same store in Redis')
    .option('-n, --runs <number>', 'how many at once (default: one for each core)', someNumber)
    .addHelpText('after', examples('starbind work', 'starbind work -n 8'))
    .action(async (_, command: Command) => {
      const { work } = await import('../commands/work.js')
      await finish(work(command.optsWithGlobals()))
    })
}
