import { type Command, Option } from 'commander'
import { builtinNames } from '../../index.js'
import { examples, finish } from '../command.js'

export function addAdd(starbind: Command): void {
  starbind
    .command('add')
    .description('write the entry of a built-in server into a starbind configuration')
    .argument('<server>', `one of ${builtinNames.join(', ')}`)
    .argument('[folder]', 'the folder that it works in', '.')
    .option('-o, --output <file>', 'the file to write', 'starbind.json')
    .option('--name <name>', 'what programs call it (default: the name of the server)')
    .option('--exclude <pattern...>', 'what programs never see, as in a .gitignore')
    .addOption(new Option('--write', 'with files: programs may change files, too'))
    .addHelpText(
      'after',
      examples(
        'starbind add files .',
        'starbind add files notes --name notes --write',
        'starbind add files . --exclude .env secrets/',
        'starbind add sql data',
      ),
    )
    .action(async (server: string, folder: string, _, command: Command) => {
      const { addServer } = await import('../commands/add.js')
      await finish(addServer(server, folder, command.optsWithGlobals()))
    })
}
