import { type Command, Option } from 'commander'
import { builtinNames } from '../../index.js'
import { examples, finish } from '../command.js'

export function addAdd(starbind: Command): void {
  starbind
    .command('add')
    .description('write the entry of a built-in server into a starbind configuration')
    .argument('<server>', `one of ${builtinNames.join(', ')}`)
    .argument('[place...]', 'the folder that it works in (default: this one); for sql also a database, for web hosts')
    .option('-o, --output <file>', 'the file to write', 'starbind.json')
    .option('--name <name>', 'what programs call it (default: the name of the server)')
    .option('--exclude <pattern...>', 'what programs never see, as in a .gitignore')
    .addOption(new Option('--write', 'with files and sql: programs may change something, too'))
    .addHelpText(
      'after',
      examples(
        'starbind add files .',
        'starbind add files notes --name notes --write',
        'starbind add files . --exclude .env secrets/',
        'starbind add sql data',
        'starbind add sql sqlite:shop.db',
        'starbind add web example.com *.example.org',
        'starbind add shell build',
      ),
    )
    .action(async (server: string, places: string[], _, command: Command) => {
      const { addServer } = await import('../commands/add.js')
      await finish(addServer(server, places, command.optsWithGlobals()))
    })
}
