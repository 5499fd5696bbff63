import type { Command } from 'commander'
import { examples, finish } from '../command.js'

export function addLs(starbind: Command): void {
  starbind
    .command('ls [words...]')
    .description('list servers and tools as a tree of stub files; with words, those that match')
    .option('--server <name>', 'only this server')
    .option('--query <text>', 'the words, as one text')
    .option('--catalogues <folder>', 'saved tools/list answers, one JSON file for each server; nothing is started')
    .option('--signatures', 'with words: also print the parameters of the tools')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      examples(
        'starbind ls',
        'starbind ls create issue',
        'starbind ls create issue --signatures',
        'starbind ls --server github',
        'starbind ls issues --catalogues saved/ --json',
      ),
    )
    .action(async (words: string[], _, command: Command) => {
      const { ls } = await import('../commands/ls.js')
      await finish(ls(words, command.optsWithGlobals()))
    })
}
