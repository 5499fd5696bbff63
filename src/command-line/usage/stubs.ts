import { type Command, Option } from 'commander'
import { examples, finish } from '../command.js'

export function addStubs(starbind: Command): void {
  starbind
    .command('stubs <catalogue>')
    .description('print the stubs of a saved tools/list answer; nothing is started')
    .requiredOption('--server <name>', 'the name of the server')
    .addOption(
      new Option('--level <level>', 'one stub file for the server or one for each tool').choices(['server', 'tool']),
    )
    .option('--file <path>', 'only this file')
    .addHelpText(
      'after',
      examples('starbind stubs saved.json --server github', 'starbind stubs saved.json --server github --level tool'),
    )
    .action(async (catalogue: string, _, command: Command) => {
      const { stubs } = await import('../commands/stubs.js')
      await finish(stubs(catalogue, command.optsWithGlobals()))
    })
}
