import type { Command } from 'commander'
import { examples, finish, withThreads } from '../command.js'
import { clockOption, languageOption, randomOption } from './options.js'

export function addRepl(starbind: Command): void {
  starbind
    .command('repl')
    .description('type programs line by line; Tab completes servers, tools and parameters')
    .addOption(languageOption())
    .option('--strict', 'pure Starlark, without what Python adds')
    .addOption(clockOption())
    .addOption(randomOption())
    .addHelpText(
      'after',
      examples('starbind repl', 'starbind repl --config servers.json', "echo '1 + 1' | starbind repl"),
    )
    .action(async (_, command: Command) => {
      const { repl } = await withThreads(import('../commands/repl.js'))
      await finish(repl(command.optsWithGlobals()))
    })
}
