import type { Command } from 'commander'
import { examples, finish, withThreads } from '../command.js'

export function addTry(starbind: Command): void {
  starbind
    .command('try')
    .description('watch starbind use built-in servers, then type programs against them; needs no configuration')
    .addHelpText('after', examples('starbind try', "echo 'tickets.get(id=107)' | starbind try"))
    .action(async (_, command: Command) => {
      const { tryOut } = await withThreads(import('../commands/try.js'))
      await finish(tryOut(command.optsWithGlobals()))
    })
}
