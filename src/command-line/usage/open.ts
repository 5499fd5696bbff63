import type { Command } from 'commander'
import { examples, finish } from '../command.js'
import { modelOption, portOption } from './options.js'

export function addOpen(starbind: Command): void {
  starbind
    .command('open')
    .description('open the page that shows runs, approvals, servers and programs')
    .option('--no-browser', 'only print the address, which opens the page once')
    .addOption(portOption('the port to listen on (default: a free one)'))
    .addOption(modelOption())
    .addHelpText('after', examples('starbind open', 'starbind open --no-browser --port 8090'))
    .action(async (_, command: Command) => {
      const { open } = await import('../commands/open.js')
      await finish(open(command.optsWithGlobals()))
    })
}
