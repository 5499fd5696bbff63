import { type Command, Option } from 'commander'
import { hostNames } from '../../index.js'
import { examples, finish } from '../command.js'

export function addImport(starbind: Command): void {
  starbind
    .command('import')
    .description('find the MCP servers of the hosts on this machine and write them into a starbind configuration')
    .option('-o, --output <file>', 'the file to write', 'starbind.json')
    .addOption(hostsOption())
    .option('--merge', 'add missing servers to the file')
    .option('--move', 'let each host start starbind in place of these servers; shows each change and asks')
    .option('--secrets [file]', `write credentials into a file of variables (.env), and references to them`)
    .option('--gitignore', 'keep the written files out of git')
    .option('--yes', 'with --move: change the files of hosts without asking')
    .option('--force', 'overwrite the file')
    .option('--print', 'print the configuration and write nothing')
    .addHelpText(
      'after',
      examples(
        'starbind import',
        'starbind import --print',
        'starbind import --from cursor zed --merge',
        'starbind import -o ~/starbind.json --secrets --move',
      ),
    )
    .action(async (_, command: Command) => {
      const { importServers } = await import('../commands/import.js')
      await finish(importServers(command.optsWithGlobals()))
    })
}

/** Hosts with spaces or commas between. */
function hostsOption(): Option {
  const option = new Option('--from <host...>', 'only the servers of these hosts').choices(hostNames())
  const added = option.parseArg!
  return option.argParser<unknown>((text, before) => text.split(',').reduce((all, host) => added(host, all), before))
}
