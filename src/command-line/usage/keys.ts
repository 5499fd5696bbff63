import { type Command, Option } from 'commander'
import { examples, finish } from '../command.js'
import { clockOption, memoryOption, randomOption } from './options.js'

export function addKeys(starbind: Command): void {
  const keys = starbind
    .command('keys')
    .description('the keys with which callers connect over HTTP')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText(
      'after',
      examples(
        'starbind keys add laptop',
        "starbind keys add ci --servers git,files --tools 'git/log,files/read_*' --deny 'files/*secret*'",
        'starbind keys list',
        'starbind keys remove ci',
      ),
    )
  keys
    .command('add <name>')
    .description('make a key and print it; only its digest is kept')
    .option('--servers <names>', 'only these servers: names and globs, with commas between')
    .option('--tools <patterns>', 'only these tools: server/tool, server/*, with commas between')
    .option('--deny <patterns>', 'never these tools')
    .addOption(new Option('--code-mode <use>', 'how its tools are reached').choices(['true', 'false', 'auto']))
    .addOption(clockOption())
    .addOption(randomOption())
    .addOption(memoryOption())
    .option('--approve <rule>', 'ask a person before: always, writes, destructive, or tools with commas between')
    .option('--may-approve', 'it may see and answer the runs of all callers')
    .option('--page', 'it opens the page in a browser')
    .option('--file <path>', 'where keys are kept')
    .action(async (name: string, _, command: Command) => {
      const { add } = await import('../commands/keys.js')
      await finish(add(name, command.optsWithGlobals()))
    })
  keys
    .command('list')
    .description('the names of the keys and what each may call')
    .option('--json', 'print one JSON object')
    .option('--file <path>', 'where keys are kept')
    .action(async (_, command: Command) => {
      const { list } = await import('../commands/keys.js')
      await finish(list(command.optsWithGlobals()))
    })
  keys
    .command('remove <name>')
    .description('remove a key and end its sessions')
    .option('--file <path>', 'where keys are kept')
    .action(async (name: string, _, command: Command) => {
      const { remove } = await import('../commands/keys.js')
      await finish(remove(name, command.optsWithGlobals()))
    })
}
